// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Follows the writing process to its end, or to the end of everybody's patience.
 */
#include "apply/supervise.h"
#include "util/clock.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>

/* Threads at once. A switch waits for a grace period, which all of them share. */
#define WORKER_MAX 128

/* How long a process that was killed may take to go before it is left behind. */
#define FAREWELL_MS 250

/* Records read at a time. */
#define RECORD_BATCH 64

enum job_state {
	JOB_WAITING,
	JOB_BEGUN,
	JOB_STUCK, /* given up; its end is still taken when it comes */
	JOB_ENDED,
};

struct progress {
	enum job_state state;
	int64_t deadline_ms;
};

struct supervision {
	const struct supervised *jobs;
	struct progress *progress;
	size_t count;
	unsigned timeout_ms;
	struct worker worker;
	struct apply_report *report;
	bool has_begun; /* any */
	bool is_over;   /* the process is gone */
	char buf[RECORD_BATCH * sizeof(struct worker_record)];
	size_t len;
};

/* --- records ------------------------------------------------------------------------ */

static void send_order(const struct supervision *run, enum worker_order order)
{
	char byte = (char)order;

	/* Fails only when the process is gone, which its records tell. */
	while (write(run->worker.control_fd, &byte, 1) < 0 && errno == EINTR)
		;
}

static void take_end(struct apply_device *result, const struct worker_record *record)
{
	result->outcome = record->outcome;
	if (record->outcome == APPLY_DONE) {
		result->failed = NULL; /* it was given up, and then came through */
		result->error = 0;
		result->actual[0] = '\0';
		return;
	}
	if (record->outcome == APPLY_PUT_BACK)
		result->steps_done = 0;
	if (record->outcome == APPLY_GONE || !result->error)
		result->error = record->error;
}

static void take_job_record(struct supervision *run, const struct worker_record *record)
{
	struct progress *progress = &run->progress[record->job];
	struct apply_device *result = run->jobs[record->job].result;
	const struct plan_device *planned = result->planned;

	if (record->step >= planned->step_count)
		return;
	switch ((enum worker_event)record->event) {
	case WORKER_BEGUN:
		run->has_begun = true;
		progress->state = JOB_BEGUN;
		progress->deadline_ms = clock_now_ms() + run->timeout_ms;
		break;
	case WORKER_HOLDS:
	case WORKER_FAILED:
		if (record->is_written) {
			result->writes[record->step].is_written = true;
			memcpy(result->writes[record->step].old, record->old,
			       sizeof(record->old));
		}
		if (record->event == WORKER_HOLDS) {
			result->steps_done = record->step + 1;
			break;
		}
		result->failed = &planned->steps[record->step];
		result->error = record->error;
		memcpy(result->actual, record->actual, sizeof(result->actual));
		break;
	case WORKER_ENDED:
		progress->state = JOB_ENDED;
		take_end(result, record);
		break;
	case WORKER_CANCELLED:
		break;
	}
}

/* Whatever was not begun will not be. */
static void end_waiting(struct supervision *run)
{
	for (size_t i = 0; i < run->count; i++) {
		if (run->progress[i].state != JOB_WAITING)
			continue;
		run->progress[i].state = JOB_ENDED;
		run->jobs[i].result->outcome = APPLY_INTERRUPTED;
	}
}

/* The step that is under way; the last one while all are looked at again. */
static const struct plan_step *get_step(const struct apply_device *result)
{
	size_t last = result->planned->step_count - 1;

	return &result->planned
			->steps[result->steps_done < last ? result->steps_done : last];
}

/* The process ended by itself: killed by somebody, or out of memory. */
static void end_all(struct supervision *run)
{
	run->is_over = true;
	end_waiting(run);
	for (size_t i = 0; i < run->count; i++) {
		struct apply_device *result = run->jobs[i].result;

		if (run->progress[i].state != JOB_BEGUN)
			continue;
		run->progress[i].state = JOB_ENDED;
		result->outcome = APPLY_BROKEN;
		result->failed = get_step(result);
		result->error = -ECHILD;
	}
}

static void read_records(struct supervision *run)
{
	ssize_t n;
	size_t at = 0;

	n = read(run->worker.record_fd, run->buf + run->len, sizeof(run->buf) - run->len);
	if (n < 0 && errno == EINTR)
		return;
	if (n <= 0) {
		end_all(run);
		return;
	}
	run->len += (size_t)n;
	for (; run->len - at >= sizeof(struct worker_record);
	     at += sizeof(struct worker_record)) {
		struct worker_record record;

		memcpy(&record, run->buf + at, sizeof(record));
		if (record.event == WORKER_CANCELLED)
			end_waiting(run);
		else if (record.job < run->count)
			take_job_record(run, &record);
	}
	memmove(run->buf, run->buf + at, run->len - at);
	run->len -= at;
}

/* --- time --------------------------------------------------------------------------- */

static bool is_any(const struct supervision *run, enum job_state state)
{
	for (size_t i = 0; i < run->count; i++)
		if (run->progress[i].state == state)
			return true;
	return false;
}

/* Until the next deadline; -1 for no limit. */
static int get_wait_ms(const struct supervision *run)
{
	int64_t now = clock_now_ms(), wait = -1;

	for (size_t i = 0; i < run->count; i++) {
		int64_t left = run->progress[i].deadline_ms - now;

		if (run->progress[i].state != JOB_BEGUN)
			continue;
		if (left < 0)
			left = 0;
		if (wait < 0 || left < wait)
			wait = left;
	}
	return wait > INT_MAX ? INT_MAX : (int)wait;
}

static void give_up_late(struct supervision *run)
{
	int64_t now = clock_now_ms();

	for (size_t i = 0; i < run->count; i++) {
		struct apply_device *result = run->jobs[i].result;

		if (run->progress[i].state != JOB_BEGUN ||
		    run->progress[i].deadline_ms > now)
			continue;
		run->progress[i].state = JOB_STUCK;
		result->outcome = APPLY_STUCK;
		if (!result->failed)
			result->failed = get_step(result);
		if (!result->error)
			result->error = -ETIMEDOUT;
		/* its thread is lost to the others */
		if (is_any(run, JOB_WAITING))
			send_order(run, WORKER_GROW);
	}
}

static bool wait_for_records(const struct supervision *run, int timeout_ms)
{
	struct pollfd poll_fd = { .fd = run->worker.record_fd, .events = POLLIN };

	return poll(&poll_fd, 1, timeout_ms) > 0;
}

static void follow(struct supervision *run, struct held_signals *signals)
{
	while (!run->is_over && (is_any(run, JOB_WAITING) || is_any(run, JOB_BEGUN))) {
		struct pollfd fds[] = {
			{ .fd = run->worker.record_fd, .events = POLLIN },
			{ .fd = signals->fd, .events = POLLIN },
		};
		int n = poll(fds, ARRAY_SIZE(fds), get_wait_ms(run));

		if (n > 0 && fds[1].revents && signals_check(signals) &&
		    !run->report->is_interrupted) {
			run->report->is_interrupted = true;
			send_order(run, WORKER_CANCEL);
		}
		/* what is told already counts, however late it is */
		if (n > 0 && fds[0].revents)
			read_records(run);
		else if (n == 0)
			give_up_late(run);
	}
}

/* Ends the process; one that hangs in the kernel is left to die when that lets it. */
static void part(struct supervision *run)
{
	int64_t until = clock_now_ms() + FAREWELL_MS;
	bool is_stuck = is_any(run, JOB_STUCK);

	close(run->worker.control_fd);
	if (is_stuck && !run->is_over)
		kill(run->worker.pid, SIGKILL);
	while (is_stuck && !run->is_over && clock_now_ms() < until)
		if (wait_for_records(run, (int)(until - clock_now_ms())))
			read_records(run);
	close(run->worker.record_fd);
	while (waitpid(run->worker.pid, NULL, is_stuck && !run->is_over ? WNOHANG : 0) <
		       0 &&
	       errno == EINTR)
		;
}

static int start_and_follow(struct supervision *run, const struct root *root,
			    const struct worker_job *work, size_t threads,
			    struct held_signals *signals)
{
	int error;

	/* one that came while the journal was written */
	if (signals_check(signals)) {
		run->report->is_interrupted = true;
		end_waiting(run);
		return 0;
	}
	error = worker_start(root, work, run->count, threads, &run->worker);
	if (error)
		return error;
	follow(run, signals);
	part(run);
	return run->has_begun || run->report->is_interrupted ? 0 : -EAGAIN;
}

/* So many devices at once as the limit of open files is enough for: a directory and an
   attribute each, beside what the process has open already. */
static size_t limit_by_files(void)
{
	const rlim_t others = 16;
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur == RLIM_INFINITY ||
	    limit.rlim_cur / 2 >= WORKER_MAX + others)
		return WORKER_MAX;
	return limit.rlim_cur > others + 4 ? (size_t)(limit.rlim_cur - others) / 2 : 1;
}

int supervise_run(const struct root *root, const struct supervised *jobs, size_t count,
		  const struct apply_options *options, struct held_signals *signals,
		  struct apply_report *report)
{
	_free_ struct worker_job *work = NULL;
	_free_ struct progress *progress = NULL;
	_free_ struct supervision *run = NULL;
	size_t threads = options->workers ? options->workers : WORKER_MAX;

	work = calloc(count, sizeof(*work));
	progress = calloc(count, sizeof(*progress));
	run = calloc(1, sizeof(*run));
	if (!work || !progress || !run)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++)
		work[i] = jobs[i].job;
	run->jobs = jobs;
	run->progress = progress;
	run->count = count;
	run->report = report;
	run->timeout_ms =
		options->timeout_ms ? options->timeout_ms : APPLY_TIMEOUT_DEFAULT_MS;
	if (threads > WORKER_MAX)
		threads = WORKER_MAX;
	if (threads > limit_by_files())
		threads = limit_by_files();
	if (threads > count)
		threads = count;
	return start_and_follow(run, root, work, threads, signals);
}
