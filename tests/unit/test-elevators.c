// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The table of schedulers: complete rows, known to the catalogue; those of blk-mq, which
 * were recorded, can be replayed.
 */
#include "sim-fixture.h"

#include "tunable/tunable.h"

static void test_rows(void **state)
{
	size_t count = 0;

	(void)state;
	for (; sim_elevator_get(count); count++) {
		const struct sim_elevator_ops *ops = sim_elevator_get(count);
		const struct scheduler *row = scheduler_find(ops->name);

		assert_ptr_equal(sim_elevator_find(ops->name), ops);
		assert_true((row == NULL) == (scheduler_find_textbook(ops->name) != NULL));
		if (!row)
			row = scheduler_find_textbook(ops->name);
		assert_non_null(row);
		assert_int_equal(row->kind, ops->kind);
		assert_non_null(ops->insert_request);
		assert_non_null(ops->dispatch_request);
		assert_non_null(ops->has_work);
		assert_true(ops->kind == QUEUE_LEGACY || ops->undo_dispatch);
		assert_true(!ops->undo_dispatch == !ops->can_dispatch);
		assert_true(!ops->undo_dispatch == !ops->force_dispatch);
		assert_true(ops->state_size <= ops->data_size);
		for (size_t i = 0; i < ops->parameter_count && ops->parameter_rows; i++)
			assert_string_equal(ops->parameter_rows[i].file,
					    ops->parameters[i].file);
		for (size_t i = 0; i < ops->parameter_count && !ops->parameter_rows; i++)
			assert_non_null(tunable_find_iosched(ops->name,
							     ops->parameters[i].file));
	}
	assert_int_equal(count, 14);
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
