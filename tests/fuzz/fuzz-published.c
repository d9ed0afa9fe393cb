// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * libFuzzer: files of published experiments. A refusal must say something; what is
 * accepted has a machine, jobs and rows within their limits, and can be compared.
 */
#include <stdint.h>
#include <stdlib.h>

#include "sim/published.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
	if (!holds)
		abort();
}

static void check_row(const struct published *published, const struct published_row *row)
{
	require(row->figure < PUBLISHED_FIGURES && published_figure_name(row->figure));
	require(row->direction >= -1 && row->direction < SIM_DIRS);
	for (size_t i = 0; i < published->scheduler_count; i++) {
		require(!row->values[i].is_given || row->values[i].measured > 0);
		require(published_measured_ratio(row, i) >= 0);
		require(published_simulated_ratio(row, i) == 0);
	}
	(void)published_is_ordered(row);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct published published;
	struct diag diag = { 0 };
	int r = published_parse((const char *)data, size, "fuzz.json", &published, &diag);

	if (r) {
		require(r < 0 && diag.text[0]);
		return 0;
	}
	require(published.title && published.source && published.experiment[0]);
	require(published.machine.processors >= 1 && published.machine.slowness > 0);
	require(published.devices >= 1 && published.seeds >= 1 && published.runtime_ns > 0);
	require(published.workload.job_count > 0);
	require(published.scheduler_count <= PUBLISHED_SCHEDULERS_MAX);
	require(published.row_count >= 1 && published.row_count <= PUBLISHED_ROWS_MAX);
	for (size_t i = 0; i < published.row_count; i++)
		check_row(&published, &published.rows[i]);
	published_done(&published);
	return 0;
}
