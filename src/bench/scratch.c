// SPDX-License-Identifier: GPL-2.0-or-later
/* A file to measure on: made, filled, and without a name from the start. */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "bench/safety.h"
#include "sim/random.h"
#include "sysfs/paths.h"
#include "util/i18n.h"

#define PIECE_BYTES (1u << 20)

void bench_file_done(struct bench_file *file)
{
	if (file->fd >= 0)
		close(file->fd);
	file->fd = -1;
}

/* A filesystem of the disk, its partitions, or what is built on them. */
static bool is_on_device(const struct device *device, dev_t filesystem)
{
	for (size_t i = 0; i < device->mount_count; i++) {
		struct stat st;

		if (device->mounts[i].target && stat(device->mounts[i].target, &st) == 0 &&
		    st.st_dev == filesystem)
			return true;
	}
	return false;
}

/* Before anything is made. */
static int check_folder(const struct device *device, const char *path, struct diag *diag)
{
	_free_ char *copy = strdup(path);
	struct stat st;

	if (!copy)
		return -ENOMEM;
	if (stat(dirname(copy), &st) < 0)
		return diag_set(diag, -errno, _("%s: its folder: %s"), path, strerror(errno));
	if (is_on_device(device, st.st_dev))
		return 0;
	diag_set(diag, -EXDEV, _("%s does not lie on %s"), path, device->name);
	for (size_t i = 0; i < device->mount_count; i++) {
		if (device->mounts[i].target) {
			diag_hint(diag, _("what is mounted on %s does"),
				  device->mounts[i].target);
			break;
		}
	}
	return -EXDEV;
}

static int choose_size(int fd, const char *path, uint64_t *ret, struct diag *diag)
{
	struct statvfs space;
	uint64_t size;

	if (fstatvfs(fd, &space) < 0)
		return -errno;
	size = (uint64_t)space.f_bavail * space.f_frsize / 2;
	if (size > BENCH_FILE_MAX)
		size = BENCH_FILE_MAX;
	size -= size % PIECE_BYTES;
	if (size < BENCH_FILE_MIN)
		return diag_set(diag, -ENOSPC, _("%s: too little room for a file to measure on"),
				path);
	*ret = size;
	return 0;
}

static int write_piece(int fd, const char *piece, uint64_t offset)
{
	size_t done = 0;

	while (done < PIECE_BYTES) {
		ssize_t n = pwrite(fd, piece + done, PIECE_BYTES - done,
				   (off_t)(offset + done));

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? -errno : -EIO;
		done += (size_t)n;
	}
	return 0;
}

/* Data that no compression makes small. Extents that are only reserved would be read
   without the device. */
static int fill(const struct bench_file *file,
		bool (*on_progress)(void *context, double fraction), void *context)
{
	_free_ uint64_t *piece = malloc(PIECE_BYTES);
	struct sim_random random;
	int error = piece ? 0 : -ENOMEM;

	sim_random_init(&random, 1, 0);
	for (uint64_t at = 0; at < file->size_bytes && !error; at += PIECE_BYTES) {
		for (size_t i = 0; i < PIECE_BYTES / sizeof(*piece); i++)
			piece[i] = sim_random_next(&random);
		error = write_piece(file->fd, (const char *)piece, at);
		if (!error && on_progress(context, (double)at / (double)file->size_bytes))
			error = -EINTR;
		/* In steps, so that a signal does not wait for a gigabyte. */
		if (!error && at % (64 * PIECE_BYTES) == 0 && fdatasync(file->fd) < 0)
			error = -errno;
	}
	if (!error && fsync(file->fd) < 0)
		error = -errno;
	return error;
}

static int make(const struct device *device, const char *path, struct bench_file *ret,
		struct diag *diag)
{
	struct stat st;
	int error;

	ret->fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (ret->fd < 0)
		return diag_set(diag, -errno, _("%s cannot be made: %s"), path,
				strerror(errno));
	/* Nothing is left of it then, however this ends. */
	if (unlink(path) < 0)
		return diag_set(diag, -errno, _("%s cannot be removed: %s"), path,
				strerror(errno));
	if (fstat(ret->fd, &st) < 0)
		return -errno;
	if (!is_on_device(device, st.st_dev))
		return diag_set(diag, -EXDEV, _("%s does not lie on %s"), path, device->name);
	error = choose_size(ret->fd, path, &ret->size_bytes, diag);
	snprintf(ret->open_path, sizeof(ret->open_path), "/" PATH_PROC "/%ld/fd/%d",
		 (long)getpid(), ret->fd);
	return error;
}

int bench_file_make(const struct root *root, const struct device *device, const char *path,
		    bool (*on_progress)(void *context, double fraction), void *context,
		    struct bench_file *ret, struct diag *diag)
{
	int error;

	*ret = (struct bench_file){ .fd = -1 };
	if (root_get_kind(root) != ROOT_HOST)
		return diag_set(diag, -EOPNOTSUPP, _("only this host can be measured"));
	error = check_folder(device, path, diag);
	if (!error)
		error = make(device, path, ret, diag);
	if (!error)
		error = fill(ret, on_progress, context);
	if (!error)
		return 0;
	bench_file_done(ret);
	return error == -EINTR ? error
			       : diag_set(diag, error, _("%s: %s"), path, strerror(-error));
}
