// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reading and writing a whole file: the cap, failures, and what is no regular file.
 */
#include "test.h"

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>

#include "util/cleanup.h"
#include "util/file.h"

static void test_reads_and_refuses(void **state)
{
	char *dir = test_scratch_new(), path[4096];
	_free_ char *data = NULL;
	size_t len = 0;

	(void)state;
	test_write(dir, "a.json", "{}\n");
	snprintf(path, sizeof(path), "%s/a.json", dir);
	assert_int_equal(file_read(path, 3, &data, &len), 0);
	assert_int_equal(len, 3);
	assert_string_equal(data, "{}\n");
	free(TAKE_PTR(data));
	assert_int_equal(file_read(path, 2, &data, &len), -EFBIG);
	assert_int_equal(file_read(dir, 100, &data, &len), -EISDIR);
	snprintf(path, sizeof(path), "%s/pipe", dir);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_int_equal(file_read(path, 100, &data, &len), -EBADMSG);
	snprintf(path, sizeof(path), "%s/absent", dir);
	assert_int_equal(file_read(path, 100, &data, &len), -ENOENT);
	assert_null(data);
	test_scratch_done(dir);
}

static void test_writes_all_or_nothing(void **state)
{
	char *dir = test_scratch_new(), path[4096], absent[4096];
	_free_ char *data = NULL;
	const struct rlimit none = { 0, RLIM_INFINITY };
	struct rlimit old;
	size_t len = 0;
	struct stat st;
	mode_t before;

	(void)state;
	snprintf(path, sizeof(path), "%s/a", dir);
	snprintf(absent, sizeof(absent), "%s/absent", dir);
	assert_int_equal(file_write(path, "one", 3, 0600), 0);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	assert_int_equal(chmod(path, 0640), 0);
	assert_int_equal(file_write(path, "two", 3, 0600), 0);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0640);
	/* Another new one, as the umask has it. */
	before = umask(027);
	assert_int_equal(file_write(absent, "x", 1, 0666), 0);
	assert_int_equal(umask(before), 027);
	assert_int_equal(stat(absent, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0640);
	assert_int_equal(unlink(absent), 0);
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &none), 0);
	assert_int_equal(file_write(path, "three", 5, 0600), -EFBIG);
	assert_int_equal(file_write(absent, "x", 1, 0600), -EFBIG);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
	assert_int_equal(file_read(path, 100, &data, &len), 0);
	assert_string_equal(data, "two");
	assert_int_equal(unlink(path), 0);
	/* nothing else was left: the folder can be removed */
	assert_int_equal(rmdir(dir), 0);
	free(dir);
}

static const char *advice(const char *path, int error)
{
	static struct diag diag;

	diag = (struct diag){ 0 };
	assert_int_equal(file_fail_output(path, error, &diag), error);
	assert_int_equal(diag.error, error);
	assert_non_null(strstr(diag.text, path));
	return diag.hint;
}

static void test_advice_is_by_cause(void **state)
{
	char *dir = test_scratch_new(), path[4096];
	struct diag diag = { 0 };

	(void)state;
	snprintf(path, sizeof(path), "%s/absent/x", dir);
	assert_non_null(strstr(advice(path, -ENOENT), "there is no folder"));
	assert_non_null(strstr(advice(path, -ENOENT), "/absent\""));
	assert_int_equal(file_check_output(path, &diag), -ENOENT);
	assert_non_null(strstr(diag.hint, "there is no folder"));
	snprintf(path, sizeof(path), "%s/x", dir);
	assert_non_null(strstr(advice(path, -ENOENT), "no file can be made in"));
	assert_int_equal(file_check_output(path, NULL), 0);
	assert_int_equal(file_check_output("x", NULL), 0);
	assert_non_null(strstr(advice(path, -EACCES), "write there"));
	assert_non_null(strstr(advice(path, -EROFS), "read-only"));
	assert_non_null(strstr(advice(path, -ENOSPC), "no space left"));
	assert_non_null(strstr(advice(path, -EISDIR), "name a file in it"));
	assert_string_equal(advice(path, -EIO), "");
	assert_int_equal(file_check_output(dir, NULL), -EISDIR);
	test_write(dir, "x", "");
	assert_int_equal(file_check_output(path, NULL), 0);
	snprintf(path, sizeof(path), "%s/x/y", dir);
	assert_int_equal(file_check_output(path, NULL), -ENOTDIR);
	test_scratch_done(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_reads_and_refuses),
		cmocka_unit_test(test_writes_all_or_nothing),
		cmocka_unit_test(test_advice_is_by_cause),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
