// SPDX-License-Identifier: GPL-2.0-or-later
/* What a write cache holds: extents that join, limits, taking them out again. */
#include "sim/media/write-back.h"

#include "test.h"

static struct write_back cache;

static bool accept(uint64_t begin, uint64_t end)
{
	return write_back_accept(&cache, (struct media_extent){ begin, end });
}

static const char *content(void)
{
	static char text[256];
	size_t len = 0;

	text[0] = '\0';
	for (unsigned i = 0; i < cache.count; i++)
		len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%llu-%llu",
					i ? " " : "", (unsigned long long)cache.extents[i].begin,
					(unsigned long long)cache.extents[i].end);
	return text;
}

static void test_extents_join(void **state)
{
	(void)state;
	cache = (struct write_back){ .limit = 1000 };
	assert_true(accept(100, 110));
	assert_true(accept(300, 310));
	assert_true(accept(0, 5));
	assert_string_equal(content(), "0-5 100-110 300-310");
	assert_true(accept(110, 120));
	assert_true(accept(95, 100));
	assert_string_equal(content(), "0-5 95-120 300-310");
	assert_true(accept(100, 105));
	assert_true(accept(310, 315));
	assert_string_equal(content(), "0-5 95-120 300-315");
	assert_int_equal(cache.sectors, 45);
	assert_true(accept(4, 301));
	assert_string_equal(content(), "0-315");
	assert_int_equal(cache.sectors, 315);
}

static void test_limits(void **state)
{
	(void)state;
	cache = (struct write_back){ .limit = 100 };
	assert_true(accept(0, 60));
	assert_false(accept(1000, 1041));
	assert_true(accept(1000, 1040));
	assert_string_equal(content(), "0-60 1000-1040");
	cache = (struct write_back){ .limit = 0 };
	assert_false(accept(0, 1));
	cache = (struct write_back){ .limit = UINT32_MAX };
	for (unsigned i = 0; i < WRITE_BACK_MAX; i++)
		assert_true(accept(i * 10, i * 10 + 5));
	assert_false(accept(7, 8));
	/* What joins needs no place of its own. */
	assert_true(accept(5, 10));
	assert_int_equal(cache.count, WRITE_BACK_MAX - 1);
}

static void test_finding_and_taking(void **state)
{
	struct media_extent taken;

	(void)state;
	cache = (struct write_back){ .limit = 1000 };
	accept(10, 20);
	accept(30, 60);
	assert_int_equal(write_back_after(&cache, 0), 0);
	assert_int_equal(write_back_after(&cache, 19), 0);
	assert_int_equal(write_back_after(&cache, 20), 1);
	assert_int_equal(write_back_after(&cache, 60), 2);
	assert_true(write_back_holds(&cache, (struct media_extent){ 30, 60 }));
	assert_true(write_back_holds(&cache, (struct media_extent){ 35, 40 }));
	assert_false(write_back_holds(&cache, (struct media_extent){ 18, 22 }));
	assert_false(write_back_holds(&cache, (struct media_extent){ 20, 25 }));
	assert_false(write_back_holds(&cache, (struct media_extent){ 70, 75 }));
	taken = write_back_take(&cache, 1, 12);
	assert_int_equal(taken.begin, 30);
	assert_int_equal(taken.end, 42);
	assert_string_equal(content(), "10-20 42-60");
	taken = write_back_take(&cache, 0, 100);
	assert_int_equal(taken.end, 20);
	assert_string_equal(content(), "42-60");
	assert_int_equal(cache.sectors, 18);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_extents_join),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_finding_and_taking),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
