// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reading the values that a rule sets: "iosched", keyed by scheduler, and "queue".
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "policy/profile-reader.h"
#include "tunable/scheduler.h"
#include "util/i18n.h"
#include "util/suggest.h"

static const char *const value_names[] = { "value", "why" };
const struct reader_keys profile_keys_value = { value_names, ARRAY_SIZE(value_names) };

/* More settings than the catalogue has rows cannot come from an object without duplicate
   keys, so the vector never needs to grow beyond it. */
static int make_room(struct profile_rule *rule)
{
	if (rule->settings)
		return 0;
	rule->settings = calloc(tunable_count(), sizeof(*rule->settings));
	return rule->settings ? 0 : -ENOMEM;
}

/* The value as a person would type it. -EINVAL for what is no number, text or bool. */
static int spell_value(const json_t *value, const struct tunable *tunable, char *buf,
		       size_t size)
{
	int len = -1;

	if (json_is_integer(value))
		len = snprintf(buf, size, "%" JSON_INTEGER_FORMAT,
			       json_integer_value(value));
	else if (json_is_boolean(value) && tunable->type == TUNABLE_BOOL)
		len = snprintf(buf, size, "%d", json_is_true(value));
	else if (json_is_string(value))
		len = snprintf(buf, size, "%s", json_string_value(value));
	return len < 0 || (size_t)len >= size ? -EINVAL : 0;
}

/* `holder` and `key` are the place of the plain value. */
static int check_value(const struct reader *reader, const json_t *holder, const char *key,
		       struct profile_setting *setting)
{
	char spelled[TUNABLE_VALUE_MAX];
	int error = spell_value(json_object_get(holder, key), setting->tunable, spelled,
				sizeof(spelled));

	if (error)
		return reader_fail(reader, holder, key, error,
				   _("%s must be a number, or a string with a unit"),
				   setting->tunable->key);
	error = tunable_check(setting->tunable, spelled, NULL, setting->value,
			      reader->diag);
	return error ? reader_at(reader, holder, key, error) : 0;
}

static int read_setting(const struct reader *reader, const json_t *object,
			const char *key, struct profile_setting *setting)
{
	const json_t *value = json_object_get(object, key);
	int error;

	setting->line = json_document_line(reader->document, object, key);
	if (!json_is_object(value))
		return check_value(reader, object, key, setting);
	error = reader_check_keys(reader, value, &profile_keys_value);
	if (error)
		return error;
	if (!json_object_get(value, "value"))
		return reader_fail(reader, object, key, -EINVAL,
				   _("\"%s\" has no \"value\""), key);
	error = check_value(reader, value, "value", setting);
	return error ? error : reader_get_text(reader, value, "why", &setting->why);
}

static int add_setting(const struct reader *reader, const json_t *object, const char *key,
		       const struct tunable *tunable, struct profile_rule *rule)
{
	struct profile_setting setting = { .tunable = tunable };
	int error = make_room(rule);

	if (!error)
		error = read_setting(reader, object, key, &setting);
	if (error) {
		free(setting.why);
		return error;
	}
	rule->settings[rule->setting_count++] = setting;
	return 0;
}

/* `owner` NULL: queue attributes. */
static int fail_key(const struct reader *reader, const json_t *object, const char *key,
		    const char *owner)
{
	struct suggestion suggestion = suggestion_for(key);
	const struct tunable *row;

	if (owner)
		reader_fail(reader, object, key, -EINVAL, _("%s has no attribute \"%s\""),
			    owner, key);
	else
		reader_fail(reader, object, key, -EINVAL,
			    _("there is no queue attribute \"%s\""), key);
	for (size_t i = 0; (row = tunable_get(i)); i++)
		if (row->is_policy && row != tunable_scheduler() &&
		    text_equal(row->owner, owner))
			suggestion_offer(&suggestion, row->file);
	if (suggestion.nearest)
		diag_hint(reader->diag, _("did you mean \"%s\"?"), suggestion.nearest);
	return -EINVAL;
}

static int read_queue(const struct reader *reader, const json_t *rule,
		      struct profile_rule *target)
{
	const json_t *object = NULL;
	const char *key;
	json_t *value;
	int error = reader_get_object(reader, rule, "queue", &object);

	if (error || !object)
		return error;
	json_object_foreach((json_t *)(uintptr_t)object, key, value)
	{
		const struct tunable *tunable = tunable_find_queue(key);

		if (tunable && tunable == tunable_scheduler())
			error = reader_fail(
				reader, object, key, -EINVAL,
				_("\"scheduler\" belongs into the rule itself, not "
				  "into \"queue\""));
		else
			error = tunable ? add_setting(reader, object, key, tunable, target)
					: fail_key(reader, object, key, NULL);
		error = reader_go_on(reader, error);
		if (error)
			return error;
	}
	return 0;
}

static int read_owner(const struct reader *reader, const json_t *object,
		      const char *owner, struct profile_rule *target)
{
	bool has_slice_idle = false;
	const char *key;
	json_t *value;

	json_object_foreach((json_t *)(uintptr_t)object, key, value)
	{
		const struct tunable *tunable = tunable_find_iosched(owner, key);
		int error = tunable ? add_setting(reader, object, key, tunable, target)
				    : fail_key(reader, object, key, owner);

		if (!error &&
		    (!strcmp(key, "slice_idle") || !strcmp(key, "slice_idle_us"))) {
			if (has_slice_idle)
				error = reader_fail(
					reader, object, key, -EINVAL,
					_("slice_idle and slice_idle_us are one "
					  "setting: give one of them"));
			has_slice_idle = true;
		}
		error = reader_go_on(reader, error);
		if (error)
			return error;
	}
	return 0;
}

static int fail_owner(const struct reader *reader, const json_t *object,
		      const char *owner)
{
	struct suggestion suggestion = suggestion_for(owner);
	const struct scheduler *scheduler;

	reader_fail(reader, object, owner, -EINVAL, _("there is no scheduler \"%s\""),
		    owner);
	for (size_t i = 0; (scheduler = scheduler_get(i)); i++)
		suggestion_offer(&suggestion, scheduler->name);
	if (suggestion.nearest)
		diag_hint(reader->diag, _("did you mean \"%s\"?"), suggestion.nearest);
	return -EINVAL;
}

static int read_iosched(const struct reader *reader, const json_t *rule,
			struct profile_rule *target)
{
	const json_t *object = NULL;
	const char *owner;
	json_t *value;
	int error = reader_get_object(reader, rule, "iosched", &object);

	if (error || !object)
		return error;
	json_object_foreach((json_t *)(uintptr_t)object, owner, value)
	{
		const json_t *attributes = NULL;

		error = scheduler_find(owner)
				? reader_get_object(reader, object, owner, &attributes)
				: fail_owner(reader, object, owner);
		error = reader_go_on(reader, error);
		if (!error && attributes)
			error = read_owner(reader, attributes, owner, target);
		if (error)
			return error;
	}
	return 0;
}

int profile_read_settings(const struct reader *reader, const json_t *rule,
			  struct profile_rule *target)
{
	int error = reader_go_on(reader, read_iosched(reader, rule, target));

	return error ? error : reader_go_on(reader, read_queue(reader, rule, target));
}
