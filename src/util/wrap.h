/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Text in lines: how many columns a string takes on a terminal (wide characters take
 * two) and breaking it to a width. Follows the locale's character set.
 */
#ifndef IOSCHED_UTIL_WRAP_H
#define IOSCHED_UTIL_WRAP_H

#include <stddef.h>

#include "util/text.h"

/* Width of help and of reports where stdout is no terminal. */
#define WRAP_WIDTH_DEFAULT 80

/* Columns on a terminal; a byte that is no character counts as one. */
size_t wrap_columns(const char *string);

/*
 * Appends `string` with lines of at most `width` columns. The first line goes on at
 * column `at`; the others, and those that begin after a '\n' of the string, are indented
 * by `indent` blanks. Breaks at blanks and beside wide characters, but not before closing
 * punctuation; a word that is longer than the line is not broken. Runs of blanks become
 * one. No newline at the end.
 */
void wrap_add(struct text *out, const char *string, size_t at, size_t indent,
	      size_t width);

/* Prints `string` so broken, and a newline. 0 or -ENOMEM. */
int wrap_print(const char *string, size_t indent, size_t width);

/* Blanks up to column `to`, at least one, when the line is at column `at`. */
void wrap_pad(struct text *out, size_t at, size_t to);

#endif
