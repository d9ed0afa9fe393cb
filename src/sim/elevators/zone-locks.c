/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Zone locks: linear probing, with the gap closed at removal. */
#include "sim/elevators/zone-locks.h"

#include <errno.h>
#include <stdlib.h>

int zone_locks_init(struct zone_locks *locks, size_t max)
{
	size_t count = 16;

	while (count < max * 2)
		count *= 2;
	locks->slots = calloc(count, sizeof(locks->slots[0]));
	if (!locks->slots)
		return -ENOMEM;
	locks->mask = count - 1;
	return 0;
}

void zone_locks_done(struct zone_locks *locks)
{
	free(locks->slots);
	*locks = (struct zone_locks){ 0 };
}

static size_t home_of(const struct zone_locks *locks, uint64_t zone)
{
	return (size_t)((zone * UINT64_C(0x9e3779b97f4a7c15)) >> 20) & locks->mask;
}

static size_t find(const struct zone_locks *locks, uint64_t zone)
{
	size_t at = home_of(locks, zone);

	while (locks->slots[at] && locks->slots[at] != zone + 1)
		at = (at + 1) & locks->mask;
	return at;
}

bool zone_locks_is_locked(const struct zone_locks *locks, uint64_t zone)
{
	return locks->slots[find(locks, zone)] != 0;
}

void zone_locks_lock(struct zone_locks *locks, uint64_t zone)
{
	locks->slots[find(locks, zone)] = zone + 1;
}

void zone_locks_unlock(struct zone_locks *locks, uint64_t zone)
{
	size_t gap = find(locks, zone), at = gap;

	if (!locks->slots[gap])
		return;
	locks->slots[gap] = 0;
	for (;;) {
		size_t home;

		at = (at + 1) & locks->mask;
		if (!locks->slots[at])
			return;
		home = home_of(locks, locks->slots[at] - 1);
		/* Does the gap lie between the entry's home and the entry? */
		if (((at - home) & locks->mask) >= ((at - gap) & locks->mask)) {
			locks->slots[gap] = locks->slots[at];
			locks->slots[at] = 0;
			gap = at;
		}
	}
}
