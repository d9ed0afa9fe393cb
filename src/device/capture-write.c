// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writing the entries of a snapshot: in order, each once, serial numbers taken out.
 */
#include <errno.h>
#include <string.h>

#include "device/capture-internal.h"
#include "device/capture.h"
#include "sysfs/paths.h"

static void redact_udev(const struct redactor *redactor, const char *value,
			struct text *out)
{
	_free_ char *copy = strdup(value);
	char *rest = copy, *line;

	if (!copy)
		out->error = -ENOMEM;
	for (bool is_first = true; (line = capture_next_line(&rest)); is_first = false) {
		char *equals = strchr(line, '=');

		if (!is_first)
			text_add(out, "\n");
		if (!equals || !text_starts_with(line, "E:")) {
			redactor_add_text(redactor, line, true, out);
			continue;
		}
		*equals = '\0';
		text_addf(out, "%s=", line);
		if (!strcmp(line, "E:DM_UUID"))
			redact_add_dm_uuid(equals + 1, out);
		else if (redact_is_secret_property(line + 2))
			text_add(out, CAPTURE_REDACTED);
		else
			redactor_add_text(redactor, equals + 1, true, out);
	}
}

static void redact_value(const struct capture *capture, const struct capture_entry *entry,
			 struct text *out)
{
	switch (entry->secrecy) {
	case SECRECY_WHOLE:
		/* "t10.<maker> <model> <serial>" is no WWN: that it is of this kind stays */
		if (text_starts_with(entry->value, "t10."))
			text_add(out, "t10. ");
		if (*entry->value)
			text_add(out, CAPTURE_REDACTED);
		break;
	case SECRECY_DM_UUID:
		redact_add_dm_uuid(entry->value, out);
		break;
	case SECRECY_UDEV:
		redact_udev(&capture->redactor, entry->value, out);
		break;
	case SECRECY_FORM:
	case SECRECY_KNOWN:
		redactor_add_text(&capture->redactor, entry->value,
				  entry->secrecy == SECRECY_FORM, out);
		break;
	}
}

/* Kernel paths hold no serial numbers; links below dev/ do. */
static int redact_entry(const struct capture *capture, struct capture_entry *entry)
{
	_text_ struct text path = { 0 }, value = { 0 };
	int error = 0;

	if (text_starts_with(entry->path, PATH_DEV "/")) {
		redactor_add_text(&capture->redactor, entry->path, true, &path);
		free(TAKE_PTR(entry->path));
		error = text_take(&path, &entry->path);
	}
	if (error || entry->kind != SNAPSHOT_FILE)
		return error;
	redact_value(capture, entry, &value);
	free(TAKE_PTR(entry->value));
	return text_take(&value, &entry->value);
}

/* By path; of the same path a directory comes last, since files below it imply it. */
static int compare_entries(const void *a, const void *b)
{
	const struct capture_entry *left = a, *right = b;
	int order = strcmp(left->path, right->path);

	if (order)
		return order;
	return (left->kind == SNAPSHOT_DIR) - (right->kind == SNAPSHOT_DIR);
}

/* A directory needs its own line only when no other line is below it. */
static bool is_implied(const struct capture *capture, size_t i)
{
	const char *path = capture->items[i].path;
	size_t len = strlen(path);

	for (size_t n = i + 1; n < capture->count; n++) {
		const char *next = capture->items[n].path;

		if (strncmp(next, path, len))
			return false;
		if (next[len] == '/')
			return true;
	}
	return false;
}

static void write_entry(const struct capture *capture, size_t i, struct text *out)
{
	const struct capture_entry *entry = &capture->items[i];

	switch (entry->kind) {
	case SNAPSHOT_FILE:
		snapshot_add_value(out, entry->path, entry->value, strlen(entry->value),
				   entry->is_writable);
		break;
	case SNAPSHOT_LINK:
		snapshot_add_link(out, entry->path, entry->value);
		break;
	case SNAPSHOT_ERROR:
		snapshot_add_error(out, entry->path, entry->error);
		break;
	case SNAPSHOT_DIR:
		if (!is_implied(capture, i))
			snapshot_add_dir(out, entry->path);
		break;
	}
}

int capture_write(struct capture *capture, struct text *out)
{
	if (capture->error)
		return capture->error;
	redactor_seal(&capture->redactor);
	for (size_t i = 0; !capture->with_serials && i < capture->count; i++) {
		int error = redact_entry(capture, &capture->items[i]);

		if (error)
			return error;
	}
	if (capture->count)
		qsort(capture->items, capture->count, sizeof(*capture->items),
		      compare_entries);
	snapshot_add_header(out);
	for (size_t i = 0; i < capture->count; i++)
		if (!i || strcmp(capture->items[i - 1].path, capture->items[i].path))
			write_entry(capture, i, out);
	return out->error;
}
