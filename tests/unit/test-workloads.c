// SPDX-License-Identifier: GPL-2.0-or-later
/* The named workloads: each is valid and stays on the device, small or large. */
#include "test.h"

#include <errno.h>

#include "sim/workload/job.h"

#define MIB UINT64_C(2048)

static void check_job(const char *workload, const struct job_spec *spec, uint64_t capacity)
{
	for (unsigned instance = 0; instance < spec->numjobs; instance++) {
		struct diag diag = { 0 };
		struct job job;
		struct job_io io;

		if (job_init(&job, spec, instance, capacity, 1, &diag))
			fail_msg("%s/%s on %llu: %s", workload, spec->name,
				 (unsigned long long)capacity, diag.text);
		for (unsigned i = 0; i < 2000 && job_next(&job, &io); i++) {
			if (io.op == SIM_FLUSH)
				continue;
			assert_true(io.sectors > 0);
			assert_true(io.sector >= job.range_begin);
			assert_true(io.sector + io.sectors <= job.range_end);
			assert_true(job.range_end <= capacity);
		}
	}
}

static void check_all(uint64_t capacity)
{
	const struct workload_row *row;

	for (size_t i = 0; (row = workload_get(i)); i++) {
		_workload_ struct workload workload = { 0 };

		assert_int_equal(workload_find(row->name, capacity, &workload), 0);
		assert_string_equal(workload.name, row->name);
		assert_true(workload.job_count > 0);
		assert_int_equal(workload.devices, 1);
		for (size_t j = 0; j < workload.job_count; j++)
			check_job(row->name, &workload.jobs[j], capacity);
	}
}

static void test_all_sizes(void **state)
{
	(void)state;
	check_all(8 * MIB);
	check_all(64 * MIB);
	check_all(64 * MIB + 7);
	check_all(500 * 1024 * MIB);
	check_all(16 * 1024 * 1024 * MIB);
}

static void test_names(void **state)
{
	const struct workload_row *row, *other;
	size_t count = 0;

	(void)state;
	for (; (row = workload_get(count)); count++) {
		assert_true(row->summary && row->summary[0]);
		assert_true(strlen(row->name) < JOB_NAME_MAX);
		for (size_t i = 0; i < count; i++) {
			other = workload_get(i);
			assert_string_not_equal(other->name, row->name);
			assert_true(!row->alias || strcmp(other->name, row->alias) != 0);
			assert_true(!other->alias || strcmp(other->alias, row->name) != 0);
		}
	}
	assert_true(count >= 18);
}

/* It is the same workload, under its own name. */
static void test_alias(void **state)
{
	_workload_ struct workload workload = { 0 };

	(void)state;
	assert_int_equal(workload_find("sequential", 64 * MIB, &workload), 0);
	assert_string_equal(workload.name, "sequential-read");
	assert_true(workload.jobs[0].read_percent >= 100);
}

/* Names of jobs tell results apart. */
static void test_job_names(void **state)
{
	const struct workload_row *row;

	(void)state;
	for (size_t i = 0; (row = workload_get(i)); i++) {
		_workload_ struct workload workload = { 0 };

		assert_int_equal(workload_find(row->name, 4096 * MIB, &workload), 0);
		for (size_t a = 0; a < workload.job_count; a++)
			for (size_t b = 0; b < a; b++)
				assert_string_not_equal(workload.jobs[a].name,
							workload.jobs[b].name);
	}
}

static uint64_t count_sectors(const struct job_spec *spec, uint64_t capacity)
{
	uint64_t sectors = 0;
	struct job_io io;
	struct job job;

	assert_int_equal(job_init(&job, spec, 0, capacity, 1, NULL), 0);
	while (job_next(&job, &io))
		sectors += io.sectors;
	return sectors;
}

static void test_dd(void **state)
{
	uint64_t capacity = 100 * 1024 * MIB;
	_workload_ struct workload workload = { 0 };

	(void)state;
	assert_int_equal(workload_find("dd-both", capacity, &workload), 0);
	assert_int_equal(workload.job_count, 2);
	assert_true(count_sectors(&workload.jobs[0], capacity) == 600 * MIB);
	assert_true(count_sectors(&workload.jobs[1], capacity) == 600 * MIB);
	assert_true(workload.jobs[0].offset_sectors == 10 * 1024 * MIB);
	assert_true(workload.jobs[1].offset_sectors == 60 * 1024 * MIB);
	assert_false(workload.jobs[0].shares_pid);
	assert_true(workload.jobs[1].shares_pid);
	assert_false(workload.jobs[1].is_sync);
	assert_int_equal(workload.jobs[1].class, SIM_CLASS_BE);
}

static void test_oltp(void **state)
{
	_workload_ struct workload workload = { 0 };
	struct job_io io;
	struct job job;

	(void)state;
	assert_int_equal(workload_find("oltp", 100 * 1024 * MIB, &workload), 0);
	assert_int_equal(job_init(&job, &workload.jobs[2], 0, 100 * 1024 * MIB, 1, NULL), 0);
	for (unsigned i = 0; i < 100; i++) {
		assert_int_equal(job_next(&job, &io), 1);
		assert_int_equal(io.op, i % 2 ? SIM_FLUSH : SIM_WRITE);
	}
	assert_int_equal(workload.jobs[0].sizes[SIM_READ][0].sectors, 32);
	assert_int_equal(workload.jobs[0].numjobs, 16);
}

static void test_refused(void **state)
{
	_workload_ struct workload workload = { 0 };

	(void)state;
	assert_int_equal(workload_find("oltq", 64 * MIB, &workload), -ENOENT);
	assert_int_equal(workload_find("", 64 * MIB, &workload), -ENOENT);
	assert_int_equal(workload_find("oltp", 8 * MIB - 1, &workload), -EINVAL);
	assert_null(workload.jobs);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_sizes), cmocka_unit_test(test_names),
		cmocka_unit_test(test_alias),
		cmocka_unit_test(test_job_names), cmocka_unit_test(test_dd),
		cmocka_unit_test(test_oltp),      cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
