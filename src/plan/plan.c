// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The difference between what a scan read and what a policy wants, one device after the
 * other: which attributes have to be written, in the kernel's order, and for every device
 * without a write the reason.
 */
#include "plan/plan.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "plan/expect.h"
#include "plan/order.h"
#include "sysfs/choice.h"
#include "util/i18n.h"

const char *plan_state_name(enum plan_state state)
{
	static const char *const names[] = {
		[PLAN_CHANGE] = "change",
		[PLAN_IN_FORCE] = "in-force",
		[PLAN_SKIPPED] = "skipped",
		[PLAN_BLOCKED] = "blocked",
	};

	return names[state];
}

static void free_steps(struct plan_device *planned)
{
	for (size_t i = 0; i < planned->step_count; i++) {
		free(planned->steps[i].source);
		free(planned->steps[i].why);
	}
	free(planned->steps);
	planned->steps = NULL;
	planned->step_count = 0;
}

void plan_free(struct plan *plan)
{
	if (!plan)
		return;
	for (size_t i = 0; i < plan->count; i++) {
		struct plan_device *planned = &plan->items[i];

		free(planned->name);
		free(planned->sys_path);
		free(planned->reason);
		free_steps(planned);
		strv_done(&planned->notes);
	}
	free(plan->items);
	free(plan->profile_name);
	free(plan);
}

static int copy_string(char **ret, const char *string)
{
	char *copy = NULL;

	if (string) {
		copy = strdup(string);
		if (!copy)
			return -ENOMEM;
	}
	*ret = copy;
	return 0;
}

/* What one device's values are judged by. */
struct comparison {
	const struct device *device;
	const char *active; /* scheduler now, NULL: none to be read */
	const char *target; /* scheduler that will be active; NULL likewise */
	bool is_switch;
};

/* The verdict on one value. */
enum verdict {
	VERDICT_WRITE,
	VERDICT_RIGHT,	  /* reads so already */
	VERDICT_NOT_HERE, /* nothing to write it to: `text` says it */
	VERDICT_REFUSED,  /* there, wrong, and not writable: `text` says it */
};

struct judged {
	const struct policy_value *value;
	enum verdict verdict;
	bool is_conditional; /* with VERDICT_WRITE */
	char from[TUNABLE_VALUE_MAX];
	char text[256];
};

static void judge_text(struct judged *judged, enum verdict verdict, const char *format,
		       ...) _printf_(3, 4);

static void judge_text(struct judged *judged, enum verdict verdict, const char *format,
		       ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(judged->text, sizeof(judged->text), format, args);
	va_end(args);
	judged->verdict = verdict;
}

static void judge_scheduler(const struct comparison *cmp, struct judged *judged)
{
	const struct tunable *tunable = judged->value->tunable;
	const struct device_value *now = device_find_value(cmp->device, tunable);

	if (!cmp->device->has_scheduler_file) {
		judge_text(judged, VERDICT_NOT_HERE,
			   _("the queue has no scheduler file"));
		return;
	}
	if (cmp->active)
		snprintf(judged->from, sizeof(judged->from), "%s", cmp->active);
	if (!cmp->is_switch)
		judged->verdict = VERDICT_RIGHT;
	else if (now && !now->is_writable)
		judge_text(judged, VERDICT_REFUSED, _("queue/scheduler is not writable"));
	else
		judged->verdict = VERDICT_WRITE;
}

/* What was read once can be read again: for a restore only the very value is right. */
static bool is_right(const struct policy_value *value, const char *actual)
{
	if (value->origin == ORIGIN_JOURNAL)
		return !strcmp(value->value, actual);
	return tunable_is_equal(value->tunable, value->value, actual);
}

static void judge_value(const struct comparison *cmp, struct judged *judged)
{
	const struct policy_value *value = judged->value;
	const struct tunable *tunable = value->tunable;
	const struct device_value *now;

	if (tunable->place == TUNABLE_IOSCHED) {
		if (!text_equal(tunable->owner, cmp->target)) {
			judge_text(judged, VERDICT_NOT_HERE,
				   _("%s belongs to %s, the scheduler will be %s"),
				   tunable->file, tunable->owner,
				   cmp->target ? cmp->target : _("none at all"));
			return;
		}
		/* its directory will only appear with the switch */
		if (cmp->is_switch) {
			judged->verdict = VERDICT_WRITE;
			return;
		}
	}
	now = device_find_value(cmp->device, tunable);
	if (!now) {
		judge_text(judged, VERDICT_NOT_HERE, _("there is no queue/%s%s here"),
			   tunable->place == TUNABLE_IOSCHED ? "iosched/" : "",
			   tunable->file);
		return;
	}
	if (!now->error) {
		snprintf(judged->from, sizeof(judged->from), "%s", now->text);
		if (is_right(value, now->text)) {
			judged->verdict = VERDICT_RIGHT;
			return;
		}
	}
	if (!now->is_writable)
		judge_text(judged, VERDICT_REFUSED, _("queue/%s%s is not writable"),
			   tunable->place == TUNABLE_IOSCHED ? "iosched/" : "",
			   tunable->file);
	else
		judged->verdict = VERDICT_WRITE;
}

/* What an earlier write of this plan may change has to be looked at again after it; and it
   may well be right by then. */
static void judge_disturbed(const struct expectation *expectation, struct judged *judged,
			    size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (judged[i].verdict != VERDICT_WRITE)
			continue;
		for (size_t j = i + 1; j < count; j++) {
			struct judged *later = &judged[j];

			if ((later->verdict != VERDICT_RIGHT &&
			     later->verdict != VERDICT_WRITE) ||
			    !plan_is_disturbed(judged[i].value->tunable,
					       later->value->tunable))
				continue;
			later->is_conditional = expect_is_right(
				expectation, later->value,
				later->is_conditional || later->verdict == VERDICT_RIGHT);
			later->verdict = VERDICT_WRITE;
		}
	}
}

static int compare_judged(const void *a, const void *b)
{
	const struct policy_value *left = ((const struct judged *)a)->value;
	const struct policy_value *right = ((const struct judged *)b)->value;
	int order = plan_compare_order(left->tunable, right->tunable);

	if (order)
		return order;
	/* both point into one array */
	return left < right ? -1 : left > right;
}

static int add_step(struct plan_device *planned, const struct judged *judged)
{
	struct plan_step *step = &planned->steps[planned->step_count];
	const struct policy_value *value = judged->value;
	int error;

	*step = (struct plan_step){ .tunable = value->tunable,
				    .origin = value->origin,
				    .is_conditional = judged->is_conditional };
	snprintf(step->from, sizeof(step->from), "%s", judged->from);
	snprintf(step->to, sizeof(step->to), "%s", value->value);
	planned->step_count++;
	error = copy_string(&step->source, value->source);
	if (!error)
		error = copy_string(&step->why, value->why);
	return error;
}

static int block(struct plan_device *planned, const struct judged *judged)
{
	struct text text = { 0 };
	int error;

	free_steps(planned);
	text_addf(&text, _("cannot set %s to %s: %s"), judged->value->tunable->key,
		  judged->value->value, judged->text);
	error = text_take(&text, &planned->reason);
	planned->state = PLAN_BLOCKED;
	return error;
}

static int turn_into_steps(const struct judged *judged, size_t count,
			   struct plan_device *planned)
{
	planned->steps = calloc(count, sizeof(*planned->steps));
	if (count && !planned->steps)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		const struct judged *one = &judged[i];
		int error = 0;

		if (one->verdict == VERDICT_WRITE)
			error = add_step(planned, one);
		else if (one->verdict == VERDICT_REFUSED ||
			 (one->verdict == VERDICT_NOT_HERE &&
			  one->value->tunable->phase == PHASE_SCHEDULER))
			return block(planned, one);
		else if (one->verdict == VERDICT_NOT_HERE)
			error = strv_add(&planned->notes, one->text);
		if (error)
			return error;
	}
	planned->state = planned->step_count ? PLAN_CHANGE : PLAN_IN_FORCE;
	return 0;
}

static const char *get_active(const struct device *device)
{
	const char *active;

	if (!device->has_scheduler_file)
		return NULL;
	active = choice_active(&device->scheduler);
	/* a bio-based queue of Linux up to 6.4, or a plain file: one bare word */
	if (!active && device->scheduler.count == 1)
		active = device->scheduler.names[0];
	return active;
}

static int compare_device(const struct policy_device *wanted, struct plan_device *planned)
{
	struct comparison cmp = { .device = wanted->device };
	struct expectation expectation = { .wanted = wanted };
	_free_ struct judged *judged = NULL;

	judged = calloc(wanted->value_count + 1, sizeof(*judged));
	if (!judged)
		return -ENOMEM;
	cmp.active = get_active(wanted->device);
	cmp.target = cmp.active;
	for (size_t i = 0; i < wanted->value_count; i++) {
		judged[i].value = &wanted->values[i];
		if (wanted->values[i].tunable->phase == PHASE_SCHEDULER)
			cmp.target = wanted->values[i].value;
	}
	cmp.is_switch = cmp.target && !text_equal(cmp.active, cmp.target);
	qsort(judged, wanted->value_count, sizeof(*judged), compare_judged);
	for (size_t i = 0; i < wanted->value_count; i++) {
		if (judged[i].value->tunable->phase == PHASE_SCHEDULER)
			judge_scheduler(&cmp, &judged[i]);
		else
			judge_value(&cmp, &judged[i]);
	}
	expectation.active = cmp.active;
	expectation.target = cmp.target;
	expectation.is_switch = cmp.is_switch;
	judge_disturbed(&expectation, judged, wanted->value_count);
	return turn_into_steps(judged, wanted->value_count, planned);
}

static int add_notes(const struct policy_device *wanted, struct plan_device *planned)
{
	for (size_t i = 0; i < wanted->rejected_count; i++) {
		_text_ struct text text = { 0 };
		_free_ char *line = NULL;
		int error;

		text_addf(&text, _("%s passed over: %s"), wanted->rejected[i].name,
			  wanted->rejected[i].why);
		error = text_take(&text, &line);
		if (!error)
			error = strv_add(&planned->notes, line);
		if (error)
			return error;
	}
	for (size_t i = 0; i < wanted->notes.count; i++) {
		int error = strv_add(&planned->notes, wanted->notes.items[i]);

		if (error)
			return error;
	}
	return 0;
}

static int make_device(const struct policy_device *wanted, struct plan_device *planned)
{
	const struct device *device = wanted->device;
	int error;

	planned->major = device->major;
	planned->minor = device->minor;
	planned->class = device->class;
	error = copy_string(&planned->name, device->name);
	if (!error)
		error = copy_string(&planned->sys_path, device->sys_path);
	if (!error)
		error = add_notes(wanted, planned);
	if (error)
		return error;
	if (wanted->state == POLICY_SET)
		return compare_device(wanted, planned);
	planned->state = PLAN_SKIPPED;
	return copy_string(&planned->reason, wanted->reason);
}

int plan_make(const struct policy *policy, struct plan **ret)
{
	_cleanup_(cleanup_plan_free) struct plan *plan = NULL;
	int error;

	plan = calloc(1, sizeof(*plan));
	if (!plan)
		return -ENOMEM;
	plan->items = calloc(policy->count + 1, sizeof(*plan->items));
	if (!plan->items)
		return -ENOMEM;
	error = copy_string(&plan->profile_name, policy->profile_name);
	if (error)
		return error;
	for (size_t i = 0; i < policy->count; i++) {
		plan->count++;
		error = make_device(&policy->items[i], &plan->items[i]);
		if (error)
			return error;
	}
	*ret = TAKE_PTR(plan);
	return 0;
}

size_t plan_count_steps(const struct plan *plan)
{
	size_t count = 0;

	for (size_t i = 0; i < plan->count; i++)
		count += plan->items[i].step_count;
	return count;
}

size_t plan_device_count_writes(const struct plan_device *planned)
{
	size_t count = 0;

	for (size_t i = 0; i < planned->step_count; i++)
		count += !planned->steps[i].is_conditional;
	return count;
}

size_t plan_count_writes(const struct plan *plan)
{
	size_t count = 0;

	for (size_t i = 0; i < plan->count; i++)
		count += plan_device_count_writes(&plan->items[i]);
	return count;
}

bool plan_has_blocked(const struct plan *plan)
{
	for (size_t i = 0; i < plan->count; i++)
		if (plan->items[i].state == PLAN_BLOCKED)
			return true;
	return false;
}
