// SPDX-License-Identifier: GPL-2.0-or-later
/* fio job files: what jobs they become, what is told, what is refused and how. */
#include "test.h"

#include <errno.h>

#include "sim/workload/fio-file.h"
#include "util/file.h"

#define GIB UINT64_C(2097152) /* in sectors */
#define MIB UINT64_C(2048)

static struct workload workload;
static struct diag diag;
static char notes[4096];

static void note(void *context, unsigned line, const char *key, const char *why)
{
	size_t len = strlen(notes);

	(void)context;
	assert_true(why[0]);
	snprintf(notes + len, sizeof(notes) - len, "%u %s\n", line, key);
}

static int parse_on(const char *text, uint64_t capacity)
{
	const struct fio_file_options options = {
		.capacity_sectors = capacity, .on_note = note
	};

	workload_done(&workload);
	diag = (struct diag){ 0 };
	notes[0] = '\0';
	return fio_file_parse(text, strlen(text), "dir/jobs.fio", &options, &workload, &diag);
}

static void parse(const char *text)
{
	if (parse_on(text, 100 * GIB))
		fail_msg("%u: %s", diag.line, diag.text);
}

/* One job on a device. */
static const struct job_spec *job(const char *lines)
{
	char text[2048];

	snprintf(text, sizeof(text), "[j]\nfilename=/dev/sda\ndirect=1\n%s\n", lines);
	parse(text);
	assert_int_equal(workload.job_count, 1);
	return &workload.jobs[0];
}

static void refused(const char *lines, int error, unsigned line, const char *words)
{
	int r = parse_on(lines, 100 * GIB);

	if (r != error || diag.line != line || !strstr(diag.text, words))
		fail_msg("%d at %u: %s", r, diag.line, diag.text);
	assert_string_equal(diag.where, "dir/jobs.fio");
	assert_null(workload.jobs);
}

static int teardown(void **state)
{
	(void)state;
	workload_done(&workload);
	return 0;
}

static void expect_size(const struct job_spec *spec, enum sim_op op, unsigned i,
			unsigned sectors, double percent)
{
	assert_true(i < spec->size_count[op]);
	assert_int_equal(spec->sizes[op][i].sectors, sectors);
	assert_true(spec->sizes[op][i].percent == percent);
}

static void load(const char *name, uint64_t capacity)
{
	_free_ char *path = NULL, *text = NULL;
	size_t len;

	assert_true(asprintf(&path, "tests/fixtures/fio/%s", name) > 0);
	assert_int_equal(file_read(path, 1 << 20, &text, &len), 0);
	if (parse_on(text, capacity))
		fail_msg("%s:%u: %s", name, diag.line, diag.text);
}

/* --- whole files ---------------------------------------------------------------------- */

static void test_ssd_test(void **state)
{
	(void)state;
	load("ssd-test.fio", 100 * GIB);
	assert_int_equal(workload.job_count, 4);
	assert_string_equal(workload.name, "jobs.fio");
	assert_int_equal(workload.devices, 1);
	assert_true(workload.runtime_ns == UINT64_C(240000000000));
	for (unsigned i = 0; i < 4; i++) {
		const struct job_spec *spec = &workload.jobs[i];

		assert_int_equal(spec->stage, i);
		assert_int_equal(spec->iodepth, 4);
		assert_int_equal(spec->batch, 1);
		assert_true(spec->offset_sectors == 0 && spec->size_sectors == 10 * GIB);
		assert_int_equal(spec->pattern, i % 2 ? JOB_RANDOM : JOB_SEQUENTIAL);
		assert_true(spec->read_percent == (i < 2 ? 100 : 0));
		assert_int_equal(spec->is_sync, true);
		assert_int_equal(spec->class, SIM_CLASS_BE);
		assert_int_equal(spec->level, 4);
		assert_true(spec->runtime_ns == UINT64_C(60000000000));
	}
	assert_int_equal(workload.jobs[1].places.kind, DISTRIBUTION_EACH_ONCE);
	assert_non_null(strstr(notes, "9 directory\n"));
}

static void test_database(void **state)
{
	const struct job_spec *spec;

	(void)state;
	load("database.fio", 100 * GIB);
	assert_int_equal(workload.job_count, 3);
	assert_true(workload.warmup_ns == UINT64_C(10000000000));
	spec = &workload.jobs[0];
	assert_string_equal(spec->name, "pages");
	assert_int_equal(spec->numjobs, 8);
	assert_int_equal(spec->iodepth, 16);
	assert_true(spec->read_percent == 80);
	expect_size(spec, SIM_READ, 0, 16, 60);
	expect_size(spec, SIM_READ, 1, 32, 40);
	expect_size(spec, SIM_WRITE, 0, 32, 100);
	assert_int_equal(spec->places.kind, DISTRIBUTION_ZIPF);
	assert_true(spec->places.parameter > 0.89999 && spec->places.parameter < 0.90001);
	assert_true(spec->offset_sectors == 10 * GIB && spec->size_sectors == 70 * GIB);
	assert_true(spec->is_time_based);
	assert_true(spec->runtime_ns == UINT64_C(130000000000));
	spec = &workload.jobs[1];
	assert_int_equal(spec->iodepth, 1);
	assert_int_equal(spec->fsync_every, 1);
	assert_int_equal(spec->class, SIM_CLASS_RT);
	assert_int_equal(spec->level, 2);
	assert_true(spec->think_ns == 2000000);
	assert_int_equal(spec->think_every, 4);
	assert_false(spec->is_think_random);
	spec = &workload.jobs[2];
	assert_int_equal(spec->class, SIM_CLASS_IDLE);
	assert_true(spec->rate_iops == 50);
	assert_true(spec->start_ns == UINT64_C(30000000000));
	assert_int_equal(spec->places.kind, DISTRIBUTION_UNIFORM);
}

static void test_desktop(void **state)
{
	const struct job_spec *read, *write, *start;

	(void)state;
	load("desktop.fio", 4 * GIB);
	read = &workload.jobs[0];
	write = &workload.jobs[1];
	start = &workload.jobs[2];
	/* Readahead windows, the flusher, one at a time; files one behind the other. */
	expect_size(read, SIM_READ, 0, 256, 100);
	assert_int_equal(read->iodepth, 2);
	expect_size(write, SIM_WRITE, 0, 1024, 100);
	assert_true(write->shares_pid && !write->is_sync && write->fsyncs_at_end);
	expect_size(start, SIM_READ, 0, 8, 100);
	assert_int_equal(start->iodepth, 1);
	assert_true(read->offset_sectors == 0);
	assert_true(write->offset_sectors == 512 * MIB);
	assert_true(start->offset_sectors == 1024 * MIB);
	assert_true(start->offset_increment_sectors == 512 * MIB);
	assert_true(start->total_sectors == 64 * MIB);
	assert_true(start->think_ns == 300000);
	assert_non_null(strstr(notes, "5 direct\n"));
	assert_non_null(strstr(notes, "9 direct\n"));
	assert_null(strstr(notes, "14 direct\n"));
}

static void test_several_devices(void **state)
{
	(void)state;
	load("several-devices.fio", GIB);
	assert_int_equal(workload.devices, 3);
	assert_true(workload.jobs[0].spreads_devices);
	assert_true(workload.jobs[0].total_sectors == 3 * GIB);
	assert_int_equal(workload.jobs[1].device, 1);
	assert_false(workload.jobs[1].spreads_devices);
	assert_int_equal(workload.jobs[1].batch, 16);
	assert_int_equal(workload.jobs[1].drain, 64);
}

/* --- keys -------------------------------------------------------------------------------- */

static void test_patterns(void **state)
{
	(void)state;
	assert_int_equal(job("rw=readwrite")->pattern, JOB_SEQUENTIAL);
	assert_true(workload.jobs[0].read_percent == 50);
	assert_true(job("rw=randrw\nrwmixwrite=25")->read_percent == 75);
	assert_true(job("rwmixread=10\nrw=rw")->read_percent == 10);
	assert_true(job("rw=randtrim")->trim_percent == 100);
	assert_true(job("rw=trimwrite")->trims_first);
	assert_int_equal(job("rw=randread:8")->sequential_run, 8);
	assert_true(job("rw=write:8k")->skip_sectors == 16);
	assert_true(job("rw=read:-8k")->skip_sectors == -16);
	assert_true(job("")->read_percent == 100);
	assert_true(job("rw=randread\npercentage_random=30")->sequential_percent == 70);
}

static void test_sizes(void **state)
{
	const struct job_spec *spec = job("rw=randrw\nbs=4k,64k");

	(void)state;
	expect_size(spec, SIM_READ, 0, 8, 100);
	expect_size(spec, SIM_WRITE, 0, 128, 100);
	spec = job("rw=randrw\nbs=,1m");
	expect_size(spec, SIM_READ, 0, 8, 100);
	expect_size(spec, SIM_WRITE, 0, 2048, 100);
	spec = job("bsrange=4k-64k");
	assert_int_equal(spec->sizes[SIM_READ][0].sectors, 8);
	assert_int_equal(spec->sizes[SIM_READ][0].sectors_max, 128);
	spec = job("bssplit=4k/10:64k/:32k/40:8k");
	assert_int_equal(spec->size_count[SIM_READ], 4);
	expect_size(spec, SIM_READ, 0, 8, 10);
	expect_size(spec, SIM_READ, 1, 128, 25);
	expect_size(spec, SIM_READ, 2, 64, 40);
	expect_size(spec, SIM_READ, 3, 16, 25);
	spec = job("rw=randread\nbs=64k\nblockalign=4k");
	assert_true(spec->align_sectors == 8);
	assert_int_equal(spec->places.kind, DISTRIBUTION_UNIFORM);
}

static void test_units(void **state)
{
	(void)state;
	expect_size(job("bs=0x1000"), SIM_READ, 0, 8, 100);
	expect_size(job("bs=1MB"), SIM_READ, 0, 2048, 100);
	/* 4096 000: IEC prefixes are decimal in fio, unless kb_base says 1000. */
	assert_true(job("size=512MiB")->size_sectors == 1000000);
	assert_true(job("size=512MiB\nkb_base=1000")->size_sectors == 512 * MIB);
	assert_true(job("size=512m\nkb_base=1000")->size_sectors == 1000000);
	assert_true(job("size=1g ; one\nrw=read # two")->size_sectors == GIB);
	assert_true(job("startdelay=1500ms")->start_ns == 1500000000);
	assert_true(job("runtime=1h")->runtime_ns == UINT64_C(3600000000000));
	assert_true(job("thinktime=5")->think_ns == 5000);
	assert_true(job("thinktime=5ms")->think_ns == 5000000);
}

static void test_ranges(void **state)
{
	const struct job_spec *spec;

	(void)state;
	spec = job("offset=1g\nsize=2g\noffset_increment=3g\nnumjobs=4");
	assert_true(spec->offset_sectors == GIB && spec->size_sectors == 2 * GIB);
	assert_true(spec->offset_increment_sectors == 3 * GIB);
	assert_true(spec->total_sectors == 0);
	assert_true(job("size=1g\nio_size=3g")->total_sectors == 3 * GIB);
	assert_true(job("size=1g\nio_size=50%")->total_sectors == GIB / 2);
	assert_true(job("size=1g\nloops=4")->total_sectors == 4 * GIB);
	assert_true(job("number_ios=77")->total_ios == 77);
	assert_true(job("offset=60%\nsize=50%")->size_sectors == 40 * GIB);
}

static void test_depths(void **state)
{
	const struct job_spec *spec = job("iodepth=32\nioengine=sync");

	(void)state;
	assert_int_equal(spec->iodepth, 1);
	spec = job("iodepth=32\nioengine=libaio");
	assert_int_equal(spec->iodepth, 32);
	assert_int_equal(spec->batch, 1);
	assert_int_equal(spec->drain, 1);
	spec = job("iodepth=32\nioengine=libaio\niodepth_batch=0\niodepth_batch_complete=12");
	assert_int_equal(spec->batch, 32);
	assert_int_equal(spec->drain, 12);
}

static void test_rates(void **state)
{
	const struct job_spec *spec;

	(void)state;
	assert_true(job("rate_iops=500")->rate_iops == 500);
	spec = job("rate=1m\nbs=64k\nrate_process=poisson");
	assert_true(spec->rate_iops == 16 && spec->is_poisson);
	spec = job("rw=randrw\nrate_iops=300,100");
	assert_true(spec->rate_iops == 400 && spec->read_percent == 75);
	assert_true(job("rw=write\nrate_iops=300,100")->rate_iops == 100);
}

static void test_priorities(void **state)
{
	const struct job_spec *spec = job("prioclass=2");

	(void)state;
	assert_int_equal(spec->level, 0);
	spec = job("prio=7");
	assert_int_equal(spec->class, SIM_CLASS_BE);
	assert_int_equal(spec->level, 7);
	assert_int_equal(job("nice=-20")->level, 0);
	assert_int_equal(job("nice=19")->level, 7);
	assert_int_equal(job("cpus_allowed=3")->cpu, 3);
	assert_int_equal(job("cpumask=0x10")->cpu, 4);
	assert_int_equal(job("cpus_allowed=0-3,8")->cpu, -1);
	assert_string_equal(notes, "4 cpus_allowed\n");
}

static void test_distributions(void **state)
{
	const struct job_spec *spec;

	(void)state;
	assert_true(job("rw=randread\nrandom_distribution=zipf")->places.parameter == 1.1);
	assert_true(job("rw=randread\nrandom_distribution=pareto:0.5:0.3")->places.parameter ==
		    0.5);
	assert_int_equal(workload.jobs[0].places.kind, DISTRIBUTION_PARETO);
	spec = job("rw=randread\nrandom_distribution=zoned:60/10:30/20:8/30:2/40");
	assert_int_equal(spec->places.zone_count, 4);
	assert_true(spec->places.zones[1].access_percent == 30);
	assert_true(spec->places.zones[1].size_percent == 20);
}

static void test_syncs(void **state)
{
	const struct job_spec *spec;

	(void)state;
	assert_true(job("rw=write\nsync=1")->is_durable);
	assert_false(job("rw=write\nsync=none")->is_durable);
	spec = job("rw=randwrite\nbuffered=1\nfsync=16");
	assert_int_equal(spec->iodepth, 16);
	assert_int_equal(spec->batch, 16);
	assert_int_equal(spec->fsync_every, 16);
	assert_true(spec->is_sync && !spec->is_durable);
	spec = job("rw=randrw\ndirect=0\nsync=1\nioengine=libaio\niodepth=8");
	assert_int_equal(spec->iodepth, 1);
	assert_int_equal(spec->fsync_every, 1);
}

/* What is done per application I/O is kept per byte. */
static void test_page_cache(void **state)
{
	const struct job_spec *spec;

	(void)state;
	spec = job("direct=0\nbs=4k\nthinktime=10\nrate_iops=3200\nnumber_ios=320");
	expect_size(spec, SIM_READ, 0, 256, 100);
	assert_true(spec->think_ns == 320000);
	assert_int_equal(spec->think_every, 1);
	assert_true(spec->rate_iops == 100);
	assert_true(spec->total_ios == 0 && spec->total_sectors == 2560);
	spec = job("direct=0\nbs=2m\nthinktime=10");
	expect_size(spec, SIM_READ, 0, 2048, 100);
	assert_int_equal(spec->think_every, 2);
	assert_true(spec->think_ns == 10000);
	assert_int_equal(job("direct=0\nsize=64k")->sizes[SIM_READ][0].sectors, 128);
}

static void test_inheritance(void **state)
{
	(void)state;
	parse("[a]\nfilename=/dev/a\ndirect=1\n"
	      "[global]\nfilename=/dev/b\nbs=8k\ndirect=1\n[b]\n"
	      "[global]\nbs=16k\n[c]\nname=other\n[global-end]\niodepth=9\n[d]\nbs=512\n");
	assert_int_equal(workload.job_count, 4);
	expect_size(&workload.jobs[0], SIM_READ, 0, 8, 100);
	expect_size(&workload.jobs[1], SIM_READ, 0, 16, 100);
	expect_size(&workload.jobs[2], SIM_READ, 0, 32, 100);
	expect_size(&workload.jobs[3], SIM_READ, 0, 1, 100);
	assert_string_equal(workload.jobs[2].name, "other");
	assert_int_equal(workload.jobs[2].device, 1);
	assert_int_equal(workload.devices, 2);
}

static void test_shared_files(void **state)
{
	(void)state;
	parse("[global]\ndirect=1\n[a]\nfilename=data\nsize=1g\n[b]\nsize=1g\nnumjobs=3\n"
	      "[c]\nfilename=data\noffset=1g\nsize=1g\n[d]\nfilename=x\nsize=1g\n");
	assert_true(workload.jobs[0].offset_sectors == 0);
	assert_true(workload.jobs[2].offset_sectors == GIB);
	assert_true(workload.jobs[1].offset_sectors == 2 * GIB);
	assert_true(workload.jobs[1].offset_increment_sectors == GIB);
	assert_true(workload.jobs[3].offset_sectors == 5 * GIB);
}

/* --- refused ------------------------------------------------------------------------------- */

static void test_typo(void **state)
{
	(void)state;
	refused("[j]\nsize=1g\niodepht=4\n", -ENOTSUP, 3, "unknown key 'iodepht'");
	assert_non_null(strstr(diag.hint, "'iodepth'"));
	refused("[j]\nrw=randraed\n", -EINVAL, 2, "'randraed'");
	assert_non_null(strstr(diag.hint, "'randread'"));
}

static void test_unsupported(void **state)
{
	(void)state;
	refused("[j]\nsize=1g\nverify=crc32c\n", -ENOTSUP, 3, "verify");
	refused("[j]\nthinktime_iotime=1\n", -ENOTSUP, 2, "thinktime_iotime");
	refused("[j]\nread_iolog=x\n", -ENOTSUP, 2, "--trace");
	refused("[j]\ninclude other.fio\n", -ENOTSUP, 2, "include");
	refused("[j]\nexitall\n", -ENOTSUP, 2, "exitall");
	refused("[j]\nsize=$mb_memory\n", -ENOTSUP, 2, "$mb_memory");
	refused("[j]\nsize=(2*1024)\n", -ENOTSUP, 2, "(2*1024)");
	refused("[j]\nfilename=/dev/${DISK}\n", -ENOTSUP, 2, "${DISK}");
	refused("[j]\nsize=2z\n", -ENOTSUP, 2, "zones");
	refused("[j]\nioengine=mmap\n", -ENOTSUP, 2, "mmap");
	refused("[j]\nrw=randwrite\nsize=1g\n", -ENOTSUP, 1, "page cache");
	assert_non_null(strstr(diag.hint, "direct=1"));
	refused("[j]\nrandom_distribution=zoned_abs:1/1g\n", -ENOTSUP, 2, "zoned");
	refused("[j]\ndirect=1\nnrfiles=4\nsize=1g\n", -ENOTSUP, 1, "several files");
	refused("[j]\nfilename=/dev/a:/b\n", -ENOTSUP, 1, "at once");
	refused("[j]\nfilename=/dev/a:/dev/b\n[k]\nfilename=/dev/c\n", -ENOTSUP, 1, "round");
	refused("[j]\nsize=1g\ndirect=1\nrw=randrw\nrate_iops=5,0\n", -ENOTSUP, 1, "rate");
	refused("[j]\nsize=1g\nramp_time=5\n[k]\nsize=1g\n", -ENOTSUP, 4, "ramp_time");
	/* Values that change nothing are taken. */
	parse("[j]\nsize=1g\nverify=0\nzonemode=none\nexitall=0\nthinktime_iotime=0\n");
}

static void test_wrong(void **state)
{
	(void)state;
	refused("", -EINVAL, 0, "no job");
	refused("[global]\nbs=4k\n", -EINVAL, 0, "no job");
	refused("bs=4k\n[j]\n", -EINVAL, 1, "before");
	refused("[j\nsize=1g", -EINVAL, 1, "section");
	refused("[]\nsize=1g", -EINVAL, 1, "section");
	refused("[j]\nbs\n", -EINVAL, 2, "bs needs");
	refused("[j]\nbs=\n", -EINVAL, 2, "bs needs");
	refused("[j]\nbs=4x\n", -EINVAL, 2, "'4x'");
	refused("[j]\nbs=0\n", -EINVAL, 2, "between");
	refused("[j]\nsize=1g\nbs=1000\n", -EINVAL, 1, "sectors");
	refused("[j]\nbs=99999999999999999999\n", -EINVAL, 2, "bs");
	refused("[j]\nsize=9999999999p\n", -EINVAL, 2, "size");
	refused("[j]\nsize=101%\n", -EINVAL, 2, "size");
	refused("[j]\niodepth=0\n", -EINVAL, 2, "iodepth");
	refused("[j]\nrwmixread=101\n", -EINVAL, 2, "rwmixread");
	refused("[j]\nprio=8\n", -EINVAL, 2, "prio");
	refused("[j]\nruntime=5w\n", -EINVAL, 2, "5w");
	refused("[j]\nbssplit=4k/50:8k/60\n", -EINVAL, 2, "110");
	refused("[j]\nbssplit=4k/50:8k/40\n", -EINVAL, 2, "90");
	refused("[j]\nrandom_distribution=zipf:0\n", -EINVAL, 2, "zipf");
	refused("[j]\nrandom_distribution=zoned:50/50:20/50\n", -EINVAL, 2, "zones");
	refused("[j]\nbs=4k\n", -EINVAL, 1, "size");
	refused("[j]\nsize=60g\nnumjobs=2\n", -EINVAL, 1, "a device of 120G");
	refused("[j]\nsize=1g\nnumjobs=65537\n", -EINVAL, 3, "65537");
	refused("[j]\nsize=1m\nnumjobs=40000\n[k]\nsize=1m\nnumjobs=40000\n", -EINVAL, 0, "80000");
	refused("[j]\nfilename=/dev/a\ndirect=1\noffset=200g\n", -EINVAL, 1, "begins at sector 419430400 (200G)");
	refused("[j]\nfilename=/dev/a\ndirect=1\nsize=2k\n", -EINVAL, 1, "smaller");
	refused("[j]\nfilename=/dev/a\noffset_increment=1p\nnumjobs=60000\n", -EINVAL, 1, "");
	refused("[j]\nsize=1g\nrate=5\nrate_iops=5\n", -EINVAL, 1, "exclude");
}

static void test_caps(void **state)
{
	_free_ char *large = malloc((1 << 20) + 2);
	const struct fio_file_options options = { .capacity_sectors = GIB };
	char *end = large;

	(void)state;
	assert_non_null(large);
	memset(large, '\n', (1 << 20) + 1);
	assert_int_equal(fio_file_parse(large, (1 << 20) + 1, "x", &options, &workload, NULL),
			 -E2BIG);
	assert_int_equal(fio_file_parse("[j]\0", 4, "x", &options, &workload, NULL), -EINVAL);
	for (unsigned i = 0; i < 1025; i++)
		end += sprintf(end, "[j]\nfilename=/dev/a\n");
	assert_int_equal(fio_file_parse(large, (size_t)(end - large), "x", &options, &workload,
					NULL), -E2BIG);
	end = large + sprintf(large, "[j]\n");
	for (unsigned i = 0; i < 513; i++)
		end += sprintf(end, "size=1m\n");
	assert_int_equal(fio_file_parse(large, (size_t)(end - large), "x", &options, &workload,
					NULL), -E2BIG);
}

/* The table: in the order of the kinds, no name twice, a text for each. */
static void test_table(void **state)
{
	const struct fio_key *key, *other;
	enum fio_key_kind kind = FIO_UNDERSTOOD;
	size_t count = 0;

	(void)state;
	for (; (key = fio_key_get(count)); count++) {
		assert_true(key->text && key->text[0]);
		assert_true(key->kind >= kind);
		kind = key->kind;
		assert_ptr_equal(fio_key_find(key->name), key);
		if (key->alias)
			assert_ptr_equal(fio_key_find(key->alias), key);
		if (kind == FIO_UNDERSTOOD && key->value == FIO_BY_APPLY)
			assert_non_null(key->apply);
		for (size_t i = 0; i < count; i++) {
			other = fio_key_get(i);
			assert_string_not_equal(other->name, key->name);
		}
	}
	assert_true(count > 150);
	assert_int_equal(kind, FIO_REFUSED);
}

int main(void)
{
#define TEST(function) cmocka_unit_test_teardown(function, teardown)
	const struct CMUnitTest tests[] = {
		TEST(test_ssd_test),    TEST(test_database),      TEST(test_desktop),
		TEST(test_several_devices), TEST(test_patterns),  TEST(test_sizes),
		TEST(test_units),       TEST(test_ranges),        TEST(test_depths),
		TEST(test_rates),       TEST(test_priorities),    TEST(test_distributions),
		TEST(test_syncs),       TEST(test_page_cache),    TEST(test_inheritance),
		TEST(test_shared_files), TEST(test_typo),         TEST(test_unsupported),
		TEST(test_wrong),       TEST(test_caps),          TEST(test_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
