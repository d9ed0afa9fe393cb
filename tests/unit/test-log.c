// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Messages: which level lets which through, and that what a device says cannot reach the
 * terminal as it is.
 */
#include "test.h"

#include <errno.h>

#include "util/log.h"

static FILE *caught;
static int stderr_fd;

static int catch_stderr(void **state)
{
	(void)state;
	caught = tmpfile();
	stderr_fd = dup(STDERR_FILENO);
	if (!caught || stderr_fd < 0)
		return -1;
	return dup2(fileno(caught), STDERR_FILENO) < 0 ? -1 : 0;
}

static int release_stderr(void **state)
{
	(void)state;
	dup2(stderr_fd, STDERR_FILENO);
	close(stderr_fd);
	fclose(caught);
	log_set_level(LOG_LEVEL_NOTICE);
	return 0;
}

/* What was printed since the last call. */
static const char *printed(void)
{
	static char buf[4096];
	ssize_t len = pread(fileno(caught), buf, sizeof(buf) - 1, 0);

	assert_true(len >= 0);
	buf[len] = '\0';
	assert_int_equal(ftruncate(fileno(caught), 0), 0);
	assert_int_equal(lseek(fileno(caught), 0, SEEK_SET), 0);
	return buf;
}

static void test_level_decides(void **state)
{
	(void)state;
	assert_int_equal(log_get_level(), LOG_LEVEL_NOTICE);
	log_error("a");
	log_warning("b");
	log_notice("c");
	log_info("d");
	log_debug("e");
	assert_string_equal(printed(), "iosched-tune: a\niosched-tune: b\niosched-tune: c\n");

	log_set_level(LOG_LEVEL_ERROR);
	log_warning("b");
	assert_string_equal(printed(), "");
	log_error("a %d", 1);
	assert_string_equal(printed(), "iosched-tune: a 1\n");

	log_set_level(LOG_LEVEL_DEBUG);
	log_debug("e");
	assert_string_equal(printed(), "iosched-tune: e\n");
}

static void test_text_is_made_safe(void **state)
{
	const char *line;

	(void)state;
	log_error("model %s", "\033[2Jdisk\nnext");
	line = printed();
	assert_null(strchr(line, '\033'));
	assert_ptr_equal(strchr(line, '\n'), line + strlen(line) - 1);
	assert_non_null(strstr(line, "disk"));
}

static void test_long_text_is_cut(void **state)
{
	char text[3000];
	size_t len;

	(void)state;
	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	log_error("%s", text);
	len = strlen(printed());
	assert_in_range(len, 1000, 2100);
}

static void test_diag_has_its_hint_below(void **state)
{
	struct diag diag = { 0 };

	(void)state;
	diag_set(&diag, -EINVAL, "no such key");
	diag_at(&diag, "p.json", 3);
	log_diag(&diag);
	assert_string_equal(printed(), "iosched-tune: p.json:3: no such key\n");
	diag_hint(&diag, "try another");
	log_diag(&diag);
	assert_string_equal(printed(), "iosched-tune: p.json:3: no such key\n"
				       "iosched-tune: try another\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_level_decides, catch_stderr,
						release_stderr),
		cmocka_unit_test_setup_teardown(test_text_is_made_safe, catch_stderr,
						release_stderr),
		cmocka_unit_test_setup_teardown(test_long_text_is_cut, catch_stderr,
						release_stderr),
		cmocka_unit_test_setup_teardown(test_diag_has_its_hint_below,
						catch_stderr, release_stderr),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
