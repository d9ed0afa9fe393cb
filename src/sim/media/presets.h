/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The media that have a name; medium.c makes them. */
#ifndef IOSCHED_SIM_MEDIA_PRESETS_H
#define IOSCHED_SIM_MEDIA_PRESETS_H

#include "sim/media/media.h"

#define PRESET_VALUES_MAX 28

struct preset_value {
	const char *key; /* NULL: no more */
	double value;    /* of a choice of words: its number */
};

/* A row; what it does not say of the model has the model's initial value. */
struct preset {
	struct sim_medium_preset words;
	const char *class;
	const struct sim_media_ops *ops;
	uint64_t capacity_mb; /* 10^6 bytes, as sold */
	unsigned hw_queues, hw_depth;
	bool is_rotational;
	unsigned zone_mib;
	bool is_host_managed;
	struct preset_value values[PRESET_VALUES_MAX];
};

/* NULL past the end. */
const struct preset *preset_get(size_t index);

#endif
