// SPDX-License-Identifier: GPL-2.0-or-later
/* Seek times against the measured tables, the platter's angle, and where sectors are. */
#include "sim/media/hdd-geometry.h"

#include <errno.h>
#include <math.h>

#include "test.h"

static struct hdd_geometry geometry;

/* The published curves: a + b * sqrt(d) below the knee, c + e * d from it on. */
static const struct curve {
	const char *name;
	double rpm;
	unsigned cylinders;
	double a, b, c, e, knee;
} curves[] = {
	{ "Cheetah 9LP", 10045, 6962, 1.063, 0.0978, 3.108, 0.00108, 1100 },
	{ "Atlas 10K", 10025, 10042, 1.293, 0.0838, 3.295, 0.000727, 1500 },
	{ "Barracuda", 7200, 5172, 2.014, 0.1944, 5.975, 0.002146, 1300 },
};

static struct hdd_shape shape_of(const struct curve *curve)
{
	/* One zone, one head and a hundred sectors a track. */
	double mbps = 100 * 512 / (60 / curve->rpm * 1e6);

	return (struct hdd_shape){
		.capacity_sectors = (uint64_t)curve->cylinders * 100,
		.rpm = curve->rpm, .heads = 1, .zones = 1,
		.outer_mbps = mbps, .inner_mbps = mbps,
		.seek_a_ms = curve->a, .seek_b_ms = curve->b, .seek_c_ms = curve->c,
		.seek_e_ms = curve->e, .knee = curve->knee,
		.curve_cylinders = curve->cylinders, .stroke = 1,
	};
}

static double curve_ms(const struct curve *curve, double distance)
{
	return distance < curve->knee ? curve->a + curve->b * sqrt(distance)
				      : curve->c + curve->e * distance;
}

/* With as many cylinders as the measured disk, the table's times; the same fraction of the
   stroke takes the same on a disk with ten times as many. */
static void test_seek_tables(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(curves) / sizeof(curves[0]); i++) {
		const struct curve *curve = &curves[i];
		struct hdd_shape shape = shape_of(curve);

		for (unsigned times = 1; times <= 10; times += 9) {
			double scale;

			shape.capacity_sectors = (uint64_t)curve->cylinders * 100 * times;
			assert_int_equal(hdd_geometry_init(&geometry, &shape, NULL), 0);
			scale = (double)curve->cylinders / geometry.cylinders;
			assert_int_equal(hdd_seek_ns(&geometry, 0), 0);
			for (uint32_t d = 1; d < geometry.cylinders; d += 1 + d / 50) {
				double want = curve_ms(curve, d * scale) * 1e6;
				double got = (double)hdd_seek_ns(&geometry, d);
				/* One bucket spreads over the knee, where the curve jumps. */
				bool is_knee = fabs(d * scale / curve->knee - 1) < 0.07;

				if (fabs(got - want) > want * (is_knee ? 0.06 : 0.001))
					fail_msg("%s x%u: %u cylinders %f, not %f", curve->name,
						 times, d, got, want);
			}
		}
	}
}

/* What the curve says of this fraction of the measured disk. */
static bool is_near(uint64_t seek_ns, const struct curve *curve, double fraction, double more_ms)
{
	double want = (curve_ms(curve, curve->cylinders * fraction) + more_ms) * 1e6;

	return fabs((double)seek_ns - want) < want / 1000;
}

static void test_settling_and_stroke(void **state)
{
	struct hdd_shape shape = shape_of(&curves[2]);

	(void)state;
	assert_int_equal(hdd_geometry_init(&geometry, &shape, NULL), 0);
	assert_true(is_near(hdd_seek_ns(&geometry, geometry.cylinders * 3 / 4), &curves[2], 0.75, 0));
	shape.settle_ms = 1.5;
	assert_int_equal(hdd_geometry_init(&geometry, &shape, NULL), 0);
	assert_true(is_near(hdd_seek_ns(&geometry, geometry.cylinders * 3 / 4), &curves[2], 0.75,
			    1.5));
	shape.settle_ms = 0;
	shape.stroke = 0.5;
	assert_int_equal(hdd_geometry_init(&geometry, &shape, NULL), 0);
	assert_true(is_near(hdd_seek_ns(&geometry, geometry.cylinders * 3 / 4), &curves[2], 0.375,
			    0));
}

/* A turn at 10045 rpm is 5973120 ns; the same place comes again after one. */
static void test_rotation(void **state)
{
	struct hdd_shape shape = shape_of(&curves[0]);

	(void)state;
	assert_int_equal(hdd_geometry_init(&geometry, &shape, NULL), 0);
	assert_int_equal(geometry.period_ns, 5973121);
	for (uint64_t turns = 0; turns < 1000; turns += 37) {
		uint64_t now = turns * geometry.period_ns;

		/* A quarter of a turn later it is a quarter further. */
		assert_true(hdd_rotation_ns(&geometry, UINT64_C(1) << 62, now) >
			    geometry.period_ns / 4 - 20);
		assert_true(hdd_rotation_ns(&geometry, UINT64_C(1) << 62, now) <
			    geometry.period_ns / 4 + 20);
		assert_true(hdd_rotation_ns(&geometry, UINT64_C(1) << 62,
					    now + geometry.period_ns / 8) <
			    geometry.period_ns / 8 + 20);
		/* What has just passed needs nearly a turn, but for a hair's breadth. */
		assert_true(hdd_rotation_ns(&geometry, 0, now + 100) == 0);
		assert_true(hdd_rotation_ns(&geometry, 0, now + 10000) >
			    geometry.period_ns - 11000);
	}
}

static void test_places(void **state)
{
	const struct hdd_shape shape = {
		.capacity_sectors = 4000787 * UINT64_C(1000000) / 512, .rpm = 7200, .heads = 8,
		.zones = 24, .outer_mbps = 210, .inner_mbps = 100, .seek_a_ms = 0.9,
		.seek_b_ms = 0.19, .seek_c_ms = 5, .seek_e_ms = 0.002146, .knee = 1300,
		.curve_cylinders = 5172, .stroke = 1, .head_switch_ms = 0.7,
	};
	struct hdd_place place, next;
	uint32_t last = 0;

	(void)state;
	assert_int_equal(hdd_geometry_init(&geometry, &shape, NULL), 0);
	hdd_locate(&geometry, 0, &place);
	assert_int_equal(place.cylinder, 0);
	assert_int_equal(place.head, 0);
	assert_int_equal(place.zone, 0);
	/* To the last sector ever further in; all cylinders are used. */
	for (uint64_t sector = 0; sector < shape.capacity_sectors; sector += 9999991) {
		hdd_locate(&geometry, sector, &place);
		assert_true(place.cylinder >= last && place.cylinder < geometry.cylinders);
		assert_true(place.head < 8);
		last = place.cylinder;
	}
	assert_true(last > geometry.cylinders * 99 / 100);
	/* The next track is found in time after the switch to it, not a turn later. */
	for (unsigned track = 0; track < 40; track++) {
		uint64_t sector = (uint64_t)geometry.zones[0].track_sectors * track;
		uint64_t end_ns = 0, gap;

		hdd_locate(&geometry, sector, &place);
		hdd_locate(&geometry, sector + geometry.zones[0].track_sectors, &next);
		end_ns = hdd_rotation_ns(&geometry, place.angle, 0) + geometry.period_ns;
		gap = hdd_rotation_ns(&geometry, next.angle, end_ns);
		if (next.cylinder == place.cylinder)
			assert_true(gap > 690000 && gap < 710000);
		else
			assert_true(gap + 20000 > geometry.cylinder_switch_ns &&
				    gap < geometry.cylinder_switch_ns + 20000);
	}
	/* Beyond the end is at the end. */
	hdd_locate(&geometry, UINT64_MAX, &place);
	assert_int_equal(place.cylinder, geometry.cylinders - 1);
}

/* A whole zone at the rate that it is said to have. */
static void test_transfer(void **state)
{
	const struct hdd_shape shape = {
		.capacity_sectors = 1000204 * UINT64_C(1000000) / 512, .rpm = 7200, .heads = 4,
		.zones = 2, .outer_mbps = 200, .inner_mbps = 100, .seek_a_ms = 1,
		.seek_b_ms = 0.1, .seek_c_ms = 5, .seek_e_ms = 0.002, .knee = 1300,
		.curve_cylinders = 5000, .stroke = 1, .head_switch_ms = 0.8,
	};
	uint64_t sectors = 2000000, ns;

	(void)state;
	assert_int_equal(hdd_geometry_init(&geometry, &shape, NULL), 0);
	ns = hdd_transfer_ns(&geometry, 0, sectors);
	assert_true(fabs(sectors * 512e3 / (double)ns / 200 - 1) < 0.01);
	ns = hdd_transfer_ns(&geometry, shape.capacity_sectors - sectors, sectors);
	assert_true(fabs(sectors * 512e3 / (double)ns / 100 - 1) < 0.01);
}

static void test_shapes_that_cannot_be(void **state)
{
	struct hdd_shape shape = shape_of(&curves[0]);
	struct diag diag = { 0 };

	(void)state;
	shape.inner_mbps = shape.outer_mbps * 2;
	assert_int_equal(hdd_geometry_init(&geometry, &shape, &diag), -EINVAL);
	shape = shape_of(&curves[0]);
	shape.capacity_sectors = UINT64_C(1) << 53;
	assert_int_equal(hdd_geometry_init(&geometry, &shape, &diag), -EINVAL);
	shape = shape_of(&curves[0]);
	shape.seek_a_ms = 60;
	assert_int_equal(hdd_geometry_init(&geometry, &shape, &diag), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_seek_tables),
		cmocka_unit_test(test_settling_and_stroke),
		cmocka_unit_test(test_rotation),
		cmocka_unit_test(test_places),
		cmocka_unit_test(test_transfer),
		cmocka_unit_test(test_shapes_that_cannot_be),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
