// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What is written below a root: attributes with one write(2), files of our own and
 * configuration by temporary, fsync and rename.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "sysfs/root-internal.h"
#include "sysfs/root.h"
#include "util/number.h"

/* Takes the descriptor over. A file of a tree is replaced, as an attribute's value is. */
static int write_value(const struct root *root, int opened, const char *value)
{
	size_t len = strlen(value);
	_close_ int fd = opened;
	struct stat st;
	ssize_t n;

	if (root->kind == ROOT_DIR) {
		if (fstat(fd, &st) < 0)
			return -errno;
		if (!S_ISREG(st.st_mode))
			return -EBADMSG;
		if (ftruncate(fd, 0) < 0)
			return -errno;
	}
	n = write(fd, value, len);
	if (n < 0)
		return -errno;
	return (size_t)n == len ? 0 : -EIO;
}

static int open_for_writing(const struct root *root, const char *path)
{
	int error = root_check_path(path);

	if (error)
		return error;
	if (root->kind == ROOT_SNAPSHOT)
		return -EROFS;
	return root_openat(root, path, O_WRONLY | O_NOCTTY | O_NONBLOCK, 0);
}

int root_write(const struct root *root, const char *path, const char *value)
{
	int fd = open_for_writing(root, path);

	return fd < 0 ? fd : write_value(root, fd, value);
}

/* Relative to the kept descriptor where there is one: a device that went away and
   another that took its name are then two things. */
static int open_in_dir(const struct root_dir *dir, const char *name)
{
	char path[PATH_MAX];
	int fd, len, error;

	if (dir->fd < 0) {
		len = snprintf(path, sizeof(path), "%s/%s", dir->path, name);
		if (len < 0 || (size_t)len >= sizeof(path))
			return -ENAMETOOLONG;
		return open_for_writing(dir->root, path);
	}
	error = root_check_path(name);
	if (error)
		return error;
	fd = openat(dir->fd, name, O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
	return fd < 0 ? root_note(dir->root, -errno) : fd;
}

int root_dir_write(const struct root_dir *dir, const char *name, const char *value)
{
	int fd = open_in_dir(dir, name);

	return fd < 0 ? fd : write_value(dir->root, fd, value);
}

int root_dir_check_write(const struct root_dir *dir, const char *name)
{
	_close_ int fd = open_in_dir(dir, name);

	return fd < 0 ? fd : 0;
}

/* As root_open_parent(), for writing into it. */
static int open_parent(const struct root *root, const char *path, const char **ret_base,
		       int *ret_fd)
{
	if (root->kind == ROOT_SNAPSHOT)
		return -EROFS;
	return root_open_parent(root, path, ret_base, ret_fd);
}

int root_make_dir(const struct root *root, const char *path, mode_t mode)
{
	const char *end = path;
	int error = root_check_path(path);

	if (error)
		return error;
	if (root->kind == ROOT_SNAPSHOT)
		return -EROFS;
	while (end) {
		_free_ char *part = NULL;
		_close_ int parent = -1;
		const char *base;

		end = strchr(end + 1, '/');
		part = end ? strndup(path, (size_t)(end - path)) : strdup(path);
		if (!part)
			return -ENOMEM;
		error = open_parent(root, part, &base, &parent);
		if (error)
			return error;
		if (mkdirat(parent, base, end ? 0755 : mode) == 0)
			fsync(parent);
		else if (errno != EEXIST)
			return -errno;
	}
	return 0;
}

static int write_all(int fd, const char *data, size_t len)
{
	while (len) {
		ssize_t n = write(fd, data, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (!n)
			return -EIO;
		data += n;
		len -= (size_t)n;
	}
	return 0;
}

/* `owner`: of the file that will be replaced; NULL when there is none. */
static int write_temporary(int dirfd, const char *name, const char *data, size_t len,
			   mode_t mode, const struct stat *owner)
{
	_close_ int fd = -1;
	int error;

	/* One left by a killed run is of no use to anybody. */
	if (unlinkat(dirfd, name, 0) < 0 && errno != ENOENT)
		return -errno;
	fd = openat(dirfd, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return -errno;
	error = write_all(fd, data, len);
	if (!error && owner && (owner->st_uid != geteuid() || owner->st_gid != getegid()) &&
	    fchown(fd, owner->st_uid, owner->st_gid) < 0)
		error = -errno;
	if (!error && fchmod(fd, mode) < 0)
		error = -errno;
	if (!error && fsync(fd) < 0)
		error = -errno;
	if (!error && close(TAKE_FD(fd)) < 0)
		error = -errno;
	return error;
}

int root_replace(const struct root *root, const char *path, const char *data, size_t len,
		 mode_t mode)
{
	char temporary[NAME_MAX + 1];
	_close_ int dirfd = -1;
	bool is_there = false;
	const char *base;
	struct stat st;
	int n, error = open_parent(root, path, &base, &dirfd);

	if (error)
		return error;
	n = snprintf(temporary, sizeof(temporary), ".%s.iosched-tune", base);
	if (n < 0 || (size_t)n >= sizeof(temporary))
		return -ENAMETOOLONG;
	if (fstatat(dirfd, base, &st, AT_SYMLINK_NOFOLLOW) == 0) {
		if (S_ISLNK(st.st_mode))
			return -ELOOP;
		if (!S_ISREG(st.st_mode))
			return -EBADMSG;
		is_there = true;
	} else if (errno != ENOENT) {
		return -errno;
	}
	error = write_temporary(dirfd, temporary, data, len, mode, is_there ? &st : NULL);
	if (!error && renameat(dirfd, temporary, dirfd, base) < 0)
		error = -errno;
	if (error) {
		unlinkat(dirfd, temporary, 0);
		return error;
	}
	return fsync(dirfd) < 0 ? -errno : 0;
}

int root_remove(const struct root *root, const char *path)
{
	_close_ int dirfd = -1;
	const char *base;
	int error = open_parent(root, path, &base, &dirfd);

	if (error)
		return error;
	if (unlinkat(dirfd, base, 0) < 0)
		return -errno;
	return fsync(dirfd) < 0 ? -errno : 0;
}

int root_remove_dir(const struct root *root, const char *path)
{
	_close_ int dirfd = -1;
	const char *base;
	int error = open_parent(root, path, &base, &dirfd);

	if (error)
		return error;
	return unlinkat(dirfd, base, AT_REMOVEDIR) < 0 ? -errno : 0;
}

int root_make_link(const struct root *root, const char *path, const char *target)
{
	_free_ char *present = NULL;
	_close_ int dirfd = -1;
	const char *base;
	int error = open_parent(root, path, &base, &dirfd);

	if (error)
		return error;
	if (symlinkat(target, dirfd, base) == 0)
		return fsync(dirfd) < 0 ? -errno : 0;
	error = -errno;
	if (error == -EEXIST && !root_read_link(root, path, &present) &&
	    !strcmp(present, target))
		return 0;
	return error;
}

int root_append(const struct root *root, const char *path, const char *line, mode_t mode)
{
	_close_ int dirfd = -1, fd = -1;
	_free_ char *whole = NULL;
	const char *base;
	struct stat st;
	int len, error = open_parent(root, path, &base, &dirfd);

	if (error)
		return error;
	len = asprintf(&whole, "%s\n", line);
	if (len < 0) {
		whole = NULL;
		return -ENOMEM;
	}
	fd = openat(dirfd, base,
		    O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK |
			    O_NOCTTY,
		    mode);
	if (fd < 0)
		return -errno;
	if (fstat(fd, &st) < 0)
		return -errno;
	if (!S_ISREG(st.st_mode))
		return -EBADMSG;
	return write_all(fd, whole, (size_t)len);
}

static pid_t read_holder(int fd)
{
	char text[32];
	ssize_t n = pread(fd, text, sizeof(text) - 1, 0);
	int64_t pid;

	if (n <= 0)
		return 0;
	text[n] = '\0';
	return number_parse_range(text_trim(text), 1, INT_MAX, &pid) ? 0 : (pid_t)pid;
}

int root_lock(const struct root *root, const char *path, int *ret_fd, pid_t *ret_holder)
{
	_close_ int dirfd = -1, fd = -1;
	const char *base;
	char pid[32];
	int len, error = open_parent(root, path, &base, &dirfd);

	if (error)
		return error;
	fd = openat(dirfd, base, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK,
		    0600);
	if (fd < 0)
		return -errno;
	if (flock(fd, LOCK_EX | LOCK_NB) < 0) {
		error = -errno;
		if (error == -EWOULDBLOCK)
			*ret_holder = read_holder(fd);
		return error;
	}
	/* The lock is what counts; the number in it only serves the message of others. */
	len = snprintf(pid, sizeof(pid), "%ld\n", (long)getpid());
	if (ftruncate(fd, 0) < 0 || pwrite(fd, pid, (size_t)len, 0) < 0)
		return -errno;
	*ret_fd = TAKE_FD(fd);
	return 0;
}
