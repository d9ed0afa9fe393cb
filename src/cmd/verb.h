/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A verb: one file in this folder and one row in verbs.c. main.c parses the command line
 * by the tables, opens the root and calls run().
 */
#ifndef IOSCHED_CMD_VERB_H
#define IOSCHED_CMD_VERB_H

#include <stdbool.h>
#include <stddef.h>

#include "sysfs/root.h"
#include "util/option.h"

/* Exit statuses: a contract, described in iosched-tune(1). */
enum exit_status {
	EXIT_STATUS_DONE = 0,
	EXIT_STATUS_FAILED = 1,
	EXIT_STATUS_USAGE = 2,
	EXIT_STATUS_SOME_FAILED = 3, /* some devices failed and were put back */
	EXIT_STATUS_DRIFT = 4,
	EXIT_STATUS_DENIED = 5, /* not permitted, or read-only sysfs */
};

/* The globals, parsed once, const for the verbs. */
struct cmd_context {
	const struct root *root;
	bool is_json;
	bool has_colour;    /* stdout is a terminal, no NO_COLOR, no --no-color */
	bool is_terminal;   /* stdout is a terminal */
	unsigned width;     /* of the terminal; WRAP_WIDTH_DEFAULT when stdout is none */
	const char *search; /* profile directories */
};

/* A command line worth knowing. */
struct verb_example {
	const char *command;
	const char *meaning; /* N_() */
};

struct verb {
	const char *name;
	const char *summary; /* N_(): one line */
	const char *usage;   /* "[DEVICE...]": what follows "[OPTION...]" */
	const char *help;    /* N_(): a paragraph or two; may be NULL */
	const struct verb_example *examples; /* ends with a NULL command; may be NULL */
	bool is_hidden; /* plumbing: for shells and the build, in no list */
	const struct option_spec *options;
	size_t option_count;
	size_t options_size; /* of the struct that `options` fills; 0 without options */
	struct option_positional positional;
	/*
	 * `options`: the filled struct; `arguments`: NULL-terminated positionals. Prints
	 * its own errors; returns an enum exit_status.
	 */
	int (*run)(const struct cmd_context *context, const void *options,
		   const char *const *arguments, size_t argument_count);
};

const struct verb *verb_get(size_t index); /* NULL past the end */
const struct verb *verb_find(const char *name);

/* One for each verb, defined in the file of its name. */
extern const struct verb verb_advise, verb_apply, verb_bench, verb_capture, verb_complete, verb_diagnose, verb_generate, verb_help, verb_manual,
	verb_persist, verb_profile, verb_restore, verb_show, verb_simulate, verb_snapshot,
	verb_status, verb_verify;

#endif
