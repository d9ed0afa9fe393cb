// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the writing process does: takes a device, writes its steps in order, and when
 * one fails puts the device back.
 */
#include "apply/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

#include "apply/state.h"

/* Paths, one attribute and what libc wants; the sanitizers want more. */
#define THREAD_STACK_SIZE (512u * 1024)

/* So long a removal takes from the first refusal to the end of the folder, at most: the
   queue is drained between the two. */
#define VANISH_PAUSE_MS 20
#define VANISH_COUNT    50

/* Shared by the threads of the child. */
struct pool {
	const struct root *root;
	const struct worker_job *jobs;
	size_t count;
	pthread_mutex_t mutex; /* for what follows, and the order of records about it */
	size_t next;
	bool is_cancelled;
	int record_fd;
};

static void send_record(const struct pool *pool, const struct worker_record *record)
{
	/* A parent that does not read any more is gone, and this process with it. */
	while (write(pool->record_fd, record, sizeof(*record)) < 0 && errno == EINTR)
		;
}

static void send_end(const struct pool *pool, size_t job, enum apply_outcome outcome,
		     int error)
{
	const struct worker_record record = {
		.job = (uint32_t)job,
		.event = WORKER_ENDED,
		.outcome = (uint8_t)outcome,
		.error = error,
	};

	send_record(pool, &record);
}

/* The kernel has this scheduler without this attribute: not there, as when it had been
   active from the start, which the plan makes a note of and goes on. */
static bool is_absent(const struct root_dir *dir, const struct plan_step *step, int error)
{
	char active[TUNABLE_VALUE_MAX];

	return error == -ENOENT && step->tunable->place == TUNABLE_IOSCHED &&
	       step->origin != ORIGIN_COMMAND_LINE &&
	       !queue_read_value(dir, tunable_scheduler(), active) &&
	       !strcmp(active, step->tunable->owner);
}

static int do_step(const struct pool *pool, const struct root_dir *dir, size_t job,
		   size_t index)
{
	const struct plan_step *step = &pool->jobs[job].planned->steps[index];
	struct worker_record record = {
		.job = (uint32_t)job,
		.step = (uint32_t)index,
		.event = WORKER_HOLDS,
	};
	struct queue_write done;
	int error;

	error = queue_write_value(dir, step->tunable, step->to,
				  step->origin == ORIGIN_JOURNAL, &done);
	if (error && is_absent(dir, step, error)) {
		done.is_written = false;
		error = 0;
	}
	record.is_written = done.is_written;
	record.error = error;
	memcpy(record.old, done.old, sizeof(record.old));
	memcpy(record.actual, done.actual, sizeof(record.actual));
	if (error)
		record.event = WORKER_FAILED;
	send_record(pool, &record);
	return error;
}

/* Whether all still hold at the end: one write may have undone another. */
static int check_steps(const struct pool *pool, const struct root_dir *dir, size_t job)
{
	const struct plan_device *planned = pool->jobs[job].planned;

	for (size_t i = 0; i + 1 < planned->step_count; i++) {
		const struct plan_step *step = &planned->steps[i];
		struct worker_record record = {
			.job = (uint32_t)job,
			.step = (uint32_t)i,
			.event = WORKER_FAILED,
		};
		int error;

		error = queue_read_value(dir, step->tunable, record.actual);
		if (error && is_absent(dir, step, error))
			continue;
		if (!error && tunable_is_equal(step->tunable, step->to, record.actual))
			continue;
		record.error = error ? error : -EIO;
		send_record(pool, &record);
		return record.error;
	}
	return 0;
}

/* While a disk is being taken away its attributes refuse before they vanish. */
static bool is_vanishing(const struct root_dir *dir, int error)
{
	static const struct timespec pause = { .tv_nsec = VANISH_PAUSE_MS * 1000000L };

	if (error != -ENODEV && error != -ENXIO && error != -ENOENT)
		return false;
	for (unsigned i = 0; i < VANISH_COUNT; i++) {
		if (!root_dir_exists(dir, "queue"))
			return true;
		nanosleep(&pause, NULL);
	}
	return false;
}

static void put_back(const struct pool *pool, const struct root_dir *dir, size_t job,
		     int error)
{
	const struct tunable *failed = NULL;
	int put;

	if (is_vanishing(dir, error)) {
		send_end(pool, job, APPLY_GONE, -ENODEV);
		return;
	}
	put = queue_put_back(dir, pool->jobs[job].before, &failed);
	if (!put)
		send_end(pool, job, APPLY_PUT_BACK, error);
	else if (put == -ENODEV)
		send_end(pool, job, APPLY_GONE, -ENODEV);
	else
		send_end(pool, job, APPLY_BROKEN, error);
}

static void do_job(const struct pool *pool, size_t job)
{
	const struct plan_device *planned = pool->jobs[job].planned;
	_root_dir_ struct root_dir dir = ROOT_DIR_NONE;
	int error;

	error = queue_open(pool->root, planned->sys_path, planned->major, planned->minor,
			   &dir);
	if (error) {
		send_end(pool, job, error == -ENODEV ? APPLY_GONE : APPLY_PUT_BACK,
			 error);
		return;
	}
	for (size_t i = 0; !error && i < planned->step_count; i++)
		error = do_step(pool, &dir, job, i);
	if (!error)
		error = check_steps(pool, &dir, job);
	if (error)
		put_back(pool, &dir, job, error);
	else
		send_end(pool, job, APPLY_DONE, 0);
}

/* False when there is none left. The record is sent under the lock, so that the parent
   knows what was begun when it reads that nothing further will be. */
static bool take_job(struct pool *pool, size_t *ret)
{
	struct worker_record record = { .event = WORKER_BEGUN };
	bool is_taken = false;

	pthread_mutex_lock(&pool->mutex);
	if (!pool->is_cancelled && pool->next < pool->count) {
		*ret = pool->next++;
		record.job = (uint32_t)*ret;
		send_record(pool, &record);
		is_taken = true;
	}
	pthread_mutex_unlock(&pool->mutex);
	return is_taken;
}

static void *run_thread(void *argument)
{
	struct pool *pool = argument;
	size_t job;

	while (take_job(pool, &job))
		do_job(pool, job);
	return NULL;
}

static bool add_thread(struct pool *pool)
{
	pthread_attr_t attributes;
	pthread_t thread;
	bool is_started;

	if (pthread_attr_init(&attributes))
		return false;
	pthread_attr_setstacksize(&attributes, THREAD_STACK_SIZE);
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	is_started = !pthread_create(&thread, &attributes, run_thread, pool);
	pthread_attr_destroy(&attributes);
	return is_started;
}

static void cancel(struct pool *pool)
{
	const struct worker_record record = { .event = WORKER_CANCELLED };

	pthread_mutex_lock(&pool->mutex);
	pool->is_cancelled = true;
	send_record(pool, &record);
	pthread_mutex_unlock(&pool->mutex);
}

/* The threads end with the process, also one that the kernel holds. */
static void obey_orders(struct pool *pool, int control_fd)
{
	char order;
	ssize_t n;

	while ((n = read(control_fd, &order, 1)) != 0) {
		if (n < 0 && errno != EINTR)
			return;
		if (n == 1 && order == WORKER_CANCEL)
			cancel(pool);
		else if (n == 1 && order == WORKER_GROW)
			add_thread(pool);
	}
}

static _Noreturn void run_child(struct pool *pool, size_t threads, int control_fd,
				pid_t parent)
{
	size_t started = 0;

	/* The default of SIGPIPE would end a device half-way. */
	signal(SIGPIPE, SIG_IGN);
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0 || getppid() != parent)
		_exit(1);
	while (started < threads && add_thread(pool))
		started++;
	if (!started)
		_exit(1);
	obey_orders(pool, control_fd);
	_exit(0);
}

int worker_start(const struct root *root, const struct worker_job *jobs, size_t count,
		 size_t threads, struct worker *ret)
{
	struct pool pool = {
		.root = root,
		.jobs = jobs,
		.count = count,
		.mutex = PTHREAD_MUTEX_INITIALIZER,
	};
	int records[2], control[2], error;
	pid_t pid, parent = getpid();

	if (pipe2(records, O_CLOEXEC) < 0)
		return -errno;
	if (pipe2(control, O_CLOEXEC) < 0) {
		error = -errno;
		close(records[0]);
		close(records[1]);
		return error;
	}
	pid = fork();
	error = pid < 0 ? -errno : 0;
	if (pid == 0) {
		close(records[0]);
		close(control[1]);
		pool.record_fd = records[1];
		run_child(&pool, threads, control[0], parent);
	}
	close(records[1]);
	close(control[0]);
	if (error) {
		close(records[0]);
		close(control[1]);
		return error;
	}
	*ret = (struct worker){ pid, records[0], control[1] };
	return 0;
}
