// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Steps of the journal in which something was only asked for.
 */
#include "journal-fixture.h"

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

/* Steps in which only something was asked for: no state to go back to. */
static void test_asked_alone(void **state)
{
	static const char *const one[] = { "nomerges=1" }, *const other[] = { "nomerges=2" };
	struct fixture *fixture = *state;
	const struct device *disk0[] = { &fixture->disks[0] };
	const struct apply_asked all = { .profile = "b" };
	const struct apply_asked values = { NULL, one, 1, disk0, 1 };
	const struct apply_asked others = { NULL, other, 1, disk0, 1 };
	struct journal *journal = load(fixture);
	const struct apply_report none = { 0 };

	assert_false(journal_is_asked_last(journal, &fixture->list, &all));
	assert_int_equal(journal_add_asked(journal, &fixture->list, &all), 0);
	assert_true(journal_is_asked_last(journal, &fixture->list, &all));
	assert_false(journal_is_asked_last(journal, &fixture->list, &values));
	assert_false(journal_has_devices(journal));
	assert_int_equal(journal_add_asked(journal, &fixture->list, &values), 0);
	assert_int_equal(journal_add_asked(journal, &fixture->list, &others), 0);
	/* the same key again, for the same device */
	assert_int_equal(journal->step_count, 2);
	save(fixture, journal);
	journal_free(journal);
	journal = load(fixture);
	assert_int_equal(journal->step_count, 2);
	assert_int_equal(journal->steps[1].device_count, 0);
	assert_string_equal(journal->steps[1].sets.items[0], "nomerges=2");

	add_step(fixture, journal, "a", "128", 0, 1);
	assert_true(journal_has_devices(journal));
	/* a profile for all: nothing of what was asked before is left */
	journal_drop_superseded(journal);
	assert_int_equal(journal->step_count, 1);
	assert_int_equal(journal_add_asked(journal, &fixture->list, &values), 0);
	assert_back(fixture, journal, JOURNAL_LAST, 0, "128");

	/* only the named device came back, the profile for all stays */
	journal_drop(journal, JOURNAL_FIRST, false, &none, &fixture->list);
	assert_int_equal(journal->step_count, 2);
	/* what came after the newest step that wrote goes with it */
	journal_drop(journal, JOURNAL_LAST, true, &none, &fixture->list);
	assert_int_equal(journal->step_count, 1);
	journal_free(journal);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_asked_alone, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
