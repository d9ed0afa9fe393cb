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
	VALUE_NONE,      /* a switch */
	VALUE_TEXT,
	VALUE_NUMBER,
	VALUE_SECONDS,
	VALUE_FILE,
	VALUE_DIRECTORY,
	VALUE_DEVICE,
	VALUE_PROFILE,
	VALUE_SCHEDULER, /* comma-separated list where the verb says so */
	VALUE_TUNABLE,   /* KEY=VALUE */
	VALUE_WORD,      /* one of `words` */
};

struct option_spec {
	char short_name;         /* 0: none */
	const char *long_name;
	enum option_value value;
	const char *placeholder; /* "NAME"; NULL for a switch */
	const char *const *words; /* VALUE_WORD: NULL-terminated */
	const char *help;        /* N_() */
	bool is_repeatable;
	size_t offset;           /* of the bool, const char * or struct strv in the verb's
				    own struct; see OPTION_* below */
};

/* `type` is the verb's option struct; fields: bool for a switch (an unsigned count when
   repeatable), const char * (borrowed from argv) for a value, struct strv when
   repeatable. */
#define OPTION_FIELD(type, field) offsetof(type, field)

struct option_positional {
	const char *name;  /* "DEVICE" */
	enum option_value value;
	size_t min, max;   /* how many; SIZE_MAX: any number */
};

/*
 * Parses argv[1..] into `target`, positionals into `ret_arguments` (borrowed). "--" ends
 * options. -EINVAL with a diag that names the option and, for an unknown one, the nearest
 * known name.
 */
int option_parse(const struct option_spec *specs, size_t count,
		 const struct option_positional *positional, int argc, char **argv,
		 void *target, const char ***ret_arguments, size_t *ret_count,
		 struct diag *diag);

/* The aligned "  -x, --name VALUE   help" block for --help. */
void option_format_help(const struct option_spec *specs, size_t count, struct text *out);

#endif
