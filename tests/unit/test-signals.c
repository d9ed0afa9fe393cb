// SPDX-License-Identifier: GPL-2.0-or-later
/* Signals that are read: none delivered, none taken for another, and all is as before. */
#include "test.h"

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "util/cleanup.h"
#include "util/signals.h"

static bool is_blocked(int number)
{
	sigset_t now;

	assert_int_equal(sigprocmask(SIG_BLOCK, NULL, &now), 0);
	return sigismember(&now, number) == 1;
}

static bool is_default(int number)
{
	struct sigaction action;

	assert_int_equal(sigaction(number, NULL, &action), 0);
	return action.sa_handler == SIG_DFL;
}

static void send(int number)
{
	assert_int_equal(kill(getpid(), number), 0);
}

static void test_a_signal_is_read(void **state)
{
	struct held_signals signals;

	(void)state;
	assert_int_equal(signals_hold(0, &signals), 0);
	assert_false(signals_check(&signals));
	send(SIGTERM);
	assert_true(signals_check(&signals));
	send(SIGINT);
	assert_true(signals_check(&signals));
	/* The first one is it. */
	assert_int_equal(signals.number, SIGTERM);
	signals_release(&signals);
	assert_false(is_blocked(SIGTERM) || is_blocked(SIGINT));
}

/* Each choice holds its own signals, and no other. */
static void test_choices(void **state)
{
	static const struct {
		unsigned choices;
		bool hangup, quit, stop, resize;
	} rows[] = {
		{ 0, false, false, false, false },
		{ SIGNALS_HANGUP, true, false, false, false },
		{ SIGNALS_QUIT, false, true, false, false },
		{ SIGNALS_STOP, false, false, true, false },
		{ SIGNALS_RESIZE, false, false, false, true },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct held_signals signals;

		assert_int_equal(signals_hold(rows[i].choices, &signals), 0);
		assert_true(is_blocked(SIGINT) && is_blocked(SIGTERM));
		assert_int_equal(is_blocked(SIGHUP), rows[i].hangup);
		assert_int_equal(is_blocked(SIGQUIT), rows[i].quit);
		assert_int_equal(is_blocked(SIGTSTP), rows[i].stop);
		assert_int_equal(is_blocked(SIGWINCH), rows[i].resize);
		signals_release(&signals);
	}
}

static void test_what_is_ignored(void **state)
{
	struct held_signals signals;

	(void)state;
	signal(SIGINT, SIG_IGN);
	assert_int_equal(signals_hold(0, &signals), 0);
	send(SIGINT);
	assert_false(signals_check(&signals));
	signals_release(&signals);

	assert_int_equal(signals_hold(SIGNALS_IGNORED, &signals), 0);
	send(SIGINT);
	assert_true(signals_check(&signals));
	assert_int_equal(signals.number, SIGINT);
	signals_release(&signals);
	signal(SIGINT, SIG_DFL);
}

/* It wakes, and does not end. */
static void test_resize(void **state)
{
	struct held_signals signals;

	(void)state;
	assert_int_equal(signals_hold(SIGNALS_RESIZE, &signals), 0);
	send(SIGWINCH);
	assert_false(signals_wait(&signals, -1));
	send(SIGWINCH);
	send(SIGTERM);
	assert_true(signals_wait(&signals, -1));
	assert_int_equal(signals.number, SIGTERM);
	signals_release(&signals);
}

/* One that comes while it waits. */
static void test_waiting_for_one(void **state)
{
	struct held_signals signals;
	pid_t child;

	(void)state;
	assert_int_equal(signals_hold(0, &signals), 0);
	child = fork();
	assert_true(child >= 0);
	if (!child) {
		kill(getppid(), SIGINT);
		_exit(0);
	}
	assert_true(signals_wait(&signals, -1));
	assert_int_equal(waitpid(child, NULL, 0), child);
	signals_release(&signals);
}

static void test_waiting_has_an_end(void **state)
{
	struct held_signals signals, none = SIGNALS_NONE;

	(void)state;
	assert_int_equal(signals_hold(0, &signals), 0);
	assert_false(signals_wait(&signals, 1));
	signals_release(&signals);
	assert_false(signals_wait(&none, 1));
}

/* Stopping waits until what is under way has ended. */
static void test_stop_waits(void **state)
{
	struct held_signals signals;
	sigset_t pending;

	(void)state;
	assert_int_equal(signals_hold(SIGNALS_STOP, &signals), 0);
	send(SIGTSTP);
	assert_false(signals_wait(&signals, 0));
	assert_int_equal(sigpending(&pending), 0);
	assert_int_equal(sigismember(&pending, SIGTSTP), 1);
	/* Ignoring it drops it: it would stop the test. */
	signal(SIGTSTP, SIG_IGN);
	signals_release(&signals);
	signal(SIGTSTP, SIG_DFL);
	assert_false(is_blocked(SIGTSTP));
}

/* The way back is not ended, neither by them nor by those who hold signals in it. */
static void test_the_way_back(void **state)
{
	struct held_signals signals, within;

	(void)state;
	assert_int_equal(signals_hold(SIGNALS_HANGUP, &signals), 0);
	send(SIGHUP);
	signals_ignore(&signals);
	send(SIGTERM);
	assert_int_equal(signals_hold(SIGNALS_HANGUP, &within), 0);
	send(SIGHUP);
	assert_false(signals_check(&within));
	signals_release(&within);
	assert_false(signals_check(&signals));
	assert_true(is_default(SIGQUIT));
	signals_release(&signals);
	assert_true(is_default(SIGHUP) && is_default(SIGTERM) && is_default(SIGINT));
	assert_false(is_blocked(SIGHUP) || is_blocked(SIGTERM));
}

static void test_what_was_not_looked_at_is_dropped(void **state)
{
	struct held_signals signals;

	(void)state;
	assert_int_equal(signals_hold(0, &signals), 0);
	send(SIGTERM);
	signals_release(&signals);
	assert_false(is_blocked(SIGTERM));
	/* Nothing is held any more, and once more does nothing. */
	assert_int_equal(signals.fd, -1);
	signals_release(&signals);
}

/* In a child: it is to end by the signal. */
static int end_of_child(bool is_seen)
{
	struct held_signals signals;
	int status;
	pid_t child = fork();

	assert_true(child >= 0);
	if (!child) {
		if (signals_hold(SIGNALS_DELIVER, &signals))
			_exit(2);
		kill(getpid(), SIGTERM);
		if (is_seen && !signals_check(&signals))
			_exit(3);
		kill(getpid(), SIGINT);
		signals_release(&signals);
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	return status;
}

static void test_what_was_not_looked_at_is_delivered(void **state)
{
	int status = end_of_child(false);

	(void)state;
	assert_true(WIFSIGNALED(status));
	/* One that was seen has had its effect, and another adds nothing. */
	assert_int_equal(end_of_child(true), 0);
}

static void test_no_descriptor(void **state)
{
	struct held_signals signals = SIGNALS_NONE;
	struct rlimit before;

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &(struct rlimit){ 0, before.rlim_max }), 0);
	assert_int_equal(signals_hold(0, &signals), -EMFILE);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
	assert_false(is_blocked(SIGTERM));
	assert_false(signals_check(&signals));
	signals_ignore(&signals);
	assert_true(is_default(SIGTERM));
	signals_release(&signals);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_signal_is_read),
		cmocka_unit_test(test_choices),
		cmocka_unit_test(test_what_is_ignored),
		cmocka_unit_test(test_resize),
		cmocka_unit_test(test_waiting_for_one),
		cmocka_unit_test(test_waiting_has_an_end),
		cmocka_unit_test(test_stop_waits),
		cmocka_unit_test(test_the_way_back),
		cmocka_unit_test(test_what_was_not_looked_at_is_dropped),
		cmocka_unit_test(test_what_was_not_looked_at_is_delivered),
		cmocka_unit_test(test_no_descriptor),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
