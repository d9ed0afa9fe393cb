/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Why an operation failed, in words for the person at the terminal. Lower layers return
 * -errno and, where the number alone would not be enough, describe the cause here; the
 * cmd layer prints it once. A diag is a plain value: no allocation, nothing to free.
 */
#ifndef IOSCHED_UTIL_DIAG_H
#define IOSCHED_UTIL_DIAG_H

#include "util/cleanup.h"

struct diag {
	int error;       /* negative errno, 0 when nothing was recorded */
	char where[256]; /* file, device or attribute; "" when not known */
	unsigned line;   /* line in `where`, 0 when it has none */
	char text[512];  /* the cause */
	char hint[384];  /* what to do; "" when there is nothing to advise */
};

/*
 * Records the first error only (a later one is a consequence) and returns `error`, so
 * that callers can write: return diag_set(diag, -EINVAL, _("…"), …). A NULL diag is
 * accepted. Text that comes from a device or a file is made safe for a terminal here.
 */
int diag_set(struct diag *diag, int error, const char *format, ...) _printf_(3, 4);

/* Names the place of the recorded error unless one was named already. */
void diag_at(struct diag *diag, const char *where, unsigned line);

/* The same for a path below the root of a host, which is written without its slash. */
void diag_at_path(struct diag *diag, const char *path, unsigned line);

/* Adds the advice. */
void diag_hint(struct diag *diag, const char *format, ...) _printf_(2, 3);

/* The message in one line, "where:line: text"; falls back to strerror(error). */
void diag_format(const struct diag *diag, char *buf, size_t size);

#endif
