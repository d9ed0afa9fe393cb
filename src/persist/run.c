// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Programs of the running system.
 */
#include "persist/run.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sysfs/paths.h"

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

static int start(char *const *argv, pid_t *ret)
{
	posix_spawn_file_actions_t actions;
	int error = posix_spawn_file_actions_init(&actions);

	if (error)
		return -error;
	error = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO,
						 "/" PATH_DEV_NULL, O_RDONLY, 0);
	if (!error)
		error = posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO,
							 STDOUT_FILENO);
	if (!error)
		error = posix_spawn(ret, argv[0], &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	return -error;
}

int run_command(const struct strv *argv, int *ret_status)
{
	_free_ char **words = calloc(argv->count + 1, sizeof(*words));
	int status, error;
	pid_t pid;

	if (!words)
		return -ENOMEM;
	for (size_t i = 0; i < argv->count; i++)
		words[i] = argv->items[i];
	error = start(words, &pid);
	if (error)
		return error;
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -errno;
	if (WIFEXITED(status) && !WEXITSTATUS(status))
		return 0;
	*ret_status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
	return -EIO;
}
