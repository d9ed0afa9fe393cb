/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parameters of the engine's schedulers by name, as --set and --sweep give them.
 */
#ifndef IOSCHED_CMD_SIMULATE_PARAMETER_H
#define IOSCHED_CMD_SIMULATE_PARAMETER_H

#include <stdbool.h>

#include "sim/elevator.h"
#include "util/diag.h"

/* NULL for `ops` has none. */
bool simulate_has_parameter(const struct sim_elevator_ops *ops, const char *file);

/*
 * What to do about a parameter that nobody takes: who has it, else the nearest one and
 * who has that, else which there are. `owner` as typed, or NULL.
 */
void simulate_hint_parameter(struct diag *diag, const char *owner, const char *file);

#endif
