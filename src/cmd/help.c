// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * help: the verbs, or one of them.
 */
#include "cmd/common.h"
#include "cmd/usage.h"
#include "cmd/verb.h"
#include "util/i18n.h"

static int run_help(const struct cmd_context *context, const void *options,
		    const char *const *arguments, size_t argument_count)
{
	const struct verb *verb;

	(void)options;
	if (!argument_count) {
		usage_print_program(stdout, context->width);
		return EXIT_STATUS_DONE;
	}
	verb = verb_find(arguments[0]);
	if (!verb)
		return cmd_unknown_verb(arguments[0]);
	usage_print_verb(stdout, verb, context->width);
	return EXIT_STATUS_DONE;
}

const struct verb verb_help = {
	.name = "help",
	.summary = N_("Explain the program or one verb"),
	.usage = "[VERB]",
	.positional = { "VERB", VALUE_VERB, 0, 1 },
	.run = run_help,
};
