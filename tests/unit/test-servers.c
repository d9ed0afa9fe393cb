// SPDX-License-Identifier: GPL-2.0-or-later
/* Servers: who is free first, and taking them in turn. */
#include "sim/media/servers.h"

#include "sim/random.h"
#include "test.h"

static void test_servers(void **state)
{
	static const unsigned counts[] = { 1, 2, 3, 7, 44, 64, 65 };
	struct sim_random random;

	(void)state;
	sim_random_init(&random, 1, 1);
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		struct servers servers;
		uint64_t free_ns[65] = { 0 };

		assert_int_equal(servers_init(&servers, counts[i]), 0);
		for (unsigned j = 0; j < 3000; j++) {
			unsigned first = servers_first(&servers), index = first;
			uint64_t at = j * 3, work = sim_random_below(&random, 200);

			for (unsigned k = 0; k < counts[i]; k++)
				assert_true(free_ns[first] <= free_ns[k]);
			if (j % 3 == 0)
				index = (unsigned)sim_random_below(&random, counts[i]);
			free_ns[index] = (free_ns[index] > at ? free_ns[index] : at) + work;
			assert_true(servers_book(&servers, index, at, work) == free_ns[index]);
			assert_true(servers_free_ns(&servers, index) == free_ns[index]);
		}
		for (unsigned k = 0; k < 2 * counts[i]; k++)
			assert_int_equal(servers_next(&servers), k % counts[i]);
		servers_done(&servers);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_servers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
