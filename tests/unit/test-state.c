// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reading and writing the values of one queue.
 */
#include "apply-fixture.h"

#include <errno.h>

#include "apply/state.h"

static int set_up(void **state)
{
	*state = fixture_new(1);
	return 0;
}

static int tear_down(void **state)
{
	fixture_free(*state);
	return 0;
}

static void open_disk(struct fixture *fixture, struct root_dir *ret)
{
	*ret = ROOT_DIR_NONE;
	assert_int_equal(queue_open(fixture->root, fixture->disks[0].sys_path, 8, 0, ret),
			 0);
}

static void test_reads_in_order_of_writing(void **state)
{
	struct fixture *fixture = *state;
	struct queue_state kept = { 0 };

	assert_int_equal(queue_state_read(fixture->root, &fixture->disks[0], &kept), 0);
	assert_int_equal(kept.count, ARRAY_SIZE(fixture_values) + 1);
	assert_string_equal(kept.values[0].tunable->key, "scheduler");
	assert_string_equal(kept.values[0].text, "none");
	assert_string_equal(kept.values[1].tunable->key, "mq-deadline.read_expire");
	assert_string_equal(kept.values[3].tunable->key, "nr_requests");
	assert_string_equal(kept.values[kept.count - 1].tunable->key, "wbt_lat_usec");
	assert_string_equal(queue_state_find(&kept, fixture_tunable("nr_requests")),
			    "256");
	assert_null(queue_state_find(&kept, fixture_tunable("rq_affinity")));
	queue_state_done(&kept);
}

static void test_changed_since_the_scan(void **state)
{
	struct fixture *fixture = *state;
	struct queue_state kept = { 0 };

	fixture_write(fixture, "disk0", "queue/read_ahead_kb", "256\n");
	assert_int_equal(queue_state_read(fixture->root, &fixture->disks[0], &kept),
			 -ESTALE);
	fixture_write(fixture, "disk0", "queue/read_ahead_kb", "128\n");
	fixture_write(fixture, "disk0", "queue/scheduler", "none [kyber]\n");
	assert_int_equal(queue_state_read(fixture->root, &fixture->disks[0], &kept),
			 -ESTALE);
	assert_int_equal(kept.count, 0);
}

static void test_gone_or_another(void **state)
{
	struct fixture *fixture = *state;
	struct queue_state kept = { 0 };
	char path[4096];

	fixture_write(fixture, "disk0", "dev", "8:16\n");
	assert_int_equal(queue_state_read(fixture->root, &fixture->disks[0], &kept),
			 -ENODEV);
	fixture_path(fixture, "disk0", "", path, sizeof(path));
	test_remove_tree(path);
	assert_int_equal(queue_state_read(fixture->root, &fixture->disks[0], &kept),
			 -ENODEV);
}

/* Only what a policy may set is kept, and what could be read and written. */
static void test_what_is_kept(void **state)
{
	struct fixture *fixture = *state;
	struct queue_state kept = { 0 };

	fixture->disks[0].values[2].is_writable = false;
	fixture->disks[0].values[3].error = -EIO;
	fixture->disks[0].values[4].tunable = fixture_tunable("rotational");
	assert_int_equal(queue_state_read(fixture->root, &fixture->disks[0], &kept), 0);
	assert_null(queue_state_find(&kept, fixture_tunable("nr_requests")));
	assert_null(queue_state_find(&kept, fixture_tunable("read_ahead_kb")));
	assert_null(queue_state_find(&kept, fixture_tunable("rotational")));
	assert_non_null(queue_state_find(&kept, fixture_tunable("wbt_lat_usec")));
	queue_state_done(&kept);
}

static void test_writes_when_it_differs(void **state)
{
	struct fixture *fixture = *state;
	struct queue_write done;
	struct root_dir dir;

	open_disk(fixture, &dir);
	assert_int_equal(
		queue_write_value(&dir, fixture_tunable("nomerges"), "2", false, &done),
		0);
	assert_true(done.is_written);
	assert_string_equal(done.old, "0");
	assert_string_equal(done.actual, "2");
	fixture_expect(fixture, "disk0", "queue/nomerges", "2");
	assert_int_equal(
		queue_write_value(&dir, fixture_tunable("nomerges"), "2", false, &done),
		0);
	assert_false(done.is_written);
	root_dir_done(&dir);
}

static void test_scheduler_by_its_active_word(void **state)
{
	struct fixture *fixture = *state;
	struct queue_write done;
	struct root_dir dir;

	open_disk(fixture, &dir);
	assert_int_equal(
		queue_write_value(&dir, tunable_scheduler(), "none", false, &done), 0);
	assert_false(done.is_written);
	fixture_expect(fixture, "disk0", "queue/scheduler",
		       "[none] mq-deadline kyber bfq");
	assert_int_equal(
		queue_write_value(&dir, tunable_scheduler(), "kyber", false, &done), 0);
	assert_true(done.is_written);
	assert_string_equal(done.old, "none");
	assert_string_equal(done.actual, "kyber");
	root_dir_done(&dir);
}

static void test_rounding_is_no_failure(void **state)
{
	struct fixture *fixture = *state;
	struct queue_write done;
	struct root_dir dir;

	open_disk(fixture, &dir);
	assert_int_equal(queue_write_value(&dir, fixture_tunable("read_ahead_kb"), "130",
					   false, &done),
			 0);
	assert_false(done.is_written);
	assert_int_equal(queue_write_value(&dir, fixture_tunable("read_ahead_kb"), "130",
					   true, &done),
			 0);
	assert_true(done.is_written);
	root_dir_done(&dir);
}

/* Accepted, but it reads otherwise, as a bio-based queue does it. */
static void test_accepted_without_effect(void **state)
{
	struct fixture *fixture = *state;
	struct queue_write done;
	struct root_dir dir;

	open_disk(fixture, &dir);
	assert_int_equal(
		queue_write_value(&dir, fixture_tunable("nomerges"), "2\n", false, &done),
		-EIO);
	assert_string_equal(done.actual, "2");
	root_dir_done(&dir);
}

static void test_refused(void **state)
{
	struct fixture *fixture = *state;
	struct queue_write done;
	struct root_dir dir;
	char path[4096];

	open_disk(fixture, &dir);
	assert_int_equal(queue_write_value(&dir, fixture_tunable("rq_affinity"), "2",
					   false, &done),
			 -ENOENT);
	fixture_path(fixture, "disk0", "queue/rq_affinity", path, sizeof(path));
	assert_int_equal(mkdir(path, 0755), 0);
	assert_true(queue_write_value(&dir, fixture_tunable("rq_affinity"), "2", false,
				      &done) < 0);
	assert_string_equal(done.old, "");
	assert_string_equal(done.actual, "");
	root_dir_done(&dir);
}

static void test_put_back(void **state)
{
	struct fixture *fixture = *state;
	struct queue_state kept = { 0 };
	const struct tunable *failed = NULL;
	struct root_dir dir;
	char path[4096];

	open_disk(fixture, &dir);
	assert_int_equal(queue_state_read(fixture->root, &fixture->disks[0], &kept), 0);
	fixture_write(fixture, "disk0", "queue/scheduler", "kyber");
	fixture_write(fixture, "disk0", "queue/nr_requests", "64");
	fixture_write(fixture, "disk0", "queue/wbt_lat_usec", "0");
	assert_int_equal(queue_put_back(&dir, &kept, &failed), 0);
	fixture_expect(fixture, "disk0", "queue/scheduler", "none");
	fixture_expect(fixture, "disk0", "queue/nr_requests", "256");
	fixture_expect(fixture, "disk0", "queue/wbt_lat_usec", "2000");

	/* one that cannot be put back does not keep the next from it */
	fixture_write(fixture, "disk0", "queue/wbt_lat_usec", "0");
	fixture_path(fixture, "disk0", "queue/nr_requests", path, sizeof(path));
	assert_int_equal(unlink(path), 0);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_true(queue_put_back(&dir, &kept, &failed) < 0);
	assert_ptr_equal(failed, fixture_tunable("nr_requests"));
	fixture_expect(fixture, "disk0", "queue/wbt_lat_usec", "2000");

	fixture_path(fixture, "disk0", "", path, sizeof(path));
	test_remove_tree(path);
	assert_int_equal(queue_put_back(&dir, &kept, &failed), -ENODEV);
	queue_state_done(&kept);
	root_dir_done(&dir);
}

static void test_value_too_long(void **state)
{
	struct queue_state kept = { 0 };
	char text[TUNABLE_VALUE_MAX + 1];

	(void)state;
	memset(text, '1', sizeof(text) - 1);
	text[TUNABLE_VALUE_MAX] = '\0';
	assert_int_equal(queue_state_add(&kept, tunable_scheduler(), text), -EFBIG);
	assert_int_equal(kept.count, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_reads_in_order_of_writing),
		TEST(test_changed_since_the_scan),
		TEST(test_gone_or_another),
		TEST(test_what_is_kept),
		TEST(test_writes_when_it_differs),
		TEST(test_scheduler_by_its_active_word),
		TEST(test_rounding_is_no_failure),
		TEST(test_accepted_without_effect),
		TEST(test_refused),
		TEST(test_put_back),
		TEST(test_value_too_long),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
