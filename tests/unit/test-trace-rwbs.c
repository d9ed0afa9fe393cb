// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Operation letters.
 */
#include "trace-fixture.h"

#include "sim/workload/trace-rwbs.h"

static void test_letters(void **state)
{
	static const struct {
		const char *text;
		enum trace_op op;
		unsigned flags;
	} rows[] = {
		{ "R", TRACE_READ, 0 },
		{ "W", TRACE_WRITE, 0 },
		{ "WS", TRACE_WRITE, TRACE_FLAG_SYNC },
		{ "RA", TRACE_READ, TRACE_FLAG_AHEAD },
		{ "RAM", TRACE_READ, TRACE_FLAG_AHEAD | TRACE_FLAG_META },
		{ "WFS", TRACE_WRITE, TRACE_FLAG_FUA | TRACE_FLAG_SYNC },
		{ "FWS", TRACE_WRITE, TRACE_FLAG_PREFLUSH | TRACE_FLAG_SYNC },
		{ "FWFSM", TRACE_WRITE,
		  TRACE_FLAG_PREFLUSH | TRACE_FLAG_FUA | TRACE_FLAG_SYNC |
			  TRACE_FLAG_META },
		{ "WSU", TRACE_WRITE, TRACE_FLAG_SYNC | TRACE_FLAG_ATOMIC },
		{ "D", TRACE_DISCARD, 0 },
		{ "DS", TRACE_DISCARD, TRACE_FLAG_SYNC },
		{ "DE", TRACE_DISCARD, TRACE_FLAG_SECURE },
		{ "DSE", TRACE_DISCARD, TRACE_FLAG_SYNC | TRACE_FLAG_SECURE },
		{ "F", TRACE_FLUSH, 0 },
		{ "FS", TRACE_FLUSH, TRACE_FLAG_SYNC },
		{ "FF", TRACE_FLUSH, TRACE_FLAG_PREFLUSH },
		{ "FFS", TRACE_FLUSH, TRACE_FLAG_PREFLUSH | TRACE_FLAG_SYNC },
		{ "N", TRACE_OTHER, 0 },
		{ "FN", TRACE_OTHER, TRACE_FLAG_PREFLUSH },
		{ "ZA", TRACE_ZONE, 0 },
		{ "ZAS", TRACE_ZONE, TRACE_FLAG_SYNC },
		{ "ZRA", TRACE_ZONE, 0 },
		{ "ZRS", TRACE_ZONE, TRACE_FLAG_SYNC },
		{ "ZO", TRACE_ZONE, 0 },
		{ "ZC", TRACE_ZONE, 0 },
		{ "ZF", TRACE_ZONE, 0 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct trace_record r = { 0 };

		if (!trace_rwbs_parse(rows[i].text, rows[i].text + strlen(rows[i].text),
				      &r))
			fail_msg("%s is refused", rows[i].text);
		if (r.op != rows[i].op || r.flags != rows[i].flags)
			fail_msg("%s gives %d with 0x%x", rows[i].text, r.op, r.flags);
	}
}

static void test_refused(void **state)
{
	static const char *const rows[] = { "",  "X",  "RX",   "Z", "ZX",
					    "r", "FX", "WSS?", "RR" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct trace_record r = { 0 };

		if (trace_rwbs_parse(rows[i], rows[i] + strlen(rows[i]), &r))
			fail_msg("%s is taken", rows[i]);
	}
	/* a NUL is not the end of a letter table */
	assert_false(trace_rwbs_parse(
		"Z\0", &"Z\0" [2], &(struct trace_record) { 0 }));
	assert_false(trace_rwbs_parse(
		"F\0", &"F\0" [2], &(struct trace_record) { 0 }));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_letters),
		cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
