// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Command lines by table.
 */
#include "util/option.h"

#include <errno.h>
#include <string.h>

#include "util/i18n.h"
#include "util/number.h"
#include "util/suggest.h"
#include "util/wrap.h"

/* Column where the help text of an option begins. */
#define HELP_COLUMN 28

/* A row found in one of the groups, and where its value goes. */
struct match {
	const struct option_spec *spec;
	void *field;
};

struct parser {
	const struct option_group *groups;
	size_t group_count;
	int argc;
	char **argv;
	int next; /* index of the next word of argv */
	struct diag *diag;
};

static struct match match_of(const struct option_group *group,
			     const struct option_spec *spec)
{
	return (struct match){ spec, (char *)group->target + spec->offset };
}

static bool find_short(const struct parser *parser, char name, struct match *ret)
{
	for (size_t g = 0; g < parser->group_count; g++) {
		const struct option_group *group = &parser->groups[g];

		for (size_t i = 0; i < group->count; i++) {
			if (group->specs[i].short_name == name) {
				*ret = match_of(group, &group->specs[i]);
				return true;
			}
		}
	}
	return false;
}

/* The exact name, or the only one that begins so. */
static int find_long(const struct parser *parser, const char *name, size_t len,
		     struct match *ret)
{
	struct match found = { 0 };
	size_t prefixes = 0;
	_free_ char *typed = strndup(name, len);
	struct suggestion suggestion;

	if (!typed)
		return -ENOMEM;
	suggestion = suggestion_for(typed);
	for (size_t g = 0; g < parser->group_count; g++) {
		const struct option_group *group = &parser->groups[g];

		for (size_t i = 0; i < group->count; i++) {
			const struct option_spec *spec = &group->specs[i];

			if (!strcmp(spec->long_name, typed)) {
				*ret = match_of(group, spec);
				return 0;
			}
			if (len && text_starts_with(spec->long_name, typed)) {
				found = match_of(group, spec);
				prefixes++;
			}
			suggestion_offer(&suggestion, spec->long_name);
		}
	}
	if (prefixes == 1) {
		*ret = found;
		return 0;
	}
	diag_set(parser->diag, -EINVAL,
		 prefixes ? _("option '--%s' is ambiguous") : _("unknown option '--%s'"),
		 typed);
	if (suggestion.nearest)
		diag_hint(parser->diag, _("did you mean '--%s'?"), suggestion.nearest);
	return -EINVAL;
}

static int check_word(const struct option_spec *spec, const char *value,
		      struct diag *diag)
{
	struct suggestion suggestion = suggestion_for(value);
	_text_ struct text words = { 0 };

	for (size_t i = 0; spec->words[i]; i++) {
		if (!strcmp(spec->words[i], value))
			return 0;
		suggestion_offer(&suggestion, spec->words[i]);
		text_addf(&words, "%s%s", i ? ", " : "", spec->words[i]);
	}
	if (words.error)
		return words.error;
	diag_set(diag, -EINVAL, _("option '--%s' does not take '%s', only: %s"),
		 spec->long_name, value, words.data);
	if (suggestion.nearest)
		diag_hint(diag, _("did you mean '%s'?"), suggestion.nearest);
	return -EINVAL;
}

/* "udev,systemd" */
static int store_words(const struct match *match, const char *list, struct diag *diag)
{
	_strv_ struct strv words = { 0 };
	int error = strv_split(&words, list, ",");

	if (!error && !words.count)
		error = check_word(match->spec, list, diag);
	for (size_t i = 0; i < words.count && !error; i++) {
		error = check_word(match->spec, words.items[i], diag);
		if (!error)
			error = strv_add(match->field, words.items[i]);
	}
	return error;
}

static int store_value(const struct match *match, const char *value, struct diag *diag)
{
	const struct option_spec *spec = match->spec;
	const char **field = match->field;

	if (spec->value == VALUE_WORD && spec->is_repeatable)
		return store_words(match, value, diag);
	if (spec->value == VALUE_WORD) {
		int error = check_word(spec, value, diag);

		if (error)
			return error;
	}
	if (spec->is_repeatable)
		return strv_add(match->field, value);
	if (*field)
		return diag_set(diag, -EINVAL, _("option '--%s' is given twice"),
				spec->long_name);
	*field = value;
	return 0;
}

static void store_switch(const struct match *match)
{
	if (match->spec->is_repeatable)
		++*(unsigned *)match->field;
	else
		*(bool *)match->field = true;
}

static bool is_number_next(const struct parser *parser)
{
	uint64_t time_ns;

	return parser->next < parser->argc &&
	       number_parse_duration(parser->argv[parser->next], 1, &time_ns) == 0;
}

/* `value`: what was attached to the option, NULL when nothing was. */
static int take_option(struct parser *parser, const struct match *match,
		       const char *value)
{
	const struct option_spec *spec = match->spec;

	if (spec->value == VALUE_NONE) {
		if (value)
			return diag_set(parser->diag, -EINVAL,
					_("option '--%s' takes no value"),
					spec->long_name);
		store_switch(match);
		return 0;
	}
	if (!value && spec->implied && !is_number_next(parser))
		value = spec->implied;
	if (!value) {
		if (parser->next >= parser->argc)
			return diag_set(parser->diag, -EINVAL,
					_("option '--%s' needs a value (%s)"),
					spec->long_name, spec->placeholder);
		value = parser->argv[parser->next++];
	}
	return store_value(match, value, parser->diag);
}

static int take_long(struct parser *parser, const char *name)
{
	size_t len = strcspn(name, "=");
	struct match match;
	int error = find_long(parser, name, len, &match);

	if (error)
		return error;
	return take_option(parser, &match, name[len] ? name + len + 1 : NULL);
}

/* "-qv", "-oNAME", "-o NAME" */
static int take_cluster(struct parser *parser, const char *letters)
{
	while (*letters) {
		struct match match;
		bool has_value;
		int error;

		if (!find_short(parser, *letters, &match))
			return diag_set(parser->diag, -EINVAL, _("unknown option '-%c'"),
					*letters);
		letters++;
		has_value = match.spec->value != VALUE_NONE;
		error = take_option(parser, &match,
				    has_value && *letters ? letters : NULL);
		if (error || has_value)
			return error;
	}
	return 0;
}

static int check_positionals(const struct option_positional *positional,
			     const char *const *arguments, size_t count,
			     struct diag *diag)
{
	if (!positional->name && count)
		return diag_set(diag, -EINVAL, _("unexpected argument '%s'"),
				arguments[0]);
	if (count > positional->max)
		return diag_set(diag, -EINVAL, _("unexpected argument '%s'"),
				arguments[positional->max]);
	if (count < positional->min)
		return diag_set(diag, -EINVAL, _("missing argument: %s"),
				positional->name);
	return 0;
}

int option_parse(const struct option_group *groups, size_t group_count,
		 const struct option_positional *positional, int argc, char **argv,
		 const char ***ret_arguments, size_t *ret_count, struct diag *diag)
{
	struct parser parser = { groups, group_count, argc, argv, 1, diag };
	_free_ const char **arguments = NULL;
	bool is_ended = false;
	size_t count = 0;
	int error = 0;

	arguments = calloc((size_t)argc + 1, sizeof(*arguments));
	if (!arguments)
		return -ENOMEM;
	while (parser.next < argc && !error) {
		const char *word = argv[parser.next++];

		if (is_ended || word[0] != '-' || !word[1]) {
			arguments[count++] = word;
			is_ended = is_ended || !positional;
		} else if (!strcmp(word, "--")) {
			is_ended = true;
		} else if (word[1] == '-') {
			error = take_long(&parser, word + 2);
		} else {
			error = take_cluster(&parser, word + 1);
		}
	}
	if (!error && positional)
		error = check_positionals(positional, arguments, count, diag);
	if (error)
		return error;
	*ret_arguments = TAKE_PTR(arguments);
	*ret_count = count;
	return 0;
}

void option_done(const struct option_group *groups, size_t group_count)
{
	for (size_t g = 0; g < group_count; g++) {
		for (size_t i = 0; i < groups[g].count; i++) {
			const struct option_spec *spec = &groups[g].specs[i];

			if (spec->is_repeatable && spec->value != VALUE_NONE)
				strv_done(match_of(&groups[g], spec).field);
		}
	}
}

static void format_row(const struct option_spec *spec, unsigned width, struct text *out)
{
	_text_ struct text left = { 0 };
	size_t columns;

	if (spec->short_name)
		text_addf(&left, "  -%c, ", spec->short_name);
	else
		text_add(&left, "      ");
	text_addf(&left, "--%s", spec->long_name);
	if (spec->implied)
		text_addf(&left, "[=%s]", spec->placeholder);
	else if (spec->placeholder)
		text_addf(&left, " %s", spec->placeholder);
	if (left.error) {
		out->error = left.error;
		return;
	}
	text_add(out, left.data);
	columns = wrap_columns(left.data);
	if (columns + 2 > HELP_COLUMN) {
		text_add(out, "\n");
		columns = 0;
	}
	wrap_pad(out, columns, HELP_COLUMN);
	wrap_add(out, _(spec->help), HELP_COLUMN, HELP_COLUMN, width);
	text_add(out, "\n");
}

void option_format_help(const struct option_spec *specs, size_t count, unsigned width,
			struct text *out)
{
	for (size_t i = 0; i < count; i++)
		format_row(&specs[i], width, out);
}
