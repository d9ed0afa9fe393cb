// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Pages of events of a real kernel become the lines that this kernel itself made of them;
 * and what becomes of events that are none of the disk's.
 */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "recorder/recorder-internal.h"
#include "util/diag.h"
#include "util/feature.h"
#include "util/file.h"

#define FIXTURES "tests/fixtures/recorder/"

#if HAVE_TRACEFS

/* Fields of a bio, where the fixture's description has them. */
struct bio_event {
	uint16_t type;
	uint8_t flags, preempt_count;
	int32_t pid;
	uint32_t dev;
	uint64_t sector;
	uint32_t nr_sector;
	char rwbs[10];
	char comm[16];
};

struct plug_event {
	uint16_t type;
	uint8_t flags, preempt_count;
	int32_t pid;
	char comm[16];
};

struct fixture {
	struct format *format;
	struct text text;
	int bio_id, plug_id;
};

static char *read_fixture(const char *name, size_t *ret_len)
{
	char path[256], *data;

	snprintf(path, sizeof(path), FIXTURES "%s", name);
	assert_int_equal(file_read(path, 1 << 20, &data, ret_len), 0);
	return data;
}

/* Its number: "ID: 2105". */
static int id_of(const char *description)
{
	const char *at = strstr(description, "\nID: ");

	assert_non_null(at);
	return atoi(at + strlen("\nID: "));
}

/* Those that no event of the fixture names. */
static bool find_name(void *context, uint32_t pid, char *ret, size_t size)
{
	const char *name = pid == 14    ? "ksoftirqd/0" :
			   pid == 22    ? "ksoftirqd/1" :
			   pid == 22595 ? "kworker/u8:3" :
					  NULL;

	assert_null(context);
	if (name)
		snprintf(ret, size, "%s", name);
	return name;
}

static int set_up(void **state)
{
	const struct disk_numbers numbers = {
		.major = 7, .minor = 0, .parts = { { 259, 3 }, { 8, 17 } }, .part_count = 2,
	};
	struct fixture *fixture = calloc(1, sizeof(*fixture));
	const struct event_row *row;

	assert_non_null(fixture);
	assert_int_equal(format_new(&numbers, find_name, NULL, &fixture->format), 0);
	for (unsigned i = 0; (row = event_get(i)); i++) {
		_free_ char *description = NULL;
		char name[64];
		size_t len;

		snprintf(name, sizeof(name), "formats/%s.txt", row->name);
		description = read_fixture(name, &len);
		assert_int_equal(format_add_event(fixture->format, row, description, len, NULL), 0);
		if (!strcmp(row->name, "block_bio_queue"))
			fixture->bio_id = id_of(description);
		if (!strcmp(row->name, "block_plug"))
			fixture->plug_id = id_of(description);
	}
	*state = fixture;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *fixture = *state;

	format_free(fixture->format);
	text_done(&fixture->text);
	free(fixture);
	return 0;
}

static struct pages *new_pages(unsigned cpus)
{
	_free_ char *description = NULL;
	struct page_shape shape;
	struct pages *pages;
	size_t len;

	description = read_fixture("header_page.txt", &len);
	assert_int_equal(page_shape_parse(description, &shape), 0);
	assert_int_equal(shape.size, 4096);
	assert_int_equal(shape.commit_size, 8);
	assert_int_equal(pages_new(cpus, &shape, &pages), 0);
	return pages;
}

/* --- the kernel's own text ---------------------------------------------------------------- */

static void read_all(struct pages *pages, unsigned cpu, unsigned at_once)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), FIXTURES "cpu%u.pages", cpu);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	while (pages_read(pages, cpu, fd, at_once) > 0)
		;
	close(fd);
}

static void test_same_text(void **state)
{
	struct fixture *fixture = *state;
	struct pages *pages = new_pages(2);
	struct page_event event;
	_free_ char *expected = NULL;
	size_t len;

	expected = read_fixture("trace.txt", &len);
	read_all(pages, 1, 3);
	read_all(pages, 0, 100);
	pages_end_reading(pages, true);
	while (pages_next(pages, &event))
		assert_int_equal(format_add(fixture->format, &event, &fixture->text), 0);
	assert_string_equal(fixture->text.data, expected);
	assert_int_equal(format_count(fixture->format), 423);
	pages_free(pages);
}

/* --- what is not the disk's --------------------------------------------------------------- */

static void add(struct fixture *fixture, const void *data, size_t len, int lost)
{
	const struct page_event event = {
		.cpu = 1, .time_ns = 12345678499, .data = data, .len = len, .lost = lost,
	};

	assert_int_equal(format_add(fixture->format, &event, &fixture->text), 0);
}

static void add_bio(struct fixture *fixture, int32_t pid, uint32_t major, uint32_t minor)
{
	const struct bio_event event = {
		.type = (uint16_t)fixture->bio_id, .flags = 0x0d, .preempt_count = 0x21,
		.pid = pid, .dev = major << 20 | minor, .sector = UINT64_C(1) << 40,
		.nr_sector = 8, .rwbs = "R", .comm = "my\nfio",
	};

	add(fixture, &event, sizeof(event), 0);
}

static void add_plug(struct fixture *fixture, int32_t pid)
{
	const struct plug_event event = {
		.type = (uint16_t)fixture->plug_id, .pid = pid, .comm = "my fio",
	};

	add(fixture, &event, sizeof(event), 0);
}

#define BIO  "          my?fio-76      [001] dnh12    12.345678: block_bio_queue: 7,0 R 1099511627776 + 8 [my?fio]\n"
#define PLUG "          my fio-76      [001] .....    12.345678: block_plug: [my fio]\n"

/* A process whose bios were not of this disk has plugs of other disks. */
static void test_plugs(void **state)
{
	struct fixture *fixture = *state;

	add_plug(fixture, 76);
	assert_null(fixture->text.data);
	add_bio(fixture, 76, 7, 0);
	add_plug(fixture, 77);
	add_plug(fixture, 76);
	assert_string_equal(fixture->text.data, BIO PLUG);
	assert_int_equal(format_count(fixture->format), 2);
}

static void test_partitions(void **state)
{
	struct fixture *fixture = *state;

	add_bio(fixture, 76, 259, 3);
	add_bio(fixture, 76, 8, 17);
	assert_string_equal(fixture->text.data, BIO BIO);
}

static void test_lost(void **state)
{
	struct fixture *fixture = *state;
	static const unsigned char other[8] = { 0xff, 0xff };

	add(fixture, other, sizeof(other), 25);
	add(fixture, other, sizeof(other), -1);
	assert_string_equal(fixture->text.data,
			    "CPU:1 [LOST 25 EVENTS]\nCPU:1 [LOST EVENTS]\n");
	assert_int_equal(format_count(fixture->format), 0);
}

/* An event that ends before its fields do is read no further. */
static void test_short_event(void **state)
{
	struct fixture *fixture = *state;
	const struct bio_event event = {
		.type = (uint16_t)fixture->bio_id, .pid = 3, .dev = 7 << 20, .sector = 5,
		.nr_sector = 8, .rwbs = "R", .comm = "fio",
	};

	for (size_t len = 0; len < sizeof(event); len++) {
		unsigned char *copy = malloc(len + 1);

		assert_non_null(copy);
		memcpy(copy, &event, len);
		add(fixture, copy, len, 0);
		free(copy);
	}
	assert_non_null(strstr(fixture->text.data, " <...>-3 "));
	assert_non_null(strstr(fixture->text.data, " 7,0 R 5 + 8 []\n"));
}

static void test_description(void **state)
{
	struct fixture *fixture = *state;
	_free_ char *whole = NULL;
	char *sector;
	size_t len;
	struct diag diag = { 0 };

	assert_int_equal(format_add_event(fixture->format, event_get(0), "name: x", 7, &diag),
			 -EBADMSG);
	assert_non_null(strstr(diag.text, "block_bio_queue"));
	whole = read_fixture("formats/block_bio_queue.txt", &len);
	sector = strstr(whole, "nr_sector;");
	assert_non_null(sector);
	memcpy(sector, "no_sector;", strlen("no_sector;"));
	assert_int_equal(format_add_event(fixture->format, event_get(0), whole, len, NULL),
			 -EBADMSG);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_same_text, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_plugs, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_partitions, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_lost, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_short_event, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_description, set_up, tear_down),
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
