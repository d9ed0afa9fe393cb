/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts of a recording: the instance (instance.c), lines (lines.c), the file (writer.c)
 * and its header (header.c).
 */
#ifndef IOSCHED_RECORDER_RECORDER_INTERNAL_H
#define IOSCHED_RECORDER_RECORDER_INTERNAL_H

#include "recorder/recorder.h"

/* --- events -------------------------------------------------------------------------- */

enum event_reach {
	EVENT_OF_NO_DISK, /* has no device */
	EVENT_OF_DISK, /* of the disk's queue */
	EVENT_OF_BIO,  /* may be of a partition */
};

struct event_row {
	const char *system, *name;
	enum event_reach reach;
	bool is_optional; /* not in every kernel, or only with kyber loaded */
};

const struct event_row *event_get(unsigned index); /* NULL past the end */
/* Whether it was asked for: "block_rq_issue", "block", "kyber". */
bool event_is_asked(const struct event_row *row, const struct strv *asked);
/* -EINVAL with the name that is none. */
int event_check_names(const struct strv *asked, struct diag *diag);

/* --- numbers of the disk and its partitions -------------------------------------------- */

#define DISK_PARTS_MAX 256

struct disk_numbers {
	unsigned major, minor;
	struct {
		unsigned major, minor;
	} parts[DISK_PARTS_MAX];
	size_t part_count;
};

int disk_numbers_read(const struct root *root, const struct device *device,
		      struct disk_numbers *ret);

/* --- the instance ---------------------------------------------------------------------- */

struct instance;

/* Makes it, with buffers, clock, filters and events, and tracing off. */
int instance_new(const struct recorder_options *options, const struct disk_numbers *numbers,
		 struct instance **ret, struct diag *diag);
/* Tracing off and the instance gone. */
void instance_free(struct instance *instance);
DEFINE_CLEANUP(struct instance *, instance_free)

int instance_switch(struct instance *instance, bool is_on);
/* The text of events: a descriptor that does not block. */
int instance_get_fd(const struct instance *instance);
/* Events that the kernel had no room for, so far. */
uint64_t instance_count_lost(const struct instance *instance);

/* --- lines -------------------------------------------------------------------------------- */

/* Processes that did I/O on the disk; only their plugs are of interest. */
struct lines {
	struct disk_numbers numbers;
	unsigned char *pids; /* a bit each */
	char partial[4096];  /* a line whose end has not been read */
	size_t partial_len;
	uint64_t events;
};

int lines_init(struct lines *lines, const struct disk_numbers *numbers);
void lines_done(struct lines *lines);
/* Appends to `ret` what of this text belongs into the file. -ENOMEM. */
int lines_take(struct lines *lines, const char *data, size_t len, struct text *ret);

/* --- the file ------------------------------------------------------------------------------ */

struct writer;

/*
 * ".zst" and ".gz" compress. -EEXIST, -EACCES ...; -EBUSY: another recording goes there;
 * -EOPNOTSUPP: built without zstd, or no regular file.
 */
int writer_open(const char *path, bool replaces, struct writer **ret, struct diag *diag);
int writer_add(struct writer *writer, const char *data, size_t len);
/* Bytes that are in the file already. */
uint64_t writer_get_size(const struct writer *writer);
/* Everything is in the file, and on the medium. */
int writer_close(struct writer *writer);
/* Closes without finishing. */
void writer_free(struct writer *writer);
DEFINE_CLEANUP(struct writer *, writer_free)

/* --- the header ------------------------------------------------------------------------------ */

/* Ticks a second of the running kernel; 0 when it cannot be found out. */
unsigned kernel_find_hz(const struct root *root);
int header_add(const struct recorder_options *options, unsigned hz, struct text *ret);

#endif
