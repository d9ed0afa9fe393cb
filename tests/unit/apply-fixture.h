/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Disks made of plain files for the tests of plan and apply, and a scan of them that
 * needs nothing of the device layer. A plain file keeps what is written to it: no switch
 * resets anything here, that is for the live tests.
 */
#ifndef IOSCHED_TESTS_APPLY_FIXTURE_H
#define IOSCHED_TESTS_APPLY_FIXTURE_H

#include "test.h"

#include "device/device.h"
#include "device/host.h"
#include "policy/policy.h"
#include "sysfs/root.h"
#include "tunable/tunable.h"

#define FIXTURE_DISK_MAX  64
#define FIXTURE_VALUE_MAX 16

/* What the disks of a fixture have, but for the scheduler. */
static const char *const fixture_values[][3] = {
	/* key, path below queue/, content */
	{ "mq-deadline.read_expire", "iosched/read_expire", "500\n" },
	{ "mq-deadline.fifo_batch", "iosched/fifo_batch", "16\n" },
	{ "nr_requests", "nr_requests", "256\n" },
	{ "read_ahead_kb", "read_ahead_kb", "128\n" },
	{ "nomerges", "nomerges", "0\n" },
	{ "wbt_lat_usec", "wbt_lat_usec", "2000\n" },
};

struct fixture {
	char *dir;
	struct root *root;
	struct host host;
	struct device disks[FIXTURE_DISK_MAX];
	struct device_value values[FIXTURE_DISK_MAX][FIXTURE_VALUE_MAX];
	char names[FIXTURE_DISK_MAX][32];
	char paths[FIXTURE_DISK_MAX][64];
	struct device_list list;
};

static inline void fixture_path(const struct fixture *fixture, const char *disk,
				const char *file, char *buf, size_t size)
{
	snprintf(buf, size, "%s/sys/devices/virtual/block/%s/%s", fixture->dir, disk,
		 file);
}

static inline void fixture_write(const struct fixture *fixture, const char *disk,
				 const char *file, const char *data)
{
	char name[256];

	snprintf(name, sizeof(name), "sys/devices/virtual/block/%s/%s", disk, file);
	test_write(fixture->dir, name, data);
}

static inline void fixture_expect(const struct fixture *fixture, const char *disk,
				  const char *file, const char *data)
{
	char name[256], *text = NULL;

	snprintf(name, sizeof(name), "sys/devices/virtual/block/%s/%s", disk, file);
	assert_int_equal(root_read(fixture->root, name, &text), 0);
	assert_string_equal(text, data);
	free(text);
}

static inline const struct tunable *fixture_tunable(const char *key)
{
	const struct tunable *tunable = tunable_find(key);

	assert_non_null(tunable);
	return tunable;
}

/* Reads the tree again into the list. */
static inline void fixture_scan(struct fixture *fixture)
{
	for (size_t i = 0; i < fixture->list.count; i++) {
		struct device *disk = &fixture->disks[i];

		disk->value_count = 0;
		for (size_t j = 0; j < ARRAY_SIZE(fixture_values); j++) {
			struct device_value *value = &disk->values[disk->value_count];
			char name[256], *text = NULL;

			snprintf(name, sizeof(name), "%s/queue/%s", disk->sys_path,
				 fixture_values[j][1]);
			if (root_read(fixture->root, name, &text))
				continue;
			*value = (struct device_value){ .is_writable = true };
			value->tunable = fixture_tunable(fixture_values[j][0]);
			snprintf(value->text, sizeof(value->text), "%s", text);
			disk->value_count++;
			free(text);
		}
	}
}

/* sda, sdb … with [none] mq-deadline kyber bfq and the values above. */
static inline struct fixture *fixture_new(size_t count)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));

	assert_non_null(fixture);
	assert_true(count <= FIXTURE_DISK_MAX);
	fixture->dir = test_scratch_new();
	for (size_t i = 0; i < count; i++) {
		struct device *disk = &fixture->disks[i];
		char text[32];

		snprintf(fixture->names[i], sizeof(fixture->names[i]), "disk%zu", i);
		snprintf(fixture->paths[i], sizeof(fixture->paths[i]),
			 "sys/devices/virtual/block/disk%zu", i);
		disk->name = disk->sys_name = fixture->names[i];
		disk->sys_path = fixture->paths[i];
		disk->major = 8;
		disk->minor = (unsigned)i * 16;
		disk->class = CLASS_SSD;
		disk->has_scheduler_file = true;
		disk->values = fixture->values[i];
		snprintf(text, sizeof(text), "8:%u\n", disk->minor);
		fixture_write(fixture, disk->name, "dev", text);
		fixture_write(fixture, disk->name, "queue/scheduler",
			      "[none] mq-deadline kyber bfq\n");
		assert_int_equal(
			choice_parse("[none] mq-deadline kyber bfq", &disk->scheduler),
			0);
		for (size_t j = 0; j < ARRAY_SIZE(fixture_values); j++) {
			snprintf(text, sizeof(text), "queue/%s", fixture_values[j][1]);
			fixture_write(fixture, disk->name, text, fixture_values[j][2]);
		}
	}
	fixture->host.boot_id = strdup("11111111-2222-3333-4444-555555555555");
	fixture->list = (struct device_list){ fixture->disks, count, &fixture->host };
	assert_int_equal(root_open(fixture->dir, &fixture->root, NULL), 0);
	fixture_scan(fixture);
	return fixture;
}

static inline void fixture_free(struct fixture *fixture)
{
	root_free(fixture->root);
	test_scratch_done(fixture->dir);
	free(fixture->host.boot_id);
	free(fixture);
}

/* A policy made by hand, which policy_free() does not free. */
struct fixture_policy {
	struct policy policy;
	struct policy_device items[FIXTURE_DISK_MAX];
	struct policy_value values[FIXTURE_DISK_MAX][FIXTURE_VALUE_MAX];
};

static inline void fixture_want(struct fixture_policy *policy, const struct device *disk,
				const char *key, const char *value)
{
	struct policy_device *item;
	struct policy_value *wanted;
	size_t at = 0;

	while (at < policy->policy.count && policy->items[at].device != disk)
		at++;
	item = &policy->items[at];
	if (at == policy->policy.count) {
		*item = (struct policy_device){ .device = disk, .state = POLICY_SET };
		item->values = policy->values[at];
		policy->policy.count++;
	}
	policy->policy.items = policy->items;
	wanted = &item->values[item->value_count++];
	*wanted = (struct policy_value){
		.tunable = fixture_tunable(key),
		.origin = ORIGIN_PROFILE,
	};
	snprintf(wanted->value, sizeof(wanted->value), "%s", value);
}

#endif
