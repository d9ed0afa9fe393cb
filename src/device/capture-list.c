// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Collecting the entries of a snapshot, and learning what is secret in them.
 */
#include <errno.h>
#include <string.h>

#include "device/capture-internal.h"
#include "sysfs/paths.h"

/* An attribute of sysfs is at most a page, on any architecture. */
#define ATTRIBUTE_MAX     65537
#define LINK_MAX_FOLLOWED 40

static void entry_done(struct capture_entry *entry)
{
	free(entry->path);
	free(entry->value);
}

void capture_done(struct capture *capture)
{
	for (size_t i = 0; i < capture->count; i++)
		entry_done(&capture->items[i]);
	free(capture->items);
	redactor_done(&capture->redactor);
	*capture = (struct capture){ 0 };
}

static struct capture_entry *add_entry(struct capture *capture, const char *path,
				       enum snapshot_kind kind, const char *value)
{
	struct capture_entry entry = { .kind = kind };

	if (capture->error)
		return NULL;
	if (capture->count == capture->room) {
		size_t room = capture->room ? capture->room * 2 : 256;
		struct capture_entry *items =
			reallocarray(capture->items, room, sizeof(*items));

		if (!items) {
			capture->error = -ENOMEM;
			return NULL;
		}
		capture->items = items;
		capture->room = room;
	}
	entry.path = strdup(path);
	entry.value = value ? strdup(value) : NULL;
	if (!entry.path || (value && !entry.value)) {
		entry_done(&entry);
		capture->error = -ENOMEM;
		return NULL;
	}
	capture->items[capture->count] = entry;
	return &capture->items[capture->count++];
}

char *capture_next_line(char **text)
{
	char *line = *text, *end;

	if (!line)
		return NULL;
	end = strchr(line, '\n');
	if (end)
		*end++ = '\0';
	*text = end;
	return line;
}

/* What follows a dm UUID's prefix also stands in links. */
static int learn_dm_uuid(struct redactor *redactor, const char *uuid)
{
	const char *dash = strchr(uuid, '-');

	return dash ? redactor_add(redactor, dash + 1) : 0;
}

static int learn_udev(struct redactor *redactor, const char *value)
{
	_free_ char *copy = strdup(value);
	char *rest = copy, *line;
	int error = copy ? 0 : -ENOMEM;

	while (!error && (line = capture_next_line(&rest))) {
		char *equals = strchr(line, '=');

		if (!equals || !text_starts_with(line, "E:"))
			continue;
		*equals = '\0';
		if (!strcmp(line, "E:DM_UUID"))
			error = learn_dm_uuid(redactor, equals + 1);
		else if (redact_is_secret_property(line + 2))
			error = redactor_add(redactor, equals + 1);
	}
	return error;
}

void capture_add_value(struct capture *capture, const char *path, const char *value,
		       bool is_writable, enum secrecy secrecy)
{
	struct capture_entry *entry = add_entry(capture, path, SNAPSHOT_FILE, value);

	if (!entry)
		return;
	entry->is_writable = is_writable;
	entry->secrecy = secrecy;
	if (capture->with_serials)
		return;
	if (secrecy == SECRECY_WHOLE)
		capture->error = redactor_add(&capture->redactor, value);
	else if (secrecy == SECRECY_DM_UUID)
		capture->error = learn_dm_uuid(&capture->redactor, value);
	else if (secrecy == SECRECY_UDEV)
		capture->error = learn_udev(&capture->redactor, value);
}

static void add_error(struct capture *capture, const char *path, int error)
{
	struct capture_entry *entry = add_entry(capture, path, SNAPSHOT_ERROR, NULL);

	if (entry)
		entry->error = error;
}

void capture_add_file(struct capture *capture, const char *path, enum secrecy secrecy)
{
	_free_ char *value = NULL;
	int error = root_read(capture->root, path, &value);

	if (!error)
		capture_add_value(capture, path, value, false, secrecy);
	else if (error == -ENOMEM)
		capture->error = error;
	else if (error != -ENOENT && error != -ENOTDIR && error != -EISDIR)
		add_error(capture, path, error);
}

static enum secrecy secrecy_of(const char *path, const char *name)
{
	if (redact_is_secret_file(name) && !text_ends_with(path, "/dm/uuid"))
		return SECRECY_WHOLE;
	if (text_ends_with(path, "/dm/uuid"))
		return SECRECY_DM_UUID;
	return text_ends_with(path, "/dm/name") ? SECRECY_FORM : SECRECY_KNOWN;
}

static void add_attribute(struct capture *capture, const struct root_dir *dir,
			  const char *path, const char *name, char *buf)
{
	_root_dir_ struct root_dir below = ROOT_DIR_NONE;
	_free_ char *full = NULL;
	ssize_t len = root_dir_read(dir, name, buf, ATTRIBUTE_MAX);

	if (len == -ENOENT || len == -EISDIR || len == -ENODEV)
		return;
	if (len == -EBADMSG && !root_dir_open_at(dir, name, &below))
		return;
	if (asprintf(&full, "%s/%s", path, name) < 0) {
		full = NULL;
		capture->error = -ENOMEM;
	} else if (len < 0) {
		add_error(capture, full, (int)len);
	} else {
		capture_add_value(capture, full, buf, root_dir_is_writable(dir, name),
				  secrecy_of(full, name));
	}
}

static bool is_listed(const char *const *list, const char *name)
{
	for (; list && *list; list++)
		if (!strcmp(*list, name))
			return true;
	return false;
}

void capture_add_attributes(struct capture *capture, const char *path,
			    const char *const *skip)
{
	_root_dir_ struct root_dir dir = ROOT_DIR_NONE;
	_free_ char *buf = malloc(ATTRIBUTE_MAX);
	_strv_ struct strv names = { 0 };
	size_t before = capture->count;

	if (!buf) {
		capture->error = -ENOMEM;
		return;
	}
	if (root_list(capture->root, path, &names) ||
	    root_dir_open(capture->root, path, &dir))
		return;
	for (size_t i = 0; i < names.count; i++)
		if (!is_listed(skip, names.items[i]))
			add_attribute(capture, &dir, path, names.items[i], buf);
	if (capture->count == before)
		add_entry(capture, path, SNAPSHOT_DIR, NULL);
}

void capture_add_link(struct capture *capture, const char *path)
{
	_free_ char *target = NULL;

	if (!root_read_link(capture->root, path, &target))
		add_entry(capture, path, SNAPSHOT_LINK, target);
}

static void drop_last(struct text *path)
{
	char *slash = path->data ? strrchr(path->data, '/') : NULL;

	path->len = slash ? (size_t)(slash - path->data) : 0;
	if (path->data)
		path->data[path->len] = '\0';
}

void capture_add_chain(struct capture *capture, const char *path)
{
	_text_ struct text done = { 0 };
	_free_ char *left = strdup(path);
	unsigned links = 0;
	char *p = left;

	while (p && *(p += strspn(p, "/"))) {
		size_t len = strcspn(p, "/");
		_free_ char *target = NULL, *next = NULL;

		if (len == 2 && !strncmp(p, "..", 2)) {
			drop_last(&done);
			p += len;
			continue;
		}
		text_addf(&done, "%s%.*s", done.len ? "/" : "", (int)len, p);
		p += len;
		if (done.error || root_read_link(capture->root, done.data, &target))
			continue;
		if (++links > LINK_MAX_FOLLOWED)
			return;
		add_entry(capture, done.data, SNAPSHOT_LINK, target);
		if (asprintf(&next, "%s/%s", target, p) < 0) {
			next = NULL;
			capture->error = -ENOMEM;
			return;
		}
		if (*target == '/')
			done.len = 0, done.data[0] = '\0';
		else
			drop_last(&done);
		free(left);
		p = left = TAKE_PTR(next);
	}
	if (!left || done.error)
		capture->error = -ENOMEM;
	else if (done.len && root_exists(capture->root, done.data))
		add_entry(capture, done.data, SNAPSHOT_DIR, NULL);
}
