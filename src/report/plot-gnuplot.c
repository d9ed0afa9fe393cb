// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Running gnuplot: the script goes to its standard input, the picture comes from its
 * standard output into a file beside the one that was asked for, which is renamed when it
 * is whole. No name is ever part of a command.
 */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "report/plot.h"
#include "util/i18n.h"
#include "util/text.h"

static int say_missing(struct diag *diag)
{
	diag_set(diag, -ENOENT, _("gnuplot draws the picture, and it is not here"));
	diag_hint(diag, _("install the package gnuplot-nox (Debian, Ubuntu) or gnuplot"));
	return -ENOENT;
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
	while (waitpid(pid, &status, 0) < 0) {
		if (errno != EINTR)
			return -errno;
	}
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

/* As a file that open() makes would have it. */
static int set_mode(int fd)
{
	mode_t mask = umask(0);

	umask(mask);
	return fchmod(fd, 0666 & ~mask) < 0 ? -errno : 0;
}

int plot_write(const struct plot *plot, const char *path, struct diag *diag)
{
	_text_ struct text script = { 0 };
	_free_ char *beside = NULL;
	_close_ int out = -1;
	const char *format = find_format(path);
	int error;

	if (!format)
		return diag_set(diag, -EINVAL, _("a picture is a .svg or a .png file, not \"%s\""),
				path);
	error = plot_script(plot, format, &script);
	if (!error && asprintf(&beside, "%s.XXXXXX", path) < 0) {
		beside = NULL;
		error = -ENOMEM;
	}
	if (error)
		return error;
	out = mkostemp(beside, O_CLOEXEC);
	if (out < 0)
		return diag_set(diag, -errno, _("cannot write \"%s\": %s"), path,
				strerror(errno));
	error = run(&script, out, diag);
	if (!error)
		error = set_mode(out);
	if (!error && rename(beside, path) < 0)
		error = diag_set(diag, -errno, _("cannot write \"%s\": %s"), path,
				 strerror(errno));
	if (error)
		unlink(beside);
	return error;
}
