// SPDX-License-Identifier: GPL-2.0-or-later
/* fio's report: as fio 3.33 writes it, in stages, and what no fio would write. */
#include "test.h"

#include <errno.h>
#include <math.h>

#include "bench/fio-json.h"
#include "util/cleanup.h"

#define STREAM(ios, iops, bins)                                                      \
	"{\"total_ios\":" #ios ",\"io_bytes\":" #ios "000,\"iops\":" #iops            \
	",\"bw_bytes\":" #iops "000,\"runtime\":2000,\"lat_ns\":{\"min\":1,\"max\":900," \
	"\"mean\":150.0,\"N\":" #ios ",\"bins\":{" bins "}}}"
#define NOTHING "{\"total_ios\":0,\"io_bytes\":0,\"iops\":0.0,\"bw_bytes\":0,\"runtime\":0}"
#define JOB(name, read, write)                                              \
	"{\"jobname\":\"" name "\",\"error\":0,\"read\":" read ",\"write\":" write \
	",\"usr_cpu\":10.0,\"sys_cpu\":30.0,\"job_runtime\":2000}"

static const char two[] =
	"fio: a warning\nanother {one}\n"
	"{\"fio version\":\"fio-3.33\",\"jobs\":["
	JOB("a", STREAM(100, 50, "\"100\":90,\"200\":10"), NOTHING) ","
	JOB("b", STREAM(300, 150, "\"1000\":300"), STREAM(4, 2, "\"5\":4")) "]}\ntrailing";

static struct fio_result parse(const char *text, const unsigned *stages, size_t count)
{
	struct fio_result result;
	struct diag diag = { 0 };

	if (fio_json_parse(text, strlen(text), stages, count, &result, &diag))
		fail_msg("%s", diag.text);
	return result;
}

static void test_groups(void **state)
{
	_fio_result_ struct fio_result result = parse(two, NULL, 0);

	(void)state;
	assert_string_equal(result.version, "fio-3.33");
	assert_int_equal(result.group_count, 2);
	assert_string_equal(result.groups[1].name, "b");
	assert_int_equal(result.groups[0].streams[SIM_DIR_READ].ios, 100);
	assert_int_equal(result.groups[0].streams[SIM_DIR_READ].figures[FIGURE_P50], 100);
	/* a bucket is below 0.8 % wide */
	assert_in_range(result.groups[0].streams[SIM_DIR_READ].figures[FIGURE_P99], 200, 201);
	assert_int_equal(result.groups[0].streams[SIM_DIR_READ].figures[FIGURE_MAX], 900);
	assert_true(isnan(result.groups[0].streams[SIM_DIR_WRITE].figures[FIGURE_IOPS]));
}

/* Percentiles of all come from the bins of all, not from those of the groups. */
static void test_all_together(void **state)
{
	_fio_result_ struct fio_result result = parse(two, NULL, 0);
	const struct fio_stream *reads = &result.streams[SIM_DIR_READ];

	(void)state;
	assert_int_equal(reads->ios, 400);
	assert_int_equal(reads->bytes, 400000);
	assert_true(fabs(reads->figures[FIGURE_IOPS] - 200) < 1e-9);
	assert_in_range(reads->figures[FIGURE_P50], 1000, 1007);
	assert_int_equal(result.latency_ns[SIM_DIR_READ].count, 400);
	assert_int_equal(result.streams[SIM_DIR_WRITE].ios, 4);
	assert_true(fabs(result.totals[TOTAL_IOPS] - 202) < 1e-9);
	/* 40 % of two jobs' 2 s over 404 I/Os */
	assert_true(fabs(result.totals[TOTAL_CPU] - 1.6e9 / 404) < 1);
	assert_true(isnan(result.totals[TOTAL_FAIRNESS]));
}

/* As fio 3.33 has it of a queue of 512: what was submitted in the warm-up ends after it. */
static void test_after_a_warm_up(void **state)
{
	_fio_result_ struct fio_result result = parse(
		"{\"jobs\":[" JOB("r",
		"{\"io_bytes\":74981376,\"bw_bytes\":421243685,\"iops\":48544.94382,"
		"\"runtime\":178,\"total_ios\":8641,\"lat_ns\":{\"min\":401664,"
		"\"max\":28832288,\"mean\":10152598.064904,\"N\":9152}}", NOTHING) "]}",
		NULL, 0);
	const struct fio_stream *reads = &result.streams[SIM_DIR_READ];

	(void)state;
	assert_int_equal(reads->ios, 9152);
	assert_true(fabs(reads->figures[FIGURE_IOPS] * 8192 / reads->figures[FIGURE_BYTES] - 1) <
		    0.001);
	assert_false(result.groups[0].has_uncounted);
}

/* All of it ended within the warm-up: fio's latencies are 0, of no I/O. */
static void test_within_a_warm_up(void **state)
{
	_fio_result_ struct fio_result result = parse(
		"{\"jobs\":[" JOB("r",
		"{\"io_bytes\":104857600,\"bw_bytes\":979977570,\"iops\":119626.168224,"
		"\"runtime\":107,\"total_ios\":12800,\"lat_ns\":{\"min\":0,\"max\":0,"
		"\"mean\":0,\"N\":0}}", NOTHING) "]}",
		NULL, 0);
	const struct fio_stream *reads = &result.streams[SIM_DIR_READ];

	(void)state;
	assert_true(result.groups[0].has_uncounted);
	assert_int_equal(reads->ios, 0);
	assert_int_equal(reads->bytes, 0);
	for (unsigned i = 0; i < FIGURES; i++)
		assert_true(isnan(reads->figures[i]));
	assert_true(isnan(result.totals[TOTAL_IOPS]));
	assert_true(isnan(result.totals[TOTAL_CPU]));
}

/* They have latencies, but no time and no bytes of their own. */
static void test_syncs(void **state)
{
	static const char text[] =
		"{\"jobs\":[{\"jobname\":\"log\",\"error\":0,\"read\":" NOTHING ",\"write\":"
		STREAM(400, 200, "\"100\":400") ",\"sync\":{\"total_ios\":100,\"lat_ns\":{"
		"\"min\":1,\"max\":9000,\"mean\":5000.5,\"N\":100,"
		"\"bins\":{\"4000\":50,\"6000\":50}}}},"
		"{\"jobname\":\"r\",\"error\":0,\"read\":" STREAM(100, 50, "\"100\":100")
		",\"write\":" NOTHING ",\"sync\":{\"total_ios\":0,\"lat_ns\":{\"N\":0}}}]}";
	_fio_result_ struct fio_result result = parse(text, NULL, 0);
	const struct fio_stream *syncs = &result.streams[FIO_SYNCS];

	(void)state;
	assert_int_equal(syncs->ios, 100);
	assert_true(fabs(syncs->figures[FIGURE_IOPS] - 50) < 1e-9);
	assert_true(isnan(syncs->figures[FIGURE_BYTES]));
	assert_true(fabs(syncs->figures[FIGURE_MEAN] - 5000.5) < 1e-9);
	assert_int_equal(syncs->figures[FIGURE_MAX], 9000);
	assert_in_range(syncs->figures[FIGURE_P99], 6000, 6047);
	assert_int_equal(result.groups[0].streams[FIO_SYNCS].ios, 100);
	assert_int_equal(result.groups[1].streams[FIO_SYNCS].ios, 0);
	assert_true(isnan(result.groups[1].streams[FIO_SYNCS].figures[FIGURE_MEAN]));
	/* They are no I/Os of the whole. */
	assert_true(fabs(result.totals[TOTAL_IOPS] - 250) < 1e-9);
}

/* Stages that follow each other take as long as both. */
static void test_stages(void **state)
{
	const unsigned stages[] = { 0, 1 };
	_fio_result_ struct fio_result result = parse(two, stages, 2);

	(void)state;
	assert_true(fabs(result.streams[SIM_DIR_READ].figures[FIGURE_IOPS] - 100) < 1e-9);
}

static void test_an_error_of_a_job(void **state)
{
	_fio_result_ struct fio_result result =
		parse("{\"jobs\":[{\"jobname\":\"a\",\"error\":5},{\"error\":-7},{\"error\":\"x\"}]}",
		      NULL, 0);

	(void)state;
	assert_int_equal(result.groups[0].error, 5);
	assert_int_equal(result.groups[1].error, EIO);
	assert_int_equal(result.groups[2].error, 0);
}

static void refuses(const char *text, int wanted)
{
	struct fio_result result;
	struct diag diag = { 0 };

	assert_int_equal(fio_json_parse(text, strlen(text), NULL, 0, &result, &diag), wanted);
	assert_true(diag.text[0]);
}

static void test_what_is_no_report(void **state)
{
	_free_ char *many = malloc(FIO_GROUPS_MAX * 4 + 64);
	char *at = many;

	(void)state;
	refuses("", -EBADMSG);
	refuses("fio: no such device\n", -EBADMSG);
	refuses("{", -EBADMSG);
	refuses("{\"jobs\":{}}", -EBADMSG);
	refuses("{\"jobs\":[]}", -EBADMSG);
	refuses("{\"jobs\":[{},null]}", -EBADMSG);
	refuses("{\"jobs\":[[]]}", -EBADMSG);
	at += sprintf(at, "{\"jobs\":[{}");
	for (unsigned i = 0; i < FIO_GROUPS_MAX; i++)
		at += sprintf(at, ",{}");
	sprintf(at, "]}");
	refuses(many, -E2BIG);
}

/* Numbers that no disk can have are not known, and nothing adds up to more than all. */
static void test_hostile_numbers(void **state)
{
	_fio_result_ struct fio_result result = parse(
		"{\"jobs\":[{\"jobname\":[1],\"read\":{\"total_ios\":7,\"iops\":-3,"
		"\"io_bytes\":9223372036854775807,\"runtime\":1e300,\"bw_bytes\":\"x\","
		"\"lat_ns\":{\"N\":5,\"mean\":-1,\"bins\":{\"10\":-5,\"x\":3,\"99999999999999999999\":2,"
		"\"7\":9223372036854775807,\"20\":4}}},\"write\":7}]}",
		NULL, 0);
	const struct fio_stream *reads = &result.streams[SIM_DIR_READ];

	(void)state;
	assert_int_equal(reads->ios, 5);
	assert_int_equal(reads->bytes, 0);
	assert_true(isnan(reads->figures[FIGURE_IOPS]));
	assert_true(isnan(reads->figures[FIGURE_BYTES]));
	assert_true(isnan(reads->figures[FIGURE_MEAN]));
	assert_int_equal(result.latency_ns[SIM_DIR_READ].count, 4);
	assert_int_equal(reads->figures[FIGURE_P50], 20);
	assert_int_equal(result.streams[SIM_DIR_WRITE].ios, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_groups),
		cmocka_unit_test(test_all_together),
		cmocka_unit_test(test_after_a_warm_up),
		cmocka_unit_test(test_within_a_warm_up),
		cmocka_unit_test(test_stages),
		cmocka_unit_test(test_syncs),
		cmocka_unit_test(test_an_error_of_a_job),
		cmocka_unit_test(test_what_is_no_report),
		cmocka_unit_test(test_hostile_numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
