// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The tables of verbs and options: complete, without clashes, and all of it in the help.
 */
#include "test.h"

#include <ctype.h>

#include "cmd/globals.h"
#include "cmd/usage.h"
#include "cmd/verb.h"
#include "util/wrap.h"

static void assert_spec_is_sane(const struct option_spec *spec)
{
	bool has_value = spec->value != VALUE_NONE;

	assert_non_null(spec->help);
	assert_true(strlen(spec->long_name) > 1);
	assert_int_equal(has_value, spec->placeholder != NULL);
	assert_int_equal(spec->value == VALUE_WORD, spec->words != NULL);
	for (const char *p = spec->long_name; *p; p++)
		assert_true(islower((unsigned char)*p) || *p == '-');
}

static void assert_no_clash(const struct option_spec *a, const struct option_spec *b)
{
	assert_string_not_equal(a->long_name, b->long_name);
	assert_true(!a->short_name || a->short_name != b->short_name);
}

static void test_options_are_sane_and_do_not_clash(void **state)
{
	size_t global_count;
	const struct option_spec *globals = globals_specs(&global_count);
	const struct verb *verb;

	(void)state;
	for (size_t i = 0; i < global_count; i++) {
		assert_spec_is_sane(&globals[i]);
		for (size_t j = 0; j < i; j++)
			assert_no_clash(&globals[i], &globals[j]);
	}
	for (size_t v = 0; (verb = verb_get(v)); v++) {
		for (size_t i = 0; i < verb->option_count; i++) {
			const struct option_spec *spec = &verb->options[i];

			assert_spec_is_sane(spec);
			assert_true(spec->offset < verb->options_size);
			for (size_t j = 0; j < i; j++)
				assert_no_clash(spec, &verb->options[j]);
			for (size_t j = 0; j < global_count; j++)
				assert_no_clash(spec, &globals[j]);
		}
	}
}

static void test_verbs_are_sane(void **state)
{
	const struct verb *verb;
	size_t count = 0;

	(void)state;
	for (; (verb = verb_get(count)); count++) {
		assert_ptr_equal(verb_find(verb->name), verb);
		assert_non_null(verb->run);
		assert_non_null(verb->usage);
		/* A summary is a line of the list: no full stop, and it fits. */
		assert_true(isupper((unsigned char)verb->summary[0]));
		assert_true(verb->summary[strlen(verb->summary) - 1] != '.');
		assert_true(wrap_columns(verb->summary) <= 64);
		assert_true(verb->positional.max >= verb->positional.min);
		for (const struct verb_example *e = verb->examples; e && e->command; e++) {
			assert_non_null(e->meaning);
			assert_true(text_starts_with(e->command, "iosched-tune "));
		}
	}
	assert_true(count > 0);
	assert_null(verb_get(count + 1));
	assert_null(verb_find("no-such-verb"));
}

static char *help_of(const struct verb *verb)
{
	char *text = NULL;
	size_t size = 0;
	FILE *stream = open_memstream(&text, &size);

	assert_non_null(stream);
	if (verb)
		usage_print_verb(stream, verb, 80);
	else
		usage_print_program(stream, 80);
	fclose(stream);
	return text;
}

static void test_help_has_everything(void **state)
{
	const struct verb *verb;
	char *program = help_of(NULL);

	(void)state;
	for (size_t v = 0; (verb = verb_get(v)); v++) {
		char *text = help_of(verb);

		/* Plumbing explains itself, but is in no list. */
		assert_int_equal(strstr(program, verb->summary) != NULL, !verb->is_hidden);
		assert_non_null(strstr(text, verb->usage));
		for (size_t i = 0; i < verb->option_count; i++)
			assert_non_null(strstr(text, verb->options[i].long_name));
		for (const struct verb_example *e = verb->examples; e && e->command; e++)
			assert_non_null(strstr(text, e->command));
		assert_non_null(strstr(text, "--root"));
		free(text);
	}
	free(program);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_options_are_sane_and_do_not_clash),
		cmocka_unit_test(test_verbs_are_sane),
		cmocka_unit_test(test_help_has_everything),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
