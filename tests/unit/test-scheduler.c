// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The scheduler table: names are unique, counterparts exist, translation works both ways.
 */
#include "test.h"

#include "tunable/scheduler.h"

static void test_table_is_sane(void **state)
{
	const struct scheduler *scheduler;

	(void)state;
	assert_null(scheduler_get(8));
	for (size_t i = 0; (scheduler = scheduler_get(i)); i++) {
		const struct scheduler *other = scheduler_find(scheduler->counterpart);

		assert_ptr_equal(scheduler_find(scheduler->name), scheduler);
		assert_non_null(other);
		assert_int_not_equal(other->kind, scheduler->kind);
		assert_non_null(scheduler->summary);
	}
	assert_null(scheduler_find("bfq-iosched"));
	assert_null(scheduler_find("NONE"));
	assert_null(scheduler_find(""));
}

/* What is only simulated is never offered to a device. */
static void test_textbook(void **state)
{
	const struct scheduler *scheduler;
	size_t count = 0;

	(void)state;
	for (; (scheduler = scheduler_get_textbook(count)); count++) {
		assert_ptr_equal(scheduler_find_textbook(scheduler->name), scheduler);
		assert_null(scheduler_find(scheduler->name));
		assert_null(scheduler_translate(scheduler->name, QUEUE_MQ));
		assert_non_null(strstr(scheduler->summary, "simulation only"));
	}
	assert_int_equal(count, 6);
	assert_null(scheduler_find_textbook("mq-deadline"));
}

static void assert_name(const char *name, enum queue_kind kind, const char *expected)
{
	const struct scheduler *scheduler = scheduler_translate(name, kind);

	assert_non_null(scheduler);
	assert_string_equal(scheduler->name, expected);
}

static void test_translates_to_mq(void **state)
{
	(void)state;
	assert_name("noop", QUEUE_MQ, "none");
	assert_name("deadline", QUEUE_MQ, "mq-deadline");
	assert_name("cfq", QUEUE_MQ, "bfq");
	assert_name("anticipatory", QUEUE_MQ, "bfq");
	assert_name("kyber", QUEUE_MQ, "kyber");
}

static void test_translates_to_legacy(void **state)
{
	(void)state;
	assert_name("none", QUEUE_LEGACY, "noop");
	assert_name("mq-deadline", QUEUE_LEGACY, "deadline");
	assert_name("bfq", QUEUE_LEGACY, "cfq");
	assert_name("kyber", QUEUE_LEGACY, "deadline");
	assert_name("anticipatory", QUEUE_LEGACY, "anticipatory");
}

static void test_bio_queue_has_only_none(void **state)
{
	(void)state;
	assert_name("bfq", QUEUE_BIO, "none");
	assert_null(scheduler_translate("elevator", QUEUE_BIO));
	assert_null(scheduler_translate("elevator", QUEUE_MQ));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table_is_sane),
		cmocka_unit_test(test_textbook),
		cmocka_unit_test(test_translates_to_mq),
		cmocka_unit_test(test_translates_to_legacy),
		cmocka_unit_test(test_bio_queue_has_only_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
