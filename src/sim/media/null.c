/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The null device: no seeks, no transfer, a fixed time for everything. */
#include "sim/media/models.h"

#include <string.h>

#include "util/i18n.h"

enum { NULL_SERVICE_US };

static const struct sim_media_parameter null_parameters[] = {
	[NULL_SERVICE_US] = { "service_us", "us", 0.001, 1e9, 1000, N_("null_blk's completion_nsec"),
			      N_("what every request takes") },
};

static int null_submit(struct sim_media *media, struct sim_request *rq, uint64_t at_ns)
{
	const uint64_t *service_ns = media->data;

	return media_finish(media, rq, at_ns, at_ns + *service_ns);
}

static int null_init(struct sim_media *media, struct diag *diag)
{
	uint64_t *service_ns = media->data;

	(void)diag;
	*service_ns = (uint64_t)(media->medium.values[NULL_SERVICE_US] * 1e3 + 0.5);
	return 0;
}

const struct sim_media_ops sim_media_null = {
	.name = "null",
	.summary = N_("no medium: every request takes the same time"),
	.parameters = null_parameters,
	.parameter_count = ARRAY_SIZE(null_parameters),
	.data_size = sizeof(uint64_t),
	.init = null_init,
	.submit = null_submit,
};

void sim_medium_null(struct sim_medium *ret, uint64_t service_ns)
{
	*ret = (struct sim_medium){
		.name = "null",
		.class = "ram",
		.ops = &sim_media_null,
		.values[NULL_SERVICE_US] = (double)service_ns / 1e3,
		.capacity_sectors = UINT64_MAX >> 1,
		.hw_queues = 1,
		.hw_depth = 32,
	};
}
