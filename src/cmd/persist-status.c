// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * persist status.
 */
#include <errno.h>
#include <string.h>

#include "cmd/common.h"
#include "cmd/persist-actions.h"
#include "cmd/persist-case.h"
#include "persist/status.h"
#include "report/json.h"
#include "report/table.h"
#include "util/i18n.h"
#include "util/json-build.h"
#include "util/log.h"

static json_t *check_to_json(const struct persist_check *check)
{
	json_t *object = json_object();
	int error = 0;

	json_put(object, "link", json_text(check->link), &error);
	json_put(object, "verdict", json_text(persist_verdict_name(check->verdict)),
		 &error);
	json_put(object, "subject", json_text(check->subject), &error);
	json_put(object, "text", json_text(check->text), &error);
	json_put(object, "advice", json_text(check->advice), &error);
	return json_finish(object, error);
}

static int print_json(const struct persist_status *status, const struct manifest *known)
{
	json_t *root = json_envelope(), *list = json_array();
	int error = 0;

	for (size_t i = 0; i < status->count; i++)
		json_push(list, check_to_json(&status->items[i]), &error);
	json_put(root, "installed", json_boolean(known->count > 0), &error);
	json_put(root, "profile", json_text(known->profile), &error);
	json_put(root, "holds",
		 json_boolean(known->count && !persist_status_is_broken(status)), &error);
	json_put(root, "checks", list, &error);
	return json_print(root, error);
}

static int print_table(const struct cmd_context *context,
		       const struct persist_status *status)
{
	static const enum table_mood moods[] = {
		[VERDICT_OK] = MOOD_GOOD,
		[VERDICT_NOTE] = MOOD_NOTICE,
		[VERDICT_BROKEN] = MOOD_BAD,
	};
	struct table_style style = cmd_table_style(context);
	_cleanup_(cleanup_table_free) struct table *table = NULL;
	int error = table_new(&style, &table);

	if (error)
		return error;
	table_add_column(table, _("LINK"), TABLE_LEFT);
	table_add_column(table, _("STATE"), TABLE_LEFT);
	table_add_column(table, _("OF"), TABLE_LEFT);
	table_add_column(table, _("WHAT IS"), TABLE_WRAP);
	for (size_t i = 0; i < status->count; i++) {
		const struct persist_check *check = &status->items[i];

		table_add_row(table, TABLE_NO_PARENT);
		table_set(table, 0, check->link, MOOD_PLAIN);
		table_set(table, 1, persist_verdict_name(check->verdict),
			  moods[check->verdict]);
		table_set(table, 2, check->subject, MOOD_PLAIN);
		table_set(table, 3, check->text, MOOD_PLAIN);
	}
	return table_print(table);
}

/* Each broken link once more, with the way out; those of one device together. */
static void print_advice(const struct persist_status *status)
{
	const struct persist_check *last = NULL;

	for (size_t i = 0; i < status->count; i++) {
		const struct persist_check *check = &status->items[i];

		if (check->verdict != VERDICT_BROKEN)
			continue;
		if (last && text_equal(last->link, check->link) &&
		    text_equal(last->subject, check->subject))
			continue;
		last = check;
		if (check->advice)
			log_warning(_("the broken link is %s, %s: %s; %s"), check->link,
				    check->subject, check->text, check->advice);
		else
			log_warning(_("the broken link is %s, %s: %s"), check->link,
				    check->subject, check->text);
	}
}

int persist_show_status(const struct cmd_context *context,
			const struct persist_options *options)
{
	_persist_case_ struct persist_case persist_case = { 0 };
	_cleanup_(cleanup_manifest_free) struct manifest *known = NULL;
	_persist_status_ struct persist_status status = { 0 };
	int error, code = persist_load_manifest(context, &known);

	if (code)
		return code;
	if (!known->count && !context->is_json) {
		log_notice(_("nothing is installed"));
		return EXIT_STATUS_DRIFT;
	}
	code = persist_case_make(context, options->profile, known->profile, false,
				 &persist_case);
	if (code)
		return code;
	error = known->count ? persist_status_find(&persist_case.input, known,
						   persist_case.plan, &status)
			     : 0;
	if (!error)
		error = context->is_json ? print_json(&status, known)
					 : print_table(context, &status);
	if (error)
		return cmd_fail(&(struct diag){ 0 }, error);
	if (!context->is_json)
		print_advice(&status);
	return !known->count || persist_status_is_broken(&status) ? EXIT_STATUS_DRIFT
								  : EXIT_STATUS_DONE;
}
