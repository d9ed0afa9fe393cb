/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The columns that status can show: one row each, with what a scan has to find out for
 * it. Beside these, every key of the tunable catalogue is a column of its own name.
 */
#ifndef IOSCHED_REPORT_COLUMN_H
#define IOSCHED_REPORT_COLUMN_H

#include "device/device.h"
#include "plan/plan.h"
#include "policy/policy.h"
#include "report/cell.h"
#include "report/table.h"
#include "util/diag.h"

/* What a row is made of; policy and plan are NULL when no column asked for them. */
struct column_row {
	const struct device *device;
	const struct policy_device *policy;
	const struct plan_device *plan;
};

/* Where a plain column's value is in struct device. */
enum column_field {
	FIELD_NONE,    /* `render` makes it */
	FIELD_STRING,  /* char * */
	FIELD_CHARS,   /* char [] */
	FIELD_BOOL,    /* bool */
	FIELD_COUNT,   /* size_t */
	FIELD_U64,     /* uint64_t */
	FIELD_LIST,    /* struct strv */
};

struct column {
	const char *name;  /* N_(), "RQ-SIZE": the heading, and what -o takes in any case */
	const char *alias; /* another name that -o takes, lsblk's; NULL: none */
	const char *key;   /* of JSON */
	const char *help;  /* N_() */
	unsigned needs;    /* enum scan_need */
	bool needs_policy; /* the profile has to be resolved */
	enum table_align align;
	enum column_field field;
	size_t offset;     /* of the field */
	const char *file;  /* an attribute of queue/ whose value is shown; then no field */
	void (*render)(const struct column_row *row, struct cell *ret);
};

const struct column *column_get(size_t index); /* NULL past the end */

/* A chosen column: one of the table, or an attribute of the catalogue. */
struct column_choice {
	const struct column *column;   /* NULL for an attribute */
	const struct tunable *tunable; /* NULL for a column */
};

#define COLUMN_CHOICE_MAX 128

struct column_set {
	struct column_choice items[COLUMN_CHOICE_MAX];
	size_t count;
};

/* What status shows when nothing is asked for. */
extern const char column_default_list[];
/* Every column of the table, no attributes. */
void column_set_all(struct column_set *ret);
/*
 * "NAME,SCHED,nr_requests"; with a leading '+' the default columns come first. -EINVAL with a
 * diag that suggests the nearest name for an unknown one; -E2BIG too many.
 */
int column_set_parse(const char *list, struct column_set *ret, struct diag *diag);

unsigned column_set_needs(const struct column_set *set);
bool column_set_needs_policy(const struct column_set *set);

const char *column_choice_name(const struct column_choice *choice);
const char *column_choice_key(const struct column_choice *choice);
enum table_align column_choice_align(const struct column_choice *choice);
void column_render(const struct column *column, const struct column_row *row,
		   struct cell *ret);
void column_choice_render(const struct column_choice *choice,
			  const struct column_row *row, struct cell *ret);

/* "in-force", "drift" …: the word of the STATE column. Not translated: scripts read it. */
const char *column_state(const struct column_row *row);

#endif
