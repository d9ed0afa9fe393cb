// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The request queue of one disk: schedulers, hardware queues, and the catalogue's
 * attributes as far as the scan asks for them.
 */
#include <errno.h>
#include <string.h>

#include "device/scan-internal.h"
#include "util/number.h"

/*
 * noop is always built into the legacy path and none always into blk-mq, so the words
 * tell which of the two it is. A bare "none" without brackets is a bio-based queue.
 */
static enum queue_kind queue_kind_of(const struct choice *choice,
				     const struct root_dir *dir)
{
	if (!choice_active(choice))
		return QUEUE_BIO;
	if (choice_has(choice, "none") || choice_has(choice, "mq-deadline"))
		return QUEUE_MQ;
	if (choice_has(choice, "noop") || choice_has(choice, "cfq"))
		return QUEUE_LEGACY;
	return root_dir_exists(dir, "mq") ? QUEUE_MQ : QUEUE_LEGACY;
}

static void read_scheduler(const struct root_dir *dir, struct device *device)
{
	char buf[CHOICE_MAX * CHOICE_NAME_MAX];
	ssize_t len = root_dir_read(dir, "queue/scheduler", buf, sizeof(buf));

	device->queue_kind = QUEUE_BIO;
	if (len == -ENOENT || len == -ENOTDIR)
		return;
	device->has_scheduler_file = true;
	if (len < 0 || choice_parse(buf, &device->scheduler)) {
		device->scheduler = (struct choice){ .active = -1 };
		return;
	}
	device->queue_kind = queue_kind_of(&device->scheduler, dir);
}

static struct device_value *add_value(struct device *device,
				      const struct tunable *tunable)
{
	struct device_value *values =
		reallocarray(device->values, device->value_count + 1, sizeof(*values));

	if (!values)
		return NULL;
	device->values = values;
	values += device->value_count++;
	*values = (struct device_value){ .tunable = tunable };
	return values;
}

static int read_value(const struct root_dir *dir, const char *folder,
		      const struct tunable *tunable, struct device *device)
{
	char name[128], text[TUNABLE_VALUE_MAX];
	struct device_value *value;
	ssize_t len;

	snprintf(name, sizeof(name), "%s%s", folder, tunable->file);
	len = root_dir_read(dir, name, text, sizeof(text));
	if (len == -ENOENT || len == -ENOTDIR)
		return 0;
	value = add_value(device, tunable);
	if (!value)
		return -ENOMEM;
	if (len < 0)
		value->error = (int)len;
	else
		memcpy(value->text, text, sizeof(text));
	value->is_writable = !tunable->is_readonly && root_dir_is_writable(dir, name);
	return 0;
}

static bool is_asked(unsigned needs, const struct tunable *tunable)
{
	if (tunable == tunable_scheduler())
		return false;
	if (needs & SCAN_QUEUE_ALL)
		return true;
	/* and the ceiling of one of them */
	if (needs & SCAN_QUEUE &&
	    (tunable->is_policy || !strcmp(tunable->file, "max_hw_sectors_kb")))
		return true;
	return needs & SCAN_NR_REQUESTS && !strcmp(tunable->file, "nr_requests");
}

static int read_values(const struct scan *scan, const struct root_dir *dir,
		       struct device *device)
{
	const char *active = choice_active(&device->scheduler);

	for (size_t i = 0; i < tunable_count(); i++) {
		const struct tunable *tunable = tunable_get(i);
		int error = 0;

		if (tunable->place == TUNABLE_QUEUE && is_asked(scan->needs, tunable))
			error = read_value(dir, "queue/", tunable, device);
		else if (tunable->place == TUNABLE_IOSCHED && active &&
			 scan->needs & SCAN_IOSCHED && text_equal(tunable->owner, active))
			error = read_value(dir, "queue/iosched/", tunable, device);
		if (error)
			return error;
	}
	return 0;
}

static int read_hw_queues(const struct scan *scan, const struct root_dir *dir,
			  struct device *device)
{
	_strv_ struct strv names = { 0 };
	int error = root_dir_list(dir, "mq", &names);

	if (error)
		return error == -ENOMEM ? error : 0;
	device->hw_queues = names.count;
	if (device_read_u64(dir, "mq/0/nr_tags", &device->driver_tags))
		device->driver_tags = 0;
	for (size_t i = 0; scan->needs & SCAN_HWQUEUE_CPUS && i < names.count; i++) {
		_free_ char *path = NULL, *list = NULL;

		if (asprintf(&path, "mq/%s/cpu_list", names.items[i]) < 0) {
			path = NULL;
			return -ENOMEM;
		}
		error = device_read_string(dir, path, &list);
		if (!error)
			error = strv_add(&device->hw_queue_cpus, list ? list : "");
		if (error)
			return error;
	}
	return 0;
}

static void read_inflight(const struct root_dir *dir, struct device *device)
{
	_strv_ struct strv words = { 0 };
	char buf[128];

	if (root_dir_read(dir, "inflight", buf, sizeof(buf)) < 0 ||
	    strv_split(&words, buf, " \t") || words.count != 2)
		return;
	if (number_parse_u64(words.items[0], &device->inflight_reads) ||
	    number_parse_u64(words.items[1], &device->inflight_writes))
		device->inflight_reads = device->inflight_writes = 0;
}

int device_read_queue(const struct scan *scan, const struct root_dir *dir,
		      struct device *device)
{
	const unsigned values =
		SCAN_QUEUE | SCAN_QUEUE_ALL | SCAN_NR_REQUESTS | SCAN_IOSCHED;
	uint64_t rotational;
	int error = 0;

	device->scheduler.active = -1;
	device->rotational = -1;
	if (!device_read_u64(dir, "queue/rotational", &rotational) && rotational <= 1)
		device->rotational = (int)rotational;
	if (scan->needs & SCAN_SCHEDULER)
		read_scheduler(dir, device);
	if (scan->needs & values)
		error = read_values(scan, dir, device);
	if (!error && scan->needs & (SCAN_HWQUEUES | SCAN_HWQUEUE_CPUS))
		error = read_hw_queues(scan, dir, device);
	if (!error && scan->needs & SCAN_INFLIGHT)
		read_inflight(dir, device);
	return error;
}
