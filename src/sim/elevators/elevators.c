/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of schedulers that the engine knows. */
#include "sim/elevators/elevators.h"

#include <string.h>

#include "util/cleanup.h"

static const struct sim_elevator_ops *const elevators[] = {
	&sim_elevator_none,
	&sim_elevator_noop,
	&sim_elevator_deadline,
	&sim_elevator_mq_deadline,
	&sim_elevator_kyber,
	&sim_elevator_cfq,
	&sim_elevator_anticipatory,
	&sim_elevator_fifo,
	&sim_elevator_sstf,
	&sim_elevator_scan,
	&sim_elevator_c_scan,
	&sim_elevator_look,
	&sim_elevator_c_look,
	&sim_elevator_bfq,
};

const struct sim_elevator_ops *sim_elevator_get(size_t index)
{
	return index < ARRAY_SIZE(elevators) ? elevators[index] : NULL;
}

const struct sim_elevator_ops *sim_elevator_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(elevators); i++) {
		if (strcmp(elevators[i]->name, name) == 0)
			return elevators[i];
	}
	return NULL;
}
