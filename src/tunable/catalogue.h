/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rows of the catalogue, for tunable.c only: everyone else uses tunable/tunable.h.
 */
#ifndef IOSCHED_TUNABLE_CATALOGUE_H
#define IOSCHED_TUNABLE_CATALOGUE_H

#include "tunable/tunable.h"

extern const struct tunable catalogue_queue[];
extern const size_t catalogue_queue_count;
extern const struct tunable catalogue_iosched[];
extern const size_t catalogue_iosched_count;

#endif
