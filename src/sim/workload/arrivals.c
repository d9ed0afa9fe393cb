/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which records of a trace are arrivals, found from its first few thousand. */
#include "sim/workload/arrivals.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "util/cleanup.h"
#include "util/i18n.h"

#define ARRIVALS_WINDOW 4096
#define FOLD_ALIGN      8u   /* sectors of a page */
#define TIME_NS_MAX     9e18 /* some 285 years */

struct arrivals {
	struct trace_reader *reader;
	struct arrivals_options options;
	enum trace_action stage;
	struct trace_record *window;
	size_t window_at, window_count;
	bool has_first;
	uint32_t device;
	uint64_t first_ns, last_ns;
	struct arrivals_counts counts;
};

/* The earlier stage wins. */
static const enum trace_action stages[] = {
	TRACE_IO, TRACE_BIO_QUEUE, TRACE_GETRQ, TRACE_RQ_INSERT, TRACE_RQ_ISSUE,
};

static enum trace_action find_stage(const struct trace_record *records, size_t count)
{
	for (size_t s = 0; s < ARRAY_SIZE(stages); s++) {
		for (size_t i = 0; i < count; i++) {
			if (records[i].action == stages[s])
				return stages[s];
		}
	}
	return TRACE_IO;
}

int arrivals_new(struct trace_reader *reader, struct arrivals **ret, struct diag *diag)
{
	_cleanup_(cleanup_arrivals_free) struct arrivals *arrivals = NULL;
	int r = 1;

	arrivals = calloc(1, sizeof(*arrivals));
	if (arrivals)
		arrivals->window = calloc(ARRIVALS_WINDOW, sizeof(arrivals->window[0]));
	if (!arrivals || !arrivals->window)
		return diag_set(diag, -ENOMEM, _("out of memory"));
	arrivals->reader = reader;
	while (arrivals->window_count < ARRIVALS_WINDOW) {
		r = trace_reader_next(reader, &arrivals->window[arrivals->window_count],
				      diag);
		if (r <= 0)
			break;
		arrivals->window_count++;
	}
	if (r < 0)
		return r;
	arrivals->stage = find_stage(arrivals->window, arrivals->window_count);
	*ret = TAKE_PTR(arrivals);
	return 0;
}

void arrivals_free(struct arrivals *arrivals)
{
	if (!arrivals)
		return;
	free(arrivals->window);
	free(arrivals);
}

int arrivals_set_options(struct arrivals *arrivals, const struct arrivals_options *options,
			 struct diag *diag)
{
	if (!isfinite(options->time_scale) || options->time_scale < 0.0)
		return diag_set(diag, -EINVAL, _("times cannot be multiplied by %g"),
				options->time_scale);
	arrivals->options = *options;
	return 0;
}

static int next_record(struct arrivals *arrivals, struct trace_record *ret,
		       struct diag *diag)
{
	if (arrivals->window_at < arrivals->window_count) {
		*ret = arrivals->window[arrivals->window_at++];
		return 1;
	}
	return trace_reader_next(arrivals->reader, ret, diag);
}

/* The bio of fsync writes nothing and asks for a flush before it. */
static bool is_flush(const struct trace_record *record)
{
	return record->sectors == 0 && (record->op == TRACE_FLUSH ||
					record->flags & TRACE_FLAG_PREFLUSH);
}

static bool is_wanted(struct arrivals *arrivals, const struct trace_record *record)
{
	if (record->action != arrivals->stage)
		return false;
	if (arrivals->has_first && record->device != arrivals->device) {
		arrivals->counts.other_device++;
		return false;
	}
	if (is_flush(record))
		return true;
	if (record->sectors == 0 || record->op == TRACE_FLUSH || record->op == TRACE_ZONE ||
	    record->op == TRACE_OTHER) {
		arrivals->counts.without_data++;
		return false;
	}
	return true;
}

static uint64_t scale_time(const struct arrivals *arrivals, uint64_t time_ns)
{
	double scale = arrivals->options.time_scale, scaled = (double)time_ns * scale;

	if (scale == 0.0 || scale == 1.0)
		return time_ns;
	return scaled < TIME_NS_MAX ? (uint64_t)scaled : (uint64_t)TIME_NS_MAX;
}

static void fold(struct arrivals *arrivals, struct trace_record *record)
{
	uint64_t size = arrivals->options.fold_sectors;

	if (!size || (record->sector <= size && record->sectors <= size - record->sector))
		return;
	arrivals->counts.folded++;
	if (size > FOLD_ALIGN)
		size -= size % FOLD_ALIGN;
	if (record->sectors > size) {
		arrivals->counts.cut++;
		record->sectors = (uint32_t)size;
	}
	record->sector %= size;
	/* Across the end: before it, as far as alignment allows. */
	if (record->sectors > size - record->sector) {
		record->sector = size - record->sectors;
		if (record->sector >= FOLD_ALIGN)
			record->sector -= record->sector % FOLD_ALIGN;
	}
}

int arrivals_next(struct arrivals *arrivals, struct trace_record *ret, struct diag *diag)
{
	int r;

	do {
		r = next_record(arrivals, ret, diag);
		if (r <= 0)
			return r;
	} while (!is_wanted(arrivals, ret));
	if (is_flush(ret)) {
		/* Who asked for it waits; where it is said to be means nothing. */
		ret->op = TRACE_FLUSH;
		ret->flags = TRACE_FLAG_SYNC;
		ret->sector = 0;
	}
	if (!arrivals->has_first) {
		arrivals->has_first = true;
		arrivals->device = ret->device;
		arrivals->first_ns = ret->time_ns;
	}
	if (ret->time_ns < arrivals->first_ns + arrivals->last_ns) {
		arrivals->counts.backwards++;
		ret->time_ns = arrivals->first_ns + arrivals->last_ns;
	}
	ret->time_ns -= arrivals->first_ns;
	arrivals->last_ns = ret->time_ns;
	ret->time_ns = scale_time(arrivals, ret->time_ns);
	fold(arrivals, ret);
	arrivals->counts.given++;
	return 1;
}

const struct arrivals_counts *arrivals_counts(const struct arrivals *arrivals)
{
	return &arrivals->counts;
}
