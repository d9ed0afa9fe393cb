/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Processes by key, and those that nobody holds in the order in which they were let go. */
#include "sim/elevators/process-table.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define BUCKETS 4096 /* a power of two */

static struct process_entry **bucket_of(const struct process_table *table, uint64_t key)
{
	return &table->buckets[(key * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - 12)];
}

int process_table_init(struct process_table *table, size_t entry_size)
{
	_Static_assert(BUCKETS == 1 << 12, "bucket_of() takes twelve bits");
	assert(entry_size >= sizeof(struct process_entry));
	*table = (struct process_table){ .size = entry_size };
	sim_list_init(&table->unused);
	table->buckets = calloc(BUCKETS, sizeof(table->buckets[0]));
	return table->buckets ? 0 : -ENOMEM;
}

void process_table_done(struct process_table *table)
{
	for (size_t i = 0; i < table->count; i++)
		free(table->entries[i]);
	free(table->entries);
	free(table->buckets);
	*table = (struct process_table){ 0 };
}

struct process_entry *process_table_find(const struct process_table *table, uint64_t key)
{
	struct process_entry *entry = *bucket_of(table, key);

	while (entry && entry->key != key)
		entry = entry->hash_next;
	return entry;
}

static struct process_entry *add_entry(struct process_table *table)
{
	struct process_entry *entry;

	if (table->count == table->room) {
		size_t room = table->room ? 2 * table->room : 64;
		struct process_entry **entries =
			reallocarray(table->entries, room, sizeof(entries[0]));

		if (!entries)
			return NULL;
		table->entries = entries;
		table->room = room;
	}
	entry = calloc(1, table->size);
	if (!entry)
		return NULL;
	entry->index = (uint32_t)table->count;
	table->entries[table->count++] = entry;
	return entry;
}

/* The one that was let go of longest ago, zeroed. */
static struct process_entry *reuse_entry(struct process_table *table)
{
	struct process_entry *entry, **link;
	uint32_t index;

	if (sim_list_is_empty(&table->unused))
		return NULL;
	entry = SIM_ENTRY(table->unused.next, struct process_entry, unused);
	sim_list_remove(&entry->unused);
	link = bucket_of(table, entry->key);
	while (*link != entry)
		link = &(*link)->hash_next;
	*link = entry->hash_next;
	index = entry->index;
	memset(entry, 0, table->size);
	entry->index = index;
	return entry;
}

struct process_entry *process_table_get(struct process_table *table, uint64_t key)
{
	struct process_entry *entry = process_table_find(table, key), **bucket;

	if (entry)
		return entry;
	entry = table->count < PROCESS_TABLE_MAX ? add_entry(table) : reuse_entry(table);
	if (!entry)
		return NULL;
	bucket = bucket_of(table, key);
	entry->key = key;
	entry->hash_next = *bucket;
	*bucket = entry;
	sim_list_add_tail(&table->unused, &entry->unused);
	return entry;
}

void process_entry_hold(struct process_entry *entry)
{
	if (entry->holders++ == 0)
		sim_list_remove(&entry->unused);
}

void process_entry_release(struct process_table *table, struct process_entry *entry)
{
	assert(entry->holders > 0);
	if (--entry->holders == 0)
		sim_list_add_tail(&table->unused, &entry->unused);
}
