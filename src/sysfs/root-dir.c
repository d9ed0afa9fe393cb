// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A directory of the root kept open, for the many short reads of one device. On the host
 * everything is relative to its descriptor; in a tree or a snapshot paths are resolved
 * from the root each time, so that links such as "device" stay inside.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>

#include "sysfs/root-internal.h"
#include "sysfs/root.h"

/* "<dir>/<name>" from the root. */
static int join_path(const struct root_dir *dir, const char *name, char *buf, size_t size)
{
	int len, error = root_check_path(name);

	if (error)
		return error;
	len = snprintf(buf, size, "%s/%s", dir->path, name);
	return len < 0 || (size_t)len >= size ? -ENAMETOOLONG : 0;
}

static int open_path(const struct root *root, const char *path, struct root_dir *ret)
{
	const struct snapshot_entry *entry = NULL;
	_free_ char *resolved = NULL;
	_close_ int fd = -1;
	int error = 0;

	if (root->kind == ROOT_SNAPSHOT) {
		error = snapshot_lookup(root->snapshot, path, true, &entry, &resolved);
		if (!error && entry && entry->kind != SNAPSHOT_DIR)
			error = -ENOTDIR;
	} else {
		fd = root_openat(root, path, O_PATH | O_DIRECTORY, 0);
		error = fd < 0 ? fd : 0;
		resolved = strdup(path);
	}
	if (error)
		return error;
	if (!resolved)
		return -ENOMEM;
	*ret = (struct root_dir){ .root = root, .fd = -1, .path = TAKE_PTR(resolved) };
	return 0;
}

static int open_host(const struct root *root, int dirfd, const char *path,
		     struct root_dir *ret)
{
	int fd = openat(dirfd, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return root_note(root, -errno);
	*ret = (struct root_dir){ .root = root, .fd = fd, .path = NULL };
	return 0;
}

int root_dir_open(const struct root *root, const char *path, struct root_dir *ret)
{
	int error = root_check_path(path);

	if (error)
		return error;
	if (root->kind == ROOT_HOST)
		return open_host(root, root->fd, path, ret);
	return open_path(root, path, ret);
}

int root_dir_open_at(const struct root_dir *dir, const char *name, struct root_dir *ret)
{
	char path[PATH_MAX];
	int error;

	if (dir->fd >= 0) {
		error = root_check_path(name);
		return error ? error : open_host(dir->root, dir->fd, name, ret);
	}
	error = join_path(dir, name, path, sizeof(path));
	return error ? error : open_path(dir->root, path, ret);
}

void root_dir_done(struct root_dir *dir)
{
	if (dir->fd >= 0)
		close(dir->fd);
	free(dir->path);
	*dir = ROOT_DIR_NONE;
}

/* A tree that somebody made can hold a FIFO or a device where sysfs has a file. */
static ssize_t read_tree(const struct root *root, const char *path, char *buf, size_t size)
{
	_close_ int fd = root_openat(root, path, O_RDONLY | O_NONBLOCK | O_NOCTTY, 0);
	struct stat st;

	if (fd < 0)
		return fd;
	if (fstat(fd, &st) < 0)
		return -errno;
	return S_ISREG(st.st_mode) ? root_read_fd(fd, buf, size) : -EBADMSG;
}

static ssize_t read_snapshot(const struct root *root, const char *path, char *buf,
			     size_t size)
{
	_free_ char *value = NULL;
	size_t len;
	int error = root_read(root, path, &value);

	if (error)
		return error;
	len = strlen(value);
	if (len >= size)
		return -EFBIG;
	memcpy(buf, value, len + 1);
	return (ssize_t)len;
}

ssize_t root_dir_read(const struct root_dir *dir, const char *name, char *buf, size_t size)
{
	char path[PATH_MAX];
	_close_ int fd = -1;
	int error;

	if (dir->fd < 0) {
		error = join_path(dir, name, path, sizeof(path));
		if (error)
			return error;
		if (dir->root->kind == ROOT_SNAPSHOT)
			return read_snapshot(dir->root, path, buf, size);
		return read_tree(dir->root, path, buf, size);
	}
	error = root_check_path(name);
	if (error)
		return error;
	fd = openat(dir->fd, name, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	return fd < 0 ? root_note(dir->root, -errno) : root_read_fd(fd, buf, size);
}

int root_dir_read_link(const struct root_dir *dir, const char *name, char **ret)
{
	char path[PATH_MAX];
	ssize_t len;
	int error;

	if (dir->fd < 0) {
		error = join_path(dir, name, path, sizeof(path));
		return error ? error : root_read_link(dir->root, path, ret);
	}
	error = root_check_path(name);
	if (error)
		return error;
	len = readlinkat(dir->fd, name, path, sizeof(path));
	if (len < 0)
		return -errno;
	if ((size_t)len >= sizeof(path))
		return -ENAMETOOLONG;
	*ret = strndup(path, (size_t)len);
	return *ret ? 0 : -ENOMEM;
}

int root_dir_list(const struct root_dir *dir, const char *name, struct strv *ret)
{
	char path[PATH_MAX];
	int fd, error;

	if (dir->fd < 0) {
		error = join_path(dir, name, path, sizeof(path));
		return error ? error : root_list(dir->root, path, ret);
	}
	error = root_check_path(name);
	if (error)
		return error;
	fd = openat(dir->fd, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return fd < 0 ? root_note(dir->root, -errno) : root_list_fd(fd, ret);
}

bool root_dir_exists(const struct root_dir *dir, const char *name)
{
	char path[PATH_MAX];

	if (dir->fd < 0)
		return !join_path(dir, name, path, sizeof(path)) &&
		       root_exists(dir->root, path);
	return !root_check_path(name) && faccessat(dir->fd, name, F_OK, 0) == 0;
}

bool root_dir_is_writable(const struct root_dir *dir, const char *name)
{
	const struct snapshot_entry *entry = NULL;
	_free_ char *resolved = NULL;
	char path[PATH_MAX];
	_close_ int fd = -1;
	struct stat st;

	if (dir->fd >= 0)
		return !root_check_path(name) &&
		       fstatat(dir->fd, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
		       S_ISREG(st.st_mode) && st.st_mode & S_IWUSR;
	if (join_path(dir, name, path, sizeof(path)))
		return false;
	if (dir->root->kind == ROOT_SNAPSHOT)
		return !snapshot_lookup(dir->root->snapshot, path, true, &entry, &resolved) &&
		       entry && entry->is_writable;
	fd = root_openat(dir->root, path, O_PATH, 0);
	return fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	       st.st_mode & S_IWUSR;
}
