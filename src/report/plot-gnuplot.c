// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Running gnuplot: the script goes to its standard input, the picture comes from its
 * standard output into memory, and from there into the file when it is whole. No name is
 * ever part of a command. One that does not end is ended.
 */
#include <errno.h>
#include <string.h>

#include "report/plot.h"
#include "util/child.h"
#include "util/file.h"
#include "util/i18n.h"
#include "util/text.h"

#define LIMIT_MS    60000
#define FAREWELL_MS 10000
/* A picture has some 100 KiB, one with every dispatch of a long run some MiB. */
#define PICTURE_MAX ((size_t)256 * 1024 * 1024)
/* What it complains about is in its first lines. */
#define MESSAGES_MAX 400

static int say_missing(struct diag *diag)
{
	diag_set(diag, -ENOPKG, _("gnuplot draws the picture, and it is not here"));
	diag_hint(diag, _("install the package gnuplot-nox (Debian, Ubuntu) or gnuplot"));
	return -ENOPKG;
}

/* Its first line that says something. */
static int say_failure(const struct text *messages, struct diag *diag)
{
	_strv_ struct strv lines = { 0 };

	(void)strv_split(&lines, messages->data ? messages->data : "", "\n");
	for (size_t i = 0; i < lines.count; i++) {
		if (strspn(lines.items[i], " ^\t") < strlen(lines.items[i]))
			return diag_set(diag, -EIO, _("gnuplot failed: %s"), lines.items[i]);
	}
	return diag_set(diag, -EIO, _("gnuplot failed"));
}

static int run(const struct text *script, struct text *picture, struct diag *diag)
{
	/* Without the person's own settings, which could change everything. */
	static const char *const argv[] = { "gnuplot", "-d", NULL };
	_text_ struct text messages = { 0 };
	const struct child_command command = {
		.argv = argv,
		.input = script,
		.output = picture,
		.output_max = PICTURE_MAX,
		.messages = &messages,
		.messages_max = MESSAGES_MAX,
		.is_tied = true,
		.limit_ms = LIMIT_MS,
		.farewell_ms = FAREWELL_MS,
	};
	struct child_end end = { 0 };
	int error = child_run(&command, &end);

	if (error == -ENOENT)
		return say_missing(diag);
	if (error == -ETIME)
		return diag_set(diag, error, _("gnuplot did not end within %d seconds"),
				LIMIT_MS / 1000);
	if (error)
		return diag_set(diag, error, _("gnuplot cannot be run: %s"), strerror(-error));
	if (end.status == 127)
		return say_missing(diag);
	return end.status || !picture->len ? say_failure(&messages, diag) : 0;
}

/* NULL: neither. */
static const char *find_format(const char *path)
{
	if (text_ends_with(path, ".svg"))
		return "svg";
	return text_ends_with(path, ".png") ? "png" : NULL;
}

int plot_check_name(const char *path, struct diag *diag)
{
	if (find_format(path))
		return 0;
	return diag_set(diag, -EINVAL, _("a picture is a .svg or a .png file, not \"%s\""), path);
}

int plot_write(const struct plot *plot, const char *path, struct diag *diag)
{
	_text_ struct text script = { 0 }, picture = { 0 };
	int error = plot_check_name(path, diag);

	if (!error)
		error = plot_script(plot, find_format(path), &script);
	if (!error)
		error = run(&script, &picture, diag);
	if (error)
		return error;
	/* the whole picture or none */
	error = file_write(path, picture.data, picture.len, 0666);
	return error ? file_fail_output(path, error, diag) : 0;
}
