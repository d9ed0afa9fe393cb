/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The recorded machine's clock. A trace says neither when its jiffies counter goes up nor
 * whether kyber's timer was already armed when the recording began, only when the timer
 * fired. Both are found from those moments: the timers' times modulo the tick pile up just
 * after the phase, and from a wrong start the chain of arming and firing would miss them.
 * Nothing but the moments is looked at, not what kyber then decided.
 */
#include <assert.h>
#include <errno.h>
#include <stdlib.h>

#include "sim/replay-internal.h"

#define MOMENTS_MAX 256

/* kyber looks ten times a second, and the timer wheel rounds up by one tick. */
#define TIMERS_PER_SECOND 10

/*
 * From the tick to the timer's first line, to its beginning, and to the end of the
 * interrupt in which completions come before it; all as recorded, where one interrupt
 * takes some tens of microseconds.
 */
#define LATE_NS           40000
#define SOFTIRQ_NS        47000
#define SAME_INTERRUPT_NS 70000
#define SAME_TIMER_TICKS  4

/* From the interrupt's entry to the completion's line. */
#define ENTRY_NS 12000

/* No interrupt is later than this; the device took longer then (recorded: 2.7 ms). */
#define LATEST_NS 10000000

static const uint64_t late_candidates_ns[] = { LATE_NS, 25000, 55000, 15000, 70000, 5000 };

static bool is_moment(const struct trace_record *record)
{
	return record->action == TRACE_KYBER_LATENCY || record->action == TRACE_KYBER_ADJUST;
}

/* Does what the trace shows at `moment_ns` belong to a timer due at `due_ns`? */
static bool is_moment_of(uint64_t due_ns, uint64_t moment_ns, uint64_t tick_ns)
{
	return due_ns <= moment_ns && moment_ns - due_ns < tick_ns;
}

bool replay_timer_has_fired(uint64_t due_ns, const struct trace_record *record,
			    uint64_t burst_ns, uint64_t moment_ns, uint64_t tick_ns)
{
	if (due_ns == SIM_NEVER || record->time_ns < due_ns)
		return false;
	if (record->action != TRACE_RQ_COMPLETE)
		return !is_moment_of(due_ns, moment_ns, tick_ns);
	/* Timers are a softirq: what interrupts one came after its beginning. */
	if (record->context == TRACE_CONTEXT_HARDIRQ_IN_SOFTIRQ)
		return burst_ns >= due_ns + SOFTIRQ_NS;
	/* The trace shows it: it fires there. */
	if (is_moment_of(due_ns, moment_ns, tick_ns))
		return false;
	/* Completions of the tick's own interrupt come before its timers. */
	return burst_ns >= due_ns + SAME_INTERRUPT_NS;
}

/*
 * One interrupt handles all timers that are due, in the order of their times. When it is
 * late, the completions whose time came before the tick are handled while the counter
 * still stands at the old tick. An idle processor brings the counter up to date at
 * the interrupt's entry.
 */
uint64_t replay_tick_view_ns(const struct trace_record *record, uint64_t issue_ns,
			     uint64_t service_ns)
{
	uint64_t due_ns = issue_ns + service_ns;
	uint64_t entry_ns = record->time_ns > ENTRY_NS ? record->time_ns - ENTRY_NS : 0;

	if (!service_ns || record->pid == 0 || due_ns > entry_ns ||
	    entry_ns - due_ns > LATEST_NS)
		return entry_ns;
	return due_ns;
}

/* --- the phase ---------------------------------------------------------------------- */

static int compare_u64(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* They, one at least, lie on a circle: the pile begins behind the widest gap. */
static uint64_t find_pile(const uint64_t *moments, size_t count, uint64_t tick_ns)
{
	uint64_t rest[MOMENTS_MAX], widest = 0;
	size_t first = 0;

	assert(count > 0 && count <= MOMENTS_MAX);
	for (size_t i = 0; i < count; i++)
		rest[i] = moments[i] % tick_ns;
	qsort(rest, count, sizeof(rest[0]), compare_u64);
	for (size_t i = 0; i < count; i++) {
		uint64_t before = i > 0 ? rest[i - 1] : rest[count - 1];
		uint64_t gap = i > 0 ? rest[i] - before : rest[i] + tick_ns - before;

		if (gap > widest) {
			widest = gap;
			first = i;
		}
	}
	return rest[first];
}

/* --- the chain of timers ------------------------------------------------------------ */

struct chain {
	const struct trace_record *records;
	const uint64_t *views_ns; /* replay_tick_view_ns() of each completion */
	size_t count;
	uint64_t moments[MOMENTS_MAX];
	size_t moment_count;
	uint64_t tick_ns, phase_ns;
	unsigned hz;
};

/* When each request was issued, by a small hash that keeps the newest of each slot. */
#define ISSUE_SLOTS 8192

static void find_views(const struct trace_record *records, size_t count,
		       uint64_t service_ns, uint64_t *views_ns)
{
	_free_ uint32_t *slots = calloc(ISSUE_SLOTS, sizeof(*slots)); /* record + 1 */

	for (size_t i = 0; i < count; i++) {
		const struct trace_record *record = &records[i];
		size_t slot = (record->sector * UINT64_C(0x9e3779b97f4a7c15) >> 32) %
			      ISSUE_SLOTS;

		views_ns[i] = record->time_ns;
		if (!slots)
			continue;
		if (record->action == TRACE_RQ_ISSUE)
			slots[slot] = (uint32_t)i + 1;
		if (record->action != TRACE_RQ_COMPLETE || !slots[slot])
			continue;
		if (records[slots[slot] - 1].sector == record->sector)
			views_ns[i] = replay_tick_view_ns(
				record, records[slots[slot] - 1].time_ns, service_ns);
	}
}

static uint64_t timer_after(const struct chain *chain, uint64_t now_ns)
{
	uint64_t into = (now_ns + chain->tick_ns - chain->phase_ns) % chain->tick_ns;

	return now_ns - into + (chain->hz / TIMERS_PER_SECOND + 1) * chain->tick_ns;
}

/* How many recorded moments the chain meets that starts with a timer due then. */
static unsigned chain_score(const struct chain *chain, uint64_t due)
{
	unsigned score = 0;
	size_t next = 0;
	uint64_t burst_ns = 0;
	bool in_burst = false, has_met = false;

	for (size_t i = 0; i < chain->count && next < chain->moment_count; i++) {
		const struct trace_record *record = &chain->records[i];
		bool is_complete = record->action == TRACE_RQ_COMPLETE;

		if (is_moment(record)) {
			if (record->time_ns < chain->moments[next])
				continue;
			if (!has_met &&
			    is_moment_of(due, record->time_ns, chain->tick_ns))
				score++;
			if (!has_met)
				due = SIM_NEVER;
			has_met = false;
			next++;
			continue;
		}
		if (is_complete && !in_burst)
			burst_ns = record->time_ns;
		in_burst = is_complete;
		if (replay_timer_has_fired(due, record, burst_ns, chain->moments[next],
					   chain->tick_ns)) {
			/* Fired, and interrupted before it printed its lines? */
			has_met = is_moment_of(due, chain->moments[next], chain->tick_ns);
			score += has_met;
			due = SIM_NEVER;
		}
		if (is_complete && due == SIM_NEVER)
			due = timer_after(chain, chain->views_ns[i]);
	}
	return score;
}

static void find_moments(struct chain *chain)
{
	for (size_t i = 0; i < chain->count && chain->moment_count < MOMENTS_MAX; i++) {
		uint64_t *at = &chain->moments[chain->moment_count];
		uint64_t time_ns = chain->records[i].time_ns;

		/* Interrupts may come between the lines of one timer. */
		if (is_moment(&chain->records[i]) &&
		    (chain->moment_count == 0 ||
		     time_ns > at[-1] + SAME_TIMER_TICKS * chain->tick_ns)) {
			*at = time_ns;
			chain->moment_count++;
		}
	}
}

int replay_clock_find(struct replay_clock *clock, const struct trace_record *records,
		      size_t count, unsigned hz, uint64_t service_ns)
{
	struct chain chain = {
		.records = records,
		.count = count,
		.tick_ns = UINT64_C(1000000000) / hz,
		.hz = hz,
	};
	_free_ uint64_t *views_ns = NULL;
	unsigned best = 0;
	uint64_t pile;

	*clock = (struct replay_clock){ .timer_ns = SIM_NEVER };
	find_moments(&chain);
	if (chain.moment_count == 0)
		return 0;
	views_ns = calloc(count, sizeof(*views_ns));
	if (!views_ns)
		return -ENOMEM;
	find_views(records, count, service_ns, views_ns);
	chain.views_ns = views_ns;

	pile = find_pile(chain.moments, chain.moment_count, chain.tick_ns);
	for (size_t i = 0; i < ARRAY_SIZE(late_candidates_ns); i++) {
		uint64_t late = late_candidates_ns[i] % chain.tick_ns;

		chain.phase_ns = (pile + chain.tick_ns - late) % chain.tick_ns;
		/* Not armed first: it wins where nothing speaks against it. */
		for (unsigned ticks = 0; ticks <= hz / TIMERS_PER_SECOND + 1; ticks++) {
			uint64_t due = SIM_NEVER;
			unsigned score;

			if (ticks > 0)
				due = timer_after(&chain, records[0].time_ns) -
				      (ticks - 1) * chain.tick_ns;
			score = chain_score(&chain, due);
			if (score <= best)
				continue;
			best = score;
			clock->phase_ns = chain.phase_ns;
			clock->timer_ns = due;
		}
	}
	return 0;
}
