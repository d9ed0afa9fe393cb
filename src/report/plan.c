// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Plans as text.
 */
#include "report/plan.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "report/cell.h"
#include "util/i18n.h"
#include "util/number.h"
#include "util/text.h"
#include "util/wrap.h"

/* Below this the reasons do not fit beside the values. */
#define WIDTH_WITH_REASONS 132

static bool has_room_for_reasons(const struct table_style *style)
{
	return !style->is_terminal || style->width >= WIDTH_WITH_REASONS;
}

static void set_value(struct table *table, size_t column, const struct tunable *tunable,
		      const char *text)
{
	char buf[TUNABLE_VALUE_MAX + 16];

	cell_format_attribute(tunable, text[0] ? text : "-", buf, sizeof(buf));
	table_set(table, column, buf, MOOD_PLAIN);
}

static void add_step(struct table *table, const struct plan_device *planned,
		     const struct plan_step *step, bool has_reasons)
{
	table_add_row(table, TABLE_NO_PARENT);
	table_set(table, 0, planned->name, MOOD_PLAIN);
	table_set(table, 1, step->tunable->key, MOOD_PLAIN);
	set_value(table, 2, step->tunable, step->from);
	set_value(table, 3, step->tunable, step->to);
	table_set(table, 4,
		  step->source ? step->source : _(policy_origin_name(step->origin)),
		  MOOD_PLAIN);
	if (has_reasons)
		table_set(table, 5, step->why ? step->why : "-", MOOD_PLAIN);
}

/* "source: why", wrapped. */
static void add_reason(struct text *out, const struct plan_step *step, size_t width)
{
	_text_ struct text line = { 0 };

	text_add_safe(&line,
		      step->source ? step->source : _(policy_origin_name(step->origin)));
	text_add(&line, ": ");
	text_add_safe(&line, step->why);
	if (line.error)
		out->error = line.error;
	else
		wrap_add(out, line.data, 0, 4, width);
}

static int print_reasons(const struct plan *plan, const struct table_style *style)
{
	_strv_ struct strv seen = { 0 };

	for (size_t i = 0; i < plan->count; i++) {
		for (size_t j = 0; j < plan->items[i].step_count; j++) {
			const struct plan_step *step = &plan->items[i].steps[j];
			_text_ struct text line = { 0 };

			if (!step->why || step->is_conditional)
				continue;
			add_reason(&line, step, style->width);
			if (line.error)
				return line.error;
			if (strv_contains(&seen, line.data))
				continue;
			if (strv_add(&seen, line.data))
				return -ENOMEM;
			printf("%s%s\n", seen.count == 1 ? "\n" : "", line.data);
		}
	}
	return 0;
}

int plan_print_steps(const struct plan *plan, const struct plan_titles *titles,
		     const struct table_style *style)
{
	_cleanup_(cleanup_table_free) struct table *table = NULL;
	bool has_reasons = has_room_for_reasons(style);
	int error;

	if (!plan_count_writes(plan))
		return 0;
	error = table_new(style, &table);
	if (error)
		return error;
	table_add_column(table, _("DEVICE"), TABLE_LEFT);
	table_add_column(table, _("ATTRIBUTE"), TABLE_LEFT);
	table_add_column(table, _(titles->from), TABLE_LEFT);
	table_add_column(table, _(titles->to), TABLE_LEFT);
	table_add_column(table, _("SOURCE"), TABLE_LEFT);
	if (has_reasons)
		table_add_column(table, _("WHY"), TABLE_WRAP);
	for (size_t i = 0; i < plan->count; i++)
		for (size_t j = 0; j < plan->items[i].step_count; j++)
			if (!plan->items[i].steps[j].is_conditional)
				add_step(table, &plan->items[i], &plan->items[i].steps[j],
					 has_reasons);
	error = table_print(table);
	if (!error && !has_reasons)
		error = print_reasons(plan, style);
	return error;
}

static bool is_same_group(const struct plan_device *a, const struct plan_device *b)
{
	return a->state == b->state && text_equal(a->reason, b->reason);
}

static int print_wrapped(const struct text *line, const struct table_style *style)
{
	if (line->error)
		return line->error;
	return wrap_print(line->data, 4, style->is_terminal ? style->width : SIZE_MAX);
}

/* Whether `next` is the same name with the number that follows: loop9 and loop10. */
static bool is_successor(const char *name, const char *next)
{
	size_t digits = strlen(name), stem;
	uint64_t number;
	char expected[128];

	while (digits && isdigit((unsigned char)name[digits - 1]))
		digits--;
	stem = digits;
	if (number_parse_u64(name + stem, &number) || number == UINT64_MAX)
		return false;
	snprintf(expected, sizeof(expected), "%.*s%" PRIu64, (int)stem, name, number + 1);
	return !strcmp(expected, next);
}

/* Names in their order, with "loop0 to loop7" for three and more in a row. */
static void add_names(struct text *line, const struct strv *names)
{
	for (size_t i = 0; i < names->count; i++) {
		size_t last = i;

		while (last + 1 < names->count &&
		       is_successor(names->items[last], names->items[last + 1]))
			last++;
		text_add(line, i ? ", " : "");
		text_add_safe(line, names->items[i]);
		if (last < i + 2)
			continue;
		text_add(line, _(" to "));
		text_add_safe(line, names->items[last]);
		i = last;
	}
}

/* "loop0 to loop7, zram0: no rule …" for the group that `first` opens. */
static int print_group(const struct plan *plan, size_t first,
		       const struct table_style *style)
{
	const struct plan_device *opener = &plan->items[first];
	_strv_ struct strv names = { 0 };
	_text_ struct text line = { 0 };
	int error = 0;

	for (size_t i = first; !error && i < plan->count; i++)
		if (is_same_group(&plan->items[i], opener))
			error = strv_add(&names, plan->items[i].name);
	if (error)
		return error;
	add_names(&line, &names);
	text_add(&line, ": ");
	if (opener->state == PLAN_IN_FORCE)
		text_add(&line, _("in force"));
	else if (opener->state == PLAN_BLOCKED)
		text_add(&line, _("not possible: "));
	if (opener->reason)
		text_add_safe(&line, opener->reason);
	return print_wrapped(&line, style);
}

int plan_print_rest(const struct plan *plan, const struct table_style *style)
{
	for (size_t i = 0; i < plan->count; i++) {
		bool is_known = plan->items[i].state == PLAN_CHANGE;
		int error;

		for (size_t j = 0; j < i && !is_known; j++)
			is_known = is_same_group(&plan->items[j], &plan->items[i]);
		if (is_known)
			continue;
		error = print_group(plan, i, style);
		if (error)
			return error;
	}
	return 0;
}

static int print_conditional(const struct plan_device *planned,
			     const struct table_style *style)
{
	_text_ struct text line = { 0 };
	size_t count = 0;

	text_add_safe(&line, planned->name);
	text_add(&line,
		 _(": looked at after that, and written only if not so already: "));
	for (size_t i = 0; i < planned->step_count; i++) {
		const struct plan_step *step = &planned->steps[i];
		char value[TUNABLE_VALUE_MAX + 16];

		if (!step->is_conditional)
			continue;
		cell_format_attribute(step->tunable, step->to, value, sizeof(value));
		text_addf(&line, "%s%s ", count++ ? ", " : "", step->tunable->key);
		text_add_safe(&line, value);
	}
	return count ? print_wrapped(&line, style) : line.error;
}

int plan_print_conditional(const struct plan *plan, const struct table_style *style)
{
	int error = 0;

	for (size_t i = 0; !error && i < plan->count; i++)
		error = print_conditional(&plan->items[i], style);
	return error;
}

int plan_print_notes(const struct plan *plan, const struct table_style *style)
{
	for (size_t i = 0; i < plan->count; i++) {
		const struct plan_device *planned = &plan->items[i];

		for (size_t j = 0; j < planned->notes.count; j++) {
			_text_ struct text line = { 0 };
			int error;

			text_add_safe(&line, planned->name);
			text_add(&line, ": ");
			text_add_safe(&line, planned->notes.items[j]);
			error = print_wrapped(&line, style);
			if (error)
				return error;
		}
	}
	return 0;
}

int plan_print_written(const struct apply_report *report, const struct table_style *style)
{
	_cleanup_(cleanup_table_free) struct table *table = NULL;
	size_t count = 0;
	int error = table_new(style, &table);

	if (error)
		return error;
	table_add_column(table, _("DEVICE"), TABLE_LEFT);
	table_add_column(table, _("ATTRIBUTE"), TABLE_LEFT);
	table_add_column(table, _("OLD"), TABLE_LEFT);
	table_add_column(table, _("NEW"), TABLE_LEFT);
	for (size_t i = 0; i < report->count; i++) {
		const struct apply_device *item = &report->items[i];

		for (size_t j = 0; j < item->steps_done; j++) {
			const struct plan_step *step = &item->planned->steps[j];

			if (!item->writes[j].is_written)
				continue;
			table_add_row(table, TABLE_NO_PARENT);
			table_set(table, 0, item->planned->name, MOOD_PLAIN);
			table_set(table, 1, step->tunable->key, MOOD_PLAIN);
			set_value(table, 2, step->tunable, item->writes[j].old);
			set_value(table, 3, step->tunable, step->to);
			count++;
		}
	}
	return count ? table_print(table) : 0;
}
