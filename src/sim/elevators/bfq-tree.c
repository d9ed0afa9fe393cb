/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The treap: priorities are scrambled insertion numbers, so it is the same every time. */
#include "sim/elevators/bfq-tree.h"

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>

static bool is_before(const struct bfq_node *a, const struct bfq_node *b)
{
	return a->key < b->key || (a->key == b->key && a->tie < b->tie);
}

static void sum_up(struct bfq_node *node)
{
	node->min_low = node->low;
	if (node->left && node->left->min_low < node->min_low)
		node->min_low = node->left->min_low;
	if (node->right && node->right->min_low < node->min_low)
		node->min_low = node->right->min_low;
}

/* What is before `node` goes left, the rest right. */
static void split(struct bfq_node *root, const struct bfq_node *node,
		  struct bfq_node **ret_left, struct bfq_node **ret_right)
{
	if (!root) {
		*ret_left = NULL;
		*ret_right = NULL;
		return;
	}
	if (is_before(root, node)) {
		split(root->right, node, &root->right, ret_right);
		*ret_left = root;
	} else {
		split(root->left, node, ret_left, &root->left);
		*ret_right = root;
	}
	sum_up(root);
}

/* All of `left` is before all of `right`. */
static struct bfq_node *join(struct bfq_node *left, struct bfq_node *right)
{
	if (!left || !right)
		return left ? left : right;
	if (left->priority > right->priority) {
		left->right = join(left->right, right);
		sum_up(left);
		return left;
	}
	right->left = join(left, right->left);
	sum_up(right);
	return right;
}

static struct bfq_node *insert(struct bfq_node *root, struct bfq_node *node)
{
	if (!root || node->priority > root->priority) {
		split(root, node, &node->left, &node->right);
		sum_up(node);
		return node;
	}
	if (is_before(node, root))
		root->left = insert(root->left, node);
	else
		root->right = insert(root->right, node);
	sum_up(root);
	return root;
}

void bfq_tree_insert(struct bfq_tree *tree, struct bfq_node *node)
{
	node->tie = tree->inserted++;
	node->priority = (uint32_t)((node->tie * UINT64_C(0x9e3779b97f4a7c15)) >> 32);
	tree->root = insert(tree->root, node);
}

static struct bfq_node *take(struct bfq_node *root, const struct bfq_node *node)
{
	assert(root);
	if (root == node)
		return join(root->left, root->right);
	if (is_before(node, root))
		root->left = take(root->left, node);
	else
		root->right = take(root->right, node);
	sum_up(root);
	return root;
}

void bfq_tree_remove(struct bfq_tree *tree, struct bfq_node *node)
{
	tree->root = take(tree->root, node);
	node->left = NULL;
	node->right = NULL;
}

struct bfq_node *bfq_tree_first(const struct bfq_tree *tree)
{
	struct bfq_node *node = tree->root;

	while (node && node->left)
		node = node->left;
	return node;
}

struct bfq_node *bfq_tree_last(const struct bfq_tree *tree)
{
	struct bfq_node *node = tree->root;

	while (node && node->right)
		node = node->right;
	return node;
}

struct bfq_node *bfq_tree_first_low(const struct bfq_tree *tree, uint64_t limit)
{
	struct bfq_node *node = tree->root;

	if (!node || node->min_low > limit)
		return NULL;
	for (;;) {
		if (node->left && node->left->min_low <= limit)
			node = node->left;
		else if (node->low <= limit)
			return node;
		else
			node = node->right;
	}
}

struct bfq_node *bfq_tree_at_or_after(const struct bfq_tree *tree, uint64_t key)
{
	struct bfq_node *node = tree->root, *found = NULL;

	while (node) {
		if (node->key >= key) {
			found = node;
			node = node->left;
		} else {
			node = node->right;
		}
	}
	return found;
}

struct bfq_node *bfq_tree_before(const struct bfq_tree *tree, uint64_t key)
{
	struct bfq_node *node = tree->root, *found = NULL;

	while (node) {
		if (node->key < key) {
			found = node;
			node = node->right;
		} else {
			node = node->left;
		}
	}
	return found;
}
