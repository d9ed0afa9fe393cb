// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * An apply from end to end over plain files: journal, writes, report, and the cases in
 * which nothing may be touched.
 */
#include "apply-fixture.h"

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>

#include "apply/apply.h"
#include "apply/journal.h"
#include "sysfs/paths.h"

static int set_up(void **state)
{
	*state = fixture_new(4);
	return 0;
}

static int tear_down(void **state)
{
	fixture_free(*state);
	return 0;
}

static struct plan *make_plan(struct fixture *fixture, const char *readahead)
{
	struct fixture_policy *policy = calloc(1, sizeof(*policy));
	struct plan *plan = NULL;

	assert_non_null(policy);
	for (size_t i = 0; i < fixture->list.count; i++) {
		fixture_want(policy, &fixture->disks[i], "scheduler", "none");
		fixture_want(policy, &fixture->disks[i], "read_ahead_kb", readahead);
	}
	policy->policy.profile_name = (char[]){ "database" };
	assert_int_equal(plan_make(&policy->policy, &plan), 0);
	free(policy);
	return plan;
}

static int run(struct fixture *fixture, const struct plan *plan,
	       struct apply_report **ret, struct diag *diag)
{
	const struct apply_options options = { 0 };

	*ret = NULL;
	return apply_run(fixture->root, plan, &fixture->list, &options, ret, diag);
}

static size_t count_steps(struct fixture *fixture)
{
	struct journal *journal = NULL;
	size_t count;

	assert_int_equal(journal_load(fixture->root, &journal, NULL), 0);
	count = journal->step_count;
	journal_free(journal);
	return count;
}

static void test_applies(void **state)
{
	struct fixture *fixture = *state;
	struct plan *plan = make_plan(fixture, "256");
	struct apply_report *report;
	struct journal *journal = NULL;

	assert_int_equal(run(fixture, plan, &report, NULL), 0);
	assert_int_equal(report->count, 4);
	for (size_t i = 0; i < 4; i++) {
		assert_int_equal(report->items[i].outcome, APPLY_DONE);
		fixture_expect(fixture, fixture->names[i], "queue/read_ahead_kb", "256");
	}
	apply_report_free(report);
	plan_free(plan);

	assert_int_equal(journal_load(fixture->root, &journal, NULL), 0);
	assert_int_equal(journal->step_count, 1);
	assert_int_equal(journal->steps[0].device_count, 4);
	assert_string_equal(journal->steps[0].profile, "database");
	assert_string_equal(queue_state_find(&journal->steps[0].devices[2].state,
					     fixture_tunable("read_ahead_kb")),
			    "128");
	assert_string_equal(queue_state_find(&journal->steps[0].devices[2].state,
					     fixture_tunable("nr_requests")),
			    "256");
	journal_free(journal);
}

/* A plan without steps makes no directory, no lock, no journal and no log. */
static void test_nothing_to_do_touches_nothing(void **state)
{
	struct fixture *fixture = *state;
	struct plan *plan = make_plan(fixture, "128");
	struct apply_report *report;

	plan->items[1].state = PLAN_BLOCKED;
	assert_int_equal(run(fixture, plan, &report, NULL), 0);
	assert_int_equal(report->items[0].outcome, APPLY_UNCHANGED);
	assert_int_equal(report->items[1].outcome, APPLY_BLOCKED);
	assert_false(root_exists(fixture->root, "var"));
	apply_report_free(report);
	plan_free(plan);
}

/* One device fails half-way: it is as it was, and the others are done. */
static void test_one_fails(void **state)
{
	struct fixture *fixture = *state;
	struct fixture_policy policy = { 0 };
	struct apply_report *report;
	struct plan *plan = NULL;
	struct journal *journal = NULL;

	fixture_write(fixture, "disk1", "queue/iosched/read_lat_nsec/x", "");
	for (size_t i = 0; i < 4; i++) {
		fixture_want(&policy, &fixture->disks[i], "scheduler", "kyber");
		fixture_want(&policy, &fixture->disks[i], "kyber.read_lat_nsec", "1000");
	}
	assert_int_equal(plan_make(&policy.policy, &plan), 0);
	assert_int_equal(run(fixture, plan, &report, NULL), 0);
	assert_int_equal(report->items[0].outcome, APPLY_DONE);
	assert_int_equal(report->items[1].outcome, APPLY_PUT_BACK);
	assert_ptr_equal(report->items[1].failed, &plan->items[1].steps[1]);
	assert_true(report->items[1].error < 0);
	assert_int_equal(report->items[3].outcome, APPLY_DONE);
	fixture_expect(fixture, "disk0", "queue/scheduler", "kyber");
	fixture_expect(fixture, "disk1", "queue/scheduler", "none");
	/* and the journal has no state of it to go back to */
	assert_int_equal(journal_load(fixture->root, &journal, NULL), 0);
	assert_int_equal(journal->steps[0].device_count, 3);
	journal_free(journal);
	apply_report_free(report);
	plan_free(plan);
}

/* Gone between scan and write; another disk under the name of one. */
static void test_gone(void **state)
{
	struct fixture *fixture = *state;
	struct plan *plan = make_plan(fixture, "256");
	struct apply_report *report;
	char path[4096];

	fixture_path(fixture, "disk0", "", path, sizeof(path));
	test_remove_tree(path);
	fixture_write(fixture, "disk3", "dev", "8:99\n");
	assert_int_equal(run(fixture, plan, &report, NULL), 0);
	assert_int_equal(report->items[0].outcome, APPLY_GONE);
	assert_int_equal(report->items[1].outcome, APPLY_DONE);
	assert_int_equal(report->items[3].outcome, APPLY_GONE);
	fixture_expect(fixture, "disk3", "queue/read_ahead_kb", "128");
	apply_report_free(report);
	plan_free(plan);
}

static void test_all_gone(void **state)
{
	struct fixture *fixture = *state;
	struct plan *plan = make_plan(fixture, "256");
	struct apply_report *report;

	for (size_t i = 0; i < 4; i++)
		fixture_write(fixture, fixture->names[i], "dev", "8:99\n");
	assert_int_equal(run(fixture, plan, &report, NULL), 0);
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(report->items[i].outcome, APPLY_GONE);
	assert_false(root_exists(fixture->root, PATH_JOURNAL));
	apply_report_free(report);
	plan_free(plan);
}

static void test_changed_since_the_scan(void **state)
{
	struct fixture *fixture = *state;
	struct plan *plan = make_plan(fixture, "256");
	struct apply_report *report;
	struct diag diag = { 0 };

	fixture_write(fixture, "disk2", "queue/nomerges", "1\n");
	assert_int_equal(run(fixture, plan, &report, &diag), -ESTALE);
	assert_null(report);
	assert_non_null(strstr(diag.text, "disk2"));
	fixture_expect(fixture, "disk0", "queue/read_ahead_kb", "128");
	assert_int_equal(count_steps(fixture), 0);
	plan_free(plan);
}

/* No room for the journal: nothing is written to a device. The lock is held by the
   caller, whose file needs room as well. */
static void test_no_room_for_the_journal(void **state)
{
	struct fixture *fixture = *state;
	struct plan *plan = make_plan(fixture, "256");
	struct apply_lock lock = APPLY_LOCK_NONE;
	struct apply_options options = { .lock = &lock };
	struct apply_report *report = NULL;
	struct diag diag = { 0 };
	struct rlimit old, none;
	int error;

	assert_int_equal(apply_lock_take(fixture->root, &lock, NULL), 0);
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
	none = (struct rlimit){ 0, old.rlim_max };
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &none), 0);
	error = apply_run(fixture->root, plan, &fixture->list, &options, &report, &diag);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
	assert_int_equal(error, -EFBIG);
	assert_null(report);
	assert_string_equal(diag.where, "/" PATH_JOURNAL);
	assert_int_not_equal(diag.hint[0], '\0');
	for (size_t i = 0; i < 4; i++)
		fixture_expect(fixture, fixture->names[i], "queue/read_ahead_kb", "128");
	assert_int_equal(count_steps(fixture), 0);
	apply_lock_release(&lock);
	plan_free(plan);
}

/* A value that can be emptied but not written again: a file system that is full. */
static void test_broken(void **state)
{
	struct fixture *fixture = *state;
	struct plan *plan = make_plan(fixture, "256");
	struct apply_lock lock = APPLY_LOCK_NONE;
	struct apply_options options = { .lock = &lock, .no_journal = true };
	struct apply_report *report = NULL;
	struct rlimit old, none;
	int error;

	assert_int_equal(apply_lock_take(fixture->root, &lock, NULL), 0);
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
	none = (struct rlimit){ 0, old.rlim_max };
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &none), 0);
	error = apply_run(fixture->root, plan, &fixture->list, &options, &report, NULL);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
	assert_int_equal(error, 0);
	assert_int_equal(report->items[0].outcome, APPLY_BROKEN);
	assert_int_equal(report->items[0].error, -EFBIG);
	apply_lock_release(&lock);
	apply_report_free(report);
	plan_free(plan);
}

static void test_journal_that_is_none(void **state)
{
	struct fixture *fixture = *state;
	struct plan *plan = make_plan(fixture, "256");
	struct apply_report *report;
	struct diag diag = { 0 };
	char *text = NULL;

	test_write(fixture->dir, PATH_JOURNAL, "not a journal");
	assert_int_equal(run(fixture, plan, &report, &diag), -EBADMSG);
	assert_string_equal(diag.where, "/" PATH_JOURNAL);
	fixture_expect(fixture, "disk0", "queue/read_ahead_kb", "128");
	assert_int_equal(root_read(fixture->root, PATH_JOURNAL, &text), 0);
	assert_string_equal(text, "not a journal");
	free(text);
	plan_free(plan);
}

static void test_snapshot_is_not_written(void **state)
{
	struct fixture *fixture = *state;
	struct plan *plan = make_plan(fixture, "256");
	const struct apply_options options = { 0 };
	struct apply_report *report = NULL;
	struct root *root = NULL;
	struct diag diag = { 0 };
	char path[4096];

	test_write(fixture->dir, "host.txt", "# iosched-tune snapshot 1\n/sys/block/\n");
	snprintf(path, sizeof(path), "%s/host.txt", fixture->dir);
	assert_int_equal(root_open(path, &root, NULL), 0);
	assert_int_equal(apply_run(root, plan, &fixture->list, &options, &report, &diag),
			 -EROFS);
	assert_null(report);
	assert_non_null(strstr(diag.text, "snapshot"));
	root_free(root);
	plan_free(plan);
}

static void test_locked_out(void **state)
{
	struct fixture *fixture = *state;
	struct plan *plan = make_plan(fixture, "256");
	struct apply_lock lock = APPLY_LOCK_NONE;
	struct apply_report *report;
	struct diag diag = { 0 };

	assert_int_equal(apply_lock_take(fixture->root, &lock, NULL), 0);
	assert_int_equal(run(fixture, plan, &report, &diag), -EWOULDBLOCK);
	fixture_expect(fixture, "disk0", "queue/read_ahead_kb", "128");
	apply_lock_release(&lock);
	assert_int_equal(run(fixture, plan, &report, NULL), 0);
	apply_report_free(report);
	plan_free(plan);
}

static void test_names(void **state)
{
	(void)state;
	assert_string_equal(apply_outcome_name(APPLY_DONE), "done");
	assert_string_equal(apply_outcome_name(APPLY_BLOCKED), "blocked");
	assert_string_equal(apply_outcome_name(APPLY_PUT_BACK), "put-back");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_applies),
		TEST(test_nothing_to_do_touches_nothing),
		TEST(test_one_fails),
		TEST(test_gone),
		TEST(test_all_gone),
		TEST(test_changed_since_the_scan),
		TEST(test_no_room_for_the_journal),
		TEST(test_broken),
		TEST(test_journal_that_is_none),
		TEST(test_snapshot_is_not_written),
		TEST(test_locked_out),
		TEST(test_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
