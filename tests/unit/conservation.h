/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A random workload through one scheduler to one medium, and an account of every I/O: each
 * lies in exactly one request, is issued after it arrived and completed once, after that.
 * Places do not overlap, so that a dispatched extent says which I/Os are in it; arrival and
 * length together say which one is completed.
 */
#ifndef IOSCHED_TESTS_CONSERVATION_H
#define IOSCHED_TESTS_CONSERVATION_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/random.h"
#include "sim/simulate.h"
#include "sim/traced.h"
#include "util/cleanup.h"

#define MS          UINT64_C(1000000)
#define IOS_MAX     256
#define SLOTS_MAX   512
#define NOT_ISSUED  UINT32_MAX
#define QUEUES_MAX  8

struct io {
	struct trace_record record;
	uint64_t issue_ns;
	uint32_t request;       /* number of its request; NOT_ISSUED */
	uint16_t next_in_slot;  /* IOS_MAX: none */
	bool is_done;
	/* What happened while it waited. */
	unsigned older;         /* I/Os that waited when it arrived */
	uint32_t issued_before; /* requests issued when it arrived */
};

/* A request, as it was issued. */
struct issued {
	uint64_t time_ns;
	uint16_t oldest;        /* its oldest I/O */
	uint16_t ios, done;
	uint8_t reason;
};

struct slot {
	uint64_t low, high;     /* taken: low <= sector < high */
	uint8_t op;
	uint16_t first;         /* I/O; IOS_MAX: none */
};

struct run {
	const char *scheduler, *medium_name;
	uint64_t seed;
	struct sim_random random;
	struct sim_medium medium;
	struct simulate_options options;
	struct sim_setting settings[8];
	char values[8][24];
	size_t setting_count;
	unsigned nr_requests;

	struct io ios[IOS_MAX];
	unsigned io_count, next;
	struct slot slots[SLOTS_MAX];
	unsigned slot_count;
	uint64_t slot_sectors;
	unsigned recent[8];
	unsigned processes;
	enum trace_prio_class top_class;

	struct issued requests[IOS_MAX];
	unsigned issued;
	unsigned in_flight;
	uint64_t now_ns;
	unsigned waiting;       /* I/Os that arrived and are not issued */
	unsigned arrived;
	uint64_t idle_since_ns; /* nothing in flight, something waits; UINT64_MAX */
	uint64_t longest_idle_ns;
	uint64_t longest_service_ns;
	unsigned stops_asked;
	char failure[256];
};

__attribute__((format(printf, 2, 3))) static void run_fail(struct run *run, const char *format,
							    ...)
{
	va_list args;

	if (run->failure[0])
		return;
	va_start(args, format);
	vsnprintf(run->failure, sizeof(run->failure), format, args);
	va_end(args);
}

static inline uint64_t run_random(struct run *run, uint64_t limit)
{
	return sim_random_below(&run->random, limit);
}

static inline bool run_chance(struct run *run, unsigned percent)
{
	return run_random(run, 100) < percent;
}

/* --- the workload --------------------------------------------------------------------- */

static inline enum sim_op run_op_of(const struct io *io)
{
	return traced_op(&io->record);
}

/* Places beside each other, which may merge, and places far away. False: no room left. */
static inline bool run_place(struct run *run, struct io *io, unsigned sectors)
{
	unsigned at = (unsigned)run_random(run, ARRAY_SIZE(run->recent)), index;
	struct slot *slot;
	uint64_t begin, end;

	if (run_chance(run, 35))
		run->recent[at] = (unsigned)run_random(run, run->slot_count);
	index = run->recent[at];
	slot = &run->slots[index];
	begin = index * run->slot_sectors;
	end = begin + run->slot_sectors;
	if (slot->low == slot->high) {
		slot->low = slot->high = begin + run->slot_sectors / 2;
		slot->op = run_chance(run, 60) ? TRACE_READ :
			   run_chance(run, 90) ? TRACE_WRITE :
						 TRACE_DISCARD;
	}
	if (run_chance(run, 70) && end - slot->high >= sectors) {
		io->record.sector = slot->high;
		slot->high += sectors;
	} else if (slot->low - begin >= sectors) {
		slot->low -= sectors;
		io->record.sector = slot->low;
	} else {
		return false;
	}
	io->record.sectors = sectors;
	io->record.op = (enum trace_op)slot->op;
	io->next_in_slot = slot->first;
	slot->first = (uint16_t)(io - run->ios);
	return true;
}

/*
 * One process wants more than there is, all at once and on end, and of one direction; a few
 * others want little. Who is forgotten waits until the crowd is through.
 */
static inline void run_make_crowd(struct run *run)
{
	enum trace_op crowd = run_chance(run, 50) ? TRACE_READ : TRACE_WRITE;
	unsigned count = 120 + (unsigned)run_random(run, IOS_MAX - 120);
	bool is_scattered = run_chance(run, 50);

	for (unsigned i = 0; i < count; i++) {
		struct io *io = &run->ios[run->io_count++];
		bool is_other = i >= 4 && i < 12 && run_chance(run, 50);
		/* Every second sector, so that they do not merge. */
		uint64_t sector = 2 * i + (is_other ? run->medium.capacity_sectors / 2 : 0);

		if (is_scattered)
			sector = i * 37 % run->slot_count * run->slot_sectors + i / 37 * 2;
		*io = (struct io){ .request = NOT_ISSUED, .next_in_slot = IOS_MAX };
		io->record = (struct trace_record){
			.action = TRACE_IO,
			.op = is_other && run_chance(run, 50) ? TRACE_READ :
			      is_other			      ? TRACE_WRITE :
								crowd,
			.time_ns = 1000 * i,
			.sector = sector,
			.sectors = 1,
			.pid = is_other ? 2 + (uint32_t)run_random(run, run->processes) : 1,
		};
		io->record.cpu = io->record.pid;
		io->next_in_slot = run->slots[sector / run->slot_sectors].first;
		run->slots[sector / run->slot_sectors].first = (uint16_t)i;
	}
	run->processes += 2;
}

static inline void run_flavour(struct run *run, struct io *io, bool has_classes)
{
	static const enum trace_prio_class classes[] = { TRACE_PRIO_NONE, TRACE_PRIO_RT,
							 TRACE_PRIO_BE, TRACE_PRIO_IDLE };

	io->record.pid = 1 + (uint32_t)run_random(run, run->processes);
	io->record.cpu = io->record.pid;
	if (io->record.op == TRACE_WRITE && run_chance(run, 30))
		io->record.flags |= TRACE_FLAG_SYNC;
	if (io->record.op == TRACE_WRITE && run_chance(run, 3))
		io->record.flags |= TRACE_FLAG_FUA | TRACE_FLAG_SYNC;
	if (!has_classes)
		return;
	io->record.prio_class = classes[io->record.pid % ARRAY_SIZE(classes)];
	io->record.prio_level = (uint8_t)(io->record.pid * 3 % 8);
}

/* Bursts of one moment, close ones, and pauses, for all of which the medium counts. */
static inline void run_make_workload(struct run *run)
{
	static const uint64_t gaps_ns[] = { 0, 1000, 100000, 3 * MS, 40 * MS };
	unsigned wanted, burst = 0;
	bool has_classes = run_chance(run, 40), is_calm = run_chance(run, 30);
	uint64_t now_ns = run_random(run, 5 * MS);

	run->processes = 1 + (unsigned)run_random(run, 6);
	run->slot_sectors = 2048;
	if (run->medium.capacity_sectors / 2048 < 64)
		run->slot_sectors = 64;
	run->slot_count = (unsigned)(run->medium.capacity_sectors / run->slot_sectors);
	if (run->slot_count > SLOTS_MAX) {
		run->slot_count = SLOTS_MAX;
		run->slot_sectors = run->medium.capacity_sectors / SLOTS_MAX;
	}
	for (unsigned i = 0; i < run->slot_count; i++)
		run->slots[i] = (struct slot){ .first = IOS_MAX };
	if (run_chance(run, 25)) {
		run->top_class = TRACE_PRIO_NONE;
		run_make_crowd(run);
		return;
	}
	wanted = 20 + (unsigned)run_random(run, IOS_MAX - 20);
	run->top_class = has_classes ? TRACE_PRIO_IDLE : TRACE_PRIO_NONE;
	while (run->io_count < wanted) {
		struct io *io = &run->ios[run->io_count];
		unsigned sectors = 1 + burst;

		*io = (struct io){ .request = NOT_ISSUED, .next_in_slot = IOS_MAX };
		io->record.action = TRACE_IO;
		io->record.time_ns = now_ns;
		if (burst == 40) {
			/* Lengths within a burst must differ. */
			now_ns += 1000;
			burst = 0;
			continue;
		}
		if (run_chance(run, 1)) {
			if (burst)
				now_ns += 1000;
			burst = 0;
			io->record.op = TRACE_FLUSH;
			io->record.sector = run->io_count;
			io->record.time_ns = now_ns++;
			io->record.flags = TRACE_FLAG_SYNC;
		} else if (run->slot_sectors > 64 && run_chance(run, 5) && !burst) {
			/* A long one; alone in its moment. */
			if (!run_place(run, io, 600))
				break;
			now_ns++;
		} else if (!run_place(run, io, sectors)) {
			break;
		}
		run_flavour(run, io, has_classes);
		/* NONE is as BE. */
		if (has_classes) {
			enum trace_prio_class class = io->record.prio_class;

			if (class == TRACE_PRIO_NONE)
				class = TRACE_PRIO_BE;
			if (class < run->top_class)
				run->top_class = class;
		}
		run->io_count++;
		burst++;
		if (!run_chance(run, is_calm ? 20 : 75)) {
			now_ns += 1 + run_random(run, gaps_ns[run_random(run, 5)] + 1);
			burst = 0;
		}
	}
}

/* --- the account ---------------------------------------------------------------------- */

static inline int run_next(void *source, struct trace_record *ret, struct diag *diag)
{
	struct run *run = source;

	(void)diag;
	if (run->next == run->io_count)
		return 0;
	*ret = run->ios[run->next++].record;
	return 1;
}

/*
 * Takes note of all that has arrived by now. What is completed in a moment is told after
 * what that let go; so the depth counts when the moment is over.
 */
static inline void run_arrive(struct run *run, uint64_t now_ns)
{
	const struct sim_queue_config *queue = &run->options.queue;
	unsigned depth = queue->hw_depth * queue->hw_queues;

	if (now_ns > run->now_ns && run->in_flight > depth)
		run_fail(run, "%u requests at the device, which takes %u", run->in_flight,
			 depth);
	run->now_ns = now_ns;
	while (run->arrived < run->io_count &&
	       run->ios[run->arrived].record.time_ns <= now_ns) {
		struct io *io = &run->ios[run->arrived++];

		if (!run->waiting++ && !run->in_flight)
			run->idle_since_ns = io->record.time_ns;
		io->older = run->waiting - 1;
		io->issued_before = run->issued;
	}
}

static inline void run_issue_io(struct run *run, struct io *io, uint64_t now_ns)
{
	struct issued *request = &run->requests[run->issued];

	if (io->record.time_ns > now_ns)
		run_fail(run, "I/O %d was issued before it arrived", (int)(io - run->ios));
	if (io->request != NOT_ISSUED)
		run_fail(run, "I/O %d was issued twice", (int)(io - run->ios));
	io->request = run->issued;
	io->issue_ns = now_ns;
	request->ios++;
	if ((unsigned)(io - run->ios) < request->oldest)
		request->oldest = (uint16_t)(io - run->ios);
	run->waiting--;
}

/* The I/Os of a dispatched extent: all of it, and no others. */
static inline void run_issue_extent(struct run *run, const struct simulate_dispatch *dispatch)
{
	uint64_t end = dispatch->sector + dispatch->sectors, covered = 0;
	unsigned slot = (unsigned)(dispatch->sector / run->slot_sectors);

	for (; slot < run->slot_count && slot * run->slot_sectors < end; slot++) {
		for (unsigned i = run->slots[slot].first; i < IOS_MAX;
		     i = run->ios[i].next_in_slot) {
			struct io *io = &run->ios[i];

			if (io->record.sector < dispatch->sector || io->record.sector >= end ||
			    i >= run->arrived)
				continue;
			if (run_op_of(io) != dispatch->op)
				run_fail(run, "I/O %u became another operation", i);
			covered += io->record.sectors;
			run_issue_io(run, io, dispatch->time_ns);
		}
	}
	if (covered != dispatch->sectors)
		run_fail(run, "request %u has %u sectors, its I/Os %llu", run->issued,
			 dispatch->sectors, (unsigned long long)covered);
}

static inline void run_issue_flush(struct run *run, uint64_t sector, uint64_t now_ns)
{
	for (unsigned i = 0; i < run->arrived; i++) {
		struct io *io = &run->ios[i];

		if (io->record.op == TRACE_FLUSH && io->record.sector == sector) {
			run_issue_io(run, io, now_ns);
			return;
		}
	}
	run_fail(run, "a flush that nobody asked for");
}

static inline void run_on_dispatch(void *context, const struct simulate_dispatch *dispatch)
{
	struct run *run = context;

	if (run->issued == IOS_MAX) {
		run_fail(run, "more requests than I/Os");
		return;
	}
	run_arrive(run, dispatch->time_ns);
	run->requests[run->issued] = (struct issued){ .time_ns = dispatch->time_ns,
						      .oldest = IOS_MAX,
						      .reason = (uint8_t)dispatch->reason };
	if (dispatch->op == SIM_FLUSH)
		run_issue_flush(run, dispatch->sector, dispatch->time_ns);
	else
		run_issue_extent(run, dispatch);
	if (!run->in_flight && run->idle_since_ns != UINT64_MAX &&
	    dispatch->time_ns - run->idle_since_ns > run->longest_idle_ns)
		run->longest_idle_ns = dispatch->time_ns - run->idle_since_ns;
	run->idle_since_ns = UINT64_MAX;
	run->issued++;
	run->in_flight++;
}

static inline struct io *run_find_completed(struct run *run,
					    const struct simulate_completion *completion)
{
	for (unsigned i = 0; i < run->arrived; i++) {
		struct io *io = &run->ios[i];

		if (io->record.time_ns == completion->arrival_ns &&
		    io->record.sectors == completion->sectors)
			return io;
	}
	return NULL;
}

static inline void run_on_complete(void *context, const struct simulate_completion *completion)
{
	struct run *run = context;
	struct io *io;
	struct issued *request;
	uint64_t service_ns;

	run_arrive(run, completion->time_ns);
	io = run_find_completed(run, completion);
	if (!io || io->request == NOT_ISSUED || io->is_done) {
		run_fail(run, "an I/O of %u sectors was completed %s", completion->sectors,
			 !io	      ? "that nobody asked for" :
			 io->is_done ? "twice" :
				       "without being issued");
		return;
	}
	if (completion->time_ns < io->issue_ns)
		run_fail(run, "I/O %d was completed before it was issued",
			 (int)(io - run->ios));
	io->is_done = true;
	service_ns = completion->time_ns - io->issue_ns;
	if (service_ns > run->longest_service_ns)
		run->longest_service_ns = service_ns;
	request = &run->requests[io->request];
	if (++request->done < request->ios)
		return;
	run->in_flight--;
	if (!run->in_flight && run->waiting > 0)
		run->idle_since_ns = completion->time_ns;
}

/* Asked after every few thousand steps: so many are never needed. */
static inline bool run_should_stop(void *context, uint64_t now_ns)
{
	struct run *run = context;

	(void)now_ns;
	return ++run->stops_asked > 200;
}

static inline void run_check_sums(struct run *run, const struct simulate_result *result)
{
	uint64_t ios = 0, sectors = 0, expected = 0, flushes = 0;

	for (unsigned dir = 0; dir < SIM_DIRS; dir++) {
		ios += result->directions[dir].ios;
		sectors += result->directions[dir].sectors;
	}
	for (unsigned i = 0; i < run->io_count; i++) {
		expected += run->ios[i].record.sectors;
		flushes += !run->ios[i].record.sectors;
		if (!run->ios[i].is_done)
			run_fail(run, "I/O %u was never completed", i);
	}
	if (result->is_partial)
		run_fail(run, "it does not end");
	/* A flush is neither read nor written. */
	if (ios + flushes != run->io_count || sectors != expected || result->requests != run->issued)
		run_fail(run, "%llu I/Os, %llu sectors, %llu requests instead of %u, %llu, %u",
			 (unsigned long long)(ios + flushes), (unsigned long long)sectors,
			 (unsigned long long)result->requests, run->io_count,
			 (unsigned long long)expected, run->issued);
}

static inline void run_simulate(struct run *run)
{
	struct simulate_result result;
	struct diag diag = { 0 };

	run->idle_since_ns = UINT64_MAX;
	run->options.on_dispatch = run_on_dispatch;
	run->options.on_complete = run_on_complete;
	run->options.should_stop = run_should_stop;
	run->options.context = run;
	if (simulate_run(run_next, run, &run->options, &result, &diag))
		run_fail(run, "%s", diag.text);
	else
		run_check_sums(run, &result);
	simulate_result_done(&result);
}

#endif
