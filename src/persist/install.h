/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The one writer: puts artefacts into a root and takes them out again. Every file is
 * replaced as a whole, what was there before is kept in the state directory and comes
 * back when the artefact is removed. When one of them cannot be written, those written
 * before it are put back.
 */
#ifndef IOSCHED_PERSIST_INSTALL_H
#define IOSCHED_PERSIST_INSTALL_H

#include "persist/artefact.h"
#include "persist/manifest.h"
#include "sysfs/root.h"
#include "util/diag.h"

/*
 * How an artefact stands in the root.
 */
enum artefact_state {
	STATE_ABSENT,
	STATE_SAME,    /* as it shall be */
	STATE_OURS,    /* written by us, for another policy or by another version */
	STATE_EDITED,  /* ours, and changed by hand since */
	STATE_FOREIGN, /* a file or link of that name that is not ours */
	STATE_BLOCKED, /* a link planted there, a directory, not readable */
};
const char *artefact_state_name(enum artefact_state state);

/* The file at an artefact's place, and what it is. */
struct artefact_present {
	enum artefact_state state;
	int error;             /* STATE_BLOCKED: why */
	struct root_file file; /* data NULL when there is none */
};
void artefact_present_done(struct artefact_present *present);

/* -ENOMEM only. */
int artefact_look(const struct root *root, const struct artefact *artefact,
		  struct artefact_present *ret);
/* The same for an item of the manifest: SAME means as it was written. */
int manifest_look(const struct root *root, const struct manifest_item *item,
		  struct artefact_present *ret);

/*
 * -EEXIST with a diag for a foreign or an edited file unless `is_forced`; -ELOOP and
 * others for a blocked one, forced or not. Nothing is written then.
 */
int install_check(const struct root *root, const struct artefacts *artefacts,
		  bool is_forced, struct diag *diag);

/*
 * Writes what is not there yet; then removes what `known` has and `artefacts` has not.
 * `schedulers` goes into the manifest.
 * *ret_written counts what was changed. Checks first, as above.
 */
int install_write(const struct root *root, const char *profile,
		  const struct artefacts *artefacts, const struct strv *schedulers,
		  const struct manifest *known, bool is_forced, size_t *ret_written,
		  struct diag *diag);

/*
 * Removes the artefacts of `known` whose backend is in `backends` (empty: all), newest
 * first, brings back what was there before, and clears the state directory of ours. A
 * file that was edited by hand is left, with -EEXIST at the end, unless `is_forced`, when a
 * copy ".removed" stays in the state directory, told in `notes`; one that is not ours any
 * more is left in any case, with a line in `notes`.
 */
int install_remove(const struct root *root, const struct manifest *known,
		   const struct strv *backends, bool is_forced, size_t *ret_removed,
		   struct strv *notes, struct diag *diag);

/* After a removal: the lock, what a killed run has left, and the state directory, unless
   something is still installed or an apply keeps its journal there. */
void install_clear_state(const struct root *root);

/* Unified differences of what install_write() or install_remove() would do. */
int install_diff(const struct root *root, const struct artefacts *artefacts,
		 const struct manifest *known, struct text *out);
int install_diff_remove(const struct root *root, const struct manifest *known,
			const struct strv *backends, struct text *out);

/* The path of the copy that is kept of a file. *ret to free(). */
int install_backup_path(const char *path, char **ret);

#endif
