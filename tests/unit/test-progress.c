// SPDX-License-Identifier: GPL-2.0-or-later
/* The line of progress: drawn in its own place, taken away, and only where it is wanted. */
#include "test.h"

#include "cmd/progress.h"
#include "util/log.h"

/* Where standard error goes meanwhile. */
struct caught {
	int before, read_fd;
};

static struct caught catch_stderr(int fd, int read_fd)
{
	struct caught caught = { .before = dup(STDERR_FILENO), .read_fd = read_fd };

	assert_true(caught.before >= 0);
	fflush(stderr);
	assert_true(dup2(fd, STDERR_FILENO) >= 0);
	close(fd);
	return caught;
}

static struct caught catch_in_pipe(void)
{
	int fds[2];

	assert_int_equal(pipe2(fds, O_NONBLOCK | O_CLOEXEC), 0);
	return catch_stderr(fds[1], fds[0]);
}

/* What was written, up to `size`. */
static void let_go(struct caught *caught, char *buf, size_t size)
{
	ssize_t n;

	fflush(stderr);
	assert_true(dup2(caught->before, STDERR_FILENO) >= 0);
	n = read(caught->read_fd, buf, size - 1);
	buf[n > 0 ? n : 0] = '\0';
	close(caught->before);
	close(caught->read_fd);
}

static void test_drawn_and_taken_away(void **state)
{
	struct progress_line line = { .is_wanted = true };
	struct caught caught = catch_in_pipe();
	char buf[256];

	(void)state;
	progress_line_clear(&line);
	progress_line_draw(&line, "%u of %u", 1u, 12u);
	progress_line_draw(&line, "%s", "\033[2J");
	progress_line_clear(&line);
	progress_line_clear(&line);
	let_go(&caught, buf, sizeof(buf));
	assert_string_equal(buf, "\r1 of 12\033[K\r\\x1b[2J\033[K\r\033[K");
}

static void test_not_wanted(void **state)
{
	struct caught caught = catch_in_pipe();
	struct progress_line line = progress_line_make();
	char buf[256];

	(void)state;
	progress_line_draw(&line, "half");
	progress_line_clear(&line);
	let_go(&caught, buf, sizeof(buf));
	assert_string_equal(buf, "");
}

/* On a terminal, but not where only errors are asked for. */
static void test_wanted(void **state)
{
	int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC), slave;
	enum log_level level = log_get_level();
	struct progress_line line, quiet;
	struct caught caught;
	char buf[16];

	(void)state;
	if (master < 0 || grantpt(master) < 0 || unlockpt(master) < 0)
		skip();
	slave = open(ptsname(master), O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (slave < 0)
		skip();
	setenv("TERM", "xterm", 1);
	caught = catch_stderr(slave, dup(master));
	line = progress_line_make();
	log_set_level(LOG_LEVEL_ERROR);
	quiet = progress_line_make();
	log_set_level(level);
	fputs("x\n", stderr);
	let_go(&caught, buf, sizeof(buf));
	close(master);
	assert_true(line.is_wanted);
	assert_false(quiet.is_wanted);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_drawn_and_taken_away),
		cmocka_unit_test(test_not_wanted),
		cmocka_unit_test(test_wanted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
