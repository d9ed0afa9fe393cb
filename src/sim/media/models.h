/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The models; media.c has the table. */
#ifndef IOSCHED_SIM_MEDIA_MODELS_H
#define IOSCHED_SIM_MEDIA_MODELS_H

#include "sim/media/media.h"
#include "util/cleanup.h"

extern const struct sim_media_ops sim_media_null;

#endif
