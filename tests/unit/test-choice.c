// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * queue/scheduler in the forms that kernels from 2.6.18 to 7.2 print.
 */
#include "test.h"

#include <errno.h>

#include "sysfs/choice.h"
#include "util/cleanup.h"

static void test_kernel_forms(void **state)
{
	static const struct {
		const char *text, *active;
		size_t count;
	} cases[] = {
		{ "noop anticipatory deadline [cfq] ", "cfq", 4 },     /* 2.6.18 */
		{ "[mq-deadline] kyber bfq none", "mq-deadline", 4 },  /* 4.19 to 6.1 */
		{ "[none] mq-deadline kyber bfq", "none", 4 },
		{ "none [mq-deadline] kyber bfq", "mq-deadline", 4 },  /* 6.12 and later */
		{ "[none] ", "none", 1 },
		{ "none", NULL, 1 },                                   /* bio-based */
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct choice choice;
		const char *active;

		assert_int_equal(choice_parse(cases[i].text, &choice), 0);
		assert_int_equal(choice.count, cases[i].count);
		active = choice_active(&choice);
		if (cases[i].active)
			assert_string_equal(active, cases[i].active);
		else
			assert_null(active);
	}
}

static void test_has(void **state)
{
	struct choice choice;

	(void)state;
	assert_int_equal(choice_parse("none [bfq]", &choice), 0);
	assert_true(choice_has(&choice, "bfq"));
	assert_true(choice_has(&choice, "none"));
	assert_false(choice_has(&choice, "bf"));
	assert_false(choice_has(&choice, "[bfq]"));
}

static void test_hostile(void **state)
{
	static const struct {
		const char *text;
		int error;
	} cases[] = {
		{ "", -EINVAL },
		{ " \n", -EINVAL },
		{ "[a] [b]", -EINVAL },
		{ "[a", -EINVAL },
		{ "a]", -EINVAL },
		{ "[]", -EINVAL },
		{ "a\033b", -EINVAL },
		{ "a;b", -EINVAL },
		{ "0123456789012345678901234567890123456789", -E2BIG },
		{ "a b c d e f g h i j k l m n o p q", -E2BIG },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct choice choice = { .count = 99 };

		assert_int_equal(choice_parse(cases[i].text, &choice), cases[i].error);
		assert_int_equal(choice.count, 99);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kernel_forms),
		cmocka_unit_test(test_has),
		cmocka_unit_test(test_hostile),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
