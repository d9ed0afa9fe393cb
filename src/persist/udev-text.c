// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Words of a udev rule.
 */
#include "persist/udev-text.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>

/* What a character of a bracket expression may be to be copied as it is. */
static bool is_plain(char c)
{
	return isalnum((unsigned char)c) || (c && strchr("-_.: +", c));
}

/* Length of a bracket expression of plain characters at `p`, 0 for any other. */
static size_t bracket_length(const char *p)
{
	size_t len = 1;

	if (p[len] == '!' || p[len] == '^')
		len++;
	if (!is_plain(p[len]))
		return 0;
	while (is_plain(p[len]))
		len++;
	return p[len] == ']' ? len + 1 : 0;
}

/* The other case of every letter, and of both ends of every range. */
static void add_bracket(struct text *out, const char *p, size_t len, unsigned flags)
{
	size_t begin = p[1] == '!' || p[1] == '^' ? 2 : 1;

	text_add(out, begin == 2 ? "[!" : "[");
	text_add_bytes(out, p + begin, len - begin - 1);
	for (size_t i = begin; flags & UDEV_GLOB_ANY_CASE && i + 1 < len; i++) {
		char c = p[i];
		char other =
			(char)(islower((unsigned char)c) ? toupper((unsigned char)c)
							 : tolower((unsigned char)c));
		bool is_range = i + 3 < len && p[i + 1] == '-';
		char end = is_range ? p[i + 2] : c;

		if (other == c)
			continue;
		text_add_bytes(out, &other, 1);
		if (is_range && isalpha((unsigned char)end)) {
			end = (char)(islower((unsigned char)end)
					     ? toupper((unsigned char)end)
					     : tolower((unsigned char)end));
			text_add_bytes(out, "-", 1);
			text_add_bytes(out, &end, 1);
			i += 2;
		}
	}
	text_add(out, "]");
}

static void add_literal(struct text *out, char c, unsigned flags)
{
	if (isalpha((unsigned char)c) && flags & UDEV_GLOB_ANY_CASE)
		text_addf(out, "[%c%c]", tolower((unsigned char)c),
			  toupper((unsigned char)c));
	else if (c == ' ' && flags & UDEV_GLOB_UNDERSCORE)
		text_add(out, "[ _]");
	else if (c == '*' || c == '?' || c == '[')
		text_addf(out, "[%c]", c);
	else if ((unsigned char)c >= 0x80)
		text_add(out, "*");
	else if ((unsigned char)c < 0x20 || c == 0x7f || strchr("\"|\\", c))
		text_add(out, "?");
	else
		text_add_bytes(out, &c, 1);
}

void udev_add_glob(struct text *out, const char *glob, unsigned flags)
{
	if (strspn(glob, "*") == strlen(glob)) {
		text_add(out, *glob ? "?*" : "");
		return;
	}
	for (const char *p = glob; *p; p++) {
		size_t bracket = *p == '[' ? bracket_length(p) : 0;

		if (bracket) {
			add_bracket(out, p, bracket, flags);
			p += bracket - 1;
		} else if (*p == '[') {
			/* an odd bracket expression: some character */
			const char *end = p[1] ? strchr(p + 2, ']') : NULL;

			text_add(out, end ? "?" : "[[]");
			if (end)
				p = end;
		} else if (*p == '\\' && p[1]) {
			add_literal(out, *++p, flags);
		} else if (*p == '*' || *p == '?') {
			text_add_bytes(out, p, 1);
		} else {
			add_literal(out, *p, flags);
		}
	}
}

void udev_add_globs(struct text *out, const char *globs, unsigned flags)
{
	while (*globs) {
		size_t len = strcspn(globs, "|");
		_free_ char *glob = strndup(globs, len);

		if (!glob) {
			out->error = -ENOMEM;
			return;
		}
		udev_add_glob(out, glob, flags);
		globs += len;
		if (*globs) {
			text_add(out, "|");
			globs++;
		}
	}
}

static void add_any_digits(struct text *out, size_t count)
{
	for (size_t i = 0; i < count; i++)
		text_add(out, "?");
}

static void add_digit_range(struct text *out, char first, char last)
{
	if (first == last)
		text_add_bytes(out, &first, 1);
	else
		text_addf(out, "[%c-%c]", first, last);
}

void udev_add_at_least(struct text *out, uint64_t min)
{
	char digits[24];
	size_t count = (size_t)snprintf(digits, sizeof(digits), "%" PRIu64, min);

	text_add(out, digits);
	for (size_t i = count; i--;) {
		if (digits[i] == '9')
			continue;
		text_add(out, "|");
		text_add_bytes(out, digits, i);
		add_digit_range(out, (char)(digits[i] + 1), '9');
		add_any_digits(out, count - i - 1);
	}
	text_add(out, "|");
	add_any_digits(out, count + 1);
	text_add(out, "*");
}

void udev_add_at_most(struct text *out, uint64_t max)
{
	char digits[24];
	size_t count = (size_t)snprintf(digits, sizeof(digits), "%" PRIu64, max);

	text_add(out, digits);
	for (size_t i = count; i--;) {
		char least = i ? '0' : '1';

		if (digits[i] <= least)
			continue;
		text_add(out, "|");
		text_add_bytes(out, digits, i);
		add_digit_range(out, least, (char)(digits[i] - 1));
		add_any_digits(out, count - i - 1);
	}
	for (size_t i = count - 1; i; i--) {
		text_add(out, "|");
		add_any_digits(out, i);
	}
	if (count == 1 && max)
		text_add(out, "|0");
}

void udev_add_comment(struct text *out, const char *string)
{
	for (const char *p = string; *p; p++) {
		bool is_odd = (unsigned char)*p < 0x20 || *p == 0x7f || *p == '\\';

		text_add_bytes(out, is_odd ? " " : p, 1);
	}
}
