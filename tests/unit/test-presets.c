// SPDX-License-Identifier: GPL-2.0-or-later
/* Presets: of their model, with keys and values that it has. */
#include "sim/media/presets.h"

#include "media-fixture.h"

static void test_presets_are_of_their_model(void **state)
{
	const struct preset *preset;

	(void)state;
	for (size_t i = 0; (preset = preset_get(i)); i++) {
		struct sim_medium medium;

		media_fixture_medium(preset->words.name, &medium);
		assert_string_equal(medium.name, preset->words.name);
		assert_ptr_equal(medium.ops, preset->ops);
		assert_non_null(sim_medium_class(medium.class));
		for (const struct preset_value *value = preset->values; value->key; value++) {
			int index = sim_media_parameter(preset->ops, value->key);
			const struct sim_media_parameter *row;

			if (index < 0)
				fail_msg("%s: %s", preset->words.name, value->key);
			row = &preset->ops->parameters[index];
			if (value->value < row->min || value->value > row->max)
				fail_msg("%s: %s", preset->words.name, value->key);
			assert_true(medium.values[index] == value->value);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_presets_are_of_their_model),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
