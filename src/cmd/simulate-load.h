/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Does more come than the medium can do, or what it cannot do at all? */
#ifndef IOSCHED_CMD_SIMULATE_LOAD_H
#define IOSCHED_CMD_SIMULATE_LOAD_H

#include "cmd/simulate-case.h"

/*
 * I/O that comes whether or not what came before is done, of jobs with a rate or of a
 * trace, and for which no variant is quick enough: a notice for each, since its latencies
 * then say how long the run was. One outcome for each variant.
 */
void simulate_note_overload(const struct simulate_case *simulated,
			    const struct experiment_outcome *outcomes);
/* Writes that a zoned medium refuses: a notice, since their figures are of refusals. */
void simulate_note_refused(const struct simulate_case *simulated,
			   const struct experiment_outcome *outcomes);
/* Whether a trace, or the part of it that ran, took longer with each variant than to come. */
bool simulate_is_overloaded(const struct simulate_case *simulated,
			    const struct experiment_outcome *outcomes);

#endif
