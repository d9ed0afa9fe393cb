// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Where profiles are, and which there are.
 */
#include <errno.h>
#include <string.h>

#include "policy/profile-reader.h"
#include "sysfs/paths.h"
#include "util/file.h"
#include "util/i18n.h"
#include "util/program.h"

/* Lies beside the profiles and describes them. */
#define SCHEMA_NAME "schema"
#define SUFFIX      ".json"
/* More files in one directory are not looked at. */
#define LIST_MAX 1000

int profile_each_place(const char *search, profile_visit_fn visit, void *userdata)
{
	_strv_ struct strv dirs = { 0 };
	int result = strv_split(&dirs, search ? search : "", ":");

	if (!result)
		result = visit(NULL, userdata);
	for (size_t i = 0; !result && i < dirs.count; i++)
		result = visit(dirs.items[i], userdata);
	return result;
}

/* The collected entries; `root` and `places` are for the order of precedence. */
struct listing {
	const struct root *root;
	struct profile_entry *entries;
	size_t count;
};

static int list_host_dir(const char *path, struct strv *ret)
{
	_cleanup_(cleanup_closedir) DIR *dir = opendir(path);
	const struct dirent *entry;

	if (!dir)
		return errno == ENOENT ? 0 : -errno;
	while ((entry = readdir(dir))) {
		int error = strv_add(ret, entry->d_name);

		if (error)
			return error;
	}
	strv_sort_natural(ret);
	return 0;
}

static int read_entry(const struct root *root, const char *dir, const char *path,
		      struct profile_entry *entry)
{
	_cleanup_(cleanup_profile_free) struct profile *profile = NULL;
	_free_ char *data = NULL;
	struct diag diag = { 0 };
	char line[1024];
	size_t len = 0;
	int error;

	if (dir)
		error = file_read(path, PROFILE_SIZE_MAX, &data, &len);
	else
		error = root_read(root, path + 1, &data);
	if (data && !dir)
		len = strlen(data);
	if (!error)
		error = profile_read(data, len, path, &profile, &diag);
	if (error == -ENOMEM)
		return error;
	if (error) {
		diag_set(&diag, error, "%s", strerror(-error));
		diag_at(&diag, path, 0);
		diag_format(&diag, line, sizeof(line));
		entry->error = strdup(line);
		return entry->error ? 0 : -ENOMEM;
	}
	entry->summary = profile->summary ? TAKE_PTR(profile->summary) : strdup("");
	return entry->summary ? 0 : -ENOMEM;
}

static bool has_name(const struct listing *listing, const char *name)
{
	for (size_t i = 0; i < listing->count; i++)
		if (!strcmp(listing->entries[i].name, name))
			return true;
	return false;
}

/* An entry that could not be completed stays with what it has, to be freed. */
static int add_entry(struct listing *listing, const char *dir, const char *file)
{
	struct profile_entry *entries, *entry;

	entries = reallocarray(listing->entries, listing->count + 1, sizeof(*entries));
	if (!entries)
		return -ENOMEM;
	listing->entries = entries;
	entry = &entries[listing->count];
	*entry = (struct profile_entry){
		.name = strndup(file, strlen(file) - strlen(SUFFIX)),
	};
	if (!entry->name)
		return -ENOMEM;
	entry->is_shadowed = has_name(listing, entry->name);
	listing->count++;
	if (asprintf(&entry->path, "%s/%s", dir ? dir : "/" PATH_CONFIG_PROFILES, file) <
	    0) {
		entry->path = NULL;
		return -ENOMEM;
	}
	return read_entry(listing->root, dir, entry->path, entry);
}

static bool is_profile_file(const char *file)
{
	return file[0] != '.' && text_ends_with(file, SUFFIX) &&
	       strcmp(file, SCHEMA_NAME SUFFIX) != 0;
}

static int list_place(const char *dir, void *userdata)
{
	struct listing *listing = userdata;
	_strv_ struct strv files = { 0 };
	int error;

	if (dir)
		error = list_host_dir(dir, &files);
	else if (listing->root)
		error = root_list(listing->root, PATH_CONFIG_PROFILES, &files);
	else
		return 0;
	if (error == -ENOMEM)
		return error;
	/* A directory that cannot be read has nothing to list. */
	for (size_t i = 0; i < files.count && i < LIST_MAX; i++) {
		if (!is_profile_file(files.items[i]))
			continue;
		error = add_entry(listing, dir, files.items[i]);
		if (error)
			return error;
	}
	return 0;
}

static int compare_entries(const void *a, const void *b)
{
	const struct profile_entry *left = a, *right = b;
	int order = text_compare_natural(left->name, right->name);

	return order ? order : (int)left->is_shadowed - (int)right->is_shadowed;
}

int profile_list(const struct root *root, const char *search, struct profile_entry **ret,
		 size_t *ret_count, struct diag *diag)
{
	struct listing listing = { .root = root };
	int error = profile_each_place(search, list_place, &listing);

	if (error) {
		profile_entries_free(listing.entries, listing.count);
		return diag_set(diag, error, _("cannot list the profiles: %s"),
				strerror(-error));
	}
	if (listing.count)
		qsort(listing.entries, listing.count, sizeof(*listing.entries),
		      compare_entries);
	*ret = listing.entries;
	*ret_count = listing.count;
	return 0;
}

void profile_entries_free(struct profile_entry *entries, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		free(entries[i].name);
		free(entries[i].path);
		free(entries[i].summary);
		free(entries[i].error);
	}
	free(entries);
}

/* The profiles beside the source tree, when the program runs where it was built. */
static int find_beside_tree(char **ret)
{
	_free_ char *schema = NULL;
	int error = program_find("../profiles/" SCHEMA_NAME SUFFIX, &schema);

	return error ? error : program_find("../profiles", ret);
}

int profile_default_search(char **ret)
{
	const char *wanted = secure_getenv("IOSCHED_TUNE_PROFILES");
	int error;

	if (!wanted || !*wanted) {
		error = find_beside_tree(ret);
		if (error != -ENOENT)
			return error;
		wanted = PROFILE_DIR;
	}
	*ret = strdup(wanted);
	return *ret ? 0 : -ENOMEM;
}
