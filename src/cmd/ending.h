/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * SIGINT and SIGTERM while something long goes on: they are read, not delivered, so that
 * it can end in order and give what there is. A signal that was ignored stays ignored.
 */
#ifndef IOSCHED_CMD_ENDING_H
#define IOSCHED_CMD_ENDING_H

#include <signal.h>
#include <stdbool.h>

struct ending {
	int fd; /* -1: the signals end the program, as ever */
	bool has_come;
	sigset_t old;
};

/* For this thread and those that it starts; ending_release() puts back what was. */
void ending_hold(struct ending *ending);
/* Whether one has come since then. */
bool ending_check(struct ending *ending);
void ending_release(struct ending *ending);

#endif
