// SPDX-License-Identifier: GPL-2.0-or-later
/* The sector order, against a plain sorted array. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sim/sector-tree.h"

#define COUNT 3000

struct model {
	struct sim_request *rqs[COUNT];
	size_t count;
};

static uint64_t random_state = 42;

static uint64_t next_random(void)
{
	random_state = random_state * 6364136223846793005u + 1442695040888963407u;
	return random_state >> 33;
}

/* Behind all at the same sector. */
static void model_insert(struct model *model, struct sim_request *rq)
{
	size_t at = 0;

	while (at < model->count && model->rqs[at]->sector <= rq->sector)
		at++;
	memmove(&model->rqs[at + 1], &model->rqs[at],
		(model->count - at) * sizeof(model->rqs[0]));
	model->rqs[at] = rq;
	model->count++;
}

static void model_remove(struct model *model, size_t at)
{
	model->count--;
	memmove(&model->rqs[at], &model->rqs[at + 1],
		(model->count - at) * sizeof(model->rqs[0]));
}

static struct sim_request *model_at_or_after(const struct model *model, uint64_t sector)
{
	for (size_t i = 0; i < model->count; i++) {
		if (model->rqs[i]->sector >= sector)
			return model->rqs[i];
	}
	return NULL;
}

static struct sim_request *model_before(const struct model *model, uint64_t sector)
{
	struct sim_request *found = NULL;

	for (size_t i = 0; i < model->count && model->rqs[i]->sector < sector; i++) {
		if (!found || model->rqs[i]->sector != found->sector)
			found = model->rqs[i];
	}
	return found;
}

static void expect_same(const struct sector_tree *tree, const struct model *model)
{
	struct sim_request *prev = NULL, *next;

	assert_int_equal(tree->count, model->count);
	next = sector_tree_at_or_after(tree, 0);
	for (size_t i = 0; i < model->count; i++) {
		assert_ptr_equal(next, model->rqs[i]);
		assert_ptr_equal(sector_tree_prev(next), prev);
		prev = next;
		next = sector_tree_next(next);
	}
	assert_null(next);
}

static void run_against_model(uint64_t sectors)
{
	static struct sim_request requests[COUNT];
	static struct model model;
	struct sector_pools pools;
	struct sector_tree tree;
	size_t used = 0;

	model.count = 0;
	sector_pools_init(&pools);
	sector_tree_init(&tree, &pools);
	for (unsigned step = 0; used < COUNT; step++) {
		/* Grows for a while, then shrinks to nothing, again and again. */
		bool grows = step / 700 % 2 == 0 ? next_random() % 4 != 0 :
						   next_random() % 4 == 0;
		uint64_t sector = next_random() % sectors;

		if (grows || !model.count) {
			struct sim_request *rq = &requests[used++];

			*rq = (struct sim_request){ .sector = sector };
			assert_int_equal(sector_tree_insert(&tree, rq), 0);
			model_insert(&model, rq);
		} else {
			size_t at = next_random() % model.count;

			sector_tree_remove(&tree, model.rqs[at]);
			assert_null(model.rqs[at]->leaf);
			model_remove(&model, at);
		}
		assert_ptr_equal(sector_tree_at_or_after(&tree, sector),
				 model_at_or_after(&model, sector));
		assert_ptr_equal(sector_tree_before(&tree, sector),
				 model_before(&model, sector));
		if (step % 100 == 0)
			expect_same(&tree, &model);
	}
	while (model.count > 0) {
		sector_tree_remove(&tree, model.rqs[model.count / 2]);
		model_remove(&model, model.count / 2);
	}
	assert_null(sector_tree_at_or_after(&tree, 0));
	sector_pools_done(&pools);
}

static void test_spread(void **state)
{
	(void)state;
	run_against_model(UINT64_C(1) << 30);
}

static void test_many_at_the_same_sector(void **state)
{
	(void)state;
	run_against_model(5);
}

static void test_ends_of_the_range(void **state)
{
	struct sim_request low = { .sector = 0 }, high = { .sector = UINT64_MAX };
	struct sector_pools pools;
	struct sector_tree tree;

	(void)state;
	sector_pools_init(&pools);
	sector_tree_init(&tree, &pools);
	assert_int_equal(sector_tree_insert(&tree, &high), 0);
	assert_int_equal(sector_tree_insert(&tree, &low), 0);
	assert_ptr_equal(sector_tree_at_or_after(&tree, 1), &high);
	assert_ptr_equal(sector_tree_find(&tree, UINT64_MAX), &high);
	assert_null(sector_tree_find(&tree, 7));
	assert_ptr_equal(sector_tree_next(&low), &high);
	sector_pools_done(&pools);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_spread),
		cmocka_unit_test(test_many_at_the_same_sector),
		cmocka_unit_test(test_ends_of_the_range),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
