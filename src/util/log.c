// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Messages on stderr. The level is the program's only changing global.
 */
#include "util/log.h"

#include <stdarg.h>

#include "util/text.h"

static enum log_level current_level = LOG_LEVEL_NOTICE;

void log_set_level(enum log_level level)
{
	current_level = level;
}

enum log_level log_get_level(void)
{
	return current_level;
}

static void print_line(const char *raw)
{
	char safe[2048];

	text_escape_terminal(raw, safe, sizeof(safe));
	/* What was printed before comes before it, where both end up in one place. */
	fflush(stdout);
	fprintf(stderr, "iosched-tune: %s\n", safe);
}

void log_message(enum log_level level, const char *format, ...)
{
	char raw[1800];
	va_list args;

	if (level > current_level)
		return;
	va_start(args, format);
	vsnprintf(raw, sizeof(raw), format, args);
	va_end(args);
	print_line(raw);
}

void log_diag(const struct diag *diag)
{
	char line[1024];

	diag_format(diag, line, sizeof(line));
	print_line(line);
	if (diag->hint[0])
		print_line(diag->hint);
}
