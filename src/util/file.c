// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reading a whole regular file with a cap.
 */
#include "util/file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "util/cleanup.h"

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
