// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The record of one failure: where, why and what to do about it.
 */
#include "util/diag.h"

#include <stdarg.h>
#include <string.h>

#include "util/text.h"

static void format_safe(char *buf, size_t size, const char *format, va_list args)
{
	char raw[1024];

	vsnprintf(raw, sizeof(raw), format, args);
	text_escape_terminal(raw, buf, size);
}

int diag_set(struct diag *diag, int error, const char *format, ...)
{
	va_list args;

	if (!diag || diag->error)
		return error;
	diag->error = error;
	va_start(args, format);
	format_safe(diag->text, sizeof(diag->text), format, args);
	va_end(args);
	return error;
}

void diag_at(struct diag *diag, const char *where, unsigned line)
{
	if (!diag || diag->where[0])
		return;
	text_escape_terminal(where, diag->where, sizeof(diag->where));
	diag->line = line;
}

void diag_at_path(struct diag *diag, const char *path, unsigned line)
{
	char whole[sizeof(diag->where)];

	snprintf(whole, sizeof(whole), "/%s", path);
	diag_at(diag, whole, line);
}

void diag_hint(struct diag *diag, const char *format, ...)
{
	va_list args;

	if (!diag || diag->hint[0])
		return;
	va_start(args, format);
	format_safe(diag->hint, sizeof(diag->hint), format, args);
	va_end(args);
}

void diag_format(const struct diag *diag, char *buf, size_t size)
{
	const char *text = diag->text[0] ? diag->text : strerror(-diag->error);

	if (diag->where[0] && diag->line)
		snprintf(buf, size, "%s:%u: %s", diag->where, diag->line, text);
	else if (diag->where[0])
		snprintf(buf, size, "%s: %s", diag->where, text);
	else
		snprintf(buf, size, "%s", text);
}
