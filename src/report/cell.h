/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One typed value of a report. Tables and JSON are both rendered from it, so that they
 * cannot say different things.
 */
#ifndef IOSCHED_REPORT_CELL_H
#define IOSCHED_REPORT_CELL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "tunable/tunable.h"
#include "util/text.h"

enum cell_kind {
	CELL_NULL, /* not known or not applicable: "-", null */
	CELL_STRING,
	CELL_NUMBER,
	CELL_BYTES, /* "931.5G" in a table, the exact number in JSON */
	CELL_BOOL,  /* 0 and 1 in a table */
	CELL_LIST,  /* joined with commas in a table, an array in JSON */
};

#define CELL_OWN_SIZE 128

struct cell {
	enum cell_kind kind;
	const char *string;      /* borrowed, or `own` */
	const struct strv *list; /* borrowed */
	int64_t number;
	char own[CELL_OWN_SIZE];
	struct strv own_list;
	bool is_word; /* of the program: translated for people */
	int error; /* sticky -ENOMEM */
};

void cell_done(struct cell *cell);
#define _cell_ _cleanup_(cell_done)

/* NULL and "" give CELL_NULL. */
void cell_set_string(struct cell *cell, const char *string);
/* As that, a word that N_() marks: JSON has it as it is. */
void cell_set_word(struct cell *cell, const char *word);
void cell_set_format(struct cell *cell, const char *format, ...) _printf_(2, 3);
void cell_set_number(struct cell *cell, int64_t number);
void cell_set_bytes(struct cell *cell, uint64_t bytes);
void cell_set_bool(struct cell *cell, bool value);
/* An empty list gives CELL_NULL in a table and [] in JSON. */
void cell_set_list(struct cell *cell, const struct strv *list);
/* Makes the cell a list of its own and appends to it. */
void cell_add_item(struct cell *cell, const char *string);
/* An attribute as sysfs gave it: a number where the catalogue says so, else a string. */
void cell_set_attribute(struct cell *cell, const struct tunable *tunable,
			const char *text);

/* As a table shows it, in the language of the person unless a script reads it; bytes that a
   device supplied are still in it unescaped. */
void cell_add_text(const struct cell *cell, bool is_raw, struct text *out);
/* A new reference; NULL when memory is short. */
json_t *cell_to_json(const struct cell *cell);

/* "500 ms", "128 KiB", "mq-deadline": an attribute's text with its unit. */
void cell_format_attribute(const struct tunable *tunable, const char *text, char *buf,
			   size_t size);

#endif
