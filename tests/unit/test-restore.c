// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Apply, apply again, restore: the first state comes back, and what could not be restored
 * can be tried again.
 */
#include "apply-fixture.h"

#include <errno.h>

#include "apply/restore.h"
#include "sysfs/paths.h"

static int set_up(void **state)
{
	*state = fixture_new(2);
	return 0;
}

static int tear_down(void **state)
{
	fixture_free(*state);
	return 0;
}

/* Scans as a run would do it. */
static void rescan(struct fixture *fixture)
{
	for (size_t i = 0; i < fixture->list.count; i++) {
		char *text = NULL, name[256];

		snprintf(name, sizeof(name), "%s/queue/scheduler",
			 fixture->disks[i].sys_path);
		assert_int_equal(root_read(fixture->root, name, &text), 0);
		assert_int_equal(choice_parse(text, &fixture->disks[i].scheduler), 0);
		free(text);
	}
	fixture_scan(fixture);
}

static void apply(struct fixture *fixture, const char *scheduler, const char *readahead)
{
	struct fixture_policy policy = { 0 };
	const struct apply_options options = { 0 };
	struct apply_report *report = NULL;
	struct plan *plan = NULL;

	rescan(fixture);
	for (size_t i = 0; i < fixture->list.count; i++) {
		fixture_want(&policy, &fixture->disks[i], "scheduler", scheduler);
		fixture_want(&policy, &fixture->disks[i], "read_ahead_kb", readahead);
	}
	assert_int_equal(plan_make(&policy.policy, &plan), 0);
	assert_int_equal(
		apply_run(fixture->root, plan, &fixture->list, &options, &report, NULL),
		0);
	assert_int_equal(report->items[0].outcome, APPLY_DONE);
	apply_report_free(report);
	plan_free(plan);
}

/* The outcome for disk0. */
static enum apply_outcome restore(struct fixture *fixture, enum journal_target target,
				  const struct device *named)
{
	struct apply_lock lock = APPLY_LOCK_NONE;
	const struct apply_options options = { .lock = &lock };
	struct apply_report *report = NULL;
	struct journal *journal = NULL;
	struct strv gone = { 0 };
	struct plan *plan = NULL;
	enum apply_outcome outcome = APPLY_UNCHANGED;

	assert_int_equal(apply_lock_take(fixture->root, &lock, NULL), 0);
	rescan(fixture);
	assert_int_equal(journal_load(fixture->root, &journal, NULL), 0);
	assert_int_equal(restore_plan(journal, &fixture->list, target, &named,
				      named ? 1 : 0, &plan, &gone),
			 0);
	assert_null(plan->profile_name);
	assert_int_equal(restore_run(fixture->root, plan, &fixture->list, journal, target,
				     !named, &options, &report, NULL),
			 0);
	if (report->count)
		outcome = report->items[0].outcome;
	apply_report_free(report);
	journal_free(journal);
	strv_done(&gone);
	plan_free(plan);
	apply_lock_release(&lock);
	return outcome;
}

static void assert_disk(struct fixture *fixture, const char *disk, const char *scheduler,
			const char *readahead)
{
	fixture_expect(fixture, disk, "queue/scheduler", scheduler);
	fixture_expect(fixture, disk, "queue/read_ahead_kb", readahead);
}

/* Row 21 of the facts on users' problems: the state of before, and only when asked. */
static void test_first_state_after_many(void **state)
{
	struct fixture *fixture = *state;

	apply(fixture, "kyber", "256");
	apply(fixture, "mq-deadline", "512");
	apply(fixture, "bfq", "1024");
	assert_disk(fixture, "disk1", "bfq", "1024");
	/* a value that was set by hand after the first apply comes back as well */
	fixture_write(fixture, "disk1", "queue/nomerges", "2\n");
	assert_int_equal(restore(fixture, JOURNAL_FIRST, NULL), APPLY_DONE);
	assert_disk(fixture, "disk0", "none", "128");
	assert_disk(fixture, "disk1", "none", "128");
	fixture_expect(fixture, "disk1", "queue/nomerges", "0");
	assert_false(root_exists(fixture->root, PATH_JOURNAL));
}

static void test_last_step_by_step(void **state)
{
	struct fixture *fixture = *state;

	apply(fixture, "kyber", "256");
	apply(fixture, "mq-deadline", "512");
	assert_int_equal(restore(fixture, JOURNAL_LAST, NULL), APPLY_DONE);
	assert_disk(fixture, "disk0", "kyber", "256");
	assert_int_equal(restore(fixture, JOURNAL_LAST, NULL), APPLY_DONE);
	assert_disk(fixture, "disk0", "none", "128");
	assert_false(root_exists(fixture->root, PATH_JOURNAL));
}

static void test_one_device(void **state)
{
	struct fixture *fixture = *state;

	apply(fixture, "kyber", "256");
	assert_int_equal(restore(fixture, JOURNAL_FIRST, &fixture->disks[1]), APPLY_DONE);
	assert_disk(fixture, "disk0", "kyber", "256");
	assert_disk(fixture, "disk1", "none", "128");
	assert_true(root_exists(fixture->root, PATH_JOURNAL));
	assert_int_equal(restore(fixture, JOURNAL_FIRST, NULL), APPLY_DONE);
	assert_disk(fixture, "disk0", "none", "128");
}

/* Nothing differs any more: nothing is written, and the journal is cleared. */
static void test_back_by_hand(void **state)
{
	struct fixture *fixture = *state;

	apply(fixture, "kyber", "256");
	for (size_t i = 0; i < 2; i++) {
		fixture_write(fixture, fixture->names[i], "queue/scheduler",
			      "[none] x\n");
		fixture_write(fixture, fixture->names[i], "queue/read_ahead_kb", "128\n");
	}
	assert_int_equal(restore(fixture, JOURNAL_FIRST, NULL), APPLY_UNCHANGED);
	fixture_expect(fixture, "disk0", "queue/scheduler", "[none] x");
	assert_false(root_exists(fixture->root, PATH_JOURNAL));
}

/* What fails stays in the journal, and the next restore brings it back. */
static void test_failed_stays(void **state)
{
	struct fixture *fixture = *state;
	char path[4096];

	fixture_path(fixture, "disk0", "queue/nomerges", path, sizeof(path));
	apply(fixture, "kyber", "256");
	/* neither this nor what comes after it in the order can be trusted to work */
	assert_int_equal(unlink(path), 0);
	assert_int_equal(symlink("wbt_lat_usec", path), 0);
	assert_int_equal(restore(fixture, JOURNAL_FIRST, NULL), APPLY_PUT_BACK);
	assert_disk(fixture, "disk1", "none", "128");
	assert_disk(fixture, "disk0", "kyber", "256");
	assert_true(root_exists(fixture->root, PATH_JOURNAL));
	assert_int_equal(unlink(path), 0);
	fixture_write(fixture, "disk0", "queue/nomerges", "0\n");
	assert_int_equal(restore(fixture, JOURNAL_FIRST, NULL), APPLY_DONE);
	assert_disk(fixture, "disk0", "none", "128");
	assert_false(root_exists(fixture->root, PATH_JOURNAL));
}

static void test_disk_that_went(void **state)
{
	struct fixture *fixture = *state;

	apply(fixture, "kyber", "256");
	fixture->list.count = 1;
	assert_int_equal(restore(fixture, JOURNAL_FIRST, NULL), APPLY_DONE);
	assert_disk(fixture, "disk0", "none", "128");
	assert_disk(fixture, "disk1", "kyber", "256");
	assert_false(root_exists(fixture->root, PATH_JOURNAL));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_first_state_after_many),
		TEST(test_last_step_by_step),
		TEST(test_one_device),
		TEST(test_back_by_hand),
		TEST(test_failed_stays),
		TEST(test_disk_that_went),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
