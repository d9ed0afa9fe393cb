// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Nothing is lost, doubled, early, too deep or forgotten: random workloads through every
 * scheduler of the table to every medium of the table. The rows say which wait the
 * algorithm promises not to exceed, and how long it may leave an idle device to itself
 * while something waits.
 *
 * CONSERVATION_SEEDS=N: so many seeds instead of 200. CONSERVATION_SEED=N: this one only.
 */
#include "conservation-settings.h"

#include "sim/elevator.h"

#define SEEDS_DEFAULT 200

/* --- what is promised ----------------------------------------------------------------- */

static bool has_tags_for_all(const struct run *run)
{
	return run->nr_requests >= run->io_count;
}

static uint64_t wait_ns(const struct io *io)
{
	return io->issue_ns - io->record.time_ns;
}

static bool is_sync(const struct io *io)
{
	return sim_request_is_sync(run_op_of(io),
				   io->record.flags & TRACE_FLAG_SYNC ? SIM_REQUEST_SYNC : 0);
}

/* Lower classes may starve, wherever there are classes. */
static bool is_top_class(const struct run *run, const struct io *io)
{
	enum trace_prio_class class = io->record.prio_class;

	if (class == TRACE_PRIO_NONE)
		class = TRACE_PRIO_BE;
	return run->top_class == TRACE_PRIO_NONE || class == run->top_class;
}

static bool passes_by(const struct run *run, const struct io *io)
{
	return run->requests[io->request].reason == SIM_REASON_BYPASS;
}

static unsigned hctx_of(const struct run *run, const struct io *io)
{
	const struct sim_queue_config *queue = &run->options.queue;

	return io->record.cpu % queue->cpus % queue->hw_queues;
}

/* Requests that came later in all their parts and were issued before, on the same queue. */
static unsigned overtakers(const struct run *run, const struct io *io)
{
	unsigned count = 0;

	for (unsigned i = io->issued_before; i < io->request; i++) {
		const struct issued *request = &run->requests[i];
		const struct io *oldest = &run->ios[request->oldest];

		count += oldest > io && request->reason != SIM_REASON_BYPASS &&
			 hctx_of(run, oldest) == hctx_of(run, io);
	}
	return count;
}

/* How many of its kind were there before it, and not issued. */
static unsigned ahead(const struct run *run, const struct io *io,
		      bool (*is_alike)(const struct io *a, const struct io *b))
{
	unsigned count = 0;

	for (const struct io *older = run->ios; older < io; older++)
		count += older->issue_ns >= io->record.time_ns && is_alike(older, io);
	return count;
}

static bool is_same_direction(const struct io *a, const struct io *b)
{
	return sim_op_dir(run_op_of(a)) == sim_op_dir(run_op_of(b));
}

static bool is_same_kind(const struct io *a, const struct io *b)
{
	return is_sync(a) == is_sync(b);
}

static bool is_same_process(const struct io *a, const struct io *b)
{
	return is_sync(a) && is_sync(b) && a->record.pid == b->record.pid;
}

/* Requests of a reason while it waited, its own included. In the moment of its arrival it may
 * not have been with the scheduler yet. */
static unsigned count_reason(const struct run *run, const struct io *io, enum sim_reason reason)
{
	unsigned count = 0;

	for (unsigned i = io->issued_before; i <= io->request; i++)
		count += run->requests[i].reason == reason &&
			 (i == io->request || run->requests[i].time_ns > io->record.time_ns);
	return count;
}

/* In their order: none that came later goes before. */
static bool is_in_order(const struct run *run, const struct io *io)
{
	return !has_tags_for_all(run) || overtakers(run, io) == 0;
}

/*
 * none: in order on each software queue; a busy device takes one from each of them in
 * turn. Up to 6.11 a plug's requests go newest first.
 */
static bool is_in_order_by_cpu(const struct run *run, const struct io *io)
{
	unsigned most = (io->older + 1) * (run->options.queue.cpus - 1);

	if (run->options.queue.kernel.major == 6 && run->options.queue.kernel.minor < 12)
		most += 64;
	return !has_tags_for_all(run) || overtakers(run, io) <= most;
}

/* A sweep comes by before it has turned twice: what arrives behind the head is met at
 * the latest on the way back. */
static bool is_met_by_sweep(const struct run *run, const struct io *io)
{
	unsigned turns = count_reason(run, io, SIM_REASON_TURN) +
			 count_reason(run, io, SIM_REASON_EDGE) +
			 count_reason(run, io, SIM_REASON_WRAP) +
			 count_reason(run, io, SIM_REASON_EDGE_WRAP);

	return !has_tags_for_all(run) || turns <= 1;
}

/*
 * deadline: once it is late, every new batch of its direction begins with the oldest,
 * which is this one or one of those before it; a batch of reads may be followed by one of
 * writes, one of writes by writes_starved + 1 of reads. Before 5.12 the kernel takes up to
 * nr_requests ahead. From 6.0 on, where several classes have requests, the look for aged ones
 * begins batches of the lower classes that count for all: nothing is promised then.
 */
static bool is_soon_after_expiry(const struct run *run, const struct io *io)
{
	const struct sim_queue_config *queue = &run->options.queue;
	bool is_read = run_op_of(io) == SIM_READ;
	uint64_t batch = value_of(run, "fifo_batch", 16);
	uint64_t others = is_read ? 2 : value_of(run, "writes_starved", 2) + 2;
	uint64_t expire_ms = is_read ? value_of(run, "read_expire", 500) :
				       value_of(run, "write_expire", 5000);
	uint64_t late_ns = io->record.time_ns + expire_ms * MS +
			   3 * (UINT64_C(1000000000) / queue->hz);
	uint64_t after = 0;

	if (!has_tags_for_all(run) || queue->zone_sectors ||
	    (run->top_class != TRACE_PRIO_NONE && queue->kernel.major >= 5))
		return true;
	for (unsigned i = io->issued_before; i < io->request; i++)
		after += run->requests[i].time_ns > late_ns &&
			 run->requests[i].reason != SIM_REASON_BYPASS;
	return after <= (ahead(run, io, is_same_direction) + 2) * others * batch + 2 +
				(queue->kernel.major < 6 ? run->nr_requests : 0);
}

static bool is_same_domain(const struct run *run, const struct io *a, const struct io *b)
{
	return run_op_of(a) == run_op_of(b) && hctx_of(run, a) == hctx_of(run, b) &&
	       !passes_by(run, a) && !passes_by(run, b);
}

/*
 * When the processors' lists of its domain were last gathered before it went: at the first
 * dispatch of the domain after all those that were there before it had gone.
 */
static uint64_t gathered_ns(const struct run *run, const struct io *io)
{
	uint64_t gone_ns = 0;

	for (const struct io *older = run->ios; older < io; older++) {
		if (is_same_domain(run, older, io) && older->issue_ns > gone_ns)
			gone_ns = older->issue_ns;
	}
	for (unsigned i = 0; i < io->request; i++) {
		const struct io *other = &run->ios[run->requests[i].oldest];

		if (is_same_domain(run, other, io) && run->requests[i].time_ns > gone_ns)
			return run->requests[i].time_ns;
	}
	return io->issue_ns;
}

/*
 * kyber: processors' lists are gathered one after the other, when all that was gathered
 * before has gone; what comes after that is behind. Each one waits for a token, which comes
 * free with a completion of the domain, and for its domain's turn: at most a batch of 16,
 * 8, 1 and 1 of the others, each of which waits for room at the device.
 */
static bool is_soon_by_domain(const struct run *run, const struct io *io)
{
	uint64_t last_ns = gathered_ns(run, io);
	unsigned before = 0;

	if (!has_tags_for_all(run))
		return true;
	for (const struct io *older = run->ios; older < io; older++)
		before += older->issue_ns >= io->record.time_ns &&
			  is_same_domain(run, older, io);
	for (unsigned i = io->issued_before; i < io->request; i++) {
		const struct io *oldest = &run->ios[run->requests[i].oldest];

		if (oldest <= io || !is_same_domain(run, oldest, io))
			continue;
		before++;
		if (oldest->record.time_ns > last_ns)
			return false;
	}
	return wait_ns(io) <= (before + 1) * 28 * (run->longest_service_ns + 1) + 10 * MS;
}

/* How many queues there can be: a sync one for each process, an async one for each of their
 * levels. */
static uint64_t process_queues(const struct run *run)
{
	return 2 * (uint64_t)run->processes;
}

/*
 * cfq: a sync queue of the highest class comes after all the others, which may be ahead by
 * the difference of their slices once each; in each of its slices the oldest request goes
 * first once it is late. Requests of others may take its place, each for a slice. Async
 * requests yield to every sync one: nothing is promised to them.
 */
static bool is_soon_by_slices(const struct run *run, const struct io *io)
{
	uint64_t slice_ms = 2 * value_of(run, "slice_sync", 100) +
			    2 * value_of(run, "slice_async", 40) +
			    value_of(run, "slice_idle", 8) + value_of(run, "group_idle", 8);
	uint64_t drain_ns = run->options.queue.hw_depth * run->longest_service_ns;
	uint64_t turns = 3 * process_queues(run) +
			 count_reason(run, io, SIM_REASON_SLICE_TAKEN);

	if (!is_sync(io) || !is_top_class(run, io) || !has_tags_for_all(run))
		return true;
	return wait_ns(io) <= (value_of(run, "fifo_expire_sync", 125) * MS) +
				      (ahead(run, io, is_same_process) + 1) * turns * (slice_ms * MS + 2 * drain_ns);
}

/*
 * anticipatory: the kinds take turns by their batches' times. Within a batch the oldest goes
 * first once in its expiry time, if it is late; but every batch begins that time anew, so
 * that this is promised only where batches last longer. Otherwise it is the sweep that
 * comes by some time.
 */
static bool is_soon_by_batches(const struct run *run, const struct io *io)
{
	uint64_t drain_ns = (run->options.queue.hw_depth + 1) * run->longest_service_ns;
	uint64_t read_ms = value_of(run, "read_batch_expire", 500);
	uint64_t write_ms = value_of(run, "write_batch_expire", 125);
	uint64_t expire_ms = is_sync(io) ? value_of(run, "read_expire", 125) :
					   value_of(run, "write_expire", 250);
	uint64_t round_ns = (read_ms + write_ms + 4 * value_of(run, "antic_expire", 20) + 40) * MS +
			    4 * drain_ns;
	uint64_t last_ns = io->record.time_ns;

	if (!has_tags_for_all(run))
		return true;
	for (unsigned i = io->issued_before; i <= io->request; i++) {
		const struct issued *request = &run->requests[i];

		if (!is_same_kind(&run->ios[request->oldest], io))
			continue;
		if (request->time_ns > last_ns + round_ns)
			return false;
		last_ns = request->time_ns;
	}
	if ((is_sync(io) ? read_ms : write_ms) <= expire_ms + 20 + drain_ns / MS)
		return true;
	return wait_ns(io) <= (ahead(run, io, is_same_kind) + 2) * (round_ns + expire_ms * MS);
}

/*
 * bfq: by B-WF2Q+ a queue gets its budget by the time that all others had theirs in
 * proportion to their weights: levels make 8 of it, raising 30, the async charge 3; a
 * budget ends with its timeout at the latest. For the highest class.
 */
static bool is_soon_by_weight(const struct run *run, const struct io *io)
{
	uint64_t turn_ms = value_of(run, "timeout_sync", 125) + 2 * value_of(run, "slice_idle", 8);
	uint64_t drain_ns = (run->options.queue.hw_depth + 1) * run->longest_service_ns;

	return !is_top_class(run, io) || !has_tags_for_all(run) ||
	       wait_ns(io) <= (ahead(run, io, is_same_process) + 1) * process_queues(run) * 8 * 30 * 3 *
				      (turn_ms * MS + drain_ns);
}

/* The nearest first, for ever: only that the work ends. */
static bool may_starve(const struct run *run, const struct io *io)
{
	(void)run;
	(void)io;
	return true;
}

/* --- idling --------------------------------------------------------------------------- */

static uint64_t never(const struct run *run)
{
	(void)run;
	return 0;
}

/* The queue looks again after 3 ms, in whole ticks; tokens come with completions. */
static uint64_t second_look(const struct run *run)
{
	return 3 * MS + 2 * (UINT64_C(1000000000) / run->options.queue.hz);
}

/* Ticks of the wait, once for each process that takes another's place. */
static uint64_t antic_idle(const struct run *run)
{
	return (value_of(run, "antic_expire", 10) + 2) * MS +
	       3 * (UINT64_C(1000000000) / run->options.queue.hz);
}

static uint64_t slice_idle(const struct run *run)
{
	uint64_t slice_ms = value_of(run, "slice_idle", 8), group_ms = value_of(run, "group_idle", 8);

	return (slice_ms > group_ms ? slice_ms : group_ms) * MS;
}

static uint64_t bfq_idle(const struct run *run)
{
	uint64_t idle_ms = value_of(run, "slice_idle", 8);

	/* strict_guarantees: at least the default. Raised queues are waited for longer. */
	if (idle_ms < 8 && value_of(run, "strict_guarantees", 0))
		idle_ms = 8;
	if (idle_ms > 0 && idle_ms < 20)
		idle_ms = 20;
	/*
	 * Since 5.17 the process that is waited for may itself wait for a tag of its part, and
	 * this tag be held by who is served next.
	 */
	if (!has_tags_for_all(run) &&
	    kernel_version_compare(run->options.queue.kernel,
				   (struct kernel_version){ 5, 17, 0 }) >= 0)
		idle_ms *= 2;
	return idle_ms * MS + 3 * (UINT64_C(1000000000) / run->options.queue.hz);
}

/* --- the rows ------------------------------------------------------------------------- */

static const struct kernel_version mq_kernels[] = {
	{ 5, 10, 0 }, { 6, 1, 0 }, { 6, 12, 0 }, { 7, 2, 0 },
};

static const struct row {
	const char *name;
	struct kernel_version kernel; /* 0: one of those of blk-mq */
	void (*set)(struct run *run);
	bool (*is_kept)(const struct run *run, const struct io *io);
	uint64_t (*idle_ns)(const struct run *run);
} rows[] = {
	{ "none", { 0 }, set_nothing, is_in_order_by_cpu, second_look },
	{ "noop", { 4, 18, 0 }, set_nothing, is_in_order, never },
	{ "deadline", { 4, 18, 0 }, set_deadline, is_soon_after_expiry, never },
	{ "mq-deadline", { 0 }, set_deadline, is_soon_after_expiry, second_look },
	{ "kyber", { 0 }, set_kyber, is_soon_by_domain, second_look },
	{ "bfq", { 0 }, set_bfq, is_soon_by_weight, bfq_idle },
	{ "cfq", { 4, 18, 0 }, set_cfq, is_soon_by_slices, slice_idle },
	{ "anticipatory", { 2, 6, 32 }, set_anticipatory, is_soon_by_batches, antic_idle },
	{ "fifo", { 6, 12, 0 }, set_textbook, is_in_order, never },
	{ "sstf", { 6, 12, 0 }, set_textbook, may_starve, never },
	{ "scan", { 6, 12, 0 }, set_textbook, is_met_by_sweep, never },
	{ "c-scan", { 6, 12, 0 }, set_textbook, is_met_by_sweep, never },
	{ "look", { 6, 12, 0 }, set_textbook, is_met_by_sweep, never },
	{ "c-look", { 6, 12, 0 }, set_textbook, is_met_by_sweep, never },
};

static const struct row *find_row(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		if (strcmp(rows[i].name, name) == 0)
			return &rows[i];
	}
	return NULL;
}

/* --- one run -------------------------------------------------------------------------- */

static void configure(struct run *run, const struct row *row, const struct sim_elevator_ops *ops)
{
	static const unsigned ticks[] = { 100, 250, 300, 1000 };
	struct sim_queue_config *queue = &run->options.queue;
	unsigned queues = run->medium.hw_queues;

	sim_medium_to_queue(&run->medium, queue);
	queue->scheduler = row->name;
	queue->kernel = row->kernel.major ? row->kernel :
					    mq_kernels[run_random(run, ARRAY_SIZE(mq_kernels))];
	if (queues > QUEUES_MAX)
		queues = QUEUES_MAX;
	queue->hw_queues = ops->kind == QUEUE_LEGACY ? 1 : 1 + (unsigned)run_random(run, queues);
	queue->hw_depth = 1 + (unsigned)run_random(
				      run, run->medium.hw_depth < 40 ? run->medium.hw_depth : 40);
	queue->cpus = 1 + (unsigned)run_random(run, 8);
	queue->hz = ticks[run_random(run, ARRAY_SIZE(ticks))];
	run->nr_requests = IOS_MAX;
	if (run_chance(run, 30))
		run->nr_requests = 4 + (unsigned)run_random(run, 60);
	if (strcmp(row->name, "none") == 0) {
		/* The driver's tags are the only ones. */
		if (run->nr_requests > queue->hw_depth)
			run->nr_requests = queue->hw_depth;
	}
	queue->nr_requests = run->nr_requests;
	row->set(run);
	queue->settings = run->settings;
	queue->setting_count = run->setting_count;
	run->options.medium = &run->medium;
	run->options.seed = run->seed;
}

static void check_promises(struct run *run, const struct row *row)
{
	uint64_t idle_ns = row->idle_ns(run);

	if (run->longest_idle_ns > idle_ns)
		run_fail(run, "the device was idle for %.3f ms while something waited",
			 (double)run->longest_idle_ns / 1e6);
	for (unsigned i = 0; i < run->io_count && !run->failure[0]; i++) {
		const struct io *io = &run->ios[i];

		if (!passes_by(run, io) && !row->is_kept(run, io))
			run_fail(run, "I/O %u waited %.3f ms, for %u requests; %u came before it",
				 i, (double)wait_ns(io) / 1e6,
				 io->request - io->issued_before, io->older);
	}
}

static void run_one(const struct sim_elevator_ops *ops, const char *medium, uint64_t seed)
{
	const struct row *row = find_row(ops->name);
	struct run *run = calloc(1, sizeof(*run));

	assert_non_null(run);
	run->scheduler = ops->name;
	run->seed = seed;
	sim_random_init(&run->random, seed, 7);
	if (sim_medium_find(medium, &run->medium))
		fail_msg("no medium %s", medium);
	configure(run, row, ops);
	run_make_workload(run);
	run_simulate(run);
	if (!run->failure[0])
		check_promises(run, row);
	if (run->failure[0])
		fail_msg("seed %llu, %s on %s, Linux %u.%u, depth %u x %u, nr_requests %u: %s",
			 (unsigned long long)seed, ops->name, medium,
			 run->options.queue.kernel.major, run->options.queue.kernel.minor,
			 run->options.queue.hw_queues, run->options.queue.hw_depth,
			 run->nr_requests, run->failure);
	free(run);
}

/* --- the tests ------------------------------------------------------------------------ */

static void test_every_scheduler_has_a_promise(void **state)
{
	const struct sim_elevator_ops *ops;
	size_t count = 0;

	(void)state;
	for (; (ops = sim_elevator_get(count)); count++) {
		if (!find_row(ops->name))
			fail_msg("no row for %s", ops->name);
	}
	assert_int_equal(count, ARRAY_SIZE(rows));
}

static uint64_t number_from(const char *variable, uint64_t otherwise)
{
	const char *text = getenv(variable);
	int64_t value;

	if (!text)
		return otherwise;
	if (number_parse_range(text, 0, 100000000, &value))
		fail_msg("%s=%s is no number of seeds", variable, text);
	return (uint64_t)value;
}

/* Every scheduler with each seed; the media by turns, so that each pair has its seeds. */
static void test_conservation(void **state)
{
	uint64_t seeds = number_from("CONSERVATION_SEEDS", SEEDS_DEFAULT), first = 0;
	const struct sim_elevator_ops *ops;
	size_t media = 0;

	(void)state;
	while (sim_medium_preset(media))
		media++;
	assert_true(media > 0);
	if (getenv("CONSERVATION_SEED")) {
		first = number_from("CONSERVATION_SEED", 0);
		seeds = first + 1;
	}
	for (uint64_t seed = first; seed < seeds; seed++) {
		for (size_t i = 0; (ops = sim_elevator_get(i)); i++)
			run_one(ops, sim_medium_preset((seed + i) % media)->name, seed);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_scheduler_has_a_promise),
		cmocka_unit_test(test_conservation),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
