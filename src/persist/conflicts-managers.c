// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Other managers: tuned's active profile, saptune's notes, TLP. Sources: tuned.conf(5)
 * ([disk]: elevator, readahead), saptune-note(5) ([block]), TLP's disk settings.
 */
#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "persist/conflicts.h"
#include "persist/shell-scan.h"
#include "sysfs/paths.h"
#include "util/i18n.h"

#define INCLUDE_MAX 8

/* "key = value" or "key=value" with exactly this key. */
static bool has_key(const char *line, size_t len, const char *key)
{
	size_t key_len = strlen(key), at = 0;

	while (at < len && isspace((unsigned char)line[at]))
		at++;
	if (len - at < key_len || memcmp(line + at, key, key_len))
		return false;
	at += key_len;
	while (at < len && isspace((unsigned char)line[at]))
		at++;
	return at < len && line[at] == '=';
}

static bool has_any_key(const char *line, size_t len, const char *const *keys,
			size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (has_key(line, len, keys[i]))
			return true;
	return false;
}

/* --- tuned ------------------------------------------------------------------------------ */

static bool is_tuned_disk(const char *line, size_t len)
{
	static const char *const keys[] = { "elevator", "readahead" };

	return has_any_key(line, len, keys, ARRAY_SIZE(keys)) ||
	       memmem(line, len, "/queue/", 7);
}

/* The value of `include=`, NULL when there is none. */
static int find_include(const char *text, char **ret)
{
	*ret = NULL;
	for (const char *line = text; *line;) {
		size_t len = strcspn(line, "\n");

		if (has_key(line, len, "include")) {
			char *value = strndup(line, len);

			if (!value)
				return -ENOMEM;
			*ret = strdup(text_trim(strchr(value, '=') + 1));
			free(value);
			return *ret ? 0 : -ENOMEM;
		}
		line += len + (line[len] == '\n');
	}
	return 0;
}

static int find_tuned_file(const struct root *root, const char *profile, char **ret_path,
			   char **ret_text)
{
	static const char *const folders[] = PATHS_TUNED_PROFILES;

	for (size_t i = 0; i < ARRAY_SIZE(folders); i++) {
		_free_ char *path = NULL;
		int error;

		if (asprintf(&path, "%s/%s/tuned.conf", folders[i], profile) < 0) {
			path = NULL;
			return -ENOMEM;
		}
		error = root_read(root, path, ret_text);
		if (error == -ENOMEM)
			return error;
		if (!error) {
			*ret_path = TAKE_PTR(path);
			return 0;
		}
	}
	return -ENOENT;
}

static int find_tuned_profile(const struct root *root, const char *profile,
			      unsigned depth, struct conflicts *ret)
{
	_free_ char *path = NULL, *text = NULL, *include = NULL;
	int error;

	if (depth > INCLUDE_MAX || !*profile || strchr(profile, '/'))
		return 0;
	error = find_tuned_file(root, profile, &path, &text);
	if (error)
		return error == -ENOENT ? 0 : error;
	error = conflicts_scan(
		root, path, "tuned", is_tuned_disk,
		N_("take elevator and readahead out of tuned's profile, or choose "
		   "another with tuned-adm"),
		ret);
	if (!error)
		error = find_include(text, &include);
	if (error || !include)
		return error;
	return find_tuned_profile(root, include, depth + 1, ret);
}

static int find_tuned(const struct root *root, struct conflicts *ret)
{
	_strv_ struct strv profiles = { 0 };
	_free_ char *active = NULL;
	int error = root_read(root, PATH_TUNED_ACTIVE, &active);

	if (error)
		return error == -ENOMEM ? error : 0;
	error = strv_split(&profiles, active, " \t\n");
	for (size_t i = 0; !error && i < profiles.count; i++)
		error = find_tuned_profile(root, profiles.items[i], 0, ret);
	return error;
}

/* --- saptune ---------------------------------------------------------------------------- */

static bool is_saptune_block(const char *line, size_t len)
{
	static const char *const keys[] = { "IO_SCHEDULER", "NRREQ", "READ_AHEAD_KB",
					    "MAX_SECTORS_KB" };

	return has_any_key(line, len, keys, ARRAY_SIZE(keys));
}

/* NOTE_APPLY_ORDER="1410736 941735": the notes that are in force. */
static int list_notes(const struct root *root, struct strv *ret)
{
	static const char *const names[] = { "NOTE_APPLY_ORDER", NULL };
	_shell_assignments_ struct shell_assignments found = { 0 };
	_free_ char *text = NULL;
	_text_ struct text value = { 0 };
	int error = root_read(root, PATH_SAPTUNE_CONFIG, &text);

	if (error)
		return error == -ENOMEM ? error : 0;
	error = shell_scan(PATH_SAPTUNE_CONFIG, text, strlen(text), names, &found, NULL);
	if (error || !found.count)
		return error == -ENOMEM ? error : 0;
	const struct arg_text *last = &found.items[found.count - 1].value;

	for (size_t i = 0; i < last->unit_count; i++)
		text_add_bytes(&value, &last->units[i].c, 1);
	text_add(&value, "");
	return value.error ? value.error : strv_split(ret, value.data, " ");
}

static int find_saptune(const struct root *root, struct conflicts *ret)
{
	static const char *const folders[] = PATHS_SAPTUNE_NOTES;
	_strv_ struct strv notes = { 0 };
	int error = list_notes(root, &notes);

	for (size_t i = 0; !error && i < notes.count; i++) {
		size_t before = ret->count;

		/* an override stands for the note itself */
		for (size_t n = 0;
		     !error && n < ARRAY_SIZE(folders) && ret->count == before; n++) {
			_free_ char *path = NULL;

			if (strchr(notes.items[i], '/'))
				continue;
			if (asprintf(&path, "%s/%s", folders[n], notes.items[i]) < 0) {
				path = NULL;
				return -ENOMEM;
			}
			error = conflicts_scan(
				root, path, "saptune", is_saptune_block,
				N_("leave the value empty in an override of the "
				   "note"),
				ret);
		}
	}
	return error;
}

/* --- TLP -------------------------------------------------------------------------------- */

static bool is_tlp_scheduler(const char *line, size_t len)
{
	return has_key(line, len, "DISK_IOSCHED");
}

static int find_tlp(const struct root *root, struct conflicts *ret)
{
	static const char *const files[] = PATHS_TLP;
	static const char advice[] = N_("comment DISK_IOSCHED out");
	_strv_ struct strv names = { 0 };
	int error = 0;

	for (size_t i = 0; !error && i < ARRAY_SIZE(files); i++)
		error = conflicts_scan(root, files[i], "TLP", is_tlp_scheduler, advice,
				       ret);
	if (error || root_list(root, PATH_TLP_D, &names))
		return error;
	for (size_t i = 0; !error && i < names.count; i++) {
		_free_ char *path = NULL;

		if (asprintf(&path, PATH_TLP_D "/%s", names.items[i]) < 0) {
			path = NULL;
			return -ENOMEM;
		}
		error = conflicts_scan(root, path, "TLP", is_tlp_scheduler, advice, ret);
	}
	return error;
}

int conflicts_find_managers(const struct root *root, struct conflicts *ret)
{
	int error = find_tuned(root, ret);

	if (!error)
		error = find_saptune(root, ret);
	return error ? error : find_tlp(root, ret);
}
