// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The journal: what it keeps over repeated applies, reboots and exchanged disks, and what
 * it refuses to read.
 */
#include "journal-fixture.h"

#include <errno.h>
#include <sys/resource.h>
#include <signal.h>

#include "apply/journal-internal.h"
#include "apply/journal.h"
#include "sysfs/paths.h"

static int set_up(void **state)
{
	*state = fixture_new(3);
	return 0;
}

static int tear_down(void **state)
{
	fixture_free(*state);
	return 0;
}

static void assert_gone(struct fixture *fixture, const struct journal *journal,
			const char *words)
{
	struct strv gone = { 0 };
	struct policy *policy = NULL;

	assert_int_equal(journal_to_policy(journal, &fixture->list, JOURNAL_FIRST, NULL,
					   0, &policy, &gone),
			 0);
	assert_int_equal(gone.count, 1);
	assert_non_null(strstr(gone.items[0], words));
	policy_free(policy);
	strv_done(&gone);
}

static void test_absent_is_empty(void **state)
{
	struct journal *journal = load(*state);

	assert_int_equal(journal->step_count, 0);
	assert_int_equal(journal_find_boot(journal, NULL), 0);
	journal_free(journal);
}

static void test_saved_and_loaded(void **state)
{
	struct fixture *fixture = *state;
	struct journal *journal = load(fixture);
	char path[4096];
	struct stat st;

	fixture->disks[0].serial = (char[]){ "S\xff\"1\n" };
	fixture->disks[0].wwn = (char[]){ "0x5000" };
	add_step(fixture, journal, "database", "128", 0, 2);
	save(fixture, journal);
	journal_free(journal);

	journal = load(fixture);
	assert_int_equal(journal->step_count, 1);
	assert_int_equal(journal->steps[0].id, 1);
	assert_int_equal(journal->steps[0].device_count, 2);
	assert_string_equal(journal->steps[0].devices[1].name, "disk1");
	assert_int_equal(journal->steps[0].devices[1].minor, 16);
	assert_null(journal->steps[0].devices[1].serial);
	assert_string_equal(journal->steps[0].profile, "database");
	assert_int_equal(journal_find_boot(journal, fixture->host.boot_id), 0);
	assert_int_equal(journal_find_boot(journal, "another"), 1);
	assert_back(fixture, journal, JOURNAL_FIRST, 0, "128");
	assert_back(fixture, journal, JOURNAL_FIRST, 2, NULL);
	snprintf(path, sizeof(path), "%s/%s", fixture->dir, PATH_JOURNAL);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	snprintf(path, sizeof(path), "%s/%s", fixture->dir, PATH_STATE_DIR);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0700);
	journal_free(journal);
}

/* What was asked for comes back as it was given; a fold keeps what was for all. */
static void test_asked_is_kept(void **state)
{
	static const char *const sets[] = { "read_ahead_kb=4MiB", "scheduler=bfq,none" };
	struct fixture *fixture = *state;
	const struct device *named[] = { &fixture->disks[1] };
	struct apply_asked asked = { "/srv/mine.json", sets, 2, named, 1 };
	struct journal *journal = load(fixture);
	struct plan_device planned = { .name = fixture->disks[1].name };
	struct plan plan = { .items = &planned, .count = 1, .profile_name = NULL };
	struct queue_state before = { 0 };

	assert_int_equal(queue_state_add(&before, tunable_scheduler(), "none"), 0);
	assert_int_equal(journal_add_step(journal, &plan, &before, &fixture->list, &asked),
			 0);
	queue_state_done(&before);
	save(fixture, journal);
	journal_free(journal);

	journal = load(fixture);
	assert_string_equal(journal->steps[0].profile, "/srv/mine.json");
	assert_int_equal(journal->steps[0].sets.count, 2);
	assert_string_equal(journal->steps[0].sets.items[1], "scheduler=bfq,none");
	assert_int_equal(journal->steps[0].named.count, 1);
	assert_string_equal(journal->steps[0].named.items[0], "disk1");
	add_step(fixture, journal, "later", "128", 0, 1);
	assert_int_equal(journal_fold(journal), 0);
	assert_int_equal(journal->step_count, 1);
	assert_string_equal(journal->steps[0].profile, "later");
	assert_int_equal(journal->steps[0].sets.count, 0);
	assert_int_equal(journal->steps[0].named.count, 0);
	journal_free(journal);
}

static void test_first_and_last(void **state)
{
	struct fixture *fixture = *state;
	struct journal *journal = load(fixture);

	add_step(fixture, journal, "a", "128", 0, 1);
	add_step(fixture, journal, "b", "256", 0, 2);
	add_step(fixture, journal, NULL, "512", 1, 1);
	assert_back(fixture, journal, JOURNAL_FIRST, 0, "128");
	assert_back(fixture, journal, JOURNAL_FIRST, 1, "256");
	assert_back(fixture, journal, JOURNAL_LAST, 0, NULL);
	assert_back(fixture, journal, JOURNAL_LAST, 1, "512");
	assert_null(journal->steps[2].profile);
	journal_free(journal);
}

static void test_only_the_named(void **state)
{
	struct fixture *fixture = *state;
	const struct device *named = &fixture->disks[1];
	struct journal *journal = load(fixture);
	struct policy *policy = NULL;
	struct strv gone = { 0 };

	add_step(fixture, journal, "a", "128", 0, 3);
	fixture->list.count = 2;
	assert_int_equal(journal_to_policy(journal, &fixture->list, JOURNAL_FIRST, &named,
					   1, &policy, &gone),
			 0);
	assert_int_equal(policy->count, 1);
	assert_ptr_equal(policy->items[0].device, named);
	assert_int_equal(gone.count, 0);
	policy_free(policy);
	journal_free(journal);
}

/* sysfs starts afresh: nothing of another boot is brought back, and it is said. */
static void test_another_boot(void **state)
{
	struct fixture *fixture = *state;
	struct journal *journal = load(fixture);

	add_step(fixture, journal, "a", "128", 0, 1);
	fixture->host.boot_id[0] = '9';
	assert_back(fixture, journal, JOURNAL_FIRST, 0, NULL);
	assert_back(fixture, journal, JOURNAL_LAST, 0, NULL);
	assert_gone(fixture, journal, "boot");
	add_step(fixture, journal, "b", "256", 1, 1);
	assert_int_equal(journal->step_count, 1);
	assert_int_equal(journal->steps[0].device_count, 1);
	assert_back(fixture, journal, JOURNAL_FIRST, 1, "256");
	journal_free(journal);
}

static void test_gone_and_exchanged(void **state)
{
	struct fixture *fixture = *state;
	struct journal *journal = load(fixture);

	fixture->disks[0].serial = (char[]){ "one" };
	add_step(fixture, journal, "a", "128", 0, 1);
	fixture->disks[0].serial = (char[]){ "two" };
	assert_back(fixture, journal, JOURNAL_FIRST, 0, NULL);
	assert_gone(fixture, journal, "another disk");
	/* the new one has a first state of its own, once it was written */
	add_step(fixture, journal, "a", "256", 0, 1);
	assert_back(fixture, journal, JOURNAL_FIRST, 0, "256");
	/* a serial number that cannot be had is no other one */
	fixture->disks[0].serial = NULL;
	assert_back(fixture, journal, JOURNAL_FIRST, 0, "128");
	fixture->list.count = 0;
	assert_gone(fixture, journal, "gone");
	journal_free(journal);
}

static void test_without_serial_the_number_counts(void **state)
{
	struct fixture *fixture = *state;
	struct journal *journal = load(fixture);

	add_step(fixture, journal, "a", "128", 1, 1);
	fixture->disks[1].minor = 48;
	assert_back(fixture, journal, JOURNAL_FIRST, 1, NULL);
	fixture->disks[1].minor = 16;
	assert_back(fixture, journal, JOURNAL_FIRST, 1, "128");
	journal_free(journal);
}

static struct apply_report make_report(const struct fixture *fixture,
				       struct plan_device *planned,
				       struct apply_device *items,
				       enum apply_outcome first,
				       enum apply_outcome second)
{
	for (size_t i = 0; i < 2; i++) {
		planned[i].name = fixture->disks[i].name;
		items[i].planned = &planned[i];
	}
	items[0].outcome = first;
	items[1].outcome = second;
	return (struct apply_report){ .items = items, .count = 2 };
}

static void test_dropped_after_a_restore(void **state)
{
	struct fixture *fixture = *state;
	struct journal *journal = load(fixture);
	struct plan_device planned[2] = { 0 };
	struct apply_device items[2] = { 0 };
	struct apply_report report;

	add_step(fixture, journal, "a", "128", 0, 3);
	add_step(fixture, journal, "b", "256", 0, 2);
	report = make_report(fixture, planned, items, APPLY_DONE, APPLY_STUCK);
	journal_drop(journal, JOURNAL_LAST, true, &report, &fixture->list);
	assert_back(fixture, journal, JOURNAL_LAST, 0, NULL);
	assert_back(fixture, journal, JOURNAL_LAST, 1, "256");
	assert_back(fixture, journal, JOURNAL_FIRST, 0, "128");

	report = make_report(fixture, planned, items, APPLY_BROKEN, APPLY_UNCHANGED);
	journal_drop(journal, JOURNAL_FIRST, true, &report, &fixture->list);
	assert_int_equal(journal->step_count, 1);
	assert_back(fixture, journal, JOURNAL_FIRST, 0, "128");
	assert_back(fixture, journal, JOURNAL_FIRST, 1, NULL);
	assert_back(fixture, journal, JOURNAL_FIRST, 2, "128");

	/* what is gone is dropped with them */
	fixture->list.count = 2;
	report = make_report(fixture, planned, items, APPLY_DONE, APPLY_DONE);
	journal_drop(journal, JOURNAL_FIRST, true, &report, &fixture->list);
	assert_int_equal(journal->step_count, 0);
	journal_free(journal);
}

static void test_empty_removes_the_file(void **state)
{
	struct fixture *fixture = *state;
	struct journal *journal = load(fixture);
	struct journal empty = { 0 };

	add_step(fixture, journal, "a", "128", 0, 1);
	save(fixture, journal);
	assert_true(root_exists(fixture->root, PATH_JOURNAL));
	save(fixture, &empty);
	assert_false(root_exists(fixture->root, PATH_JOURNAL));
	save(fixture, &empty);
	journal_free(journal);
}

static void test_pruned_after_an_apply(void **state)
{
	struct fixture *fixture = *state;
	struct journal *journal = load(fixture);
	struct plan_device planned[2] = { 0 };
	struct apply_device items[2] = { 0 };
	struct apply_report report;

	assert_false(journal_prune(journal, &(struct apply_report){ 0 }));
	add_step(fixture, journal, "a", "128", 0, 2);
	report = make_report(fixture, planned, items, APPLY_BROKEN, APPLY_STUCK);
	assert_false(journal_prune(journal, &report));
	report = make_report(fixture, planned, items, APPLY_DONE, APPLY_PUT_BACK);
	assert_true(journal_prune(journal, &report));
	assert_back(fixture, journal, JOURNAL_FIRST, 0, "128");
	assert_back(fixture, journal, JOURNAL_FIRST, 1, NULL);
	report = make_report(fixture, planned, items, APPLY_GONE, APPLY_INTERRUPTED);
	assert_true(journal_prune(journal, &report));
	assert_int_equal(journal->step_count, 0);
	journal_free(journal);
}

/* However often it is applied, the first state stays, and the file stays readable. */
static void test_folds(void **state)
{
	struct fixture *fixture = *state;
	struct journal *journal = load(fixture);

	add_step(fixture, journal, "a", "128", 0, 1);
	add_step(fixture, journal, "a", "256", 1, 1);
	for (unsigned i = 0; i < JOURNAL_STEP_MAX; i++)
		add_step(fixture, journal, "b", "512", 0, 3);
	save(fixture, journal);
	journal_free(journal);
	journal = load(fixture);
	assert_int_equal(journal->step_count, JOURNAL_STEP_MAX);
	assert_int_equal(journal->steps[0].device_count, 3);
	assert_back(fixture, journal, JOURNAL_FIRST, 0, "128");
	assert_back(fixture, journal, JOURNAL_FIRST, 1, "256");
	assert_back(fixture, journal, JOURNAL_FIRST, 2, "512");
	add_step(fixture, journal, "c", "1024", 0, 1);
	assert_int_equal(journal->steps[journal->step_count - 1].id,
			 JOURNAL_STEP_MAX + 3);
	journal_free(journal);
}

static void test_hostile_files(void **state)
{
#define STEP(rest)                                                                       \
	"{\"journal\":1,\"steps\":[{\"id\":1,\"time\":5,\"boot_id\":\"x\"," rest "}]}"
#define DEVICE(rest) STEP("\"devices\":[{" rest "}]")
#define NAMED	     "\"name\":\"a\",\"major\":1,\"minor\":2,"
#define ASKED(member)                                                             \
	"{\"journal\":1,\"steps\":[{\"id\":1,\"time\":1," member ",\"devices\":["   \
	"{\"name\":\"a\",\"major\":1,\"minor\":2,\"values\":{}}]}]}"
#define VALUES(rest) DEVICE(NAMED "\"values\":{" rest "}")
	static const char *const bad[] = {
		"",
		"{",
		"[]",
		"null",
		"{}",
		"{\"journal\":1}",
		"{\"journal\":2,\"steps\":[]}",
		"{\"journal\":\"1\",\"steps\":[]}",
		"{\"journal\":1,\"steps\":{}}",
		"{\"journal\":1,\"steps\":[1]}",
		"{\"journal\":1,\"steps\":[],\"steps\":[]}",
		"{\"journal\":1,\"steps\":[{}]}",
		STEP("\"devices\":1"),
		STEP("\"devices\":[7]"),
		"{\"journal\":1,\"steps\":[{\"id\":-1,\"time\":5,\"devices\":[]}]}",
		"{\"journal\":1,\"steps\":[{\"id\":1,\"time\":\"5\",\"devices\":[]}]}",
		DEVICE("\"major\":1,\"minor\":2,\"values\":{}"),
		DEVICE("\"name\":\"\",\"major\":1,\"minor\":2,\"values\":{}"),
		DEVICE("\"name\":5,\"major\":1,\"minor\":2,\"values\":{}"),
		DEVICE("\"name\":\"a\",\"major\":-1,\"minor\":2,\"values\":{}"),
		DEVICE("\"name\":\"a\",\"major\":1,\"minor\":4294967296,\"values\":{}"),
		DEVICE("\"name\":\"a\",\"major\":1,\"minor\":2.5,\"values\":{}"),
		DEVICE(NAMED "\"values\":[]"),
		DEVICE(NAMED "\"serial\":[],\"values\":{}"),
		VALUES("\"nothing\":\"1\""),
		VALUES("\"rotational\":\"0\""),
		VALUES("\"max_hw_sectors_kb\":\"1\""),
		VALUES("\"nr_requests\":64"),
		VALUES("\"nr_requests\":\"\""),
		VALUES("\"nr_requests\":\"6\\n4\""),
		VALUES("\"nr_requests\":\"\\u00e9\""),
		VALUES("\"nr_requests\":\"a\\u0000b\""),
		VALUES("\"../../x\":\"1\""),
		VALUES("\"nr_requests\":\"1111111111111111111111111111111111111111"
		       "111111111111111111111111\""),
		VALUES("\"nr_requests\":\"1\"") "x",
		ASKED("\"sets\":7"),
		ASKED("\"sets\":[7]"),
		ASKED("\"named\":{\"a\":1}"),
		ASKED("\"named\":[[\"sda\"]]"),
	};
	struct fixture *fixture = *state;
	char *long_name = NULL;

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		struct journal *journal = NULL;
		struct diag diag = { 0 };
		char *text = NULL;

		test_write(fixture->dir, PATH_JOURNAL, bad[i]);
		assert_int_equal(journal_load(fixture->root, &journal, &diag), -EBADMSG);
		assert_null(journal);
		assert_int_equal(diag.error, -EBADMSG);
		assert_string_equal(diag.where, "/" PATH_JOURNAL);
		assert_int_equal(root_read(fixture->root, PATH_JOURNAL, &text), 0);
		assert_string_equal(text, bad[i]);
		free(text);
	}
	assert_true(asprintf(&long_name,
			     DEVICE("\"name\":\"%04200d\",\"major\":1,\"minor\":2,"
				    "\"values\":{}"),
			     1) > 0);
	test_write(fixture->dir, PATH_JOURNAL, long_name);
	assert_int_equal(journal_load(fixture->root, &(struct journal *){ NULL }, NULL),
			 -EBADMSG);
	free(long_name);
	/* and the nearest good one */
	test_write(fixture->dir, PATH_JOURNAL, VALUES("\"nr_requests\":\"1\""));
	journal_free(load(fixture));
}

static void test_ids_rise(void **state)
{
#define ONE(id) "{\"id\":" id ",\"time\":5,\"devices\":[{" NAMED "\"values\":{}}]}"
	struct fixture *fixture = *state;
	struct journal *journal = NULL;

	test_write(fixture->dir, PATH_JOURNAL,
		   "{\"journal\":1,\"steps\":[" ONE("3") "," ONE("3") "]}");
	assert_int_equal(journal_load(fixture->root, &journal, NULL), -EBADMSG);
	test_write(fixture->dir, PATH_JOURNAL,
		   "{\"journal\":1,\"steps\":[" ONE("3") "," ONE("4") "]}");
	journal_free(load(fixture));
}

/* A file in its place that is none: refused and left. */
static void test_odd_nodes(void **state)
{
	struct fixture *fixture = *state;
	struct journal *journal = NULL;
	struct journal *full;
	char path[4096];

	full = load(fixture);
	add_step(fixture, full, "a", "128", 0, 1);
	assert_int_equal(root_make_dir(fixture->root, PATH_STATE_DIR, 0700), 0);
	snprintf(path, sizeof(path), "%s/%s", fixture->dir, PATH_JOURNAL);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_int_equal(journal_load(fixture->root, &journal, NULL), -EBADMSG);
	assert_true(journal_save(fixture->root, full, NULL) < 0);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(symlink("elsewhere", path), 0);
	assert_int_equal(journal_save(fixture->root, full, NULL), -ELOOP);
	journal_free(full);
}

/* No room: an error, and the journal of before is still there, whole. */
static void test_no_room(void **state)
{
	const struct rlimit none = { 0, RLIM_INFINITY },
			    all = { RLIM_INFINITY, RLIM_INFINITY };
	struct fixture *fixture = *state;
	struct journal *journal = load(fixture);
	struct diag diag = { 0 };
	struct rlimit old;
	int error;

	add_step(fixture, journal, "a", "128", 0, 1);
	save(fixture, journal);
	add_step(fixture, journal, "b", "256", 0, 1);
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &none), 0);
	error = journal_save(fixture->root, journal, &diag);
	if (setrlimit(RLIMIT_FSIZE, &old))
		setrlimit(RLIMIT_FSIZE, &all);
	assert_int_equal(error, -EFBIG);
	assert_string_equal(diag.where, "/" PATH_JOURNAL);
	journal_free(journal);
	journal = load(fixture);
	assert_int_equal(journal->step_count, 1);
	assert_back(fixture, journal, JOURNAL_LAST, 0, "128");
	journal_free(journal);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_absent_is_empty),
		TEST(test_saved_and_loaded),
		TEST(test_asked_is_kept),
		TEST(test_first_and_last),
		TEST(test_only_the_named),
		TEST(test_another_boot),
		TEST(test_gone_and_exchanged),
		TEST(test_without_serial_the_number_counts),
		TEST(test_dropped_after_a_restore),
		TEST(test_empty_removes_the_file),
		TEST(test_pruned_after_an_apply),
		TEST(test_folds),
		TEST(test_hostile_files),
		TEST(test_ids_rise),
		TEST(test_odd_nodes),
		TEST(test_no_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
