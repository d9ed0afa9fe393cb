/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Recorded block I/O, one record at a time, whatever format it was recorded in. A reader
 * is opened on a file (or "-" for standard input); compression and format are detected
 * from the content. Memory does not grow with the length of the trace.
 */
#ifndef IOSCHED_SIM_WORKLOAD_TRACE_H
#define IOSCHED_SIM_WORKLOAD_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "util/diag.h"

/* What happened. The names are those of the kernel's block tracepoints. */
enum trace_action {
	TRACE_BIO_QUEUE,     /* Q: a bio entered the block layer */
	TRACE_GETRQ,         /* G: a request was allocated */
	TRACE_PLUG,          /* P: the submitter began to hold requests back */
	TRACE_UNPLUG,        /* U, T: it let them go; `count` requests */
	TRACE_BIO_BACKMERGE, /* M: a bio joined the end of a request */
	TRACE_BIO_FRONTMERGE,/* F: a bio joined the front of a request */
	TRACE_RQ_INSERT,     /* I */
	TRACE_RQ_ISSUE,      /* D */
	TRACE_RQ_MERGE,      /* two requests became one */
	TRACE_RQ_COMPLETE,   /* C */
	TRACE_RQ_REQUEUE,    /* R */
	TRACE_KYBER_LATENCY, /* see struct trace_kyber */
	TRACE_KYBER_ADJUST,
	TRACE_KYBER_THROTTLED,
	TRACE_WAIT,          /* fio iolog: a pause; `duration_ns` */
	TRACE_IO,            /* a whole request of a workload trace: arrival, and latency
				where the format knows it */
};

enum trace_op { TRACE_READ, TRACE_WRITE, TRACE_DISCARD, TRACE_FLUSH, TRACE_ZONE, TRACE_OTHER };

enum trace_flag {
	TRACE_FLAG_SYNC = 1 << 0,     /* S */
	TRACE_FLAG_META = 1 << 1,     /* M */
	TRACE_FLAG_AHEAD = 1 << 2,    /* A: readahead */
	TRACE_FLAG_FUA = 1 << 3,      /* F after the operation */
	TRACE_FLAG_PREFLUSH = 1 << 4, /* F before the operation */
	TRACE_FLAG_SECURE = 1 << 5,   /* E: secure erase */
	TRACE_FLAG_ATOMIC = 1 << 6,   /* U: 7.0 and later */
};

/* ioprio classes as the kernel numbers them; NONE where the trace does not say. */
enum trace_prio_class { TRACE_PRIO_NONE, TRACE_PRIO_RT, TRACE_PRIO_BE, TRACE_PRIO_IDLE };

/* Where the processor was. Only ftrace and trace-cmd text say so. */
enum trace_context {
	TRACE_CONTEXT_UNKNOWN,
	TRACE_CONTEXT_TASK,
	TRACE_CONTEXT_SOFTIRQ,
	TRACE_CONTEXT_HARDIRQ,
	TRACE_CONTEXT_HARDIRQ_IN_SOFTIRQ, /* interrupted a softirq */
};

struct trace_kyber {
	char domain[12];    /* READ, WRITE, DISCARD, OTHER */
	char type[8];       /* total, I/O; "" for adjust and throttled */
	unsigned percentile;
	unsigned numerator, denominator; /* bucket as printed: 5/4 */
	unsigned samples;
	unsigned depth;     /* adjust only */
};

struct trace_record {
	enum trace_action action;
	enum trace_op op;    /* OTHER for plug, unplug and wait */
	unsigned flags;      /* enum trace_flag */
	uint64_t time_ns;    /* from the trace's own clock; never negative. TRACE_IO: of the
				arrival; fio iolog v2: the sum of the waits so far */
	uint64_t sector;     /* 512 B */
	uint32_t sectors;    /* length, 512 B, rounded outwards; 0 for a flush */
	uint64_t bytes;      /* as printed; sectors * 512 where the format has none */
	uint32_t cpu;
	uint32_t pid;
	enum trace_context context;
	bool needs_resched;  /* ftrace and trace-cmd text: another task wants the CPU */
	uint32_t device;     /* major << 20 | minor; a format's own disk number otherwise,
				or names counted in the order in which they appear;
				0 for plug and unplug lines, which carry none */
	enum trace_prio_class prio_class;
	uint8_t prio_level;  /* 0..7 */
	uint8_t prio_hint;   /* command duration limit 1..7, 0 for none */
	int error;           /* completion status as printed, 0 = good */
	uint64_t duration_ns;/* TRACE_IO: latency or 0; TRACE_WAIT: the pause */
	unsigned count;      /* TRACE_UNPLUG */
	struct trace_kyber kyber;
	char comm[17];       /* of the task that is named, cut; "" when none is */
	uint64_t line;       /* where it stood: line of text or byte offset of binary */
};

/* "# key=value" lines and the like that stand before the first record. */
struct trace_header {
	char kernel[64];        /* "" when not said */
	unsigned hz;            /* 0 when not said */
	uint32_t device;        /* 0 when not said */
	unsigned hw_depth;      /* driver tags, 0 when not said */
	uint64_t service_ns;    /* completion_nsec of null_blk, 0 when not said */
	unsigned nr_requests;   /* 0 when not said */
	unsigned rotational;    /* as queue/rotational; 0 when not said */
	unsigned hw_queues;     /* 0 when not said */
	uint64_t size_sectors;  /* 512 B; 0 when not said */
	char class[16];         /* of the device: "hdd"; "" when not said */
	char scheduler[32];     /* "" when not said */
	struct {
		char key[32];
		char value[32];
	} iosched[24];          /* "# iosched/<key>=<value>" */
	unsigned iosched_count;
	char fio[1024];         /* "# fio <arguments>": what made the load; "" when not said */
};

enum trace_mode {
	TRACE_SKIP_BROKEN, /* count a broken record and go on */
	TRACE_STRICT,      /* a broken record ends the reading with -EBADMSG */
};

struct trace_reader;

/*
 * Opens and detects; "-" is standard input. Errors: -ENOENT, -EACCES ...; -ENODATA:
 * empty; -EBADMSG: no known format, or a broken compression stream; -ENOMEM.
 */
int trace_reader_open(const char *path, enum trace_mode mode, struct trace_reader **ret,
		      struct diag *diag);

/*
 * The same on an open descriptor, which becomes the reader's, also on failure. `name` is
 * for messages. `format` is one of the names that trace_reader_format() gives, or NULL to
 * detect it; -EINVAL: there is no such format.
 */
int trace_reader_open_fd(int fd, const char *name, const char *format, enum trace_mode mode,
			 struct trace_reader **ret, struct diag *diag);
void trace_reader_free(struct trace_reader *reader);

const char *trace_reader_format(const struct trace_reader *reader); /* "blktrace-v7" ... */
/* The name of format number `index`, NULL after the last: for help and completion. */
const char *trace_format_name(unsigned index);
/* Complete after opening, as far as the header lies in the first 64 KiB. */
const struct trace_header *trace_reader_header(const struct trace_reader *reader);

/*
 * 1: *ret filled; 0: end of the trace; negative errno: reading ended, `diag` says where
 * (a broken compression stream ends it in either mode, after every record before the
 * break was given out). *ret is overwritten in every case.
 *
 * A record that is earlier than the one before it is a broken record where the recorder
 * writes in order (ftrace, fio iolog v3), and is given out and counted elsewhere: binary
 * blktrace is a concatenation of per-CPU buffers, biosnoop prints completions, the
 * collections are merged from several hosts.
 */
int trace_reader_next(struct trace_reader *reader, struct trace_record *ret,
		      struct diag *diag);

struct trace_counts {
	uint64_t records;      /* given out */
	uint64_t broken;       /* skipped */
	uint64_t other;        /* well-formed, but nothing of what is read here: comments,
				  other events */
	uint64_t backwards;    /* earlier than the one before, broken or not */
	uint64_t lost;         /* events that the recorder itself says it lost */
	uint32_t first_device; /* of the first record that has one */
	bool is_mixed;         /* there were records of another device too */
	uint64_t first_broken; /* line or byte offset */
	char first_broken_why[160];
};
const struct trace_counts *trace_reader_counts(const struct trace_reader *reader);

DEFINE_CLEANUP(struct trace_reader *, trace_reader_free)

#endif
