// SPDX-License-Identifier: GPL-2.0-or-later
/* Which of the kernel's lines belong into a recording, and what becomes of them. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "recorder/recorder-internal.h"

#define BIO(pid, device) "  my fio-" pid "   [001] d..1.  12.345678: block_bio_queue: " device " R 8 + 8 [my fio]\n"
#define PLUG(pid) "  my fio-" pid "   [001] .....  12.345679: block_plug: [my fio]\n"
#define ISSUE "  <idle>-0     [000] d.h..  12.345680: block_rq_issue: 8,16 R 4096 () 8 + 8 none,0,0 [fio]\n"

static struct lines lines;
static struct text text;

static int set_up(void **state)
{
	const struct disk_numbers numbers = {
		.major = 8, .minor = 16, .parts = { { 8, 17 }, { 259, 3 } }, .part_count = 2,
	};

	(void)state;
	return lines_init(&lines, &numbers);
}

static int tear_down(void **state)
{
	(void)state;
	lines_done(&lines);
	text_done(&text);
	return 0;
}

static void take(const char *data)
{
	assert_int_equal(lines_take(&lines, data, strlen(data), &text), 0);
}

/* A process whose bios were not of this disk has plugs of other disks. */
static void test_plugs(void **state)
{
	(void)state;
	take(PLUG("77") BIO("76", "8,16") PLUG("76") PLUG("77"));
	assert_string_equal(text.data, BIO("76", "8,16") PLUG("76"));
	assert_int_equal(lines.events, 2);
}

static void test_partitions(void **state)
{
	(void)state;
	take(BIO("1", "8,17") BIO("1", "259,3") ISSUE);
	assert_string_equal(text.data, BIO("1", "8,16") BIO("1", "8,16") ISSUE);
}

/* Text comes in pieces of any length. */
static void test_pieces(void **state)
{
	static const char whole[] = BIO("5", "8,17") PLUG("5") ISSUE;

	(void)state;
	for (const char *c = whole; *c; c++)
		assert_int_equal(lines_take(&lines, c, 1, &text), 0);
	assert_string_equal(text.data, BIO("5", "8,16") PLUG("5") ISSUE);
	assert_int_equal(lines.events, 3);
}

/* No event is as long: it is dropped, and the next one is whole. */
static void test_endless_line(void **state)
{
	static char endless[3 * sizeof(lines.partial)];

	(void)state;
	memset(endless, 'x', sizeof(endless) - 1);
	take(endless);
	take(endless);
	take("\n" ISSUE);
	assert_string_equal(text.data, ISSUE);
}

static void test_lost(void **state)
{
	(void)state;
	take("CPU:1 [LOST 25 EVENTS]\n" ISSUE);
	assert_string_equal(text.data, "CPU:1 [LOST 25 EVENTS]\n" ISSUE);
	assert_int_equal(lines.events, 1);
}

/* What stands where a process number should. */
static void test_no_pid(void **state)
{
	(void)state;
	take("[0\n [1]: block_plug: \n-99999999999999999999 [001] block_bio_queue: \n"
	     "-4194304 [001] x: block_bio_queue: 8,16 \n [] block_unplug: \n");
	assert_non_null(text.data);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_plugs, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_partitions, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_pieces, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_endless_line, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_lost, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_no_pid, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
