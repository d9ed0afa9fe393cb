// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Job descriptions as fio job files, which the reader of job files has to understand as the
 * same again; and job files of persons, of which nothing goes through but I/O.
 */
#include "test.h"

#include <errno.h>

#include "bench/fio-job.h"
#include "util/cleanup.h"

#define CAPACITY (UINT64_C(1) << 26) /* sectors: 32 GiB */

static const struct fio_terms terms = { .filename = "/dev/sdx",
					.runtime_ns = 1500000000,
					.warmup_ns = 250000000,
					.seed = 9 };

static char *text_of(const struct workload *workload, const struct fio_terms *given,
		     struct strv *notes)
{
	struct text text = { 0 };
	struct diag diag = { 0 };

	if (fio_job_text(workload, given, &text, notes, &diag))
		fail_msg("%s: %s", workload->name, diag.text);
	return text.data;
}

static void has_line(const char *text, const char *line)
{
	_free_ char *whole = NULL;

	assert_true(asprintf(&whole, "\n%s\n", line) > 0);
	if (!strstr(text, whole))
		fail_msg("\"%s\" is not in:%s", line, text);
}

static void has_no(const char *text, const char *word)
{
	if (strstr(text, word))
		fail_msg("\"%s\" is in:%s", word, text);
}

/* Everything that a description can say. */
static void test_every_field(void **state)
{
	struct job_spec spec;
	const struct workload workload = { .name = "made", .jobs = &spec, .job_count = 1 };
	_strv_ struct strv notes = { 0 };
	_free_ char *text = NULL;

	(void)state;
	job_spec_init(&spec, "a job");
	job_spec_set_size(&spec, SIM_WRITE, 16);
	spec.sizes[SIM_READ][0] = (struct job_size){ 8, 8, 20 };
	spec.sizes[SIM_READ][1] = (struct job_size){ 32, 32, 80 };
	spec.size_count[SIM_READ] = 2;
	spec.numjobs = 3;
	spec.iodepth = 16;
	spec.batch = 4;
	spec.drain = 2;
	spec.pattern = JOB_RANDOM;
	spec.sequential_run = 4;
	spec.read_percent = 70;
	spec.places = (struct distribution_spec){ .kind = DISTRIBUTION_ZIPF, .parameter = 0.8 };
	spec.sequential_percent = 25;
	spec.offset_sectors = 2048;
	spec.size_sectors = 4096;
	spec.offset_increment_sectors = 8192;
	spec.total_sectors = 10240;
	spec.total_ios = 77;
	spec.start_ns = 1000000;
	spec.think_ns = 500000;
	spec.think_every = 2;
	spec.rate_iops = 100;
	spec.is_poisson = true;
	spec.level = 7;
	spec.is_sync = spec.is_durable = true;
	spec.fsync_every = 5;
	spec.fsyncs_at_end = true;
	spec.cpu = 1;
	text = text_of(&workload, &terms, &notes);
	for (const char *const *line = (const char *const[]){
		     "[a job]", "direct=1", "ioengine=libaio", "numjobs=3", "iodepth=16",
		     "iodepth_batch=4", "iodepth_batch_complete_min=2", "rw=randrw:4",
		     "rwmixread=70", "bssplit=4096/20:16384/80,8192/100,4096/20:16384/80",
		     "random_distribution=zipf:0.8", "percentage_random=75", "offset=1048576",
		     "size=2097152", "offset_increment=4194304", "io_size=5242880",
		     "number_ios=77", "startdelay=1000us", "thinktime=500", "thinktime_blocks=2",
		     "rate_iops=70,30,30", "rate_process=poisson", "prioclass=2", "prio=7",
		     "sync=1", "fsync=5", "end_fsync=1", "cpus_allowed=1", "filename=/dev/sdx",
		     "runtime=1500000us", "ramp_time=250000us", "thread=1", "randseed=9",
		     "unlink=0", "allow_file_create=0", NULL };
	     *line; line++)
		has_line(text, *line);
	has_no(text, "time_based");
	has_no(text, "norandommap");
	assert_int_equal(notes.count, 0);
}

static void test_one_at_a_time(void **state)
{
	struct job_spec spec;
	const struct workload workload = { .name = "made", .jobs = &spec, .job_count = 1 };
	struct fio_terms pinned = terms;
	_strv_ struct strv notes = { 0 };
	_free_ char *text = NULL;

	(void)state;
	job_spec_init(&spec, "a");
	job_spec_set_size(&spec, SIM_READ, 8);
	spec.sizes[SIM_READ][0].sectors_max = 64;
	spec.read_percent = 100;
	spec.skip_sectors = -16;
	spec.is_time_based = true;
	spec.class = SIM_CLASS_IDLE;
	spec.cpu = 3;
	pinned.cpus = "0-1";
	pinned.warmup_ns = 0;
	text = text_of(&workload, &pinned, &notes);
	has_line(text, "ioengine=psync");
	has_line(text, "rw=read:-8192");
	has_line(text, "bsrange=4096-32768,4096-32768,4096-32768");
	has_line(text, "prioclass=3");
	has_line(text, "time_based=1");
	has_line(text, "cpus_allowed=0-1");
	has_no(text, "cpus_allowed=3");
	has_no(text, "ramp_time");
}

static void test_what_fio_cannot_do(void **state)
{
	struct job_spec spec;
	const struct workload workload = { .name = "made", .jobs = &spec, .job_count = 1 };
	_strv_ struct strv notes = { 0 };
	_text_ struct text text = { 0 };
	struct diag diag = { 0 };

	(void)state;
	job_spec_init(&spec, "a");
	job_spec_set_size(&spec, SIM_WRITE, 8);
	spec.think_ns = 1000;
	spec.is_think_random = spec.shares_pid = true;
	spec.numjobs = 2;
	assert_int_equal(fio_job_text(&workload, &terms, &text, &notes, &diag), 0);
	assert_int_equal(notes.count, 3);
	spec.trim_percent = 50;
	assert_int_equal(fio_job_text(&workload, &terms, &text, &notes, &diag), -ENOTSUP);
	spec.trim_percent = 0;
	spec.device = 1;
	diag = (struct diag){ 0 };
	assert_int_equal(fio_job_text(&workload, &terms, &text, &notes, &diag), -ENOTSUP);
	spec.device = 0;
	spec.sizes[SIM_WRITE][1] = (struct job_size){ 8, 16, 50 };
	spec.size_count[SIM_WRITE] = 2;
	diag = (struct diag){ 0 };
	assert_int_equal(fio_job_text(&workload, &terms, &text, &notes, &diag), -ENOTSUP);
	assert_true(diag.text[0]);
}

static bool is_near(double a, double b)
{
	return a - b < 0.51 && b - a < 0.51;
}

/* Our own reader takes what was written for the same work. */
static void compare_again(const struct workload *workload)
{
	struct fio_file_options options = { .capacity_sectors = CAPACITY };
	struct fio_terms plain = terms;
	_strv_ struct strv notes = { 0 };
	_workload_ struct workload again = { 0 };
	_free_ char *text = NULL;
	struct diag diag = { 0 };

	plain.warmup_ns = 0;
	text = text_of(workload, &plain, &notes);
	if (fio_file_parse(text, strlen(text), "again", &options, &again, &diag))
		fail_msg("%s: line %u: %s%s", workload->name, diag.line, diag.text, text);
	assert_int_equal(again.job_count, workload->job_count);
	for (size_t i = 0; i < again.job_count; i++) {
		const struct job_spec *a = &workload->jobs[i], *b = &again.jobs[i];

		assert_string_equal(a->name, b->name);
		assert_int_equal(a->numjobs, b->numjobs);
		assert_int_equal(a->iodepth, b->iodepth);
		assert_int_equal(a->pattern, b->pattern);
		assert_true(is_near(a->read_percent, b->read_percent));
		assert_int_equal(a->offset_sectors, b->offset_sectors);
		assert_int_equal(a->size_sectors, b->size_sectors);
		assert_int_equal(a->offset_increment_sectors, b->offset_increment_sectors);
		assert_int_equal(a->is_time_based, b->is_time_based);
		assert_int_equal(a->class, b->class);
		assert_int_equal(a->places.kind, b->places.kind);
		assert_int_equal(a->fsync_every, b->fsync_every);
		assert_int_equal(a->think_ns, b->think_ns);
		for (unsigned op = 0; op < JOB_OPS; op++)
			for (unsigned n = 0; n < a->size_count[op]; n++)
				assert_int_equal(a->sizes[op][n].sectors, b->sizes[op][n].sectors);
	}
}

static void test_named_workloads(void **state)
{
	const struct workload_row *row;
	unsigned count = 0;

	(void)state;
	for (size_t i = 0; (row = workload_get(i)); i++) {
		_workload_ struct workload workload = { 0 };

		assert_int_equal(workload_find(row->name, CAPACITY, &workload), 0);
		if (fio_is_dd(&workload))
			continue;
		compare_again(&workload);
		count++;
	}
	assert_true(count >= 12);
}

static void test_dd(void **state)
{
	_workload_ struct workload workload = { 0 };
	_strv_ struct strv notes = { 0 };
	_free_ char *text = NULL;

	(void)state;
	assert_int_equal(workload_find("dd-both", CAPACITY, &workload), 0);
	assert_true(fio_is_dd(&workload));
	assert_true(fio_workload_writes(&workload));
	text = text_of(&workload, &terms, &notes);
	has_line(text, "bs=2m");
	has_line(text, "buffered=1");
	has_line(text, "rw=read");
	has_line(text, "rw=write");
	has_line(text, "end_fsync=1");
	has_line(text, "size=629145600");
	has_no(text, "direct=1");
	assert_int_equal(notes.count, 2);
	assert_true(text_starts_with(notes.items[0], "dd-read: ") &&
		    text_starts_with(notes.items[1], "dd-write: "));
}

static void test_what_writes(void **state)
{
	_workload_ struct workload reads = { 0 }, writes = { 0 };

	(void)state;
	assert_int_equal(workload_find("randread", CAPACITY, &reads), 0);
	assert_int_equal(workload_find("oltp", CAPACITY, &writes), 0);
	assert_false(fio_workload_writes(&reads));
	assert_true(fio_workload_writes(&writes));
	assert_false(fio_workload_trims(&writes));
	writes.jobs[0].trims_first = true;
	assert_true(fio_workload_trims(&writes));
	assert_false(fio_workload_is_staged(&writes));
	writes.jobs[writes.job_count - 1].stage = 1;
	assert_true(fio_workload_is_staged(&writes));
}

/* --- job files of persons ----------------------------------------------------------------- */

/* What becomes of it; NULL: refused. */
static char *adapt(const char *file, const struct fio_terms *given, struct strv *notes)
{
	char *items[] = { (char *)(uintptr_t) "/dev/sdx" };
	const struct strv names = { .items = items, .count = 1 };
	struct fio_file_options options = { .capacity_sectors = CAPACITY };
	_workload_ struct workload workload = { 0 };
	struct text text = { 0 };
	struct diag diag = { 0 };

	if (fio_file_parse(file, strlen(file), "file", &options, &workload, &diag))
		fail_msg("%s", diag.text);
	if (!fio_job_adapt(file, &workload, given, "/dev/", &names, &text, notes, &diag))
		return text.data;
	assert_int_equal(diag.error, -EINVAL);
	text_done(&text);
	return NULL;
}

static void test_only_io_goes_through(void **state)
{
	_strv_ struct strv notes = { 0 };
	_free_ char *text = adapt("[global]\n"
				  "filename=/dev/sdx ; ours\n"
				  "exec_prerun=rm -rf /\n"
				  "directory=/etc\n"
				  "unlink=1\nwrite_bw_log=/etc/passwd\nuid=0\nlockmem=1g\n"
				  "mem=mmap:/etc/shadow\n"
				  "  rw = randread  # so\n"
				  "[job]\nbs=8k\nzero_buffers\nrefill_buffers=1\n"
				  "exec_postrun=reboot\nioscheduler=noop\n",
				  &terms, &notes);

	(void)state;
	assert_non_null(text);
	has_line(text, "rw=randread");
	has_line(text, "bs=8k");
	has_line(text, "zero_buffers");
	has_line(text, "refill_buffers=1");
	has_line(text, "filename=/dev/sdx");
	has_line(text, "unlink=0");
	has_line(text, "runtime=1500000us");
	for (const char *const *word = (const char *const[]){
		     "exec", "rm -rf", "directory", "unlink=1", "log", "uid", "lockmem", "mem=",
		     "reboot", "noop", "passwd", "shadow", "#", ";", NULL };
	     *word; word++)
		has_no(text, *word);
	assert_int_equal(notes.count, 9);
	/* [global] has no terms of its own: one file name, after the job's keys. */
	assert_null(strstr(strstr(text, "filename=") + 1, "filename="));
	assert_true(strstr(text, "bs=8k") < strstr(text, "filename="));
}

static void test_other_devices(void **state)
{
	_strv_ struct strv notes = { 0 };
	_free_ char *other = adapt("[a]\nfilename=/dev/sdy\nrw=read\n", &terms, &notes);
	_free_ char *file = adapt("[a]\nfilename=some/file\nsize=1m\nrw=read\n", &terms, &notes);
	_free_ char *many = adapt("[a]\nfilename=/dev/sdx:/dev/sdy\nrw=read\n", &terms, &notes);
	_free_ char *inherited = adapt("[global]\nfilename=/dev/sdy\n[a]\nrw=read\n"
				       "filename=/dev/sdx\n", &terms, &notes);

	(void)state;
	assert_null(other);
	assert_null(many);
	assert_null(inherited);
	assert_non_null(file);
	has_no(file, "some/file");
}

/* The shorter time counts, unless the command line gives one. */
static void test_runtime(void **state)
{
	struct fio_terms given = terms;
	_strv_ struct strv notes = { 0 };
	_free_ char *own = adapt("[a]\nfilename=/dev/sdx\nrw=read\nruntime=1\n", &terms, &notes);
	_free_ char *longer = adapt("[a]\nfilename=/dev/sdx\nrw=read\nruntime=9\ntime_based\n",
				    &terms, &notes);
	_free_ char *asked = NULL;

	(void)state;
	given.is_runtime_given = true;
	asked = adapt("[a]\nfilename=/dev/sdx\nrw=read\nruntime=1\ntime_based\n", &given, &notes);
	has_line(own, "runtime=1000000us");
	has_line(longer, "runtime=1500000us");
	has_line(asked, "runtime=1500000us");
	has_line(asked, "time_based=1");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_field),
		cmocka_unit_test(test_one_at_a_time),
		cmocka_unit_test(test_what_fio_cannot_do),
		cmocka_unit_test(test_named_workloads),
		cmocka_unit_test(test_dd),
		cmocka_unit_test(test_what_writes),
		cmocka_unit_test(test_only_io_goes_through),
		cmocka_unit_test(test_other_devices),
		cmocka_unit_test(test_runtime),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
