/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Edits of a text by byte position: collected while it is read, applied in one go, so
 * that every byte that no edit names stays as it was.
 */
#ifndef IOSCHED_PERSIST_EDIT_H
#define IOSCHED_PERSIST_EDIT_H

#include <stddef.h>

#include "util/text.h"

struct edit {
	size_t at, remove_len; /* bytes of the old text */
	char *insert;          /* owned; NULL: nothing */
	size_t order;          /* of equal positions: as they were added */
};

struct edits {
	struct edit *items;
	size_t count, room;
	int error; /* sticky -ENOMEM */
};

void edits_done(struct edits *edits);
#define _edits_ _cleanup_(edits_done)

/* Removes `remove_len` bytes at `at` and puts `insert` (NULL: nothing) there. */
void edits_add(struct edits *edits, size_t at, size_t remove_len, const char *insert);

/*
 * The new text, NUL-terminated. Removals may overlap; -EINVAL when an insertion falls
 * into removed text or an edit reaches past the end.
 */
int edits_apply(struct edits *edits, const char *data, size_t len, char **ret,
		size_t *ret_len);

#endif
