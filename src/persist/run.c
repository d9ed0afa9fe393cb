// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Programs of the running system.
 */
#include "persist/run.h"

#include <errno.h>

#include "sysfs/paths.h"
#include "util/child.h"

int run_find(const struct root *root, const char *name, char **ret)
{
	static const char *const folders[] = PROGRAM_FOLDERS;

	for (size_t i = 0; i < ARRAY_SIZE(folders); i++) {
		char *path;

		if (asprintf(&path, "/%s/%s", folders[i], name) < 0)
			return -ENOMEM;
		if (root_exists(root, path + 1)) {
			*ret = path;
			return 0;
		}
		free(path);
	}
	return -ENOENT;
}

int run_command(const struct strv *argv, int *ret_status)
{
	_free_ const char **words = calloc(argv->count + 1, sizeof(*words));
	struct child_command command = { .argv = words };
	struct child_end end;
	int error;

	if (!words)
		return -ENOMEM;
	for (size_t i = 0; i < argv->count; i++)
		words[i] = argv->items[i];
	command.program = words[0];
	error = child_run(&command, &end);
	if (error || !end.status)
		return error;
	*ret_status = end.status;
	return -EIO;
}
