/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The manifest: what `persist install` has put where, kept in the state directory, so
 * that a later run can tell, check and remove it. It is written before the first
 * artefact, so that what a killed install has left behind can be removed too.
 */
#ifndef IOSCHED_PERSIST_MANIFEST_H
#define IOSCHED_PERSIST_MANIFEST_H

#include "persist/artefact.h"
#include "sysfs/root.h"
#include "util/diag.h"

#define MANIFEST_SIZE_MAX (1024u * 1024)
#define MANIFEST_ITEM_MAX 4096

struct manifest_item {
	enum artefact_kind kind;
	char *backend;
	char *path;
	uint64_t hash;                /* FILE, EDIT: of the content as it was written */
	char *target;                 /* LINK */
	enum boot_file_format format; /* EDIT */
	char *argument;               /* EDIT */
};

struct manifest {
	char *profile; /* as it was asked for; NULL when nothing is installed */
	struct manifest_item *items;
	size_t count;
	struct strv schedulers; /* that the policy chose and that were modules then */
	struct strv folders;    /* that were made for the artefacts, the outermost first */
};

void manifest_free(struct manifest *manifest);
DEFINE_CLEANUP(struct manifest *, manifest_free)

/* What the artefacts will look like. */
int manifest_make(const char *profile, const struct artefacts *artefacts,
		  struct manifest **ret);
int manifest_add_schedulers(struct manifest *manifest, const struct strv *schedulers);
int manifest_add_folders(struct manifest *manifest, const struct strv *folders);
/* No file: an empty manifest. -EBADMSG with diag when it cannot be understood. */
int manifest_load(const struct root *root, struct manifest **ret, struct diag *diag);
/* Adds the files of our own that lie where we put them and are not in the manifest: a
   lost state directory, or the output of `generate`. -ENOMEM only. */
int manifest_discover(const struct root *root, struct manifest *manifest);
/* An empty one removes the file. */
int manifest_save(const struct root *root, const struct manifest *manifest);

const struct manifest_item *manifest_find(const struct manifest *manifest,
					  const char *path);
bool manifest_has_backend(const struct manifest *manifest, const char *backend);
/* Adds a copy of an item of another manifest. */
int manifest_add(struct manifest *manifest, const struct manifest_item *item);

#endif
