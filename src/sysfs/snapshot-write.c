// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The lines of a snapshot, and the names of errors in them.
 */
#include "sysfs/snapshot-internal.h"

#include <errno.h>
#include <string.h>

/* The errors that reading an attribute gives in practice. */
static const struct {
	const char *name;
	int error;
} error_names[] = {
	{ "EACCES", -EACCES },
	{ "EAGAIN", -EAGAIN },
	{ "EBADMSG", -EBADMSG },
	{ "EBUSY", -EBUSY },
	{ "EFBIG", -EFBIG },
	{ "EINVAL", -EINVAL },
	{ "EIO", -EIO },
	{ "ELOOP", -ELOOP },
	{ "ENODATA", -ENODATA },
	{ "ENODEV", -ENODEV },
	{ "ENOENT", -ENOENT },
	{ "ENOMEDIUM", -ENOMEDIUM },
	{ "ENOMEM", -ENOMEM },
	{ "ENXIO", -ENXIO },
	{ "EOPNOTSUPP", -EOPNOTSUPP },
	{ "EPERM", -EPERM },
	{ "EROFS", -EROFS },
	{ "ESHUTDOWN", -ESHUTDOWN },
	{ "ETIMEDOUT", -ETIMEDOUT },
};

int snapshot_error_parse(const char *name, size_t len, int *ret)
{
	for (size_t i = 0; i < ARRAY_SIZE(error_names); i++) {
		if (strlen(error_names[i].name) == len &&
		    !memcmp(error_names[i].name, name, len)) {
			*ret = error_names[i].error;
			return 0;
		}
	}
	return -EINVAL;
}

static const char *error_name(int error)
{
	for (size_t i = 0; i < ARRAY_SIZE(error_names); i++)
		if (error_names[i].error == error)
			return error_names[i].name;
	return "EIO";
}

/* As a value, and a space becomes \x20: the first space ends the path. */
static void add_path(struct text *out, const char *path)
{
	text_add(out, "/");
	while (*path) {
		size_t len = strcspn(path, " ");

		text_add_escaped(out, path, len);
		path += len;
		if (*path) {
			text_add(out, "\\x20");
			path++;
		}
	}
}

void snapshot_add_value(struct text *out, const char *path, const char *data, size_t len,
			bool is_writable)
{
	add_path(out, path);
	text_add(out, is_writable ? " := " : " = ");
	text_add_escaped(out, data, len);
	text_add(out, "\n");
}

void snapshot_add_link(struct text *out, const char *path, const char *target)
{
	add_path(out, path);
	text_add(out, " -> ");
	text_add_escaped(out, target, strlen(target));
	text_add(out, "\n");
}

void snapshot_add_error(struct text *out, const char *path, int error)
{
	add_path(out, path);
	text_addf(out, " ! %s\n", error_name(error));
}

void snapshot_add_dir(struct text *out, const char *path)
{
	add_path(out, path);
	text_add(out, "/\n");
}

void snapshot_add_header(struct text *out)
{
	text_add(out, SNAPSHOT_HEADER "\n");
}
