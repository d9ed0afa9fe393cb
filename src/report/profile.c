// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Profiles for people.
 */
#include "report/profile.h"

#include <errno.h>

#include "report/cell.h"
#include "util/i18n.h"
#include "util/number.h"
#include "util/wrap.h"

/* Columns where the value and the reason of a setting begin. */
#define VALUE_COLUMN 34
#define INDENT       4

static void add_condition(struct text *out)
{
	if (out->len)
		text_add(out, "; ");
}

/* What stands before item `index` of `count`: "a, b or c". */
static const char *separator(size_t index, size_t count)
{
	if (!index)
		return " ";
	return index + 1 == count ? _(" or ") : ", ";
}

static void add_list(struct text *out, const char *what, const struct strv *list)
{
	if (!list->count)
		return;
	add_condition(out);
	text_add(out, what);
	for (size_t i = 0; i < list->count; i++) {
		text_add(out, separator(i, list->count));
		text_add_safe(out, list->items[i]);
	}
}

static void add_classes(struct text *out, unsigned classes)
{
	size_t count = (size_t)__builtin_popcount(classes), index = 0;

	if (!classes)
		return;
	add_condition(out);
	text_add(out, _("class"));
	for (enum device_class class = 0; class < CLASS_COUNT; class ++)
		if (classes & 1u << class)
			text_addf(out, "%s%s", separator(index++, count),
				  device_class_name(class));
}

static void add_size(struct text *out, const char *what, uint64_t bytes)
{
	char buf[32];

	if (!bytes)
		return;
	number_format_bytes(bytes, buf, sizeof(buf));
	add_condition(out);
	text_addf(out, "%s %s", what, buf);
}

/* `yes` and `no`: what is said of 1 and 0; -1 says nothing. */
static void add_switch(struct text *out, int value, const char *yes, const char *no)
{
	if (value < 0)
		return;
	add_condition(out);
	text_add(out, value ? yes : no);
}

int profile_match_to_text(const struct profile_rule *rule, struct text *out)
{
	const struct profile_match *match = &rule->match;

	if (rule->is_match_empty) {
		text_add(out, _("every device"));
		return out->error;
	}
	add_classes(out, match->classes);
	add_list(out, _("transport"), &match->transports);
	add_list(out, _("vendor"), &match->vendors);
	add_list(out, _("model"), &match->models);
	add_list(out, _("WWN"), &match->wwns);
	add_list(out, _("serial"), &match->serials);
	add_list(out, _("by-path"), &match->by_paths);
	add_list(out, _("by-id"), &match->by_ids);
	add_list(out, _("file system"), &match->filesystems);
	add_list(out, _("role"), &match->roles);
	add_list(out, _("virtualisation"), &match->virtualisations);
	add_size(out, _("size at least"), match->min_size_bytes);
	add_size(out, _("size at most"), match->max_size_bytes);
	add_switch(out, match->rotational, _("rotational"), _("not rotational"));
	add_switch(out, match->removable, _("removable"), _("not removable"));
	add_switch(out, match->hidden, _("hidden path"), _("not hidden"));
	return out->error;
}

/* "    key   value" and, indented below it, why. */
static void add_setting(struct text *out, const char *key, const char *value,
			const char *why, size_t width)
{
	_text_ struct text safe = { 0 };

	text_addf(out, "%*s%s", INDENT, "", key);
	wrap_pad(out, INDENT + wrap_columns(key), VALUE_COLUMN);
	text_add_safe(out, value);
	text_add(out, "\n");
	if (!why)
		return;
	text_add_safe(&safe, why);
	if (safe.error) {
		out->error = safe.error;
		return;
	}
	text_addf(out, "%*s", 2 * INDENT, "");
	wrap_add(out, safe.data, 2 * (size_t)INDENT, 2 * (size_t)INDENT, width);
	text_add(out, "\n");
}

static void add_schedulers(struct text *out, const struct profile_rule *rule,
			   size_t width)
{
	_text_ struct text list = { 0 };

	for (size_t i = 0; i < rule->schedulers.count; i++)
		text_addf(&list, "%s%s", i ? _(", else ") : "",
			  rule->schedulers.items[i]);
	if (list.error)
		out->error = list.error;
	else if (list.len)
		add_setting(out, "scheduler", list.data, rule->scheduler_why, width);
}

static void add_rule(struct text *out, const struct profile_rule *rule, size_t number,
		     size_t width)
{
	_text_ struct text match = { 0 };

	if (profile_match_to_text(rule, &match)) {
		out->error = match.error;
		return;
	}
	text_addf(out, "\n%zu. ", number);
	wrap_add(out, match.data, INDENT, INDENT, width);
	text_addf(out, "  (%s %u)\n", _("line"), rule->line);
	if (rule->why) {
		_text_ struct text safe = { 0 };

		text_add_safe(&safe, rule->why);
		text_addf(out, "%*s", INDENT, "");
		if (safe.data)
			wrap_add(out, safe.data, INDENT, INDENT, width);
		text_add(out, "\n");
	}
	if (rule->leave_alone)
		add_setting(out, "scheduler", _("left alone"), rule->scheduler_why,
			    width);
	add_schedulers(out, rule, width);
	for (size_t i = 0; i < rule->setting_count; i++) {
		const struct profile_setting *setting = &rule->settings[i];
		char value[TUNABLE_VALUE_MAX + 16];

		cell_format_attribute(setting->tunable, setting->value, value,
				      sizeof(value));
		add_setting(out, setting->tunable->key, value, setting->why, width);
	}
}

static void add_head(struct text *out, const struct profile *profile, size_t width)
{
	_text_ struct text line = { 0 };

	text_add_safe(&line, profile->name);
	if (profile->summary) {
		text_add(&line, ": ");
		text_add_safe(&line, profile->summary);
	}
	if (line.error) {
		out->error = line.error;
		return;
	}
	wrap_add(out, line.data, 0, 0, width);
	text_addf(out, "\n%s ", _("read from"));
	text_add_safe(out, profile->path);
	if (profile->parent) {
		text_addf(out, "; %s ", _("what it does not set is inherited from"));
		text_add_safe(out, profile->parent->name);
	}
	text_add(out, "\n");
}

int profile_print(const struct profile *profile, const struct table_style *style)
{
	size_t width = style->is_terminal ? style->width : SIZE_MAX;
	_text_ struct text out = { 0 };

	for (; profile; profile = profile->parent) {
		add_head(&out, profile, width);
		for (size_t i = 0; i < profile->rule_count; i++)
			add_rule(&out, &profile->rules[i], i + 1, width);
		if (profile->parent)
			text_add(&out, "\n");
	}
	if (!out.error)
		fputs(out.data, stdout);
	return out.error;
}

int profile_print_list(const struct profile_entry *entries, size_t count,
		       const struct table_style *style)
{
	_cleanup_(cleanup_table_free) struct table *table = NULL;
	int error = table_new(style, &table);

	if (error)
		return error;
	table_add_column(table, _("NAME"), TABLE_LEFT);
	table_add_column(table, _("SUMMARY"), TABLE_WRAP);
	for (size_t i = 0; i < count; i++) {
		if (entries[i].is_shadowed)
			continue;
		table_add_row(table, TABLE_NO_PARENT);
		table_set(table, 0, entries[i].name, MOOD_PLAIN);
		if (entries[i].error)
			table_set(table, 1, entries[i].error, MOOD_BAD);
		else
			table_set(table, 1, entries[i].summary ? entries[i].summary : "-",
				  MOOD_PLAIN);
	}
	return table_print(table);
}
