// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Runs a command while a number of loop devices exist, and removes them whatever
 * happens: a process of its own waits for this one to end, even by SIGKILL, and takes
 * away exactly the devices that were made.
 *
 *     loop-devices COUNT BACKING-FILE COMMAND [ARGUMENT...]
 *
 * The command finds their names, one a line, in the file that $LOOP_DEVICES names.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/loop.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "util/cleanup.h"
#include "util/number.h"

#define CONTROL "/dev/loop-control"
/* Far above what losetup -f hands out, so that nobody else's devices are met. */
#define FIRST_ID 20000
#define LAST_ID  60000
/* 10 ms each: the node appears a moment after the device; udev may hold it for a while. */
#define TRIES    1000
#define WORKERS  16

static void rest(void)
{
	poll(NULL, 0, 10);
}

static int open_loop(int id)
{
	char path[64];
	int fd = -1;

	snprintf(path, sizeof(path), "/dev/loop%d", id);
	for (int i = 0; i < TRIES; i++) {
		fd = open(path, O_RDONLY | O_CLOEXEC);
		if (fd >= 0 || (errno != ENOENT && errno != ENXIO))
			break;
		rest();
	}
	return fd < 0 ? -errno : fd;
}

static void remove_loop(int control, int id)
{
	_close_ int fd = open_loop(id);

	if (fd >= 0) {
		ioctl(fd, LOOP_CLR_FD, 0);
		close(TAKE_FD(fd));
	}
	for (int i = 0; i < TRIES; i++) {
		if (ioctl(control, LOOP_CTL_REMOVE, id) >= 0 || errno == ENODEV)
			return;
		rest();
	}
	fprintf(stderr, "loop-devices: loop%d could not be removed: %s\n", id,
		strerror(errno));
}

/* Reads ids until the other end is closed, then removes them; most of that is waiting. */
static void run_janitor(int control, int ids_fd)
{
	static int ids[LAST_ID - FIRST_ID];
	size_t count = 0;

	setsid();
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	while (count < ARRAY_SIZE(ids) &&
	       read(ids_fd, &ids[count], sizeof(ids[0])) == (ssize_t)sizeof(ids[0]))
		count++;
	for (size_t worker = 0; worker < WORKERS; worker++) {
		pid_t pid = fork();

		if (pid > 0)
			continue;
		for (size_t i = worker; i < count; i += WORKERS)
			remove_loop(control, ids[i]);
		if (!pid)
			_exit(0);
	}
	while (wait(NULL) > 0)
		;
}

static int make_loops(int control, size_t count, int backing_fd, int ids_fd, FILE *names)
{
	size_t made = 0;

	for (int id = FIRST_ID; id < LAST_ID && made < count; id++) {
		_close_ int fd = -1;

		if (ioctl(control, LOOP_CTL_ADD, id) < 0) {
			if (errno == EEXIST)
				continue;
			return -errno;
		}
		if (write(ids_fd, &id, sizeof(id)) != (ssize_t)sizeof(id))
			return -EIO;
		fd = open_loop(id);
		if (fd < 0)
			return fd;
		if (ioctl(fd, LOOP_SET_FD, backing_fd) < 0)
			return -errno;
		fprintf(names, "loop%d\n", id);
		made++;
	}
	if (made < count)
		return -ENOSPC;
	return fflush(names) ? -errno : 0;
}

static int run_command(char **argv)
{
	int status;
	pid_t pid = fork();

	if (pid < 0)
		return 1;
	if (!pid) {
		execvp(argv[0], argv);
		fprintf(stderr, "loop-devices: %s: %s\n", argv[0], strerror(errno));
		_exit(127);
	}
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return 1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* With the janitor started: makes the devices, runs the command, lets the janitor go. */
static int run_with_janitor(int control, size_t count, int backing_fd, char **command)
{
	const char *folder = getenv("TMPDIR");
	char list[256];
	int pipe_fds[2], list_fd, r;
	_cleanup_(cleanup_fclose) FILE *names = NULL;
	pid_t janitor;

	snprintf(list, sizeof(list), "%s/loop-devices.XXXXXX", folder ? folder : "/tmp");
	list_fd = mkostemp(list, O_CLOEXEC);
	if (list_fd < 0 || !(names = fdopen(list_fd, "w")) || pipe2(pipe_fds, O_CLOEXEC) < 0)
		return -errno;
	janitor = fork();
	if (janitor < 0)
		return -errno;
	if (!janitor) {
		close(pipe_fds[1]);
		run_janitor(control, pipe_fds[0]);
		_exit(0);
	}
	close(pipe_fds[0]);
	setenv("LOOP_DEVICES", list, 1);
	r = make_loops(control, count, backing_fd, pipe_fds[1], names);
	if (!r)
		r = run_command(command);
	unlink(list);
	close(pipe_fds[1]);
	while (waitpid(janitor, NULL, 0) < 0 && errno == EINTR)
		;
	return r;
}

int main(int argc, char **argv)
{
	_close_ int control = -1, backing_fd = -1;
	int64_t count;
	int r;

	if (argc < 4 || number_parse_range(argv[1], 1, LAST_ID - FIRST_ID, &count) < 0) {
		fprintf(stderr, "usage: loop-devices COUNT BACKING-FILE COMMAND...\n");
		return 2;
	}
	control = open(CONTROL, O_RDWR | O_CLOEXEC);
	backing_fd = open(argv[2], O_RDONLY | O_CLOEXEC);
	if (control < 0 || backing_fd < 0) {
		fprintf(stderr, "loop-devices: %s: %s\n", control < 0 ? CONTROL : argv[2],
			strerror(errno));
		return 1;
	}
	r = run_with_janitor(control, (size_t)count, backing_fd, argv + 3);
	if (r < 0)
		fprintf(stderr, "loop-devices: %s\n", strerror(-r));
	return r < 0 ? 1 : r;
}
