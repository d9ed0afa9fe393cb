// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Simulated requests a second on three media, against a bare event queue that handles as
 * many events as the simulation does: an arrival and a completion for each request. Rounds
 * take turns, so that both see the same machine.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sim/simulate.h"
#include "util/cleanup.h"

#define ROUNDS   5
#define REQUESTS 500000
#define DEPTH    128
#define EVENTS   2 /* of a request */

static double now_s(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

static void die(const char *what)
{
	fprintf(stderr, "bench-media: %s\n", what);
	exit(1);
}

static double time_simulation(const char *scheduler, const struct sim_medium *medium)
{
	static struct simulate_result result;
	const struct sim_machine machine = { .processors = 1, .slowness = 1, .wake_ns = 10600 };
	struct simulate_options options = {
		.queue = { .kernel = { 6, 12, 0 }, .scheduler = scheduler, .cpus = 1, .hz = 250 },
		.medium = medium,
		.machine = &machine,
		.ios_max = REQUESTS,
		.seed = 1,
	};
	struct job_spec spec;
	struct workload workload = { .name = "bench", .jobs = &spec, .job_count = 1 };
	struct diag diag = { 0 };
	double begin = now_s(), time;

	job_spec_init(&spec, "bench");
	job_spec_set_size(&spec, SIM_READ, 8);
	spec.iodepth = DEPTH;
	spec.pattern = JOB_RANDOM;
	spec.read_percent = 100;
	spec.is_time_based = true;
	sim_medium_to_queue(medium, &options.queue);
	if (simulate_jobs(&workload, &options, &result, &diag) < 0)
		die(diag.text);
	time = now_s() - begin;
	if (result.directions[SIM_DIR_READ].ios != REQUESTS)
		die("not every request came back");
	simulate_result_done(&result);
	return time;
}

static double time_bare(void)
{
	struct event_queue events;
	struct sim_random random;
	struct sim_event event;
	double begin = now_s();

	event_queue_init(&events);
	sim_random_init(&random, 1, 1);
	for (unsigned i = 0; i < DEPTH; i++)
		if (event_queue_push(&events, sim_random_next(&random) >> 44, 0, NULL) < 0)
			die("out of memory");
	for (unsigned i = 0; i < REQUESTS * EVENTS; i++) {
		event_queue_pop(&events, &event);
		if (event_queue_push(&events,
				     event.time_ns + (sim_random_next(&random) >> 44), 0,
				     NULL) < 0)
			die("out of memory");
	}
	event_queue_done(&events);
	return now_s() - begin;
}

static int compare_doubles(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static double median(double *times)
{
	qsort(times, ROUNDS, sizeof(times[0]), compare_doubles);
	return times[ROUNDS / 2];
}

static void measure(const char *preset, const char *scheduler, const char *wanted)
{
	double ours[ROUNDS], bare[ROUNDS], time, reference;
	struct sim_medium medium;

	if (sim_medium_find(preset, &medium) < 0)
		die("no such medium");
	for (unsigned i = 0; i < ROUNDS; i++) {
		ours[i] = time_simulation(scheduler, &medium);
		bare[i] = time_bare();
	}
	time = median(ours);
	reference = median(bare);
	printf("bench\tsimulation, %s, %s, depth %u\t%.2f M requests/s\t"
	       "bare queue, %d events each %.1f M/s\t%.2f\t%s\n",
	       preset, scheduler, DEPTH, REQUESTS / time / 1e6, EVENTS,
	       REQUESTS / reference / 1e6, reference / time, wanted);
	fflush(stdout);
}

int main(void)
{
	static const struct {
		const char *preset, *scheduler, *wanted;
	} rows[] = {
		{ "nvme-enterprise", "none", ">=0.25" },
		{ "nvme-enterprise", "mq-deadline", ">=0.125" },
		{ "nvme-enterprise", "kyber", "-" },
		{ "nvme-enterprise", "bfq", ">=0.0625" },
		{ "sata-ssd", "none", "-" },
		{ "sata-ssd", "mq-deadline", "-" },
		{ "sata-ssd", "kyber", "-" },
		{ "sata-ssd", "bfq", "-" },
		{ "hdd-7200", "none", "-" },
		{ "hdd-7200", "mq-deadline", "-" },
		{ "hdd-7200", "kyber", "-" },
		{ "hdd-7200", "bfq", "-" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		measure(rows[i].preset, rows[i].scheduler, rows[i].wanted);
	return 0;
}
