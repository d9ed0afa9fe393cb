// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Taking artefacts out again, and bringing back what was there before.
 */
#include <errno.h>
#include <string.h>

#include "persist/install-internal.h"
#include "sysfs/paths.h"
#include "util/i18n.h"

static int undo_edit(const struct root *root, const struct manifest_item *item,
		     const struct artefact_present *present, struct install_undo *ret,
		     struct diag *diag)
{
	_root_file_ struct root_file backup = { 0 };
	struct boot_file file = { .format = item->format,
				  .path = item->path,
				  .data = present->file.data,
				  .len = present->file.len };
	struct boot_file original = { .format = item->format, .path = item->path };
	int error = install_read_backup(root, item->path, &backup);

	if (error && error != -ENOENT && error != -ENOTDIR)
		return error;
	original.data = backup.data;
	original.len = backup.len;
	ret->mode = present->file.mode;
	return boot_file_unset(&file, item->argument, backup.data ? &original : NULL,
			       &ret->content, &ret->len, diag);
}

static int undo_file(const struct root *root, const struct manifest_item *item,
		     struct install_undo *ret)
{
	struct root_file backup = { 0 };
	int error = install_read_backup(root, item->path, &backup);

	if (error)
		return error == -ENOENT || error == -ENOTDIR ? 0 : error;
	ret->content = backup.data;
	ret->len = backup.len;
	ret->mode = backup.mode;
	return 0;
}

int install_plan_undo(const struct root *root, const struct manifest_item *item,
		      const struct artefact_present *present, struct install_undo *ret,
		      struct diag *diag)
{
	*ret = (struct install_undo){ 0 };
	if (present->state == STATE_ABSENT || present->state == STATE_FOREIGN)
		return -ENOENT;
	if (present->state == STATE_BLOCKED)
		return present->error;
	switch (item->kind) {
	case ARTEFACT_EDIT:
		return undo_edit(root, item, present, ret, diag);
	case ARTEFACT_FILE:
		return undo_file(root, item, ret);
	case ARTEFACT_LINK:
	case ARTEFACT_KIND_COUNT:
		break;
	}
	return 0;
}

static int ignore_absence(int error)
{
	return error == -ENOENT || error == -ENOTDIR ? 0 : error;
}

/* The temporary file that a killed run may have left beside it (root_replace()). */
static int remove_temporary(const struct root *root, const char *path)
{
	const char *slash = strrchr(path, '/');
	_free_ char *temporary = NULL;

	if (asprintf(&temporary, "%.*s.%s.iosched-tune",
		     slash ? (int)(slash + 1 - path) : 0, path,
		     slash ? slash + 1 : path) < 0) {
		temporary = NULL;
		return -ENOMEM;
	}
	return ignore_absence(root_remove(root, temporary));
}

static int remove_with_temporary(const struct root *root, const char *path)
{
	int error = remove_temporary(root, path);

	return error ? error : ignore_absence(root_remove(root, path));
}

/* The copies of one file, and what is left of writing it. */
static int remove_copies(const struct root *root, const char *path)
{
	_free_ char *backup = NULL, *edited = NULL;
	int error = install_backup_path(path, &backup);

	if (error)
		return error;
	if (asprintf(&edited, "%s.edited", backup) < 0) {
		edited = NULL;
		return -ENOMEM;
	}
	error = remove_temporary(root, path);
	if (!error)
		error = remove_with_temporary(root, edited);
	if (!error)
		error = remove_with_temporary(root, backup);
	/* folders of the backup, as far up as they are empty */
	for (char *end; !error && (end = strrchr(backup, '/'));) {
		*end = '\0';
		if (!text_starts_with(backup, PATH_BACKUP_DIR) ||
		    ignore_absence(root_remove_dir(root, backup)))
			break;
	}
	return error;
}

void install_clear_state(const struct root *root)
{
	(void)remove_temporary(root, PATH_MANIFEST);
	if (root_exists(root, PATH_MANIFEST) || root_exists(root, PATH_JOURNAL))
		return;
	(void)root_remove(root, PATH_LOCK);
	(void)root_remove_dir(root, PATH_STATE_DIR);
}

static int add_note(struct strv *notes, const char *format, const char *path)
{
	_free_ char *note = NULL;

	if (asprintf(&note, format, path) < 0) {
		note = NULL;
		return -ENOMEM;
	}
	return strv_add(notes, note);
}

static int fail(const struct manifest_item *item, int error, struct diag *diag)
{
	diag_at_path(diag, item->path, 0);
	return diag_set(diag, error, "%s", strerror(-error));
}

/* The folder of a link, "basic.target.wants", goes with its last one, as systemctl has it. */
static int remove_link(const struct root *root, const char *path)
{
	const char *slash = strrchr(path, '/');
	_free_ char *folder = strndup(path, slash ? (size_t)(slash - path) : 0);
	int error = folder ? root_remove(root, path) : -ENOMEM;

	if (!error && slash)
		(void)root_remove_dir(root, folder);
	return error;
}

/* What was written by hand goes to a place that no later removal clears, with a note. */
static int keep_edited(const struct root *root, const struct manifest_item *item,
		       const struct artefact_present *present, struct strv *notes)
{
	_free_ char *backup = NULL, *removed = NULL;
	int error = install_backup_path(item->path, &backup);

	if (error)
		return error;
	if (asprintf(&removed, "%s.removed", backup) < 0) {
		removed = NULL;
		return -ENOMEM;
	}
	error = install_make_parent(root, removed, 0700);
	if (!error)
		error = root_replace(root, removed, present->file.data, present->file.len,
				     present->file.mode);
	return error ? error : add_note(notes, _("what was edited by hand was kept: /%s"), removed);
}

/* Puts what was there before in its place, or nothing. */
static int carry_out(const struct root *root, const struct manifest_item *item,
		     const struct install_undo *undo,
		     const struct artefact_present *present)
{
	if (item->kind == ARTEFACT_LINK)
		return remove_link(root, item->path);
	if (!undo->content)
		return root_remove(root, item->path);
	if (undo->len == present->file.len &&
	    !memcmp(undo->content, present->file.data, undo->len))
		return 0;
	return root_replace(root, item->path, undo->content, undo->len, undo->mode);
}

int install_remove_item(const struct root *root, const struct manifest_item *item,
			bool is_forced, bool *ret_changed, struct strv *notes,
			struct diag *diag)
{
	_cleanup_(artefact_present_done) struct artefact_present present = { 0 };
	struct install_undo undo = { 0 };
	int error = manifest_look(root, item, &present);

	if (error)
		return error;
	if (item->kind == ARTEFACT_FILE && present.state == STATE_EDITED && !is_forced) {
		diag_at_path(diag, item->path, 0);
		diag_set(diag, -EEXIST, _("was edited by hand since it was installed"));
		diag_hint(diag, _("--force removes it and keeps a copy"));
		return -EEXIST;
	}
	error = install_plan_undo(root, item, &present, &undo, diag);
	if (error == -ENOENT) {
		error = present.state == STATE_FOREIGN
				? add_note(notes,
					   _("%s is not ours any more, and was left"),
					   item->path)
				: 0;
		return error ? error : remove_copies(root, item->path);
	}
	if (!error && item->kind == ARTEFACT_FILE && present.state == STATE_EDITED)
		error = keep_edited(root, item, &present, notes);
	if (!error) {
		error = carry_out(root, item, &undo, &present);
		*ret_changed = !error;
	}
	free(undo.content);
	if (!error)
		error = remove_copies(root, item->path);
	return error ? fail(item, error, diag) : 0;
}

int install_remove(const struct root *root, const struct manifest *known,
		   const struct strv *backends, bool is_forced, size_t *ret_removed,
		   struct strv *notes, struct diag *diag)
{
	_cleanup_(cleanup_manifest_free) struct manifest *kept = calloc(1, sizeof(*kept));
	int error = 0, first = 0;

	*ret_removed = 0;
	if (!kept)
		return -ENOMEM;
	if (known->profile) {
		kept->profile = strdup(known->profile);
		if (!kept->profile)
			return -ENOMEM;
	}
	for (size_t i = known->count; i--;) {
		const struct manifest_item *item = &known->items[i];
		bool is_changed = false;

		error = install_is_asked(item, backends)
				? install_remove_item(root, item, is_forced, &is_changed,
						      notes, diag)
				: -EEXIST;
		*ret_removed += is_changed;
		if (error && install_is_asked(item, backends) && !first)
			first = error;
		if (error)
			error = manifest_add(kept, item);
		if (error)
			return error;
	}
	error = install_remove_folders(root, &known->folders, kept);
	if (!error)
		error = manifest_save(root, kept);
	return first ? first : error;
}
