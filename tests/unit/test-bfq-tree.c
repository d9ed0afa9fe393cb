// SPDX-License-Identifier: GPL-2.0-or-later
/* bfq's tree against a plain search through an array. */
#include "sim-fixture.h"

#include "sim/elevators/bfq-tree.h"

#define NODES 200

static uint64_t next_random(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return *state >> 33;
}

struct model {
	struct bfq_tree tree;
	struct bfq_node nodes[NODES];
	bool is_in[NODES];
};

/* The best of those that qualify: the first by key, then by insertion. */
static struct bfq_node *naive(struct model *model, uint64_t low_limit, uint64_t key_min)
{
	struct bfq_node *best = NULL;

	for (unsigned i = 0; i < NODES; i++) {
		struct bfq_node *node = &model->nodes[i];

		if (!model->is_in[i] || node->low > low_limit || node->key < key_min)
			continue;
		if (!best || node->key < best->key ||
		    (node->key == best->key && node->tie < best->tie))
			best = node;
	}
	return best;
}

static struct bfq_node *naive_last(struct model *model, uint64_t key_below)
{
	struct bfq_node *best = NULL;

	for (unsigned i = 0; i < NODES; i++) {
		struct bfq_node *node = &model->nodes[i];

		if (!model->is_in[i] || node->key >= key_below)
			continue;
		if (!best || node->key > best->key ||
		    (node->key == best->key && node->tie > best->tie))
			best = node;
	}
	return best;
}

static void test_against_array(void **state)
{
	static struct model model;
	uint64_t random = 7;

	(void)state;
	for (unsigned step = 0; step < 20000; step++) {
		unsigned i = next_random(&random) % NODES;
		uint64_t limit = next_random(&random) % 120;
		struct bfq_node *node = &model.nodes[i];

		if (model.is_in[i]) {
			bfq_tree_remove(&model.tree, node);
		} else {
			node->key = next_random(&random) % 100;
			node->low = next_random(&random) % 100;
			bfq_tree_insert(&model.tree, node);
		}
		model.is_in[i] = !model.is_in[i];
		assert_ptr_equal(bfq_tree_first(&model.tree),
				 naive(&model, UINT64_MAX, 0));
		assert_ptr_equal(bfq_tree_last(&model.tree),
				 naive_last(&model, UINT64_MAX));
		assert_ptr_equal(bfq_tree_first_low(&model.tree, limit),
				 naive(&model, limit, 0));
		assert_ptr_equal(bfq_tree_at_or_after(&model.tree, limit),
				 naive(&model, UINT64_MAX, limit));
		assert_ptr_equal(bfq_tree_before(&model.tree, limit),
				 naive_last(&model, limit));
	}
}

static unsigned depth_of(const struct bfq_node *node)
{
	unsigned left, right;

	if (!node)
		return 0;
	left = depth_of(node->left);
	right = depth_of(node->right);
	return 1 + (left > right ? left : right);
}

/* Rising keys, as virtual time gives them, do not make a list of it. */
static void test_stays_flat(void **state)
{
	static struct bfq_node nodes[10000];
	struct bfq_tree tree = { 0 };

	(void)state;
	for (unsigned i = 0; i < 10000; i++) {
		nodes[i].key = i;
		bfq_tree_insert(&tree, &nodes[i]);
	}
	assert_in_range(depth_of(tree.root), 14, 60);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_against_array),
		cmocka_unit_test(test_stays_flat),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
