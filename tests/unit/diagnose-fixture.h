/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One made-up disk for the checks of a diagnosis.
 */
#ifndef IOSCHED_TESTS_DIAGNOSE_FIXTURE_H
#define IOSCHED_TESTS_DIAGNOSE_FIXTURE_H

#include "test.h"

#include "device/host.h"
#include "diagnose/diagnose.h"

struct scene {
	char *dir;
	struct root *root;
	struct device *device; /* sda, hdd; a queue of its own */
	struct device_list *list;
	struct host *host;
	struct diagnose_input input;
};

static inline struct scene scene_new(void)
{
	static char name[] = "sda", sys_path[] = "sys/block/sda";
	struct scene scene = { .dir = test_scratch_new() };

	scene.device = calloc(1, sizeof(*scene.device));
	scene.list = calloc(1, sizeof(*scene.list));
	scene.host = calloc(1, sizeof(*scene.host));
	assert_true(scene.device && scene.list && scene.host);
	*scene.device = (struct device){ .name = name,
					 .sys_name = name,
					 .sys_path = sys_path,
					 .class = CLASS_HDD,
					 .scheduler = { .active = -1 },
					 .rotational = 1 };
	*scene.list = (struct device_list){ scene.device, 1, scene.host };
	test_write(scene.dir, "sys/block/sda/dev", "8:0\n");
	assert_int_equal(root_open(scene.dir, &scene.root, NULL), 0);
	scene.input = (struct diagnose_input){ .root = scene.root,
					       .devices = scene.list,
					       .device = scene.device };
	return scene;
}

static inline void scene_done(struct scene *scene)
{
	root_free(scene->root);
	test_scratch_done(scene->dir);
	free(scene->device);
	free(scene->list);
	free(scene->host);
}

static inline bool scene_has(const struct diagnosis *found, const char *symptom,
			     enum finding_level level)
{
	for (size_t i = 0; i < found->count; i++)
		if (!strcmp(found->items[i].symptom, symptom) &&
		    found->items[i].level == level)
			return true;
	return false;
}

/* The one check, and whether it finds this. */
static inline bool scene_finds(struct scene *scene,
			       void (*probe)(const struct diagnose_input *,
					     struct diagnosis *),
			       const char *symptom, enum finding_level level)
{
	struct diagnosis found = { 0 };
	bool is_found;

	probe(&scene->input, &found);
	assert_int_equal(found.error, 0);
	is_found = scene_has(&found, symptom, level);
	diagnosis_done(&found);
	return is_found;
}

#endif
