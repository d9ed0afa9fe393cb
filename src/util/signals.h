/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Signals that ask the program to end, read instead of delivered while something is under
 * way, so that it ends in order: gives what there is, or puts back what was. SIGPIPE is not
 * among them: main() ignores it for good.
 */
#ifndef IOSCHED_UTIL_SIGNALS_H
#define IOSCHED_UTIL_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

#include "util/cleanup.h"

/* SIGINT and SIGTERM are always held; these are added. */
enum signals_choice {
	SIGNALS_HANGUP  = 1 << 0, /* SIGHUP asks to end, too */
	SIGNALS_QUIT    = 1 << 1, /* SIGQUIT, too */
	SIGNALS_IGNORED = 1 << 2, /* also those that the process ignores, for what has no end
				     of its own; without it they stay ignored */
	SIGNALS_STOP    = 1 << 3, /* SIGTSTP waits for the end */
	SIGNALS_RESIZE  = 1 << 4, /* SIGWINCH ends nothing, but ends signals_wait() */
	SIGNALS_DELIVER = 1 << 5, /* one that signals_check() has not seen is delivered at the
				     end: something else goes on then, and would not know */
};

#define SIGNALS_ENDING 4 /* SIGINT, SIGTERM, SIGHUP, SIGQUIT */

struct held_signals {
	int fd;     /* to poll(): readable when one came; -1: none are held */
	int number; /* of the first that asked to end; 0: none */
	bool is_ignoring, is_delivered;
	sigset_t ends, old;
	struct sigaction actions[SIGNALS_ENDING]; /* of before signals_ignore() */
};

/* Holds none: they are delivered as ever, and the functions below do nothing. */
#define SIGNALS_NONE ((struct held_signals){ .fd = -1 })

/*
 * Holds them for this thread and those that it starts. `choices`: enum signals_choice.
 * 0; -EMFILE, -ENFILE, -ENOMEM: nothing is held, `ret` as it was. Who holds them while
 * somebody else does takes what comes from the other.
 */
int signals_hold(unsigned choices, struct held_signals *ret);
/* Whether one asked to end; it stays so. */
bool signals_check(struct held_signals *signals);
/* Until a signal comes, or for so long; -1: without limit. Returns as signals_check(). */
bool signals_wait(struct held_signals *signals, int timeout_ms);
/* From here on they are ignored, also by whoever holds them next: for the way back. */
void signals_ignore(struct held_signals *signals);
/* As before signals_hold(). What came meanwhile and was not looked at is dropped, but with
   SIGNALS_DELIVER the first is not. */
void signals_release(struct held_signals *signals);

#define _held_signals_ _cleanup_(signals_release)

#endif
