// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reading one rule: what it matches, the schedulers in order of preference, the values,
 * and the reasons.
 */
#include <errno.h>
#include <string.h>

#include "policy/profile-reader.h"
#include "tunable/scheduler.h"
#include "util/i18n.h"
#include "util/suggest.h"

static const char *const rule_names[] = { "match", "scheduler", "iosched", "queue",
					  "why" };
const struct reader_keys profile_keys_rule = { rule_names, ARRAY_SIZE(rule_names) };

/* The word that asks for the scheduler that is active. */
#define KEEP "keep"

void profile_rule_done(struct profile_rule *rule)
{
	profile_match_done(&rule->match);
	strv_done(&rule->schedulers);
	for (size_t i = 0; i < rule->setting_count; i++)
		free(rule->settings[i].why);
	free(rule->settings);
	free(rule->scheduler_why);
	free(rule->why);
}

static int fail_scheduler(const struct reader *reader, const json_t *rule,
			  const char *name)
{
	struct suggestion suggestion = suggestion_for(name);
	const struct scheduler *scheduler;

	reader_fail(reader, rule, "scheduler", -EINVAL, _("there is no scheduler \"%s\""),
		    name);
	suggestion_offer(&suggestion, KEEP);
	for (size_t i = 0; (scheduler = scheduler_get(i)); i++)
		suggestion_offer(&suggestion, scheduler->name);
	if (suggestion.nearest)
		diag_hint(reader->diag, _("did you mean \"%s\"?"), suggestion.nearest);
	return -EINVAL;
}

static int read_schedulers(const struct reader *reader, const json_t *rule,
			   struct profile_rule *target)
{
	struct strv *names = &target->schedulers;
	int error = reader_get_words(reader, rule, "scheduler", names);

	if (error)
		return error;
	target->scheduler_line = json_document_line(reader->document, rule, "scheduler");
	if (names->count == 1 && !strcmp(names->items[0], KEEP)) {
		strv_done(names);
		target->keeps_scheduler = true;
		return 0;
	}
	for (size_t i = 0; !error && i < names->count; i++) {
		if (!strcmp(names->items[i], KEEP))
			error = reader_fail(reader, rule, "scheduler", -EINVAL,
					    _("\"keep\" cannot be in a list"));
		else if (!scheduler_find(names->items[i]))
			error = fail_scheduler(reader, rule, names->items[i]);
		error = reader_go_on(reader, error);
	}
	return error;
}

/* The reason of one key of the rule, in `why` as an object: "scheduler", the file name
   of an attribute, or its full key. */
static int take_reason(const struct reader *reader, const json_t *why, const char *key,
		       struct profile_rule *target)
{
	size_t used = 0;

	if (!strcmp(key, "scheduler") &&
	    (target->schedulers.count || target->keeps_scheduler))
		return reader_get_text(reader, why, key, &target->scheduler_why);
	for (size_t i = 0; i < target->setting_count; i++) {
		struct profile_setting *setting = &target->settings[i];
		int error;

		if (strcmp(setting->tunable->file, key) &&
		    strcmp(setting->tunable->key, key))
			continue;
		used++;
		if (setting->why)
			continue;
		error = reader_get_text(reader, why, key, &setting->why);
		if (error)
			return error;
	}
	if (!used)
		return reader_fail(
			reader, why, key, -EINVAL,
			_("\"why\" explains \"%s\", which this rule does not set"), key);
	return 0;
}

static int read_reasons(const struct reader *reader, const json_t *rule,
			struct profile_rule *target)
{
	const json_t *why = json_object_get(rule, "why");
	const char *key;
	json_t *value;

	if (!json_is_object(why) || reader_is_text(why))
		return reader_get_text(reader, rule, "why", &target->why);
	json_object_foreach((json_t *)(uintptr_t)why, key, value)
	{
		int error = reader_go_on(reader, take_reason(reader, why, key, target));

		if (error)
			return error;
	}
	return 0;
}

static int read_rule(const struct reader *reader, const json_t *rule,
		     const struct reader_keys *keys, struct profile_rule *target)
{
	size_t before;
	int error = reader_check_keys(reader, rule, keys);

	if (!error)
		error = reader_go_on(reader,
				     profile_read_match(reader, rule, &target->match,
							&target->is_match_empty));
	before = reader_count_mistakes(reader);
	if (!error)
		error = reader_go_on(reader, read_schedulers(reader, rule, target));
	if (!error)
		error = profile_read_settings(reader, rule, target);
	/* They are of what the rule sets: of something wrong they would be wrong, too. */
	if (!error && reader_count_mistakes(reader) == before)
		error = reader_go_on(reader, read_reasons(reader, rule, target));
	if (error)
		return error;
	target->line = json_document_line(reader->document, rule, NULL);
	target->leave_alone = target->keeps_scheduler && !target->setting_count;
	return 0;
}

int profile_read_rule(const struct reader *reader, const json_t *rule,
		      const struct reader_keys *keys, struct profile_rule *ret)
{
	struct profile_rule target = { 0 };
	size_t before = reader_count_mistakes(reader);
	int error = read_rule(reader, rule, keys, &target);

	if (error || reader_count_mistakes(reader) > before) {
		profile_rule_done(&target);
		target = (struct profile_rule){ 0 };
	}
	if (!error)
		*ret = target;
	return error;
}

static int fail_element(const struct reader *reader, const json_t *list, size_t index,
			const char *key)
{
	diag_set(reader->diag, -EINVAL, _("\"%s\" holds something that is not an object"),
		 key);
	diag_at(reader->diag, reader->document->name,
		json_document_line_at(reader->document, list, index));
	return -EINVAL;
}

int profile_read_rules(const struct reader *reader, const json_t *object, const char *key,
		       const struct reader_keys *keys, struct profile_rule **ret,
		       size_t *ret_count)
{
	const json_t *list = json_object_get(object, key);
	size_t count = json_array_size(list), done = 0;
	struct profile_rule *rules;
	int error = 0;

	if (!json_is_array(list))
		return reader_fail(
			reader, object, key, -EINVAL,
			list ? _("\"%s\" is not a list") : _("\"%s\" is missing"), key);
	if (count > PROFILE_RULE_MAX)
		return reader_fail(reader, object, key, -EINVAL,
				   _("\"%s\" holds more than %d rules"), key,
				   PROFILE_RULE_MAX);
	rules = calloc(count ? count : 1, sizeof(*rules));
	if (!rules)
		return -ENOMEM;
	for (; !error && done < count; done += !error) {
		const json_t *rule = json_array_get(list, done);

		error = json_is_object(rule)
				? profile_read_rule(reader, rule, keys, &rules[done])
				: fail_element(reader, list, done, key);
		error = reader_go_on(reader, error);
	}
	if (error) {
		while (done)
			profile_rule_done(&rules[--done]);
		free(rules);
		return error;
	}
	*ret = rules;
	*ret_count = count;
	return 0;
}
