/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What every unit test includes: cmocka with its prerequisites, and a scratch directory.
 */
#ifndef IOSCHED_TESTS_TEST_H
#define IOSCHED_TESTS_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <fcntl.h>
#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

static inline int test_remove_entry(const char *path, const struct stat *st, int flag,
				    struct FTW *ftw)
{
	(void)st;
	(void)flag;
	(void)ftw;
	return remove(path);
}

static inline void test_remove_tree(const char *path)
{
	nftw(path, test_remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

/* A fresh directory below $TMPDIR or /tmp; freed and removed by test_scratch_done(). */
static inline char *test_scratch_new(void)
{
	const char *base = getenv("TMPDIR");
	char *path;

	if (asprintf(&path, "%s/iosched-tune-test.XXXXXX", base ? base : "/tmp") < 0)
		abort();
	if (!mkdtemp(path))
		abort();
	return path;
}

static inline void test_scratch_done(char *path)
{
	test_remove_tree(path);
	free(path);
}

/* Writes a file below `dir`, making the directories on the way. */
static inline void test_write(const char *dir, const char *name, const char *data)
{
	char path[4096];
	size_t base = strlen(dir) + 1;
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	for (char *p = path + base; (p = strchr(p, '/')); p++) {
		*p = '\0';
		mkdir(path, 0755);
		*p = '/';
	}
	file = fopen(path, "w");
	assert_non_null(file);
	fputs(data, file);
	assert_int_equal(fclose(file), 0);
}

#endif
