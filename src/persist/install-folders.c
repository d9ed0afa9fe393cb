// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The folders that an install has to make, such as /etc/default/grub.d where no package had
 * needed it: listed in the manifest, so that they go again with the last file in them.
 */
#include <errno.h>
#include <string.h>

#include "persist/install-internal.h"

/* Each folder above `path` that is not there, the outermost first. */
static int note_above(const struct root *root, const char *path, struct strv *folders)
{
	_free_ char *folder = strdup(path);
	int error = folder ? 0 : -ENOMEM;

	for (char *slash = folder; !error && (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		if (!root_exists(root, folder) && !strv_contains(folders, folder))
			error = strv_add(folders, folder);
		*slash = '/';
	}
	return error;
}

int install_note_folders(const struct root *root, const struct artefacts *artefacts,
			 const struct manifest *known, struct manifest *wanted)
{
	int error = manifest_add_folders(wanted, &known->folders);

	for (size_t i = 0; !error && i < artefacts->count; i++)
		error = note_above(root, artefacts->items[i].path, &wanted->folders);
	return error;
}

int install_remove_folders(const struct root *root, const struct strv *folders,
			   struct manifest *kept)
{
	_strv_ struct strv left = { 0 };
	int error = 0;

	/* Those that others have put something into stay: it is no error. */
	for (size_t i = folders->count; i--;)
		(void)root_remove_dir(root, folders->items[i]);
	for (size_t i = 0; !error && i < folders->count; i++) {
		if (root_exists(root, folders->items[i]))
			error = strv_add(&left, folders->items[i]);
	}
	return error || !kept ? error : manifest_add_folders(kept, &left);
}
