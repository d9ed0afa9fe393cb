// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the policy says of a device: its values and notes, and the reason where it has
 * no value.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "policy/resolve.h"
#include "util/i18n.h"

int resolve_add_note(struct resolving *resolving, const char *format, ...)
{
	_free_ char *note = NULL;
	va_list args;
	int len;

	va_start(args, format);
	len = vasprintf(&note, format, args);
	va_end(args);
	if (len < 0) {
		note = NULL;
		return -ENOMEM;
	}
	if (strv_contains(&resolving->target->notes, note))
		return 0;
	return strv_add(&resolving->target->notes, note);
}

int resolve_spell_source(const struct layer_rule *layer, unsigned line, char **ret)
{
	const char *base = strrchr(layer->path, '/');
	char *source;

	/* "devices.d/10-log.json" stays whole, profiles are known by their name. */
	if (!base || layer->origin == ORIGIN_OVERRIDE)
		base = layer->path;
	else
		base++;
	if (asprintf(&source, "%s:%u", base, line) < 0)
		return -ENOMEM;
	*ret = source;
	return 0;
}

int resolve_refuse_set(struct resolving *resolving, struct resolve_set *set, int error,
		       const char *why, struct diag *diag)
{
	const char *key = set->set->key, *value = set->set->value;
	const char *name = resolving->device->name;
	bool has_queue = resolving->device->level == LEVEL_OWN;

	if (has_queue && !set->is_refused_by_queue) {
		set->refusal = (struct diag){ 0 };
		set->is_refused_by_queue = true;
	}
	diag_set(&set->refusal, error, _("%s: cannot set %s to %s: %s"), name, key, value,
		 why);
	/* Above and below a queue, what does not fit has no meaning there. */
	if (!has_queue)
		return 0;
	if (resolving->is_asked && !set->set->is_earlier)
		return diag_set(diag, error, "%s", set->refusal.text);
	return resolve_add_note(resolving, _("%s is not set to %s: %s"), key, value, why);
}

int resolve_add_value(struct resolving *resolving, const struct tunable *tunable,
		      const char *value, enum policy_origin origin, char *source,
		      const char *why)
{
	struct policy_device *target = resolving->target;
	struct policy_value entry = { .tunable = tunable,
				      .origin = origin,
				      .source = source };
	struct policy_value *values =
		reallocarray(target->values, target->value_count + 1, sizeof(*values));

	if (values)
		target->values = values;
	if (why)
		entry.why = strdup(why);
	if (!values || (why && !entry.why)) {
		free(entry.why);
		free(source);
		return -ENOMEM;
	}
	snprintf(entry.value, sizeof(entry.value), "%s", value);
	values[target->value_count++] = entry;
	return 0;
}

static int set_reason(struct policy_device *target, enum policy_state state,
		      const char *format, ...) _printf_(3, 4);

static int set_reason(struct policy_device *target, enum policy_state state,
		      const char *format, ...)
{
	va_list args;
	char *reason;
	int len;

	va_start(args, format);
	len = vasprintf(&reason, format, args);
	va_end(args);
	if (len < 0)
		return -ENOMEM;
	target->reason = reason;
	target->state = state;
	return 0;
}

static int join_names(const struct strv *names, char **ret)
{
	_text_ struct text text = { 0 };

	for (size_t i = 0; i < names->count; i++)
		text_addf(&text, "%s%s", i ? ", " : "", names->items[i]);
	return text_take(&text, ret);
}

/* The reason that the profile's own rule gives, else the rule's place. */
static int explain_left(struct resolving *resolving)
{
	const struct layer_rule *left_by = &resolving->layers.left_by;
	struct policy_device *target = resolving->target;
	_free_ char *source = NULL;
	int error = resolve_spell_source(left_by, left_by->rule->line, &source);

	if (error)
		return error;
	if (left_by->rule->scheduler_why || left_by->rule->why)
		return set_reason(target, POLICY_LEFT, _("left alone by %s: %s"), source,
				  left_by->rule->scheduler_why
					  ? left_by->rule->scheduler_why
					  : left_by->rule->why);
	return set_reason(target, POLICY_LEFT, _("left alone by %s"), source);
}

static int explain_own(struct resolving *resolving)
{
	struct policy_device *target = resolving->target;
	const char *class = device_class_name(resolving->device->class);
	const char *profile = resolve_profile_name(resolving);

	if (resolving->layers.left_by.rule)
		return explain_left(resolving);
	if (target->rejected_count)
		return set_reason(target, POLICY_LEFT,
				  _("none of the schedulers that are wanted can be had"));
	if (resolving->layers.count)
		return set_reason(target, POLICY_LEFT,
				  _("the rules for it set nothing that this queue has"));
	if (profile)
		return set_reason(target, POLICY_LEFT,
				  _("the profile %s has no rule for %s"), profile, class);
	return set_reason(target, POLICY_LEFT, _("nothing is asked of %s"), class);
}

/* Also the note of a device above that does get values of its own. */
static int explain_below(struct resolving *resolving)
{
	struct policy_device *target = resolving->target;
	_free_ char *owners = NULL;
	int error = join_names(&resolving->device->owners, &owners);

	if (error)
		return error;
	if (target->value_count)
		return resolve_add_note(resolving, _("the scheduler is that of %s"),
					owners);
	return set_reason(target, POLICY_BELOW, _("the scheduler is that of %s"), owners);
}

int resolve_explain(struct resolving *resolving)
{
	const struct device *device = resolving->device;
	struct policy_device *target = resolving->target;

	if (device->level == LEVEL_BELOW && device->owners.count)
		return explain_below(resolving);
	if (target->value_count)
		return 0;
	if (device->level == LEVEL_OWN)
		return explain_own(resolving);
	return set_reason(target, POLICY_NONE,
			  _("its queue has no scheduler, and there is no disk below it"));
}
