// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How artefacts stand in a root: there or not, ours or not, as they were written or not.
 */
#include <errno.h>
#include <string.h>

#include "persist/install-internal.h"
#include "sysfs/paths.h"
#include "util/i18n.h"

const char *artefact_state_name(enum artefact_state state)
{
	static const char *const names[] = {
		[STATE_ABSENT] = N_("absent"),
		[STATE_SAME] = N_("installed"),
		[STATE_OURS] = N_("changed since"),
		[STATE_EDITED] = N_("edited by hand"),
		[STATE_FOREIGN] = N_("not ours"),
		[STATE_BLOCKED] = N_("cannot be used"),
	};

	return names[state];
}

void artefact_present_done(struct artefact_present *present)
{
	root_file_done(&present->file);
}

/* -ENOMEM only; any other error is a state. */
static int look_at_file(const struct root *root, const char *path,
			struct artefact_present *ret)
{
	int error = root_read_file(root, path, &ret->file);

	if (error == -ENOMEM)
		return error;
	if (error == -ENOENT || error == -ENOTDIR) {
		ret->state = STATE_ABSENT;
		return 1;
	}
	if (error) {
		ret->state = STATE_BLOCKED;
		ret->error = error;
		return 1;
	}
	return 0;
}

static int look_at_link(const struct root *root, const char *path, const char *target,
			struct artefact_present *ret)
{
	_free_ char *present = NULL;
	int error = root_read_link(root, path, &present);

	if (error == -ENOMEM)
		return error;
	if (error == -ENOENT || error == -ENOTDIR)
		ret->state = STATE_ABSENT;
	else if (!error && !strcmp(present, target))
		ret->state = STATE_SAME;
	else
		ret->state = STATE_FOREIGN;
	return 0;
}

static enum artefact_state judge_file(const struct root_file *file, bool is_same)
{
	switch (artefact_check_seal(file->data, file->len)) {
	case SEAL_NONE:
		return STATE_FOREIGN;
	case SEAL_BROKEN:
		return STATE_EDITED;
	case SEAL_INTACT:
		break;
	}
	return is_same ? STATE_SAME : STATE_OURS;
}

int artefact_look(const struct root *root, const struct artefact *artefact,
		  struct artefact_present *ret)
{
	bool is_same;
	int error;

	*ret = (struct artefact_present){ .state = STATE_ABSENT };
	if (artefact->kind == ARTEFACT_LINK)
		return look_at_link(root, artefact->path, artefact->target, ret);
	error = look_at_file(root, artefact->path, ret);
	if (error)
		return error < 0 ? error : 0;
	is_same = ret->file.len == artefact->len &&
		  !memcmp(ret->file.data, artefact->content, artefact->len);
	if (artefact->kind == ARTEFACT_EDIT)
		ret->state = is_same ? STATE_SAME : STATE_OURS;
	else
		ret->state = judge_file(&ret->file, is_same);
	return 0;
}

/* Is the argument still there, whatever else was changed? */
static bool has_argument(const struct manifest_item *item,
			 const struct root_file *present)
{
	_boot_arguments_ struct boot_arguments found = { 0 };
	_free_ char *name = strndup(item->argument, strcspn(item->argument, "="));
	const struct boot_file file = { .format = item->format,
					.path = item->path,
					.data = present->data,
					.len = present->len };

	if (!name || boot_file_find(&file, name, &found, NULL))
		return false;
	for (size_t i = 0; i < found.count; i++)
		if (!strcmp(found.items[i].text, item->argument))
			return true;
	return false;
}

int manifest_look(const struct root *root, const struct manifest_item *item,
		  struct artefact_present *ret)
{
	bool is_same;
	int error;

	*ret = (struct artefact_present){ .state = STATE_ABSENT };
	if (item->kind == ARTEFACT_LINK)
		return look_at_link(root, item->path, item->target, ret);
	error = look_at_file(root, item->path, ret);
	if (error)
		return error < 0 ? error : 0;
	is_same = artefact_hash(ret->file.data, ret->file.len) == item->hash;
	if (item->kind == ARTEFACT_FILE)
		ret->state = judge_file(&ret->file, is_same);
	else if (is_same)
		ret->state = STATE_SAME;
	else
		ret->state = has_argument(item, &ret->file) ? STATE_OURS : STATE_EDITED;
	return 0;
}

int install_backup_path(const char *path, char **ret)
{
	char *backup;

	if (asprintf(&backup, PATH_BACKUP_DIR "/%s", path) < 0)
		return -ENOMEM;
	*ret = backup;
	return 0;
}

int install_read_backup(const struct root *root, const char *path, struct root_file *ret)
{
	_free_ char *backup = NULL;
	int error = install_backup_path(path, &backup);

	return error ? error : root_read_file(root, backup, ret);
}

int install_make_parent(const struct root *root, const char *path, mode_t mode)
{
	const char *slash = strrchr(path, '/');
	_free_ char *parent = slash ? strndup(path, (size_t)(slash - path)) : NULL;

	if (!slash)
		return 0;
	return parent ? root_make_dir(root, parent, mode) : -ENOMEM;
}

bool install_is_asked(const struct manifest_item *item, const struct strv *backends)
{
	return !backends->count || strv_contains(backends, item->backend);
}
