// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Randomness and sync share of a trace, in one pass and little memory.
 */
#include "diagnose/pattern.h"

#include <errno.h>

#include "util/cleanup.h"
#include "util/i18n.h"

/* So many streams side by side still count as sequential. */
#define STREAM_MAX 32

/* One kind of record; a trace has a request more than once, at each of its stations. */
struct station {
	struct pattern pattern;
	uint64_t ends[STREAM_MAX];
	unsigned next;
	uint64_t first_ns, last_ns;
	uint64_t sectors;
};

static bool continues(struct station *station, const struct trace_record *record)
{
	uint64_t end = record->sector + record->sectors;

	for (unsigned i = 0; i < STREAM_MAX; i++) {
		if (station->ends[i] != record->sector)
			continue;
		station->ends[i] = end;
		return true;
	}
	station->ends[station->next++ % STREAM_MAX] = end;
	return false;
}

static void count(struct station *station, const struct trace_record *record)
{
	struct pattern *pattern = &station->pattern;

	if (!pattern->requests || record->time_ns < station->first_ns)
		station->first_ns = record->time_ns;
	if (record->time_ns > station->last_ns)
		station->last_ns = record->time_ns;
	pattern->requests++;
	pattern->reads += record->op == TRACE_READ;
	pattern->sync += record->op == TRACE_READ ||
			 record->flags & (TRACE_FLAG_SYNC | TRACE_FLAG_FUA);
	pattern->random += !continues(station, record);
	station->sectors += record->sectors;
}

/* Where an I/O can be seen on its way; the first that a trace shows is when it came. */
static const enum trace_action stages[] = {
	TRACE_IO, TRACE_BIO_QUEUE, TRACE_GETRQ, TRACE_RQ_INSERT, TRACE_RQ_ISSUE,
};

static int read_records(struct trace_reader *reader, struct station *stations,
			struct diag *diag)
{
	struct trace_record record;
	int status;

	while ((status = trace_reader_next(reader, &record, diag)) > 0) {
		if ((record.op != TRACE_READ && record.op != TRACE_WRITE) ||
		    !record.sectors)
			continue;
		for (size_t i = 0; i < ARRAY_SIZE(stages); i++) {
			if (record.action == stages[i])
				count(&stations[i], &record);
		}
	}
	return status;
}

int pattern_read(const char *path, struct pattern *ret, struct diag *diag)
{
	_cleanup_(cleanup_trace_reader_free) struct trace_reader *reader = NULL;
	struct station stations[ARRAY_SIZE(stages)] = { 0 };
	int error = trace_reader_open(path, TRACE_SKIP_BROKEN, &reader, diag);

	if (!error)
		error = read_records(reader, stations, diag);
	if (error)
		return error;
	for (size_t i = 0; i < ARRAY_SIZE(stations); i++) {
		struct station *station = &stations[i];

		if (!station->pattern.requests)
			continue;
		*ret = station->pattern;
		ret->mean_kib = (double)station->sectors / 2 /
				(double)station->pattern.requests;
		ret->seconds = (double)(station->last_ns - station->first_ns) / 1e9;
		ret->counts = *trace_reader_counts(reader);
		return 0;
	}
	diag_at(diag, path, 0);
	return diag_set(diag, -ENODATA, _("the trace has no reads and writes"));
}
