/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Kernel arguments inside a text, each character with the bytes that it came from, so
 * that one argument can be added, changed or removed and every other byte stays. The
 * text may be a plain line (menu.lst, a boot loader entry) or a quoted shell word.
 * Arguments are split as the kernel does it: at blanks outside of double quotes.
 */
#ifndef IOSCHED_PERSIST_KERNEL_ARGS_H
#define IOSCHED_PERSIST_KERNEL_ARGS_H

#include <stdbool.h>
#include <stddef.h>

#include "persist/edit.h"

/* One character and the bytes of it: "\ " in a shell word is one blank of two bytes. */
struct arg_unit {
	size_t at, end;
	char c; /* ARG_OPAQUE for an expansion whose value is not known */
	size_t part;
};

#define ARG_OPAQUE '\001'

/* A stretch with the same quoting; `at` and `end` take in the quotes. */
struct arg_part {
	size_t at, end;
	char quote; /* 0, '\'', '"', or '$' for the shell's $'…' */
	size_t unit_count;
};

struct arg_text {
	struct arg_unit *units;
	size_t unit_count, unit_room;
	struct arg_part *parts;
	size_t part_count, part_room;
	size_t at, end; /* of the whole */
	bool is_shell;  /* a word of a shell script; otherwise a plain line */
};

void arg_text_done(struct arg_text *text);
/* -ENOMEM. A unit belongs to the part that was added last. */
int arg_text_add_part(struct arg_text *text, size_t at, char quote);
int arg_text_add_unit(struct arg_text *text, size_t at, size_t end, char c);
/* Bytes [at, end) as they are, in one unquoted part. */
int arg_text_add_plain(struct arg_text *text, const char *data, size_t at, size_t end);

/* One argument: units [first, last]. */
struct arg_token {
	size_t first, last;
};

/*
 * The arguments of that name ("elevator" finds "elevator=x" and "elevator"), in order;
 * *ret_tokens to free(). -EINVAL: a double quote of the kernel's is not closed.
 */
int arg_text_find(const struct arg_text *text, const char *name,
		  struct arg_token **ret_tokens, size_t *ret_count);
/* Whether the argument is exactly that text. */
bool arg_token_equals(const struct arg_text *text, const struct arg_token *token,
		      const char *argument);
int arg_token_format(const struct arg_text *text, const struct arg_token *token,
		     char **ret);

/* `argument` holds only [A-Za-z0-9._=-], which no quoting changes. */
void arg_text_insert(const struct arg_text *text, const char *argument,
		     struct edits *edits);
void arg_text_replace(const struct arg_text *text, const struct arg_token *token,
		      const char *argument, struct edits *edits);
/* Undoes arg_text_insert() to the byte: takes the blank before it along. */
void arg_text_remove(const struct arg_text *text, const struct arg_token *token,
		     struct edits *edits);

#endif
