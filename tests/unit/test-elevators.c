// SPDX-License-Identifier: GPL-2.0-or-later
/* The table of schedulers: complete rows, known to the catalogue. */
#include "sim-fixture.h"

#include "tunable/tunable.h"

static void test_rows(void **state)
{
	size_t count = 0;

	(void)state;
	for (; sim_elevator_get(count); count++) {
		const struct sim_elevator_ops *ops = sim_elevator_get(count);

		assert_ptr_equal(sim_elevator_find(ops->name), ops);
		assert_non_null(scheduler_find(ops->name));
		assert_int_equal(scheduler_find(ops->name)->kind, ops->kind);
		assert_non_null(ops->insert_request);
		assert_non_null(ops->dispatch_request);
		assert_non_null(ops->has_work);
		assert_non_null(ops->can_dispatch);
		assert_non_null(ops->undo_dispatch);
		assert_non_null(ops->force_dispatch);
		assert_true(ops->state_size <= ops->data_size);
		for (size_t i = 0; i < ops->parameter_count; i++)
			assert_non_null(tunable_find_iosched(ops->name,
							     ops->parameters[i].file));
	}
	assert_int_equal(count, 5);
	assert_null(sim_elevator_find("deadlin"));
}

/* Each parameter of the catalogue for the scheduler is there. */
static void test_parameters_are_complete(void **state)
{
	(void)state;
	for (size_t i = 0; i < tunable_count(); i++) {
		const struct tunable *row = tunable_get(i);
		const struct sim_elevator_ops *ops;
		bool found = false;

		ops = row->owner ? sim_elevator_find(row->owner) : NULL;
		if (!ops)
			continue;
		for (size_t p = 0; p < ops->parameter_count; p++)
			found |= strcmp(ops->parameters[p].file, row->file) == 0;
		if (!found)
			fail_msg("the engine's %s lacks %s", ops->name, row->file);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_parameters_are_complete),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
