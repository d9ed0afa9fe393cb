/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parallel servers: making them. */
#include "sim/media/servers.h"

#include <errno.h>
#include <stdlib.h>

int servers_init(struct servers *servers, unsigned count)
{
	unsigned leaves = 1;

	while (leaves < count)
		leaves *= 2;
	*servers = (struct servers){ .count = count, .leaves = leaves };
	servers->free_ns = calloc(2 * (size_t)leaves, sizeof(uint64_t));
	if (!servers->free_ns)
		return -ENOMEM;
	/* What only fills the tree up is never free. */
	for (unsigned i = count; i < leaves; i++)
		servers->free_ns[leaves + i] = UINT64_MAX;
	for (unsigned node = leaves - 1; node >= 1; node--) {
		uint64_t left = servers->free_ns[2 * node];
		uint64_t right = servers->free_ns[2 * node + 1];

		servers->free_ns[node] = left < right ? left : right;
	}
	return 0;
}

void servers_done(struct servers *servers)
{
	free(servers->free_ns);
	servers->free_ns = NULL;
}
