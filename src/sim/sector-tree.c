/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The sector order. Nodes are split when full and given back when empty; half-empty ones
 * are left alone, which costs a little memory and no time.
 */
#include "sim/sector-tree.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

void sector_pools_init(struct sector_pools *pools)
{
	pool_init(&pools->leaves, sizeof(struct sector_leaf));
	pool_init(&pools->nodes, sizeof(struct sector_node));
}

void sector_pools_done(struct sector_pools *pools)
{
	pool_done(&pools->leaves);
	pool_done(&pools->nodes);
}

void sector_tree_init(struct sector_tree *tree, struct sector_pools *pools)
{
	*tree = (struct sector_tree){ .pools = pools };
}

/*
 * How many of the sorted numbers are below `limit`. Without a branch on what is compared:
 * the processor could not foresee it.
 */
static unsigned count_below(const uint64_t *sorted, unsigned count, uint64_t limit)
{
	const uint64_t *base = sorted;

	if (count == 0)
		return 0;
	while (count > 1) {
		unsigned half = count / 2;

		base += base[half - 1] < limit ? half : 0;
		count -= half;
	}
	return (unsigned)(base - sorted) + (*base < limit);
}

/* How many of the sorted numbers are at or below `limit`. */
static unsigned count_up_to(const uint64_t *sorted, unsigned count, uint64_t limit)
{
	return limit == UINT64_MAX ? count : count_below(sorted, count, limit + 1);
}

/* The leaf for a new request: the last one that may hold its sector. */
static struct sector_leaf *leaf_for_insert(const struct sector_tree *tree, uint64_t sector)
{
	void *at = tree->root;

	for (unsigned level = 0; level < tree->depth; level++) {
		struct sector_node *node = at;

		at = node->child[count_up_to(node->low + 1, node->count - 1, sector)];
	}
	return at;
}

/* The first leaf that may hold the sector. */
static struct sector_leaf *leaf_for_search(const struct sector_tree *tree, uint64_t sector)
{
	void *at = tree->root;

	for (unsigned level = 0; level < tree->depth; level++) {
		struct sector_node *node = at;

		at = node->child[count_below(node->low + 1, node->count - 1, sector)];
	}
	return at;
}

static unsigned node_index_of(const struct sector_node *node, const void *child)
{
	unsigned i = 0;

	while (node->child[i] != child)
		i++;
	assert(i < node->count);
	return i;
}

static void set_parent(struct sector_node *node, unsigned index)
{
	if (node->has_leaves)
		((struct sector_leaf *)node->child[index])->parent = node;
	else
		((struct sector_node *)node->child[index])->parent = node;
}

static void node_insert_child(struct sector_node *node, unsigned index, uint64_t low,
			      void *child)
{
	unsigned moved = node->count - index;

	memmove(&node->low[index + 1], &node->low[index], moved * sizeof(node->low[0]));
	memmove(&node->child[index + 1], &node->child[index],
		moved * sizeof(node->child[0]));
	node->low[index] = low;
	node->child[index] = child;
	node->count++;
	set_parent(node, index);
}

/* Moves the upper half of a full node to `right`. */
static void node_split(struct sector_node *node, struct sector_node *right)
{
	unsigned keep = node->count / 2;

	right->has_leaves = node->has_leaves;
	right->parent = node->parent;
	right->count = node->count - keep;
	memcpy(right->low, node->low + keep, right->count * sizeof(right->low[0]));
	memcpy(right->child, node->child + keep, right->count * sizeof(right->child[0]));
	node->count = keep;
	for (unsigned i = 0; i < right->count; i++)
		set_parent(right, i);
}

static void leaf_split(struct sector_leaf *leaf, struct sector_leaf *right)
{
	unsigned keep = leaf->count / 2;

	right->parent = leaf->parent;
	right->count = leaf->count - keep;
	memcpy(right->sector, leaf->sector + keep,
	       right->count * sizeof(right->sector[0]));
	memcpy(right->rq, leaf->rq + keep, right->count * sizeof(right->rq[0]));
	leaf->count = keep;
	for (unsigned i = 0; i < right->count; i++)
		right->rq[i]->leaf = right;

	right->next = leaf->next;
	right->prev = leaf;
	if (right->next)
		right->next->prev = right;
	leaf->next = right;
}

/*
 * Hangs `right` into the tree, right of `left`. `spare` holds one node for each level
 * that has to be split, and one for a new root: taken beforehand, so that nothing fails
 * half-way.
 */
static void hang_right_of(struct sector_tree *tree, void *left,
			  struct sector_node *parent, void *right, uint64_t low,
			  struct sector_node **spare)
{
	struct sector_node *sibling;
	bool is_leaf = true;

	while (parent && parent->count == SECTOR_NODE_ROOM) {
		struct sector_node *target = parent;
		unsigned index = node_index_of(parent, left) + 1;

		sibling = *spare++;
		node_split(parent, sibling);
		if (index > parent->count) {
			index -= parent->count;
			target = sibling;
		}
		node_insert_child(target, index, low, right);
		left = parent;
		right = sibling;
		low = sibling->low[0];
		parent = parent->parent;
		is_leaf = false;
	}
	if (parent) {
		node_insert_child(parent, node_index_of(parent, left) + 1, low, right);
		return;
	}

	parent = *spare;
	parent->parent = NULL;
	parent->has_leaves = is_leaf;
	parent->count = 2;
	parent->child[0] = left;
	parent->child[1] = right;
	parent->low[0] = 0;
	parent->low[1] = low;
	set_parent(parent, 0);
	set_parent(parent, 1);
	tree->root = parent;
	tree->depth++;
}

/* 32 to the 13th is above 2^64: no tree is deeper. */
#define SECTOR_DEPTH_MAX 16

static int leaf_make_room(struct sector_tree *tree, struct sector_leaf *leaf)
{
	struct sector_node *spare[SECTOR_DEPTH_MAX], *node;
	struct sector_leaf *right;
	unsigned needed = 0;

	for (node = leaf->parent; node && node->count == SECTOR_NODE_ROOM;
	     node = node->parent)
		needed++;
	if (!node)
		needed++;
	assert(needed <= SECTOR_DEPTH_MAX);

	right = pool_take(&tree->pools->leaves);
	if (!right)
		return -ENOMEM;
	for (unsigned i = 0; i < needed; i++) {
		spare[i] = pool_take(&tree->pools->nodes);
		if (!spare[i]) {
			while (i > 0)
				pool_give(&tree->pools->nodes, spare[--i]);
			pool_give(&tree->pools->leaves, right);
			return -ENOMEM;
		}
	}
	leaf_split(leaf, right);
	hang_right_of(tree, leaf, leaf->parent, right, right->sector[0], spare);
	return 0;
}

int sector_tree_insert(struct sector_tree *tree, struct sim_request *rq)
{
	struct sector_leaf *leaf = tree->root;
	unsigned at, moved;
	int r;

	if (!leaf) {
		leaf = pool_take(&tree->pools->leaves);
		if (!leaf)
			return -ENOMEM;
		leaf->parent = NULL;
		leaf->next = NULL;
		leaf->prev = NULL;
		leaf->count = 0;
		tree->root = leaf;
		tree->depth = 0;
	} else {
		leaf = leaf_for_insert(tree, rq->sector);
		if (leaf->count == SECTOR_LEAF_ROOM) {
			r = leaf_make_room(tree, leaf);
			if (r < 0)
				return r;
			if (rq->sector >= leaf->next->sector[0])
				leaf = leaf->next;
		}
	}

	at = count_up_to(leaf->sector, leaf->count, rq->sector);
	moved = leaf->count - at;
	memmove(&leaf->sector[at + 1], &leaf->sector[at], moved * sizeof(leaf->sector[0]));
	memmove(&leaf->rq[at + 1], &leaf->rq[at], moved * sizeof(leaf->rq[0]));
	leaf->sector[at] = rq->sector;
	leaf->rq[at] = rq;
	leaf->count++;
	rq->leaf = leaf;
	tree->count++;
	return 0;
}

/* Takes an empty node, and what becomes empty by that, out of the tree. */
static void unhang(struct sector_tree *tree, void *child, struct sector_node *parent)
{
	while (parent) {
		struct sector_node *node = parent;
		unsigned i = node_index_of(node, child);
		unsigned moved = node->count - i - 1;

		memmove(&node->low[i], &node->low[i + 1], moved * sizeof(node->low[0]));
		memmove(&node->child[i], &node->child[i + 1],
			moved * sizeof(node->child[0]));
		if (--node->count > 0)
			return;
		parent = node->parent;
		child = node;
		pool_give(&tree->pools->nodes, node);
	}
	tree->root = NULL;
	tree->depth = 0;
}

static unsigned leaf_index_of(const struct sim_request *rq)
{
	const struct sector_leaf *leaf = rq->leaf;
	unsigned i = count_below(leaf->sector, leaf->count, rq->sector);

	while (i < leaf->count && leaf->rq[i] != rq)
		i++;
	assert(i < leaf->count);
	return i;
}

static struct sim_request *before(const struct sector_leaf *leaf, unsigned at)
{
	if (at > 0)
		return leaf->rq[at - 1];
	return leaf->prev ? leaf->prev->rq[leaf->prev->count - 1] : NULL;
}

static struct sim_request *behind(const struct sector_leaf *leaf, unsigned at)
{
	if (at + 1 < leaf->count)
		return leaf->rq[at + 1];
	return leaf->next ? leaf->next->rq[0] : NULL;
}

static void remove_at(struct sector_tree *tree, struct sector_leaf *leaf, unsigned at)
{
	unsigned moved = leaf->count - at - 1;

	leaf->rq[at]->leaf = NULL;
	memmove(&leaf->sector[at], &leaf->sector[at + 1], moved * sizeof(leaf->sector[0]));
	memmove(&leaf->rq[at], &leaf->rq[at + 1], moved * sizeof(leaf->rq[0]));
	leaf->count--;
	tree->count--;
	if (leaf->count > 0)
		return;

	if (leaf->prev)
		leaf->prev->next = leaf->next;
	if (leaf->next)
		leaf->next->prev = leaf->prev;
	unhang(tree, leaf, leaf->parent);
	pool_give(&tree->pools->leaves, leaf);
}

void sector_tree_remove(struct sector_tree *tree, struct sim_request *rq)
{
	remove_at(tree, rq->leaf, leaf_index_of(rq));
}

void sector_tree_take(struct sector_tree *tree, struct sim_request *rq,
		      struct sim_request **ret_prev, struct sim_request **ret_next)
{
	struct sector_leaf *leaf = rq->leaf;
	unsigned at = tree->hint;

	/* A sweep takes one after the other, from the same place. */
	if (at >= leaf->count || leaf->rq[at] != rq)
		at = leaf->rq[0] == rq ? 0 : leaf_index_of(rq);
	*ret_prev = before(leaf, at);
	*ret_next = behind(leaf, at);
	tree->hint = at;
	remove_at(tree, leaf, at);
}

struct sim_request *sector_tree_at_or_after(const struct sector_tree *tree, uint64_t sector)
{
	const struct sector_leaf *leaf;
	unsigned at;

	if (!tree->root)
		return NULL;
	leaf = leaf_for_search(tree, sector);
	at = count_below(leaf->sector, leaf->count, sector);
	if (at < leaf->count)
		return leaf->rq[at];
	return leaf->next ? leaf->next->rq[0] : NULL;
}

struct sim_request *sector_tree_before(const struct sector_tree *tree, uint64_t sector)
{
	const struct sector_leaf *leaf;
	struct sim_request *rq;

	if (!tree->root)
		return NULL;
	leaf = leaf_for_search(tree, sector);
	rq = before(leaf, count_below(leaf->sector, leaf->count, sector));
	return rq ? sector_tree_find(tree, rq->sector) : NULL;
}

struct sim_request *sector_tree_find(const struct sector_tree *tree, uint64_t sector)
{
	struct sim_request *rq = sector_tree_at_or_after(tree, sector);

	return rq && rq->sector == sector ? rq : NULL;
}

struct sim_request *sector_tree_next(const struct sim_request *rq)
{
	return behind(rq->leaf, leaf_index_of(rq));
}

struct sim_request *sector_tree_prev(const struct sim_request *rq)
{
	return before(rq->leaf, leaf_index_of(rq));
}
