// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The table of global options.
 */
#include "cmd/globals.h"

#include "util/i18n.h"

static const struct option_spec specs[] = {
	{ .long_name = "root",
	  .value = VALUE_FILE,
	  .placeholder = "DIR|FILE",
	  .help = N_("work on another tree, or read a snapshot instead of this host"),
	  .offset = OPTION_FIELD(struct globals, root) },
	{ .long_name = "json",
	  .help = N_("print JSON"),
	  .offset = OPTION_FIELD(struct globals, is_json) },
	{ .long_name = "no-color",
	  .help = N_("no colours, also on a terminal"),
	  .offset = OPTION_FIELD(struct globals, no_color) },
	{ 'q', "quiet", .help = N_("print errors only on the standard error"),
	  .offset = OPTION_FIELD(struct globals, is_quiet) },
	{ 'v', "verbose", .is_repeatable = true,
	  .help = N_("say more on the standard error; twice: everything"),
	  .offset = OPTION_FIELD(struct globals, verbosity) },
	{ .short_name = 'V',
	  .long_name = "version",
	  .help = N_("print the version and stop"),
	  .offset = OPTION_FIELD(struct globals, version) },
	{ 'h', "help", .help = N_("print this help and stop"),
	  .offset = OPTION_FIELD(struct globals, help) },
};

const struct option_spec *globals_specs(size_t *ret_count)
{
	*ret_count = ARRAY_SIZE(specs);
	return specs;
}
