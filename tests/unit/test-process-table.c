// SPDX-License-Identifier: GPL-2.0-or-later
/* Processes by key: found again, zero when new, and no more than there is room for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/elevators/process-table.h"

struct process {
	struct process_entry entry;
	unsigned value;
};

static struct process *get(struct process_table *table, uint64_t key)
{
	struct process *process = (struct process *)(void *)process_table_get(table, key);

	assert_non_null(process);
	return process;
}

static void test_found_again(void **state)
{
	struct process_table table;

	(void)state;
	assert_int_equal(process_table_init(&table, sizeof(struct process)), 0);
	for (uint64_t key = 0; key < 10000; key++) {
		assert_null(process_table_find(&table, key << 32));
		assert_int_equal(get(&table, key << 32)->value, 0);
		get(&table, key << 32)->value = (unsigned)key + 1;
	}
	for (uint64_t key = 0; key < 10000; key++) {
		struct process *process = get(&table, key << 32);

		assert_int_equal(process->value, key + 1);
		assert_ptr_equal(process_table_at(&table, process->entry.index), process);
	}
	assert_int_equal(table.count, 10000);
	process_table_done(&table);
}

/* The one that was let go of longest ago makes room; one that is held does not. */
static void test_is_bounded(void **state)
{
	struct process_table table;

	(void)state;
	assert_int_equal(process_table_init(&table, sizeof(struct process)), 0);
	for (uint64_t key = 0; key < PROCESS_TABLE_MAX; key++)
		get(&table, key)->value = 7;
	process_entry_hold(&get(&table, 0)->entry);
	process_entry_hold(&get(&table, 1)->entry);
	process_entry_hold(&get(&table, 1)->entry);
	process_entry_release(&table, &get(&table, 1)->entry);
	process_entry_hold(&get(&table, 2)->entry);
	process_entry_release(&table, &get(&table, 2)->entry);

	assert_int_equal(get(&table, 1000000)->value, 0);
	assert_null(process_table_find(&table, 3));
	assert_non_null(process_table_find(&table, 0));
	assert_non_null(process_table_find(&table, 1));
	assert_non_null(process_table_find(&table, 2));
	assert_int_equal(table.count, PROCESS_TABLE_MAX);
	for (uint64_t key = 1000001; key < 1000000 + PROCESS_TABLE_MAX - 2; key++)
		process_entry_hold(&get(&table, key)->entry);
	assert_null(process_table_find(&table, 2));
	process_entry_hold(&get(&table, 1000000)->entry);
	assert_null(process_table_get(&table, 5));
	assert_int_equal(get(&table, 0)->value, 7);
	process_table_done(&table);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_found_again),
		cmocka_unit_test(test_is_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
