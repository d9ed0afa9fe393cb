// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The values of a device besides its scheduler: those of the command line, then those of
 * each rule; the first one that speaks about an attribute decides. What this kernel or
 * this queue does not have is left out with a note, or refused when it was asked for on
 * the command line.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "policy/resolve.h"
#include "util/i18n.h"
#include "util/number.h"

/* How a value ends up: on which row, in which spelling, or why not. */
struct fitting {
	const struct tunable *tunable; /* as asked; then as it is written here */
	char value[TUNABLE_VALUE_MAX];
	bool is_foreign;  /* of a scheduler that will not be active: nothing to say */
	char note[256];   /* "" or what was done to make it fit */
	struct diag diag; /* error set: why it does not fit */
};

/* On a bio-based queue these have a meaning; its other files are leftovers (facts). */
static bool has_meaning_without_requests(const struct tunable *tunable)
{
	static const char *const files[] = { "read_ahead_kb", "max_sectors_kb",
					     "iostats" };

	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		if (tunable == tunable_find_queue(files[i]))
			return true;
	return false;
}

static bool has_value(const struct device *device, const struct tunable *tunable)
{
	return device_find_value(device, tunable) != NULL;
}

static const struct device *sample_of(const struct resolving *resolving,
				      const char *owner)
{
	const struct scheduler *scheduler;

	for (size_t i = 0; (scheduler = scheduler_get(i)); i++)
		if (!strcmp(scheduler->name, owner))
			return resolving->all->samples[i];
	return NULL;
}

/*
 * A queue attribute is there or not. One of a scheduler appears with the switch: another
 * device that has that scheduler already tells, else the version of the kernel does.
 */
bool resolve_has_attribute(const struct resolving *resolving,
			   const struct tunable *tunable)
{
	const struct device *device = resolving->device, *sample;
	const struct host *host = resolving->all->host;

	if (tunable->place == TUNABLE_QUEUE)
		return has_value(device, tunable) &&
		       (device->level == LEVEL_OWN ||
			has_meaning_without_requests(tunable));
	if (text_equal(choice_active(&device->scheduler), tunable->owner))
		return has_value(device, tunable);
	sample = sample_of(resolving, tunable->owner);
	if (sample)
		return has_value(sample, tunable);
	return !host || !host->kernel.major ||
	       kernel_version_is_within(host->kernel, tunable->since, tunable->until);
}

static bool read_number(const struct device *device, const char *key, int64_t *ret)
{
	const struct device_value *value =
		device_find_value(device, tunable_find_queue(key));

	return value && !value->error && !number_parse_i64(value->text, ret);
}

/*
 * The driver's tags, where the scan read them; else what nr_requests reads under none.
 * Under a scheduler the queue has, unless changed by hand, twice the smaller of tags and
 * 128: half of it is safe.
 */
static int64_t find_hw_depth(const struct resolving *resolving)
{
	const struct device *device = resolving->device;
	int64_t count = 0;

	if (device->driver_tags && device->driver_tags <= INT64_MAX)
		return (int64_t)device->driver_tags;
	if (!read_number(device, "nr_requests", &count) || count <= 0)
		return 0;
	return text_equal(choice_active(&device->scheduler), "none") ? count
								     : (count + 1) / 2;
}

static void fill_context(const struct resolving *resolving, struct tunable_context *ret)
{
	const struct host *host = resolving->all->host;

	*ret = (struct tunable_context){
		.kernel = host ? host->kernel : KERNEL_VERSION_NONE,
		.scheduler = resolving->scheduler,
		.hw_depth = find_hw_depth(resolving),
		.is_bio = resolving->device->level != LEVEL_OWN,
	};
	if (!read_number(resolving->device, "max_hw_sectors_kb", &ret->max_hw_sectors_kb))
		ret->max_hw_sectors_kb = 0;
}

/* queue/async_depth since 7.0, the scheduler's own before: whichever is there. */
static void move_async_depth(const struct resolving *resolving, struct fitting *fitting)
{
	const struct tunable *other;

	if (fitting->tunable->phase != PHASE_ASYNC_DEPTH ||
	    resolve_has_attribute(resolving, fitting->tunable))
		return;
	other = fitting->tunable->place == TUNABLE_IOSCHED
			? tunable_find_queue(fitting->tunable->file)
			: tunable_find_iosched(resolving->scheduler ? resolving->scheduler
								    : "",
					       fitting->tunable->file);
	if (!other || !resolve_has_attribute(resolving, other))
		return;
	snprintf(fitting->note, sizeof(fitting->note), _("%s is %s on this kernel"),
		 fitting->tunable->key, other->key);
	fitting->tunable = other;
}

/* mq-deadline.read_expire on a queue whose scheduler is deadline: the same attribute of
   the counterpart, when there is one. */
static void move_owner(const struct resolving *resolving, struct fitting *fitting)
{
	const struct tunable *asked = fitting->tunable, *other = NULL;
	const struct scheduler *counterpart;

	if (asked->place != TUNABLE_IOSCHED ||
	    text_equal(asked->owner, resolving->scheduler))
		return;
	counterpart = scheduler_translate(asked->owner, resolving->device->queue_kind);
	if (counterpart && text_equal(counterpart->name, resolving->scheduler))
		other = tunable_find_iosched(counterpart->name, asked->file);
	if (!other) {
		fitting->is_foreign = true;
		return;
	}
	fitting->tunable = other;
	snprintf(fitting->note, sizeof(fitting->note), _("%s is %s on this queue"),
		 asked->key, other->key);
}

static void refuse_absent(const struct resolving *resolving, struct fitting *fitting)
{
	const struct host *host = resolving->all->host;

	diag_set(&fitting->diag, -ENOENT,
		 _("%s: this queue has no such attribute (Linux %s)"),
		 fitting->tunable->key, host && host->release ? host->release : "?");
}

static bool is_bfq(const struct resolving *resolving)
{
	return text_equal(resolving->scheduler, "bfq");
}

/* Limits that are no matter of the value alone. */
static void check_company(const struct resolving *resolving, struct fitting *fitting)
{
	const struct policy_device *target = resolving->target;
	int64_t depth, requests = 0;

	if (fitting->tunable->phase == PHASE_WBT && is_bfq(resolving)) {
		diag_set(&fitting->diag, -ENOTSUP,
			 _("wbt_lat_usec: bfq disables write-back throttling while it is "
			   "active"));
		return;
	}
	if (fitting->tunable != tunable_find_queue("async_depth"))
		return;
	if (text_equal(resolving->scheduler, "none")) {
		diag_set(&fitting->diag, -ENOTSUP, _("async_depth needs a scheduler"));
		return;
	}
	read_number(resolving->device, "nr_requests", &requests);
	for (size_t i = 0; i < target->value_count; i++)
		if (target->values[i].tunable->phase == PHASE_NR_REQUESTS)
			(void)number_parse_i64(target->values[i].value, &requests);
	if (requests > 0 && !number_parse_i64(fitting->value, &depth) && depth > requests)
		diag_set(&fitting->diag, -ERANGE,
			 _("async_depth = %s is above nr_requests, which is %lld"),
			 fitting->value, (long long)requests);
}

/* `value` as a person or a profile gave it. */
static void fit(const struct resolving *resolving, const struct tunable *tunable,
		const char *value, struct fitting *ret)
{
	struct tunable_context context;

	*ret = (struct fitting){ .tunable = tunable };
	move_owner(resolving, ret); /* first: what is of another scheduler moves nowhere */
	if (ret->is_foreign)
		return;
	move_async_depth(resolving, ret);
	if (!resolve_has_attribute(resolving, ret->tunable)) {
		refuse_absent(resolving, ret);
		return;
	}
	fill_context(resolving, &context);
	if (!tunable_check(ret->tunable, value, &context, ret->value, &ret->diag))
		check_company(resolving, ret);
}

/* slice_idle and slice_idle_us are one setting. */
static bool is_same_setting(const struct tunable *a, const struct tunable *b)
{
	static const char stem[] = "slice_idle";

	if (a == b)
		return true;
	return text_equal(a->owner, b->owner) && text_starts_with(a->file, stem) &&
	       text_starts_with(b->file, stem);
}

static bool is_decided(const struct resolving *resolving, const struct tunable *tunable)
{
	for (size_t i = 0; i < resolving->decided_count; i++)
		if (is_same_setting(resolving->decided[i], tunable))
			return true;
	return false;
}

/* The vector has room for every row of the catalogue. */
static void decide(struct resolving *resolving, const struct tunable *tunable)
{
	resolving->decided[resolving->decided_count++] = tunable;
}

static bool is_for_this_pass(const struct resolving *resolving,
			     const struct tunable *tunable)
{
	return (tunable->phase == PHASE_NR_REQUESTS) == resolving->is_depth_pass;
}

static int take_setting(struct resolving *resolving, const struct layer_rule *layer,
			const struct profile_setting *setting)
{
	struct fitting fitting;
	char *source = NULL;
	int error;

	if (!is_for_this_pass(resolving, setting->tunable))
		return 0;
	fit(resolving, setting->tunable, setting->value, &fitting);
	if (fitting.is_foreign || is_decided(resolving, fitting.tunable))
		return 0;
	decide(resolving, fitting.tunable);
	if (fitting.diag.error)
		return resolve_add_note(resolving, _("left out: %s"), fitting.diag.text);
	error = fitting.note[0] ? resolve_add_note(resolving, "%s", fitting.note) : 0;
	if (!error)
		error = resolve_spell_source(layer, setting->line, &source);
	if (error)
		return error;
	return resolve_add_value(resolving, fitting.tunable, fitting.value, layer->origin,
				 source, setting->why ? setting->why : layer->rule->why);
}

/* A rule's own scheduler comes before the counterpart's values, so that a rule with both
   "deadline" and "mq-deadline" needs no order. */
static int take_rule(struct resolving *resolving, const struct layer_rule *layer)
{
	const struct profile_rule *rule = layer->rule;

	for (int pass = 0; pass < 2; pass++) {
		for (size_t i = 0; i < rule->setting_count; i++) {
			const struct tunable *tunable = rule->settings[i].tunable;
			bool is_own = tunable->place == TUNABLE_QUEUE ||
				      text_equal(tunable->owner, resolving->scheduler);
			int error;

			if (is_own != (pass == 0))
				continue;
			error = take_setting(resolving, layer, &rule->settings[i]);
			if (error)
				return error;
		}
	}
	return 0;
}

/* The row that a bare or full key means on this device; NULL: none. */
static const struct tunable *find_row(const struct resolving *resolving, const char *key)
{
	const struct tunable *row = NULL;

	if (resolving->scheduler)
		row = tunable_find_iosched(resolving->scheduler, key);
	return row ? row : tunable_find(key);
}

static int take_set(struct resolving *resolving, struct resolve_set *set,
		    struct diag *diag)
{
	const struct tunable *row = find_row(resolving, set->set->key);
	struct fitting fitting;
	char text[256], *source;
	int error;

	if (row ? !is_for_this_pass(resolving, row) : resolving->is_depth_pass)
		return 0;
	if (row)
		fit(resolving, row, set->set->value, &fitting);
	if (!row || fitting.is_foreign) {
		snprintf(text, sizeof(text), _("%s has no such attribute"),
			 resolving->scheduler ? resolving->scheduler : _("this queue"));
		return resolve_refuse_set(resolving, set, -EINVAL, text, diag);
	}
	if (fitting.diag.error)
		return resolve_refuse_set(resolving, set, -EINVAL, fitting.diag.text,
					  diag);
	set->is_taken = true;
	if (is_decided(resolving, fitting.tunable))
		return 0;
	decide(resolving, fitting.tunable);
	error = fitting.note[0] ? resolve_add_note(resolving, "%s", fitting.note) : 0;
	if (error)
		return error;
	source = strdup("--set");
	if (!source)
		return -ENOMEM;
	return resolve_add_value(resolving, fitting.tunable, fitting.value,
				 ORIGIN_COMMAND_LINE, source, NULL);
}

static int take_all(struct resolving *resolving, struct diag *diag)
{
	struct resolver *all = resolving->all;
	int error = 0;

	/* Of several the last one counts, as with other options. */
	for (size_t i = all->set_count; !error && i--;)
		if (strcmp(all->sets[i].set->key, tunable_scheduler()->key) != 0 &&
		    resolve_is_for(resolving, all->sets[i].set))
			error = take_set(resolving, &all->sets[i], diag);
	for (size_t i = 0; !error && i < resolving->layers.count; i++)
		error = take_rule(resolving, &resolving->layers.items[i]);
	return error;
}

int resolve_values(struct resolving *resolving, struct diag *diag)
{
	int error;

	resolving->decided = calloc(tunable_count(), sizeof(*resolving->decided));
	if (!resolving->decided)
		return -ENOMEM;
	resolving->is_depth_pass = true;
	error = take_all(resolving, diag);
	resolving->is_depth_pass = false;
	if (!error)
		error = take_all(resolving, diag);
	free(resolving->decided);
	resolving->decided = NULL;
	return error;
}
