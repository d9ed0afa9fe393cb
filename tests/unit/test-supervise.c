// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The parent's side: deadlines, signals, and a writing process that dies.
 */
#include "apply-fixture.h"

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>

#include "apply/supervise.h"

struct scene {
	struct fixture *fixture;
	struct fixture_policy policy;
	struct plan *plan;
	struct queue_state states[FIXTURE_DISK_MAX];
	struct apply_device results[FIXTURE_DISK_MAX];
	struct apply_write writes[FIXTURE_DISK_MAX][FIXTURE_VALUE_MAX];
	struct supervised jobs[FIXTURE_DISK_MAX];
	struct apply_report report;
	size_t count;
};

static struct scene *scene_new(size_t count)
{
	struct scene *scene = calloc(1, sizeof(*scene));

	assert_non_null(scene);
	scene->fixture = fixture_new(count);
	scene->count = count;
	for (size_t i = 0; i < count; i++) {
		const struct device *disk = &scene->fixture->disks[i];

		fixture_want(&scene->policy, disk, "read_ahead_kb", "256");
		fixture_want(&scene->policy, disk, "nomerges", "1");
	}
	assert_int_equal(plan_make(&scene->policy.policy, &scene->plan), 0);
	for (size_t i = 0; i < count; i++) {
		scene->results[i].planned = &scene->plan->items[i];
		scene->results[i].writes = scene->writes[i];
		scene->results[i].outcome = APPLY_INTERRUPTED;
		assert_int_equal(queue_state_read(scene->fixture->root,
						  &scene->fixture->disks[i],
						  &scene->states[i]),
				 0);
		scene->jobs[i].job.planned = &scene->plan->items[i];
		scene->jobs[i].job.before = &scene->states[i];
		scene->jobs[i].result = &scene->results[i];
	}
	scene->report = (struct apply_report){ scene->results, count, false };
	return scene;
}

static void scene_free(struct scene *scene)
{
	for (size_t i = 0; i < scene->count; i++)
		queue_state_done(&scene->states[i]);
	plan_free(scene->plan);
	fixture_free(scene->fixture);
	free(scene);
}

static int run(struct scene *scene, const struct apply_options *options)
{
	struct held_signals signals;
	int error;

	assert_int_equal(signals_hold(SIGNALS_HANGUP | SIGNALS_STOP, &signals), 0);
	error = supervise_run(scene->fixture->root, scene->jobs, scene->count, options,
			      &signals, &scene->report);
	signals_release(&signals);
	return error;
}

static void test_all_done(void **state)
{
	struct scene *scene = scene_new(20);
	const struct apply_options options = { .workers = 3 };

	(void)state;
	assert_int_equal(run(scene, &options), 0);
	assert_false(scene->report.is_interrupted);
	for (size_t i = 0; i < scene->count; i++) {
		const struct apply_device *result = &scene->results[i];

		assert_int_equal(result->outcome, APPLY_DONE);
		assert_int_equal(result->steps_done, 2);
		assert_null(result->failed);
		assert_true(result->writes[0].is_written && result->writes[1].is_written);
		fixture_expect(scene->fixture, scene->fixture->names[i], "queue/nomerges",
			       "1");
	}
	scene_free(scene);
}

/*
 * A file with a lease: whoever opens it for writing, without waiting, is told to come
 * back later, as by a queue that is busy. Until the lease is given up nothing gets
 * through. The kernel tells its holder by SIGIO.
 */
static int take_lease(const struct scene *scene, size_t disk, const char *file)
{
	char path[4096];
	int fd;

	signal(SIGIO, SIG_IGN);
	fixture_path(scene->fixture, scene->fixture->names[disk], file, path,
		     sizeof(path));
	fd = open(path, O_RDONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	if (fcntl(fd, F_SETLEASE, F_RDLCK) < 0) {
		close(fd);
		return -1;
	}
	return fd;
}

/* Row 22 of the facts on users' problems: one device whose write does not come back. One
   thread, so that the others need the one that is lost. */
static void test_stuck_does_not_hold_up_the_others(void **state)
{
	struct scene *scene = scene_new(5);
	const struct apply_options options = { .workers = 1, .timeout_ms = 600 };
	int fd = take_lease(scene, 0, "queue/nomerges");

	(void)state;
	if (fd < 0) {
		scene_free(scene);
		skip();
	}
	assert_int_equal(run(scene, &options), 0);
	close(fd);
	assert_int_equal(scene->results[0].outcome, APPLY_STUCK);
	assert_int_equal(scene->results[0].error, -ETIMEDOUT);
	assert_int_equal(scene->results[0].steps_done, 1);
	assert_ptr_equal(scene->results[0].failed, &scene->plan->items[0].steps[1]);
	for (size_t i = 1; i < scene->count; i++)
		assert_int_equal(scene->results[i].outcome, APPLY_DONE);
	scene_free(scene);
}

/* Busy for less than the limit is no failure: the worker tries again, gives up with
   EAGAIN and puts the device back. */
static void test_busy_is_tried_again(void **state)
{
	struct scene *scene = scene_new(2);
	const struct apply_options options = { .workers = 2 };
	int fd = take_lease(scene, 1, "queue/nomerges");

	(void)state;
	if (fd < 0) {
		scene_free(scene);
		skip();
	}
	assert_int_equal(run(scene, &options), 0);
	close(fd);
	assert_int_equal(scene->results[0].outcome, APPLY_DONE);
	assert_int_equal(scene->results[1].outcome, APPLY_PUT_BACK);
	assert_int_equal(scene->results[1].error, -EAGAIN);
	assert_int_equal(scene->results[1].steps_done, 0);
	fixture_expect(scene->fixture, "disk1", "queue/read_ahead_kb", "128");
	scene_free(scene);
}

static void hold_sigterm(sigset_t *old)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	assert_int_equal(sigprocmask(SIG_BLOCK, &set, old), 0);
}

/* A signal that came before the first write: nothing is begun. */
static void test_interrupted_before(void **state)
{
	struct scene *scene = scene_new(3);
	const struct apply_options options = { 0 };
	sigset_t old;

	(void)state;
	hold_sigterm(&old);
	assert_int_equal(raise(SIGTERM), 0);
	assert_int_equal(run(scene, &options), 0);
	/* it was taken, and does not end the process now */
	assert_int_equal(sigprocmask(SIG_SETMASK, &old, NULL), 0);
	assert_true(scene->report.is_interrupted);
	for (size_t i = 0; i < scene->count; i++) {
		assert_int_equal(scene->results[i].outcome, APPLY_INTERRUPTED);
		fixture_expect(scene->fixture, scene->fixture->names[i],
			       "queue/read_ahead_kb", "128");
	}
	scene_free(scene);
}

/* One that comes while the first device is busy: that one is brought to its end (put back,
   as it stays busy), no further one is begun. */
static void test_interrupted_in_the_middle(void **state)
{
	struct scene *scene = scene_new(5);
	const struct apply_options options = { .workers = 1 };
	int fd = take_lease(scene, 0, "queue/nomerges");
	sigset_t old;

	(void)state;
	if (fd < 0) {
		scene_free(scene);
		skip();
	}
	hold_sigterm(&old);
	/* The signal comes when the worker meets the lease: in the middle by itself. */
	assert_int_equal(fcntl(fd, F_SETSIG, SIGTERM), 0);
	assert_int_equal(run(scene, &options), 0);
	assert_int_equal(sigprocmask(SIG_SETMASK, &old, NULL), 0);
	close(fd);
	assert_true(scene->report.is_interrupted);
	assert_int_equal(scene->results[0].outcome, APPLY_PUT_BACK);
	for (size_t i = 0; i < scene->count; i++) {
		if (i)
			assert_int_equal(scene->results[i].outcome, APPLY_INTERRUPTED);
		fixture_expect(scene->fixture, scene->fixture->names[i],
			       "queue/read_ahead_kb", "128");
	}
	scene_free(scene);
}

/* Ignored before, ignored now: `nohup iosched-tune apply`. */
static void test_ignored_signals_stay_ignored(void **state)
{
	struct scene *scene = scene_new(3);
	const struct apply_options options = { 0 };
	struct sigaction ignore = { .sa_handler = SIG_IGN }, old;
	struct held_signals signals;

	(void)state;
	assert_int_equal(sigaction(SIGHUP, &ignore, &old), 0);
	assert_int_equal(signals_hold(SIGNALS_HANGUP | SIGNALS_STOP, &signals), 0);
	assert_int_equal(raise(SIGHUP), 0);
	assert_int_equal(supervise_run(scene->fixture->root, scene->jobs, scene->count,
				       &options, &signals, &scene->report),
			 0);
	signals_release(&signals);
	assert_int_equal(sigaction(SIGHUP, &old, NULL), 0);
	assert_false(scene->report.is_interrupted);
	assert_int_equal(scene->results[2].outcome, APPLY_DONE);
	scene_free(scene);
}

/* No thread to be had: said before anything is written. The address sanitizer itself
   ends the process when it is short of memory. */
static void test_no_threads(void **state)
{
#ifdef __SANITIZE_ADDRESS__
	(void)state;
	skip();
#else
	struct scene *scene = scene_new(2);
	const struct apply_options options = { 0 };
	struct rlimit old, none;
	int error;

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_AS, &old), 0);
	none = (struct rlimit){ 1024 * 1024, old.rlim_max };
	assert_int_equal(setrlimit(RLIMIT_AS, &none), 0);
	error = run(scene, &options);
	assert_int_equal(setrlimit(RLIMIT_AS, &old), 0);
	assert_true(error == -EAGAIN || error == -ENOMEM);
	fixture_expect(scene->fixture, "disk0", "queue/read_ahead_kb", "128");
	scene_free(scene);
#endif
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_done),
		cmocka_unit_test(test_stuck_does_not_hold_up_the_others),
		cmocka_unit_test(test_busy_is_tried_again),
		cmocka_unit_test(test_interrupted_before),
		cmocka_unit_test(test_interrupted_in_the_middle),
		cmocka_unit_test(test_ignored_signals_stay_ignored),
		cmocka_unit_test(test_no_threads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
