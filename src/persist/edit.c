// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Edits of a text by byte position.
 */
#include "persist/edit.h"

#include <errno.h>
#include <string.h>

void edits_done(struct edits *edits)
{
	for (size_t i = 0; i < edits->count; i++)
		free(edits->items[i].insert);
	free(edits->items);
	*edits = (struct edits){ 0 };
}

void edits_add(struct edits *edits, size_t at, size_t remove_len, const char *insert)
{
	struct edit *edit;

	if (edits->error)
		return;
	if (edits->count == edits->room) {
		size_t room = edits->room ? edits->room * 2 : 8;
		struct edit *items = reallocarray(edits->items, room, sizeof(*items));

		if (!items) {
			edits->error = -ENOMEM;
			return;
		}
		edits->items = items;
		edits->room = room;
	}
	edit = &edits->items[edits->count];
	*edit = (struct edit){ .at = at,
			       .remove_len = remove_len,
			       .order = edits->count };
	if (insert) {
		edit->insert = strdup(insert);
		if (!edit->insert) {
			edits->error = -ENOMEM;
			return;
		}
	}
	edits->count++;
}

static int compare_edits(const void *a, const void *b)
{
	const struct edit *x = a, *y = b;

	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

int edits_apply(struct edits *edits, const char *data, size_t len, char **ret,
		size_t *ret_len)
{
	_text_ struct text out = { 0 };
	size_t at = 0, out_len;
	int error;

	if (edits->error)
		return edits->error;
	if (edits->count > 1)
		qsort(edits->items, edits->count, sizeof(*edits->items), compare_edits);
	for (size_t i = 0; i < edits->count; i++) {
		const struct edit *edit = &edits->items[i];

		if (edit->at > len || edit->remove_len > len - edit->at ||
		    (edit->insert && edit->at < at))
			return -EINVAL;
		if (edit->at > at)
			text_add_bytes(&out, data + at, edit->at - at);
		if (edit->insert)
			text_add(&out, edit->insert);
		if (edit->at + edit->remove_len > at)
			at = edit->at + edit->remove_len;
	}
	text_add_bytes(&out, data + at, len - at);
	out_len = out.len;
	error = text_take(&out, ret);
	if (!error)
		*ret_len = out_len;
	return error;
}
