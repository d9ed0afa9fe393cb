// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * persist remove.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/common.h"
#include "cmd/persist-actions.h"
#include "persist/backend.h"
#include "persist/install.h"
#include "report/json.h"
#include "sysfs/paths.h"
#include "util/i18n.h"
#include "util/json-build.h"
#include "util/log.h"

static int preview(const struct cmd_context *context, const struct manifest *known,
		   const struct strv *methods)
{
	_text_ struct text diff = { 0 };
	_strv_ struct strv notes = { 0 };
	int error = install_diff_remove(context->root, known, methods, &diff);

	if (error)
		return cmd_fail(&(struct diag){ 0 }, error);
	if (!diff.len && !context->is_json) {
		log_notice(_("nothing is installed"));
		return EXIT_STATUS_DONE;
	}
	return persist_print_diff(context, diff.data, &notes);
}

/* Before or after the files go, for each backend that had some. */
static int tell(const struct cmd_context *context, const struct manifest *known,
		const struct strv *methods, bool is_after, struct strv *notes)
{
	const struct persist_backend *backend;
	int error = 0;

	if (root_get_kind(context->root) != ROOT_HOST)
		return 0;
	for (size_t i = 0; !error && (backend = backend_get(i)); i++) {
		bool is_asked = !methods->count || strv_contains(methods, backend->name);

		if (!is_asked || !manifest_has_backend(known, backend->name))
			continue;
		if (is_after && backend->after_remove)
			error = backend->after_remove(context->root, known, notes);
		else if (!is_after && backend->before_remove)
			error = backend->before_remove(context->root, known, notes);
	}
	return error;
}

static int report(const struct cmd_context *context, size_t removed,
		  const struct strv *notes)
{
	json_t *root;
	int error = 0;

	if (!context->is_json) {
		persist_print_notes(notes);
		if (!removed) {
			log_notice(_("nothing is installed"));
			return EXIT_STATUS_DONE;
		}
		log_notice(P_("%zu file removed or put back",
			      "%zu files removed or put back", removed),
			   removed);
		return EXIT_STATUS_DONE;
	}
	root = json_envelope();
	json_put(root, "removed", json_integer((json_int_t)removed), &error);
	json_put(root, "notes", json_text_array(notes), &error);
	error = json_print(root, error);
	return error ? cmd_fail(&(struct diag){ 0 }, error) : EXIT_STATUS_DONE;
}

/* With --force also without a list that can be read: files of ours are recognised. */
static int load(const struct cmd_context *context, bool is_forced, struct manifest **ret)
{
	_cleanup_(cleanup_manifest_free) struct manifest *manifest = NULL;
	struct diag diag = { 0 };
	char line[1024];
	int error = manifest_load(context->root, &manifest, &diag);

	if (error == -EBADMSG && is_forced) {
		diag_format(&diag, line, sizeof(line));
		log_warning(_("%s; what bears our mark is taken out"), line);
		manifest = calloc(1, sizeof(*manifest));
		error = manifest ? 0 : -ENOMEM;
	}
	if (!error)
		error = manifest_discover(context->root, manifest);
	if (error)
		return cmd_fail(&diag, error);
	*ret = TAKE_PTR(manifest);
	return EXIT_STATUS_DONE;
}

int persist_remove(const struct cmd_context *context,
		   const struct persist_options *options)
{
	_cleanup_(cleanup_manifest_free) struct manifest *known = NULL;
	_strv_ struct strv notes = { 0 }, none = { 0 };
	const struct strv *methods =
		strv_contains(&options->methods, "auto") ? &none : &options->methods;
	_apply_lock_ struct apply_lock lock = APPLY_LOCK_NONE;
	struct diag diag = { 0 };
	size_t removed = 0;
	int error, status = load(context, options->is_forced, &known);

	if (status)
		return status;
	if (options->is_dry_run)
		return preview(context, known, methods);
	if (!known->count && !root_exists(context->root, PATH_STATE_DIR))
		return report(context, 0, &notes);
	status = persist_lock(context, &lock);
	if (status)
		return status;
	error = tell(context, known, methods, false, &notes);
	if (!error)
		error = install_remove(context->root, known, methods, options->is_forced,
				       &removed, &notes, &diag);
	if (!error)
		error = tell(context, known, methods, true, &notes);
	if (error) {
		persist_print_notes(&notes);
		return cmd_fail(&diag, error);
	}
	install_clear_state(context->root);
	return report(context, removed, &notes);
}
