// SPDX-License-Identifier: GPL-2.0-or-later
/* Every reason has a word of its own without blanks, and a text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sim/reason.h"

static void test_words(void **state)
{
	(void)state;
	for (int i = 0; i < SIM_REASONS; i++) {
		assert_non_null(sim_reason_word(i));
		assert_non_null(sim_reason_text(i));
		assert_int_equal(strcspn(sim_reason_word(i), " \t"),
				 strlen(sim_reason_word(i)));
		assert_true(strlen(sim_reason_text(i)) > 10);
		for (int j = 0; j < i; j++)
			assert_string_not_equal(sim_reason_word(i), sim_reason_word(j));
	}
	assert_string_equal(sim_reason_word(SIM_REASON_EXPIRED_READ), "expired-read");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
