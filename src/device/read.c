// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Attributes as text, and the list as a map from names to disks.
 */
#include "device/scan-internal.h"

#include <errno.h>
#include <string.h>

#include "util/number.h"

int device_set_string(char **string, const char *value)
{
	char *copy = strdup(value);

	if (!copy)
		return -ENOMEM;
	free(*string);
	*string = copy;
	return 0;
}

int device_read_string(const struct root_dir *dir, const char *name, char **ret)
{
	char buf[4096];
	const char *value;

	if (root_dir_read(dir, name, buf, sizeof(buf)) < 0)
		return 0;
	value = text_trim(buf);
	return *value ? device_set_string(ret, value) : 0;
}

int device_read_u64(const struct root_dir *dir, const char *name, uint64_t *ret)
{
	char buf[64];

	if (root_dir_read(dir, name, buf, sizeof(buf)) < 0)
		return -ENOENT;
	return number_parse_u64(text_trim(buf), ret);
}

int device_parse_devnum(const char *text, unsigned *ret_major, unsigned *ret_minor)
{
	const char *colon = strchr(text, ':');
	char number[16];
	uint64_t major, minor;

	if (!colon || (size_t)(colon - text) >= sizeof(number))
		return -EINVAL;
	memcpy(number, text, (size_t)(colon - text));
	number[colon - text] = '\0';
	if (number_parse_u64(number, &major) || number_parse_u64(colon + 1, &minor) ||
	    major > UINT32_MAX || minor > UINT32_MAX)
		return -EINVAL;
	*ret_major = (unsigned)major;
	*ret_minor = (unsigned)minor;
	return 0;
}

bool device_read_flag(const struct root_dir *dir, const char *name)
{
	uint64_t value = 0;

	return !device_read_u64(dir, name, &value) && value;
}

int device_read_link_name(const struct root_dir *dir, const char *name, char **ret)
{
	_free_ char *target = NULL;
	const char *slash;

	if (root_dir_read_link(dir, name, &target))
		return 0;
	slash = strrchr(target, '/');
	return device_set_string(ret, slash ? slash + 1 : target);
}

struct device *device_list_find(const struct device_list *list, const char *sys_name)
{
	size_t low = 0, high = list->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = text_compare_natural(list->items[middle].sys_name, sys_name);

		if (!order)
			return &list->items[middle];
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}
