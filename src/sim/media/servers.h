/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parallel servers: when each will be free. A tree of the earlier one of two, so that the
 * first free one is found, and a time changed, in log2(count) steps.
 */
#ifndef IOSCHED_SIM_MEDIA_SERVERS_H
#define IOSCHED_SIM_MEDIA_SERVERS_H

#include <stdint.h>

#define SERVERS_MAX 4096

struct servers {
	uint64_t *free_ns; /* [1]: the root; [leaves + i]: the server i */
	unsigned count, leaves;
	unsigned next;     /* of those that are taken in turn */
};

/* 1 <= count <= SERVERS_MAX. 0, -ENOMEM. */
int servers_init(struct servers *servers, unsigned count);
void servers_done(struct servers *servers);

static inline uint64_t servers_free_ns(const struct servers *servers, unsigned index)
{
	return servers->free_ns[servers->leaves + index];
}

/* The one that is free first. */
static inline unsigned servers_first(const struct servers *servers)
{
	const uint64_t *tree = servers->free_ns;
	unsigned node = 1;

	while (node < servers->leaves)
		node = 2 * node + (tree[2 * node + 1] < tree[2 * node]);
	return node - servers->leaves;
}

/* Works on it for so long, from `at_ns` or when it is free: returns when it is done. */
static inline uint64_t servers_book(struct servers *servers, unsigned index, uint64_t at_ns,
				    uint64_t work_ns)
{
	uint64_t *tree = servers->free_ns;
	unsigned node = servers->leaves + index;
	uint64_t done_ns = (tree[node] > at_ns ? tree[node] : at_ns) + work_ns;

	tree[node] = done_ns;
	while (node > 1) {
		uint64_t left, right;

		node /= 2;
		left = tree[2 * node];
		right = tree[2 * node + 1];
		tree[node] = left < right ? left : right;
	}
	return done_ns;
}

/* The servers in turn. */
static inline unsigned servers_next(struct servers *servers)
{
	unsigned index = servers->next;

	servers->next = index + 1 < servers->count ? index + 1 : 0;
	return index;
}

#endif
