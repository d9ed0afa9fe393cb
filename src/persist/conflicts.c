// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Who else sets schedulers: the list, the scan of one file by lines, and scripts and
 * units that write to a queue directory.
 */
#include "persist/conflicts.h"

#include <errno.h>
#include <string.h>

#include "persist/artefact.h"
#include "sysfs/paths.h"
#include "util/i18n.h"

#define LINE_MAX_SHOWN 200

void conflicts_done(struct conflicts *conflicts)
{
	for (size_t i = 0; i < conflicts->count; i++) {
		free(conflicts->items[i].path);
		free(conflicts->items[i].text);
	}
	free(conflicts->items);
	*conflicts = (struct conflicts){ 0 };
}

int conflicts_add(struct conflicts *conflicts, const char *owner, const char *path,
		  unsigned line, const char *text, size_t text_len, const char *advice)
{
	struct conflict conflict = { .owner = owner, .line = line, .advice = advice };
	struct conflict *items;

	if (conflicts->count >= CONFLICT_MAX)
		return 0;
	items = reallocarray(conflicts->items, conflicts->count + 1, sizeof(*items));
	if (!items)
		return -ENOMEM;
	conflicts->items = items;
	while (text_len && (*text == ' ' || *text == '\t')) {
		text++;
		text_len--;
	}
	conflict.path = strdup(path);
	conflict.text =
		strndup(text, text_len < LINE_MAX_SHOWN ? text_len : LINE_MAX_SHOWN);
	if (!conflict.path || !conflict.text) {
		free(conflict.path);
		free(conflict.text);
		return -ENOMEM;
	}
	items[conflicts->count++] = conflict;
	return 0;
}

int conflicts_scan(const struct root *root, const char *path, const char *owner,
		   conflict_match match, const char *advice, struct conflicts *ret)
{
	_free_ char *text = NULL;
	unsigned number = 0;
	int error = root_read(root, path, &text);

	if (error)
		return error == -ENOMEM ? error : 0;
	if (artefact_check_seal(text, strlen(text)))
		return 0; /* our own */
	for (const char *line = text; !error && *line;) {
		size_t len = strcspn(line, "\n");
		const char *start = line + strspn(line, " \t");

		number++;
		if (*start != '#' && *start != ';' && match(line, len))
			error = conflicts_add(ret, owner, path, number, line, len,
					      advice);
		line += len + (line[len] == '\n');
	}
	return error;
}

static bool holds(const char *line, size_t len, const char *text)
{
	return memmem(line, len, text, strlen(text));
}

/* Something that writes: echo x > /sys/block/sda/queue/scheduler, and its kin. */
static bool writes_queue(const char *line, size_t len)
{
	return holds(line, len, "/queue/") &&
	       (holds(line, len, "echo") || holds(line, len, "tee") ||
		holds(line, len, "printf") || memchr(line, '>', len));
}

/* tmpfiles.d and sysfsutils name the attribute and the value. */
static bool names_queue(const char *line, size_t len)
{
	return holds(line, len, "/queue/");
}

static const struct {
	const char *owner, *path, *suffix; /* suffix: all such files of a folder */
	conflict_match match;
	const char *advice;
} sources[] = {
	{ "rc.local", PATH_RC_LOCAL, NULL, writes_queue, N_("remove the line") },
	{ "rc.local", PATH_RC_D_LOCAL, NULL, writes_queue, N_("remove the line") },
	{ "boot.local", PATH_BOOT_LOCAL, NULL, writes_queue, N_("remove the line") },
	{ "after.local", PATH_AFTER_LOCAL, NULL, writes_queue, N_("remove the line") },
	{ "systemd unit", PATH_UNITS, ".service", writes_queue, N_("disable the unit") },
	{ "tmpfiles.d", PATH_TMPFILES, ".conf", names_queue, N_("remove the line") },
	{ "sysfsutils", PATH_SYSFS_CONF, NULL, names_queue, N_("remove the line") },
	{ "sysfsutils", PATH_SYSFS_D, ".conf", names_queue, N_("remove the line") },
	{ "crontab", PATH_CRONTAB, NULL, writes_queue, N_("remove the line") },
};

static int scan_folder(const struct root *root, const char *folder, const char *suffix,
		       const char *owner, conflict_match match, const char *advice,
		       struct conflicts *ret)
{
	_strv_ struct strv paths = { 0 };
	int error = root_list_files(root, folder, suffix, &paths);

	for (size_t i = 0; !error && i < paths.count; i++)
		error = conflicts_scan(root, paths.items[i], owner, match, advice, ret);
	return error;
}

static int find_scripts(const struct root *root, struct conflicts *ret)
{
	int error = 0;

	for (size_t i = 0; !error && i < ARRAY_SIZE(sources); i++) {
		if (sources[i].suffix)
			error = scan_folder(root, sources[i].path, sources[i].suffix,
					    sources[i].owner, sources[i].match,
					    sources[i].advice, ret);
		else
			error = conflicts_scan(root, sources[i].path, sources[i].owner,
					       sources[i].match, sources[i].advice, ret);
	}
	return error;
}

int conflicts_find(const struct root *root, const char *rules_name, const char *argument,
		   struct conflicts *ret)
{
	_conflicts_ struct conflicts found = { 0 };
	int error = conflicts_find_rules(root, rules_name, &found);

	if (!error)
		error = conflicts_find_managers(root, &found);
	if (!error)
		error = conflicts_find_arguments(root, argument, &found);
	if (!error)
		error = find_scripts(root, &found);
	if (error)
		return error;
	*ret = found;
	found = (struct conflicts){ 0 };
	return 0;
}
