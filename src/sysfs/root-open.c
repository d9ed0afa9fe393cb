// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Opening below a root without leaving it, and what a lack of descriptors or memory means
 * for all that is read.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sysfs/root-internal.h"
#include "util/i18n.h"

/* Kernel headers before 5.6 do not know openat2(), C libraries for longer. */
#if defined(__has_include) && defined(__NR_openat2)
#if __has_include(<linux/openat2.h>)
#include <linux/openat2.h>
#define HAVE_OPENAT2 1
#endif
#endif

#ifdef HAVE_OPENAT2
static int openat2_in_root(int dirfd, const char *path, int flags, mode_t mode)
{
	struct open_how how = {
		.flags = (unsigned)flags,
		.mode = flags & O_CREAT ? mode : 0,
		.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS,
	};

	return (int)syscall(__NR_openat2, dirfd, path, &how, sizeof(how));
}
#else
static int openat2_in_root(int dirfd, const char *path, int flags, mode_t mode)
{
	(void)dirfd;
	(void)path;
	(void)flags;
	(void)mode;
	errno = ENOSYS;
	return -1;
}
#endif

static int open_in_tree(const struct root *root, const char *path, int flags, mode_t mode)
{
	_free_ char *resolved = NULL;
	int error, fd = openat2_in_root(root->fd, path, flags, mode);

	if (fd >= 0 || errno != ENOSYS)
		return fd < 0 ? -errno : fd;
	/* Before 5.6 there is no openat2(): resolve the links here instead. */
	error = root_resolve(root, path, &resolved);
	if (!error)
		fd = openat(root->fd, resolved, flags | O_NOFOLLOW, mode);
	else if (error == -ENOENT && flags & O_CREAT)
		fd = openat(root->fd, path, flags | O_NOFOLLOW, mode);
	else
		return error;
	return fd < 0 ? -errno : fd;
}

int root_openat(const struct root *root, const char *path, int flags, mode_t mode)
{
	int fd;

	flags |= O_CLOEXEC;
	if (root->kind == ROOT_DIR) {
		fd = open_in_tree(root, path, flags, mode);
		return fd < 0 ? root_note(root, fd) : fd;
	}
	fd = openat(root->fd, path, flags, mode);
	return fd < 0 ? root_note(root, -errno) : fd;
}

int root_note(const struct root *root, int error)
{
	int none = 0;

	if (error == -EMFILE || error == -ENFILE || error == -ENOMEM)
		atomic_compare_exchange_strong(root->shortage, &none, error);
	return error;
}

int root_get_shortage(const struct root *root)
{
	return atomic_load(root->shortage);
}

int root_set_shortage(int error, struct diag *diag)
{
	struct rlimit limit;

	diag_set(diag, error, _("not everything could be read: %s"), strerror(-error));
	if (error == -EMFILE && !getrlimit(RLIMIT_NOFILE, &limit))
		diag_hint(diag,
			  _("the limit of open files is %llu (ulimit -n); raise it"),
			  (unsigned long long)limit.rlim_cur);
	return error;
}

int root_check_shortage(const struct root *root, struct diag *diag)
{
	int error = root_get_shortage(root);

	return error ? root_set_shortage(error, diag) : 0;
}
