// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reading a whole regular file with a cap, and writing one as a whole.
 */
#include "util/file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/cleanup.h"
#include "util/i18n.h"

/* Fills buf from fd; the number of bytes, or a negative errno. */
static ssize_t read_full(int fd, char *buf, size_t size)
{
	size_t used = 0;

	while (used < size) {
		ssize_t n = read(fd, buf + used, size - used);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (!n)
			break;
		used += (size_t)n;
	}
	return (ssize_t)used;
}

int file_read(const char *path, size_t max, char **ret, size_t *ret_len)
{
	/* A pipe without a writer must not make us wait. */
	_close_ int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	_free_ char *data = NULL;
	struct stat st;
	size_t room;
	ssize_t len;

	if (fd < 0 || fstat(fd, &st))
		return -errno;
	if (S_ISDIR(st.st_mode))
		return -EISDIR;
	if (!S_ISREG(st.st_mode))
		return -EBADMSG;
	if (st.st_size < 0 || (size_t)st.st_size > max)
		return -EFBIG;
	/* One byte more than the file has, to see whether it grew. */
	room = (size_t)st.st_size + 1;
	data = malloc(room + 1);
	if (!data)
		return -ENOMEM;
	len = read_full(fd, data, room);
	if (len < 0)
		return (int)len;
	if ((size_t)len > max)
		return -EFBIG;
	data[len] = '\0';
	*ret = TAKE_PTR(data);
	*ret_len = (size_t)len;
	return 0;
}

static int write_full(int fd, const char *data, size_t len)
{
	while (len) {
		ssize_t n = write(fd, data, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		data += n;
		len -= (size_t)n;
	}
	return 0;
}

/* A device or a pipe takes what it takes. */
static int write_in_place(const char *path, const char *data, size_t len)
{
	_close_ int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	int error = fd < 0 ? -errno : write_full(fd, data, len);

	if (!error && close(TAKE_FD(fd)))
		error = -errno;
	return error;
}

/* As a file that open() makes would have it. */
static mode_t mask_mode(mode_t mode)
{
	mode_t mask = umask(0);

	umask(mask);
	return mode & ~mask;
}

static int fill_temporary(int fd, const struct stat *before, mode_t mode, const char *data,
			  size_t len)
{
	int error = write_full(fd, data, len);

	/* Owner first: a change of it may clear bits of the mode. An owner that only root
	   can give stays ours, as when the file is new. */
	if (!error && before && fchown(fd, before->st_uid, before->st_gid) &&
	    errno != EPERM)
		error = -errno;
	if (!error && before && fchmod(fd, before->st_mode & 07777))
		error = -errno;
	/* Where files have no modes of their own it has the one that all of them have. */
	if (!error && !before && fchmod(fd, mask_mode(mode)) && errno != EPERM)
		error = -errno;
	if (!error && fsync(fd))
		error = -errno;
	return error;
}

static int replace(const char *path, const struct stat *before, mode_t mode,
		   const char *data, size_t len)
{
	_free_ char *temporary = NULL;
	_close_ int fd = -1;
	int error;

	if (asprintf(&temporary, "%s.XXXXXX", path) < 0) {
		temporary = NULL;
		return -ENOMEM;
	}
	fd = mkostemp(temporary, O_CLOEXEC);
	if (fd < 0)
		return -errno;
	error = fill_temporary(fd, before, mode, data, len);
	if (!error && close(TAKE_FD(fd)))
		error = -errno;
	if (!error && rename(temporary, path))
		error = -errno;
	if (error)
		unlink(temporary);
	return error;
}

int file_write(const char *path, const char *data, size_t len, mode_t mode)
{
	_free_ char *target = NULL;
	struct stat st;

	if (stat(path, &st))
		return errno == ENOENT ? replace(path, NULL, mode, data, len) : -errno;
	if (S_ISDIR(st.st_mode))
		return -EISDIR;
	if (S_ISBLK(st.st_mode))
		return -EEXIST;
	if (!S_ISREG(st.st_mode))
		return write_in_place(path, data, len);
	target = realpath(path, NULL);
	return target ? replace(target, &st, mode, data, len) : -errno;
}

/* The folder that the file lies in, or is to. NULL: no memory. */
static char *folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		return strdup(".");
	return slash == path ? strdup("/") : strndup(path, (size_t)(slash - path));
}

int file_check_output(const char *path, struct diag *diag)
{
	_free_ char *folder = NULL;
	struct stat st;

	if (stat(path, &st) == 0) {
		if (S_ISBLK(st.st_mode))
			return diag_set(diag, -EEXIST,
					_("\"%s\" is a block device: what is on it would be lost"),
					path);
		if (S_ISDIR(st.st_mode))
			return file_fail_output(path, -EISDIR, diag);
		return access(path, W_OK) ? file_fail_output(path, -errno, diag) : 0;
	}
	if (errno != ENOENT || !*path)
		return file_fail_output(path, -errno, diag);
	folder = folder_of(path);
	if (!folder)
		return diag_set(diag, -ENOMEM, _("out of memory"));
	return access(folder, W_OK | X_OK) ? file_fail_output(path, -errno, diag) : 0;
}

static void hint_absent(const char *path, struct diag *diag)
{
	_free_ char *folder = folder_of(path);
	struct stat st;

	if (!folder)
		return;
	if (stat(folder, &st))
		diag_hint(diag, _("there is no folder \"%s\""), folder);
	else
		diag_hint(diag, _("no file can be made in \"%s\": name another place"), folder);
}

int file_fail_output(const char *path, int error, struct diag *diag)
{
	diag_set(diag, error, _("cannot write \"%s\": %s"), path, strerror(-error));
	switch (error) {
	case -ENOENT:
		hint_absent(path, diag);
		break;
	case -ENOTDIR:
		diag_hint(diag, _("a part of that path is a file, and no folder"));
		break;
	case -EISDIR:
		diag_hint(diag, _("that is a folder: name a file in it"));
		break;
	case -EACCES:
	case -EPERM:
		diag_hint(diag, geteuid() ? _("you may not write there: name another place")
					  : _("not even root may write there: name another "
					      "place"));
		break;
	case -EROFS:
		diag_hint(diag, _("the file system is read-only: name another place"));
		break;
	case -ENOSPC:
	case -EDQUOT:
		diag_hint(diag, _("there is no space left: name another place, or free some"));
		break;
	}
	return error;
}
