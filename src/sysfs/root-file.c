// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The root handle: configuration files byte by byte, for those who edit them.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "sysfs/root-internal.h"
#include "sysfs/root.h"

void root_file_done(struct root_file *file)
{
	free(file->data);
	*file = (struct root_file){ 0 };
}

/* Every byte: st_size is where to begin, not what to believe. */
static int read_bytes(int fd, struct root_file *ret)
{
	_text_ struct text text = { 0 };
	int error = root_read_rest(fd, &text);
	size_t len = text.len;

	if (!error)
		error = text_take(&text, &ret->data);
	if (!error)
		ret->len = len;
	return error;
}

static int snapshot_read_file(const struct root *root, const char *path,
			      struct root_file *ret)
{
	const struct snapshot_entry *entry;
	_free_ char *resolved = NULL;
	int error = snapshot_lookup(root->snapshot, path, false, &entry, &resolved);

	if (error)
		return error;
	if (entry->kind == SNAPSHOT_ERROR)
		return entry->error;
	if (entry->kind != SNAPSHOT_FILE)
		return entry->kind == SNAPSHOT_LINK ? -ELOOP : -EISDIR;
	ret->data = calloc(1, entry->len + 1);
	if (!ret->data)
		return -ENOMEM;
	memcpy(ret->data, entry->value, entry->len);
	ret->len = entry->len;
	ret->mode = 0644;
	return 0;
}

int root_read_file(const struct root *root, const char *path, struct root_file *ret)
{
	_close_ int dirfd = -1, fd = -1;
	struct root_file file = { 0 };
	const char *base;
	struct stat st;
	int error = root_check_path(path);

	if (!error && root->kind == ROOT_SNAPSHOT)
		return snapshot_read_file(root, path, ret);
	if (!error)
		error = root_open_parent(root, path, &base, &dirfd);
	if (error)
		return error;
	fd = openat(dirfd, base, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st) < 0)
		return -errno;
	if (!S_ISREG(st.st_mode))
		return S_ISDIR(st.st_mode) ? -EISDIR : -EBADMSG;
	error = read_bytes(fd, &file);
	if (error)
		return error;
	file.mode = st.st_mode & 07777;
	*ret = file;
	return 0;
}

int root_list_files(const struct root *root, const char *folder, const char *suffix,
		    struct strv *ret)
{
	_strv_ struct strv names = { 0 }, paths = { 0 };
	int error = root_list(root, folder, &names);

	if (error)
		return error == -ENOMEM ? error : 0;
	for (size_t i = 0; i < names.count && !error; i++) {
		_free_ char *path = NULL;

		if (!text_ends_with(names.items[i], suffix))
			continue;
		if (asprintf(&path, "%s/%s", folder, names.items[i]) < 0) {
			path = NULL;
			return -ENOMEM;
		}
		error = strv_add(&paths, path);
	}
	if (error)
		return error;
	*ret = paths;
	paths = (struct strv){ 0 };
	return 0;
}
