// SPDX-License-Identifier: GPL-2.0-or-later
/* The line of progress. */
#include "cmd/progress.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "cmd/common.h"
#include "util/log.h"
#include "util/text.h"

/* ECMA-48: from the cursor to the end of the line. */
#define LINE_ERASE "\033[K"

/* Of a line, in bytes: no terminal is so wide. */
#define LINE_SIZE 512

struct progress_line progress_line_make(void)
{
	return (struct progress_line){
		.is_wanted = cmd_has_escapes(STDERR_FILENO) &&
			     log_get_level() >= LOG_LEVEL_NOTICE,
	};
}

void progress_line_draw(struct progress_line *line, const char *format, ...)
{
	char text[LINE_SIZE], safe[LINE_SIZE];
	va_list args;

	if (!line->is_wanted)
		return;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	text_escape_terminal(text, safe, sizeof(safe));
	fprintf(stderr, "\r%s" LINE_ERASE, safe);
	fflush(stderr);
	line->is_drawn = true;
}

void progress_line_clear(struct progress_line *line)
{
	if (line->is_drawn)
		fputs("\r" LINE_ERASE, stderr);
	line->is_drawn = false;
}
