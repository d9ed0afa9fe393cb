// SPDX-License-Identifier: GPL-2.0-or-later
/* Running a program that stands for fio: what it is given, what it says, how it ends. */
#include "test.h"

#include <errno.h>
#include <signal.h>

#include "bench/fio-run.h"
#include "util/cleanup.h"

static char *dir;
static struct held_signals signals;

static int set_up(void **state)
{
	(void)state;
	/* As main() does. */
	signal(SIGPIPE, SIG_IGN);
	dir = test_scratch_new();
	return signals_hold(SIGNALS_HANGUP | SIGNALS_QUIT | SIGNALS_STOP, &signals);
}

static int tear_down(void **state)
{
	(void)state;
	signals_release(&signals);
	test_scratch_done(dir);
	return 0;
}

/* Runs a script in fio's place. */
static int run(const char *script, const struct text *job, bool is_read_only, uint64_t limit_ns,
	       struct text *output, struct diag *diag)
{
	_free_ char *program = NULL, *whole = NULL;
	struct fio_command command = { .is_read_only = is_read_only, .job = job,
				       .limit_ns = limit_ns, .signals = &signals };

	assert_true(asprintf(&program, "%s/fio", dir) > 0);
	assert_true(asprintf(&whole, "#!/bin/sh\n%s\n", script) > 0);
	test_write(dir, "fio", whole);
	assert_int_equal(chmod(program, 0755), 0);
	command.program = program;
	return fio_run(&command, output, diag);
}

#define LONG_NS (UINT64_C(60) * 1000000000)

static void test_job_and_report(void **state)
{
	_text_ struct text job = { 0 }, output = { 0 };
	struct diag diag = { 0 };

	(void)state;
	/* More than a pipe holds at once. */
	for (unsigned i = 0; i < 20000; i++)
		text_add(&job, "[job]\nrw=read\n");
	assert_int_equal(run("echo \"$@\"; wc -c", &job, true, LONG_NS, &output, &diag), 0);
	assert_string_equal(output.data, "--eta=never --output-format=json+ --readonly -\n280000\n");
}

static void test_it_may_write(void **state)
{
	_text_ struct text job = { 0 }, output = { 0 };
	struct diag diag = { 0 };

	(void)state;
	text_add(&job, "[a]\n");
	/* It need not read its job either. */
	assert_int_equal(run("echo \"$@\"; exec 0<&-", &job, false, LONG_NS, &output, &diag), 0);
	assert_string_equal(output.data, "--eta=never --output-format=json+ -\n");
}

static void test_failures(void **state)
{
	_text_ struct text job = { 0 }, output = { 0 };
	struct diag diag = { 0 };

	(void)state;
	text_add(&job, "[a]\n");
	assert_int_equal(run("echo out; echo 'it is broken' >&2; exit 3", &job, true, LONG_NS,
			     &output, &diag), -EIO);
	assert_string_equal(diag.text, "fio failed: it is broken");
	diag = (struct diag){ 0 };
	text_done(&output);
	assert_int_equal(run("exit 3", &job, true, LONG_NS, &output, &diag), -EIO);
	assert_string_equal(diag.text, "fio failed with exit status 3");
	diag = (struct diag){ 0 };
	assert_int_equal(run("kill -9 $$", &job, true, LONG_NS, &output, &diag), -EIO);
	assert_non_null(strstr(diag.text, "signal 9"));
}

static void test_too_much_to_say(void **state)
{
	_text_ struct text job = { 0 }, output = { 0 };
	struct diag diag = { 0 };

	(void)state;
	text_add(&job, "[a]\n");
	assert_int_equal(run("cat /dev/zero", &job, true, LONG_NS, &output, &diag), -EFBIG);
	assert_non_null(strstr(diag.text, "fio says more than 32 MiB"));
}

/* Over its time: its group is ended, not only itself. */
static void test_over_its_time(void **state)
{
	_text_ struct text job = { 0 }, output = { 0 };
	struct diag diag = { 0 };

	(void)state;
	text_add(&job, "[a]\n");
	assert_int_equal(run("sleep 1000 & echo $! >&1; wait", &job, true, 1, &output, &diag),
			 -ETIME);
	assert_true(diag.text[0]);
}

static void test_a_signal_ends_it(void **state)
{
	_text_ struct text job = { 0 }, output = { 0 };
	struct diag diag = { 0 };

	(void)state;
	text_add(&job, "[a]\n");
	/* Without a signal it would not end before its time. */
	assert_int_equal(run("kill -TERM $PPID; exec sleep 1000", &job, true, LONG_NS, &output,
			     &diag), -EINTR);
	assert_int_equal(signals.number, SIGTERM);
}

static void test_no_such_program(void **state)
{
	_text_ struct text job = { 0 }, output = { 0 };
	struct fio_command command = { .program = "/nonexistent/fio", .job = &job,
				       .limit_ns = LONG_NS, .signals = &signals };
	struct diag diag = { 0 };

	(void)state;
	text_add(&job, "[a]\n");
	signals.number = 0;
	assert_int_equal(fio_run(&command, &output, &diag), -EIO);
	assert_string_equal(diag.text, "fio cannot be started: No such file or directory");
}

static void test_where_it_is(void **state)
{
	_cleanup_(cleanup_root_free) struct root *root = NULL;
	_free_ char *path = NULL;
	struct diag diag = { 0 };

	(void)state;
	assert_int_equal(root_open(dir, &root, &diag), 0);
	assert_int_equal(fio_find(root, &path, &diag), -ENOENT);
	assert_non_null(strstr(diag.hint, "package fio"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_job_and_report, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_it_may_write, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_failures, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_too_much_to_say, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_over_its_time, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_a_signal_ends_it, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_no_such_program, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_where_it_is, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
