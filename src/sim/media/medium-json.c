/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Media as JSON files that people write, and the same for a preset, to begin from. Each
 * error names the file, the line and the key; what is accepted has been tried out.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "sim/media/models.h"
#include "sim/queue.h"
#include "util/i18n.h"
#include "util/json.h"
#include "util/json-build.h"
#include "util/number.h"
#include "util/suggest.h"
#include "util/text.h"

#define CAPACITY_MIN  (INT64_C(1) << 20)
#define ZONE_SIZE_MIN (INT64_C(1) << 20)
#define ZONE_SIZE_MAX (INT64_C(1) << 40)

struct reading {
	const struct json_document *document;
	struct sim_medium *medium;
	struct diag *diag;
};

static int complain(const struct reading *reading, const char *key, const char *format, ...)
	_printf_(3, 4);

static int complain(const struct reading *reading, const char *key, const char *format, ...)
{
	char text[400];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	diag_set(reading->diag, -EINVAL, "%s", text);
	diag_at(reading->diag, reading->document->name,
		json_document_line(reading->document, reading->document->root, key));
	return -EINVAL;
}

/* --- members of every medium -------------------------------------------------------- */

/* A whole number, or for sizes a string with a unit too. */
static int read_whole(const struct reading *reading, const char *key, const json_t *value,
		      bool is_size, int64_t min, int64_t max, int64_t *ret)
{
	int64_t number = 0;
	int error = 0;

	if (json_is_integer(value))
		number = json_integer_value(value);
	else if (is_size && json_is_string(value))
		error = number_parse_unit(json_string_value(value), UNIT_BYTES, &number);
	else
		error = -EINVAL;
	if (error == -EINVAL)
		return complain(reading, key,
				is_size ? _("\"%s\" is neither a number of bytes nor a string "
					    "such as \"4T\"")
					: _("\"%s\" is not a whole number"),
				key);
	if (error < 0 || number < min || number > max)
		return complain(reading, key,
				_("\"%s\" is not between %" PRId64 " and %" PRId64), key, min,
				max);
	if (is_size && number % 512)
		return complain(reading, key,
				_("\"%s\" is not a number of whole sectors of 512 bytes"), key);
	*ret = number;
	return 0;
}

static int read_name(const struct reading *reading, const char *key, const json_t *value)
{
	struct sim_medium *medium = reading->medium;

	if (!json_is_string(value) || !json_string_length(value) ||
	    json_string_length(value) >= sizeof(medium->name))
		return complain(reading, key, _("\"%s\" is not a string of 1 to %zu bytes"),
				key, sizeof(medium->name) - 1);
	snprintf(medium->name, sizeof(medium->name), "%s", json_string_value(value));
	return 0;
}

static int read_class(const struct reading *reading, const char *key, const json_t *value)
{
	const char *class = json_is_string(value) ? sim_medium_class(json_string_value(value))
						  : NULL;

	if (!class)
		return complain(reading, key, _("\"%s\" is not a class of devices"), key);
	reading->medium->class = class;
	return 0;
}

static int read_capacity(const struct reading *reading, const char *key, const json_t *value)
{
	int64_t bytes;
	int r = read_whole(reading, key, value, true, CAPACITY_MIN, INT64_MAX, &bytes);

	if (r == 0)
		reading->medium->capacity_sectors = (uint64_t)bytes / 512;
	return r;
}

static int read_queues(const struct reading *reading, const char *key, const json_t *value)
{
	int64_t count;
	int r = read_whole(reading, key, value, false, 1, SIM_HW_QUEUES_MAX, &count);

	if (r == 0)
		reading->medium->hw_queues = (unsigned)count;
	return r;
}

static int read_depth(const struct reading *reading, const char *key, const json_t *value)
{
	int64_t count;
	int r = read_whole(reading, key, value, false, 1, SIM_HW_DEPTH_MAX, &count);

	if (r == 0)
		reading->medium->hw_depth = (unsigned)count;
	return r;
}

static int read_bool(const struct reading *reading, const char *key, const json_t *value,
		     bool *ret)
{
	if (!json_is_boolean(value))
		return complain(reading, key, _("\"%s\" is neither true nor false"), key);
	*ret = json_is_true(value);
	return 0;
}

static int read_rotational(const struct reading *reading, const char *key,
			   const json_t *value)
{
	return read_bool(reading, key, value, &reading->medium->is_rotational);
}

static int read_host_managed(const struct reading *reading, const char *key,
			     const json_t *value)
{
	return read_bool(reading, key, value, &reading->medium->is_host_managed);
}

static int read_zone_size(const struct reading *reading, const char *key,
			  const json_t *value)
{
	int64_t bytes;
	int r;

	if (json_is_integer(value) && json_integer_value(value) == 0) {
		reading->medium->zone_sectors = 0;
		return 0;
	}
	r = read_whole(reading, key, value, true, ZONE_SIZE_MIN, ZONE_SIZE_MAX, &bytes);
	if (r == 0)
		reading->medium->zone_sectors = (uint32_t)(bytes / 512);
	return r;
}

/* "model" and "preset" are read before all others. */
static const struct member {
	const char *key;
	int (*read)(const struct reading *reading, const char *key, const json_t *value);
} members[] = {
	{ "model", NULL },
	{ "preset", NULL },
	{ "name", read_name },
	{ "class", read_class },
	{ "capacity", read_capacity },
	{ "hw_queues", read_queues },
	{ "hw_depth", read_depth },
	{ "rotational", read_rotational },
	{ "zone_size", read_zone_size },
	{ "host_managed", read_host_managed },
};

/* --- parameters of the model -------------------------------------------------------- */

static int read_word(const struct reading *reading, const struct sim_media_parameter *row,
		     const json_t *value, double *ret)
{
	struct suggestion suggestion;
	const char *word = json_string_value(value);

	for (unsigned i = 0; word && row->words[i]; i++) {
		if (strcmp(row->words[i], word) == 0) {
			*ret = i;
			return 0;
		}
	}
	if (!word)
		return complain(reading, row->key, _("\"%s\" is not a string"), row->key);
	complain(reading, row->key, _("\"%s\" cannot be \"%s\""), row->key, word);
	suggestion = suggestion_for(word);
	for (unsigned i = 0; row->words[i]; i++)
		suggestion_offer(&suggestion, row->words[i]);
	if (suggestion.nearest)
		diag_hint(reading->diag, _("did you mean \"%s\"?"), suggestion.nearest);
	return -EINVAL;
}

static int read_parameter(const struct reading *reading,
			  const struct sim_media_parameter *row, const json_t *value,
			  double *ret)
{
	double number = json_number_value(value);

	if (row->words)
		return read_word(reading, row, value, ret);
	if (!json_is_number(value))
		return complain(reading, row->key, _("\"%s\" is not a number"), row->key);
	if (row->is_whole && number != floor(number))
		return complain(reading, row->key, _("\"%s\" is not a whole number"),
				row->key);
	if (!(number >= row->min && number <= row->max))
		return complain(reading, row->key, _("\"%s\" is not between %.15g and %.15g%s%s"),
				row->key, row->min, row->max, *row->unit ? " " : "", row->unit);
	*ret = number;
	return 0;
}

static int refuse_key(const struct reading *reading, const char *key)
{
	const struct sim_media_ops *ops = reading->medium->ops;
	struct suggestion suggestion = suggestion_for(key);

	complain(reading, key, _("unknown key \"%s\" for the model %s"), key, ops->name);
	for (size_t i = 0; i < ARRAY_SIZE(members); i++)
		suggestion_offer(&suggestion, members[i].key);
	for (size_t i = 0; i < ops->parameter_count; i++)
		suggestion_offer(&suggestion, ops->parameters[i].key);
	if (suggestion.nearest)
		diag_hint(reading->diag, _("did you mean \"%s\"?"), suggestion.nearest);
	else
		diag_hint(reading->diag, _("iosched-tune-media(5) lists them"));
	return -EINVAL;
}

static int read_member(const struct reading *reading, const char *key, const json_t *value)
{
	int index;

	for (size_t i = 0; i < ARRAY_SIZE(members); i++) {
		if (strcmp(members[i].key, key) == 0)
			return members[i].read ? members[i].read(reading, key, value) : 0;
	}
	index = sim_media_parameter(reading->medium->ops, key);
	if (index < 0)
		return refuse_key(reading, key);
	return read_parameter(reading, &reading->medium->ops->parameters[index], value,
			      &reading->medium->values[index]);
}

/* --- the whole ---------------------------------------------------------------------- */

static void hint_names(const struct reading *reading, const char *name, bool is_model)
{
	struct suggestion suggestion = suggestion_for(name);
	_text_ struct text known = { 0 };

	for (size_t i = 0;; i++) {
		const char *offer = NULL;

		if (is_model)
			offer = sim_media_get(i) ? sim_media_get(i)->name : NULL;
		else
			offer = sim_medium_preset(i) ? sim_medium_preset(i)->name : NULL;
		if (!offer)
			break;
		suggestion_offer(&suggestion, offer);
		text_addf(&known, "%s%s", i ? ", " : "", offer);
	}
	if (suggestion.nearest)
		diag_hint(reading->diag, _("did you mean \"%s\"?"), suggestion.nearest);
	else if (known.data)
		diag_hint(reading->diag, _("known here: %s"), known.data);
}

static int read_base(const struct reading *reading)
{
	const json_t *model = json_object_get(reading->document->root, "model");
	const json_t *preset = json_object_get(reading->document->root, "preset");
	const char *key = model ? "model" : "preset", *name;

	if (!model == !preset)
		return complain(reading, model ? "model" : NULL,
				_("a medium has either a \"model\" or a \"preset\""));
	name = json_string_value(model ? model : preset);
	if (!name)
		return complain(reading, key, _("\"%s\" is not a string"), key);
	if (model && sim_media_find(name)) {
		sim_medium_of_model(sim_media_find(name), reading->medium);
		return 0;
	}
	if (preset && sim_medium_find(name, reading->medium) == 0)
		return 0;
	complain(reading, key,
		 model ? _("there is no model that is called \"%s\"")
		       : _("there is no preset that is called \"%s\""),
		 name);
	hint_names(reading, name, model != NULL);
	return -EINVAL;
}

static int check_zones(const struct reading *reading)
{
	const struct sim_medium *medium = reading->medium;

	if (medium->is_host_managed && !medium->zone_sectors)
		return complain(reading, "host_managed",
				_("a medium without \"zone_size\" cannot be host-managed"));
	if (medium->zone_sectors && !medium->ops->has_zones)
		return complain(reading, "zone_size", _("the model %s has no zones"),
				medium->ops->name);
	if (medium->zone_sectors > medium->capacity_sectors)
		return complain(reading, "zone_size",
				_("a zone is larger than the whole device"));
	return 0;
}

/* What contradicts itself is found by making one. */
static int try_out(const struct reading *reading)
{
	struct sim_media media;
	struct event_queue events;
	int r;

	event_queue_init(&events);
	r = sim_media_init(&media, reading->medium, 0, &events, reading->diag);
	if (r < 0)
		diag_at(reading->diag, reading->document->name, 1);
	else
		sim_media_done(&media);
	event_queue_done(&events);
	return r;
}

static int read_document(const struct reading *reading)
{
	const char *key;
	json_t *value;
	int r = read_base(reading);

	if (r < 0)
		return r;
	json_object_foreach(reading->document->root, key, value)
	{
		r = read_member(reading, key, value);
		if (r < 0)
			return r;
	}
	r = check_zones(reading);
	return r < 0 ? r : try_out(reading);
}

int sim_medium_parse(const char *json, size_t len, const char *name, struct sim_medium *ret,
		     struct diag *diag)
{
	struct json_document document = { 0 };
	struct sim_medium medium;
	struct reading reading = { &document, &medium, diag };
	int r = json_document_parse(json, len, name, &document, diag);

	if (r < 0)
		return r;
	r = read_document(&reading);
	if (r == 0)
		*ret = medium;
	json_document_done(&document);
	return r;
}

static void add_value(struct text *text, const struct sim_media_parameter *row, double value)
{
	if (row->words)
		text_addf(text, ",\n  \"%s\": \"%s\"", row->key, row->words[(unsigned)value]);
	else
		text_addf(text, ",\n  \"%s\": %.15g", row->key, value);
}

int sim_medium_to_json(const struct sim_medium *medium, char **ret)
{
	_text_ struct text text = { 0 };
	json_t *string = json_text(medium->name);
	char *name = string ? json_dumps(string, JSON_ENCODE_ANY) : NULL;
	/* The null device of the tests is larger than a number of bytes can say. */
	uint64_t bytes = medium->capacity_sectors < INT64_MAX / 512
				 ? medium->capacity_sectors * 512
				 : INT64_MAX / 512 * 512;

	json_decref(string);
	if (!name)
		return -ENOMEM;
	text_addf(&text, "{\n  \"model\": \"%s\",\n  \"name\": %s,\n  \"class\": \"%s\",\n",
		  medium->ops->name, name, medium->class);
	free(name);
	text_addf(&text, "  \"capacity\": %" PRIu64 ",\n  \"hw_queues\": %u,\n", bytes,
		  medium->hw_queues);
	text_addf(&text, "  \"hw_depth\": %u,\n  \"rotational\": %s", medium->hw_depth,
		  medium->is_rotational ? "true" : "false");
	if (medium->zone_sectors)
		text_addf(&text, ",\n  \"zone_size\": %" PRIu64 ",\n  \"host_managed\": %s",
			  (uint64_t)medium->zone_sectors * 512,
			  medium->is_host_managed ? "true" : "false");
	for (size_t i = 0; i < medium->ops->parameter_count; i++)
		add_value(&text, &medium->ops->parameters[i], medium->values[i]);
	text_add(&text, "\n}\n");
	return text_take(&text, ret);
}
