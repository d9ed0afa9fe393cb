// SPDX-License-Identifier: GPL-2.0-or-later
/* Every model and every preset: parameters, determinism, conservation. */
#include "sim/media/media.h"

#include <errno.h>

#include "media-fixture.h"

static void test_parameters_say_everything(void **state)
{
	const struct sim_media_ops *ops;

	(void)state;
	for (size_t i = 0; (ops = sim_media_get(i)); i++) {
		assert_ptr_equal(sim_media_find(ops->name), ops);
		assert_true(ops->summary && ops->summary[0]);
		assert_true(ops->parameter_count <= SIM_MEDIUM_VALUES_MAX);
		for (size_t j = 0; j < ops->parameter_count; j++) {
			const struct sim_media_parameter *row = &ops->parameters[j];

			assert_non_null(row->key);
			assert_non_null(row->unit);
			assert_true(row->source && row->source[0]);
			assert_true(row->help && row->help[0]);
			assert_true(row->min <= row->initial && row->initial <= row->max);
			assert_int_equal(sim_media_parameter(ops, row->key), j);
		}
	}
	assert_null(sim_media_find("gramophone"));
	assert_int_equal(sim_media_parameter(sim_media_find("null"), "rpm"), -ENOENT);
}

/* Each request is done once, as media_fixture_run() checks, and the same seed gives the
   same times, another seed others. */
static void test_conserved_and_repeated(void **state)
{
	const struct sim_medium_preset *preset;
	static struct media_result results[3];

	(void)state;
	for (size_t i = 0; (preset = sim_medium_preset(i)); i++) {
		for (unsigned run = 0; run < 3; run++) {
			const struct media_load load = { .depth = 20, .sectors = 8,
							 .writes = 0.4, .count = 3000,
							 .seed = 1 + run / 2 };
			struct sim_medium medium;

			media_fixture_medium(preset->name, &medium);
			media_fixture_run(&medium, &load, &results[run]);
		}
		assert_memory_equal(&results[0], &results[1], sizeof(results[0]));
		assert_true(results[0].digest != results[2].digest);
		assert_true(results[0].stats.busy_ns <= results[0].end_ns);
		assert_true(results[0].stats.busy_ns > results[0].end_ns / 2);
	}
}

/* What is by chance in the device follows from its seed alone. */
static void test_the_devices_seed(void **state)
{
	static const char *const names[] = { "nvme", "sata-ssd", "emmc", "virtio",
					     "raid10-ssd" };
	static struct media_result results[3];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		for (unsigned run = 0; run < 3; run++) {
			const struct media_load load = { .depth = 20, .sectors = 8,
							 .count = 1000, .seed = 1,
							 .media_seed = run < 2 ? 7 : 8 };
			struct sim_medium medium;

			media_fixture_medium(names[i], &medium);
			media_fixture_run(&medium, &load, &results[run]);
		}
		assert_true(results[0].digest == results[1].digest);
		assert_true(results[0].digest != results[2].digest);
	}
}

static double any_value(const struct sim_media_parameter *row, struct sim_random *random)
{
	double value = row->initial;

	switch (sim_random_below(random, 6)) {
	case 0:
		return row->min;
	case 1:
		return row->max;
	case 2:
		value = row->min + (row->max - row->min) * sim_random_unit(random);
		break;
	default:
		break;
	}
	return row->is_whole ? (double)(uint64_t)value : value;
}

/* Parameters of every size: refused in words, or all requests are done in a bounded number
   of events. */
static void test_whatever_the_parameters(void **state)
{
	static struct media_result result;
	const struct sim_media_ops *ops;
	struct sim_random random;

	(void)state;
	sim_random_init(&random, 1, 2);
	for (size_t i = 0; (ops = sim_media_get(i)); i++) {
		unsigned accepted = 0;

		for (unsigned round = 0; round < 300; round++) {
			const struct media_load load = { .depth = 16, .sectors = 64,
							 .writes = 0.6, .count = 120,
							 .seed = round };
			struct event_queue events;
			struct sim_medium medium;
			struct sim_media media;
			struct diag diag = { 0 };
			int r;

			sim_medium_of_model(ops, &medium);
			for (size_t j = 0; j < ops->parameter_count; j++)
				medium.values[j] = any_value(&ops->parameters[j], &random);
			if (ops->has_zones && round % 3 == 0)
				medium.zone_sectors = round % 2 ? 2048 : 1u << 30;
			event_queue_init(&events);
			r = sim_media_init(&media, &medium, 1, &events, &diag);
			assert_true(r == 0 || (r == -EINVAL && diag.text[0]));
			event_queue_done(&events);
			if (r < 0)
				continue;
			sim_media_done(&media);
			media_fixture_run(&medium, &load, &result);
			assert_true(result.events < 120 * 3000);
			accepted++;
		}
		assert_true(accepted > 20);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parameters_say_everything),
		cmocka_unit_test(test_conserved_and_repeated),
		cmocka_unit_test(test_the_devices_seed),
		cmocka_unit_test(test_whatever_the_parameters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
