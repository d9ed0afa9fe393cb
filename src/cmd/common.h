/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the verbs share: saying an error once and turning it into an exit status.
 */
#ifndef IOSCHED_CMD_COMMON_H
#define IOSCHED_CMD_COMMON_H

#include <stdint.h>
#include <sys/types.h>

#include "cmd/verb.h"
#include "report/table.h"
#include "util/diag.h"
#include "util/text.h"

/*
 * Prints the error, with its cause from `diag` or from the number alone, and what to do
 * about missing permission. Gives the exit status: EXIT_STATUS_DENIED for -EACCES,
 * -EPERM and -EROFS, else EXIT_STATUS_FAILED.
 */
int cmd_fail(struct diag *diag, int error);

/* As cmd_fail() for a mistake in the command line: EXIT_STATUS_USAGE, and where the diag
   has no advice of its own, the way to the help of `verb` (NULL: of the program). */
int cmd_fail_usage(const struct verb *verb, struct diag *diag);
/* Either, for verbs whose command line is checked as they go: -EINVAL, -ERANGE, -ENOTSUP and
   -E2BIG with a cause in the diag are mistakes in it. */
int cmd_fail_request(const struct verb *verb, struct diag *diag, int error);
/*
 * As cmd_fail() for what device_find() and profile_load() say of a name of the command line:
 * one that there is not, and what is written wrong in a profile, are mistakes in what was
 * asked for. A file that cannot be read is a failure.
 */
int cmd_fail_device(struct diag *diag, int error);
int cmd_fail_profile(const char *argument, struct diag *diag, int error);
int cmd_unknown_verb(const char *name);
/* What to do about a name that is none of the known ones, which the manual's page lists. */
void cmd_hint_name(struct diag *diag, const char *typed, const struct strv *known,
		   const char *page);

/* For verbs that write: EXIT_STATUS_DENIED, with a message, when the root is a snapshot. */
int cmd_check_writable(const struct cmd_context *context);

/* The value of --OPTION: seconds, or with a unit. NULL leaves *ret_ms. An exit status. */
int cmd_read_timeout(const struct verb *verb, const char *option, const char *text,
		     unsigned *ret_ms);

/*
 * The value of --OPTION, for verbs whose command line is checked as they go: a time of up to
 * 24 h; without a unit it counts times of `unit_ns`. NULL leaves *ret_ns. -EINVAL.
 */
int cmd_read_time(const char *option, const char *text, uint64_t unit_ns, uint64_t *ret_ns,
		  struct diag *diag);

/* For struct apply_wait: says for whom the run waits. */
void cmd_say_waiting(pid_t holder, unsigned timeout_ms);

/* Of the terminal that is the standard output; usual ones where it is none. */
void cmd_terminal_size(unsigned *ret_width, unsigned *ret_lines);

/* This descriptor is a terminal that understands escape sequences. */
bool cmd_has_escapes(int fd);

struct table_style cmd_table_style(const struct cmd_context *context);

#endif
