// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Other udev rules that set a queue attribute. As udev reads them: a file of the same
 * name in an earlier folder replaces the others, a link to the null device masks them,
 * and of two rules for one attribute the later file wins.
 */
#include <errno.h>
#include <string.h>

#include "persist/conflicts.h"
#include "sysfs/paths.h"
#include "util/i18n.h"

/* ATTR{queue/…}="x", or a RUN that writes there. */
static bool sets_queue(const char *line, size_t len)
{
	static const char key[] = "ATTR{queue/";
	const char *end = line + len;

	for (const char *p = line;
	     (p = memmem(p, (size_t)(end - p), key, sizeof(key) - 1));) {
		p = memchr(p, '}', (size_t)(end - p));
		if (!p)
			break;
		p++;
		while (p < end && (*p == ' ' || *p == '\t'))
			p++;
		if (p + 1 < end && *p == '=' && p[1] != '=')
			return true;
	}
	return memmem(line, len, "RUN", 3) && memmem(line, len, "/queue/", 7);
}

static int scan_rules(const struct root *root, const char *folder, const char *name,
		      const char *rules_name, struct conflicts *ret)
{
	_free_ char *path = NULL, *target = NULL;
	size_t before = ret->count;
	int error;

	if (asprintf(&path, "%s/%s", folder, name) < 0) {
		path = NULL;
		return -ENOMEM;
	}
	if (!root_read_link(root, path, &target) && !strcmp(target, "/" PATH_DEV_NULL))
		return 0;
	error = conflicts_scan(
		root, path, "udev rule", sets_queue,
		N_("mask it: a link of the same name to /dev/null in /etc/udev/rules.d"),
		ret);
	for (size_t i = before; i < ret->count; i++)
		ret->items[i].comes_later = strcmp(name, rules_name) > 0;
	return error;
}

int conflicts_find_rules(const struct root *root, const char *rules_name,
			 struct conflicts *ret)
{
	static const char *const folders[] = PATHS_UDEV_RULES;
	_strv_ struct strv seen = { 0 };
	int error = 0;

	for (size_t i = 0; !error && i < ARRAY_SIZE(folders); i++) {
		_strv_ struct strv names = { 0 };

		if (root_list(root, folders[i], &names))
			continue;
		for (size_t n = 0; !error && n < names.count; n++) {
			const char *name = names.items[n];

			if (!text_ends_with(name, ".rules") || strv_contains(&seen, name))
				continue;
			error = strv_add(&seen, name);
			if (!error)
				error = scan_rules(root, folders[i], name, rules_name,
						   ret);
		}
	}
	return error;
}
