// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * complete: what could stand in place of the last word of a command line. Plumbing for
 * the files in completions/, which only hand over the words and show the answer. Verbs,
 * options and their values come from the tables that parsing and help read.
 */
#include "cmd/complete.h"

#include <stdint.h>
#include <string.h>

#include "cmd/common.h"
#include "cmd/globals.h"
#include "cmd/verb.h"
#include "util/i18n.h"

/* Options that one line can have used, counted over both tables. */
#define USED_MAX 64

/* The words before the last one, as far as they say what the last one is. */
struct line {
	const struct verb *verb;           /* NULL: not typed yet */
	const struct option_spec *pending; /* its value is the next word */
	const struct option_spec *used[USED_MAX];
	size_t used_count;
	const char *root;  /* of --root */
	const char *first; /* argument of the verb */
	size_t argument_count;
	bool is_ended;   /* by "--" */
	bool is_unknown; /* a verb that there is not */
};

static const struct option_spec *spec_get(const struct verb *verb, size_t index)
{
	size_t global_count;
	const struct option_spec *globals = globals_specs(&global_count);
	size_t own = verb ? verb->option_count : 0;

	if (index < own)
		return &verb->options[index];
	return index - own < global_count ? &globals[index - own] : NULL;
}

/* The exact name or the only one that begins so; NULL when there is none. */
static const struct option_spec *find_long(const struct verb *verb, const char *name,
					   size_t len)
{
	const struct option_spec *spec, *found = NULL;
	size_t prefixes = 0;

	for (size_t i = 0; (spec = spec_get(verb, i)); i++) {
		if (strncmp(spec->long_name, name, len) != 0)
			continue;
		if (!spec->long_name[len])
			return spec;
		found = spec;
		prefixes++;
	}
	return prefixes == 1 ? found : NULL;
}

static const struct option_spec *find_short(const struct verb *verb, char name)
{
	const struct option_spec *spec;

	for (size_t i = 0; (spec = spec_get(verb, i)); i++)
		if (spec->short_name == name)
			return spec;
	return NULL;
}

static bool is_root(const struct option_spec *spec)
{
	return !strcmp(spec->long_name, "root");
}

/* `value`: attached to the option, NULL when it would be the next word. */
static void take_option(struct line *line, const struct option_spec *spec,
			const char *value)
{
	if (!spec)
		return;
	if (line->used_count < USED_MAX)
		line->used[line->used_count++] = spec;
	if (spec->value == VALUE_NONE || (!value && spec->implied))
		return;
	if (!value)
		line->pending = spec;
	else if (is_root(spec))
		line->root = value;
}

static void take_cluster(struct line *line, const char *letters)
{
	for (; *letters; letters++) {
		const struct option_spec *spec = find_short(line->verb, *letters);
		bool has_value = spec && spec->value != VALUE_NONE;

		take_option(line, spec, has_value && letters[1] ? letters + 1 : NULL);
		if (has_value)
			return;
	}
}

static void take_argument(struct line *line, const char *word)
{
	if (!line->verb) {
		line->verb = verb_find(word);
		line->is_unknown = !line->verb;
		return;
	}
	if (!line->argument_count++)
		line->first = word;
}

static void take_word(struct line *line, const char *word)
{
	if (line->pending) {
		if (is_root(line->pending))
			line->root = word;
		line->pending = NULL;
	} else if (line->is_ended || word[0] != '-' || !word[1]) {
		take_argument(line, word);
	} else if (!strcmp(word, "--")) {
		line->is_ended = true;
	} else if (word[1] == '-') {
		size_t len = strcspn(word + 2, "=");

		take_option(line, find_long(line->verb, word + 2, len),
			    word[2 + len] ? word + 2 + len + 1 : NULL);
	} else {
		take_cluster(line, word + 1);
	}
}

static bool is_used(const struct line *line, const struct option_spec *spec)
{
	for (size_t i = 0; i < line->used_count; i++)
		if (line->used[i] == spec)
			return !spec->is_repeatable;
	return false;
}

static void offer_options(const struct completion *completion, const struct line *line)
{
	const struct option_spec *spec;
	bool is_long = completion->word[1] == '-';

	for (size_t i = 0; (spec = spec_get(line->verb, i)); i++) {
		_text_ struct text name = { 0 };

		if (is_used(line, spec))
			continue;
		text_addf(&name, "--%s%s", spec->long_name,
			  spec->value == VALUE_NONE || spec->implied ? "" : "=");
		if (!name.error)
			completion_offer(completion, name.data, _(spec->help));
		if (spec->short_name && !is_long) {
			char letter[] = { '-', spec->short_name, '\0' };

			completion_offer(completion, letter, _(spec->help));
		}
	}
}

/* Some switch that was used says what the arguments are; else the verb. */
static enum option_value value_of_arguments(const struct line *line)
{
	for (size_t i = 0; i < line->used_count; i++)
		if (line->used[i]->arguments != VALUE_NONE)
			return line->used[i]->arguments;
	return line->verb->positional.value;
}

static void offer_arguments(const struct completion *completion, const struct line *line)
{
	const struct option_positional *positional = &line->verb->positional;
	const struct option_word *word = positional->words;

	if (!positional->name || line->argument_count >= positional->max)
		return;
	if (!word) {
		completion_offer_value(completion, value_of_arguments(line), NULL);
		return;
	}
	for (; word->word; word++) {
		if (!line->argument_count)
			completion_offer(completion, word->word, _(word->help));
		else if (!strcmp(word->word, line->first))
			completion_offer_value(completion, word->next, NULL);
	}
}

static void offer_last(struct completion *completion, const struct line *line)
{
	const char *word = completion->word;
	const char *equals = strchr(word, '=');

	if (line->is_unknown)
		return;
	if (line->pending) {
		completion_offer_value(completion, line->pending->value, line->pending);
	} else if (!line->is_ended && text_starts_with(word, "--") && equals) {
		const struct option_spec *spec =
			find_long(line->verb, word + 2, (size_t)(equals - word) - 2);

		completion->kept = (int)(equals + 1 - word);
		if (spec)
			completion_offer_value(completion, spec->value, spec);
	} else if (!line->is_ended && word[0] == '-') {
		offer_options(completion, line);
	} else if (!line->verb) {
		completion_offer_value(completion, VALUE_VERB, NULL);
	} else {
		offer_arguments(completion, line);
	}
}

static int run_complete(const struct cmd_context *context, const void *options,
			const char *const *arguments, size_t argument_count)
{
	_cleanup_(cleanup_root_free) struct root *root = NULL;
	struct completion completion = { .root = context->root,
					 .search = context->search,
					 .word = arguments[argument_count - 1] };
	struct line line = { 0 };
	struct diag diag = { 0 };

	(void)options;
	for (size_t i = 0; i + 1 < argument_count; i++)
		take_word(&line, arguments[i]);
	if (line.root) {
		int error = root_open(line.root, &root, &diag);

		if (error)
			return cmd_fail(&diag, error);
		completion.root = root;
	}
	offer_last(&completion, &line);
	return EXIT_STATUS_DONE;
}

const struct verb verb_complete = {
	.name = "complete",
	.summary = N_("Candidates for the last word of a command line"),
	.usage = "-- WORD...",
	.help = N_("For the completion files of shells. The words follow the name of the "
		   "program; the last one, which may be empty, is completed. Prints one "
		   "candidate a line, a tab and its description; a line that begins with "
		   "the tab asks for file names."),
	.is_hidden = true,
	.positional = { "WORD", VALUE_TEXT, 1, SIZE_MAX },
	.run = run_complete,
};
