/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Zones with a write in flight. Up to 6.9 the scheduler lets one write at a time into a
 * sequential zone, so that their order is kept.
 */
#ifndef IOSCHED_SIM_ELEVATORS_ZONE_LOCKS_H
#define IOSCHED_SIM_ELEVATORS_ZONE_LOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An open hash of zone numbers; as many locks as there may be writes in flight. */
struct zone_locks {
	uint64_t *slots; /* zone + 1, 0 is free */
	size_t mask;     /* slots - 1; 0: not a zoned device */
};

/* Room for `max` locks at once. 0 or -ENOMEM. */
int zone_locks_init(struct zone_locks *locks, size_t max);
void zone_locks_done(struct zone_locks *locks);
bool zone_locks_is_locked(const struct zone_locks *locks, uint64_t zone);
void zone_locks_lock(struct zone_locks *locks, uint64_t zone);
void zone_locks_unlock(struct zone_locks *locks, uint64_t zone);

#endif
