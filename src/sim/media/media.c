/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of models, and making one. */
#include "sim/media/media.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim/media/models.h"
#include "util/i18n.h"

/* The generator's stream of a device; jobs have the numbers from 0. */
#define MEDIA_STREAM UINT64_C(0x6d65646961)

static const struct sim_media_ops *const models[] = {
	&sim_media_hdd,
	&sim_media_sata_ssd,
	&sim_media_nvme,
	&sim_media_flash_card,
	&sim_media_raid,
	&sim_media_virtual,
	&sim_media_null,
};

const struct sim_media_ops *sim_media_get(size_t index)
{
	return index < ARRAY_SIZE(models) ? models[index] : NULL;
}

const struct sim_media_ops *sim_media_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(models); i++) {
		if (strcmp(models[i]->name, name) == 0)
			return models[i];
	}
	return NULL;
}

int sim_media_init(struct sim_media *media, const struct sim_medium *medium, uint64_t seed,
		   struct event_queue *events, struct diag *diag)
{
	int r;

	*media = (struct sim_media){
		.ops = medium->ops,
		.events = events,
		.event_kind = SIM_EVENT_MEDIA,
		.medium = *medium,
		.data = calloc(1, medium->ops->data_size ? medium->ops->data_size : 1),
	};
	if (!media->data)
		return -ENOMEM;
	sim_random_init(&media->random, seed, MEDIA_STREAM);
	r = medium->ops->init ? medium->ops->init(media, diag) : 0;
	if (r < 0)
		sim_media_done(media);
	return r;
}

void sim_media_done(struct sim_media *media)
{
	if (media->data && media->ops->done)
		media->ops->done(media);
	free(media->data);
	media->data = NULL;
}
