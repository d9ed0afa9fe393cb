// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which paths of NVMe multipath are to be expected, and waiting for them.
 */
#include "device/nvme-paths.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#include "sysfs/paths.h"
#include "util/clock.h"

#define PAUSE_MS 50

static const char digits[] = "0123456789";
static const char dev_prefix[] = "/" PATH_DEV "/";

static const char *skip_dev(const char *argument)
{
	return text_starts_with(argument, dev_prefix) ? argument + strlen(dev_prefix)
						      : argument;
}

/* "n2", to the end */
static bool is_namespace(const char *text)
{
	return *text == 'n' && text[1] && !text[1 + strspn(text + 1, digits)];
}

/* After "nvme" and a number: what follows, NULL when it does not begin so. */
static const char *skip_instance(const char *name)
{
	size_t len;

	if (!text_starts_with(name, "nvme"))
		return NULL;
	name += strlen("nvme");
	len = strspn(name, digits);
	return len ? name + len : NULL;
}

bool nvme_path_to_head(const char *name, char *ret, size_t size)
{
	const char *c = skip_instance(name);
	size_t len;
	int used;

	if (!c || *c != 'c')
		return false;
	len = 1 + strspn(c + 1, digits);
	if (len < 2 || !is_namespace(c + len))
		return false;
	used = snprintf(ret, size, "%.*s%s", (int)(c - name), name, c + len);
	return used > 0 && (size_t)used < size;
}

const char *nvme_controller_name(const char *argument)
{
	const char *name = skip_dev(argument), *end = skip_instance(name);

	return end && !*end ? name : NULL;
}

bool nvme_is_on_controller(const struct device *device, const char *controller)
{
	const char *slash = strrchr(device->sys_path, '/');
	size_t len = strlen(controller), before;

	if (!slash)
		return false;
	before = (size_t)(slash - device->sys_path);
	return before > len && slash[-(ptrdiff_t)len - 1] == '/' &&
	       !strncmp(slash - len, controller, len);
}

static bool is_disk(const char *name)
{
	const char *end = skip_instance(name);
	char head[64];

	return nvme_path_to_head(name, head, sizeof(head)) || (end && is_namespace(end));
}

static int list(const struct root *root, const char *folder, const char *name,
		struct strv *ret)
{
	_free_ char *path = NULL;
	int error;

	if (asprintf(&path, "%s/%s", folder, name) < 0) {
		path = NULL;
		return -ENOMEM;
	}
	error = root_list(root, path, ret);
	return error == -ENOMEM ? error : 0;
}

bool nvme_has_disks(const struct root *root, const char *controller)
{
	_strv_ struct strv names = { 0 };

	if (list(root, PATH_NVME, controller, &names))
		return true; /* the scan will say what is wrong */
	for (size_t i = 0; i < names.count; i++)
		if (is_disk(names.items[i]))
			return true;
	return false;
}

/* --- what is still to come ---------------------------------------------------------------- */

/* "" when it cannot be read. */
static void read_state(const struct root *root, const char *controller, char *ret,
		       size_t size)
{
	_free_ char *path = NULL, *state = NULL;

	*ret = '\0';
	if (asprintf(&path, PATH_NVME "/%s/state", controller) < 0) {
		path = NULL;
		return;
	}
	if (!root_read(root, path, &state))
		snprintf(ret, size, "%s", state);
}

static bool is_ending(const char *state)
{
	return !strcmp(state, "dead") || text_starts_with(state, "deleting");
}

static bool is_beginning(const char *state)
{
	return !strcmp(state, "new") || !strcmp(state, "connecting") ||
	       !strcmp(state, "resetting");
}

/* *ret: the controller is to have a path to the head and has none yet. */
static int is_awaited(const struct root *root, const char *controller, const char *head,
		      bool *ret)
{
	_strv_ struct strv names = { 0 };
	char state[32], found[64];
	int error = list(root, PATH_NVME, controller, &names);

	*ret = false;
	if (error || !names.count)
		return error;
	for (size_t i = 0; i < names.count; i++)
		if (nvme_path_to_head(names.items[i], found, sizeof(found)) &&
		    !strcmp(found, head))
			return 0;
	read_state(root, controller, state, sizeof(state));
	*ret = !is_ending(state);
	return 0;
}

/* What is below a subsystem: heads and links to controllers. */
static int count_awaited(const struct root *root, const struct strv *members,
			 const char *name, bool is_controller, size_t *ret)
{
	for (size_t i = 0; i < members->count; i++) {
		const char *other = members->items[i];
		bool is_match = is_controller ? is_disk(other)
					      : nvme_controller_name(other) != NULL;
		bool awaited = false;
		int error = 0;

		if (is_match)
			error = is_awaited(root, is_controller ? name : other,
					   is_controller ? other : name, &awaited);
		if (error)
			return error;
		*ret += awaited;
	}
	return 0;
}

static int find_awaited(const struct root *root, const char *name, size_t *ret)
{
	bool is_controller = nvme_controller_name(name) != NULL;
	_strv_ struct strv subsystems = { 0 };
	char state[32];
	int error = root_list(root, PATH_NVME_SUBSYSTEM, &subsystems);

	*ret = 0;
	if (error)
		return error == -ENOMEM ? error : 0;
	for (size_t i = 0; i < subsystems.count; i++) {
		_strv_ struct strv members = { 0 };

		error = list(root, PATH_NVME_SUBSYSTEM, subsystems.items[i], &members);
		if (error)
			return error;
		if (strv_contains(&members, name))
			return count_awaited(root, &members, name, is_controller, ret);
	}
	/* a new controller has no subsystem before it has been identified */
	if (is_controller) {
		read_state(root, name, state, sizeof(state));
		*ret = is_beginning(state);
	}
	return 0;
}

int nvme_wait_for_paths(const struct root *root, const char *argument,
			unsigned timeout_ms, bool *ret_is_complete)
{
	static const struct timespec pause = { .tv_nsec = PAUSE_MS * 1000000L };
	const char *name = skip_dev(argument);
	int64_t end_ms = clock_now_ms() + timeout_ms;

	*ret_is_complete = true;
	if (!skip_instance(name))
		return 0;
	for (;;) {
		size_t count;
		int error = find_awaited(root, name, &count);

		*ret_is_complete = !error && !count;
		if (error || !count || clock_now_ms() >= end_ms)
			return error;
		nanosleep(&pause, NULL);
	}
}
