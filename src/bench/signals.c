// SPDX-License-Identifier: GPL-2.0-or-later
/* Holding signals while something has to be put back. */
#include "bench/signals.h"

#include <errno.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "util/cleanup.h"

static const int ending[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };

static bool is_ignored(int number)
{
	struct sigaction action;

	return sigaction(number, NULL, &action) || action.sa_handler == SIG_IGN;
}

int bench_signals_hold(struct bench_signals *ret)
{
	struct bench_signals signals = { .fd = -1 };
	sigset_t held;
	int error;

	sigemptyset(&signals.ends);
	for (size_t i = 0; i < ARRAY_SIZE(ending); i++) {
		if (!is_ignored(ending[i]))
			sigaddset(&signals.ends, ending[i]);
	}
	held = signals.ends;
	/* Stopped in the middle, the disk would go on under a scheduler that nobody chose. */
	sigaddset(&held, SIGTSTP);
	/* Whoever reads what is said may go away first. */
	sigaddset(&held, SIGPIPE);
	if (sigprocmask(SIG_BLOCK, &held, &signals.old) < 0)
		return -errno;
	signals.fd = signalfd(-1, &signals.ends, SFD_CLOEXEC | SFD_NONBLOCK);
	if (signals.fd < 0) {
		error = -errno;
		sigprocmask(SIG_SETMASK, &signals.old, NULL);
		return error;
	}
	*ret = signals;
	return 0;
}

bool bench_signals_came(struct bench_signals *signals)
{
	struct signalfd_siginfo info;

	while (read(signals->fd, &info, sizeof(info)) == (ssize_t)sizeof(info))
		signals->number = (int)info.ssi_signo;
	return signals->number;
}

static void set_actions(const struct bench_signals *signals, void (*action)(int))
{
	for (size_t i = 0; i < ARRAY_SIZE(ending); i++) {
		if (sigismember(&signals->ends, ending[i]) == 1)
			signal(ending[i], action);
	}
}

void bench_signals_ignore(struct bench_signals *signals)
{
	set_actions(signals, SIG_IGN);
}

void bench_signals_release(struct bench_signals *signals)
{
	const struct timespec none = { 0 };
	sigset_t pipe_only;

	/* To ignore a signal drops one that waits. */
	set_actions(signals, SIG_IGN);
	set_actions(signals, SIG_DFL);
	sigemptyset(&pipe_only);
	sigaddset(&pipe_only, SIGPIPE);
	while (sigtimedwait(&pipe_only, NULL, &none) > 0)
		;
	close(signals->fd);
	sigprocmask(SIG_SETMASK, &signals->old, NULL);
}
