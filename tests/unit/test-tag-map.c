// SPDX-License-Identifier: GPL-2.0-or-later
/* Scheduler tags: which one is next, and whose parts are full. */
#include "sim/tag-map.h"

#include "test.h"

static void test_word_bits(void **state)
{
	static const unsigned rows[][2] = {
		{ 1, 1 }, { 4, 1 }, { 7, 1 }, { 8, 2 }, { 32, 8 }, { 64, 16 }, { 255, 32 },
		{ 256, 64 }, { 65536, 64 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_int_equal(tag_map_word_bits(rows[i][0]), rows[i][1]);
}

/* How many one may take who may have this part, when nobody else has any. */
static void test_parts(void **state)
{
	static const struct {
		unsigned tags, limit;
		bool is_of_all;
		unsigned taken;
	} rows[] = {
		{ 64, 64, false, 64 }, { 64, 100, true, 64 }, { 64, 48, false, 48 },
		{ 64, 48, true, 48 },
		/* One of each word of 16, or one of all. */
		{ 64, 4, false, 4 }, { 64, 1, false, 4 }, { 64, 1, true, 1 }, { 64, 2, true, 2 },
		{ 64, 50, true, 50 }, { 256, 37, true, 37 }, { 2, 1, true, 1 }, { 2, 1, false, 2 },
		/* The last word is not full. */
		{ 70, 70, false, 70 }, { 70, 1, true, 1 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct tag_map map;
		unsigned taken = 0;

		assert_int_equal(tag_map_init(&map, rows[i].tags, 3, rows[i].is_of_all), 0);
		while (tag_map_take(&map, taken % 3, rows[i].limit) >= 0)
			taken++;
		assert_int_equal(taken, rows[i].taken);
		assert_int_equal(map.taken, taken);
		/* The others find the rest. */
		while (tag_map_take(&map, 0, rows[i].tags) >= 0)
			taken++;
		assert_int_equal(taken, rows[i].tags);
		for (unsigned tag = 0; tag < rows[i].tags; tag++)
			tag_map_give(&map, tag % 3, tag);
		assert_int_equal(map.taken, 0);
		tag_map_done(&map);
	}
}

/* Where a tag came free the processor begins; the lowest of that word is next. */
static void test_next_one(void **state)
{
	struct tag_map map;
	int first, second;

	(void)state;
	assert_int_equal(tag_map_init(&map, 64, 2, true), 0);
	first = tag_map_take(&map, 0, 64);
	assert_int_equal(first, 0);
	second = tag_map_take(&map, 1, 64);
	assert_int_equal(second, 32);
	assert_int_equal(tag_map_take(&map, 1, 64), 33);
	tag_map_give(&map, 0, 33);
	assert_int_equal(tag_map_take(&map, 0, 64), 33);
	tag_map_give(&map, 0, 32);
	tag_map_give(&map, 0, 33);
	assert_int_equal(tag_map_take(&map, 0, 64), 32);
	/* The one that is left to those beyond their part is taken by others, too. */
	assert_int_equal(tag_map_take(&map, 1, 1), -1);
	tag_map_give(&map, 1, 0);
	assert_int_equal(tag_map_take(&map, 1, 64), 0);
	assert_int_equal(tag_map_take(&map, 0, 1), -1);
	/* Who finds none begins anew. */
	assert_int_equal(tag_map_take(&map, 0, 64), 1);
	tag_map_done(&map);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_word_bits),
		cmocka_unit_test(test_parts),
		cmocka_unit_test(test_next_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
