// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Typed values, as text and as JSON.
 */
#include "report/cell.h"

#include <stdarg.h>

#include "util/i18n.h"
#include "util/json-build.h"
#include "util/number.h"

void cell_done(struct cell *cell)
{
	strv_done(&cell->own_list);
}

void cell_set_string(struct cell *cell, const char *string)
{
	cell->kind = string && *string ? CELL_STRING : CELL_NULL;
	cell->string = string;
}

void cell_set_word(struct cell *cell, const char *word)
{
	cell_set_string(cell, word);
	cell->is_word = true;
}

void cell_set_format(struct cell *cell, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(cell->own, sizeof(cell->own), format, args);
	va_end(args);
	cell_set_string(cell, cell->own);
}

void cell_set_number(struct cell *cell, int64_t number)
{
	cell->kind = CELL_NUMBER;
	cell->number = number;
}

void cell_set_bytes(struct cell *cell, uint64_t bytes)
{
	cell->kind = CELL_BYTES;
	cell->number = bytes > INT64_MAX ? INT64_MAX : (int64_t)bytes;
}

void cell_set_bool(struct cell *cell, bool value)
{
	cell->kind = CELL_BOOL;
	cell->number = value;
}

void cell_set_list(struct cell *cell, const struct strv *list)
{
	cell->kind = CELL_LIST;
	cell->list = list;
}

void cell_add_item(struct cell *cell, const char *string)
{
	int error = strv_add(&cell->own_list, string);

	if (error)
		cell->error = error;
	cell_set_list(cell, &cell->own_list);
}

void cell_set_attribute(struct cell *cell, const struct tunable *tunable,
			const char *text)
{
	int64_t number;

	if ((tunable->type != TUNABLE_INT && tunable->type != TUNABLE_BOOL) ||
	    number_parse_i64(text, &number)) {
		cell_set_string(cell, text);
		return;
	}
	cell_set_number(cell, number);
	if (tunable->type == TUNABLE_BOOL)
		cell_set_bool(cell, number != 0);
}

void cell_add_text(const struct cell *cell, bool is_raw, struct text *out)
{
	char buf[32];

	if (cell->error)
		out->error = cell->error;
	switch (cell->kind) {
	case CELL_NULL:
		break;
	case CELL_STRING:
		text_add(out, cell->is_word && !is_raw ? _(cell->string) : cell->string);
		return;
	case CELL_NUMBER:
	case CELL_BOOL:
		text_addf(out, "%lld", (long long)cell->number);
		return;
	case CELL_BYTES:
		number_format_bytes((uint64_t)cell->number, buf, sizeof(buf));
		text_add(out, buf);
		return;
	case CELL_LIST:
		for (size_t i = 0; i < cell->list->count; i++)
			text_addf(out, "%s%s", i ? "," : "", cell->list->items[i]);
		if (cell->list->count)
			return;
		break;
	}
	text_add(out, "-");
}

json_t *cell_to_json(const struct cell *cell)
{
	if (cell->error)
		return NULL;
	switch (cell->kind) {
	case CELL_STRING:
		return json_text(cell->string);
	case CELL_NUMBER:
	case CELL_BYTES:
		return json_integer(cell->number);
	case CELL_BOOL:
		return json_boolean(cell->number);
	case CELL_LIST:
		return json_text_array(cell->list);
	case CELL_NULL:
		break;
	}
	return json_null();
}

void cell_format_attribute(const struct tunable *tunable, const char *text, char *buf,
			   size_t size)
{
	int64_t number;

	if (tunable->type == TUNABLE_INT && !number_parse_i64(text, &number))
		number_format_unit(number, tunable->unit, buf, size);
	else
		snprintf(buf, size, "%s", text);
}
