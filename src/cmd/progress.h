/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A line on the terminal that says how far something long has come, drawn over and over.
 * None where messages go elsewhere or are not wanted (-q).
 */
#ifndef IOSCHED_CMD_PROGRESS_H
#define IOSCHED_CMD_PROGRESS_H

#include <stdbool.h>

#include "util/cleanup.h"

struct progress_line {
	bool is_wanted;
	bool is_drawn;
};

/* To be asked once, before the first line. */
struct progress_line progress_line_make(void);
/* In the place of the line before, safe for a terminal whatever names are in it. Keep it
   short: one that breaks stays on the screen. */
void progress_line_draw(struct progress_line *line, const char *format, ...) _printf_(2, 3);
/* Takes it away, before anything else is written. */
void progress_line_clear(struct progress_line *line);

#endif
