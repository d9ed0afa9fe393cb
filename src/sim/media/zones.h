/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Zones that are written from the beginning to the end: where each is to be written next.
 * What a zone holds when a simulation begins is not known, so its first write may be
 * anywhere. A write at the beginning of a zone that has data stands for a reset before
 * it, as those who use such drives send one. A write that goes on into the next zone is
 * taken for the two that a kernel makes of it.
 */
#ifndef IOSCHED_SIM_MEDIA_ZONES_H
#define IOSCHED_SIM_MEDIA_ZONES_H

#include "sim/media/media.h"

#define ZONES_MAX 1000000 /* 8 MB of memory */

enum zone_write {
	ZONE_WRITE_ON,        /* where it is due, or there are no zones */
	ZONE_WRITE_ANEW,      /* at the beginning of a zone that held something */
	ZONE_WRITE_ELSEWHERE, /* not where it is due, or over the end of the device */
};

struct zones {
	uint64_t *next;         /* sector of each zone's next write */
	uint64_t count;         /* 0: no zones */
	uint32_t zone_sectors;
	uint64_t conventional;  /* the first so many are written anywhere */
};

/* -EINVAL with a diag: too many of them; -ENOMEM. */
int zones_init(struct zones *zones, const struct sim_medium *medium, double conventional_ratio,
	       struct diag *diag);
void zones_done(struct zones *zones);

/* A write: moves the pointer on unless it is ELSEWHERE. */
enum zone_write zones_write(struct zones *zones, uint64_t sector, uint32_t sectors);

/* The zones that begin in this extent are empty. */
void zones_reset(struct zones *zones, uint64_t sector, uint32_t sectors);

#endif
