/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A search tree over one number, with the smallest of a second number known for every
 * subtree: virtual finish times, and who of them has started. A treap; equal keys keep the
 * order in which they came. Nodes live in their owners.
 */
#ifndef IOSCHED_SIM_ELEVATORS_BFQ_TREE_H
#define IOSCHED_SIM_ELEVATORS_BFQ_TREE_H

#include <stdint.h>

struct bfq_node {
	struct bfq_node *left, *right;
	uint64_t key, low; /* set before insertion, fixed until removal */
	uint64_t min_low;  /* of the subtree */
	uint64_t tie;      /* order of insertion */
	uint32_t priority;
};

struct bfq_tree {
	struct bfq_node *root;
	uint64_t inserted;
};

void bfq_tree_insert(struct bfq_tree *tree, struct bfq_node *node);
/* The node must be in this tree. */
void bfq_tree_remove(struct bfq_tree *tree, struct bfq_node *node);

struct bfq_node *bfq_tree_first(const struct bfq_tree *tree);
struct bfq_node *bfq_tree_last(const struct bfq_tree *tree);
/* The first node, by key, whose low is not above the limit; NULL when there is none. */
struct bfq_node *bfq_tree_first_low(const struct bfq_tree *tree, uint64_t limit);
/* The first node whose key is at least `key`, the last one whose key is below it. */
struct bfq_node *bfq_tree_at_or_after(const struct bfq_tree *tree, uint64_t key);
struct bfq_node *bfq_tree_before(const struct bfq_tree *tree, uint64_t key);

#endif
