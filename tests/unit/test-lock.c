// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The lock between runs: who holds it, who is told, and when it is given up.
 */
#include "test.h"

#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "apply/apply.h"
#include "sysfs/paths.h"

struct scene {
	char *dir;
	struct root *root;
};

static int set_up(void **state)
{
	struct scene *scene = calloc(1, sizeof(*scene));

	assert_non_null(scene);
	scene->dir = test_scratch_new();
	assert_int_equal(root_open(scene->dir, &scene->root, NULL), 0);
	*state = scene;
	return 0;
}

static int tear_down(void **state)
{
	struct scene *scene = *state;

	root_free(scene->root);
	test_scratch_done(scene->dir);
	free(scene);
	return 0;
}

static void test_taken_and_released(void **state)
{
	struct scene *scene = *state;
	struct apply_lock lock = APPLY_LOCK_NONE;
	char path[4096];
	struct stat st;

	assert_int_equal(apply_lock_take(scene->root, &lock, NULL), 0);
	assert_true(lock.fd >= 0);
	snprintf(path, sizeof(path), "%s/%s", scene->dir, PATH_STATE_DIR);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0700);
	apply_lock_release(&lock);
	assert_int_equal(lock.fd, -1);
	apply_lock_release(&lock);
	assert_int_equal(apply_lock_take(scene->root, &lock, NULL), 0);
	apply_lock_release(&lock);
}

/* A process that has the lock's descriptor and nothing else to do. */
static pid_t fork_holder(int fd)
{
	int ready[2];
	char byte;
	pid_t pid;

	assert_int_equal(pipe(ready), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		close(ready[0]);
		close(ready[1]);
		pause();
		_exit(fd);
	}
	close(ready[1]);
	assert_int_equal(read(ready[0], &byte, 1), 0);
	close(ready[0]);
	return pid;
}

static void end_holder(pid_t pid)
{
	assert_int_equal(kill(pid, SIGKILL), 0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

static void test_another_run_is_named(void **state)
{
	struct scene *scene = *state;
	struct apply_lock lock = APPLY_LOCK_NONE, other = APPLY_LOCK_NONE;
	struct diag diag = { 0 };
	char number[32];

	assert_int_equal(apply_lock_take(scene->root, &lock, NULL), 0);
	assert_int_equal(apply_lock_take(scene->root, &other, &diag), -EWOULDBLOCK);
	assert_int_equal(other.fd, -1);
	snprintf(number, sizeof(number), "%ld", (long)getpid());
	assert_non_null(strstr(diag.text, number));
	apply_lock_release(&lock);
}

static pid_t said_holder;
static unsigned said_count;

static void note(pid_t holder, unsigned timeout_ms)
{
	assert_int_equal(timeout_ms, 700);
	said_holder = holder;
	said_count++;
}

/* Who waits longer than a moment is told for whom, once, and gets the lock at its end. */
static void test_waiting_is_told(void **state)
{
	static const struct apply_wait wait = { .timeout_ms = 700, .say = note };
	struct scene *scene = *state;
	struct apply_lock lock = APPLY_LOCK_NONE, other = APPLY_LOCK_NONE;
	struct diag diag = { 0 };

	said_count = 0;
	assert_int_equal(apply_lock_wait(scene->root, &wait, &lock, NULL), 0);
	assert_int_equal(said_count, 0); /* nobody to wait for */
	assert_int_equal(apply_lock_wait(scene->root, &wait, &other, &diag),
			 -EWOULDBLOCK);
	assert_int_equal(said_count, 1);
	assert_int_equal(said_holder, getpid());
	test_write(scene->dir, PATH_LOCK, "4194304\n"); /* above the largest pid */
	assert_int_equal(apply_lock_wait(scene->root, &wait, &other, NULL), -EWOULDBLOCK);
	assert_int_equal(said_count, 2);
	assert_int_equal(said_holder, 0);
	apply_lock_release(&lock);
	assert_int_equal(apply_lock_wait(scene->root, &wait, &other, NULL), 0);
	assert_int_equal(said_count, 2);
	apply_lock_release(&other);
}

static struct apply_lock held;

static void release_held(pid_t holder, unsigned timeout_ms)
{
	(void)holder;
	(void)timeout_ms;
	apply_lock_release(&held);
}

/* A run that ends while another one waits leaves it the lock. */
static void test_waits_for_the_end(void **state)
{
	static const struct apply_wait wait = { .timeout_ms = 60000,
						.say = release_held };
	struct scene *scene = *state;
	struct apply_lock lock = APPLY_LOCK_NONE;

	assert_int_equal(apply_lock_take(scene->root, &held, NULL), 0);
	assert_int_equal(apply_lock_wait(scene->root, &wait, &lock, NULL), 0);
	assert_int_equal(held.fd, -1); /* it did wait */
	apply_lock_release(&lock);
}

/* The writing process outlives a parent that was killed: it still has the lock. */
static void test_held_by_the_child_alone(void **state)
{
	struct scene *scene = *state;
	struct apply_lock lock = APPLY_LOCK_NONE, other = APPLY_LOCK_NONE;
	struct diag diag = { 0 };
	pid_t pid;

	assert_int_equal(apply_lock_take(scene->root, &lock, NULL), 0);
	pid = fork_holder(lock.fd);
	close(lock.fd); /* as the kernel does when the parent is killed */
	test_write(scene->dir, PATH_LOCK, "4194304\n"); /* above the largest pid */
	assert_int_equal(apply_lock_take(scene->root, &other, &diag), -EWOULDBLOCK);
	assert_null(strstr(diag.text, "4194304"));
	end_holder(pid);
	assert_int_equal(apply_lock_take(scene->root, &other, NULL), 0);
	apply_lock_release(&other);
}

/* A child that was given up keeps its copy of the descriptor, not the lock. */
static void test_released_from_a_stuck_child(void **state)
{
	struct scene *scene = *state;
	struct apply_lock lock = APPLY_LOCK_NONE, other = APPLY_LOCK_NONE;
	pid_t pid;

	assert_int_equal(apply_lock_take(scene->root, &lock, NULL), 0);
	pid = fork_holder(lock.fd);
	apply_lock_release(&lock);
	assert_int_equal(apply_lock_take(scene->root, &other, NULL), 0);
	apply_lock_release(&other);
	end_holder(pid);
}

static void test_no_place(void **state)
{
	struct scene *scene = *state;
	struct apply_lock lock = APPLY_LOCK_NONE;
	struct diag diag = { 0 };

	test_write(scene->dir, "var/lib", "a file where a directory should be");
	assert_true(apply_lock_take(scene->root, &lock, &diag) < 0);
	assert_int_equal(lock.fd, -1);
	assert_string_equal(diag.where, "/" PATH_STATE_DIR);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_taken_and_released),
		TEST(test_another_run_is_named),
		TEST(test_waiting_is_told),
		TEST(test_waits_for_the_end),
		TEST(test_held_by_the_child_alone),
		TEST(test_released_from_a_stuck_child),
		TEST(test_no_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
