// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reading the "match" of a rule.
 */
#include <errno.h>
#include <string.h>

#include "policy/profile-reader.h"
#include "util/i18n.h"
#include "util/number.h"
#include "util/suggest.h"

static const char *const match_keys[] = {
	"class",          "transport", "model",      "vendor",     "wwn",
	"serial",         "by-path",   "by-id",      "filesystem", "role",
	"virtualisation", "size",      "rotational", "hidden",     "removable",
};
const struct reader_keys profile_keys_match = { match_keys, ARRAY_SIZE(match_keys) };

static const char *const roles[] = { "root", "boot", "swap", "data" };
const struct reader_keys profile_roles = { roles, ARRAY_SIZE(roles) };

static const char *const size_names[] = { "min", "max" };
static const struct reader_keys size_keys = { size_names, ARRAY_SIZE(size_names) };

void profile_match_done(struct profile_match *match)
{
	strv_done(&match->transports);
	strv_done(&match->models);
	strv_done(&match->vendors);
	strv_done(&match->wwns);
	strv_done(&match->serials);
	strv_done(&match->by_paths);
	strv_done(&match->by_ids);
	strv_done(&match->filesystems);
	strv_done(&match->roles);
	strv_done(&match->virtualisations);
}

static int fail_class(const struct reader *reader, const json_t *match, const char *name)
{
	struct suggestion suggestion = suggestion_for(name);

	reader_fail(reader, match, "class", -EINVAL, _("there is no device class \"%s\""),
		    name);
	for (int class = 0; class < CLASS_COUNT; class ++)
		suggestion_offer(&suggestion,
				 device_class_name((enum device_class) class));
	if (suggestion.nearest)
		diag_hint(reader->diag, _("did you mean \"%s\"?"), suggestion.nearest);
	return -EINVAL;
}

static int read_classes(const struct reader *reader, const json_t *match, unsigned *ret)
{
	_strv_ struct strv names = { 0 };
	unsigned classes = 0;
	int error = reader_get_words(reader, match, "class", &names);

	if (error)
		return error;
	for (size_t i = 0; i < names.count; i++) {
		enum device_class class;

		if (device_class_parse(names.items[i], &class)) {
			error = reader_go_on(reader,
					     fail_class(reader, match, names.items[i]));
			if (error)
				return error;
			continue;
		}
		classes |= 1u << class;
	}
	*ret = classes;
	return 0;
}

static int check_patterns(const struct reader *reader, const json_t *object, const char *key,
			  const struct strv *patterns)
{
	for (size_t i = 0; i < patterns->count; i++) {
		int error;

		if (text_glob_is_whole(patterns->items[i]))
			continue;
		error = reader_fail(reader, object, key, -EINVAL,
				    _("\"%s\": the pattern \"%s\" does not end: a bracket is not "
				      "closed, or nothing follows a backslash"),
				    key, patterns->items[i]);
		diag_hint(reader->diag, _("\"\\\\[\" is a bracket that stands for itself"));
		error = reader_go_on(reader, error);
		if (error)
			return error;
	}
	return 0;
}

static int read_lists(const struct reader *reader, const json_t *object,
		      struct profile_match *match)
{
	const struct {
		const char *key;
		struct strv *list;
	} lists[] = {
		{ "transport", &match->transports },
		{ "model", &match->models },
		{ "vendor", &match->vendors },
		{ "wwn", &match->wwns },
		{ "serial", &match->serials },
		{ "by-path", &match->by_paths },
		{ "by-id", &match->by_ids },
		{ "filesystem", &match->filesystems },
		{ "role", &match->roles },
		{ "virtualisation", &match->virtualisations },
	};

	for (size_t i = 0; i < ARRAY_SIZE(lists); i++) {
		int error = reader_go_on(reader, reader_get_words(reader, object, lists[i].key,
								  lists[i].list));

		if (!error)
			error = check_patterns(reader, object, lists[i].key, lists[i].list);
		if (error)
			return error;
	}
	return 0;
}

static int check_roles(const struct reader *reader, const json_t *object,
		       const struct strv *names)
{
	for (size_t i = 0; i < names->count; i++) {
		bool is_known = false;
		int error;

		for (size_t j = 0; j < ARRAY_SIZE(roles); j++)
			is_known |= !strcmp(roles[j], names->items[i]);
		if (is_known)
			continue;
		error = reader_fail(reader, object, "role", -EINVAL,
				    _("there is no role \"%s\""), names->items[i]);
		diag_hint(reader->diag, _("known here: %s"), "root, boot, swap, data");
		error = reader_go_on(reader, error);
		if (error)
			return error;
	}
	return 0;
}

static int read_size(const struct reader *reader, const json_t *size, const char *key,
		     uint64_t *ret)
{
	const json_t *value = json_object_get(size, key);
	int64_t bytes = 0;
	int error = 0;

	if (!value)
		return 0;
	if (json_is_string(value))
		error = number_parse_unit(json_string_value(value), UNIT_BYTES, &bytes);
	else if (json_is_integer(value))
		bytes = json_integer_value(value);
	else
		error = -EINVAL;
	if (!error && bytes <= 0)
		error = -ERANGE;
	if (error)
		return reader_fail(reader, size, key, error,
				   _("\"%s\" is not a size such as 500G or 4T"), key);
	*ret = (uint64_t)bytes;
	return 0;
}

static int read_sizes(const struct reader *reader, const json_t *object,
		      struct profile_match *match)
{
	const json_t *size = NULL;
	int error = reader_get_object(reader, object, "size", &size);

	if (error || !size)
		return error;
	error = reader_check_keys(reader, size, &size_keys);
	if (!error)
		error = reader_go_on(reader,
				     read_size(reader, size, "min", &match->min_size_bytes));
	if (!error)
		error = reader_go_on(reader,
				     read_size(reader, size, "max", &match->max_size_bytes));
	if (error)
		return error;
	if (match->max_size_bytes && match->min_size_bytes > match->max_size_bytes)
		return reader_fail(reader, object, "size", -ERANGE,
				   _("\"size\": min is above max"));
	return 0;
}

static int read_conditions(const struct reader *reader, const json_t *object,
			   struct profile_match *match)
{
	const struct {
		const char *key;
		int *value;
	} bools[] = { { "rotational", &match->rotational },
		      { "hidden", &match->hidden },
		      { "removable", &match->removable } };
	int error = reader_check_keys(reader, object, &profile_keys_match);

	if (!error)
		error = reader_go_on(reader, read_classes(reader, object, &match->classes));
	if (!error)
		error = read_lists(reader, object, match);
	if (!error)
		error = check_roles(reader, object, &match->roles);
	if (!error)
		error = reader_go_on(reader, read_sizes(reader, object, match));
	for (size_t i = 0; !error && i < ARRAY_SIZE(bools); i++)
		error = reader_go_on(reader, reader_get_bool(reader, object, bools[i].key,
							     bools[i].value));
	return error;
}

int profile_read_match(const struct reader *reader, const json_t *rule,
		       struct profile_match *ret, bool *ret_is_empty)
{
	struct profile_match match = { .rotational = -1, .hidden = -1, .removable = -1 };
	const json_t *object = NULL;
	int error = reader_get_object(reader, rule, "match", &object);

	if (!error && object)
		error = read_conditions(reader, object, &match);
	if (error) {
		profile_match_done(&match);
		return error;
	}
	*ret = match;
	*ret_is_empty = !object || !json_object_size(object);
	return 0;
}
