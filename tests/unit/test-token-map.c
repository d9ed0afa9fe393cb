// SPDX-License-Identifier: GPL-2.0-or-later
/* kyber's tokens: how many, and what shrinking does to those that are out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/elevators/token-map.h"

static unsigned take_all(struct token_map *map, unsigned *tokens)
{
	unsigned count = 0;

	while (token_map_take(map, &tokens[count]))
		count++;
	return count;
}

static void test_as_many_as_the_size(void **state)
{
	static const unsigned sizes[] = { 1, 2, 3, 16, 64, 100, 128, 256 };
	unsigned tokens[TOKENS_MAX + 1];

	(void)state;
	for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct token_map map;

		token_map_init(&map, sizes[i]);
		assert_int_equal(take_all(&map, tokens), sizes[i]);
		assert_false(token_map_has_free(&map));
		for (unsigned j = 0; j < sizes[i]; j++) {
			assert_in_range(tokens[j], 0, sizes[i] - 1);
			for (unsigned k = 0; k < j; k++)
				assert_int_not_equal(tokens[j], tokens[k]);
		}
		token_map_give(&map, tokens[0]);
		assert_true(token_map_has_free(&map));
		assert_int_equal(take_all(&map, tokens), 1);
	}
}

static void test_shrinking_with_tokens_out(void **state)
{
	unsigned tokens[TOKENS_MAX + 1];
	struct token_map map;
	unsigned token;

	(void)state;
	token_map_init(&map, 256);
	assert_int_equal(take_all(&map, tokens), 256);
	token_map_resize(&map, 64);
	assert_false(token_map_take(&map, &token));
	/* One beyond the new size does not help, one within it does. */
	token_map_give(&map, 200);
	assert_false(token_map_has_free(&map));
	token_map_give(&map, 10);
	assert_true(token_map_take(&map, &token));
	assert_int_equal(token, 10);
	token_map_resize(&map, 256);
	assert_true(token_map_take(&map, &token));
	assert_int_equal(token, 200);
}

static void test_wakes_in_batches(void **state)
{
	struct token_map map;
	unsigned tokens[TOKENS_MAX + 1];

	(void)state;
	token_map_init(&map, 128);
	assert_int_equal(take_all(&map, tokens), 128);
	for (unsigned i = 0; i < 7; i++)
		assert_false(token_map_give(&map, i));
	assert_true(token_map_give(&map, 7));
	token_map_resize(&map, 2);
	assert_true(token_map_give(&map, 8));
}

static void test_undo(void **state)
{
	struct token_map map;
	unsigned token, again;

	(void)state;
	token_map_init(&map, 1);
	assert_true(token_map_take(&map, &token));
	token_map_undo(&map, token);
	assert_int_equal(map.out, 0);
	assert_true(token_map_take(&map, &again));
	assert_int_equal(again, token);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_as_many_as_the_size),
		cmocka_unit_test(test_shrinking_with_tokens_out),
		cmocka_unit_test(test_wakes_in_batches),
		cmocka_unit_test(test_undo),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
