// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Fuzzer: what fio reports. A refusal must say something; what is taken must be figures that
 * are none or not negative, percentiles in their order, and sums of the groups.
 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "bench/fio-json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int condition)
{
	if (!condition)
		abort();
}

static void check_stream(const struct fio_stream *stream)
{
	const double *figures = stream->figures;

	for (unsigned i = 0; i < FIGURES; i++)
		require(isnan(figures[i]) || figures[i] >= 0);
	require(isnan(figures[FIGURE_P50]) || (figures[FIGURE_P50] <= figures[FIGURE_P99] &&
					       figures[FIGURE_P99] <= figures[FIGURE_P99_99]));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const unsigned stages[] = { 0, 0, 1, 2 };
	struct fio_result result;
	struct diag diag = { 0 };
	int error = fio_json_parse((const char *)data, size, stages, size % 2 ? 4 : 0, &result,
				   &diag);

	require(!error || (diag.error == error && diag.text[0]));
	if (error)
		return 0;
	require(result.group_count > 0 && result.group_count <= FIO_GROUPS_MAX);
	for (unsigned dir = 0; dir < FIO_STREAMS; dir++) {
		uint64_t ios = 0;

		for (size_t i = 0; i < result.group_count; i++) {
			check_stream(&result.groups[i].streams[dir]);
			ios += result.groups[i].streams[dir].ios;
		}
		check_stream(&result.streams[dir]);
		require(ios == result.streams[dir].ios);
	}
	for (size_t i = 0; i < result.group_count; i++)
		require(memchr(result.groups[i].name, '\0', JOB_NAME_MAX) != NULL);
	fio_result_done(&result);
	return 0;
}
