// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Values against what this kernel and queue have: ceilings, quirks, attributes that are
 * not there; a profile leaves them out with a note, the command line is refused.
 */
#include "policy-host.h"

#include <errno.h>

#define QUEUE(text)                                                                      \
	"{ \"name\": \"t\", \"rules\": [ { \"match\": {}, \"queue\": { " text " } } ] }"

static void assert_refused(struct host_fixture *host, const char *names, const char *sets,
			   const char *words)
{
	assert_int_equal(host_resolve(host, NULL, names, sets), -EINVAL);
	if (!strstr(host->diag.text, words))
		fail_msg("%s", host->diag.text);
}

static void test_nr_requests_ceilings(void **state)
{
	struct host_fixture host;

	(void)state;
	host_open(&host, "policy-server-6.1.txt", NULL);
	assert_int_equal(host_resolve(&host, QUEUE("\"nr_requests\": 1024"), NULL, NULL),
			 0);
	assert_wanted(&host, "sda", "nr_requests", "1024"); /* mq-deadline */
	assert_wanted(&host, "nvme0n1", "nr_requests", NULL);
	assert_note(&host, "nvme0n1",
		    "left out: nr_requests = 1024 is above the 1023 tags");
	assert_int_equal(host_resolve(&host, QUEUE("\"nr_requests\": 1023"), NULL, NULL),
			 0);
	assert_wanted(&host, "nvme0n1", "nr_requests", "1023");
	/* sda has 32 driver tags: they count once none is active. */
	assert_int_equal(
		host_resolve(&host, NULL, "sda", "scheduler=none nr_requests=32"), 0);
	assert_refused(&host, "sda", "scheduler=none nr_requests=33",
		       "above the 32 tags");
	assert_refused(&host, "sda", "nr_requests=2049", "out of range: 4 to 2048");
	host_close(&host);
	/* Without mq/0/nr_tags: half of what the scheduler's default is. */
	host_open(&host, "policy-usb-6.1.txt", NULL);
	assert_int_equal(
		host_resolve(&host, QUEUE("\"nr_requests\": 8"), "sdc", "scheduler=none"),
		0);
	assert_note(&host, "sdc", "above the 1 tags");
	host_close(&host);
}

/* What there is not, is a note from a profile and an error from the command line. */
static void test_absent_attributes(void **state)
{
	struct host_fixture host;

	(void)state;
	host_open(&host, "policy-server-6.1.txt", NULL);
	assert_int_equal(host_resolve(&host,
				      QUEUE("\"io_timeout\": \"30s\", \"nomerges\": 0"),
				      NULL, NULL),
			 0);
	assert_note(&host, "sda",
		    "left out: io_timeout: this queue has no such attribute");
	assert_wanted(&host, "sda", "nomerges", "0");
	assert_refused(
		&host, "sda", "io_timeout=30s",
		"sda: cannot set io_timeout to 30s: io_timeout: this queue has no such "
		"attribute (Linux 6.1.0-50-amd64)");
	assert_refused(&host, NULL, "io_timeout=30s", "io_timeout");
	/* One that some have: a note on the others. */
	assert_int_equal(host_resolve(&host, NULL, NULL, "wbt_lat_usec=0"), 0);
	assert_wanted(&host, "sda", "wbt_lat_usec", "0");
	/* Not there before 6.1, and no device of this host tells otherwise. */
	assert_int_equal(host_resolve(&host, NULL, "sda", "prio_aging_expire=5s"), 0);
	host_close(&host);
	host_open(&host, "policy-legacy-4.19.txt", NULL);
	assert_refused(&host, "nvme0n1", "scheduler=mq-deadline prio_aging_expire=5s",
		       "no such attribute (Linux 4.19");
	host_close(&host);
}

/* User problem 10: an attribute of another scheduler. */
static void test_attribute_of_another_scheduler(void **state)
{
	struct host_fixture host;

	(void)state;
	host_open(&host, "policy-server-6.1.txt", NULL);
	assert_refused(&host, "sda", "read_lat_nsec=1ms",
		       "mq-deadline has no such attribute");
	assert_refused(&host, "sda", "kyber.read_lat_nsec=1ms",
		       "mq-deadline has no such attribute");
	assert_refused(&host, NULL, "read_lat_nsec=1ms", "has no such attribute");
	assert_int_equal(
		host_resolve(&host, NULL, "sda", "scheduler=kyber read_lat_nsec=1ms"), 0);
	assert_wanted(&host, "sda", "kyber.read_lat_nsec", "1000000");
	assert_refused(&host, NULL, "read_expir=1",
		       "there is no attribute \"read_expir\"");
	assert_string_equal(host.diag.hint, "did you mean \"read_expire\"?");
	assert_refused(&host, NULL, "read_expire=1K", "cannot be \"1K\"");
	assert_refused(&host, NULL, "rotational=0", "not set by");
	host_close(&host);
}

/* Each device that was asked for by name has to take it; of all devices, one is enough. */
static void test_one_of_several(void **state)
{
	struct host_fixture host;

	(void)state;
	host_open(&host, "policy-server-6.1.txt", NULL);
	assert_refused(
		&host, "sda nvme0n1", "read_expire=50",
		"nvme0n1: cannot set read_expire to 50: none has no such attribute");
	assert_int_equal(host_resolve(&host, NULL, NULL, "read_expire=50"), 0);
	assert_wanted(&host, "sda", "mq-deadline.read_expire", "50");
	assert_note(&host, "nvme0n1", "read_expire is not set to 50");
	/* The disk below was not asked for itself, but it is the one that takes it. */
	assert_int_equal(host_resolve(&host, NULL, "dm-0", "read_expire=50"), 0);
	assert_refused(&host, "dm-0", "read_lat_nsec=1ms",
		       "sda: cannot set read_lat_nsec");
	host_close(&host);
}

static void test_async_depth_moves(void **state)
{
	struct host_fixture host;

	(void)state;
	host_open(&host, "policy-async-7.2.txt", NULL);
	assert_int_equal(host_resolve(&host, NULL, "sda", "mq-deadline.async_depth=48"),
			 0);
	assert_wanted(&host, "sda", "async_depth", "48");
	assert_note(&host, "sda",
		    "mq-deadline.async_depth is async_depth on this kernel");
	assert_refused(&host, "sda", "async_depth=65", "above nr_requests, which is 64");
	/* nr_requests as it will be, in whatever order the two were given. */
	assert_int_equal(
		host_resolve(&host, NULL, "sda", "nr_requests=128 async_depth=65"), 0);
	assert_wanted(&host, "sda", "async_depth", "65");
	assert_int_equal(
		host_resolve(&host, NULL, "sda", "async_depth=65 nr_requests=128"), 0);
	assert_refused(&host, "sda", "async_depth=33 nr_requests=32", "which is 32");
	assert_refused(&host, "nvme0n1", "async_depth=8", "needs a scheduler");
	host_close(&host);
	host_open(&host, "policy-server-6.1.txt", NULL);
	assert_int_equal(host_resolve(&host, QUEUE("\"async_depth\": 48"), "sda", NULL),
			 0);
	assert_wanted(&host, "sda", "mq-deadline.async_depth", "48");
	host_close(&host);
	/* The file of 5.15 holds front_merges. */
	host_open(&host, "policy-async-5.15.txt", NULL);
	assert_refused(&host, "sda", "async_depth=48", "holds front_merges");
	host_close(&host);
}

static void test_bfq_and_write_back_throttling(void **state)
{
	struct host_fixture host;

	(void)state;
	host_open(&host, "policy-server-6.1.txt", NULL);
	assert_int_equal(host_resolve(&host, QUEUE("\"wbt_lat_usec\": 1000"), "sda",
				      "scheduler=bfq"),
			 0);
	assert_wanted(&host, "sda", "wbt_lat_usec", NULL);
	assert_note(&host, "sda", "bfq disables");
	assert_int_equal(
		host_resolve(&host, QUEUE("\"wbt_lat_usec\": 1000"), "sda", NULL), 0);
	assert_wanted(&host, "sda", "wbt_lat_usec", "1000");
	host_close(&host);
}

/* slice_idle and slice_idle_us are one setting: the first to speak decides. */
static void test_two_names_of_one_setting(void **state)
{
	struct host_fixture host;

	(void)state;
	host_open(&host, "policy-server-6.1.txt", NULL);
	assert_int_equal(
		host_resolve(&host,
			     "{ \"name\": \"t\", \"rules\": [ { \"scheduler\": \"bfq\", "
			     "\"iosched\": { \"bfq\": { \"slice_idle\": 0 } } } ] }",
			     "sda", "slice_idle_us=2ms"),
		0);
	assert_wanted(&host, "sda", "bfq.slice_idle_us", "2000");
	assert_wanted(&host, "sda", "bfq.slice_idle", NULL);
	host_close(&host);
}

/* A bio-based queue has files that mean nothing there. */
static void test_bio_based_queue(void **state)
{
	struct host_fixture host;

	(void)state;
	host_open(&host, "policy-server-6.1.txt", NULL);
	assert_int_equal(host_resolve(&host,
				      QUEUE("\"nr_requests\": 64, \"nomerges\": 1, "
					    "\"read_ahead_kb\": 256"),
				      NULL, NULL),
			 0);
	assert_wanted(&host, "dm-0", "nr_requests", NULL);
	assert_wanted(&host, "dm-0", "nomerges", NULL);
	assert_wanted(&host, "dm-0", "read_ahead_kb", "256");
	assert_refused(&host, "zram0", "nr_requests=64", "zram0: cannot set nr_requests");
	host_close(&host);
}

static void test_ceiling_of_the_hardware(void **state)
{
	struct host_fixture host;

	(void)state;
	host_open(&host, "policy-server-6.1.txt", NULL);
	assert_refused(&host, "sda", "max_sectors_kb=64M", "4 KiB to 32767 KiB");
	assert_int_equal(host_resolve(&host, NULL, "sda", "max_sectors_kb=32767"), 0);
	host_close(&host);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nr_requests_ceilings),
		cmocka_unit_test(test_absent_attributes),
		cmocka_unit_test(test_attribute_of_another_scheduler),
		cmocka_unit_test(test_one_of_several),
		cmocka_unit_test(test_async_depth_moves),
		cmocka_unit_test(test_bfq_and_write_back_throttling),
		cmocka_unit_test(test_two_names_of_one_setting),
		cmocka_unit_test(test_bio_based_queue),
		cmocka_unit_test(test_ceiling_of_the_hardware),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
