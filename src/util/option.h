/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One option table per verb: parsing, --help, completions and the man page check all
 * read it. Long options take "--name value" and "--name=value"; a unique prefix of a
 * long name is accepted, as getopt_long does.
 */
#ifndef IOSCHED_UTIL_OPTION_H
#define IOSCHED_UTIL_OPTION_H

#include <stdbool.h>
#include <stddef.h>

#include "util/diag.h"
#include "util/text.h"

/* What an argument is, so that a shell can complete it. */
enum option_value {
	VALUE_NONE, /* a switch */
	VALUE_TEXT,
	VALUE_NUMBER,
	VALUE_SECONDS,
	VALUE_FILE,
	VALUE_DIRECTORY,
	VALUE_DEVICE,
	VALUE_PROFILE,
	VALUE_SCHEDULER, /* comma-separated list where the verb says so */
	VALUE_SIMULATED, /* the same, of those that the engine has */
	VALUE_TUNABLE,   /* KEY=VALUE */
	VALUE_PARAMETER, /* KEY=VALUE, of what the engine's schedulers have */
	VALUE_WORD,      /* one of `words`; of a repeatable one several with commas, too */
	VALUE_COLUMN,    /* comma-separated names of the verb's columns */
	VALUE_VERB,
	VALUE_WORKLOAD,
	VALUE_MEDIUM,    /* a preset, or a JSON file */
	VALUE_EVENT,     /* comma-separated events of a recording */
	VALUE_PUBLISHED, /* an experiment's name, or a JSON file */
};

struct option_spec {
	char short_name; /* 0: none */
	const char *long_name;
	enum option_value value;
	const char *placeholder;  /* "NAME"; NULL for a switch */
	const char *const *words; /* VALUE_WORD: NULL-terminated */
	const char *help;         /* N_() */
	/* The value when none is given: one is attached (--name=VALUE), or it is the next
	   word and a number, perhaps with the unit of a time. NULL: a value is needed. */
	const char *implied;
	bool is_repeatable;
	enum option_value arguments; /* what the verb's are with this switch; VALUE_NONE:
					as without it */
	size_t offset; /* of the field in the verb's own struct, OPTION_FIELD() */
};

/*
 * `type` is the verb's option struct. Its fields, zero to begin with: bool for a switch
 * (unsigned, counted, when repeatable); const char * for a value, borrowed from argv;
 * struct strv when repeatable.
 */
#define OPTION_FIELD(type, field) offsetof(type, field)

/* A word that the first argument can be, and what comes after it. */
struct option_word {
	const char *word;
	const char *help; /* N_() */
	enum option_value next; /* VALUE_NONE: nothing */
};

struct option_positional {
	const char *name; /* "DEVICE"; NULL: takes no arguments */
	enum option_value value;
	size_t min, max; /* how many; SIZE_MAX: any number */
	const struct option_word *words; /* ends with a NULL word; may be NULL. For
					    completion: the verb reads the argument */
};

/* A table and the struct that it fills. A command line is read with several at once: the
   verb's and the globals. Long names do not repeat between them. */
struct option_group {
	const struct option_spec *specs;
	size_t count;
	void *target;
};

/*
 * Parses argv[1..] into the targets, positionals into `ret_arguments` (a NULL-terminated
 * array to free(); the strings are borrowed from argv). "--" ends the options. Options
 * and positionals may be mixed; with a NULL `positional`, parsing stops at the first one
 * and the rest of argv is returned unread.
 *
 * -EINVAL with a diag that names the option and, for an unknown one, the nearest known
 * name: unknown, ambiguous, given twice, without or with an unwanted value, not one of
 * its words, too few or too many positionals. What was filled in until then stays:
 * option_done() the groups in any case.
 */
int option_parse(const struct option_group *groups, size_t group_count,
		 const struct option_positional *positional, int argc, char **argv,
		 const char ***ret_arguments, size_t *ret_count, struct diag *diag);

/* Releases what the targets own: the fields of repeatable values. */
void option_done(const struct option_group *groups, size_t group_count);

/* The aligned "  -x, --name VALUE   help" block for --help, wrapped to `width` columns. */
void option_format_help(const struct option_spec *specs, size_t count, unsigned width,
			struct text *out);

#endif
