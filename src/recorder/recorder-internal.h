/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts of a recording: the instance (instance.c), its pages of events (pages.c), their
 * text (format.c), the file (writer.c) and its header (header.c).
 */
#ifndef IOSCHED_RECORDER_RECORDER_INTERNAL_H
#define IOSCHED_RECORDER_RECORDER_INTERNAL_H

#include "recorder/recorder.h"

/* --- events -------------------------------------------------------------------------- */

enum event_reach {
	EVENT_OF_NO_DISK, /* has no device */
	EVENT_OF_DISK,    /* of the disk's queue */
	EVENT_OF_BIO,     /* may be of a partition */
};

/* What is in it. */
enum event_kind {
	EVENT_REQUEST,
	EVENT_COMPLETION,
	EVENT_BIO,
	EVENT_PLUG,
	EVENT_UNPLUG,
	EVENT_KYBER_LATENCY,
	EVENT_KYBER_ADJUST,
};

#define EVENTS_MAX 16

struct event_row {
	const char *system, *name;
	enum event_kind kind;
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

/* --- pages of events ------------------------------------------------------------------- */

/* A page as the kernel describes it ("header_page" of tracefs). */
struct page_shape {
	size_t size;          /* of the whole page, in bytes */
	unsigned commit_size; /* of the field with the length of its data */
};

/* -EBADMSG: it is no such description. */
int page_shape_parse(const char *description, struct page_shape *ret);

/* An event where it lies, until the next one is taken. */
struct page_event {
	unsigned cpu;
	uint64_t time_ns;
	const void *data;
	size_t len;
	int lost; /* before it on its processor; -1: nobody knows how many */
};

struct pages;

/* -ENOMEM; -EBADMSG: no page has this shape. */
int pages_new(unsigned cpus, const struct page_shape *shape, struct pages **ret);
void pages_free(struct pages *pages);
DEFINE_CLEANUP(struct pages *, pages_free)

/*
 * Reads at most `max` pages of a processor from a descriptor that does not block. How many
 * there were, or -EBADMSG: what came is no page; -ENOMEM, errors of read(2).
 */
int pages_read(struct pages *pages, unsigned cpu, int fd, unsigned max);
/* Every processor's were read. `is_all`: nothing more is to come that is older. */
void pages_end_reading(struct pages *pages, bool is_all);
/* The oldest event that no older one can follow; false: none at the moment. */
bool pages_next(struct pages *pages, struct page_event *ret);

/* --- their text -------------------------------------------------------------------------- */

struct format;

/*
 * What the process that no event named is called, into `ret` of `size` bytes; false: it is
 * gone.
 */
typedef bool process_namer(void *context, uint32_t pid, char *ret, size_t size);

int format_new(const struct disk_numbers *numbers, process_namer *find_name, void *context,
	       struct format **ret);
void format_free(struct format *format);
DEFINE_CLEANUP(struct format *, format_free)

/*
 * Takes the kernel's description of an event (its file "format"). -EBADMSG: something that
 * every kernel has is not in it.
 */
int format_add_event(struct format *format, const struct event_row *row,
		     const char *description, size_t len, struct diag *diag);
/* Appends the event's line to `ret`, when it belongs into the file. -ENOMEM. */
int format_add(struct format *format, const struct page_event *event, struct text *ret);
/* Lines so far. */
uint64_t format_count(const struct format *format);

/* --- the instance ---------------------------------------------------------------------- */

struct instance;

/*
 * Makes it, with buffers, clock, filters and events, and tracing off. `format` learns its
 * events.
 */
int instance_new(const struct recorder_options *options,
		 const struct disk_numbers *numbers, struct format *format,
		 struct instance **ret, struct diag *diag);
/* Tracing off and the instance gone. */
void instance_free(struct instance *instance);
DEFINE_CLEANUP(struct instance *, instance_free)

int instance_switch(struct instance *instance, bool is_on);
/* Reads what there is, at most so many pages of each processor; how many, or negative errno. */
int instance_read(struct instance *instance, unsigned max);
/* Tracing is off and everything was read. */
void instance_end_reading(struct instance *instance);
bool instance_next(struct instance *instance, struct page_event *ret);
/* Events that the kernel had no room for, so far. */
uint64_t instance_count_lost(const struct instance *instance);

/* --- the file ------------------------------------------------------------------------------ */

struct writer;

/*
 * ".zst" and ".gz" compress. -EEXIST, -EACCES ...; -EBUSY: another recording goes there;
 * -EOPNOTSUPP: built without zstd, or no regular file.
 */
int writer_open(const char *path, bool replaces, struct writer **ret, struct diag *diag);
int writer_add(struct writer *writer, const char *data, size_t len);
/* What was added is in the file, to be read from there. */
int writer_flush(struct writer *writer);
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
