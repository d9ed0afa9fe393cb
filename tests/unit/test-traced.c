// SPDX-License-Identifier: GPL-2.0-or-later
/* What a trace calls an I/O, in the engine's words. */
#include "test.h"

#include "sim/traced.h"
#include "util/cleanup.h"

static void test_operations(void **state)
{
	static const struct {
		enum trace_op traced;
		enum sim_op op;
	} rows[] = {
		{ TRACE_READ, SIM_READ },   { TRACE_WRITE, SIM_WRITE },
		{ TRACE_FLUSH, SIM_FLUSH }, { TRACE_DISCARD, SIM_DISCARD },
		{ TRACE_ZONE, SIM_OTHER },  { TRACE_OTHER, SIM_OTHER },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct trace_record record = { .op = rows[i].traced };

		assert_int_equal(traced_op(&record), rows[i].op);
	}
}

/* One by one, and all of them; readahead is nothing that a scheduler looks at. */
static void test_flags(void **state)
{
	static const struct {
		unsigned traced;
		uint8_t flags;
	} rows[] = {
		{ 0, 0 },
		{ TRACE_FLAG_SYNC, SIM_REQUEST_SYNC },
		{ TRACE_FLAG_META, SIM_REQUEST_META },
		{ TRACE_FLAG_FUA, SIM_REQUEST_FUA },
		{ TRACE_FLAG_PREFLUSH, SIM_REQUEST_PREFLUSH },
		{ TRACE_FLAG_AHEAD, 0 },
		{ TRACE_FLAG_META | TRACE_FLAG_SYNC | TRACE_FLAG_AHEAD,
		  SIM_REQUEST_META | SIM_REQUEST_SYNC },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct trace_record record = { .flags = rows[i].traced };

		assert_int_equal(traced_flags(&record), rows[i].flags);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_operations),
		cmocka_unit_test(test_flags),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
