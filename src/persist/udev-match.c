// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The conditions of a policy's rule in udev's words. What a running system knows and udev
 * does not (mounts, roles) cannot be said here.
 */
#include "persist/udev-rules.h"

#include <errno.h>
#include <string.h>
#include <strings.h>

#include "persist/udev-text.h"
#include "sysfs/paths.h"
#include "util/i18n.h"

#define SECTOR_BYTES 512
#define DEV_FOLDER   "/" PATH_DEV "/"

/* One place to look for a glob. */
struct source {
	const char *key;
	const char *prefix; /* put before the glob; NULL: none */
	unsigned flags;
};

/* All globs against all sources, as lines of their own: any of them sets the mark. */
static void add_alternatives(struct text *before, const struct strv *globs,
			     const struct source *sources, size_t count, const char *mark)
{
	for (size_t s = 0; s < count; s++) {
		for (size_t i = 0; i < globs->count;) {
			size_t begin = before->len;

			text_addf(before, "%s==\"", sources[s].key);
			do {
				if (before->data && before->data[before->len - 1] != '"')
					text_add(before, "|");
				if (sources[s].prefix)
					text_add(before, sources[s].prefix);
				udev_add_glob(before, globs->items[i++],
					      sources[s].flags);
			} while (i < globs->count && before->len - begin < UDEV_LINE_MAX);
			text_addf(before, "\", ENV{%s}=\"1\"\n", mark);
		}
	}
}

static void add_list(struct text *before, struct text *conditions,
		     const struct strv *globs, const struct source *sources, size_t count,
		     const char *tag, const char *name)
{
	char mark[80], key[96];

	if (!globs->count)
		return;
	if (count == 1 && !sources->prefix && globs->count == 1) {
		udev_open(conditions, sources->key, "==");
		udev_add_glob(conditions, globs->items[0], sources->flags);
		udev_close(conditions);
		return;
	}
	snprintf(mark, sizeof(mark), ".IOSCHED_%s_%s", tag, name);
	snprintf(key, sizeof(key), "ENV{%s}", mark);
	add_alternatives(before, globs, sources, count, mark);
	udev_add_condition(conditions, key, "==", "1");
}

/* "0x5000…" and "naa.5000…" name the same: with each prefix, and without. */
static int expand_wwns(const struct strv *globs, struct strv *ret)
{
	static const char *const prefixes[] = {
		"", "0x", "naa.", "eui.", "uuid.", "t10."
	};
	int error = 0;

	for (size_t i = 0; !error && i < globs->count; i++) {
		const char *stem = globs->items[i];

		for (size_t n = 1; n < ARRAY_SIZE(prefixes); n++)
			if (!strncasecmp(stem, prefixes[n], strlen(prefixes[n]))) {
				stem += strlen(prefixes[n]);
				break;
			}
		if (stem[0] == '*') /* takes in any prefix */
			error = strv_add(ret, stem);
		for (size_t n = 0; !error && stem[0] != '*' && n < ARRAY_SIZE(prefixes);
		     n++) {
			_free_ char *glob = NULL;

			if (asprintf(&glob, "%s%s", prefixes[n], stem) < 0) {
				glob = NULL;
				return -ENOMEM;
			}
			error = strv_add(ret, glob);
		}
	}
	return error;
}

/* Links of one folder: a glob may be the last component or the whole path. */
static int split_links(const struct strv *globs, struct strv *ret_whole,
		       struct strv *ret_last)
{
	int error = 0;

	for (size_t i = 0; !error && i < globs->count; i++) {
		const char *glob = globs->items[i];

		if (text_starts_with(glob, DEV_FOLDER))
			error = strv_add(ret_whole, glob + strlen(DEV_FOLDER));
		else
			error = strv_add(ret_last, glob);
	}
	return error;
}

static int add_links(struct text *before, struct text *conditions,
		     const struct strv *globs, const char *folder, const char *property,
		     const char *tag, const char *name)
{
	_strv_ struct strv whole = { 0 }, last = { 0 };
	const struct source link = { "SYMLINK", NULL, UDEV_GLOB_ANY_CASE };
	const struct source below = { "SYMLINK", folder, UDEV_GLOB_ANY_CASE };
	const struct source value = { property, NULL, UDEV_GLOB_ANY_CASE };
	char mark[80], key[96];
	int error;

	if (!globs->count)
		return 0;
	error = split_links(globs, &whole, &last);
	if (error)
		return error;
	snprintf(mark, sizeof(mark), ".IOSCHED_%s_%s", tag, name);
	snprintf(key, sizeof(key), "ENV{%s}", mark);
	add_alternatives(before, &whole, &link, 1, mark);
	add_alternatives(before, &last, &below, 1, mark);
	if (property)
		add_alternatives(before, &last, &value, 1, mark);
	udev_add_condition(conditions, key, "==", "1");
	return 0;
}

static void add_classes(struct text *conditions, unsigned classes)
{
	bool is_first = true;

	if (!classes)
		return;
	udev_open(conditions, "ENV{.IOSCHED_CLASS}", "==");
	for (unsigned class = 0; class < CLASS_COUNT; class ++) {
		if (!(classes & 1u << class))
			continue;
		text_addf(conditions, "%s%s", is_first ? "" : "|",
			  device_class_name((enum device_class) class));
		is_first = false;
	}
	udev_close(conditions);
}

static void add_sizes(struct text *conditions, const struct profile_match *match)
{
	if (match->min_size_bytes) {
		udev_open(conditions, "ATTR{size}", "==");
		udev_add_at_least(conditions,
				  match->min_size_bytes / SECTOR_BYTES +
					  !!(match->min_size_bytes % SECTOR_BYTES));
		udev_close(conditions);
	}
	if (match->max_size_bytes) {
		udev_open(conditions, "ATTR{size}", "==");
		udev_add_at_most(conditions, match->max_size_bytes / SECTOR_BYTES);
		udev_close(conditions);
	}
}

static void add_flag(struct text *conditions, const char *key, int wanted)
{
	if (wanted >= 0)
		udev_add_condition(conditions, key, "==", wanted ? "1" : "0");
}

static const char *find_unseen(const struct profile_match *match)
{
	if (match->roles.count)
		return N_("udev does not know what a disk is used for");
	if (match->filesystems.count)
		return N_("udev does not know what is mounted from a disk");
	if (match->hidden == 1)
		return N_("hidden devices send no events");
	if (match->classes == 1u << CLASS_NVME_PATH)
		return N_("hidden paths of NVMe multipath send no events");
	return NULL;
}

int udev_add_match(struct text *before, struct text *conditions,
		   const struct profile_match *match, const char *tag,
		   const char **ret_unseen)
{
	const unsigned maker = UDEV_GLOB_ANY_CASE | UDEV_GLOB_UNDERSCORE;
	const struct source transport = { "ENV{.IOSCHED_TRANSPORT}", NULL,
					  UDEV_GLOB_ANY_CASE };
	const struct source model = { "ENV{.IOSCHED_MODEL}", NULL, maker };
	const struct source vendor = { "ENV{.IOSCHED_VENDOR}", NULL, maker };
	const struct source serial = { "ENV{.IOSCHED_SERIAL}", NULL, maker };
	const struct source wwn = { "ENV{.IOSCHED_WWN}", NULL, maker };
	const struct source virt = { "CONST{virt}", NULL, UDEV_GLOB_ANY_CASE };
	_strv_ struct strv wwns = { 0 };
	int error;

	*ret_unseen = find_unseen(match);
	if (*ret_unseen)
		return 0;
	error = expand_wwns(&match->wwns, &wwns);
	if (error)
		return error;
	add_classes(conditions, match->classes);
	add_list(before, conditions, &match->transports, &transport, 1, tag, "TRANSPORT");
	add_list(before, conditions, &match->models, &model, 1, tag, "MODEL");
	add_list(before, conditions, &match->vendors, &vendor, 1, tag, "VENDOR");
	add_list(before, conditions, &match->serials, &serial, 1, tag, "SERIAL");
	add_list(before, conditions, &wwns, &wwn, 1, tag, "WWN");
	add_list(before, conditions, &match->virtualisations, &virt, 1, tag, "VIRT");
	add_sizes(conditions, match);
	add_flag(conditions, "ATTR{queue/rotational}", match->rotational);
	add_flag(conditions, "ATTR{removable}", match->removable);
	error = add_links(before, conditions, &match->by_paths, "disk/by-path/",
			  "ENV{ID_PATH}", tag, "PATH");
	if (!error)
		error = add_links(before, conditions, &match->by_ids, "disk/by-id/", NULL,
				  tag, "ID");
	return error ? error : conditions->error;
}
