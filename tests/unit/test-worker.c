// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The writing process, spoken to as the parent does: its records, its orders and its end.
 */
#include "apply-fixture.h"

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>

#include "apply/worker.h"

struct scene {
	struct fixture *fixture;
	struct fixture_policy policy;
	struct plan *plan;
	struct queue_state states[FIXTURE_DISK_MAX];
	struct worker_job jobs[FIXTURE_DISK_MAX];
	size_t count;
};

static struct scene *scene_new(size_t count)
{
	struct scene *scene = calloc(1, sizeof(*scene));

	assert_non_null(scene);
	scene->fixture = fixture_new(count);
	scene->count = count;
	return scene;
}

static void scene_plan(struct scene *scene)
{
	assert_int_equal(plan_make(&scene->policy.policy, &scene->plan), 0);
	for (size_t i = 0; i < scene->count; i++) {
		assert_int_equal(queue_state_read(scene->fixture->root,
						  &scene->fixture->disks[i],
						  &scene->states[i]),
				 0);
		scene->jobs[i].planned = &scene->plan->items[i];
		scene->jobs[i].before = &scene->states[i];
	}
}

static void scene_free(struct scene *scene)
{
	for (size_t i = 0; i < scene->count; i++)
		queue_state_done(&scene->states[i]);
	plan_free(scene->plan);
	fixture_free(scene->fixture);
	free(scene);
}

static void want_all(struct scene *scene, const char *key, const char *value)
{
	for (size_t i = 0; i < scene->count; i++)
		fixture_want(&scene->policy, &scene->fixture->disks[i], key, value);
}

static void start(struct scene *scene, size_t threads, struct worker *worker)
{
	assert_int_equal(worker_start(scene->fixture->root, scene->jobs, scene->count,
				      threads, worker),
			 0);
}

static struct worker_record next(const struct worker *worker)
{
	struct worker_record record;

	assert_int_equal(read(worker->record_fd, &record, sizeof(record)),
			 sizeof(record));
	return record;
}

static void finish(struct worker *worker)
{
	int status;
	char byte;

	close(worker->control_fd);
	assert_int_equal(read(worker->record_fd, &byte, 1), 0);
	close(worker->record_fd);
	assert_int_equal(waitpid(worker->pid, &status, 0), worker->pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

static void test_tells_each_step(void **state)
{
	struct scene *scene = scene_new(1);
	struct worker_record record;
	struct worker worker;

	(void)state;
	want_all(scene, "read_ahead_kb", "256");
	want_all(scene, "scheduler", "mq-deadline");
	want_all(scene, "mq-deadline.read_expire", "500");
	scene_plan(scene);
	start(scene, 1, &worker);
	record = next(&worker);
	assert_int_equal(record.event, WORKER_BEGUN);
	record = next(&worker);
	assert_int_equal(record.event, WORKER_HOLDS);
	assert_int_equal(record.step, 0);
	assert_true(record.is_written);
	assert_string_equal(record.old, "none");
	assert_string_equal(record.actual, "mq-deadline");
	record = next(&worker);
	assert_int_equal(record.step, 1);
	assert_false(record.is_written); /* it was right after the switch */
	record = next(&worker);
	assert_int_equal(record.step, 2);
	assert_true(record.is_written);
	record = next(&worker);
	assert_int_equal(record.event, WORKER_ENDED);
	assert_int_equal(record.outcome, APPLY_DONE);
	finish(&worker);
	fixture_expect(scene->fixture, "disk0", "queue/scheduler", "mq-deadline");
	fixture_expect(scene->fixture, "disk0", "queue/read_ahead_kb", "256");
	scene_free(scene);
}

/* A directory where the second step has to write: the first one is taken back. */
static void test_puts_back(void **state)
{
	struct scene *scene = scene_new(1);
	struct worker_record record;
	struct worker worker;

	(void)state;
	fixture_write(scene->fixture, "disk0", "queue/iosched/read_lat_nsec/x", "");
	want_all(scene, "scheduler", "kyber");
	want_all(scene, "kyber.read_lat_nsec", "1000000");
	scene_plan(scene);
	start(scene, 1, &worker);
	next(&worker);
	next(&worker);
	record = next(&worker);
	assert_int_equal(record.event, WORKER_FAILED);
	assert_int_equal(record.step, 1);
	assert_true(record.error < 0);
	record = next(&worker);
	assert_int_equal(record.event, WORKER_ENDED);
	assert_int_equal(record.outcome, APPLY_PUT_BACK);
	finish(&worker);
	fixture_expect(scene->fixture, "disk0", "queue/scheduler", "none");
	scene_free(scene);
}

/* An attribute that this kernel's scheduler does not have is passed over, but not when
   somebody asked for it by name. */
static void test_absent_attribute(void **state)
{
	struct scene *scene = scene_new(2);
	struct worker_record record;
	struct worker worker;

	(void)state;
	want_all(scene, "scheduler", "kyber");
	want_all(scene, "kyber.read_lat_nsec", "1000000");
	scene->policy.values[1][1].origin = ORIGIN_COMMAND_LINE;
	scene_plan(scene);
	start(scene, 1, &worker);
	next(&worker);
	next(&worker);
	record = next(&worker);
	assert_int_equal(record.event, WORKER_HOLDS);
	assert_int_equal(record.step, 1);
	assert_false(record.is_written);
	record = next(&worker);
	assert_int_equal(record.outcome, APPLY_DONE);
	next(&worker);
	next(&worker);
	record = next(&worker);
	assert_int_equal(record.event, WORKER_FAILED);
	assert_int_equal(record.error, -ENOENT);
	record = next(&worker);
	assert_int_equal(record.outcome, APPLY_PUT_BACK);
	finish(&worker);
	scene_free(scene);
}

/* One write that undoes another is seen at the end: both cannot be. */
static void test_looks_again_at_the_end(void **state)
{
	struct scene *scene = scene_new(1);
	struct worker_record record;
	struct worker worker;
	char target[4096], link[4096];

	(void)state;
	/* two names of one file, as slice_idle and slice_idle_us are of one variable */
	fixture_path(scene->fixture, "disk0", "queue/nomerges", target, sizeof(target));
	fixture_path(scene->fixture, "disk0", "queue/read_ahead_kb", link, sizeof(link));
	assert_int_equal(unlink(target), 0);
	assert_int_equal(symlink("read_ahead_kb", target), 0);
	fixture_scan(scene->fixture);
	want_all(scene, "read_ahead_kb", "1024");
	want_all(scene, "nomerges", "2");
	scene_plan(scene);
	start(scene, 1, &worker);
	next(&worker);
	next(&worker);
	record = next(&worker);
	assert_int_equal(record.event, WORKER_HOLDS);
	record = next(&worker);
	assert_int_equal(record.event, WORKER_FAILED);
	assert_int_equal(record.step, 0);
	assert_int_equal(record.error, -EIO);
	assert_string_equal(record.actual, "2");
	record = next(&worker);
	assert_int_equal(record.outcome, APPLY_PUT_BACK);
	finish(&worker);
	fixture_expect(scene->fixture, "disk0", "queue/read_ahead_kb", "128");
	scene_free(scene);
}

static void test_gone(void **state)
{
	struct scene *scene = scene_new(2);
	struct worker_record record;
	struct worker worker;
	char path[4096];

	(void)state;
	want_all(scene, "read_ahead_kb", "256");
	scene_plan(scene);
	fixture_path(scene->fixture, "disk0", "", path, sizeof(path));
	test_remove_tree(path);
	fixture_write(scene->fixture, "disk1", "dev", "8:99\n");
	start(scene, 1, &worker);
	for (size_t i = 0; i < 2; i++) {
		next(&worker);
		record = next(&worker);
		assert_int_equal(record.event, WORKER_ENDED);
		assert_int_equal(record.outcome, APPLY_GONE);
	}
	finish(&worker);
	fixture_expect(scene->fixture, "disk1", "queue/read_ahead_kb", "128");
	scene_free(scene);
}

/* Taken away in the middle: it refuses first and vanishes then, and nothing is put back. */
static void test_gone_while_writing(void **state)
{
	struct scene *scene = scene_new(1);
	struct worker_record record;
	struct worker worker;
	char path[4096];

	(void)state;
	want_all(scene, "read_ahead_kb", "256");
	want_all(scene, "nomerges", "2");
	scene_plan(scene);
	fixture_path(scene->fixture, "disk0", "queue/nomerges", path, sizeof(path));
	assert_int_equal(unlink(path), 0);
	start(scene, 1, &worker);
	do {
		record = next(&worker);
	} while (record.event == WORKER_BEGUN || record.event == WORKER_HOLDS);
	assert_int_equal(record.event, WORKER_FAILED);
	assert_int_equal(record.error, -ENOENT);
	fixture_path(scene->fixture, "disk0", "", path, sizeof(path));
	test_remove_tree(path);
	record = next(&worker);
	assert_int_equal(record.event, WORKER_ENDED);
	assert_int_equal(record.outcome, APPLY_GONE);
	assert_int_equal(record.error, -ENODEV);
	finish(&worker);
	scene_free(scene);
}

/* All is read up to the answer to the order: nothing is begun after it. */
static void test_cancelled(void **state)
{
	struct scene *scene = scene_new(FIXTURE_DISK_MAX);
	size_t begun = 0, ended = 0;
	struct worker worker;
	bool is_over = false;

	(void)state;
	want_all(scene, "read_ahead_kb", "256");
	scene_plan(scene);
	start(scene, 4, &worker);
	assert_int_equal(write(worker.control_fd, "c", 1), 1);
	while (!is_over || ended < begun) {
		struct worker_record record = next(&worker);

		if (record.event == WORKER_BEGUN) {
			assert_false(is_over);
			begun++;
		}
		if (record.event == WORKER_CANCELLED)
			is_over = true;
		if (record.event == WORKER_ENDED)
			ended++;
	}
	finish(&worker);
	for (size_t i = 0; i < scene->count; i++)
		fixture_expect(scene->fixture, scene->fixture->names[i],
			       "queue/read_ahead_kb", i < begun ? "256" : "128");
	scene_free(scene);
}

/* Without an end of the control pipe it waits for orders: a further thread, say. */
static void test_many_threads(void **state)
{
	struct scene *scene = scene_new(FIXTURE_DISK_MAX);
	struct worker worker;

	(void)state;
	want_all(scene, "read_ahead_kb", "256");
	scene_plan(scene);
	start(scene, FIXTURE_DISK_MAX, &worker);
	assert_int_equal(write(worker.control_fd, "w", 1), 1);
	for (size_t ended = 0; ended < scene->count;)
		ended += next(&worker).event == WORKER_ENDED;
	finish(&worker);
	for (size_t i = 0; i < scene->count; i++)
		fixture_expect(scene->fixture, scene->fixture->names[i],
			       "queue/read_ahead_kb", "256");
	scene_free(scene);
}

/* Its parent dies: so does it, and the pipe ends. */
static void test_dies_with_its_parent(void **state)
{
	struct scene *scene = scene_new(1);
	int out[2], status;
	char byte;
	pid_t pid;

	(void)state;
	want_all(scene, "read_ahead_kb", "256");
	scene_plan(scene);
	assert_int_equal(pipe2(out, O_CLOEXEC), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (!pid) {
		struct worker worker;

		if (worker_start(scene->fixture->root, scene->jobs, 1, 1, &worker))
			_exit(1);
		/* the worker, too, has out[1] open until it is gone */
		for (struct worker_record record = { 0 }; record.event != WORKER_ENDED;)
			if (read(worker.record_fd, &record, sizeof(record)) <= 0)
				_exit(1);
		kill(getpid(), SIGKILL);
	}
	close(out[1]);
	assert_int_equal(read(out[0], &byte, 1), 0);
	close(out[0]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
	scene_free(scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tells_each_step),
		cmocka_unit_test(test_puts_back),
		cmocka_unit_test(test_absent_attribute),
		cmocka_unit_test(test_looks_again_at_the_end),
		cmocka_unit_test(test_gone),
		cmocka_unit_test(test_gone_while_writing),
		cmocka_unit_test(test_cancelled),
		cmocka_unit_test(test_many_threads),
		cmocka_unit_test(test_dies_with_its_parent),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
