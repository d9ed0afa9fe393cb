/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A program of the running system that is asked for something: its output is taken, and it
 * has to answer in time.
 */
#ifndef IOSCHED_DIAGNOSE_COMMAND_H
#define IOSCHED_DIAGNOSE_COMMAND_H

#include "util/text.h"

/*
 * Runs argv (NULL-terminated, argv[0] a path) without input and without its messages, in
 * the C locale; appends its output, at most `max` bytes. 0 and its exit status, -1 for a
 * signal; -ETIME: it took longer than `timeout_ms` and was ended; -EFBIG; the error of
 * starting it.
 */
int command_ask(const char *const *argv, unsigned timeout_ms, size_t max,
		struct text *ret_output, int *ret_status);

#endif
