// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The text form of a host: parsing. Every line is checked by itself, then the sorted whole:
 * no path twice, nothing below a file.
 */
#include "sysfs/snapshot.h"
#include "sysfs/snapshot-internal.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "util/i18n.h"

void snapshot_free(struct snapshot *snapshot)
{
	if (!snapshot)
		return;
	for (size_t i = 0; i < snapshot->count; i++) {
		free(snapshot->items[i].entry.path);
		free(snapshot->items[i].entry.value);
	}
	free(snapshot->items);
	free(snapshot);
}

/* Absolute, no empty, "." or ".." component, nothing that is too long. */
static bool is_plain_path(const char *path)
{
	if (*path != '/' || !path[1] || strlen(path) > SNAPSHOT_PATH_MAX)
		return false;
	for (const char *p = path; *p;) {
		size_t len = strcspn(++p, "/");

		if (!len || (len == 1 && *p == '.') || (len == 2 && !strncmp(p, "..", 2)))
			return false;
		p += len;
	}
	return true;
}

/* Unescapes [start, end) into a string of its own; *ret_len may be NULL. */
static int take_field(const char *start, const char *end, char **ret, size_t *ret_len)
{
	_text_ struct text text = { 0 };
	int error = text_unescape(start, (size_t)(end - start), &text);

	if (error)
		return error;
	if (ret_len)
		*ret_len = text.len;
	return text_take(&text, ret);
}

static int parse_fields(const char *line, const char *end, struct snapshot_entry *entry)
{
	const char *space = memchr(line, ' ', (size_t)(end - line));
	const char *rest = space ? space + 1 : end;
	size_t left = (size_t)(end - rest);
	_free_ char *path = NULL;
	int error = take_field(line, space ? space : end, &path, NULL);

	if (error)
		return error;
	if (!space) {
		size_t len = strlen(path);

		if (len < 2 || path[len - 1] != '/')
			return -EINVAL;
		path[len - 1] = '\0';
		entry->kind = SNAPSHOT_DIR;
	} else if (left >= 3 && !memcmp(rest, "-> ", 3)) {
		entry->kind = SNAPSHOT_LINK;
		error = take_field(rest + 3, end, &entry->value, &entry->len);
		if (!error && !entry->len)
			error = -EINVAL;
	} else if (left >= 2 && !memcmp(rest, "! ", 2)) {
		entry->kind = SNAPSHOT_ERROR;
		error = snapshot_error_parse(rest + 2, left - 2, &entry->error);
	} else if (left >= 1 && *rest == '=' && (left == 1 || rest[1] == ' ')) {
		error = take_field(left == 1 ? end : rest + 2, end, &entry->value,
				   &entry->len);
	} else if (left >= 2 && !memcmp(rest, ":=", 2) && (left == 2 || rest[2] == ' ')) {
		entry->is_writable = true;
		error = take_field(left == 2 ? end : rest + 3, end, &entry->value,
				   &entry->len);
	} else {
		return -EINVAL;
	}
	if (error)
		return error;
	if (!is_plain_path(path))
		return -EINVAL;
	entry->path = strdup(path + 1);
	return entry->path ? 0 : -ENOMEM;
}

static int parse_line(struct snapshot *snapshot, const char *line, const char *end,
		      unsigned number)
{
	struct snapshot_item item = { .entry = { .kind = SNAPSHOT_FILE },
				      .line = number };
	int error;

	if (snapshot->count == SNAPSHOT_ENTRY_MAX)
		return -EFBIG;
	if (snapshot->count == snapshot->room) {
		size_t room = snapshot->room ? snapshot->room * 2 : 256;
		struct snapshot_item *items =
			reallocarray(snapshot->items, room, sizeof(*items));

		if (!items)
			return -ENOMEM;
		snapshot->items = items;
		snapshot->room = room;
	}
	error = parse_fields(line, end, &item.entry);
	if (error) {
		free(item.entry.path);
		free(item.entry.value);
		return error;
	}
	snapshot->items[snapshot->count++] = item;
	return 0;
}

static int compare_items(const void *a, const void *b)
{
	const struct snapshot_item *left = a, *right = b;
	int order = strcmp(left->entry.path, right->entry.path);

	if (order)
		return order;
	return left->line < right->line ? -1 : left->line > right->line;
}

/* Sorted: no path twice, and nothing below a file or a link. */
static int check_entries(const struct snapshot *snapshot, const char *name,
			 struct diag *diag)
{
	char path[SNAPSHOT_PATH_MAX + 2];

	for (size_t i = 0; i < snapshot->count; i++) {
		const struct snapshot_item *item = &snapshot->items[i];
		size_t below;

		if (i && !strcmp(item[-1].entry.path, item->entry.path)) {
			diag_set(diag, -EINVAL, _("the path /%s is there twice"),
				 item->entry.path);
			diag_at(diag, name, item->line);
			return -EINVAL;
		}
		if (item->entry.kind == SNAPSHOT_DIR)
			continue;
		strncpy(path, item->entry.path, sizeof(path) - 2);
		path[sizeof(path) - 2] = '\0';
		below = snapshot_find_below(snapshot, path);
		if (below != SIZE_MAX) {
			diag_set(diag, -EINVAL,
				 _("the path lies below /%s, which is no directory"),
				 item->entry.path);
			diag_at(diag, name, snapshot->items[below].line);
			return -EINVAL;
		}
	}
	return 0;
}

static int parse_lines(struct snapshot *snapshot, const char *data, size_t len,
		       const char *name, struct diag *diag)
{
	const char *end = data + len;
	bool has_returns = false; /* it went through a program that ends lines with CR LF */
	unsigned number = 1;

	for (const char *line = data; line < end; number++) {
		const char *stop = memchr(line, '\n', (size_t)(end - line));
		const char *next = stop ? stop + 1 : end;
		int error = 0;

		if (!stop)
			stop = end;
		/* In a value a CR is written \x0d. */
		if (number == 1)
			has_returns = stop > line && stop[-1] == '\r';
		if (has_returns && stop > line && stop[-1] == '\r')
			stop--;
		if (number == 1) {
			size_t length = (size_t)(stop - line);

			if (length != strlen(SNAPSHOT_HEADER) ||
			    memcmp(line, SNAPSHOT_HEADER, length))
				error = diag_set(diag, -EINVAL,
						 _("this is no snapshot: its first line "
						   "is not \"%s\""),
						 SNAPSHOT_HEADER);
		} else if (stop > line && *line != '#') {
			error = parse_line(snapshot, line, stop, number);
			if (error == -EFBIG)
				diag_set(diag, error, _("more than %u entries"),
					 SNAPSHOT_ENTRY_MAX);
			else if (error && error != -ENOMEM)
				diag_set(diag, error,
					 _("not \"/path = value\", \"/path -> target\", "
					   "\"/path ! ERROR\" or \"/path/\""));
		}
		if (error) {
			diag_at(diag, name, number);
			return error;
		}
		line = next;
	}
	return 0;
}

int snapshot_parse(const char *data, size_t len, const char *name, struct snapshot **ret,
		   struct diag *diag)
{
	_cleanup_(cleanup_snapshot_free) struct snapshot *snapshot = NULL;
	int error;

	if (len > SNAPSHOT_SIZE_MAX) {
		diag_set(diag, -EFBIG, _("larger than %u MiB"), SNAPSHOT_SIZE_MAX >> 20);
		diag_at(diag, name, 0);
		return -EFBIG;
	}
	if (!len || memchr(data, '\0', len)) {
		diag_set(diag, -EINVAL,
			 len ? _("this is no snapshot: it holds NUL bytes")
			     : _("this is no snapshot: it is empty"));
		diag_at(diag, name, 0);
		return -EINVAL;
	}
	snapshot = calloc(1, sizeof(*snapshot));
	if (!snapshot)
		return -ENOMEM;
	error = parse_lines(snapshot, data, len, name, diag);
	if (error)
		return error;
	if (snapshot->count)
		qsort(snapshot->items, snapshot->count, sizeof(*snapshot->items),
		      compare_items);
	error = check_entries(snapshot, name, diag);
	if (error)
		return error;
	*ret = TAKE_PTR(snapshot);
	return 0;
}
