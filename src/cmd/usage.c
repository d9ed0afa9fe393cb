// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Help for the program and for one verb.
 */
#include "cmd/usage.h"

#include <string.h>

#include "cmd/globals.h"
#include "util/i18n.h"
#include "util/log.h"
#include "util/wrap.h"

/* Column where the summary of a verb begins. */
#define SUMMARY_COLUMN 14

static void add_paragraph(struct text *out, const char *string, unsigned width)
{
	wrap_add(out, string, 0, 0, width);
	text_add(out, "\n");
}

static void add_globals(struct text *out, unsigned width)
{
	size_t count;
	const struct option_spec *specs = globals_specs(&count);

	option_format_help(specs, count, width, out);
}

static void print(FILE *stream, struct text *out)
{
	if (out->error)
		log_error("%s", strerror(-out->error));
	else
		fputs(out->data, stream);
}

void usage_print_program(FILE *stream, unsigned width)
{
	_text_ struct text out = { 0 };
	const struct verb *verb;

	text_addf(&out, _("Usage: %s"), "iosched-tune VERB [OPTION...]\n\n");
	add_paragraph(&out,
		      _("Shows, chooses, applies and checks the I/O scheduler policy of "
			"every block "
			"device."),
		      width);
	text_addf(&out, "\n%s\n", _("Verbs:"));
	for (size_t i = 0; (verb = verb_get(i)); i++) {
		if (verb->is_hidden)
			continue;
		text_addf(&out, "  %s", verb->name);
		wrap_pad(&out, 2 + strlen(verb->name), SUMMARY_COLUMN);
		wrap_add(&out, _(verb->summary), SUMMARY_COLUMN, SUMMARY_COLUMN, width);
		text_add(&out, "\n");
	}
	text_addf(&out, "\n%s\n", _("Options of every verb:"));
	add_globals(&out, width);
	text_add(&out, "\n");
	wrap_add(&out,
		 _("'iosched-tune help VERB' explains a verb. Begin with 'iosched-tune "
		   "status'."),
		 0, 0, width);
	text_add(&out, "\n");
	print(stream, &out);
}

static void add_examples(struct text *out, const struct verb_example *examples,
			 unsigned width)
{
	text_addf(out, "\n%s\n", _("Examples:"));
	for (; examples->command; examples++) {
		text_addf(out, "  %s\n      ", examples->command);
		wrap_add(out, _(examples->meaning), 6, 6, width);
		text_add(out, "\n");
	}
}

void usage_print_verb(FILE *stream, const struct verb *verb, unsigned width)
{
	_text_ struct text out = { 0 };

	text_addf(&out, _("Usage: %s"), "iosched-tune ");
	text_addf(&out, "%s [OPTION...]%s%s\n\n", verb->name, verb->usage[0] ? " " : "",
		  verb->usage);
	add_paragraph(&out, _(verb->summary), width);
	if (verb->help) {
		text_add(&out, "\n");
		add_paragraph(&out, _(verb->help), width);
	}
	if (verb->option_count) {
		text_addf(&out, "\n%s\n", _("Options:"));
		option_format_help(verb->options, verb->option_count, width, &out);
	}
	text_addf(&out, "\n%s\n", _("Options of every verb:"));
	add_globals(&out, width);
	if (verb->examples)
		add_examples(&out, verb->examples, width);
	print(stream, &out);
}
