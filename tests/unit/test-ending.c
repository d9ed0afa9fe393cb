// SPDX-License-Identifier: GPL-2.0-or-later
/* Signals that are read: none lost, none delivered, and what was ignored stays so. */
#include "cmd/ending.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>
#include <cmocka.h>

static void test_a_signal_is_read(void **state)
{
	struct ending ending;
	sigset_t now;

	(void)state;
	ending_hold(&ending);
	assert_false(ending_check(&ending));
	kill(getpid(), SIGTERM);
	assert_true(ending_check(&ending));
	assert_true(ending_check(&ending));
	ending_release(&ending);
	sigprocmask(SIG_BLOCK, NULL, &now);
	assert_false(sigismember(&now, SIGTERM));
	assert_false(sigismember(&now, SIGINT));
}

static void test_what_was_ignored_stays_so(void **state)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN }, before;
	struct ending ending;

	(void)state;
	sigaction(SIGINT, &ignore, &before);
	ending_hold(&ending);
	kill(getpid(), SIGINT);
	assert_false(ending_check(&ending));
	ending_release(&ending);
	sigaction(SIGINT, &before, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_signal_is_read),
		cmocka_unit_test(test_what_was_ignored_stays_so),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
