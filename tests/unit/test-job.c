// SPDX-License-Identifier: GPL-2.0-or-later
/* Running jobs: patterns, mixes, sizes, limits, flushes, pauses. */
#include "test.h"

#include <errno.h>
#include <math.h>

#include "sim/workload/job.h"

#define CAPACITY UINT64_C(1000000)

static struct job_spec spec;
static struct job job;

static int setup(void **state)
{
	(void)state;
	job_spec_init(&spec, "j");
	spec.read_percent = 100;
	for (enum sim_op op = SIM_READ; op < JOB_OPS; op++)
		job_spec_set_size(&spec, op, 8);
	return 0;
}

static void init(unsigned instance)
{
	struct diag diag = { 0 };

	if (job_init(&job, &spec, instance, CAPACITY, 42, &diag))
		fail_msg("%s", diag.text);
}

static struct job_io next(void)
{
	struct job_io io = { 0 };

	assert_int_equal(job_next(&job, &io), 1);
	return io;
}

static void expect(uint64_t sector, uint32_t sectors)
{
	struct job_io io = next();

	if (io.sector != sector || io.sectors != sectors)
		fail_msg("%llu + %u, expected %llu + %u", (unsigned long long)io.sector,
			 io.sectors, (unsigned long long)sector, sectors);
}

static void expect_end(void)
{
	struct job_io io;

	assert_int_equal(job_next(&job, &io), 0);
	assert_int_equal(job_next(&job, &io), 0);
}

static void test_sequential(void **state)
{
	(void)state;
	spec.offset_sectors = 100;
	spec.size_sectors = 24;
	init(0);
	expect(100, 8);
	expect(108, 8);
	expect(116, 8);
	expect_end();
	/* What is left at the end is too small. */
	spec.size_sectors = 30;
	init(0);
	for (unsigned i = 0; i < 3; i++)
		next();
	expect_end();
}

static void test_sequential_wraps(void **state)
{
	(void)state;
	spec.size_sectors = 20;
	spec.is_time_based = true;
	init(0);
	expect(0, 8);
	expect(8, 8);
	expect(0, 8);
	expect(8, 8);
	/* More than the range: as much as was asked for. */
	spec.is_time_based = false;
	spec.total_sectors = 24;
	init(0);
	expect(0, 8);
	expect(8, 8);
	expect(0, 8);
	expect_end();
}

static void test_skip(void **state)
{
	(void)state;
	spec.size_sectors = 64;
	spec.total_sectors = 40;
	spec.skip_sectors = 16;
	init(0);
	expect(0, 8);
	expect(24, 8);
	expect(48, 8);
	expect(0, 8);
	expect(24, 8);
	expect_end();
	/* Backwards, as fio's read:-8k with blocks of 4 KiB. */
	spec.skip_sectors = -16;
	init(0);
	expect(48, 8);
	expect(40, 8);
	expect(32, 8);
	spec.skip_sectors = INT64_MIN;
	init(0);
	expect(0, 8);
	expect(0, 8);
	spec.skip_sectors = INT64_MAX;
	init(0);
	expect(0, 8);
	expect(0, 8);
}

static void test_instances(void **state)
{
	(void)state;
	spec.numjobs = 4;
	spec.offset_sectors = 8;
	spec.offset_increment_sectors = 1000;
	spec.size_sectors = 500;
	init(3);
	expect(3008, 8);
	/* Equal seeds, other instance: other places. */
	spec.pattern = JOB_RANDOM;
	spec.offset_increment_sectors = 0;
	init(0);
	struct job_io first = next(), second = next();
	init(1);
	struct job_io other = next(), another = next();
	assert_true(first.sector != other.sector || second.sector != another.sector);
	init(0);
	assert_true(next().sector == first.sector && next().sector == second.sector);
}

static void test_mixed_directions_go_on_end(void **state)
{
	uint64_t at[JOB_OPS] = { 0 };

	(void)state;
	spec.read_percent = 40;
	spec.trim_percent = 20;
	spec.is_time_based = true;
	init(0);
	for (unsigned i = 0; i < 1000; i++) {
		struct job_io io = next();

		assert_true(io.sector == at[io.op]);
		at[io.op] += io.sectors;
	}
}

static void test_mix(void **state)
{
	unsigned counts[JOB_OPS] = { 0 };

	(void)state;
	spec.pattern = JOB_RANDOM;
	spec.read_percent = 70;
	spec.trim_percent = 10;
	spec.is_time_based = true;
	init(0);
	for (unsigned i = 0; i < 100000; i++)
		counts[next().op]++;
	assert_true(counts[SIM_READ] > 69000 && counts[SIM_READ] < 71000);
	assert_true(counts[SIM_DISCARD] > 9500 && counts[SIM_DISCARD] < 10500);
	assert_true(counts[SIM_WRITE] > 19300 && counts[SIM_WRITE] < 20700);
}

static void test_sizes(void **state)
{
	unsigned small = 0, middle = 0, large = 0;

	(void)state;
	spec.pattern = JOB_RANDOM;
	spec.is_time_based = true;
	spec.size_sectors = 65536;
	spec.sizes[SIM_READ][0] = (struct job_size){ 8, 8, 10 };
	spec.sizes[SIM_READ][1] = (struct job_size){ 128, 128, 50 };
	spec.sizes[SIM_READ][2] = (struct job_size){ 64, 64, 40 };
	spec.size_count[SIM_READ] = 3;
	init(0);
	for (unsigned i = 0; i < 100000; i++) {
		struct job_io io = next();

		small += io.sectors == 8;
		middle += io.sectors == 64;
		large += io.sectors == 128;
		assert_true(io.sector % 8 == 0);
		assert_true(io.sector + io.sectors <= 65536);
	}
	assert_int_equal(small + middle + large, 100000);
	assert_true(small > 9500 && small < 10600);
	assert_true(large > 48000 && large < 50500);
}

static void test_size_range(void **state)
{
	unsigned counts[9] = { 0 };

	(void)state;
	spec.sizes[SIM_READ][0] = (struct job_size){ 8, 64, 100 };
	spec.is_time_based = true;
	init(0);
	for (unsigned i = 0; i < 80000; i++) {
		struct job_io io = next();

		assert_true(io.sectors % 8 == 0 && io.sectors >= 8 && io.sectors <= 64);
		counts[io.sectors / 8]++;
	}
	for (unsigned i = 1; i <= 8; i++)
		assert_true(counts[i] > 9500 && counts[i] < 10500);
}

static void test_random(void **state)
{
	unsigned char seen[100] = { 0 };

	(void)state;
	spec.pattern = JOB_RANDOM;
	spec.places.kind = DISTRIBUTION_EACH_ONCE;
	spec.offset_sectors = 5;
	spec.size_sectors = 800;
	init(0);
	for (unsigned i = 0; i < 100; i++) {
		struct job_io io = next();

		assert_true(io.sector >= 5 && (io.sector - 5) % 8 == 0);
		assert_false(seen[(io.sector - 5) / 8]++);
	}
	expect_end();
}

static void test_align(void **state)
{
	bool has_last = false;

	(void)state;
	spec.pattern = JOB_RANDOM;
	spec.size_sectors = 1000;
	spec.align_sectors = 3;
	spec.is_time_based = true;
	init(0);
	for (unsigned i = 0; i < 20000; i++) {
		struct job_io io = next();

		assert_true(io.sector % 3 == 0 && io.sector + 8 <= 1000);
		has_last |= io.sector == 990;
	}
	assert_true(has_last);
}

static void test_runs(void **state)
{
	uint64_t end = 0;
	unsigned on_end = 0;

	(void)state;
	spec.pattern = JOB_RANDOM;
	spec.sequential_run = 4;
	spec.is_time_based = true;
	init(0);
	for (unsigned i = 0; i < 4000; i++) {
		struct job_io io = next();

		if (i % 4)
			assert_true(io.sector == end || io.sector == 0);
		else
			on_end += io.sector == end;
		end = io.sector + io.sectors;
	}
	assert_true(on_end < 10);

	spec.sequential_run = 0;
	spec.sequential_percent = 25;
	init(0);
	on_end = 0;
	for (unsigned i = 0; i < 40000; i++) {
		struct job_io io = next();

		on_end += io.sector == end;
		end = io.sector + io.sectors;
	}
	assert_true(on_end > 9500 && on_end < 10500);
}

static void test_limits(void **state)
{
	(void)state;
	spec.total_ios = 3;
	init(0);
	for (unsigned i = 0; i < 3; i++)
		next();
	expect_end();
	spec.pattern = JOB_RANDOM;
	spec.total_ios = 0;
	spec.total_sectors = 17;
	init(0);
	for (unsigned i = 0; i < 3; i++)
		next();
	expect_end();
}

static void test_flushes(void **state)
{
	static const enum sim_op order[] = {
		SIM_WRITE, SIM_WRITE, SIM_FLUSH, SIM_WRITE, SIM_WRITE, SIM_FLUSH, SIM_WRITE,
		SIM_FLUSH,
	};

	(void)state;
	spec.read_percent = 0;
	spec.is_sync = true;
	spec.fsync_every = 2;
	spec.fsyncs_at_end = true;
	spec.total_ios = 5;
	init(0);
	for (size_t i = 0; i < ARRAY_SIZE(order); i++) {
		struct job_io io = next();

		assert_int_equal(io.op, order[i]);
		assert_int_equal(io.waits_for_all, io.op == SIM_FLUSH);
		assert_int_equal(io.sectors, io.op == SIM_FLUSH ? 0 : 8);
	}
	expect_end();
}

static void test_flags(void **state)
{
	(void)state;
	spec.read_percent = 0;
	init(0);
	assert_int_equal(next().flags, 0);
	spec.is_sync = true;
	init(0);
	assert_int_equal(next().flags, SIM_REQUEST_SYNC);
	spec.is_durable = true;
	init(0);
	assert_int_equal(next().flags, SIM_REQUEST_SYNC | SIM_REQUEST_FUA);
	spec.read_percent = 100;
	init(0);
	assert_int_equal(next().flags, 0);
}

static void test_trims_first(void **state)
{
	(void)state;
	spec.read_percent = 0;
	spec.trims_first = true;
	spec.pattern = JOB_RANDOM;
	spec.is_time_based = true;
	init(0);
	for (unsigned i = 0; i < 100; i++) {
		struct job_io trim = next(), write = next();

		assert_int_equal(trim.op, SIM_DISCARD);
		assert_int_equal(write.op, SIM_WRITE);
		assert_true(trim.sector == write.sector && trim.sectors == write.sectors);
	}
}

static void test_room(void **state)
{
	(void)state;
	spec.iodepth = 8;
	init(0);
	assert_int_equal(job_room(&job, 0), 8);
	assert_int_equal(job_room(&job, 8), 0);
	assert_int_equal(job_room(&job, 7), 1);
	spec.drain = 3;
	init(0);
	assert_int_equal(job_room(&job, 6), 2);
	assert_int_equal(job_room(&job, 8), 0);
	assert_int_equal(job_room(&job, 6), 0);
	assert_int_equal(job_room(&job, 5), 3);
	assert_int_equal(job_room(&job, 7), 1);
	spec.drain = 8;
	init(0);
	assert_int_equal(job_room(&job, 8), 0);
	assert_int_equal(job_room(&job, 1), 0);
	assert_int_equal(job_room(&job, 0), 8);
}

static void test_think(void **state)
{
	double sum = 0.0;

	(void)state;
	spec.think_ns = 1000;
	spec.think_every = 3;
	spec.is_time_based = true;
	init(0);
	for (unsigned i = 1; i <= 9; i++) {
		next();
		assert_true(job_think_ns(&job) == (i % 3 ? 0 : 1000));
		assert_true(job_think_ns(&job) == 0);
	}
	spec.think_every = 0;
	spec.is_think_random = true;
	init(0);
	for (unsigned i = 0; i < 20000; i++) {
		next();
		sum += (double)job_think_ns(&job);
	}
	assert_true(fabs(sum / 20000 - 1000) < 40);
}

static void test_rate(void **state)
{
	uint64_t sum = 0;
	double squares = 0.0;

	(void)state;
	init(0);
	assert_true(job_gap_ns(&job) == 0);
	/* A third of a second: no drift over many. */
	spec.rate_iops = 3;
	init(0);
	for (unsigned i = 0; i < 3000000; i++)
		sum += job_gap_ns(&job);
	assert_true(sum >= UINT64_C(999999999999990) && sum <= UINT64_C(1000000000000010));
	spec.rate_iops = 1000;
	spec.is_poisson = true;
	init(0);
	sum = 0;
	for (unsigned i = 0; i < 50000; i++) {
		uint64_t gap = job_gap_ns(&job);

		sum += gap;
		squares += (double)gap * (double)gap;
	}
	/* An exponential's deviation is its mean. */
	assert_true(fabs((double)sum / 50000 / 1e6 - 1.0) < 0.02);
	assert_true(fabs(squares / 50000 / 2e12 - 1.0) < 0.05);
}

static void expect_refused(void)
{
	struct job_spec wrong = spec;
	struct diag diag = { 0 };

	assert_int_equal(job_init(&job, &wrong, 0, CAPACITY, 1, &diag), -EINVAL);
	assert_true(diag.text[0]);
	setup(NULL);
}

static void test_refused(void **state)
{
	(void)state;
	spec.numjobs = 0;
	expect_refused();
	spec.iodepth = 0;
	expect_refused();
	spec.iodepth = 4;
	spec.drain = 5;
	expect_refused();
	spec.read_percent = 101;
	expect_refused();
	spec.read_percent = 60;
	spec.trim_percent = 50;
	expect_refused();
	spec.size_count[SIM_READ] = 0;
	expect_refused();
	spec.sizes[SIM_READ][0].sectors = 0;
	expect_refused();
	spec.sizes[SIM_READ][0].percent = 99;
	expect_refused();
	spec.sizes[SIM_READ][0].sectors_max = JOB_SECTORS_MAX + 1;
	expect_refused();
	spec.offset_sectors = CAPACITY;
	expect_refused();
	spec.offset_sectors = CAPACITY - 8;
	spec.size_sectors = 9;
	expect_refused();
	spec.offset_sectors = 8;
	spec.size_sectors = UINT64_MAX;
	expect_refused();
	spec.size_sectors = 7;
	expect_refused();
	spec.rate_iops = -1;
	expect_refused();
	spec.pattern = JOB_RANDOM;
	spec.places.kind = DISTRIBUTION_PARETO;
	expect_refused();
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup(function, setup)
	const struct CMUnitTest tests[] = {
		TEST(test_sequential), TEST(test_sequential_wraps), TEST(test_skip),
		TEST(test_instances),  TEST(test_mixed_directions_go_on_end),
		TEST(test_mix),        TEST(test_sizes),
		TEST(test_size_range), TEST(test_random),
		TEST(test_align),      TEST(test_runs),
		TEST(test_limits),     TEST(test_flushes),
		TEST(test_flags),      TEST(test_trims_first),
		TEST(test_room),       TEST(test_think),
		TEST(test_rate),       TEST(test_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
