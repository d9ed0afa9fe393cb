/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Text: a growable string, string vectors, comparison in natural order, and escaping of
 * what devices and files supply for the place it goes to.
 */
#ifndef IOSCHED_UTIL_TEXT_H
#define IOSCHED_UTIL_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "util/cleanup.h"

/* A growable string. Zero-initialise (struct text t = { 0 }), release with text_done(). */
struct text {
	char *data; /* NUL-terminated, NULL while empty */
	size_t len;
	size_t room;
	int error; /* sticky -ENOMEM: check once at the end */
};

void text_done(struct text *text);
void text_add_bytes(struct text *text, const char *data, size_t len);
void text_add(struct text *text, const char *string);
void text_addf(struct text *text, const char *format, ...) _printf_(2, 3);
/* Hands the string over (never NULL on success); the text is empty afterwards. */
int text_take(struct text *text, char **ret);
#define _text_ _cleanup_(text_done)

/* A vector of owned strings. Zero-initialise, release with strv_done(). */
struct strv {
	char **items;
	size_t count;
	size_t room;
};

void strv_done(struct strv *strv);
int strv_add(struct strv *strv, const char *string);
int strv_add_len(struct strv *strv, const char *string, size_t len);
/* Splits at any of `separators`, empty fields dropped; appends. */
int strv_split(struct strv *strv, const char *string, const char *separators);
bool strv_contains(const struct strv *strv, const char *string);
/* The same strings in the same order. */
bool strv_equal(const struct strv *a, const struct strv *b);
void strv_sort_natural(struct strv *strv);
#define _strv_ _cleanup_(strv_done)

/* "sda" < "sdb" < "sdaa" < "sdz1": digits compare as numbers, then byte by byte. */
int text_compare_natural(const char *a, const char *b);

bool text_equal(const char *a, const char *b); /* NULL equals only NULL */
bool text_starts_with(const char *string, const char *prefix);
bool text_ends_with(const char *string, const char *suffix);
/* fnmatch glob, case-insensitive, no special meaning of '/' or a leading dot. */
bool text_glob_match(const char *pattern, const char *string);
/* Without a bracket that is not closed or a backslash at the end, which match nothing that
   anybody means. */
bool text_glob_is_whole(const char *pattern);

/* Removes leading and trailing white space in place and returns the new start. */
char *text_trim(char *string);

/* Bytes of the character at the start of `string` when it can be printed as it is; 0 for the
   end, and for what text_escape_terminal() replaces. */
size_t text_printable_length(const char *string);

/*
 * Copies `string` so that it can be printed to a terminal: control characters, DEL, C1
 * controls and invalid UTF-8 become \xNN, everything else stays. Always terminates.
 */
void text_escape_terminal(const char *string, char *buf, size_t size);
/* Appends the whole string in that form. */
void text_add_safe(struct text *text, const char *string);

/*
 * C-style escaping of one line: \n, \t, \\ and \xNN for the other control bytes; the
 * exact bytes come back from text_unescape(), which returns -EINVAL on a bad escape.
 */
void text_add_escaped(struct text *text, const char *data, size_t len);
int text_unescape(const char *string, size_t len, struct text *ret);

#endif
