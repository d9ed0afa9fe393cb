// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Collecting for a snapshot what a diagnosis reads.
 */
#include "diagnose/record.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#include "device/device.h"
#include "diagnose/interrupts.h"
#include "diagnose/smart.h"
#include "persist/conflicts.h"
#include "sysfs/paths.h"
#include "util/clock.h"

bool diagnose_wait(double seconds)
{
	struct timespec pause = { .tv_sec = (time_t)seconds };

	pause.tv_nsec = (long)((seconds - (double)pause.tv_sec) * 1e9);
	return nanosleep(&pause, NULL) == 0;
}

static int add_file(const struct root *root, const char *path, struct capture_extras *ret)
{
	_free_ char *text = NULL;
	int error = root_read(root, path, &text);

	if (error)
		return error == -ENOMEM ? error : 0;
	return capture_extras_add(ret, path, text);
}

static int add_below(const struct root *root, const char *folder, const char *file,
		     struct capture_extras *ret)
{
	_free_ char *path = NULL;

	if (asprintf(&path, "%s/%s", folder, file) < 0) {
		path = NULL;
		return -ENOMEM;
	}
	return add_file(root, path, ret);
}

/* --- interrupts --------------------------------------------------------------------- */

static int add_bus(const struct root *root, const char *path, const struct strv *numbers,
		   struct capture_extras *ret)
{
	static const char *const files[] = { "irq", "numa_node", "local_cpulist" };
	int error = 0;

	for (size_t i = 0; !error && i < ARRAY_SIZE(files); i++)
		error = add_below(root, path, files[i], ret);
	for (size_t i = 0; !error && i < numbers->count; i++) {
		_free_ char *file = NULL, *folder = NULL;

		if (asprintf(&file, "msi_irqs/%s", numbers->items[i]) < 0) {
			file = NULL;
			return -ENOMEM;
		}
		if (asprintf(&folder, PATH_IRQ "/%s", numbers->items[i]) < 0) {
			folder = NULL;
			return -ENOMEM;
		}
		error = add_below(root, path, file, ret);
		if (!error)
			error = add_below(root, folder, "smp_affinity_list", ret);
		if (!error)
			error = add_below(root, folder, "effective_affinity_list", ret);
	}
	return error;
}

/* The heading, and the lines of disks: others are nobody's business. */
static int add_table(const struct root *root, const struct strv *numbers,
		     struct capture_extras *ret)
{
	_free_ char *text = NULL;
	_strv_ struct strv lines = { 0 };
	_text_ struct text kept = { 0 };
	int error = root_read(root, PATH_INTERRUPTS, &text);

	if (error)
		return error == -ENOMEM ? error : 0;
	if (strv_split(&lines, text, "\n"))
		return -ENOMEM;
	for (size_t i = 0; i < lines.count; i++) {
		const char *line = lines.items[i] + strspn(lines.items[i], " ");
		size_t len = strspn(line, "0123456789");
		_free_ char *number = strndup(line, len);

		if (!number)
			return -ENOMEM;
		if (i && (line[len] != ':' || !strv_contains(numbers, number)))
			continue;
		text_addf(&kept, "%s%s", i ? "\n" : "", lines.items[i]);
	}
	if (kept.error || !kept.data)
		return kept.error;
	return capture_extras_add(ret, PATH_INTERRUPTS, kept.data);
}

static int add_interrupts(const struct root *root, const struct device_list *devices,
			  struct capture_extras *ret)
{
	_strv_ struct strv all = { 0 };
	int error = 0;

	for (size_t i = 0; !error && i < devices->count; i++) {
		_strv_ struct strv numbers = { 0 };
		_free_ char *path = NULL;

		error = interrupts_list(root, &devices->items[i], &path, &numbers);
		if (!error && path)
			error = add_bus(root, path, &numbers, ret);
		for (size_t n = 0; !error && n < numbers.count; n++)
			if (!strv_contains(&all, numbers.items[n]))
				error = strv_add(&all, numbers.items[n]);
	}
	return error ? error : add_table(root, &all, ret);
}

static int add_irqbalance(const struct root *root, struct capture_extras *ret)
{
	static const char *const paths[] = PATHS_IRQBALANCE;

	for (size_t i = 0; i < ARRAY_SIZE(paths); i++)
		if (root_exists(root, paths[i]))
			return capture_extras_add(ret, paths[i], NULL);
	return 0;
}

/* --- other managers ----------------------------------------------------------------- */

static bool has_path(const struct conflicts *conflicts, size_t count, const char *path)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(conflicts->items[i].path, path))
			return true;
	return false;
}

static int add_conflicts(const struct root *root, struct capture_extras *ret)
{
	_conflicts_ struct conflicts conflicts = { 0 };
	int error = conflicts_find(root, "", NULL, &conflicts);

	for (size_t i = 0; !error && i < conflicts.count; i++)
		if (!has_path(&conflicts, i, conflicts.items[i].path))
			error = add_file(root, conflicts.items[i].path, ret);
	return error ? error : add_file(root, PATH_TUNED_ACTIVE, ret);
}

/* --- load and health ---------------------------------------------------------------- */

/* All processors together, which says how often they were away. */
static int add_processors(const struct root *root, struct capture_extras *ret)
{
	_free_ char *text = NULL;
	int error = root_read(root, PATH_PROC_STAT, &text);

	if (error)
		return error == -ENOMEM ? error : 0;
	text[strcspn(text, "\n")] = '\0';
	return capture_extras_add(ret, PATH_PROC_STAT, text);
}

static int add_sample(const struct root *root, const struct device *device,
		      struct capture_extras *ret)
{
	_free_ char *from = NULL, *to = NULL, *text = NULL;
	int error;

	if (asprintf(&to, PATH_SNAPSHOT_SAMPLE "/%s", device->sys_name) < 0) {
		to = NULL;
		return -ENOMEM;
	}
	if (root_get_kind(root) != ROOT_HOST)
		return add_file(root, to, ret);
	if (asprintf(&from, "%s/stat", device->sys_path) < 0) {
		from = NULL;
		return -ENOMEM;
	}
	error = root_read(root, from, &text);
	if (error)
		return error == -ENOMEM ? error : 0;
	return capture_extras_add(ret, to, text);
}

static int add_smart(const struct root *root, const struct device *device,
		     struct capture_extras *ret)
{
	_free_ char *json = NULL, *path = NULL;
	int error = smart_record(root, device, &json);

	if (error || !json)
		return error;
	if (asprintf(&path, PATH_SNAPSHOT_SMART "/%s", device->sys_name) < 0) {
		path = NULL;
		return -ENOMEM;
	}
	return capture_extras_add(ret, path, json);
}

static int add_measured(const struct root *root, const struct device_list *devices,
			double seconds, struct capture_extras *ret)
{
	uint64_t begin_ns;
	char text[32];
	int error = 0;

	for (size_t i = 0; !error && i < devices->count; i++)
		error = add_smart(root, &devices->items[i], ret);
	for (size_t i = 0; !error && i < devices->count; i++)
		error = add_sample(root, &devices->items[i], ret);
	if (error)
		return error;
	if (root_get_kind(root) != ROOT_HOST)
		return add_file(root, PATH_SNAPSHOT_SAMPLE_SECONDS, ret);
	begin_ns = clock_now_ns();
	diagnose_wait(seconds);
	snprintf(text, sizeof(text), "%.3f", clock_seconds_since(begin_ns));
	return capture_extras_add(ret, PATH_SNAPSHOT_SAMPLE_SECONDS, text);
}

int diagnose_record(const struct root *root, double seconds, struct capture_extras *ret,
		    struct diag *diag)
{
	_cleanup_(cleanup_device_list_free) struct device_list *devices = NULL;
	int error = device_scan(root, SCAN_BASICS | SCAN_CLASS, NULL, 0, &devices, diag);

	if (!error)
		error = add_interrupts(root, devices, ret);
	if (!error)
		error = add_irqbalance(root, ret);
	if (!error)
		error = add_conflicts(root, ret);
	if (!error)
		error = add_file(root, PATH_UPTIME, ret);
	if (!error)
		error = add_processors(root, ret);
	if (!error && (seconds > 0 || root_get_kind(root) != ROOT_HOST))
		error = add_measured(root, devices, seconds, ret);
	return error;
}
