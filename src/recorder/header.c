// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What stands before the events: the kernel, its ticks, and the queue with its scheduler
 * and every parameter, as replay and simulation read it.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <zlib.h>

#include "recorder/recorder-internal.h"
#include "sysfs/paths.h"
#include "util/clock.h"
#include "util/number.h"

#define CONFIG_MAX (4u * 1024 * 1024)

/* --- ticks ---------------------------------------------------------------------------- */

static unsigned hz_of_config(const char *config)
{
	static const char key[] = "CONFIG_HZ=";
	const char *line = config;
	_free_ char *value = NULL;
	int64_t hz;

	while (line && strncmp(line, key, strlen(key)) != 0) {
		line = strchr(line, '\n');
		if (line)
			line++;
	}
	if (!line)
		return 0;
	line += strlen(key);
	value = strndup(line, strcspn(line, "\n"));
	return value && number_parse_range(value, 1, 10000, &hz) == 0 ? (unsigned)hz : 0;
}

static unsigned hz_of_packed_config(const struct root *root)
{
	_root_file_ struct root_file file = { 0 };
	_free_ char *text = NULL;
	z_stream z = { 0 };
	unsigned hz = 0;

	if (root_read_file(root, PATH_PROC_CONFIG, &file) < 0)
		return 0;
	text = malloc(CONFIG_MAX + 1);
	if (!text || inflateInit2(&z, 16 + 15) != Z_OK)
		return 0;
	z.next_in = (Bytef *)file.data;
	z.avail_in = (uInt)file.len;
	z.next_out = (Bytef *)text;
	z.avail_out = CONFIG_MAX;
	if (inflate(&z, Z_FINISH) == Z_STREAM_END) {
		text[CONFIG_MAX - z.avail_out] = '\0';
		hz = hz_of_config(text);
	}
	inflateEnd(&z);
	return hz;
}

static unsigned hz_of_boot_config(const struct root *root)
{
	_free_ char *release = NULL, *path = NULL, *text = NULL;

	if (root_read(root, PATH_OSRELEASE, &release) < 0 ||
	    asprintf(&path, PATH_BOOT_CONFIG "%s", release) < 0)
		return 0;
	return root_read(root, path, &text) == 0 ? hz_of_config(text) : 0;
}

/* "jiffies: 4299007567", which counts while we look. */
static bool read_jiffies(const struct root *root, uint64_t *ret)
{
	static const char key[] = "\njiffies: ";
	_free_ char *text = NULL, *value = NULL;
	const char *at;
	int64_t jiffies;

	if (root_read(root, PATH_TIMER_LIST, &text) < 0)
		return false;
	at = strstr(text, key);
	if (!at)
		return false;
	at += strlen(key);
	value = strndup(at, strcspn(at, "\n"));
	if (!value || number_parse_range(value, 0, INT64_MAX, &jiffies) < 0)
		return false;
	*ret = (uint64_t)jiffies;
	return true;
}

/* Counted for a while: the nearest of those that kernels are built with. */
static unsigned hz_counted(const struct root *root)
{
	static const unsigned usual[] = { 100, 250, 300, 1000 };
	const struct timespec while_counting = { .tv_nsec = 300000000 };
	uint64_t first, last, begin_ns, end_ns;
	double rate;

	begin_ns = clock_now_ns();
	if (!read_jiffies(root, &first))
		return 0;
	nanosleep(&while_counting, NULL);
	end_ns = clock_now_ns();
	if (!read_jiffies(root, &last) || last <= first || end_ns <= begin_ns)
		return 0;
	rate = (double)(last - first) * 1e9 / (double)(end_ns - begin_ns);
	for (size_t i = 0; i < ARRAY_SIZE(usual); i++) {
		if (rate > usual[i] * 0.93 && rate < usual[i] * 1.07)
			return usual[i];
	}
	return 0;
}

unsigned kernel_find_hz(const struct root *root)
{
	unsigned hz = hz_of_packed_config(root);

	if (!hz)
		hz = hz_of_boot_config(root);
	return hz ? hz : hz_counted(root);
}

/* --- the queue -------------------------------------------------------------------------- */

static const char *value_of(const struct device *device, const char *key)
{
	for (size_t i = 0; i < device->value_count; i++) {
		const struct device_value *value = &device->values[i];

		if (value->error == 0 && strcmp(value->tunable->key, key) == 0)
			return value->text;
	}
	return NULL;
}

static void add_parameters(const struct device *device, const char *scheduler,
			   struct text *ret)
{
	size_t len = strlen(scheduler);

	for (size_t i = 0; i < device->value_count; i++) {
		const struct device_value *value = &device->values[i];
		const char *key = value->tunable->key;

		if (value->error == 0 && strncmp(key, scheduler, len) == 0 && key[len] == '.')
			text_addf(ret, "# iosched/%s=%s\n", key + len + 1, value->text);
	}
}

int header_add(const struct recorder_options *options, unsigned hz, struct text *ret)
{
	const struct device *device = options->device;
	const char *scheduler = choice_active(&device->scheduler);
	const char *nr_requests = value_of(device, "nr_requests");
	_free_ char *release = NULL;
	int error = root_read(options->root, PATH_OSRELEASE, &release);

	if (error)
		return error;
	text_addf(ret, "# kernel=%s", release);
	if (hz)
		text_addf(ret, " hz=%u", hz);
	text_addf(ret, " dev=%u:%u", device->major, device->minor);
	if (device->driver_tags)
		text_addf(ret, " hw_depth=%llu", (unsigned long long)device->driver_tags);
	if (device->hw_queues)
		text_addf(ret, " hw_queues=%zu", device->hw_queues);
	if (nr_requests)
		text_addf(ret, " nr_requests=%s", nr_requests);
	if (device->rotational >= 0)
		text_addf(ret, " rotational=%d", device->rotational);
	if (device->class != CLASS_UNKNOWN)
		text_addf(ret, " class=%s", device_class_name(device->class));
	if (device->size_sectors)
		text_addf(ret, " size_sectors=%llu", (unsigned long long)device->size_sectors);
	if (scheduler)
		text_addf(ret, " sched=%s", scheduler);
	text_add(ret, "\n");
	if (scheduler)
		add_parameters(device, scheduler, ret);
	return ret->error;
}
