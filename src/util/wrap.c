// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Breaking text into lines by display columns.
 */
#include "util/wrap.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

/* One character: its bytes and its columns. */
struct glyph {
	wchar_t code; /* 0 for a byte that is no character */
	size_t len;
	size_t columns;
};

static struct glyph glyph_at(const char *p)
{
	struct glyph glyph = { .code = 0, .len = 1, .columns = 1 };
	mbstate_t state = { 0 };
	wchar_t code;
	size_t len = mbrtowc(&code, p, strlen(p), &state);
	int columns;

	if (len == (size_t)-1 || len == (size_t)-2 || len == 0)
		return glyph;
	columns = wcwidth(code);
	glyph.code = code;
	glyph.len = len;
	glyph.columns = columns < 0 ? 1 : (size_t)columns;
	return glyph;
}

size_t wrap_columns(const char *string)
{
	size_t columns = 0;

	while (*string) {
		struct glyph glyph = glyph_at(string);

		columns += glyph.columns;
		string += glyph.len;
	}
	return columns;
}

/* Ideographic comma and full stop, and the full-width forms of , . : ; ? ! ): never at
   the beginning of a line (Unicode line breaking, class CL and EX). */
static bool is_closing(wchar_t code)
{
	static const wchar_t closing[] = {
		0x3001, 0x3002, 0x300b, 0x300d, 0x300f, 0x3011, 0xff01,
		0xff09, 0xff0c, 0xff0e, 0xff1a, 0xff1b, 0xff1f, 0x201d,
	};

	for (size_t i = 0; i < ARRAY_SIZE(closing); i++)
		if (closing[i] == code)
			return true;
	return false;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* The bytes from `p` that stay on one line: a run of narrow characters, or a wide one
   with the closing punctuation behind it. */
static size_t unit_at(const char *p, size_t *ret_columns)
{
	struct glyph glyph = glyph_at(p);
	size_t len = glyph.len, columns = glyph.columns;
	bool is_wide = glyph.columns > 1;

	while (p[len] && !is_blank(p[len]) && p[len] != '\n') {
		glyph = glyph_at(p + len);
		if (!is_closing(glyph.code) && (is_wide || glyph.columns > 1))
			break;
		len += glyph.len;
		columns += glyph.columns;
	}
	*ret_columns = columns;
	return len;
}

void wrap_add(struct text *out, const char *string, size_t at, size_t indent,
	      size_t width)
{
	bool is_start = true;

	while (*string) {
		size_t columns, len;
		bool has_blank = false;

		while (is_blank(*string)) {
			has_blank = true;
			string++;
		}
		if (!*string)
			break;
		if (*string == '\n') {
			text_addf(out, "\n%*s",
				  string[1] && string[1] != '\n' ? (int)indent : 0, "");
			at = indent;
			is_start = true;
			string++;
			continue;
		}
		len = unit_at(string, &columns);
		if (!is_start && at + has_blank + columns > width) {
			text_addf(out, "\n%*s", (int)indent, "");
			at = indent;
		} else if (!is_start && has_blank) {
			text_add(out, " ");
			at++;
		}
		text_add_bytes(out, string, len);
		at += columns;
		string += len;
		is_start = false;
	}
}

int wrap_print(const char *string, size_t indent, size_t width)
{
	_text_ struct text wrapped = { 0 };

	wrap_add(&wrapped, string, 0, indent, width);
	if (!wrapped.error)
		puts(wrapped.data ? wrapped.data : "");
	return wrapped.error;
}

void wrap_pad(struct text *out, size_t at, size_t to)
{
	text_addf(out, "%*s", at < to ? (int)(to - at) : 1, "");
}
