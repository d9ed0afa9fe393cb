// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The one writer: all or nothing, with what was there before kept.
 */
#include "persist/install.h"

#include <errno.h>
#include <string.h>

#include "persist/install-internal.h"
#include "sysfs/paths.h"
#include "util/i18n.h"

static int refuse(const struct artefact *artefact, const struct artefact_present *present,
		  struct diag *diag)
{
	switch (present->state) {
	case STATE_FOREIGN:
		diag_at_path(diag, artefact->path, 0);
		if (artefact->kind == ARTEFACT_LINK) {
			diag_set(diag, -EEXIST,
				 _("something else of this name is there already"));
			diag_hint(diag, _("look at it, remove it, then try again"));
			return -EEXIST;
		}
		diag_set(diag, -EEXIST,
			 _("there is a file of this name already, and it is not "
			   "ours"));
		diag_hint(diag, _("--force replaces it and keeps a copy"));
		return -EEXIST;
	case STATE_EDITED:
		diag_at_path(diag, artefact->path, 0);
		diag_set(diag, -EEXIST, _("was edited by hand since it was installed"));
		diag_hint(diag, _("--force replaces it and keeps a copy"));
		return -EEXIST;
	case STATE_BLOCKED:
		diag_at_path(diag, artefact->path, 0);
		if (present->error != -ELOOP)
			return diag_set(diag, present->error, "%s",
					strerror(-present->error));
		diag_set(diag, -ELOOP, _("is a symbolic link, which is not followed"));
		diag_hint(diag, _("look where it leads, and remove it if it is not "
				  "wanted: one to /dev/null switches the file off"));
		return -ELOOP;
	case STATE_ABSENT:
	case STATE_SAME:
	case STATE_OURS:
		break;
	}
	return 0;
}

int install_check(const struct root *root, const struct artefacts *artefacts,
		  bool is_forced, struct diag *diag)
{
	for (size_t i = 0; i < artefacts->count; i++) {
		_cleanup_(artefact_present_done) struct artefact_present present = { 0 };
		const struct artefact *artefact = &artefacts->items[i];
		int error = artefact_look(root, artefact, &present);

		if (error)
			return error;
		if (is_forced &&
		    (present.state == STATE_EDITED ||
		     (present.state == STATE_FOREIGN && artefact->kind != ARTEFACT_LINK)))
			continue;
		error = refuse(artefact, &present, diag);
		if (error)
			return error;
	}
	return 0;
}

/* --- one artefact ----------------------------------------------------------------------- */

/* Keeps what is there, unless an older copy tells how it was before us. */
static int keep_copy(const struct root *root, const struct artefact *artefact,
		     const struct artefact_present *present, char **ret_backup)
{
	_free_ char *backup = NULL;
	int error = 0;

	if (!present->file.data || present->state == STATE_SAME ||
	    (artefact->kind == ARTEFACT_FILE && present->state == STATE_OURS))
		return 0;
	error = install_backup_path(artefact->path, &backup);
	if (!error && present->state == STATE_EDITED) {
		char *edited;

		if (asprintf(&edited, "%s.edited", backup) < 0)
			return -ENOMEM;
		free(backup);
		backup = edited;
	}
	if (error || (present->state != STATE_EDITED && root_exists(root, backup)))
		return error;
	error = install_make_parent(root, backup, 0700);
	if (!error)
		error = root_replace(root, backup, present->file.data, present->file.len,
				     present->file.mode);
	if (!error)
		*ret_backup = TAKE_PTR(backup);
	return error;
}

static int write_one(const struct root *root, const struct artefact *artefact)
{
	int error = install_make_parent(root, artefact->path, 0755);

	if (error)
		return error;
	if (artefact->kind == ARTEFACT_LINK)
		return root_make_link(root, artefact->path, artefact->target);
	return root_replace(root, artefact->path, artefact->content, artefact->len,
			    artefact->mode);
}

/* --- all of them ------------------------------------------------------------------------ */

/* What one artefact was before, to go back to. */
struct written {
	const struct artefact *artefact;
	struct artefact_present before;
	char *backup; /* made by this run */
	bool is_changed;
};

static void written_done(struct written *items, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		artefact_present_done(&items[i].before);
		free(items[i].backup);
	}
	free(items);
}

static int write_artefact(const struct root *root, const struct artefact *artefact,
			  struct written *ret, struct diag *diag)
{
	int error;

	ret->artefact = artefact;
	error = artefact_look(root, artefact, &ret->before);
	if (!error && ret->before.state != STATE_SAME) {
		error = keep_copy(root, artefact, &ret->before, &ret->backup);
		if (!error)
			error = write_one(root, artefact);
		ret->is_changed = !error;
	}
	if (error) {
		diag_at_path(diag, artefact->path, 0);
		diag_set(diag, error, "%s", strerror(-error));
		diag_hint(diag, _("nothing was changed"));
	}
	return error;
}

/* Best effort: the first error is the one to tell of. */
static void roll_back(const struct root *root, struct written *items, size_t count)
{
	while (count--) {
		struct written *item = &items[count];
		const struct root_file *file = &item->before.file;

		if (item->is_changed && file->data)
			(void)root_replace(root, item->artefact->path, file->data,
					   file->len, file->mode);
		else if (item->is_changed)
			(void)root_remove(root, item->artefact->path);
		if (item->backup)
			(void)root_remove(root, item->backup);
	}
}

static int write_all(const struct root *root, const struct artefacts *artefacts,
		     size_t *ret_written, struct diag *diag)
{
	struct written *items = calloc(artefacts->count + 1, sizeof(*items));
	size_t done = 0;
	int error = items ? 0 : -ENOMEM;

	while (!error && done < artefacts->count) {
		error = write_artefact(root, &artefacts->items[done], &items[done], diag);
		done++;
	}
	if (error && items)
		roll_back(root, items, done);
	for (size_t i = 0; !error && i < done; i++)
		*ret_written += items[i].is_changed;
	written_done(items, done);
	return error;
}

static int save(const struct root *root, const struct manifest *manifest,
		struct diag *diag)
{
	int error = manifest_save(root, manifest);

	if (!error)
		return 0;
	diag_at_path(diag, PATH_MANIFEST, 0);
	return diag_set(diag, error, "%s", strerror(-error));
}

/* Everything that is, or may be, there while this goes on. *ret_is_final: it is what will
   be there afterwards, too. */
static int save_intent(const struct root *root, const struct manifest *known,
		       const struct manifest *wanted, bool *ret_is_final,
		       struct diag *diag)
{
	_cleanup_(cleanup_manifest_free) struct manifest *both = calloc(1, sizeof(*both));
	int error = 0;

	if (!both)
		return -ENOMEM;
	both->profile = strdup(wanted->profile);
	if (!both->profile)
		return -ENOMEM;
	for (size_t i = 0; !error && i < known->count; i++)
		if (!manifest_find(wanted, known->items[i].path))
			error = manifest_add(both, &known->items[i]);
	*ret_is_final = !both->count;
	for (size_t i = 0; !error && i < wanted->count; i++)
		error = manifest_add(both, &wanted->items[i]);
	if (!error)
		error = manifest_add_schedulers(both, &wanted->schedulers);
	if (!error)
		error = manifest_add_folders(both, &wanted->folders);
	return error ? error : save(root, both, diag);
}

/* What an earlier install wrote and this one does not. */
static int remove_obsolete(const struct root *root, const struct manifest *known,
			   const struct manifest *wanted, bool is_forced,
			   size_t *ret_written, struct diag *diag)
{
	_strv_ struct strv notes = { 0 };

	for (size_t i = known->count; i--;) {
		bool is_changed = false;
		int error = 0;

		if (!manifest_find(wanted, known->items[i].path))
			error = install_remove_item(root, &known->items[i], is_forced,
						    &is_changed, &notes, diag);
		*ret_written += is_changed;
		if (error)
			return error;
	}
	return 0;
}

/* Folders that only held what is obsolete go with it. */
static int settle_folders(const struct root *root, struct manifest *wanted)
{
	_strv_ struct strv folders = wanted->folders;

	wanted->folders = (struct strv){ 0 };
	return install_remove_folders(root, &folders, wanted);
}

int install_write(const struct root *root, const char *profile,
		  const struct artefacts *artefacts, const struct strv *schedulers,
		  const struct manifest *known, bool is_forced, size_t *ret_written,
		  struct diag *diag)
{
	_cleanup_(cleanup_manifest_free) struct manifest *wanted = NULL;
	bool is_final = false;
	int error = install_check(root, artefacts, is_forced, diag);

	*ret_written = 0;
	if (!error)
		error = manifest_make(profile, artefacts, &wanted);
	if (!error)
		error = manifest_add_schedulers(wanted, schedulers);
	if (!error)
		error = install_note_folders(root, artefacts, known, wanted);
	if (error)
		return error;
	error = save_intent(root, known, wanted, &is_final, diag);
	if (error) {
		diag_hint(diag, _("nothing was changed"));
		return error;
	}
	error = write_all(root, artefacts, ret_written, diag);
	if (error) {
		(void)install_remove_folders(root, &wanted->folders, NULL);
		(void)manifest_save(root, known);
		return error;
	}
	error = remove_obsolete(root, known, wanted, is_forced, ret_written, diag);
	if (error || is_final)
		return error;
	error = settle_folders(root, wanted);
	return error ? error : save(root, wanted, diag);
}
