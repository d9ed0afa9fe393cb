// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * simulate --published: the measurements that others published, simulated. The files are
 * installed with the program, or lie beside it in the tree that it was built in.
 */
#include "cmd/simulate-published.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/common.h"
#include "report/json.h"
#include "report/published.h"
#include "util/file.h"
#include "util/i18n.h"
#include "util/json-build.h"
#include "util/log.h"
#include "util/program.h"
#include "util/text.h"

#define SUFFIX    ".json"
#define FILES_MAX 1000

static volatile sig_atomic_t is_interrupted;

static void on_interrupt(int signal)
{
	(void)signal;
	is_interrupted = 1;
}

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
		return diag_set(diag, -errno, _("cannot read the folder of published "
						"measurements, \"%s\""), dir);
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

static int read_files(const struct strv *paths, struct collection *ret, struct diag *diag)
{
	int error = 0;

	ret->list = calloc(paths->count ? paths->count : 1, sizeof(ret->list[0]));
	if (!ret->list)
		return -ENOMEM;
	for (size_t i = 0; i < paths->count && !error; i++) {
		error = read_one(paths->items[i], &ret->list[ret->count], diag);
		if (!error)
			ret->count++;
	}
	return error;
}

/* "F2" is one of those in the folder, "./mine.json" a file. */
static int find_paths(const char *const *names, size_t name_count, struct strv *ret,
		      struct diag *diag)
{
	_free_ char *dir = NULL;
	int error = find_dir(&dir);

	if (error)
		return error;
	if (!name_count)
		return list_dir(dir, ret, diag);
	for (size_t i = 0; i < name_count && !error; i++) {
		_free_ char *path = NULL;

		if (strchr(names[i], '/')) {
			error = strv_add(ret, names[i]);
			continue;
		}
		if (asprintf(&path, "%s/%s" SUFFIX, dir, names[i]) < 0)
			return -ENOMEM;
		for (char *c = path + strlen(dir); *c; c++)
			if (*c >= 'A' && *c <= 'Z')
				*c = (char)(*c - 'A' + 'a');
		if (access(path, R_OK) < 0)
			return diag_set(diag, -EINVAL,
					_("there is no published experiment \"%s\""),
					names[i]);
		error = strv_add(ret, path);
	}
	return error;
}

/* --- running ------------------------------------------------------------------------------- */

struct progress {
	const char *name;
	size_t index, count;
	bool is_shown;
};

static bool show_progress(void *context, const struct experiment_progress *progress)
{
	const struct progress *shown = context;

	if (shown->is_shown)
		fprintf(stderr, _("\r%zu of %zu: %-4s %3.0f %%"), shown->index + 1,
			shown->count, shown->name, 100 * progress->fraction);
	return is_interrupted;
}

static int run_all(struct collection *collection, unsigned threads, struct diag *diag)
{
	struct sigaction action = { .sa_handler = on_interrupt }, before;
	struct progress progress = {
		.count = collection->count,
		.is_shown = isatty(STDERR_FILENO),
	};
	int error = 0;

	is_interrupted = 0;
	sigaction(SIGINT, &action, &before);
	for (size_t i = 0; i < collection->count && !error; i++) {
		progress.index = i;
		progress.name = collection->list[i].experiment;
		error = published_run(&collection->list[i], threads, show_progress, &progress,
				      diag);
		if (error == -EINTR) {
			log_warning(_("interrupted: %zu of %zu experiments are done"), i,
				    collection->count);
			for (size_t k = i; k < collection->count; k++)
				published_done(&collection->list[k]);
			collection->count = i;
			error = 0;
		}
	}
	sigaction(SIGINT, &before, NULL);
	if (progress.is_shown)
		fputs("\r\033[K", stderr);
	return error;
}

int simulate_published(const struct cmd_context *context, const char *const *names,
		       size_t name_count, unsigned threads, struct diag *diag)
{
	_cleanup_(collection_done) struct collection collection = { 0 };
	_strv_ struct strv paths = { 0 };
	struct table_style style = cmd_table_style(context);
	json_t *root;
	int error = find_paths(names, name_count, &paths, diag);

	if (!error)
		error = read_files(&paths, &collection, diag);
	if (!error)
		error = run_all(&collection, threads, diag);
	if (error)
		return error;
	if (!context->is_json)
		return published_print(collection.list, collection.count, &style);
	root = json_envelope();
	error = published_to_json(collection.list, collection.count, root);
	return json_print(root, error);
}
