// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Running another program: its words, its status, its limits, what it leaves behind.
 */
#include "test.h"

#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "util/child.h"
#include "util/number.h"

#define LONG_MS 60000

struct heard {
	struct text output, messages;
	struct child_end end;
};

static void heard_done(struct heard *heard)
{
	text_done(&heard->output);
	text_done(&heard->messages);
}

#define _heard_ _cleanup_(heard_done)

static int set_up(void **state)
{
	(void)state;
	/* As main() does. */
	signal(SIGPIPE, SIG_IGN);
	return 0;
}

/* A script, listened to. */
static int run(const char *script, const struct text *input, uint64_t limit_ms, size_t max,
	       struct heard *heard)
{
	const char *const argv[] = { "sh", "-c", script, NULL };
	const struct child_command command = {
		.program = "/bin/sh",
		.argv = argv,
		.input = input,
		.output = &heard->output,
		.output_max = max,
		.messages = &heard->messages,
		.messages_max = 8,
		.is_tied = true,
		.limit_ms = limit_ms,
		.farewell_ms = LONG_MS,
	};

	return child_run(&command, &heard->end);
}

static void test_words_and_status(void **state)
{
	_heard_ struct heard heard = { 0 };

	(void)state;
	assert_int_equal(run("echo one; echo 'two and more' >&2; read x || exit 6", NULL,
			     LONG_MS, 100, &heard),
			 0);
	assert_string_equal(heard.output.data, "one\n");
	/* the beginning of what it complains about */
	assert_string_equal(heard.messages.data, "two and ");
	assert_int_equal(heard.end.status, 6);
	assert_int_equal(heard.end.signal, 0);
	assert_false(heard.end.is_running);
}

static void test_ended_by_a_signal(void **state)
{
	_heard_ struct heard heard = { 0 };

	(void)state;
	assert_int_equal(run("kill -9 $$", NULL, LONG_MS, 100, &heard), 0);
	assert_int_equal(heard.end.status, -1);
	assert_int_equal(heard.end.signal, SIGKILL);
}

static void test_input(void **state)
{
	_heard_ struct heard heard = { 0 };
	_text_ struct text input = { 0 };

	(void)state;
	/* More than a pipe holds at once. */
	for (unsigned i = 0; i < 20000; i++)
		text_add(&input, "[job]\nrw=read\n");
	assert_int_equal(run("wc -c", &input, LONG_MS, 100, &heard), 0);
	assert_string_equal(heard.output.data, "280000\n");
	/* It need not read it. */
	assert_int_equal(run("exec 0<&-; echo done", &input, LONG_MS, 100, &heard), 0);
	assert_string_equal(heard.output.data, "280000\ndone\n");
}

static void test_too_much_output(void **state)
{
	_heard_ struct heard heard = { 0 };

	(void)state;
	assert_int_equal(run("while :; do echo many words; done", NULL, LONG_MS, 1000,
			     &heard),
			 -EFBIG);
	assert_int_equal(heard.output.len, 1000);
	assert_false(heard.end.is_running);
	/* as much as there may be is not too much */
	text_done(&heard.output);
	assert_int_equal(run("printf 12345", NULL, LONG_MS, 5, &heard), 0);
	assert_string_equal(heard.output.data, "12345");
	/* and also what comes all at once before the end */
	text_done(&heard.output);
	assert_int_equal(run("printf 123456", NULL, LONG_MS, 5, &heard), -EFBIG);
	assert_string_equal(heard.output.data, "12345");
}

/* One that does not listen to what asks it to end, with a child that holds its pipe. */
static void test_over_its_time(void **state)
{
	_heard_ struct heard heard = { 0 };
	int64_t other = 0;
	int status = 0;

	(void)state;
	/* What it leaves behind becomes ours, to see how that ends. */
	assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
	assert_int_equal(run("trap '' TERM INT HUP; sleep 1000 & echo $!; wait; sleep 1000",
			     NULL, 300, 100, &heard),
			 -ETIME);
	assert_false(heard.end.is_running);
	assert_int_equal(heard.end.signal, SIGKILL);
	assert_int_equal(number_parse_i64(text_trim(heard.output.data), &other), 0);
	/* it was ended, too */
	assert_int_equal(waitpid((pid_t)other, &status, 0), other);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	prctl(PR_SET_CHILD_SUBREAPER, 0);
}

/* What it leaves behind holds the pipe open, and is not waited for. */
static void test_left_behind(void **state)
{
	_heard_ struct heard heard = { 0 };

	(void)state;
	assert_int_equal(run("sleep 1000 & echo here; exit 3", NULL, LONG_MS, 100, &heard), 0);
	assert_string_equal(heard.output.data, "here\n");
	assert_int_equal(heard.end.status, 3);
}

static void test_cannot_be_started(void **state)
{
	static const char *const argv[] = { "no-such-program-anywhere", NULL };
	struct child_command command = { .program = "/no/such/program", .argv = argv };
	struct child_end end = { .status = 77 };

	(void)state;
	assert_int_equal(child_run(&command, &end), -ENOENT);
	command.program = NULL;
	assert_int_equal(child_run(&command, &end), -ENOENT);
	command.program = "/";
	assert_int_equal(child_run(&command, &end), -EACCES);
	assert_int_equal(end.status, 77);
	/* nothing is left to be waited for */
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
}

/* Looked for in $PATH, in its own environment; nothing is listened to. */
static void test_only_waited_for(void **state)
{
	static const char *const argv[] = { "sh", "-c", "test \"$A$B\" = b; exit $(($? + 4))",
					    NULL };
	static const char *const environment[] = { "B=b", NULL };
	struct child_command command = { .argv = argv, .environment = environment };
	struct child_end end = { 0 };

	(void)state;
	setenv("A", "a", 1);
	assert_int_equal(child_run(&command, &end), 0);
	assert_int_equal(end.status, 4);
	command.environment = NULL;
	assert_int_equal(child_run(&command, &end), 0);
	assert_int_equal(end.status, 5);
	unsetenv("A");
}

static void test_signals_are_as_for_anybody(void **state)
{
	_heard_ struct heard heard = { 0 };
	struct held_signals signals;

	(void)state;
	assert_int_equal(signals_hold(SIGNALS_HANGUP, &signals), 0);
	/* neither blocked nor ignored */
	assert_int_equal(run("kill -TERM $$; exit 1", NULL, LONG_MS, 100, &heard), 0);
	assert_int_equal(heard.end.signal, SIGTERM);
	assert_int_equal(run("kill -PIPE $$; exit 1", NULL, LONG_MS, 100, &heard), 0);
	assert_int_equal(heard.end.signal, SIGPIPE);
	signals_release(&signals);
}

static void test_a_signal_gives_it_up(void **state)
{
	static const char *const argv[] = { "sh", "-c",
					    "kill -TERM $PPID; exec sleep 1000", NULL };
	struct held_signals signals;
	struct child_command command = { .program = "/bin/sh",
					 .argv = argv,
					 .is_tied = true,
					 .farewell_ms = LONG_MS,
					 .signals = &signals };
	struct child_end end;

	(void)state;
	assert_int_equal(signals_hold(0, &signals), 0);
	assert_int_equal(child_run(&command, &end), -EINTR);
	assert_int_equal(signals.number, SIGTERM);
	assert_int_equal(end.signal, SIGKILL);
	signals_release(&signals);
}

struct ticks {
	unsigned count;
	double last;
};

static void count_tick(void *context, double seconds)
{
	struct ticks *ticks = context;

	assert_true(seconds >= ticks->last);
	ticks->last = seconds;
	ticks->count++;
}

static void test_ticks(void **state)
{
	static const char *const argv[] = { "sleep", "0.5", NULL };
	struct ticks ticks = { 0 };
	const struct child_command command = { .argv = argv,
					       .on_tick = count_tick,
					       .context = &ticks };
	struct child_end end;

	(void)state;
	assert_int_equal(child_run(&command, &end), 0);
	assert_true(ticks.count > 0);
	/* also when it has ended */
	assert_true(ticks.last > 0.4);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, NULL)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_words_and_status),
		TEST(test_ended_by_a_signal),
		TEST(test_input),
		TEST(test_too_much_output),
		TEST(test_over_its_time),
		TEST(test_left_behind),
		TEST(test_cannot_be_started),
		TEST(test_only_waited_for),
		TEST(test_signals_are_as_for_anybody),
		TEST(test_a_signal_gives_it_up),
		TEST(test_ticks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
