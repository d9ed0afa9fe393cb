/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the parts of the fio job file reader share: a section as it was written
 * (struct fio_job), the table of keys, values, and the way from there to job
 * descriptions. Meanings follow fio's HOWTO (version 3.3x) and, where that is silent, what
 * fio does.
 *
 *	fio-file.c    lines, sections, inheritance from [global]
 *	fio-keys.c    the table: which keys are understood, ignored, refused
 *	fio-apply.c   a key's value into struct fio_job
 *	fio-value.c   numbers, sizes, times
 *	fio-layout.c  files onto devices
 *	fio-spec.c    struct fio_job into struct job_spec
 */
#ifndef IOSCHED_SIM_WORKLOAD_FIO_FILE_H
#define IOSCHED_SIM_WORKLOAD_FIO_FILE_H

#include "sim/workload/job.h"

#define FIO_TEXT_MAX     (1u << 20) /* bytes of a job file */
#define FIO_SECTIONS_MAX 1024
#define FIO_KEYS_MAX     512        /* of one section */
#define FIO_FILES_MAX    64         /* that one job names */
#define FIO_NAME_MAX     256

/* --- keys ----------------------------------------------------------------------------- */

enum fio_key_kind {
	FIO_UNDERSTOOD,
	FIO_IGNORED,   /* no influence on what is simulated */
	FIO_REFUSED,   /* changes it, unless the value is the harmless one */
};

struct fio_context;
struct fio_job;

/* The value is "" when there is none. 0 or what fio_refuse() returned. */
typedef int fio_key_apply(struct fio_context *context, struct fio_job *job,
			  const char *value);

/* What a plain value is, and so which field of struct fio_job it fills. */
enum fio_value { FIO_BY_APPLY, FIO_BOOL, FIO_COUNT, FIO_SIZE, FIO_SECONDS, FIO_USECONDS };

struct fio_key {
	const char *name, *alias; /* alias may be NULL */
	enum fio_key_kind kind;
	enum fio_value value;     /* understood */
	fio_key_apply *apply;     /* FIO_BY_APPLY */
	size_t offset;            /* all others: of the field */
	uint64_t min, max;        /* FIO_COUNT */
	const char *harmless;     /* refused: values that are taken, "0|none" */
	const char *text;         /* N_(): what it does, or why not */
};

/* NULL past the end: for the manual page, in the order of the kinds. */
const struct fio_key *fio_key_get(size_t index);
const struct fio_key *fio_key_find(const char *name);

/* The keys whose values are more than a number. */
fio_key_apply fio_apply_name, fio_apply_filename, fio_apply_rw, fio_apply_rwmixread,
	fio_apply_rwmixwrite, fio_apply_bs, fio_apply_bsrange, fio_apply_bssplit,
	fio_apply_blockalign, fio_apply_random_distribution, fio_apply_percentage_random,
	fio_apply_rate, fio_apply_rate_iops, fio_apply_rate_process, fio_apply_ioengine,
	fio_apply_buffered, fio_apply_sync, fio_apply_fsync, fio_apply_nice,
	fio_apply_cpumask, fio_apply_cpus_allowed, fio_apply_kb_base;

/* --- a section as it was written -------------------------------------------------------- */

/* Bytes, or per cent of the file or device. */
struct fio_size {
	uint64_t bytes;
	double percent;
	bool is_set, is_percent;
};

struct fio_split {
	uint64_t bytes[JOB_SIZES_MAX];
	double percent[JOB_SIZES_MAX];
	unsigned count;
};

#define FIO_PRIO_UNSET 8

struct fio_job {
	char name[FIO_NAME_MAX];
	unsigned line;            /* of its section */

	enum job_pattern pattern;
	bool trims_first;
	double read_percent, trim_percent; /* of one direction alone: 100 or 0 */
	bool is_mixed;            /* the share is that of rwmixread */
	double rwmixread;
	uint64_t random_every;    /* rw=randread:N */
	int64_t skip_bytes;       /* rw=read:N */
	double percentage_random[JOB_OPS];
	struct distribution_spec places;
	bool norandommap;

	uint64_t bs[JOB_OPS];     /* bytes; smallest of a range */
	uint64_t bs_max[JOB_OPS];
	struct fio_split split[JOB_OPS]; /* bssplit; count 0: bs */
	uint64_t align[JOB_OPS];  /* 0: bs */

	char filename[FIO_NAME_MAX * 4];
	uint64_t nrfiles;
	struct fio_size size, io_size, offset, offset_increment, filesize;
	uint64_t number_ios, loops;

	bool is_async_engine, never_blocks;
	bool direct, sync;
	uint64_t iodepth, batch, complete_min, depth_low;
	uint64_t fsync_every;     /* fsync, fdatasync */
	bool end_fsync, fsync_on_close;

	uint64_t numjobs;
	bool stonewall, time_based;
	uint64_t runtime_ns, ramp_ns, start_ns;
	uint64_t think_ns, think_every;
	uint64_t rate[JOB_OPS], rate_iops[JOB_OPS]; /* 0: none */
	bool is_poisson;

	uint64_t prioclass, prio; /* prio: 8 is unset */
	int nice;
	int cpu;                  /* -1: any */
	unsigned kb_base;
};

/* --- reading ---------------------------------------------------------------------------- */

struct fio_context {
	const struct fio_file_options *options;
	const char *file;
	unsigned line;            /* being read */
	const char *key;
	unsigned kb_base;         /* of the section */
	struct diag *diag;
};

/* Records file, line and cause; returns `error`. */
int fio_refuse(struct fio_context *context, int error, const char *format, ...)
	_printf_(3, 4);
void fio_note(const struct fio_context *context, unsigned line, const char *key,
	      const char *why);

/*
 * Values: the whole text or -EINVAL, told. Sizes know k, m, g, t, p with kb_base as fio
 * counts them (k is 1024 and ki 1000 unless kb_base=1000), hexadecimal; times us, ms, s,
 * m, h, d. What fio computes itself ("(2*1024)", "$jobname") is -ENOTSUP.
 */
int fio_parse_bytes(struct fio_context *context, const char *text, uint64_t *ret);
int fio_parse_signed_bytes(struct fio_context *context, const char *text, int64_t *ret);
int fio_parse_size(struct fio_context *context, const char *text, struct fio_size *ret);
int fio_parse_time(struct fio_context *context, const char *text, uint64_t scale_ns,
		   uint64_t *ret_ns);
int fio_parse_count(struct fio_context *context, const char *text, uint64_t min,
		    uint64_t max, uint64_t *ret);
int fio_parse_real(struct fio_context *context, const char *text, double *ret);
int fio_parse_bool(struct fio_context *context, const char *text, bool *ret);
/* "a,b,c" for reads, writes and trims; what is missing is as the one before. */
int fio_split_ops(struct fio_context *context, const char *text,
		  char ret[JOB_OPS][FIO_NAME_MAX]);

void fio_job_init(struct fio_job *job);

/* --- from there -------------------------------------------------------------------------- */

/* All but the place: fio_layout() fills that in afterwards. */
int fio_job_to_spec(struct fio_context *context, const struct fio_job *job,
		    struct job_spec *ret);
/* Where every job's files lie. `specs` as they came from the jobs, one each. */
int fio_layout(struct fio_context *context, const struct fio_job *jobs,
	       struct job_spec *specs, size_t count, unsigned *ret_devices);

#endif
