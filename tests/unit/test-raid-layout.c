// SPDX-License-Identifier: GPL-2.0-or-later
/* Which members an extent concerns, by level. Units of 8 sectors. */
#include "sim/media/raid-layout.h"

#include <errno.h>

#include "test.h"

/* "w2:8+4 r0:..." in the order of the plan. */
static const char *plan(const struct raid_layout *layout, uint64_t begin, uint64_t end,
			bool is_write, unsigned phase)
{
	static char text[1024];
	struct raid_io ios[RAID_MEMBERS_MAX];
	unsigned count = raid_plan(layout, begin, end, is_write, phase, ios);
	size_t len = 0;

	text[0] = '\0';
	for (unsigned i = 0; i < count; i++)
		len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%c%u:%llu+%u",
					i ? " " : "", ios[i].is_write ? 'w' : 'r', ios[i].member,
					(unsigned long long)ios[i].sector, ios[i].sectors);
	return text;
}

static void test_levels(void **state)
{
	struct raid_layout layout;

	(void)state;
	assert_int_equal(raid_layout_init(&layout, RAID_0, 4, 8), 0);
	assert_int_equal(raid_row_sectors(&layout), 32);
	assert_int_equal(raid_layout_init(&layout, RAID_1, 3, 8), 0);
	assert_int_equal(raid_row_sectors(&layout), 8);
	assert_int_equal(raid_layout_init(&layout, RAID_5, 4, 8), 0);
	assert_int_equal(raid_row_sectors(&layout), 24);
	assert_int_equal(raid_layout_init(&layout, RAID_6, 6, 8), 0);
	assert_int_equal(raid_row_sectors(&layout), 32);
	assert_int_equal(raid_layout_init(&layout, RAID_10, 6, 8), 0);
	assert_int_equal(raid_row_sectors(&layout), 24);
	assert_int_equal(raid_layout_init(&layout, RAID_1, 1, 8), -EINVAL);
	assert_int_equal(raid_layout_init(&layout, RAID_5, 2, 8), -EINVAL);
	assert_int_equal(raid_layout_init(&layout, RAID_6, 3, 8), -EINVAL);
	assert_int_equal(raid_layout_init(&layout, RAID_10, 5, 8), -EINVAL);
	assert_int_equal(raid_layout_init(&layout, RAID_0, 33, 8), -EINVAL);
}

static void test_segments(void **state)
{
	struct raid_layout layout;

	(void)state;
	raid_layout_init(&layout, RAID_5, 4, 8); /* rows of 24 */
	assert_int_equal(raid_segment_end(&layout, 3, 10), 10);
	assert_int_equal(raid_segment_end(&layout, 3, 100), 24);
	assert_int_equal(raid_segment_end(&layout, 24, 100), 96);
	assert_int_equal(raid_segment_end(&layout, 96, 100), 100);
	assert_int_equal(raid_segment_end(&layout, 48, 72), 72);
}

static void test_stripes_and_mirrors(void **state)
{
	struct raid_layout layout;

	(void)state;
	raid_layout_init(&layout, RAID_0, 4, 8);
	assert_string_equal(plan(&layout, 34, 44, false, 0), "r0:10+6 r1:8+4");
	assert_string_equal(plan(&layout, 34, 44, true, 0), "");
	assert_string_equal(plan(&layout, 34, 44, true, 1), "w0:10+6 w1:8+4");
	assert_string_equal(plan(&layout, 0, 64, false, 0), "r0:0+16 r1:0+16 r2:0+16 r3:0+16");
	raid_layout_init(&layout, RAID_10, 4, 8);
	assert_string_equal(plan(&layout, 9, 13, true, 1), "w2:1+4 w3:1+4");
	assert_string_equal(plan(&layout, 9, 13, false, 0), "r2:1+4");
	raid_layout_init(&layout, RAID_1, 3, 8);
	assert_string_equal(plan(&layout, 17, 19, true, 1), "w0:17+2 w1:17+2 w2:17+2");
}

/* Parity of row 0 is on the last member, of row 1 on the one before, and so on. */
static void test_parity(void **state)
{
	struct raid_layout layout;

	(void)state;
	raid_layout_init(&layout, RAID_5, 5, 8); /* rows of 32 */
	assert_string_equal(plan(&layout, 2, 4, false, 0), "r0:2+2");
	assert_string_equal(plan(&layout, 34, 36, false, 0), "r4:10+2");
	/* One unit: read what it was and the parity, write both. */
	assert_string_equal(plan(&layout, 2, 4, true, 0), "r0:2+2 r4:2+2");
	assert_string_equal(plan(&layout, 2, 4, true, 1), "w0:2+2 w4:2+2");
	/* Three of four: shorter to read the fourth. */
	assert_string_equal(plan(&layout, 0, 24, true, 0), "r3:0+8");
	assert_string_equal(plan(&layout, 0, 24, true, 1), "w0:0+8 w1:0+8 w2:0+8 w4:0+8");
	/* ... and what is missing of those that are not whole. */
	assert_string_equal(plan(&layout, 4, 24, true, 0), "r0:0+8 r3:0+8");
	/* A row, or two: nothing to read. */
	assert_string_equal(plan(&layout, 32, 64, true, 0), "");
	assert_string_equal(plan(&layout, 32, 64, true, 1),
			    "w4:8+8 w0:8+8 w1:8+8 w2:8+8 w3:8+8");
	assert_string_equal(plan(&layout, 0, 64, true, 1),
			    "w0:0+16 w1:0+16 w2:0+16 w3:0+16 w4:0+16");
	raid_layout_init(&layout, RAID_6, 6, 8); /* rows of 32 */
	assert_string_equal(plan(&layout, 2, 4, true, 1), "w1:2+2 w5:2+2 w0:2+2");
	assert_string_equal(plan(&layout, 34, 36, true, 0), "r0:10+2 r4:10+2 r5:10+2");
}

/* Whatever the extent: the data are written once in every place, and each row's parity. */
static void test_nothing_is_left_out(void **state)
{
	static const struct {
		enum raid_level level;
		unsigned members;
	} rows[] = { { RAID_0, 3 }, { RAID_1, 2 }, { RAID_5, 4 }, { RAID_6, 5 }, { RAID_10, 4 } };

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct raid_layout layout;

		assert_int_equal(raid_layout_init(&layout, rows[i].level, rows[i].members, 8), 0);
		for (uint64_t begin = 0; begin < 40; begin++) {
			for (uint64_t end = begin + 1; end < 120; end++) {
				static unsigned char map[RAID_MEMBERS_MAX][256];
				uint64_t at = begin, written = 0;

				memset(map, 0, sizeof(map));
				while (at < end) {
					struct raid_io ios[RAID_MEMBERS_MAX];
					uint64_t to = raid_segment_end(&layout, at, end);
					unsigned count = raid_plan(&layout, at, to, true, 1, ios);

					assert_true(to > at && to <= end);
					for (unsigned j = 0; j < count; j++) {
						assert_true(ios[j].member < rows[i].members);
						for (unsigned k = 0; k < ios[j].sectors; k++)
							assert_int_equal(map[ios[j].member]
									    [ios[j].sector + k]++,
									 0);
						written += ios[j].sectors;
					}
					at = to;
				}
				if (!layout.parity)
					assert_true(written == (end - begin) * layout.mirrors);
				else
					assert_true(written > end - begin);
			}
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_levels),
		cmocka_unit_test(test_segments),
		cmocka_unit_test(test_stripes_and_mirrors),
		cmocka_unit_test(test_parity),
		cmocka_unit_test(test_nothing_is_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
