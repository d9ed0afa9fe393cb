// SPDX-License-Identifier: GPL-2.0-or-later
/* Pages of events of several processors, and in which order their events are given. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "recorder/recorder-internal.h"
#include "util/feature.h"
#include "util/file.h"

#if HAVE_TRACEFS

static struct pages *new_pages(unsigned cpus)
{
	_free_ char *description = NULL;
	struct page_shape shape;
	struct pages *pages;
	size_t len;

	assert_int_equal(file_read("tests/fixtures/recorder/header_page.txt", 4096,
				   &description, &len), 0);
	assert_int_equal(page_shape_parse(description, &shape), 0);
	assert_int_equal(shape.size, 4096);
	assert_int_equal(shape.commit_size, 8);
	assert_int_equal(pages_new(cpus, &shape, &pages), 0);
	return pages;
}

/* Pages of one event each, a byte of payload: what it is called. */
struct made_page {
	uint64_t time_ns, commit;
	uint32_t head, payload;
	unsigned char rest[4096 - 24];
};

static int open_pages(const struct made_page *page, size_t count)
{
	int fd = memfd_create("pages", MFD_CLOEXEC);

	assert_true(fd >= 0);
	for (size_t i = 0; i < count; i++)
		assert_int_equal(write(fd, &page[i], sizeof(page[i])), sizeof(page[i]));
	assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
	return fd;
}

static void read_page(struct pages *pages, unsigned cpu, uint64_t time_ns, char name)
{
	/* type_len 1: four bytes of data. */
	static struct made_page page;
	int fd;

	page = (struct made_page){ .time_ns = time_ns, .commit = 8, .head = 1,
				   .payload = (uint32_t)name };
	fd = open_pages(&page, 1);
	assert_int_equal(pages_read(pages, cpu, fd, 10), 1);
	close(fd);
}

static const char *take_names(struct pages *pages)
{
	static char names[32];
	struct page_event event;
	size_t count = 0;

	while (pages_next(pages, &event)) {
		assert_int_equal(event.len, 4);
		assert_int_equal(event.lost, 0);
		names[count++] = *(const char *)event.data;
	}
	names[count] = '\0';
	return names;
}

/*
 * What another processor may still be about to write is waited for: an event is given after
 * one more reading, or when a reading brought nothing.
 */
static void test_order(void **state)
{
	struct pages *pages = new_pages(2);

	(void)state;
	read_page(pages, 0, 1000, 'b');
	read_page(pages, 1, 3000, 'd');
	pages_end_reading(pages, false);
	assert_string_equal(take_names(pages), "");
	read_page(pages, 0, 2000, 'c');
	read_page(pages, 1, 4000, 'e');
	read_page(pages, 0, 5000, 'f');
	pages_end_reading(pages, false);
	assert_string_equal(take_names(pages), "bcd");
	pages_end_reading(pages, true);
	assert_string_equal(take_names(pages), "ef");
	read_page(pages, 1, 6000, 'g');
	pages_end_reading(pages, true);
	assert_string_equal(take_names(pages), "g");
	pages_free(pages);
}

static void test_lost_before_page(void **state)
{
	struct pages *pages = new_pages(1);
	struct page_event event;
	static struct made_page page = { .time_ns = 5, .commit = 8, .head = 1 };
	const uint64_t count = 33;
	int fd;

	(void)state;
	/* The two bits above: events were lost, and behind the data stands how many. */
	page.commit |= UINT64_C(3) << 30;
	memcpy(page.rest, &count, sizeof(count));
	fd = open_pages(&page, 1);
	assert_int_equal(pages_read(pages, 0, fd, 1), 1);
	pages_end_reading(pages, true);
	assert_true(pages_next(pages, &event));
	assert_int_equal(event.lost, 33);
	assert_false(pages_next(pages, &event));
	close(fd);
	pages_free(pages);
}

static void test_no_page(void **state)
{
	struct pages *pages = new_pages(1);
	static struct made_page page = { .time_ns = 5, .commit = 4081, .head = 1 };
	struct page_event event;
	int fd = open_pages(&page, 1);

	(void)state;
	assert_int_equal(pages_read(pages, 0, fd, 1), -EBADMSG);
	assert_int_equal(lseek(fd, 100, SEEK_SET), 100);
	assert_int_equal(pages_read(pages, 0, fd, 1), -EBADMSG);
	assert_int_equal(pages_read(pages, 0, fd, 1), 0);
	close(fd);
	assert_int_equal(pages_read(pages, 0, fd, 1), -EBADF);
	pages_end_reading(pages, true);
	assert_false(pages_next(pages, &event));
	pages_free(pages);
}

static void test_shape(void **state)
{
	struct page_shape shape = { .size = 1 };
	struct pages *pages;

	(void)state;
	assert_int_equal(page_shape_parse("", &shape), -EBADMSG);
	assert_int_equal(page_shape_parse("field: char data;\n offset:16; size:4080;", &shape),
			 -EBADMSG);
	assert_int_equal(page_shape_parse("field: char data; offset:16; size:-1;", &shape),
			 -EBADMSG);
	assert_int_equal(shape.size, 1);
	shape.commit_size = 8;
	assert_int_equal(pages_new(1, &shape, &pages), -EBADMSG);
	shape = (struct page_shape){ .size = 4096, .commit_size = 2 };
	assert_int_equal(pages_new(1, &shape, &pages), -EBADMSG);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_lost_before_page),
		cmocka_unit_test(test_no_page),
		cmocka_unit_test(test_shape),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

#else /* HAVE_TRACEFS */

static void test_nothing(void **state)
{
	(void)state;
	skip();
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_nothing) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif /* HAVE_TRACEFS */
