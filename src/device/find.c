// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which disk a DEVICE argument means.
 */
#include <errno.h>
#include <string.h>

#include "device/scan-internal.h"
#include "sysfs/paths.h"
#include "util/i18n.h"
#include "util/suggest.h"

/* A link to a link to a node: as many as a made-up tree may have. */
#define LINK_MAX_FOLLOWED 8
/* Disks that a message names before it stops. */
#define NAMED_MAX 8

static const char dev_prefix[] = PATH_DEV "/";

const struct device *device_find_by_name(const struct device_list *list, const char *name)
{
	const struct device *found = device_list_find(list, name);

	for (size_t i = 0; !found && i < list->count; i++) /* "cciss/c0d0" */
		if (!strcmp(list->items[i].name, name))
			found = &list->items[i];
	return found;
}

static const struct device *find_by_kernel_name(const struct scan *scan, const char *name)
{
	const struct device *found = device_find_by_name(scan->list, name);
	_free_ char *sys_name = NULL;

	if (found)
		return found;
	sys_name = strdup(name);
	if (!sys_name)
		return NULL;
	for (char *p = sys_name; (p = strchr(p, '/'));)
		*p = '!';
	return scan_find_disk(scan, sys_name);
}

static const struct device *find_by_number(const struct scan *scan, const char *number)
{
	_free_ char *path = NULL, *target = NULL;
	const char *slash;

	if (number[strspn(number, "0123456789:")] || !strchr(number, ':'))
		return NULL;
	if (asprintf(&path, PATH_SYS_DEV_BLOCK "/%s", number) < 0) {
		path = NULL;
		return NULL;
	}
	if (root_read_link(scan->root, path, &target)) {
		for (size_t i = 0; i < scan->list->count; i++) {
			const struct device *device = &scan->list->items[i];
			char have[32];

			snprintf(have, sizeof(have), "%u:%u", device->major,
				 device->minor);
			if (!strcmp(have, number))
				return device;
		}
		return NULL;
	}
	slash = strrchr(target, '/');
	return scan_find_disk(scan, slash ? slash + 1 : target);
}

static const struct device *find_by_dm_name(const struct scan *scan, const char *name)
{
	for (size_t i = 0; i < scan->list->count; i++)
		if (text_equal(scan->list->items[i].dm_name, name))
			return &scan->list->items[i];
	return NULL;
}

/* udev's own list of a disk's links, and the names of device mapper. */
static const struct device *find_by_known_link(const struct scan *scan, const char *path)
{
	static const char mapper[] = PATH_DEV "/mapper/";

	for (size_t i = 0; i < scan->list->count; i++) {
		const struct device *device = &scan->list->items[i];

		for (size_t n = 0; n < device->devlinks.count; n++)
			if (!strcmp(device->devlinks.items[n] + 1, path))
				return device;
	}
	return text_starts_with(path, mapper)
		       ? find_by_dm_name(scan, path + strlen(mapper))
		       : NULL;
}

/* Where a link at `path` leads, from the root; its text only, nothing is looked up. */
static char *follow_link(const char *path, const char *target)
{
	_text_ struct text joined = { 0 };
	_strv_ struct strv parts = { 0 }, kept = { 0 };
	const char *slash = strrchr(path, '/');
	char *result = NULL;

	if (*target != '/' && slash)
		text_add_bytes(&joined, path, (size_t)(slash - path));
	text_addf(&joined, "/%s", target);
	if (joined.error || strv_split(&parts, joined.data, "/"))
		return NULL;
	for (size_t i = 0; i < parts.count; i++) {
		if (!strcmp(parts.items[i], "..") && kept.count)
			free(kept.items[--kept.count]);
		else if (strcmp(parts.items[i], "..") && strcmp(parts.items[i], ".") &&
			 strv_add(&kept, parts.items[i]))
			return NULL;
	}
	joined.len = 0;
	for (size_t i = 0; i < kept.count; i++)
		text_addf(&joined, "%s%s", i ? "/" : "", kept.items[i]);
	return text_take(&joined, &result) ? NULL : result;
}

/* By node number on a real tree; in a snapshot by where the links lead. */
static const struct device *find_by_node(const struct scan *scan, const char *path)
{
	const struct device *found = find_by_known_link(scan, path);
	unsigned major, minor;
	_free_ char *at = NULL;

	if (found)
		return found;
	if (!root_get_devnum(scan->root, path, &major, &minor)) {
		char number[32];

		snprintf(number, sizeof(number), "%u:%u", major, minor);
		return find_by_number(scan, number);
	}
	at = strdup(path);
	for (size_t i = 0; at && i < LINK_MAX_FOLLOWED; i++) {
		_free_ char *target = NULL;
		char *next;

		if (root_read_link(scan->root, at, &target))
			break;
		next = follow_link(at, target);
		free(at);
		at = next;
		if (!at || !text_starts_with(at, dev_prefix))
			break;
		found = find_by_kernel_name(scan, at + strlen(dev_prefix));
		if (!found)
			found = find_by_known_link(scan, at);
		if (found)
			return found;
	}
	return NULL;
}

static const struct device *find_argument(const struct scan *scan, const char *argument)
{
	static const char *const folders[] = { PATH_SYS_BLOCK "/",
					       PATH_SYS_CLASS_BLOCK "/" };
	static const char numbers[] = PATH_SYS_DEV_BLOCK "/";
	const char *path = argument;
	const struct device *found;

	while (*path == '/')
		path++;
	if (*argument != '/') {
		found = find_by_number(scan, argument);
		if (!found)
			found = find_by_kernel_name(scan, argument);
		return found ? found : find_by_dm_name(scan, argument);
	}
	for (size_t i = 0; i < ARRAY_SIZE(folders); i++)
		if (text_starts_with(path, folders[i]))
			return find_by_kernel_name(scan, path + strlen(folders[i]));
	if (text_starts_with(path, numbers))
		return find_by_number(scan, path + strlen(numbers));
	if (text_starts_with(path, PATH_SYS "/"))
		return find_by_kernel_name(scan, strrchr(path, '/') + 1);
	if (!text_starts_with(path, dev_prefix))
		return NULL;
	found = find_by_kernel_name(scan, path + strlen(dev_prefix));
	return found ? found : find_by_node(scan, path);
}

static void hint_names(const struct device_list *list, const char *argument,
		       struct diag *diag)
{
	const char *slash = strrchr(argument, '/');
	struct suggestion suggestion = suggestion_for(slash ? slash + 1 : argument);
	_text_ struct text names = { 0 };

	for (size_t i = 0; i < list->count; i++)
		suggestion_offer(&suggestion, list->items[i].name);
	if (suggestion.nearest) {
		diag_hint(diag, _("did you mean '%s'?"), suggestion.nearest);
		return;
	}
	for (size_t i = 0; i < list->count && i < NAMED_MAX; i++)
		text_addf(&names, "%s%s", i ? ", " : "", list->items[i].name);
	if (list->count > NAMED_MAX)
		text_add(&names, ", …");
	if (!names.error && names.len)
		diag_hint(diag, _("there are: %s"), names.data);
}

int device_find(const struct root *root, const struct device_list *list,
		const char *argument, const struct device **ret, struct diag *diag)
{
	struct device_list view = *list; /* the look-ups leave its items alone */
	const struct scan scan = { .root = root, .list = &view };
	_free_ char *plain = strdup(argument);
	const struct device *found;
	size_t len;

	if (!plain)
		return diag_set(diag, -ENOMEM, "%s", strerror(ENOMEM));
	for (len = strlen(plain); len > 1 && plain[len - 1] == '/';)
		plain[--len] = '\0';
	found = find_argument(&scan, plain);
	if (found) {
		*ret = found;
		return 0;
	}
	diag_set(diag, -ENODEV, _("'%s' is no block device here"), argument);
	hint_names(list, argument, diag);
	return -ENODEV;
}
