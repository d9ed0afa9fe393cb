/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a scheduler remembers about each process, by a key of its own making. A trace does
 * not say when a process ends, so the number of entries is bounded: the one that was let
 * go of first makes room for a new one.
 */
#ifndef IOSCHED_SIM_ELEVATORS_PROCESS_TABLE_H
#define IOSCHED_SIM_ELEVATORS_PROCESS_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "sim/list.h"

#define PROCESS_TABLE_MAX 65536

/* The first member of what the scheduler keeps. */
struct process_entry {
	struct process_entry *hash_next;
	struct sim_link unused; /* in the table's list while nobody holds it */
	uint64_t key;
	uint32_t index;
	uint32_t holders;
};

struct process_table {
	size_t size; /* of an entry with all that the scheduler keeps */
	struct process_entry **buckets;
	struct process_entry **entries;
	size_t count, room;
	struct sim_link unused; /* let go of longest ago first */
};

/* 0 or -ENOMEM. */
int process_table_init(struct process_table *table, size_t entry_size);
void process_table_done(struct process_table *table);

/* NULL when it is not known. */
struct process_entry *process_table_find(const struct process_table *table, uint64_t key);

/*
 * Finds or makes; a new one is zero but for its head (holders == 0 there, too). NULL:
 * no memory, or PROCESS_TABLE_MAX entries are held.
 */
struct process_entry *process_table_get(struct process_table *table, uint64_t key);

static inline struct process_entry *process_table_at(const struct process_table *table,
						     uint32_t index)
{
	return table->entries[index];
}

/* While it is held it stays. */
void process_entry_hold(struct process_entry *entry);
void process_entry_release(struct process_table *table, struct process_entry *entry);

#endif
