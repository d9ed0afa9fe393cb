/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A verb: one file in this folder and one row in verbs.c. main.c parses the globals,
 * opens the root and calls run().
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
	EXIT_STATUS_DENIED = 5,      /* not permitted, or read-only sysfs */
};

/* The globals, parsed once, const for the verbs. */
struct cmd_context {
	const struct root *root;
	bool is_json;
	bool has_colour;      /* stdout is a terminal, no NO_COLOR, no --no-color */
	unsigned width;       /* of the terminal; 0 when stdout is none */
	const char *search;   /* profile directories */
};

struct verb {
	const char *name;
	const char *summary;  /* N_(): one line */
	const char *usage;    /* "[OPTIONS] [DEVICE...]" */
	const char *help;     /* N_(): a paragraph or two, with examples; may be NULL */
	const struct option_spec *options;
	size_t option_count;
	struct option_positional positional;
	/* argv[0] is the verb. Prints its own errors; returns an enum exit_status. */
	int (*run)(const struct cmd_context *context, int argc, char **argv);
};

const struct verb *verb_get(size_t index); /* NULL past the end */
const struct verb *verb_find(const char *name);

/* The exit status that an error asks for: -EACCES, -EPERM, -EROFS give DENIED, -EINVAL
   and the like from arguments are the caller's business. */
int cmd_exit_status(int error);

#endif
