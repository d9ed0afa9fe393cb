/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The options that every verb takes, before or after its name.
 */
#ifndef IOSCHED_CMD_GLOBALS_H
#define IOSCHED_CMD_GLOBALS_H

#include <stdbool.h>
#include <stddef.h>

#include "util/option.h"

struct globals {
	const char *root;
	bool is_json;
	bool no_color;
	bool is_quiet;
	unsigned verbosity;
	bool version;
	bool help;
};

const struct option_spec *globals_specs(size_t *ret_count);

#endif
