// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reading a whole file: the cap, and what is no regular file.
 */
#include "test.h"

#include <errno.h>

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_reads_and_refuses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
