/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Scope-bound release of resources. A variable marked _cleanup_(fn) is released when it
 * leaves its scope; TAKE_PTR() and TAKE_FD() hand the resource over and disarm it.
 */
#ifndef IOSCHED_UTIL_CLEANUP_H
#define IOSCHED_UTIL_CLEANUP_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define _cleanup_(fn)  __attribute__((cleanup(fn)))
#define _printf_(a, b) __attribute__((format(printf, a, b)))
#define _const_        __attribute__((const))

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

#define TAKE_PTR(ptr)                            \
	({                                       \
		__typeof__(ptr) taken_ = (ptr);  \
		(ptr) = NULL;                    \
		taken_;                          \
	})

#define TAKE_FD(fd)             \
	({                      \
		int taken_ = (fd); \
		(fd) = -1;      \
		taken_;         \
	})

/* Defines cleanup_<name>(type *): calls destroy() on what the variable points to. */
#define DEFINE_CLEANUP(type, destroy)                      \
	static inline void cleanup_##destroy(type *p)      \
	{                                                  \
		if (*p)                                    \
			destroy(*p);                       \
	}

static inline void cleanup_free(void *p)
{
	free(*(void **)p);
}

static inline void cleanup_close(int *fd)
{
	if (*fd >= 0)
		close(*fd);
}

DEFINE_CLEANUP(FILE *, fclose)
DEFINE_CLEANUP(DIR *, closedir)

#define _free_  _cleanup_(cleanup_free)
#define _close_ _cleanup_(cleanup_close)

#endif
