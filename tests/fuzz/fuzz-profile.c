// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Fuzzer: the profile reader. Values that it accepts must be such as sysfs takes, and a
 * refusal must say something.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "policy/profile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int condition)
{
	if (!condition)
		abort();
}

static void check_rule(const struct profile_rule *rule)
{
	char again[TUNABLE_VALUE_MAX];

	require(rule->line > 0);
	for (size_t i = 0; i < rule->setting_count; i++) {
		const struct profile_setting *setting = &rule->settings[i];

		require(setting->tunable->is_policy && setting->line > 0);
		require(!tunable_check(setting->tunable, setting->value, NULL, again,
				       NULL));
		require(!strcmp(again, setting->value));
	}
}

/* All mistakes, which are there exactly when there is a first one. */
static void check_mistakes(const uint8_t *data, size_t size, int expected)
{
	struct profile_mistakes mistakes = { 0 };
	struct profile *profile = NULL;
	int error = profile_check_text(NULL, NULL, (const char *)data, size, "fuzz.json",
				       &profile, &mistakes);

	require(!error == !expected && (profile != NULL) == !error);
	require((mistakes.count > 0) == (error != 0));
	for (size_t i = 0; i < mistakes.count; i++)
		require(mistakes.items[i].error && mistakes.items[i].text[0]);
	profile_free(profile);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct profile *profile = NULL;
	struct diag diag = { 0 };
	int error = profile_parse(NULL, NULL, (const char *)data, size, "fuzz.json",
				  &profile, &diag);

	require(error ? diag.error == error && diag.text[0] : profile != NULL);
	for (size_t i = 0; profile && i < profile->rule_count; i++)
		check_rule(&profile->rules[i]);
	profile_free(profile);
	check_mistakes(data, size, error);
	return 0;
}
