// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Resolving: precedence with the origin of each value, what is named, fallbacks, and what
 * a queue or kernel does not have.
 */
#include "policy-host.h"

#include <errno.h>

#define SERVER "policy-server-6.1.txt"

static void assert_origin(const struct host_fixture *host, const char *name,
			  const char *key, const char *expected,
			  enum policy_origin origin, const char *source)
{
	const struct policy_value *value = host_value(host, name, key);

	assert_string_equal(value->value, expected);
	assert_int_equal(value->origin, origin);
	assert_string_equal(value->source, source);
}

/* A profile whose own rules cover the first two values, its parent the rest. */
#define LAYERED                                                                          \
	"{ \"name\": \"t\", \"inherits\": \"database\", \"rules\": [\n"                  \
	"{ \"match\": { \"model\": \"ST*\" }, \"queue\": { \"nomerges\": 1 } },\n"       \
	"{ \"match\": { \"class\": \"hdd\" }, \"queue\": { \"nomerges\": 2,\n"           \
	"\"rq_affinity\": 2 }, \"iosched\": { \"mq-deadline\": { \"fifo_batch\": 4,\n"   \
	"\"writes_starved\": 1 } } } ] }"

static void test_first_setter_wins(void **state)
{
	struct host_fixture host;

	(void)state;
	host_open(&host, SERVER, NULL);
	assert_int_equal(host_resolve(&host, LAYERED, "sda", "fifo_batch=8"), 0);
	assert_string_equal(host.policy->profile_name, "t");
	assert_int_equal(host.policy->count, 1);
	assert_origin(&host, "sda", "mq-deadline.fifo_batch", "8", ORIGIN_COMMAND_LINE,
		      "--set");
	assert_origin(&host, "sda", "nomerges", "1", ORIGIN_PROFILE, "test.json:2");
	assert_origin(&host, "sda", "rq_affinity", "2", ORIGIN_PROFILE, "test.json:4");
	assert_origin(&host, "sda", "mq-deadline.writes_starved", "1", ORIGIN_PROFILE,
		      "test.json:5");
	assert_origin(&host, "sda", "scheduler", "mq-deadline", ORIGIN_INHERITED,
		      "database.json:13");
	assert_origin(&host, "sda", "mq-deadline.read_expire", "100", ORIGIN_INHERITED,
		      "database.json:16");
	/* The scheduler comes first: the rest depends on it. */
	assert_string_equal(host_policy(&host, "sda")->values[0].tunable->key,
			    "scheduler");
	host_close(&host);
}

static void test_last_set_wins(void **state)
{
	struct host_fixture host;

	(void)state;
	host_open(&host, SERVER, NULL);
	assert_int_equal(
		host_resolve(
			&host, NULL, "sda",
			"scheduler=bfq nr_requests=32 scheduler=kyber nr_requests=64"),
		0);
	assert_wanted(&host, "sda", "scheduler", "kyber");
	assert_wanted(&host, "sda", "nr_requests", "64");
	host_close(&host);
}

/* A named device is never skipped: nearest medium, or held as it is. */
static void test_named_is_never_left_alone(void **state)
{
	struct host_fixture host;

	(void)state;
	host_open(&host, SERVER, NULL);
	assert_int_equal(host_resolve(&host, "database", "loop0", NULL), 0);
	assert_wanted(&host, "loop0", "scheduler", "none");
	assert_note(&host, "loop0",
		    "treated as ssd: it was named, and the profile database has "
		    "no rule for loop");
	assert_int_equal(host_resolve(&host, "balanced", "vda", NULL), 0);
	assert_origin(&host, "vda", "scheduler", "none", ORIGIN_PROFILE,
		      "balanced.json:11");
	assert_null(host_find_policy(&host, "loop0"));
	host_close(&host);
}

static void test_empty_match_fits_every_device(void **state)
{
	struct host_fixture host;

	(void)state;
	host_open(&host, SERVER, NULL);
	assert_int_equal(host_resolve(&host,
				      "{ \"name\": \"t\", \"rules\": [ { \"match\": {}, "
				      "\"queue\": { \"read_ahead_kb\": 64 } } ] }",
				      NULL, NULL),
			 0);
	for (size_t i = 0; i < host.devices->count; i++)
		assert_wanted(&host, host.devices->items[i].name, "read_ahead_kb", "64");
	assert_note(&host, "dm-0", "the scheduler is that of sda");
	host_close(&host);
}

/* User problems 8 and 24: what a profile does not ask for is not touched. */
static void test_left_alone_unless_named(void **state)
{
	static const char *const profiles[] = { "balanced", "database", "desktop" };
	struct host_fixture host;

	(void)state;
	host_open(&host, SERVER, NULL);
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(host_resolve(&host, profiles[i], NULL, NULL), 0);
		assert_reason(&host, "loop0", POLICY_LEFT, "no rule for loop");
		assert_reason(&host, "sr0", POLICY_LEFT, "no rule for optical");
		assert_reason(&host, "zram0", POLICY_NONE, "no scheduler");
	}
	assert_int_equal(host_resolve(&host, NULL, NULL, "nr_requests=32"), 0);
	assert_wanted(&host, "sda", "nr_requests", "32");
	assert_wanted(&host, "loop0", "nr_requests", NULL);
	assert_wanted(&host, "sr0", "nr_requests", NULL);
	assert_int_equal(host_resolve(&host, "database", NULL, "nr_requests=32"), 0);
	assert_wanted(&host, "loop0", "nr_requests", NULL);
	host_close(&host);
}

static void test_virtual_keeps_the_kernels_default(void **state)
{
	struct host_fixture host;

	(void)state;
	host_open(&host, SERVER, NULL);
	assert_int_equal(host_resolve(&host, "balanced", NULL, NULL), 0);
	assert_reason(&host, "vda", POLICY_LEFT, "left alone by balanced.json:9");
	assert_int_equal(host_resolve(&host, "desktop", NULL, NULL), 0);
	assert_reason(&host, "vda", POLICY_LEFT, "left alone by balanced.json:9");
	assert_int_equal(host_resolve(&host, "desktop", "vda", NULL), 0);
	assert_wanted(&host, "vda", "scheduler", "none"); /* what it has: no bfq */
	assert_int_equal(host_resolve(&host, "virtual-guest", NULL, NULL), 0);
	assert_wanted(&host, "vda", "scheduler", "none");
	assert_int_equal(host_resolve(&host, "database", NULL, NULL), 0);
	assert_wanted(&host, "vda", "scheduler", "none");
	host_close(&host);
}

/* User problem 15: rotational = 1 over flash. */
static void test_virtio_is_no_spinning_disk(void **state)
{
	struct host_fixture host;

	(void)state;
	host_open(&host, SERVER, NULL);
	assert_int_equal(host_device(&host, "vda")->rotational, 1);
	assert_int_equal(host_device(&host, "vda")->class, CLASS_VIRTUAL);
	assert_int_equal(host_resolve(&host, "database", "vda", NULL), 0);
	assert_wanted(&host, "vda", "mq-deadline.read_expire", NULL);
	host_close(&host);
}

/* User problem 13: no bfq on USB. */
static void test_usb_gets_no_bfq(void **state)
{
	static const char *const profiles[] = { "balanced", "desktop", "embedded" };
	struct host_fixture host;

	(void)state;
	host_open(&host, "policy-usb-6.1.txt", NULL);
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(host_resolve(&host, profiles[i], NULL, NULL), 0);
		assert_wanted(&host, "sdc", "scheduler", "mq-deadline");
	}
	host_close(&host);
}

static void test_stack_leads_to_the_owner(void **state)
{
	struct host_fixture host;

	(void)state;
	host_open(&host, SERVER, NULL);
	assert_int_equal(host_resolve(&host, "database", "dm-0", "read_expire=50ms"), 0);
	assert_int_equal(host.policy->count, 2);
	assert_reason(&host, "dm-0", POLICY_BELOW, "that of sda");
	assert_wanted(&host, "sda", "mq-deadline.read_expire", "50");
	/* Readahead is the upper device's own. */
	assert_int_equal(host_resolve(&host, "streaming", "dm-0", NULL), 0);
	assert_wanted(&host, "dm-0", "read_ahead_kb", "4096");
	assert_wanted(&host, "dm-0", "scheduler", NULL);
	assert_int_equal(host_policy(&host, "dm-0")->state, POLICY_SET);
	host_close(&host);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_first_setter_wins),
		cmocka_unit_test(test_last_set_wins),
		cmocka_unit_test(test_named_is_never_left_alone),
		cmocka_unit_test(test_empty_match_fits_every_device),
		cmocka_unit_test(test_left_alone_unless_named),
		cmocka_unit_test(test_virtual_keeps_the_kernels_default),
		cmocka_unit_test(test_virtio_is_no_spinning_disk),
		cmocka_unit_test(test_usb_gets_no_bfq),
		cmocka_unit_test(test_stack_leads_to_the_owner),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
