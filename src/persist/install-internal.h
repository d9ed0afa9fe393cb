/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What install.c, install-remove.c and install-diff.c share. Not for others.
 */
#ifndef IOSCHED_PERSIST_INSTALL_INTERNAL_H
#define IOSCHED_PERSIST_INSTALL_INTERNAL_H

#include "persist/install.h"

/* The file that a backup holds; -ENOENT. */
int install_read_backup(const struct root *root, const char *path, struct root_file *ret);

/* What taking an item out leaves: content, or NULL for no file. -ENOENT: nothing to do. */
struct install_undo {
	char *content;
	size_t len;
	mode_t mode;
};
int install_plan_undo(const struct root *root, const struct manifest_item *item,
		      const struct artefact_present *present, struct install_undo *ret,
		      struct diag *diag);

/* Takes one item out and its backup with it. -EEXIST: edited by hand, and not forced. */
int install_remove_item(const struct root *root, const struct manifest_item *item,
			bool is_forced, bool *ret_changed, struct strv *notes,
			struct diag *diag);

/* Adds to `wanted` the folders that `artefacts` need and that are not there, and those that
   an earlier install made. -ENOMEM. */
int install_note_folders(const struct root *root, const struct artefacts *artefacts,
			 const struct manifest *known, struct manifest *wanted);
/* Removes those of `folders` that are empty, and adds the others to `kept` (or NULL).
   -ENOMEM. */
int install_remove_folders(const struct root *root, const struct strv *folders,
			   struct manifest *kept);

int install_make_parent(const struct root *root, const char *path, mode_t mode);

bool install_is_asked(const struct manifest_item *item, const struct strv *backends);

#endif
