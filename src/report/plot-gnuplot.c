// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Running gnuplot: the script goes to its standard input, the picture comes from its
 * standard output into memory, and from there into the file when it is whole. No name is
 * ever part of a command. One that does not end is ended.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "report/plot.h"
#include "util/file.h"
#include "util/i18n.h"
#include "util/text.h"

#define POLL_MS	 10
#define LIMIT_MS 60000

static int say_missing(struct diag *diag)
{
	diag_set(diag, -ENOPKG, _("gnuplot draws the picture, and it is not here"));
	diag_hint(diag, _("install the package gnuplot-nox (Debian, Ubuntu) or gnuplot"));
	return -ENOPKG;
}

/* An unnamed file in memory with this content, read from its beginning. */
static int make_input(const struct text *script, int *ret)
{
	_close_ int fd = memfd_create("plot", MFD_CLOEXEC);
	size_t done = 0;

	if (fd < 0)
		return -errno;
	while (done < script->len) {
		ssize_t len = write(fd, script->data + done, script->len - done);

		if (len < 0)
			return -errno;
		done += (size_t)len;
	}
	if (lseek(fd, 0, SEEK_SET) < 0)
		return -errno;
	*ret = TAKE_FD(fd);
	return 0;
}

/* gnuplot without the person's own settings, which could change everything. */
static int start(int in, int out, int err, pid_t *ret)
{
	char name[] = "gnuplot", plain[] = "-d";
	char *const argv[] = { name, plain, NULL };
	posix_spawn_file_actions_t actions;
	int error = posix_spawn_file_actions_init(&actions);

	if (error)
		return -error;
	error = posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
	if (!error)
		error = posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
	if (!error)
		error = posix_spawn_file_actions_adddup2(&actions, err, STDERR_FILENO);
	if (!error)
		error = posix_spawnp(ret, argv[0], &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	return -error;
}

/* Its first line that says something. */
static int say_failure(int err, struct diag *diag)
{
	char text[400];
	ssize_t len = pread(err, text, sizeof(text) - 1, 0);
	_strv_ struct strv lines = { 0 };

	text[len > 0 ? len : 0] = '\0';
	(void)strv_split(&lines, text, "\n");
	for (size_t i = 0; i < lines.count; i++) {
		if (strspn(lines.items[i], " ^\t") < strlen(lines.items[i]))
			return diag_set(diag, -EIO, _("gnuplot failed: %s"), lines.items[i]);
	}
	return diag_set(diag, -EIO, _("gnuplot failed"));
}

/* -ETIME for one that had to be ended. */
static int wait_for(pid_t pid, int *ret_status)
{
	const struct timespec pause = { .tv_nsec = POLL_MS * 1000000 };

	for (unsigned waited_ms = 0; waited_ms < LIMIT_MS; waited_ms += POLL_MS) {
		pid_t ended = waitpid(pid, ret_status, WNOHANG);

		if (ended == pid)
			return 0;
		if (ended < 0 && errno != EINTR)
			return -errno;
		nanosleep(&pause, NULL);
	}
	kill(pid, SIGKILL);
	waitpid(pid, ret_status, 0);
	return -ETIME;
}

static int run(const struct text *script, int out, struct diag *diag)
{
	_close_ int in = -1, err = memfd_create("messages", MFD_CLOEXEC);
	struct stat st;
	int status, error;
	pid_t pid;

	if (err < 0)
		return -errno;
	error = make_input(script, &in);
	if (!error)
		error = start(in, out, err, &pid);
	if (error == -ENOENT)
		return say_missing(diag);
	if (error)
		return diag_set(diag, error, _("gnuplot cannot be run: %s"), strerror(-error));
	error = wait_for(pid, &status);
	if (error == -ETIME)
		return diag_set(diag, error, _("gnuplot did not end within %d seconds"),
				LIMIT_MS / 1000);
	if (error)
		return error;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
		return say_missing(diag);
	if (!WIFEXITED(status) || WEXITSTATUS(status) || fstat(out, &st) || !st.st_size)
		return say_failure(err, diag);
	return 0;
}

/* NULL: neither. */
static const char *find_format(const char *path)
{
	if (text_ends_with(path, ".svg"))
		return "svg";
	return text_ends_with(path, ".png") ? "png" : NULL;
}

/* The whole picture or none. */
static int put(int picture, const char *path)
{
	struct stat st;
	char *data;
	int error;

	if (fstat(picture, &st) < 0)
		return -errno;
	data = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, picture, 0);
	if (data == MAP_FAILED)
		return -errno;
	error = file_write(path, data, (size_t)st.st_size, 0666);
	munmap(data, (size_t)st.st_size);
	return error;
}

int plot_check_name(const char *path, struct diag *diag)
{
	if (find_format(path))
		return 0;
	return diag_set(diag, -EINVAL, _("a picture is a .svg or a .png file, not \"%s\""), path);
}

int plot_write(const struct plot *plot, const char *path, struct diag *diag)
{
	_text_ struct text script = { 0 };
	_close_ int picture = -1;
	int error = plot_check_name(path, diag);

	if (!error)
		error = plot_script(plot, find_format(path), &script);
	if (error)
		return error;
	picture = memfd_create("picture", MFD_CLOEXEC);
	if (picture < 0)
		return -errno;
	error = run(&script, picture, diag);
	if (error)
		return error;
	error = put(picture, path);
	return error ? file_fail_output(path, error, diag) : 0;
}
