// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What was asked for is kept where nothing had to be written, once.
 */
#include "apply-fixture.h"

#include <errno.h>
#include <sys/stat.h>

#include "apply/journal.h"
#include "apply/record.h"
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

static void assert_steps(struct fixture *fixture, size_t count, const char *last)
{
	struct journal *journal = NULL;

	assert_int_equal(journal_load(fixture->root, &journal, NULL), 0);
	assert_int_equal(journal->step_count, count);
	assert_string_equal(journal->steps[count - 1].profile, last);
	journal_free(journal);
}

static void test_recorded_once(void **state)
{
	struct fixture *fixture = *state;
	const struct device *disk0[] = { &fixture->disks[0] };
	const struct apply_asked asked = { .profile = "database" };
	const struct apply_asked single = { .profile = "balanced",
					    .named = disk0,
					    .named_count = 1 };

	assert_int_equal(
		apply_record_asked(fixture->root, &fixture->list, &asked, NULL, NULL), 0);
	assert_steps(fixture, 1, "database");
	assert_int_equal(root_remove(fixture->root, PATH_LOCK), 0);
	assert_int_equal(
		apply_record_asked(fixture->root, &fixture->list, &asked, NULL, NULL), 0);
	assert_steps(fixture, 1, "database");
	assert_false(root_exists(fixture->root, PATH_LOCK));
	assert_int_equal(
		apply_record_asked(fixture->root, &fixture->list, &single, NULL, NULL),
		0);
	assert_steps(fixture, 2, "balanced");
}

static void test_refused(void **state)
{
	struct fixture *fixture = *state;
	const struct apply_asked asked = { .profile = "database" };
	struct apply_lock lock = APPLY_LOCK_NONE;
	struct diag diag = { 0 };

	assert_int_equal(apply_lock_take(fixture->root, &lock, NULL), 0);
	assert_int_equal(
		apply_record_asked(fixture->root, &fixture->list, &asked, NULL, &diag),
		-EWOULDBLOCK);
	assert_int_equal(diag.error, -EWOULDBLOCK);
	apply_lock_release(&lock);
	assert_false(root_exists(fixture->root, PATH_JOURNAL));

	assert_int_equal(root_replace(fixture->root, PATH_JOURNAL, "{", 1, 0600), 0);
	diag = (struct diag){ 0 };
	assert_int_equal(
		apply_record_asked(fixture->root, &fixture->list, &asked, NULL, &diag),
		-EBADMSG);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_recorded_once, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_refused, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
