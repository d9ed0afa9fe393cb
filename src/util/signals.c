// SPDX-License-Identifier: GPL-2.0-or-later
/* Signals blocked, and read from a signalfd. */
#include "util/signals.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sys/signalfd.h>
#include <unistd.h>

static const struct {
	int number;
	unsigned choice; /* 0: always */
} endings[SIGNALS_ENDING] = {
	{ SIGINT, 0 },
	{ SIGTERM, 0 },
	{ SIGHUP, SIGNALS_HANGUP },
	{ SIGQUIT, SIGNALS_QUIT },
};

static bool is_ignored(int number)
{
	struct sigaction action;

	return sigaction(number, NULL, &action) || action.sa_handler == SIG_IGN;
}

static void choose_endings(unsigned choices, sigset_t *ret)
{
	sigemptyset(ret);
	for (size_t i = 0; i < ARRAY_SIZE(endings); i++) {
		if (endings[i].choice && !(choices & endings[i].choice))
			continue;
		if (choices & SIGNALS_IGNORED || !is_ignored(endings[i].number))
			sigaddset(ret, endings[i].number);
	}
}

int signals_hold(unsigned choices, struct held_signals *ret)
{
	struct held_signals signals = { .is_delivered = choices & SIGNALS_DELIVER };
	sigset_t read_set, blocked;

	choose_endings(choices, &signals.ends);
	read_set = signals.ends;
	if (choices & SIGNALS_RESIZE)
		sigaddset(&read_set, SIGWINCH);
	blocked = read_set;
	if (choices & SIGNALS_STOP)
		sigaddset(&blocked, SIGTSTP);
	signals.fd = signalfd(-1, &read_set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (signals.fd < 0)
		return -errno;
	pthread_sigmask(SIG_BLOCK, &blocked, &signals.old);
	*ret = signals;
	return 0;
}

/* The next that came, whatever it asks for; 0: none. */
static int take(const struct held_signals *signals)
{
	struct signalfd_siginfo info;

	if (signals->fd < 0 || read(signals->fd, &info, sizeof(info)) != (ssize_t)sizeof(info))
		return 0;
	return (int)info.ssi_signo;
}

bool signals_check(struct held_signals *signals)
{
	int number;

	/* What is ignored and blocked can be read all the same. */
	while (!signals->is_ignoring && (number = take(signals))) {
		if (!signals->number && sigismember(&signals->ends, number) == 1)
			signals->number = number;
	}
	return signals->number;
}

bool signals_wait(struct held_signals *signals, int timeout_ms)
{
	struct pollfd fd = { .fd = signals->fd, .events = POLLIN };

	poll(&fd, 1, timeout_ms);
	return signals_check(signals);
}

void signals_ignore(struct held_signals *signals)
{
	const struct sigaction ignore = { .sa_handler = SIG_IGN };

	if (signals->fd < 0 || signals->is_ignoring)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(endings); i++) {
		if (sigismember(&signals->ends, endings[i].number) == 1)
			sigaction(endings[i].number, &ignore, &signals->actions[i]);
	}
	signals->is_ignoring = true;
}

void signals_release(struct held_signals *signals)
{
	if (signals->fd < 0)
		return;
	while ((!signals->is_delivered || signals->number) && take(signals))
		;
	for (size_t i = 0; i < ARRAY_SIZE(endings) && signals->is_ignoring; i++) {
		if (sigismember(&signals->ends, endings[i].number) == 1)
			sigaction(endings[i].number, &signals->actions[i], NULL);
	}
	close(signals->fd);
	pthread_sigmask(SIG_SETMASK, &signals->old, NULL);
	signals->fd = -1;
}
