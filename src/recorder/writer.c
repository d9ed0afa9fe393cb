// SPDX-License-Identifier: GPL-2.0-or-later
/* The file of a recording: text, gzip or zstd, by the ending of its name. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <zlib.h>

#include "recorder/recorder-internal.h"
#include "util/feature.h"
#include "util/file.h"
#include "util/i18n.h"

#if HAVE_ZSTD
#include <zstd.h>
#endif

#define BUFFER_SIZE (256u * 1024)

/* Fast enough to keep up with the events: what they cost must not be felt. */
#define GZIP_LEVEL 1
#define ZSTD_LEVEL 1

enum compression { COMPRESSION_NONE, COMPRESSION_GZIP, COMPRESSION_ZSTD };

struct writer {
	int fd;
	enum compression compression;
	uint64_t size;
	z_stream gzip;
	bool has_gzip;
#if HAVE_ZSTD
	ZSTD_CStream *zstd;
#endif
	unsigned char buffer[BUFFER_SIZE];
};

static int write_out(struct writer *writer, const unsigned char *data, size_t len)
{
	while (len > 0) {
		ssize_t n = write(writer->fd, data, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		data += n;
		len -= (size_t)n;
		writer->size += (uint64_t)n;
	}
	return 0;
}

static int open_compression(struct writer *writer, const char *path, struct diag *diag)
{
	if (text_ends_with(path, ".gz")) {
		writer->compression = COMPRESSION_GZIP;
		/* 16 + 15: with a gzip header, the largest window (zlib.h) */
		if (deflateInit2(&writer->gzip, GZIP_LEVEL, Z_DEFLATED, 16 + 15, 8,
				 Z_DEFAULT_STRATEGY) != Z_OK)
			return -ENOMEM;
		writer->has_gzip = true;
	} else if (text_ends_with(path, ".zst")) {
		writer->compression = COMPRESSION_ZSTD;
#if HAVE_ZSTD
		writer->zstd = ZSTD_createCStream();
		if (!writer->zstd || ZSTD_isError(ZSTD_initCStream(writer->zstd, ZSTD_LEVEL)))
			return -ENOMEM;
#else
		return diag_set(diag, -EOPNOTSUPP,
				_("this build cannot write zstd: name the file .gz or .txt"));
#endif
	} else if (text_ends_with(path, ".xz") || text_ends_with(path, ".bz2")) {
		return diag_set(diag, -EOPNOTSUPP,
				_("recordings are written as .zst, .gz or plain text, not as "
				  "\"%s\""), strrchr(path, '.'));
	}
	return 0;
}

static int refuse_kind(const char *path, struct diag *diag)
{
	return diag_set(diag, -EOPNOTSUPP,
			_("\"%s\" is no regular file: a recording goes into a file"), path);
}

/* What is on a device is not to be lost, a pipe can block without end, and of two recordings
   in one file nothing can be read. */
static int empty_file(int fd, const char *path, struct diag *diag)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return -errno;
	if (!S_ISREG(st.st_mode))
		return refuse_kind(path, diag);
	if (flock(fd, LOCK_EX | LOCK_NB) < 0 && errno == EWOULDBLOCK)
		return diag_set(diag, -EBUSY, _("\"%s\": another recording goes into it"),
				path);
	if (ftruncate(fd, 0) < 0)
		return diag_set(diag, -errno, _("cannot write \"%s\": %s"), path,
				strerror(errno));
	return 0;
}

int writer_open(const char *path, bool replaces, struct writer **ret, struct diag *diag)
{
	_cleanup_(cleanup_writer_free) struct writer *writer = calloc(1, sizeof(*writer));
	int error;

	if (!writer)
		return -ENOMEM;
	writer->fd = -1;
	error = open_compression(writer, path, diag);
	if (error)
		return error;
	/* Not to wait for the reader of a pipe. */
	writer->fd = open(path,
			  O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK |
				  (replaces ? 0 : O_EXCL),
			  0600);
	if (writer->fd < 0 && errno == EEXIST)
		return diag_set(diag, -EEXIST,
				_("\"%s\" is there already; --force replaces it"), path);
	/* a pipe without a reader, a socket */
	if (writer->fd < 0 && errno == ENXIO)
		return refuse_kind(path, diag);
	if (writer->fd < 0)
		return file_fail_output(path, -errno, diag);
	error = empty_file(writer->fd, path, diag);
	if (error)
		return error;
	*ret = TAKE_PTR(writer);
	return 0;
}

static int add_gzip(struct writer *writer, const char *data, size_t len, int flush)
{
	z_stream *z = &writer->gzip;
	int result, error = 0;

	z->next_in = (z_const Bytef *)(uintptr_t)data;
	z->avail_in = (uInt)len;
	do {
		z->next_out = writer->buffer;
		z->avail_out = BUFFER_SIZE;
		result = deflate(z, flush);
		error = write_out(writer, writer->buffer, BUFFER_SIZE - z->avail_out);
	} while (!error && (z->avail_out == 0 || (flush == Z_FINISH && result == Z_OK)));
	return error;
}

#if HAVE_ZSTD
static int add_zstd(struct writer *writer, const char *data, size_t len,
		    ZSTD_EndDirective mode)
{
	ZSTD_inBuffer in = { data, len, 0 };
	size_t left;
	int error;

	do {
		ZSTD_outBuffer out = { writer->buffer, BUFFER_SIZE, 0 };

		left = ZSTD_compressStream2(writer->zstd, &out, &in, mode);
		if (ZSTD_isError(left))
			return -ENOMEM;
		error = write_out(writer, writer->buffer, out.pos);
	} while (!error && (in.pos < in.size || (mode != ZSTD_e_continue && left > 0)));
	return error;
}
#endif

static int finish(struct writer *writer)
{
	if (writer->compression == COMPRESSION_GZIP)
		return add_gzip(writer, "", 0, Z_FINISH);
#if HAVE_ZSTD
	if (writer->compression == COMPRESSION_ZSTD)
		return add_zstd(writer, "", 0, ZSTD_e_end);
#endif
	return 0;
}

int writer_add(struct writer *writer, const char *data, size_t len)
{
	if (writer->compression == COMPRESSION_GZIP)
		return add_gzip(writer, data, len, Z_NO_FLUSH);
#if HAVE_ZSTD
	if (writer->compression == COMPRESSION_ZSTD)
		return add_zstd(writer, data, len, ZSTD_e_continue);
#endif
	return write_out(writer, (const unsigned char *)data, len);
}

int writer_flush(struct writer *writer)
{
	if (writer->compression == COMPRESSION_GZIP)
		return add_gzip(writer, "", 0, Z_SYNC_FLUSH);
#if HAVE_ZSTD
	if (writer->compression == COMPRESSION_ZSTD)
		return add_zstd(writer, "", 0, ZSTD_e_flush);
#endif
	return 0;
}

uint64_t writer_get_size(const struct writer *writer)
{
	return writer->size;
}

int writer_close(struct writer *writer)
{
	struct stat st;
	int error = finish(writer);

	if (!error && fstat(writer->fd, &st) == 0 && S_ISREG(st.st_mode) &&
	    fsync(writer->fd) < 0)
		error = -errno;
	if (close(writer->fd) < 0 && !error)
		error = -errno;
	writer->fd = -1;
	return error;
}

void writer_free(struct writer *writer)
{
	if (!writer)
		return;
	if (writer->fd >= 0)
		close(writer->fd);
	if (writer->has_gzip)
		deflateEnd(&writer->gzip);
#if HAVE_ZSTD
	ZSTD_freeCStream(writer->zstd);
#endif
	free(writer);
}
