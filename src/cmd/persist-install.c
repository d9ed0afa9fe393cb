// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * persist install, and what it shares with persist remove.
 */
#include <errno.h>
#include <string.h>

#include "cmd/common.h"
#include "cmd/persist-actions.h"
#include "cmd/persist-case.h"
#include "persist/conflicts.h"
#include "persist/initramfs.h"
#include "persist/install.h"
#include "persist/places.h"
#include "persist/run.h"
#include "report/json.h"
#include "util/i18n.h"
#include "util/json-build.h"
#include "util/log.h"

int persist_load_manifest(const struct cmd_context *context, struct manifest **ret)
{
	struct diag diag = { 0 };
	int error = manifest_load(context->root, ret, &diag);

	if (!error)
		error = manifest_discover(context->root, *ret);
	return error ? cmd_fail(&diag, error) : EXIT_STATUS_DONE;
}

int persist_lock(const struct cmd_context *context, struct apply_lock *ret)
{
	const struct apply_wait wait = { .say = cmd_say_waiting };
	struct diag diag = { 0 };
	int error = apply_lock_wait(context->root, &wait, ret, &diag);

	return error ? cmd_fail(&diag, error) : EXIT_STATUS_DONE;
}

void persist_print_notes(const struct strv *notes)
{
	for (size_t i = 0; i < notes->count; i++)
		log_warning("%s", notes->items[i]);
}

int persist_print_diff(const struct cmd_context *context, const char *diff,
		       const struct strv *notes)
{
	json_t *root;
	int error = 0;

	if (!context->is_json) {
		if (diff)
			fputs(diff, stdout);
		persist_print_notes(notes);
		return EXIT_STATUS_DONE;
	}
	root = json_envelope();
	json_put(root, "diff", json_text(diff ? diff : ""), &error);
	json_put(root, "notes", json_text_array(notes), &error);
	error = json_print(root, error);
	return error ? cmd_fail(&(struct diag){ 0 }, error) : EXIT_STATUS_DONE;
}

/* --- what is to be written -------------------------------------------------------------- */

/* Rules that udev cannot express are the unit's: with auto it comes along. */
static int add_for_left(const struct persist_input *input, struct artefacts *set,
			const struct persist_backend **backends, size_t *count)
{
	struct diag diag = { 0 };

	if (!set->left.count || backend_systemd.check(input, &diag))
		return 0;
	backends[(*count)++] = &backend_systemd;
	return backend_systemd.render(input, set, &diag);
}

static int note_left(struct artefacts *set, bool is_taken_care_of)
{
	int error = 0;

	for (size_t i = 0; !error && i < set->left.count; i++) {
		_free_ char *note = NULL;
		const char *format = is_taken_care_of ? _("left to the unit: %s")
						      : _("not among the udev rules: %s");

		if (asprintf(&note, format, set->left.items[i]) < 0) {
			note = NULL;
			return -ENOMEM;
		}
		error = strv_add(&set->notes, note);
	}
	return error;
}

static int render(const struct persist_input *input,
		  const struct persist_options *options,
		  const struct persist_backend **backends, size_t *count,
		  struct artefacts *ret, struct diag *diag)
{
	bool is_auto =
		!options->methods.count || strv_contains(&options->methods, "auto");
	bool has_unit = false;
	int error = backend_choose(input, &options->methods, backends, count, diag);

	for (size_t i = 0; !error && i < *count; i++)
		error = backends[i]->render(input, ret, diag);
	if (!error && is_auto)
		error = add_for_left(input, ret, backends, count);
	for (size_t i = 0; i < *count; i++)
		has_unit = has_unit || backends[i] == &backend_systemd;
	return error ? error : note_left(ret, has_unit);
}

/* --- what has to be said ---------------------------------------------------------------- */

static int note_conflicts(const struct root *root, const struct artefacts *set,
			  struct strv *notes)
{
	_conflicts_ struct conflicts found = { 0 };
	const char *argument = NULL;
	int error;

	for (size_t i = 0; i < set->count; i++)
		if (set->items[i].argument)
			argument = set->items[i].argument;
	error = conflicts_find(root, UDEV_RULES_NAME, argument, &found);
	for (size_t i = 0; !error && i < found.count; i++) {
		const struct conflict *conflict = &found.items[i];
		_free_ char *note = NULL;
		char place[512];

		snprintf(place, sizeof(place), conflict->line ? "/%s:%u" : "/%s",
			 conflict->path, conflict->line);
		if (asprintf(&note,
			     conflict->is_stale ? _("%s: %s: %s (%s)")
						: _("%s: %s sets this too: %s (%s)"),
			     place, conflict->owner, conflict->text,
			     _(conflict->advice)) < 0) {
			note = NULL;
			return -ENOMEM;
		}
		error = strv_add(notes, note);
	}
	return error;
}

static int note_module(const struct root *root, const char *name, struct strv *notes)
{
	const struct scheduler *scheduler = scheduler_find(name);
	struct initramfs_advice advice = { 0 };
	_free_ char *note = NULL;
	int len, error = initramfs_advise(root, scheduler->module, &advice);

	if (error || !advice.tool || advice.is_configured) {
		initramfs_advice_done(&advice);
		return error;
	}
	len = asprintf(
		&note,
		_("%s is a module that the initial RAM disk may lack, so it is set after "
		  "the root file system is there; to have it earlier, put '%s' into /%s "
		  "and run '%s'"),
		name, advice.line, advice.path, advice.command);
	initramfs_advice_done(&advice);
	if (len < 0) {
		note = NULL;
		return -ENOMEM;
	}
	return strv_add(notes, note);
}

static int add_notes(const struct persist_case *persist_case, struct artefacts *set,
		     const struct strv *schedulers)
{
	const struct root *root = persist_case->input.root;
	int error = note_conflicts(root, set, &set->notes);

	for (size_t i = 0; !error && i < schedulers->count; i++)
		error = note_module(root, schedulers->items[i], &set->notes);
	return error;
}

/* --- doing it --------------------------------------------------------------------------- */

static int spell_command(const struct artefact_command *command, struct text *out)
{
	for (size_t i = 0; i < command->argv.count; i++)
		text_addf(out, "%s%s", i ? " " : "", command->argv.items[i]);
	text_add(out, "");
	return out->error;
}

/* Commands of the system; in a tree they can only be named. */
static int run_commands(const struct root *root, const struct artefacts *set,
			struct strv *notes)
{
	for (size_t i = 0; i < set->command_count; i++) {
		const struct artefact_command *command = &set->commands[i];
		bool is_host = root_get_kind(root) == ROOT_HOST;
		_text_ struct text words = { 0 };
		_free_ char *note = NULL;
		int status = 0, error = spell_command(command, &words);

		if (!error && is_host)
			error = run_command(&command->argv, &status);
		if (error == -ENOMEM)
			return error;
		if (!error && is_host)
			continue;
		if (asprintf(&note,
			     is_host ? _("'%s' failed: the files are in place, but the "
					 "boot loader "
					 "does not know yet; run it by hand")
				     : _("run '%s' in the tree before it boots"),
			     words.data) < 0) {
			note = NULL;
			return -ENOMEM;
		}
		error = strv_add(notes, note);
		if (error || is_host)
			return error ? error : -EIO;
	}
	return 0;
}

static int activate(const struct persist_case *persist_case,
		    const struct persist_backend *const *backends, size_t count,
		    const struct artefacts *set, struct strv *notes)
{
	int error = run_commands(persist_case->input.root, set, notes);

	if (root_get_kind(persist_case->input.root) != ROOT_HOST)
		return error;
	for (size_t i = 0; !error && i < count; i++)
		if (backends[i]->activate)
			error = backends[i]->activate(&persist_case->input, notes);
	return error;
}

static int report(const struct cmd_context *context, const struct artefacts *set,
		  size_t written)
{
	json_t *root, *list;
	int error = 0;

	if (!context->is_json) {
		persist_print_notes(&set->notes);
		for (size_t i = 0; i < set->count; i++)
			log_info("/%s", set->items[i].path);
		log_notice(written ? P_("%zu file written", "%zu files written", written)
				   : _("everything was there already"),
			   written);
		return EXIT_STATUS_DONE;
	}
	root = json_envelope();
	list = json_array();
	for (size_t i = 0; i < set->count; i++)
		json_push(list, json_text(set->items[i].path), &error);
	json_put(root, "written", json_integer((json_int_t)written), &error);
	json_put(root, "files", list, &error);
	json_put(root, "notes", json_text_array(&set->notes), &error);
	error = json_print(root, error);
	return error ? cmd_fail(&(struct diag){ 0 }, error) : EXIT_STATUS_DONE;
}

static int preview(const struct cmd_context *context,
		   const struct persist_options *options, const struct manifest *known,
		   struct artefacts *set)
{
	_text_ struct text diff = { 0 };
	struct diag diag = { 0 };
	int error = install_check(context->root, set, options->is_forced, &diag);

	if (!error)
		error = install_diff(context->root, set, known, &diff);
	if (error)
		return cmd_fail(&diag, error);
	return persist_print_diff(context, diff.data, &set->notes);
}

static int carry_out(const struct cmd_context *context,
		     const struct persist_options *options,
		     const struct persist_case *persist_case,
		     const struct persist_backend *const *backends, size_t count,
		     struct artefacts *set, const struct strv *schedulers,
		     const struct manifest *known, struct apply_lock *lock)
{
	struct diag diag = { 0 };
	size_t written = 0;
	int error, status;

	error = install_write(context->root, persist_case->input.profile, set, schedulers,
			      known, options->is_forced, &written, &diag);
	/* what is started now may be an apply, which takes the same lock */
	apply_lock_release(lock);
	if (!error)
		error = activate(persist_case, backends, count, set, &set->notes);
	if (error && error != -EIO)
		return cmd_fail(&diag, error);
	status = report(context, set, written);
	return error ? EXIT_STATUS_FAILED : status;
}

int persist_install(const struct cmd_context *context,
		    const struct persist_options *options)
{
	_persist_case_ struct persist_case persist_case = { 0 };
	_cleanup_(cleanup_manifest_free) struct manifest *known = NULL;
	_artefacts_ struct artefacts set = { 0 };
	_strv_ struct strv schedulers = { 0 };
	const struct persist_backend *backends[BACKEND_MAX + 1];
	_apply_lock_ struct apply_lock lock = APPLY_LOCK_NONE;
	struct diag diag = { 0 };
	size_t count = 0;
	int error, status = persist_load_manifest(context, &known);

	if (!status)
		status = persist_case_make(context, options->profile, known->profile,
					   options->is_forced, &persist_case);
	if (status)
		return status;
	error = render(&persist_case.input, options, backends, &count, &set, &diag);
	if (!error)
		error = initramfs_list_schedulers(context->root,
						  persist_case.devices->host,
						  persist_case.policy, &schedulers);
	if (!error)
		error = add_notes(&persist_case, &set, &schedulers);
	if (error)
		return cmd_fail(&diag, error);
	if (options->is_dry_run)
		return preview(context, options, known, &set);
	status = persist_lock(context, &lock);
	if (!status) { /* another run may just have ended */
		manifest_free(known);
		known = NULL;
		status = persist_load_manifest(context, &known);
	}
	if (status)
		return status;
	return carry_out(context, options, &persist_case, backends, count, &set,
			 &schedulers, known, &lock);
}
