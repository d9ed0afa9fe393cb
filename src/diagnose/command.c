// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Asking a program, with a limit on its time and its words.
 */
#include "diagnose/command.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sysfs/paths.h"
#include "util/clock.h"

/* A group of its own, so that what it starts ends with it. */
static int start(const char *const *argv, int output, pid_t *ret)
{
	static const char *const environment[] = { "LC_ALL=C", NULL };
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	int error = posix_spawn_file_actions_init(&actions);

	if (error)
		return -error;
	error = posix_spawnattr_init(&attributes);
	if (error) {
		posix_spawn_file_actions_destroy(&actions);
		return -error;
	}
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
	posix_spawnattr_setpgroup(&attributes, 0);
	error = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO,
						 "/" PATH_DEV_NULL, O_RDONLY, 0);
	if (!error)
		error = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
	if (!error)
		error = posix_spawn_file_actions_addopen(&actions, STDERR_FILENO,
							 "/" PATH_DEV_NULL, O_WRONLY, 0);
	if (!error)
		error = posix_spawn(ret, argv[0], &actions, &attributes,
				    (char *const *)(uintptr_t)argv,
				    (char *const *)(uintptr_t)environment);
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&actions);
	return -error;
}

static int take_output(int fd, int64_t end_ms, size_t max, struct text *output)
{
	for (;;) {
		struct pollfd poller = { .fd = fd, .events = POLLIN };
		int64_t left_ms = end_ms - clock_now_ms();
		char chunk[4096];
		ssize_t n;

		if (left_ms <= 0)
			return -ETIME;
		if (poll(&poller, 1, (int)left_ms) < 0 && errno != EINTR)
			return -errno;
		if (!poller.revents)
			continue;
		n = read(fd, chunk, sizeof(chunk));
		if (n < 0 && errno != EINTR)
			return -errno;
		if (!n)
			return output->error;
		if (n > 0 && output->len + (size_t)n > max)
			return -EFBIG;
		if (n > 0)
			text_add_bytes(output, chunk, (size_t)n);
	}
}

int command_ask(const char *const *argv, unsigned timeout_ms, size_t max,
		struct text *ret_output, int *ret_status)
{
	_close_ int reader = -1, writer = -1;
	int pipe_fds[2], status = 0, error;
	pid_t pid;

	if (pipe2(pipe_fds, O_CLOEXEC) < 0)
		return -errno;
	reader = pipe_fds[0];
	writer = pipe_fds[1];
	error = start(argv, writer, &pid);
	close(TAKE_FD(writer));
	if (error)
		return error;
	error = take_output(reader, clock_now_ms() + timeout_ms, max, ret_output);
	/* One that has closed its output ends; one that was given up is ended. A process
	   that the kernel holds in a request cannot be waited for. */
	if (error) {
		kill(-pid, SIGKILL);
		if (error == -ETIME)
			waitpid(pid, &status, WNOHANG);
		else
			waitpid(pid, &status, 0);
		return error;
	}
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -errno;
	*ret_status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
	return 0;
}
