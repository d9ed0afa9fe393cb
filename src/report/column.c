// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Choosing columns by name, and what the chosen ones need.
 */
#include "report/column.h"

#include <errno.h>
#include <string.h>
#include <strings.h>

#include "util/i18n.h"
#include "util/suggest.h"

const char column_default_list[] =
	"NAME,CLASS,TRANSPORT,ROTA,HWQ,RQ-SIZE,RA,SCHED,WANTED,STATE";

void column_set_all(struct column_set *ret)
{
	const struct column *column;

	ret->count = 0;
	for (size_t i = 0; (column = column_get(i)) && ret->count < COLUMN_CHOICE_MAX;
	     i++)
		ret->items[ret->count++] = (struct column_choice){ column, NULL };
}

static bool find_choice(const char *name, struct column_choice *ret,
			struct suggestion *suggestion)
{
	const struct column *column;

	for (size_t i = 0; (column = column_get(i)); i++) {
		if (!strcasecmp(column->name, name) ||
		    (column->alias && !strcasecmp(column->alias, name))) {
			*ret = (struct column_choice){ column, NULL };
			return true;
		}
		suggestion_offer(suggestion, column->name);
	}
	for (size_t i = 0; i < tunable_count(); i++) {
		const struct tunable *tunable = tunable_get(i);

		if (!strcasecmp(tunable->key, name)) {
			*ret = (struct column_choice){ NULL, tunable };
			return true;
		}
		suggestion_offer(suggestion, tunable->key);
	}
	return false;
}

static int add_names(const struct strv *names, struct column_set *set, struct diag *diag)
{
	for (size_t i = 0; i < names->count; i++) {
		struct suggestion suggestion = suggestion_for(names->items[i]);

		if (set->count == COLUMN_CHOICE_MAX)
			return diag_set(diag, -E2BIG, _("more than %d columns"),
					COLUMN_CHOICE_MAX);
		if (find_choice(names->items[i], &set->items[set->count], &suggestion)) {
			set->count++;
			continue;
		}
		diag_set(diag, -EINVAL, _("unknown column '%s'"), names->items[i]);
		if (suggestion.nearest)
			diag_hint(diag, _("did you mean '%s'?"), suggestion.nearest);
		else
			diag_hint(diag,
				  _("'iosched-tune status -o help' lists the columns"));
		return -EINVAL;
	}
	return 0;
}

int column_set_parse(const char *list, struct column_set *ret, struct diag *diag)
{
	struct column_set set = { .count = 0 };
	_strv_ struct strv names = { 0 };
	int error = 0;

	if (list[0] == '+') {
		error = strv_split(&names, column_default_list, ",");
		list++;
	}
	if (!error)
		error = strv_split(&names, list, ", ");
	if (error)
		return error;
	if (!names.count)
		return diag_set(diag, -EINVAL, _("no column is named"));
	error = add_names(&names, &set, diag);
	if (!error)
		*ret = set;
	return error;
}

static unsigned tunable_needs(const struct tunable *tunable)
{
	if (tunable == tunable_scheduler())
		return SCAN_SCHEDULER;
	if (tunable->place == TUNABLE_IOSCHED)
		return SCAN_IOSCHED | SCAN_SCHEDULER;
	return tunable->is_policy ? SCAN_QUEUE : SCAN_QUEUE_ALL;
}

unsigned column_set_needs(const struct column_set *set)
{
	unsigned needs = 0;

	for (size_t i = 0; i < set->count; i++)
		needs |= set->items[i].column ? set->items[i].column->needs
					      : tunable_needs(set->items[i].tunable);
	return needs;
}

bool column_set_needs_policy(const struct column_set *set)
{
	for (size_t i = 0; i < set->count; i++)
		if (set->items[i].column && set->items[i].column->needs_policy)
			return true;
	return false;
}

const char *column_choice_name(const struct column_choice *choice)
{
	return choice->column ? choice->column->name : choice->tunable->key;
}

const char *column_choice_key(const struct column_choice *choice)
{
	return choice->column ? choice->column->key : choice->tunable->key;
}

enum table_align column_choice_align(const struct column_choice *choice)
{
	if (choice->column)
		return choice->column->align;
	return choice->tunable->type == TUNABLE_INT ||
			       choice->tunable->type == TUNABLE_BOOL
		       ? TABLE_RIGHT
		       : TABLE_LEFT;
}

static void render_attribute(const struct tunable *tunable, const struct device *device,
			     struct cell *ret)
{
	const struct device_value *value = device_find_value(device, tunable);

	if (value && !value->error)
		cell_set_attribute(ret, tunable, value->text);
}

static void render_field(const struct column *column, const struct device *device,
			 struct cell *ret)
{
	const void *field = (const char *)device + column->offset;

	switch (column->field) {
	case FIELD_NONE:
		break;
	case FIELD_STRING:
		cell_set_string(ret, *(const char *const *)field);
		break;
	case FIELD_CHARS:
		cell_set_string(ret, field);
		break;
	case FIELD_BOOL:
		cell_set_bool(ret, *(const bool *)field);
		break;
	case FIELD_COUNT:
		cell_set_number(ret, (int64_t) * (const size_t *)field);
		break;
	case FIELD_U64:
		cell_set_number(ret, (int64_t) * (const uint64_t *)field);
		break;
	case FIELD_LIST:
		cell_set_list(ret, field);
		break;
	}
}

void column_render(const struct column *column, const struct column_row *row,
		   struct cell *ret)
{
	ret->kind = CELL_NULL;
	if (column->file)
		render_attribute(tunable_find_queue(column->file), row->device, ret);
	else if (column->render)
		column->render(row, ret);
	else
		render_field(column, row->device, ret);
}

void column_choice_render(const struct column_choice *choice,
			  const struct column_row *row, struct cell *ret)
{
	ret->kind = CELL_NULL;
	if (choice->column)
		column_render(choice->column, row, ret);
	else if (choice->tunable == tunable_scheduler())
		cell_set_string(ret, choice_active(&row->device->scheduler));
	else
		render_attribute(choice->tunable, row->device, ret);
}
