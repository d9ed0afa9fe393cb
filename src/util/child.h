/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Another program, run without a shell: what it is given to read, what it says, how long it
 * may take, how it ends.
 */
#ifndef IOSCHED_UTIL_CHILD_H
#define IOSCHED_UTIL_CHILD_H

#include <stdbool.h>
#include <stdint.h>

#include "util/signals.h"
#include "util/text.h"

struct child_command {
	const char *program;     /* a path; NULL: argv[0], looked for in $PATH */
	const char *const *argv; /* with NULL at the end */
	const char *const *environment; /* likewise; NULL: ours */
	/* For its standard input; NULL: nothing, it reads the end of file. SIGPIPE has to be
	   ignored by the caller with one: the program need not read it all. */
	const struct text *input;
	/* What it says on its standard output is appended here, at most so many bytes. NULL:
	   it goes to our standard error, for our output is data. */
	struct text *output;
	size_t output_max;
	/* The beginning of what it says on its standard error; what is more, with 0 all of
	   it, is dropped. NULL: it goes to ours. */
	struct text *messages;
	size_t messages_max;
	/* A process group of its own, which ends when it ends, when it is given up, and when
	   this thread does. Without it, signals of the terminal reach it as they reach us,
	   and what it has started goes on. */
	bool is_tied;
	uint64_t limit_ms; /* then it is given up; 0: no limit */
	/* How long the end of one that was killed is waited for: a request under way has to
	   end first, and a device may not answer. */
	unsigned farewell_ms;
	struct held_signals *signals; /* that ask to give it up; NULL: none */
	/* Called some times a second, with the seconds since it was started; NULL: not. */
	void (*on_tick)(void *context, double seconds);
	void *context;
};

struct child_end {
	int status; /* exit status; -1: a signal ended it, or it is not known */
	int signal; /* that did; 0: none */
	bool is_running; /* it was killed and does not end: the kernel holds it in a request */
};

/*
 * Runs it to its end: 0, however it ended. What it has started and left behind is not waited
 * for, though it may hold our pipes open. Or it is given up, with SIGKILL and at once:
 * -ETIME over its limit, -EINTR a signal asked for it, -EFBIG more output than there may be,
 * -ENOMEM; *ret has is_running then, and the texts what had come. Or the error of starting
 * it, such as -ENOENT and -EACCES of the program, with *ret untouched. It begins with no
 * signal blocked, and with the default for SIGPIPE.
 */
int child_run(const struct child_command *command, struct child_end *ret);

#endif
