// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Traces as sources. Each run has a reader of its own; all of them count the same, and
 * what the first counted is kept when it is closed.
 */
#include "cmd/simulate-source.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "sim/workload/arrivals.h"
#include "util/i18n.h"
#include "util/log.h"

struct open_trace {
	struct simulate_source *source;
	struct trace_reader *reader;
	struct arrivals *arrivals;
	bool is_first; /* the one that reports */
	bool has_begun;
	uint64_t given, folded, last_ns; /* given: without flushes, as who asks counts */
	uint64_t begin_ns; /* of the window */
};

bool simulate_source_is_stream(const char *path)
{
	struct stat st;

	return strcmp(path, "-") == 0 ||
	       (stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode));
}

static void close_trace(void *data)
{
	struct open_trace *trace = data;

	if (trace->is_first && trace->reader) {
		trace->source->counts = *trace_reader_counts(trace->reader);
		trace->source->given = trace->given;
		trace->source->folded = trace->folded;
	}
	trace->source->last_ns = trace->last_ns;
	arrivals_free(trace->arrivals);
	trace_reader_free(trace->reader);
	free(trace);
}

static int skip_ios(struct open_trace *trace, uint64_t count, struct diag *diag)
{
	struct trace_record record = { 0 };
	int r = 1;

	while (count > 0 && r > 0) {
		r = arrivals_next(trace->arrivals, &record, diag);
		count -= record.sectors > 0;
	}
	return r < 0 ? r : 0;
}

static int open_trace(void *context, void **ret, struct diag *diag)
{
	struct simulate_source *source = context;
	struct open_trace *trace = calloc(1, sizeof(*trace));
	int r;

	if (!trace)
		return -ENOMEM;
	trace->source = source;
	trace->is_first = !atomic_exchange(&source->is_open, true);
	r = trace_reader_open(source->path, source->is_strict ? TRACE_STRICT : TRACE_SKIP_BROKEN,
			      &trace->reader, diag);
	if (r == 0)
		r = arrivals_new(trace->reader, &trace->arrivals, diag);
	if (r == 0)
		r = skip_ios(trace, source->skip, diag);
	if (r < 0) {
		close_trace(trace);
		return r;
	}
	*ret = trace;
	return 0;
}

static int next_io(void *data, struct trace_record *ret, struct diag *diag)
{
	struct open_trace *trace = data;
	const struct simulate_source *source = trace->source;
	uint64_t capacity = source->capacity_sectors;
	int r;

	if (source->limit && trace->given >= source->limit)
		return 0;
	r = arrivals_next(trace->arrivals, ret, diag);
	if (r <= 0)
		return r;
	if (source->skip || source->limit) {
		if (!trace->has_begun)
			trace->begin_ns = ret->time_ns;
		ret->time_ns -= trace->begin_ns;
	}
	trace->has_begun = true;
	trace->given += ret->sectors > 0;
	if (source->time_scale > 0)
		ret->time_ns = (uint64_t)((double)ret->time_ns * source->time_scale);
	trace->last_ns = ret->time_ns;
	if (capacity && (ret->sectors > capacity || ret->sector > capacity - ret->sectors)) {
		if (ret->sectors > capacity)
			return diag_set(diag, -EINVAL,
					_("an I/O of %u sectors is larger than the medium"),
					ret->sectors);
		ret->sector = ret->sector % (capacity - ret->sectors + 1) / 8 * 8;
		trace->folded++;
	}
	return 1;
}

struct experiment_source simulate_source_hooks(struct simulate_source *source)
{
	return (struct experiment_source){
		.open = open_trace,
		.close = close_trace,
		.next = next_io,
		.context = source,
	};
}

void simulate_report_broken(const struct trace_counts *counts)
{
	if (counts->broken)
		log_warning(_("%llu broken records left out; the first, at %llu: %s"),
			    (unsigned long long)counts->broken,
			    (unsigned long long)counts->first_broken,
			    counts->first_broken_why);
}

void simulate_report_losses(const struct trace_counts *counts)
{
	simulate_report_broken(counts);
	if (counts->lost)
		log_warning(_("the kernel lost %llu events: the load is not whole"),
			    (unsigned long long)counts->lost);
}

void simulate_source_report(const struct simulate_source *source)
{
	simulate_report_losses(&source->counts);
	if (source->folded)
		log_warning(_("%llu of %llu I/Os lie beyond the end of the medium: moved onto it"),
			    (unsigned long long)source->folded,
			    (unsigned long long)source->given);
}

int simulate_source_fail_empty(const struct simulate_source *source, struct diag *diag)
{
	const struct trace_counts *counts = &source->counts;

	if (counts->broken && !counts->records)
		return diag_set(diag, -ENODATA,
				_("%s: no record of it can be read: %llu are broken; the first, "
				  "at %llu: %s"),
				source->path, (unsigned long long)counts->broken,
				(unsigned long long)counts->first_broken,
				counts->first_broken_why);
	diag_set(diag, -ENODATA, _("%s: no I/O begins in it"), source->path);
	diag_hint(diag, _("%llu records were read, %llu are broken, %llu lines are of other "
			  "kinds; what is simulated are queue, insert or issue events"),
		  (unsigned long long)counts->records, (unsigned long long)counts->broken,
		  (unsigned long long)counts->other);
	return -ENODATA;
}
