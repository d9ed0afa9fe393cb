/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers for the names of disks, files and hosts, in the order in which they appear.
 * Names are kept as 64-bit hashes, so that memory does not grow with the trace.
 */
#ifndef IOSCHED_SIM_TRACE_NAMES_H
#define IOSCHED_SIM_TRACE_NAMES_H

#include <stdbool.h>
#include <stdint.h>

#define TRACE_NAMES_MAX 1024u

struct trace_names {
	uint64_t hashes[TRACE_NAMES_MAX * 2]; /* open addressing, 0: free */
	uint32_t numbers[TRACE_NAMES_MAX * 2];
	uint32_t count;
};

/* The number of the name [p, end); false: there are more than TRACE_NAMES_MAX of them. */
static inline bool trace_names_find(struct trace_names *names, const char *p,
				    const char *end, uint32_t *ret)
{
	uint64_t hash = 0xcbf29ce484222325u; /* FNV-1a */
	uint32_t slot;

	for (; p < end; p++)
		hash = (hash ^ (unsigned char)*p) * 0x100000001b3u;
	hash += !hash;
	slot = (uint32_t)(hash >> 32) % (TRACE_NAMES_MAX * 2);
	while (names->hashes[slot] && names->hashes[slot] != hash)
		slot = (slot + 1) % (TRACE_NAMES_MAX * 2);
	if (!names->hashes[slot]) {
		if (names->count == TRACE_NAMES_MAX)
			return false;
		names->hashes[slot] = hash;
		names->numbers[slot] = names->count++;
	}
	*ret = names->numbers[slot];
	return true;
}

#endif
