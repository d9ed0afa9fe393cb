// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Signals that end the program, held back in a descriptor. Where there is none to be had
 * they are delivered, as if nobody had asked.
 */
#include "cmd/ending.h"

#include <pthread.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "util/cleanup.h"

void ending_hold(struct ending *ending)
{
	static const int numbers[] = { SIGINT, SIGTERM };
	struct sigaction action;
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++) {
		if (!sigaction(numbers[i], NULL, &action) && action.sa_handler != SIG_IGN)
			sigaddset(&set, numbers[i]);
	}
	*ending = (struct ending){ .fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK) };
	if (ending->fd < 0)
		sigemptyset(&set);
	pthread_sigmask(SIG_BLOCK, &set, &ending->old);
}

bool ending_check(struct ending *ending)
{
	struct signalfd_siginfo info;

	if (ending->fd >= 0 &&
	    read(ending->fd, &info, sizeof(info)) == (ssize_t)sizeof(info))
		ending->has_come = true;
	return ending->has_come;
}

void ending_release(struct ending *ending)
{
	if (ending->fd >= 0)
		close(ending->fd);
	ending->fd = -1;
	pthread_sigmask(SIG_SETMASK, &ending->old, NULL);
}
