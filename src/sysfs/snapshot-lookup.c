// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Looking things up in a snapshot. Entries are sorted by path, so a directory is the run
 * of those that begin with it; links are followed component by component.
 */
#include "sysfs/snapshot-internal.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>

/* As Linux has it: the most links that one lookup follows. */
#define SNAPSHOT_LINK_MAX 40

static const struct snapshot_entry implied_dir = { .kind = SNAPSHOT_DIR };

size_t snapshot_lower_bound(const struct snapshot *snapshot, const char *key)
{
	size_t low = 0, high = snapshot->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strcmp(snapshot->items[middle].entry.path, key) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

size_t snapshot_find_below(const struct snapshot *snapshot, char *path)
{
	size_t len = strlen(path), index;
	bool is_below;

	path[len] = '/';
	path[len + 1] = '\0';
	index = snapshot_lower_bound(snapshot, path);
	is_below = index < snapshot->count &&
		   !strncmp(snapshot->items[index].entry.path, path, len + 1);
	path[len] = '\0';
	return is_below ? index : SIZE_MAX;
}

static const struct snapshot_entry *find_entry(const struct snapshot *snapshot,
					       char *path)
{
	size_t index = snapshot_lower_bound(snapshot, path);

	if (index < snapshot->count && !strcmp(snapshot->items[index].entry.path, path))
		return &snapshot->items[index].entry;
	if (!*path || snapshot_find_below(snapshot, path) != SIZE_MAX)
		return &implied_dir;
	return NULL;
}

/* One walk: where it has come to, and what is still to go. */
struct walk {
	char done[SNAPSHOT_PATH_MAX + 2];
	char left[2 * SNAPSHOT_PATH_MAX + 2];
	unsigned links;
};

/* "a/b" + "c" = "a/b/c"; ".." steps back, never above the root. */
static int walk_step(struct walk *walk, const char *part, size_t len)
{
	size_t have = strlen(walk->done);

	if (len == 1 && *part == '.')
		return 0;
	if (len == 2 && !strncmp(part, "..", 2)) {
		char *slash = strrchr(walk->done, '/');

		*(slash ? slash : walk->done) = '\0';
		return 0;
	}
	if (have + len + 1 > SNAPSHOT_PATH_MAX)
		return -ENAMETOOLONG;
	if (have)
		walk->done[have++] = '/';
	memcpy(walk->done + have, part, len);
	walk->done[have + len] = '\0';
	return 0;
}

/* Puts the link's target in front of what is left; the walk is at the link itself. */
static int walk_follow(struct walk *walk, const struct snapshot_entry *link,
		       const char *rest)
{
	size_t rest_len = strlen(rest);
	char *slash = strrchr(walk->done, '/');

	if (++walk->links > SNAPSHOT_LINK_MAX)
		return -ELOOP;
	if (link->len + rest_len + 2 > sizeof(walk->left))
		return -ENAMETOOLONG;
	if (*link->value == '/')
		*walk->done = '\0';
	else
		*(slash ? slash : walk->done) = '\0';
	memmove(walk->left + link->len + 1, rest, rest_len + 1);
	memcpy(walk->left, link->value, link->len);
	walk->left[link->len] = '/';
	return 0;
}

static int walk_path(const struct snapshot *snapshot, struct walk *walk, bool follow_last,
		     const struct snapshot_entry **ret)
{
	const struct snapshot_entry *entry = &implied_dir;
	const char *p = walk->left;

	for (;;) {
		size_t len;
		int error;

		p += strspn(p, "/");
		if (!*p)
			break;
		if (entry->kind != SNAPSHOT_DIR)
			return -ENOTDIR;
		len = strcspn(p, "/");
		error = walk_step(walk, p, len);
		if (error)
			return error;
		p += len;
		entry = find_entry(snapshot, walk->done);
		if (!entry)
			return -ENOENT;
		if (entry->kind == SNAPSHOT_LINK && (follow_last || p[strspn(p, "/")])) {
			error = walk_follow(walk, entry, p);
			if (error)
				return error;
			p = walk->left;
			entry = &implied_dir;
		}
	}
	*ret = entry;
	return 0;
}

int snapshot_lookup(const struct snapshot *snapshot, const char *path, bool follow_last,
		    const struct snapshot_entry **ret, char **ret_path)
{
	const struct snapshot_entry *entry;
	struct walk walk;
	size_t index, len = strlen(path);
	char *resolved;
	int error;

	/* Nothing lies below a link, so a path that is there literally is the answer. */
	index = snapshot_lower_bound(snapshot, path);
	if (index < snapshot->count && !strcmp(snapshot->items[index].entry.path, path) &&
	    (snapshot->items[index].entry.kind != SNAPSHOT_LINK || !follow_last)) {
		entry = &snapshot->items[index].entry;
		resolved = strdup(path);
	} else {
		if (len > SNAPSHOT_PATH_MAX)
			return -ENAMETOOLONG;
		walk.done[0] = '\0';
		walk.links = 0;
		memcpy(walk.left, path, len + 1);
		error = walk_path(snapshot, &walk, follow_last, &entry);
		if (error)
			return error;
		resolved = strdup(walk.done);
	}
	if (!resolved)
		return -ENOMEM;
	*ret = entry;
	*ret_path = resolved;
	return 0;
}

int snapshot_list(const struct snapshot *snapshot, const char *path, struct strv *ret)
{
	char prefix[SNAPSHOT_PATH_MAX + 2], skip[SNAPSHOT_PATH_MAX + 2];
	size_t len = strlen(path), index, kept = 0;
	_strv_ struct strv names = { 0 };

	if (len > SNAPSHOT_PATH_MAX)
		return -ENAMETOOLONG;
	memcpy(prefix, path, len + 1);
	if (len) {
		prefix[len++] = '/';
		prefix[len] = '\0';
	}
	index = snapshot_lower_bound(snapshot, prefix);
	while (index < snapshot->count &&
	       !strncmp(snapshot->items[index].entry.path, prefix, len)) {
		const char *name = snapshot->items[index].entry.path + len;
		size_t name_len = strcspn(name, "/");
		int error = strv_add_len(&names, name, name_len);

		if (error)
			return error;
		if (name[name_len]) { /* past all that is below it: '0' follows '/' */
			memcpy(skip, prefix, len);
			memcpy(skip + len, name, name_len);
			memcpy(skip + len + name_len, "0", 2);
			index = snapshot_lower_bound(snapshot, skip);
		} else {
			index++;
		}
	}
	strv_sort_natural(&names);
	for (size_t i = 0; i < names.count; i++) { /* "a", "a-b", "a/b" name "a" twice */
		if (kept && !strcmp(names.items[kept - 1], names.items[i]))
			free(names.items[i]);
		else
			names.items[kept++] = names.items[i];
	}
	names.count = kept;
	for (size_t i = 0; i < names.count; i++) {
		int error = strv_add(ret, names.items[i]);

		if (error)
			return error;
	}
	return 0;
}
