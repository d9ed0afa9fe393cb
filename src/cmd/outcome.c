// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Printing plans and their outcomes.
 */
#include "cmd/outcome.h"

#include <errno.h>
#include <string.h>

#include "cmd/common.h"
#include "report/cell.h"
#include "report/json.h"
#include "report/plan.h"
#include "util/i18n.h"
#include "util/json-build.h"
#include "util/log.h"

static int print_json(const struct plan *plan, const struct apply_report *report,
		      const struct predictions *predictions)
{
	json_t *root = json_envelope();
	int error = 0;

	json_put(root, "dry_run", json_boolean(!report), &error);
	json_put(root, "plan", plan_outcome_to_json(plan, report), &error);
	if (predictions)
		json_put(root, "predictions", predictions_to_json(predictions), &error);
	return json_print(root, error);
}

/* Something stands below the table of steps. */
static bool has_rest(const struct plan *plan)
{
	for (size_t i = 0; i < plan->count; i++)
		if (plan->items[i].state != PLAN_CHANGE || plan->items[i].notes.count ||
		    plan_device_count_writes(&plan->items[i]) < plan->items[i].step_count)
			return true;
	return false;
}

int outcome_preview(const struct cmd_context *context, const struct plan *plan,
		    const struct predictions *predictions)
{
	static const struct plan_titles titles = { N_("FROM"), N_("TO") };
	struct table_style style = cmd_table_style(context);
	size_t count = plan_count_writes(plan);
	int error;

	if (context->is_json) {
		error = print_json(plan, NULL, predictions);
	} else {
		error = plan_print_steps(plan, &titles, &style);
		if (!error && count)
			putchar('\n');
		if (!error)
			error = plan_print_conditional(plan, &style);
		if (!error)
			error = plan_print_rest(plan, &style);
		if (!error)
			error = plan_print_notes(plan, &style);
		if (!error && predictions && predictions->count) {
			if (has_rest(plan))
				putchar('\n');
			error = predictions_print(predictions, &style);
		}
	}
	if (error)
		return cmd_fail(&(struct diag){ 0 }, error);
	if (!context->is_json)
		log_notice(P_("%zu value would be written", "%zu values would be written",
			      count),
			   count);
	return EXIT_STATUS_DONE;
}

static void say_failed_step(const struct apply_device *item)
{
	const struct plan_step *step = item->failed;
	const char *device = item->planned->name;
	char wanted[TUNABLE_VALUE_MAX + 16], actual[TUNABLE_VALUE_MAX + 16];

	cell_format_attribute(step->tunable, step->to, wanted, sizeof(wanted));
	cell_format_attribute(step->tunable, item->actual, actual, sizeof(actual));
	if (item->error == -EIO && item->actual[0])
		log_error(_("%s: %s: '%s' was written, but it reads '%s'"), device,
			  step->tunable->key, wanted, actual);
	else
		log_error(_("%s: %s: cannot be set to '%s': %s"), device,
			  step->tunable->key, wanted, strerror(-item->error));
}

static void say_failure(const struct apply_device *item)
{
	const char *device = item->planned->name;

	switch (item->outcome) {
	case APPLY_DONE:
	case APPLY_UNCHANGED:
		break;
	case APPLY_PUT_BACK:
		if (item->failed)
			say_failed_step(item);
		else
			log_error("%s: %s", device, strerror(-item->error));
		log_error(_("%s: put back as it was"), device);
		break;
	case APPLY_BROKEN:
		if (item->failed)
			say_failed_step(item);
		log_error(_("%s: could not be put back; when the cause is gone: "
			    "iosched-tune "
			    "restore %s"),
			  device, device);
		break;
	case APPLY_STUCK:
		log_error(_("%s: no answer within the time limit: a request in its queue "
			    "does "
			    "not end; the write may still happen"),
			  device);
		log_error(
			_("%s: look for errors of the device in the kernel log (dmesg)"),
			device);
		break;
	case APPLY_GONE:
		log_error(_("%s: the device went away"), device);
		break;
	case APPLY_INTERRUPTED:
		log_error(_("%s: not begun, because of the interruption"), device);
		break;
	case APPLY_BLOCKED:
		log_error("%s: %s", device, item->planned->reason);
		break;
	}
}

static bool is_failure(const struct apply_device *item)
{
	return item->outcome != APPLY_DONE && item->outcome != APPLY_UNCHANGED;
}

static bool is_denied(const struct apply_device *item)
{
	return item->error == -EROFS || item->error == -EACCES || item->error == -EPERM;
}

struct tally {
	size_t written, changed, in_force, failed, denied;
};

static struct tally count_outcomes(const struct apply_report *report)
{
	struct tally tally = { 0 };

	for (size_t i = 0; i < report->count; i++) {
		const struct apply_device *item = &report->items[i];
		size_t before = tally.written;

		if (is_failure(item)) {
			tally.failed++;
			tally.denied += is_denied(item);
			continue;
		}
		for (size_t j = 0; item->writes && j < item->steps_done; j++)
			tally.written += item->writes[j].is_written;
		if (tally.written > before)
			tally.changed++;
		else if (item->planned->state != PLAN_SKIPPED)
			tally.in_force++;
	}
	return tally;
}

static void say_summary(const struct tally *tally)
{
	_text_ struct text line = { 0 };

	text_addf(&line, P_("%zu value written", "%zu values written", tally->written),
		  tally->written);
	if (tally->changed)
		text_addf(&line, P_(" on %zu device", " on %zu devices", tally->changed),
			  tally->changed);
	if (tally->in_force)
		text_addf(&line,
			  P_("; %zu device was right already",
			     "; %zu devices were right already", tally->in_force),
			  tally->in_force);
	if (tally->failed)
		text_addf(
			&line,
			P_("; %zu device failed", "; %zu devices failed", tally->failed),
			tally->failed);
	if (!line.error)
		log_notice("%s", line.data);
}

int outcome_report(const struct cmd_context *context, const struct plan *plan,
		   const struct apply_report *report)
{
	struct table_style style = cmd_table_style(context);
	struct tally tally = count_outcomes(report);
	int error;

	error = context->is_json ? print_json(plan, report, NULL)
				 : plan_print_written(report, &style);
	if (error)
		return cmd_fail(&(struct diag){ 0 }, error);
	for (size_t i = 0; i < report->count; i++)
		say_failure(&report->items[i]);
	say_summary(&tally);
	if (!tally.failed)
		return EXIT_STATUS_DONE;
	return tally.denied == tally.failed ? EXIT_STATUS_DENIED
					    : EXIT_STATUS_SOME_FAILED;
}
