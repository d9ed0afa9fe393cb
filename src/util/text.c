// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Growable strings, string vectors, natural order and escaping.
 */
#include "util/text.h"

#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

void text_done(struct text *text)
{
	free(text->data);
	*text = (struct text){ 0 };
}

static bool text_reserve(struct text *text, size_t extra)
{
	size_t room = text->room ? text->room : 64;
	char *data;

	if (text->error)
		return false;
	if (extra > SIZE_MAX / 4 || text->len > SIZE_MAX / 4) {
		text->error = -ENOMEM;
		return false;
	}
	while (room < text->len + extra + 1)
		room *= 2;
	if (text->data && room == text->room)
		return true;
	data = realloc(text->data, room);
	if (!data) {
		text->error = -ENOMEM;
		return false;
	}
	text->data = data;
	text->room = room;
	return true;
}

void text_add_bytes(struct text *text, const char *data, size_t len)
{
	if (!text_reserve(text, len))
		return;
	if (len)
		memcpy(text->data + text->len, data, len);
	text->len += len;
	text->data[text->len] = '\0';
}

void text_add(struct text *text, const char *string)
{
	text_add_bytes(text, string, strlen(string));
}

void text_addf(struct text *text, const char *format, ...)
{
	va_list args;
	int len;

	va_start(args, format);
	len = vsnprintf(NULL, 0, format, args);
	va_end(args);
	if (len < 0 || !text_reserve(text, (size_t)len)) {
		text->error = -ENOMEM;
		return;
	}
	va_start(args, format);
	vsnprintf(text->data + text->len, (size_t)len + 1, format, args);
	va_end(args);
	text->len += (size_t)len;
}

int text_take(struct text *text, char **ret)
{
	int error;

	text_add_bytes(text, "", 0);
	error = text->error;
	if (!error)
		*ret = TAKE_PTR(text->data);
	text_done(text);
	return error;
}

void strv_done(struct strv *strv)
{
	for (size_t i = 0; i < strv->count; i++)
		free(strv->items[i]);
	free(strv->items);
	*strv = (struct strv){ 0 };
}

int strv_add_len(struct strv *strv, const char *string, size_t len)
{
	char *copy;

	if (strv->count == strv->room) {
		size_t room = strv->room ? strv->room * 2 : 8;
		char **items = reallocarray(strv->items, room, sizeof(*items));

		if (!items)
			return -ENOMEM;
		strv->items = items;
		strv->room = room;
	}
	copy = strndup(string, len);
	if (!copy)
		return -ENOMEM;
	strv->items[strv->count++] = copy;
	return 0;
}

int strv_add(struct strv *strv, const char *string)
{
	return strv_add_len(strv, string, strlen(string));
}

int strv_split(struct strv *strv, const char *string, const char *separators)
{
	for (const char *p = string; *p;) {
		size_t len = strcspn(p, separators);

		if (len) {
			int error = strv_add_len(strv, p, len);

			if (error)
				return error;
		}
		p += len;
		p += strspn(p, separators);
	}
	return 0;
}

bool strv_contains(const struct strv *strv, const char *string)
{
	for (size_t i = 0; i < strv->count; i++)
		if (!strcmp(strv->items[i], string))
			return true;
	return false;
}

bool strv_equal(const struct strv *a, const struct strv *b)
{
	if (a->count != b->count)
		return false;
	for (size_t i = 0; i < a->count; i++)
		if (strcmp(a->items[i], b->items[i]) != 0)
			return false;
	return true;
}

static int compare_items(const void *a, const void *b)
{
	return text_compare_natural(*(char *const *)a, *(char *const *)b);
}

void strv_sort_natural(struct strv *strv)
{
	if (strv->count > 1)
		qsort(strv->items, strv->count, sizeof(*strv->items), compare_items);
}

static const char *skip_zeroes(const char *p)
{
	while (*p == '0' && isdigit((unsigned char)p[1]))
		p++;
	return p;
}

/*
 * Length of the letters in a disk name that counts in base 26 (sda … sdz, sdaa: the
 * kernel's sd, virtio-blk, IDE and Xen disks), 0 for any other name.
 */
static size_t disk_letters(const char *name)
{
	static const char *const prefixes[] = { "sd", "vd", "hd", "xvd" };

	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++) {
		size_t len = strlen(prefixes[i]);

		if (!strncmp(name, prefixes[i], len))
			return strspn(name + len, "abcdefghijklmnopqrstuvwxyz");
	}
	return 0;
}

int text_compare_natural(const char *a, const char *b)
{
	const char *whole_a = a, *whole_b = b;
	size_t letters_a = disk_letters(a), letters_b = disk_letters(b);

	if (a[0] == b[0] && letters_a && letters_b && letters_a != letters_b)
		return letters_a < letters_b ? -1 : 1;
	while (*a && *b) {
		if (isdigit((unsigned char)*a) && isdigit((unsigned char)*b)) {
			size_t len_a, len_b;
			int order;

			a = skip_zeroes(a);
			b = skip_zeroes(b);
			len_a = strspn(a, "0123456789");
			len_b = strspn(b, "0123456789");
			if (len_a != len_b)
				return len_a < len_b ? -1 : 1;
			order = strncmp(a, b, len_a);
			if (order)
				return order;
			a += len_a;
			b += len_b;
			continue;
		}
		if (*a != *b)
			return (unsigned char)*a - (unsigned char)*b;
		a++;
		b++;
	}
	if (*a || *b)
		return *a ? 1 : -1;
	return strcmp(whole_a, whole_b);
}

bool text_equal(const char *a, const char *b)
{
	if (!a || !b)
		return a == b;
	return !strcmp(a, b);
}

bool text_starts_with(const char *string, const char *prefix)
{
	return !strncmp(string, prefix, strlen(prefix));
}

bool text_ends_with(const char *string, const char *suffix)
{
	size_t len = strlen(string), tail = strlen(suffix);

	return len >= tail && !strcmp(string + len - tail, suffix);
}

bool text_glob_match(const char *pattern, const char *string)
{
	return fnmatch(pattern, string, FNM_CASEFOLD) == 0;
}

/* Behind the bracket expression that begins there; NULL: it does not end. */
static const char *skip_bracket(const char *p)
{
	p++;
	if (*p == '!' || *p == '^')
		p++;
	/* A first "]" is one of the characters. */
	for (const char *first = p; *p && (*p != ']' || p == first); p++) {
		char kind = p[1], close[] = { kind, ']', '\0' };

		if (*p == '\\' && p[1])
			p++;
		if (*p != '[' || (kind != ':' && kind != '.' && kind != '='))
			continue;
		p = strstr(p + 2, close);
		if (!p)
			return NULL;
		p++;
	}
	return *p ? p + 1 : NULL;
}

bool text_glob_is_whole(const char *pattern)
{
	const char *p = pattern;

	while (p && *p) {
		if (*p == '[')
			p = skip_bracket(p);
		else if (*p == '\\')
			p = p[1] ? p + 2 : NULL;
		else
			p++;
	}
	return p != NULL;
}

char *text_trim(char *string)
{
	size_t len;

	while (isspace((unsigned char)*string))
		string++;
	len = strlen(string);
	while (len && isspace((unsigned char)string[len - 1]))
		string[--len] = '\0';
	return string;
}

/*
 * Length of the valid, printable UTF-8 sequence at `p`, or 0. Shortest form only, no
 * surrogates, no C0, DEL or C1 control (RFC 3629; ECMA-48 for the controls), and no
 * direction mark, override or isolate (U+061C, U+200E, U+200F, U+202A..U+202E,
 * U+2066..U+2069), which reorder a line.
 */
size_t text_printable_length(const char *string)
{
	const unsigned char *p = (const unsigned char *)string;
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t len;
	uint32_t code;

	if (*p < 0x80)
		return *p >= 0x20 && *p != 0x7f;
	len = *p >= 0xf0 ? 4 : *p >= 0xe0 ? 3 : *p >= 0xc2 ? 2 : 0;
	if (!len || *p > 0xf4)
		return 0;
	code = *p & (0xffu >> (len + 1));
	for (size_t i = 1; i < len; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (p[i] & 0x3f);
	}
	if (code < least[len] || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
		return 0;
	if (code < 0xa0 || code == 0x61c || code == 0x200e || code == 0x200f || (code >= 0x202a && code <= 0x202e) ||
	    (code >= 0x2066 && code <= 0x2069) || code == 0x2028 || code == 0x2029)
		return 0;
	return len;
}

void text_escape_terminal(const char *string, char *buf, size_t size)
{
	const unsigned char *p = (const unsigned char *)string;
	size_t used = 0;

	if (!size)
		return;
	while (*p) {
		size_t len = text_printable_length((const char *)p);

		if (used + (len ? len : 4) >= size)
			break;
		if (len) {
			memcpy(buf + used, p, len);
			used += len;
			p += len;
		} else {
			snprintf(buf + used, 5, "\\x%02x", *p++);
			used += 4;
		}
	}
	buf[used] = '\0';
}

void text_add_safe(struct text *text, const char *string)
{
	size_t size = 4 * strlen(string) + 1; /* \xNN for each byte at most */
	_free_ char *safe = malloc(size);

	if (!safe) {
		text->error = -ENOMEM;
		return;
	}
	text_escape_terminal(string, safe, size);
	text_add(text, safe);
}

void text_add_escaped(struct text *text, const char *data, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)data[i];

		if (c == '\n')
			text_add(text, "\\n");
		else if (c == '\t')
			text_add(text, "\\t");
		else if (c == '\\')
			text_add(text, "\\\\");
		else if (c < 0x20 || c == 0x7f)
			text_addf(text, "\\x%02x", c);
		else
			text_add_bytes(text, data + i, 1);
	}
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

int text_unescape(const char *string, size_t len, struct text *ret)
{
	for (size_t i = 0; i < len; i++) {
		char c = string[i];

		if (c == '\\') {
			if (++i >= len)
				return -EINVAL;
			c = string[i];
			if (c == 'n') {
				c = '\n';
			} else if (c == 't') {
				c = '\t';
			} else if (c == 'x') {
				int high, low;

				if (i + 2 >= len)
					return -EINVAL;
				high = hex_digit(string[i + 1]);
				low = hex_digit(string[i + 2]);
				if (high < 0 || low < 0 || !(high | low))
					return -EINVAL;
				c = (char)(high << 4 | low);
				i += 2;
			} else if (c != '\\') {
				return -EINVAL;
			}
		}
		text_add_bytes(ret, &c, 1);
	}
	text_add_bytes(ret, "", 0);
	return ret->error;
}
