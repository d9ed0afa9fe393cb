// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The request queue: kinds by the words of the scheduler file, values of the catalogue,
 * hardware queues, and as little read as was asked for.
 */
#include "host-fixture.h"

#include <errno.h>

static void assert_queue(const char *host, const char *name, enum queue_kind kind,
			 const char *active, bool has_file, size_t hw_queues)
{
	struct host_fixture fixture =
		host_fixture_scan(host, SCAN_SCHEDULER | SCAN_HWQUEUES);
	const struct device *device = host_fixture_get(&fixture, name);

	assert_int_equal(device->queue_kind, kind);
	assert_text(choice_active(&device->scheduler), active);
	assert_int_equal(device->has_scheduler_file, has_file);
	assert_int_equal(device->hw_queues, hw_queues);
	host_fixture_done(&fixture);
}

static void test_kind_of_queue(void **state)
{
	(void)state;
	assert_queue("linux-2.6.18", "sda", QUEUE_LEGACY, "cfq", true, 0);
	assert_queue("linux-2.6.18", "fd0", QUEUE_LEGACY, "noop", true, 0);
	assert_queue("linux-4.19-both", "sda", QUEUE_LEGACY, "cfq", true, 0);
	assert_queue("linux-4.19-both", "sdb", QUEUE_LEGACY, "deadline", true, 0);
	assert_queue("linux-4.19-both", "nvme0n1", QUEUE_MQ, "none", true, 4);
	assert_queue("linux-5.10-nvme-multipath", "nvme0n1", QUEUE_BIO, NULL, true, 0);
	assert_queue("linux-5.10-nvme-multipath", "nvme0c0n1", QUEUE_MQ, "none", true, 2);
	assert_queue("linux-7.2-nvme-multipath", "nvme0n1", QUEUE_BIO, NULL, false, 0);
	assert_queue("linux-6.1-stack", "dm-0", QUEUE_BIO, NULL, true, 0);
	assert_queue("linux-6.1-stack", "sdc", QUEUE_MQ, "bfq", true, 1);
	assert_queue("linux-6.12-virtual", "sda", QUEUE_MQ, "mq-deadline", true, 1);
	assert_queue("linux-6.18-memory", "zram0", QUEUE_BIO, NULL, false, 0);
	/* two active words: there is a file, but nothing that could be chosen from */
	assert_queue("hostile-strings", "sdb", QUEUE_BIO, NULL, true, 1);
}

#define LONE "/sys/block/x -> ../devices/virtual/block/x\n/sys/devices/virtual/block/x/"

/* Neither none nor noop is listed: then the mq directory tells. */
static void test_mq_directory_breaks_the_tie(void **state)
{
	struct host_fixture fixture =
		host_fixture_text(LONE "queue/scheduler = [deadline]\n", SCAN_SCHEDULER);

	(void)state;
	assert_int_equal(host_fixture_get(&fixture, "x")->queue_kind, QUEUE_LEGACY);
	host_fixture_done(&fixture);
	fixture = host_fixture_text(LONE "queue/scheduler = [deadline]\n"
					 "/sys/devices/virtual/block/x/mq/0/\n",
				    SCAN_SCHEDULER);
	assert_int_equal(host_fixture_get(&fixture, "x")->queue_kind, QUEUE_MQ);
	host_fixture_done(&fixture);
}

static const struct device_value *find_value(const struct device *device, const char *key)
{
	const struct tunable *tunable = tunable_find(key);

	assert_non_null(tunable);
	return device_find_value(device, tunable);
}

static void test_values_with_mode_and_error(void **state)
{
	struct host_fixture fixture = host_fixture_scan("linux-6.1-stack", SCAN_ALL);
	const struct device *device = host_fixture_get(&fixture, "sda");
	const struct device_value *value = find_value(device, "nr_requests");

	(void)state;
	assert_non_null(value);
	assert_string_equal(value->text, "256");
	assert_true(value->is_writable);
	assert_int_equal(value->error, 0);
	assert_false(find_value(device, "max_hw_sectors_kb")->is_writable);
	assert_string_equal(find_value(device, "mq-deadline.read_expire")->text, "500");
	assert_string_equal(find_value(device, "mq-deadline.async_depth")->text, "256");
	assert_null(find_value(device, "bfq.slice_idle"));
	assert_null(find_value(device, "deadline.read_expire"));
	device = host_fixture_get(&fixture, "sdc");
	assert_string_equal(find_value(device, "bfq.slice_idle")->text, "8");
	assert_null(find_value(device, "mq-deadline.read_expire"));
	host_fixture_done(&fixture);

	fixture = host_fixture_scan("hostile-strings", SCAN_QUEUE);
	device = host_fixture_get(&fixture, "sdb");
	assert_int_equal(find_value(device, "read_ahead_kb")->error, -EIO);
	assert_int_equal(find_value(device, "nr_requests")->error, -EFBIG);
	assert_int_equal(device->rotational, -1);
	host_fixture_done(&fixture);
}

static void test_legacy_values_have_their_owner(void **state)
{
	struct host_fixture fixture = host_fixture_scan("linux-4.19-both", SCAN_IOSCHED);

	(void)state;
	assert_string_equal(
		find_value(host_fixture_get(&fixture, "sda"), "cfq.target_latency")->text,
		"300");
	assert_string_equal(
		find_value(host_fixture_get(&fixture, "sdb"), "deadline.fifo_batch")
			->text,
		"16");
	host_fixture_done(&fixture);
}

static void test_needs_limit_what_is_read(void **state)
{
	struct host_fixture fixture =
		host_fixture_scan("linux-6.1-stack", SCAN_SCHEDULER | SCAN_NR_REQUESTS);
	const struct device *device = host_fixture_get(&fixture, "sda");

	(void)state;
	assert_int_equal(device->value_count, 1);
	assert_string_equal(device->values[0].tunable->key, "nr_requests");
	assert_int_equal(device->size_sectors, 0);
	assert_null(device->model);
	assert_int_equal(device->rotational, 0);
	host_fixture_done(&fixture);
	fixture = host_fixture_scan("linux-6.1-stack", SCAN_QUEUE);
	device = host_fixture_get(&fixture, "sda");
	assert_non_null(find_value(device, "read_ahead_kb"));
	assert_non_null(find_value(device, "max_hw_sectors_kb"));
	assert_null(find_value(device, "logical_block_size"));
	host_fixture_done(&fixture);
}

static void test_cpu_lists_and_inflight(void **state)
{
	struct host_fixture fixture =
		host_fixture_scan("linux-4.19-both", SCAN_HWQUEUE_CPUS);

	(void)state;
	assert_strv(&host_fixture_get(&fixture, "nvme0n1")->hw_queue_cpus, "0 1 2 3");
	host_fixture_done(&fixture);
	fixture = host_fixture_text(LONE "inflight =       12        3\n", SCAN_INFLIGHT);
	assert_int_equal(host_fixture_get(&fixture, "x")->inflight_reads, 12);
	assert_int_equal(host_fixture_get(&fixture, "x")->inflight_writes, 3);
	host_fixture_done(&fixture);
	fixture = host_fixture_text(LONE "inflight = 12 3 4\n", SCAN_INFLIGHT);
	assert_int_equal(host_fixture_get(&fixture, "x")->inflight_reads, 0);
	host_fixture_done(&fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kind_of_queue),
		cmocka_unit_test(test_mq_directory_breaks_the_tie),
		cmocka_unit_test(test_values_with_mode_and_error),
		cmocka_unit_test(test_legacy_values_have_their_owner),
		cmocka_unit_test(test_needs_limit_what_is_read),
		cmocka_unit_test(test_cpu_lists_and_inflight),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
