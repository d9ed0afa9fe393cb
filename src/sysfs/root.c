// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The root handle: opening, and reading by path.
 */
#include "sysfs/root.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "sysfs/root-internal.h"
#include "util/i18n.h"

/* A link chain longer than this is a loop (the kernel's own limit). */
#define LINK_MAX_FOLLOWED 40

int root_check_path(const char *path)
{
	const char *p = path;

	if (!*path || strlen(path) >= PATH_MAX)
		return -EINVAL;
	while (*p) {
		size_t len = strcspn(p, "/");

		if (!len || (len == 1 && p[0] == '.') ||
		    (len == 2 && p[0] == '.' && p[1] == '.'))
			return -EINVAL;
		p += len;
		if (*p == '/' && !*++p)
			return -EINVAL;
	}
	return 0;
}

static int check_spare_files(int fd, struct diag *diag)
{
	int spare[ROOT_SPARE_FILES], count = 0, error = 0;

	while (count < ROOT_SPARE_FILES && !error) {
		spare[count] = fcntl(fd, F_DUPFD_CLOEXEC, 0);
		error = spare[count] < 0 ? -errno : 0;
		count += !error;
	}
	while (count)
		close(spare[--count]);
	return error ? root_set_shortage(error, diag) : 0;
}

static int open_snapshot(struct root *root, const char *where, int fd, off_t size,
			 struct diag *diag)
{
	_free_ char *data = NULL;
	size_t used = 0;

	if (size > (off_t)SNAPSHOT_SIZE_MAX)
		return diag_set(diag, -EFBIG, _("a snapshot has at most %u MiB"),
				SNAPSHOT_SIZE_MAX / 1024 / 1024);
	data = malloc((size_t)size + 1);
	if (!data)
		return -ENOMEM;
	while (used < (size_t)size) {
		ssize_t n = read(fd, data + used, (size_t)size - used);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return diag_set(diag, -errno, "%s", strerror(errno));
		if (!n)
			break;
		used += (size_t)n;
	}
	root->kind = ROOT_SNAPSHOT;
	return snapshot_parse(data, used, where, &root->snapshot, diag);
}

/* The open file or directory at `where` becomes the root. */
static int take_descriptor(struct root *root, const char *where, int *fd, struct diag *diag)
{
	struct stat st;

	if (fstat(*fd, &st) < 0)
		return diag_set(diag, -errno, "%s", strerror(errno));
	if (S_ISREG(st.st_mode))
		return open_snapshot(root, where, *fd, st.st_size, diag);
	if (!S_ISDIR(st.st_mode))
		return diag_set(diag, -ENOTDIR, _("neither a directory nor a snapshot file"));
	root->fd = TAKE_FD(*fd);
	return 0;
}

int root_open(const char *where, struct root **ret, struct diag *diag)
{
	_cleanup_(cleanup_root_free) struct root *root = calloc(1, sizeof(*root));
	_close_ int fd = -1;
	int error;

	if (!root)
		return -ENOMEM;
	root->fd = -1;
	root->shortage = calloc(1, sizeof(*root->shortage));
	if (!root->shortage)
		return -ENOMEM;
	root->kind = where && strcmp(where, "/") ? ROOT_DIR : ROOT_HOST;
	if (root->kind == ROOT_HOST)
		where = "/";
	root->name = strdup(where);
	if (!root->name)
		return -ENOMEM;
	fd = open(where, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		error = diag_set(diag, -errno, "%s", strerror(errno));
	else
		error = check_spare_files(fd, diag);
	if (!error)
		error = take_descriptor(root, where, &fd, diag);
	if (error) {
		diag_at(diag, where, 0); /* a line of a snapshot has said so already */
		return error;
	}
	*ret = TAKE_PTR(root);
	return 0;
}

void root_free(struct root *root)
{
	if (!root)
		return;
	if (root->fd >= 0)
		close(root->fd);
	snapshot_free(root->snapshot);
	free(root->name);
	free(root->shortage);
	free(root);
}

enum root_kind root_get_kind(const struct root *root)
{
	return root->kind;
}

const char *root_get_name(const struct root *root)
{
	return root->name;
}

ssize_t root_read_fd(int fd, char *buf, size_t size)
{
	size_t used = 0;

	for (;;) {
		ssize_t n = read(fd, buf + used, size - used);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		used += (size_t)n;
		if (used == size)
			return -EFBIG;
		/* sysfs gives a whole attribute in one read; a short one is the end */
		if (!n || used < size / 2)
			break;
	}
	while (used && buf[used - 1] == '\n')
		used--;
	buf[used] = '\0';
	return memchr(buf, '\0', used) ? -EBADMSG : (ssize_t)used;
}

int root_read_rest(int fd, struct text *ret)
{
	char chunk[16384];
	ssize_t n;

	while ((n = read(fd, chunk, sizeof(chunk)))) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (ret->len + (size_t)n > ROOT_READ_MAX)
			return -EFBIG;
		text_add_bytes(ret, chunk, (size_t)n);
	}
	return ret->error;
}

/* Of text, without its last newlines. */
static int read_all_fd(int fd, char **ret)
{
	_text_ struct text text = { 0 };
	int error = root_read_rest(fd, &text);

	if (error)
		return error;
	if (text.len && memchr(text.data, '\0', text.len))
		return -EBADMSG;
	while (text.len && text.data[text.len - 1] == '\n')
		text.data[--text.len] = '\0';
	return text_take(&text, ret);
}

static int check_regular(int fd)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return -errno;
	return S_ISREG(st.st_mode) ? 0 : -EBADMSG;
}

static int snapshot_read(const struct root *root, const char *path, char **ret)
{
	const struct snapshot_entry *entry;
	_free_ char *resolved = NULL;
	_text_ struct text text = { 0 };
	int error = snapshot_lookup(root->snapshot, path, true, &entry, &resolved);

	if (error)
		return error;
	if (!entry || entry->kind == SNAPSHOT_DIR)
		return -EISDIR;
	if (entry->kind == SNAPSHOT_ERROR)
		return entry->error;
	text_add_bytes(&text, entry->value, entry->len);
	while (text.len && text.data[text.len - 1] == '\n')
		text.data[--text.len] = '\0';
	return text_take(&text, ret);
}

int root_read(const struct root *root, const char *path, char **ret)
{
	_close_ int fd = -1;
	int error = root_check_path(path);

	if (error)
		return error;
	if (root->kind == ROOT_SNAPSHOT)
		return snapshot_read(root, path, ret);
	fd = root_openat(root, path, O_RDONLY | O_NONBLOCK | O_NOCTTY, 0);
	if (fd < 0)
		return fd;
	error = check_regular(fd);
	return error ? error : read_all_fd(fd, ret);
}

/* readlink() of one component chain without following the last part. */
static int read_link_at(int dirfd, const char *path, char **ret)
{
	char target[PATH_MAX];
	ssize_t len = readlinkat(dirfd, path, target, sizeof(target));

	if (len < 0)
		return -errno;
	if ((size_t)len >= sizeof(target))
		return -ENAMETOOLONG;
	*ret = strndup(target, (size_t)len);
	return *ret ? 0 : -ENOMEM;
}

int root_open_parent(const struct root *root, const char *path, const char **ret_base,
		     int *ret_fd)
{
	const char *slash = strrchr(path, '/');
	_free_ char *dir = NULL;
	int fd, error = root_check_path(path);

	if (error)
		return error;
	dir = slash ? strndup(path, (size_t)(slash - path)) : strdup(".");
	if (!dir)
		return -ENOMEM;
	fd = root_openat(root, dir, O_RDONLY | O_DIRECTORY, 0);
	if (fd < 0)
		return fd;
	*ret_base = slash ? slash + 1 : path;
	*ret_fd = fd;
	return 0;
}

int root_read_link(const struct root *root, const char *path, char **ret)
{
	_close_ int parent = -1;
	const char *base;
	int error = root_check_path(path);

	if (error)
		return error;
	if (root->kind == ROOT_SNAPSHOT) {
		const struct snapshot_entry *entry;
		_free_ char *resolved = NULL;

		error = snapshot_lookup(root->snapshot, path, false, &entry, &resolved);
		if (error)
			return error;
		if (!entry || entry->kind != SNAPSHOT_LINK)
			return -EINVAL;
		*ret = strdup(entry->value);
		return *ret ? 0 : -ENOMEM;
	}
	if (root->kind == ROOT_HOST)
		return read_link_at(root->fd, path, ret);
	error = root_open_parent(root, path, &base, &parent);
	return error ? error : read_link_at(parent, base, ret);
}

/* One step of root_resolve(): appends a component, or goes into the link that it is. */
static int resolve_component(const struct root *root, struct text *done,
			     const char *component, size_t len, const char *rest,
			     char **ret_pending, unsigned *links)
{
	_free_ char *target = NULL;
	_text_ struct text pending = { 0 };
	size_t before = done->len;
	int error;

	text_addf(done, "%s%.*s", done->len ? "/" : "", (int)len, component);
	if (done->error)
		return done->error;
	error = read_link_at(root->fd, done->data, &target);
	if (error == -EINVAL) {
		*ret_pending = strdup(rest);
		return *ret_pending ? 0 : -ENOMEM;
	}
	if (error)
		return error;
	if (++*links > LINK_MAX_FOLLOWED)
		return -ELOOP;
	done->len = target[0] == '/' ? 0 : before;
	done->data[done->len] = '\0';
	text_addf(&pending, "%s/%s", target, rest);
	return text_take(&pending, ret_pending);
}

static int resolve_links(const struct root *root, const char *path, char **ret)
{
	_free_ char *pending = strdup(path);
	_text_ struct text done = { 0 };
	unsigned links = 0;

	if (!pending)
		return -ENOMEM;
	while (*pending) {
		char *p = pending + strspn(pending, "/");
		size_t len = strcspn(p, "/");
		const char *rest = p + len + strspn(p + len, "/");
		char *next = NULL;
		int error = 0;

		if (!len)
			break;
		if (len == 2 && !strncmp(p, "..", 2)) {
			char *slash = done.data ? strrchr(done.data, '/') : NULL;

			done.len = slash ? (size_t)(slash - done.data) : 0;
			if (done.data)
				done.data[done.len] = '\0';
			next = strdup(rest);
		} else if (len == 1 && *p == '.') {
			next = strdup(rest);
		} else {
			error = resolve_component(root, &done, p, len, rest, &next,
						  &links);
		}
		if (error)
			return error;
		if (!next)
			return -ENOMEM;
		free(pending);
		pending = next;
	}
	return text_take(&done, ret);
}

int root_resolve(const struct root *root, const char *path, char **ret)
{
	int error = root_check_path(path);

	if (error)
		return error;
	if (root->kind == ROOT_SNAPSHOT) {
		const struct snapshot_entry *entry;

		return snapshot_lookup(root->snapshot, path, true, &entry, ret);
	}
	return resolve_links(root, path, ret);
}

int root_list_fd(int fd, struct strv *ret)
{
	_cleanup_(cleanup_closedir) DIR *dir = NULL;
	_strv_ struct strv names = { 0 };
	struct dirent *entry;

	dir = fdopendir(fd);
	if (!dir) {
		int error = -errno;

		close(fd);
		return error;
	}
	while ((errno = 0, entry = readdir(dir))) {
		int error;

		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
			continue;
		error = strv_add(&names, entry->d_name);
		if (error)
			return error;
	}
	if (errno)
		return -errno;
	strv_sort_natural(&names);
	strv_done(ret);
	*ret = names;
	names = (struct strv){ 0 };
	return 0;
}

static int snapshot_list_path(const struct root *root, const char *path, struct strv *ret)
{
	const struct snapshot_entry *entry;
	_free_ char *resolved = NULL;
	_strv_ struct strv names = { 0 };
	int error = snapshot_lookup(root->snapshot, path, true, &entry, &resolved);

	if (!error && entry && entry->kind != SNAPSHOT_DIR)
		error = -ENOTDIR;
	if (!error)
		error = snapshot_list(root->snapshot, resolved, &names);
	if (error)
		return error;
	strv_sort_natural(&names);
	strv_done(ret);
	*ret = names;
	names = (struct strv){ 0 };
	return 0;
}

int root_list(const struct root *root, const char *path, struct strv *ret)
{
	int fd, error = root_check_path(path);

	if (error)
		return error;
	if (root->kind == ROOT_SNAPSHOT)
		return snapshot_list_path(root, path, ret);
	fd = root_openat(root, path, O_RDONLY | O_DIRECTORY, 0);
	return fd < 0 ? fd : root_list_fd(fd, ret);
}

bool root_exists(const struct root *root, const char *path)
{
	_close_ int fd = -1;

	if (root_check_path(path))
		return false;
	if (root->kind == ROOT_SNAPSHOT) {
		const struct snapshot_entry *entry;
		_free_ char *resolved = NULL;

		return !snapshot_lookup(root->snapshot, path, true, &entry, &resolved);
	}
	if (root->kind == ROOT_HOST)
		return faccessat(root->fd, path, F_OK, 0) == 0;
	fd = root_openat(root, path, O_PATH, 0);
	return fd >= 0;
}

int root_get_devnum(const struct root *root, const char *path, unsigned *ret_major,
		    unsigned *ret_minor)
{
	_close_ int fd = -1;
	struct stat st;
	int error = root_check_path(path);

	if (error)
		return error;
	if (root->kind == ROOT_SNAPSHOT)
		return -ENOTBLK;
	fd = root_openat(root, path, O_PATH, 0);
	if (fd < 0)
		return fd;
	if (fstat(fd, &st) < 0)
		return -errno;
	if (!S_ISBLK(st.st_mode))
		return -ENOTBLK;
	*ret_major = major(st.st_rdev);
	*ret_minor = minor(st.st_rdev);
	return 0;
}

static int open_device(const struct root *root, const char *path, int flags,
		       unsigned major_number, unsigned minor_number)
{
	_close_ int fd = -1;
	struct stat st;
	int error = root_check_path(path);

	if (error)
		return error;
	if (root->kind != ROOT_HOST)
		return -EOPNOTSUPP;
	fd = root_openat(root, path, flags | O_NONBLOCK | O_NOCTTY, 0);
	if (fd < 0)
		return fd;
	if (fstat(fd, &st) < 0)
		return -errno;
	if (!S_ISBLK(st.st_mode) || major(st.st_rdev) != major_number ||
	    minor(st.st_rdev) != minor_number)
		return -ENODEV;
	return TAKE_FD(fd);
}

int root_open_device(const struct root *root, const char *path, unsigned major_number,
		     unsigned minor_number)
{
	return open_device(root, path, O_RDONLY, major_number, minor_number);
}

int root_claim_device(const struct root *root, const char *path, unsigned major_number,
		      unsigned minor_number)
{
	return open_device(root, path, O_RDWR | O_EXCL, major_number, minor_number);
}
