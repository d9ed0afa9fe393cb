/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A trace's arrivals: I/Os that come when they come. */
#include "sim/simulate-internal.h"

#include <errno.h>
#include <inttypes.h>

#include "sim/traced.h"
#include "util/i18n.h"

/* The I/O priority of who has none, from a nice value of 0 (facts on ionice). */
#define LEVEL_DEFAULT 4

int simulate_read_arrival(struct simulation *sim)
{
	const struct simulate_options *options = sim->options;
	int r;

	sim->has_arrival = false;
	if (!sim->next || (options->ios_max && sim->submitted >= options->ios_max))
		return 0;
	r = sim->next(sim->source, &sim->arrival, sim->diag);
	if (r <= 0)
		return r;
	if (options->runtime_ns && sim->arrival.time_ns >= options->runtime_ns)
		return 0;
	if (sim->arrival.sector > sim->capacity_sectors ||
	    sim->arrival.sectors > sim->capacity_sectors - sim->arrival.sector)
		return diag_set(sim->diag, -EINVAL,
				_("an I/O at sector %" PRIu64 " lies beyond the end of the "
				  "device, which has %" PRIu64 " sectors"),
				sim->arrival.sector, sim->capacity_sectors);
	sim->has_arrival = true;
	return 0;
}

int simulate_take_arrival(struct simulation *sim)
{
	const struct trace_record *record = &sim->arrival;
	struct sim_device *device = &sim->devices[0];
	struct sim_bio bio = {
		.op = traced_op(record),
		.flags = traced_flags(record),
		.sector = record->sector,
		.sectors = record->sectors,
		.cpu = record->cpu % device->queue->cpus,
		.class = SIM_CLASS_BE,
		.pid = record->pid,
		.level = LEVEL_DEFAULT,
	};
	struct sim_io *io = pool_take(&sim->ios);
	int r;

	if (!io)
		return -ENOMEM;
	if (record->prio_class != TRACE_PRIO_NONE) {
		bio.class = (uint8_t)(record->prio_class - TRACE_PRIO_RT);
		bio.level = record->prio_level;
	}
	*io = (struct sim_io){
		.arrival_ns = record->time_ns,
		.sectors = record->sectors,
	};
	sim->submitted++;
	simulate_enter(sim, 0, sim->now_ns);
	if (sim->has_processors) {
		unsigned cpu = bio.cpu % sim->processors.machine.processors;

		simulate_enter(sim, cpu,
			       sim_processor_work(&sim->processors, cpu, sim->now_ns,
						  sim->cost->submit_ns));
	}
	r = simulate_submit(device, &bio, io);
	return r < 0 ? r : 0;
}
