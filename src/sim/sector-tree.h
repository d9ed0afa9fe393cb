/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Requests in sector order, later arrivals behind earlier ones at the same sector: the
 * order in which the deadline schedulers sweep. A B+ tree rather than the kernel's binary
 * tree: with 100,000 waiting requests three nodes are touched instead of seventeen. The
 * order that comes out is the same.
 */
#ifndef IOSCHED_SIM_SECTOR_TREE_H
#define IOSCHED_SIM_SECTOR_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/pool.h"
#include "sim/request.h"

#define SECTOR_LEAF_ROOM 32
#define SECTOR_NODE_ROOM 64

struct sector_node;

struct sector_leaf {
	struct sector_node *parent;
	struct sector_leaf *next, *prev;
	unsigned count;
	uint64_t sector[SECTOR_LEAF_ROOM];
	struct sim_request *rq[SECTOR_LEAF_ROOM];
};

struct sector_node {
	struct sector_node *parent;
	unsigned count;
	bool has_leaves;
	/* Smallest sector that may stand below child i; [0] is not looked at. */
	uint64_t low[SECTOR_NODE_ROOM];
	void *child[SECTOR_NODE_ROOM];
};

/* The nodes of all trees of one queue. */
struct sector_pools {
	struct pool leaves, nodes;
};

struct sector_tree {
	struct sector_pools *pools;
	void *root; /* a leaf while depth is 0 */
	unsigned depth;
	unsigned hint; /* where the last one taken stood in its leaf */
	size_t count;
};

void sector_pools_init(struct sector_pools *pools);
void sector_pools_done(struct sector_pools *pools);

void sector_tree_init(struct sector_tree *tree, struct sector_pools *pools);

/* 0 or -ENOMEM (the tree is unchanged then). */
int sector_tree_insert(struct sector_tree *tree, struct sim_request *rq);
/* The request must be in this tree; its sector must not have changed since. */
void sector_tree_remove(struct sector_tree *tree, struct sim_request *rq);
/* The same, and what stood before and behind it. */
void sector_tree_take(struct sector_tree *tree, struct sim_request *rq,
		      struct sim_request **ret_prev, struct sim_request **ret_next);

/* The first request at or after the sector; NULL when there is none. */
struct sim_request *sector_tree_at_or_after(const struct sector_tree *tree,
					    uint64_t sector);
/* The last request before the sector; the earliest arrival of those at one sector. */
struct sim_request *sector_tree_before(const struct sector_tree *tree, uint64_t sector);
/* The first request exactly at the sector. */
struct sim_request *sector_tree_find(const struct sector_tree *tree, uint64_t sector);
struct sim_request *sector_tree_next(const struct sim_request *rq);
struct sim_request *sector_tree_prev(const struct sim_request *rq);

#endif
