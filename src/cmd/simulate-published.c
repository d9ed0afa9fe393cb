// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * simulate --published: the measurements that others published, simulated. The files are
 * installed with the program, or lie beside it in the tree that it was built in.
 */
#include "cmd/simulate-published.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/common.h"
#include "cmd/progress.h"
#include "report/json.h"
#include "report/published.h"
#include "util/file.h"
#include "util/i18n.h"
#include "util/json-build.h"
#include "util/log.h"
#include "util/program.h"
#include "util/signals.h"
#include "util/text.h"

#define SUFFIX    ".json"
#define FILES_MAX 1000

/* --- files -------------------------------------------------------------------------------- */

static int find_dir(char **ret)
{
	int error = program_find("../tests/published", ret);

	if (error != -ENOENT)
		return error;
	*ret = strdup(PUBLISHED_DIR);
	return *ret ? 0 : -ENOMEM;
}

static int list_dir(const char *dir, struct strv *ret, struct diag *diag)
{
	_cleanup_(cleanup_closedir) DIR *stream = opendir(dir);
	const struct dirent *entry;

	if (!stream)
		return diag_set(diag, -errno,
				_("cannot read the folder of published "
				  "measurements, \"%s\""),
				dir);
	while ((entry = readdir(stream)) && ret->count < FILES_MAX) {
		_free_ char *path = NULL;
		int error;

		if (entry->d_name[0] == '.' || !text_ends_with(entry->d_name, SUFFIX))
			continue;
		if (asprintf(&path, "%s/%s", dir, entry->d_name) < 0)
			return -ENOMEM;
		error = strv_add(ret, path);
		if (error)
			return error;
	}
	strv_sort_natural(ret);
	return 0;
}

static int read_one(const char *path, struct published *ret, struct diag *diag)
{
	_free_ char *data = NULL;
	size_t len = 0;
	int error = file_read(path, PUBLISHED_SIZE_MAX, &data, &len);

	if (error)
		return diag_set(diag, error, _("cannot read \"%s\": %s"), path,
				strerror(-error));
	return published_parse(data, len, path, ret, diag);
}

struct collection {
	struct published *list;
	size_t count;
};

static void collection_done(struct collection *collection)
{
	for (size_t i = 0; i < collection->count; i++)
		published_done(&collection->list[i]);
	free(collection->list);
}

/* A file of the person's own is no published table, whatever it says. */
static bool is_own(const char *path)
{
	_free_ char *dir = NULL, *whole = realpath(path, NULL), *folder = NULL;
	char *slash = whole ? strrchr(whole, '/') : NULL;

	if (slash)
		*slash = '\0';
	if (!slash || find_dir(&dir))
		return true;
	folder = realpath(dir, NULL);
	return !folder || strcmp(whole, folder) != 0;
}

static int read_files(const struct strv *paths, struct collection *ret, struct diag *diag)
{
	int error = 0;

	ret->list = calloc(paths->count ? paths->count : 1, sizeof(ret->list[0]));
	if (!ret->list)
		return -ENOMEM;
	for (size_t i = 0; i < paths->count && !error; i++) {
		error = read_one(paths->items[i], &ret->list[ret->count], diag);
		if (!error)
			ret->list[ret->count++].is_own = is_own(paths->items[i]);
	}
	return error;
}

int simulate_published_names(struct strv *ret)
{
	_free_ char *dir = NULL;
	_strv_ struct strv paths = { 0 };
	struct diag diag = { 0 };
	int error = find_dir(&dir);

	if (!error)
		error = list_dir(dir, &paths, &diag);
	for (size_t i = 0; i < paths.count && !error; i++) {
		char *name = paths.items[i] + strlen(dir) + 1;

		name[strlen(name) - strlen(SUFFIX)] = '\0';
		error = strv_add(ret, name);
	}
	return error;
}

static int fail_absent(const char *name, struct diag *diag)
{
	_strv_ struct strv names = { 0 };
	_text_ struct text list = { 0 };

	diag_set(diag, -EINVAL, _("there is no published experiment \"%s\""), name);
	if (simulate_published_names(&names) == 0 && names.count) {
		for (size_t i = 0; i < names.count; i++)
			text_addf(&list, "%s%s", i ? ", " : "", names.items[i]);
		if (list.error)
			return list.error;
		diag_hint(diag, _("there are: %s; a file's name has a slash: \"./%s\""),
			  list.data, name);
	}
	diag_hint(diag, _("a file's name has a slash: \"./%s\""), name);
	return -EINVAL;
}

/* "F2" is one of those in the folder, "./mine.json" a file. */
static int find_path(const char *dir, const char *name, struct strv *ret,
		     struct diag *diag)
{
	_free_ char *path = NULL;

	if (strchr(name, '/'))
		return strv_add(ret, name);
	if (asprintf(&path, "%s/%s" SUFFIX, dir, name) < 0)
		return -ENOMEM;
	for (char *c = path + strlen(dir); *c; c++)
		if (*c >= 'A' && *c <= 'Z')
			*c = (char)(*c - 'A' + 'a');
	if (access(path, R_OK) < 0)
		return fail_absent(name, diag);
	return strv_add(ret, path);
}

static int find_paths(const char *const *names, size_t name_count, struct strv *ret,
		      struct diag *diag)
{
	_free_ char *dir = NULL;
	int error = find_dir(&dir);

	if (!error && !name_count)
		return list_dir(dir, ret, diag);
	for (size_t i = 0; i < name_count && !error; i++)
		error = find_path(dir, names[i], ret, diag);
	return error;
}

/* --- running ------------------------------------------------------------------------------- */

struct progress {
	struct held_signals signals;
	const char *name;
	size_t index, count;
	struct progress_line line;
};

static bool show_progress(void *context, const struct experiment_progress *progress)
{
	struct progress *shown = context;

	progress_line_draw(&shown->line,
			   /* TRANSLATORS: a line of progress, drawn over and over; keep it short. */
			   _("%zu of %zu: %-4s %3.0f %%"), shown->index + 1, shown->count,
			   shown->name, 100 * progress->fraction);
	return signals_check(&shown->signals);
}

/* What was not carried out is not in the collection any more. */
static void keep_first(struct collection *collection, size_t count)
{
	for (size_t i = count; i < collection->count; i++)
		published_done(&collection->list[i]);
	collection->count = count;
}

static int run_all(struct collection *collection, unsigned threads, struct diag *diag)
{
	struct progress progress = {
		.signals = SIGNALS_NONE,
		.count = collection->count,
		.line = progress_line_make(),
	};
	int error = 0;

	/* Where they cannot be held they end the program. */
	signals_hold(SIGNALS_DELIVER, &progress.signals);
	while (progress.index < collection->count && !error) {
		struct published *published = &collection->list[progress.index];

		progress.name = published->experiment;
		error = published_run(published, threads, show_progress, &progress, diag);
		if (!error)
			progress.index++;
	}
	signals_release(&progress.signals);
	progress_line_clear(&progress.line);
	if (error != -EINTR)
		return error;
	log_warning(_("ended early: %zu of %zu experiments are done"), progress.index,
		    progress.count);
	keep_first(collection, progress.index);
	return error;
}

static int print(const struct cmd_context *context, const struct collection *collection)
{
	struct table_style style = cmd_table_style(context);
	json_t *root;

	if (!context->is_json)
		return published_print(collection->list, collection->count, &style);
	root = json_envelope();
	return json_print(root,
			  published_to_json(collection->list, collection->count, root));
}

int simulate_published(const struct cmd_context *context, const char *const *names,
		       size_t name_count, unsigned threads, struct diag *diag)
{
	_cleanup_(collection_done) struct collection collection = { 0 };
	_strv_ struct strv paths = { 0 };
	int error = find_paths(names, name_count, &paths, diag), printed;

	if (!error)
		error = read_files(&paths, &collection, diag);
	if (!error)
		error = run_all(&collection, threads, diag);
	if (error && error != -EINTR)
		return error;
	printed = print(context, &collection);
	return printed ? printed : error;
}
