// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What an install or a removal would change, as unified differences.
 */
#include <errno.h>
#include <string.h>

#include "persist/diff.h"
#include "persist/install-internal.h"

/* A link as a text of one line, as version control shows it. */
static void diff_link(struct text *out, const char *path, const char *before,
		      const char *after)
{
	diff_add(out, path, before, before ? strlen(before) : 0, after,
		 after ? strlen(after) : 0);
}

static int diff_removal(const struct root *root, const struct manifest_item *item,
			struct text *out)
{
	_cleanup_(artefact_present_done) struct artefact_present present = { 0 };
	struct install_undo undo = { 0 };
	int error = manifest_look(root, item, &present);

	if (error)
		return error;
	if (item->kind == ARTEFACT_LINK) {
		if (present.state == STATE_SAME)
			diff_link(out, item->path, item->target, NULL);
		return 0;
	}
	if (!install_plan_undo(root, item, &present, &undo, NULL))
		diff_add(out, item->path, present.file.data, present.file.len,
			 undo.content, undo.len);
	free(undo.content);
	return 0;
}

int install_diff_remove(const struct root *root, const struct manifest *known,
			const struct strv *backends, struct text *out)
{
	int error = 0;

	for (size_t i = 0; !error && i < known->count; i++)
		if (install_is_asked(&known->items[i], backends))
			error = diff_removal(root, &known->items[i], out);
	return error ? error : out->error;
}

static int diff_artefact(const struct root *root, const struct artefact *artefact,
			 struct text *out)
{
	_cleanup_(artefact_present_done) struct artefact_present present = { 0 };
	int error = artefact_look(root, artefact, &present);

	if (error || present.state == STATE_SAME)
		return error;
	if (artefact->kind == ARTEFACT_LINK)
		diff_link(out, artefact->path, NULL, artefact->target);
	else
		diff_add(out, artefact->path, present.file.data, present.file.len,
			 artefact->content, artefact->len);
	return 0;
}

static bool is_wanted(const struct artefacts *artefacts, const char *path)
{
	for (size_t i = 0; i < artefacts->count; i++)
		if (!strcmp(artefacts->items[i].path, path))
			return true;
	return false;
}

int install_diff(const struct root *root, const struct artefacts *artefacts,
		 const struct manifest *known, struct text *out)
{
	int error = 0;

	for (size_t i = 0; !error && i < artefacts->count; i++)
		error = diff_artefact(root, &artefacts->items[i], out);
	for (size_t i = 0; !error && i < known->count; i++)
		if (!is_wanted(artefacts, known->items[i].path))
			error = diff_removal(root, &known->items[i], out);
	return error ? error : out->error;
}
