/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs on a medium that takes a millisecond for each request, for a second. */
#ifndef IOSCHED_TESTS_JOBS_FIXTURE_H
#define IOSCHED_TESTS_JOBS_FIXTURE_H

#include "sim-fixture.h"

#include "sim/simulate.h"

#define JOBS_MAX 4

static struct job_spec specs[JOBS_MAX];
static struct workload workload;
static struct simulate_options options;
static struct simulate_result result;

static struct job_spec *add_job(const char *name, unsigned depth, double read_percent)
{
	struct job_spec *spec = &specs[workload.job_count++];

	job_spec_init(spec, name);
	spec->numjobs = 1;
	spec->iodepth = depth;
	spec->pattern = JOB_RANDOM;
	spec->read_percent = read_percent;
	spec->size_sectors = 1 << 20;
	spec->is_time_based = true;
	spec->is_sync = true;
	job_spec_set_size(spec, SIM_READ, 8);
	job_spec_set_size(spec, SIM_WRITE, 8);
	return spec;
}

static int set_up(void **state)
{
	(void)state;
	workload = (struct workload){ .name = "test", .jobs = specs };
	options = (struct simulate_options){
		.queue = {
			.kernel = { 6, 12, 0 },
			.scheduler = "mq-deadline",
			.hw_depth = 64,
			.hw_queues = 1,
			.cpus = 1,
			.hz = 250,
		},
		.service_ns = MS,
		.runtime_ns = 1000 * MS,
		.seed = 5,
	};
	return 0;
}

/* What was dispatched, a letter each. */
struct order {
	char text[256];
	size_t len;
};

static void keep_order(void *context, const struct simulate_dispatch *dispatch)
{
	struct order *order = context;

	if (order->len + 1 < sizeof(order->text))
		order->text[order->len++] = "RWDFN"[dispatch->op];
}

static void run(void)
{
	struct diag diag = { 0 };

	simulate_result_done(&result);
	if (simulate_jobs(&workload, &options, &result, &diag))
		fail_msg("%s", diag.text);
}

static int tear_down(void **state)
{
	(void)state;
	simulate_result_done(&result);
	return 0;
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

#endif
