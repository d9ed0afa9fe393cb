/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Words of a udev rule: match values made of globs that came from profiles or devices,
 * and number ranges. What goes out of here cannot end the quotes that it stands in.
 * Source: udev(7), "Patterns are case-sensitive shell globs, | separates alternatives".
 */
#ifndef IOSCHED_PERSIST_UDEV_TEXT_H
#define IOSCHED_PERSIST_UDEV_TEXT_H

#include <stdint.h>

#include "util/text.h"

/* udev reads lines of at most 16 KiB; a list that gets longer is cut into several. */
#define UDEV_LINE_MAX 4096

enum udev_glob {
	UDEV_GLOB_EXACT = 0,
	UDEV_GLOB_ANY_CASE = 1 << 0,   /* "ssd" -> "[sS][sS][dD]" */
	UDEV_GLOB_UNDERSCORE = 1 << 1, /* a blank may have become '_', as in ID_MODEL */
};

/*
 * One glob as udev spells it. Quotes, '|' and control characters become '?', what is not
 * ASCII becomes '*': the match is wider by that much, and stays in its quotes. A glob that
 * matches anything asks for at least one character.
 */
void udev_add_glob(struct text *out, const char *glob, unsigned flags);
/* "a|b" of our own tables, '|' kept. */
void udev_add_globs(struct text *out, const char *globs, unsigned flags);

/* Alternatives that match the decimal numbers from `min` on, or up to `max`. */
void udev_add_at_least(struct text *out, uint64_t min);
void udev_add_at_most(struct text *out, uint64_t max);

/* Text for a comment: one line, no control characters, no backslash at its end. */
void udev_add_comment(struct text *out, const char *string);

#endif
