// SPDX-License-Identifier: GPL-2.0-or-later
/* Whole simulations of small workloads, and what the results say. */
#include "sim-fixture.h"

#include "sim/simulate.h"

struct source {
	const struct trace_record *records;
	size_t count, at;
};

static int next_record(void *data, struct trace_record *ret, struct diag *diag)
{
	struct source *source = data;

	(void)diag;
	if (source->at == source->count)
		return 0;
	*ret = source->records[source->at++];
	return 1;
}

struct dispatches {
	char order[8192];
	size_t len;
	uint64_t last_ns;
	enum sim_reason reasons[64];
	unsigned count;
};

static void keep_dispatch(void *context, const struct simulate_dispatch *dispatch)
{
	struct dispatches *kept = context;

	assert_true(dispatch->time_ns >= kept->last_ns);
	assert_int_equal(dispatch->number, kept->count + 1);
	kept->last_ns = dispatch->time_ns;
	if (kept->count < 64)
		kept->reasons[kept->count] = dispatch->reason;
	kept->count++;
	if (kept->len < sizeof(kept->order) - 32)
		kept->len += (size_t)snprintf(kept->order + kept->len, 32, "%s%c%llu",
					      kept->len ? " " : "", "RWDFN"[dispatch->op],
					      (unsigned long long)dispatch->sector);
}

static struct trace_record io(uint64_t time_ns, char op, uint64_t sector, uint32_t sectors)
{
	return (struct trace_record){
		.action = TRACE_IO,
		.op = op == 'R' ? TRACE_READ : TRACE_WRITE,
		.time_ns = time_ns,
		.sector = sector,
		.sectors = sectors,
		.pid = 1,
	};
}

static struct simulate_options options_for(const char *scheduler, unsigned major,
					   unsigned minor, unsigned depth,
					   struct dispatches *kept)
{
	return (struct simulate_options){
		.queue = {
			.kernel = { major, minor, 0 },
			.scheduler = scheduler,
			.hw_depth = depth,
			.hw_queues = 1,
			.cpus = 1,
			.hz = 250,
		},
		.service_ns = MS,
		.on_dispatch = keep_dispatch,
		.context = kept,
	};
}

static void run(const struct trace_record *records, size_t count,
		const struct simulate_options *options, struct simulate_result *ret)
{
	struct source source = { .records = records, .count = count };
	struct diag diag = { 0 };

	if (simulate_run(next_record, &source, options, ret, &diag))
		fail_msg("%s", diag.text);
}

/* The lesson: 17 requests wait when the device begins, one past its deadline. */
static void test_classic_lesson(void **state)
{
	static const unsigned reads[] = { 1000, 200, 8000, 500, 3000, 100, 6000, 1500 };
	static const unsigned writes[] = { 4000, 700, 9000, 300, 5000, 2000, 7000, 150 };
	struct dispatches kept = { 0 };
	struct simulate_options options = options_for("deadline", 4, 19, 1, &kept);
	static struct simulate_result result;
	struct trace_record records[17];

	(void)state;
	records[0] = io(0, 'R', 50000, 8);
	for (unsigned i = 0; i < 8; i++) {
		records[1 + i] = io(600 * MS, 'R', reads[i], 8);
		records[9 + i] = io(600 * MS, 'W', writes[i], 8);
	}
	options.hold_ns = 600 * MS;
	run(records, 17, &options, &result);
	assert_string_equal(kept.order, "R50000 R1000 R1500 R3000 R6000 R8000 "
					"W4000 W5000 W7000 W9000 "
					"R200 R500 R100 W700 W2000 W300 W150");
	assert_int_equal(kept.reasons[0], SIM_REASON_EXPIRED_READ);
	assert_int_equal(kept.reasons[1], SIM_REASON_OLDEST_READ);
	assert_int_equal(kept.reasons[2], SIM_REASON_BATCH);
	assert_int_equal(kept.reasons[6], SIM_REASON_STARVED_OLDEST);
	assert_int_equal(kept.reasons[13], SIM_REASON_OLDEST_WRITE);
	assert_true(result.end_ns == 617 * MS);
	assert_true(result.expired == 1);
	assert_true(result.directions[SIM_DIR_READ].ios == 9);
	assert_true(result.directions[SIM_DIR_READ].latency_ns.max >= 601 * MS);
}

static void test_every_scheduler_serves_all(void **state)
{
	static const char *const names[] = { "none", "mq-deadline", "kyber" };
	static struct trace_record records[2000];
	static struct simulate_result result;

	(void)state;
	for (unsigned i = 0; i < 2000; i++)
		records[i] = io(i * 10000, i % 3 ? 'R' : 'W', (i * 7919) % 100000 * 8, 8);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		for (unsigned depth = 1; depth <= 64; depth *= 8) {
			struct dispatches kept = { 0 };
			struct simulate_options options =
				options_for(names[i], 6, 12, depth, &kept);

			run(records, 2000, &options, &result);
			assert_true(result.directions[0].ios +
					    result.directions[1].ios == 2000);
			/* At best `depth` at a time for 1 ms each. */
			assert_true(result.end_ns >= 2000 / depth * MS);
			assert_true(result.directions[0].latency_ns.min >= MS);
		}
	}
}

static void test_same_again(void **state)
{
	static struct trace_record records[500];
	static struct simulate_result result[2];
	static struct dispatches kept[2];

	(void)state;
	memset(kept, 0, sizeof(kept));
	for (unsigned i = 0; i < 500; i++)
		records[i] = io(i / 7 * 100000, i % 2 ? 'R' : 'W', i * 31337 % 5000 * 8, 8);
	for (int i = 0; i < 2; i++) {
		struct simulate_options options = options_for("kyber", 6, 12, 4, &kept[i]);

		run(records, 500, &options, &result[i]);
	}
	assert_memory_equal(&kept[0], &kept[1], sizeof(kept[0]));
	assert_memory_equal(&result[0], &result[1], sizeof(result[0]));
}

/* Neighbours that arrive together are one request. */
static void test_merging(void **state)
{
	struct trace_record records[9];
	struct dispatches kept = { 0 };
	struct simulate_options options = options_for("mq-deadline", 6, 12, 1, &kept);
	static struct simulate_result result;

	(void)state;
	for (unsigned i = 0; i < 8; i++)
		records[i] = io(0, 'R', 1000 + i * 8, 8);
	records[8] = io(0, 'R', 992, 8);
	run(records, 9, &options, &result);
	assert_true(result.requests == 1);
	assert_true(result.directions[SIM_DIR_READ].ios == 9);
	assert_string_equal(kept.order, "R992");
}

/* Without a scheduler the plug decides: newest first from 5.16 to 6.11. */
/* Two processes that touch each other in one moment: neither sees the other's plug. */
static void test_plug_of_a_process(void **state)
{
	struct trace_record records[] = {
		io(0, 'R', 5000, 8), io(MS, 'R', 1000, 8), io(MS, 'R', 1008, 8),
		io(MS, 'R', 1016, 8),
	};
	struct dispatches kept = { 0 };
	struct simulate_options options = options_for("none", 6, 12, 4, &kept);
	static struct simulate_result result;

	(void)state;
	records[3].pid = 2;
	run(records, 4, &options, &result);
	assert_string_equal(kept.order, "R5000 R1000 R1016");
}

/* A request that becomes part of another gives its tag back. */
static void test_tags_of_merged_requests(void **state)
{
	struct trace_record records[70];
	struct dispatches kept = { 0 };
	struct simulate_options options = options_for("mq-deadline", 6, 12, 1, &kept);
	static struct simulate_result result;
	size_t count = 0;

	(void)state;
	/* Holes of one block, which are filled then. */
	for (unsigned i = 0; i < 33; i++)
		records[count++] = io(1 + i * 1000, 'R', 1000 + i * 16, 8);
	for (unsigned i = 0; i < 33; i++)
		records[count++] = io(MS / 2 + i * 1000, 'R', 1008 + i * 16, 8);
	/* So there is room for these, all at once. */
	for (unsigned i = 0; i < 4; i++)
		records[count++] = io(MS - 4 + i, 'R', 9000 - i * 1000, 8);
	options.queue.nr_requests = 34;
	options.hold_ns = MS;
	run(records, count, &options, &result);
	assert_string_equal(kept.order, "R1000 R6000 R7000 R8000 R9000");
}

static void test_none_and_the_plug(void **state)
{
	static const struct {
		unsigned major, minor;
		const char *order;
	} rows[] = {
		{ 5, 10, "R300 R100 R200" },
		{ 6, 1, "R200 R100 R300" },
		{ 6, 12, "R300 R100 R200" },
	};
	const struct trace_record records[] = { io(0, 'R', 300, 8), io(0, 'R', 100, 8),
						io(0, 'R', 200, 8) };
	static struct simulate_result result;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct dispatches kept = { 0 };
		struct simulate_options options =
			options_for("none", rows[i].major, rows[i].minor, 8, &kept);

		run(records, 3, &options, &result);
		assert_string_equal(kept.order, rows[i].order);
		assert_int_equal(kept.reasons[0], SIM_REASON_DIRECT);
	}
}

/* A class in flight holds the others back; nothing is forgotten at the end. */
static void test_classes(void **state)
{
	struct trace_record records[3] = { io(0, 'R', 100, 8), io(0, 'R', 200, 8),
					   io(0, 'R', 300, 8) };
	struct dispatches kept = { 0 };
	struct simulate_options options = options_for("mq-deadline", 6, 12, 8, &kept);
	static struct simulate_result result;

	(void)state;
	records[0].prio_class = TRACE_PRIO_IDLE;
	records[1].prio_class = TRACE_PRIO_BE;
	records[2].prio_class = TRACE_PRIO_RT;
	run(records, 3, &options, &result);
	assert_string_equal(kept.order, "R300 R200 R100");
	/* The BE request is found by the kernel's second look: no tag was missing. */
	assert_true(kept.last_ns > 2 * MS);
}

/* The nearer one is next, unless the other one is metadata. */
static void test_metadata(void **state)
{
	struct trace_record records[3] = { io(0, 'R', 5000, 8), io(MS / 2, 'R', 100, 8),
					   io(MS / 2, 'R', 9000, 8) };
	struct dispatches kept = { 0 };
	struct simulate_options options = options_for("cfq", 4, 19, 1, &kept);
	static struct simulate_result result;

	(void)state;
	run(records, 3, &options, &result);
	assert_string_equal(kept.order, "R5000 R9000 R100");
	records[1].flags = TRACE_FLAG_META;
	kept = (struct dispatches){ 0 };
	run(records, 3, &options, &result);
	assert_string_equal(kept.order, "R5000 R100 R9000");
}

static void test_several_hardware_queues(void **state)
{
	static const char *const names[] = { "none", "mq-deadline", "kyber" };
	static struct trace_record records[1000];
	static struct simulate_result result;

	(void)state;
	for (unsigned i = 0; i < 1000; i++) {
		records[i] = io(0, 'R', i * 1000, 8);
		records[i].cpu = i % 8;
		records[i].pid = i % 8;
	}
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		struct dispatches kept = { 0 };
		struct simulate_options options = options_for(names[i], 6, 12, 2, &kept);

		options.queue.hw_queues = 4;
		options.queue.cpus = 8;
		run(records, 1000, &options, &result);
		assert_true(result.directions[SIM_DIR_READ].ios == 1000);
		assert_true(result.end_ns >= 1000 / 8 * MS);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_classic_lesson),
		cmocka_unit_test(test_every_scheduler_serves_all),
		cmocka_unit_test(test_same_again),
		cmocka_unit_test(test_merging),
		cmocka_unit_test(test_plug_of_a_process),
		cmocka_unit_test(test_tags_of_merged_requests),
		cmocka_unit_test(test_none_and_the_plug),
		cmocka_unit_test(test_classes),
		cmocka_unit_test(test_metadata),
		cmocka_unit_test(test_several_hardware_queues),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
