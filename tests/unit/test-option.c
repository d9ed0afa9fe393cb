// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The option parser: every form that getopt_long takes, two tables at once, and what is
 * said about each mistake.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <string.h>

#include <cmocka.h>

#include "util/option.h"

struct verb_options {
	const char *profile;
	const char *method;
	struct strv sets, targets;
	bool dry_run;
	bool dump;
	const char *every;
};

struct global_options {
	unsigned verbose;
	bool quiet;
	const char *root;
};

static const char *const methods[] = { "auto", "udev", "systemd", NULL };

static const struct option_spec verb_specs[] = {
	{ 'p', "profile", VALUE_PROFILE, "NAME", .help = "the profile",
	  .offset = OPTION_FIELD(struct verb_options, profile) },
	{ 0, "method", VALUE_WORD, "METHOD", methods, "how",
	  .offset = OPTION_FIELD(struct verb_options, method) },
	{ 0, "target", VALUE_WORD, "METHOD,...", methods, "where", .is_repeatable = true,
	  .offset = OPTION_FIELD(struct verb_options, targets) },
	{ 0, "set", VALUE_TUNABLE, "KEY=VALUE", .help = "one value", .is_repeatable = true,
	  .offset = OPTION_FIELD(struct verb_options, sets) },
	{ 'n', "dry-run", .help = "print only",
	  .offset = OPTION_FIELD(struct verb_options, dry_run) },
	{ 0, "dump", .help = "everything",
	  .offset = OPTION_FIELD(struct verb_options, dump) },
	{ 'e', "every", VALUE_SECONDS, "SECONDS", .help = "how often", .implied = "1",
	  .offset = OPTION_FIELD(struct verb_options, every) },
};

static const struct option_spec global_specs[] = {
	{ 'v', "verbose", .help = "more", .is_repeatable = true,
	  .offset = OPTION_FIELD(struct global_options, verbose) },
	{ 'q', "quiet", .help = "less", .offset = OPTION_FIELD(struct global_options, quiet) },
	{ 0, "root", VALUE_DIRECTORY, "DIR", .help = "elsewhere",
	  .offset = OPTION_FIELD(struct global_options, root) },
};

static const struct option_positional any_device = { "DEVICE", VALUE_DEVICE, 0, SIZE_MAX, NULL };

struct result {
	struct verb_options verb;
	struct global_options global;
	const char **arguments;
	size_t count;
	struct diag diag;
	int error;
};

#define WORDS_MAX 12

static struct result parse(const struct option_positional *positional, ...)
{
	struct result result = { 0 };
	struct option_group groups[] = {
		{ verb_specs, ARRAY_SIZE(verb_specs), &result.verb },
		{ global_specs, ARRAY_SIZE(global_specs), &result.global },
	};
	char *argv[WORDS_MAX + 1] = { (char *)(uintptr_t)"apply" };
	int argc = 1;
	va_list args;

	va_start(args, positional);
	while (argc < WORDS_MAX && (argv[argc] = va_arg(args, char *)))
		argc++;
	va_end(args);
	result.error = option_parse(groups, ARRAY_SIZE(groups), positional, argc, argv,
				    &result.arguments, &result.count, &result.diag);
	return result;
}

static void done(struct result *result)
{
	struct option_group groups[] = {
		{ verb_specs, ARRAY_SIZE(verb_specs), &result->verb },
		{ global_specs, ARRAY_SIZE(global_specs), &result->global },
	};

	option_done(groups, ARRAY_SIZE(groups));
	free(result->arguments);
}

static void test_long_and_short_forms(void **state)
{
	struct result r;

	(void)state;
	r = parse(&any_device, "--profile", "database", "-n", "sda", NULL);
	assert_int_equal(r.error, 0);
	assert_string_equal(r.verb.profile, "database");
	assert_true(r.verb.dry_run);
	assert_int_equal(r.count, 1);
	assert_string_equal(r.arguments[0], "sda");
	assert_null(r.arguments[1]);
	done(&r);

	r = parse(&any_device, "--profile=", "-vnv", NULL);
	assert_int_equal(r.error, 0);
	assert_string_equal(r.verb.profile, "");
	assert_int_equal(r.global.verbose, 2);
	assert_true(r.verb.dry_run);
	done(&r);

	r = parse(&any_device, "-npdatabase", "-v", NULL);
	assert_int_equal(r.error, 0);
	assert_string_equal(r.verb.profile, "database");
	assert_true(r.verb.dry_run);
	assert_int_equal(r.global.verbose, 1);
	done(&r);

	r = parse(&any_device, "-p", "--dry-run", NULL); /* a value may look like one */
	assert_int_equal(r.error, 0);
	assert_string_equal(r.verb.profile, "--dry-run");
	assert_false(r.verb.dry_run);
	done(&r);
}

static void test_both_tables_mixed_with_devices(void **state)
{
	struct result r = parse(&any_device, "sda", "--root", "/tmp", "sdb", "--set", "a=1",
				"-q", "--set=b=2", NULL);

	(void)state;
	assert_int_equal(r.error, 0);
	assert_int_equal(r.count, 2);
	assert_string_equal(r.arguments[1], "sdb");
	assert_string_equal(r.global.root, "/tmp");
	assert_true(r.global.quiet);
	assert_int_equal(r.verb.sets.count, 2);
	assert_string_equal(r.verb.sets.items[0], "a=1");
	assert_string_equal(r.verb.sets.items[1], "b=2");
	done(&r);
}

static void test_words_with_commas_or_one_by_one(void **state)
{
	struct result r = parse(&any_device, "--target", "udev,systemd", "--target=auto", NULL);

	(void)state;
	assert_int_equal(r.error, 0);
	assert_int_equal(r.verb.targets.count, 3);
	assert_string_equal(r.verb.targets.items[0], "udev");
	assert_string_equal(r.verb.targets.items[1], "systemd");
	assert_string_equal(r.verb.targets.items[2], "auto");
	done(&r);
}

static void test_double_dash_ends_options(void **state)
{
	struct result r = parse(&any_device, "--", "--dry-run", "-", NULL);

	(void)state;
	assert_int_equal(r.error, 0);
	assert_false(r.verb.dry_run);
	assert_int_equal(r.count, 2);
	assert_string_equal(r.arguments[0], "--dry-run");
	assert_string_equal(r.arguments[1], "-");
	done(&r);
}

static void test_without_positionals_it_stops_at_the_verb(void **state)
{
	struct result r = parse(NULL, "-q", "status", "--nonsense", "-v", NULL);

	(void)state;
	assert_int_equal(r.error, 0);
	assert_true(r.global.quiet);
	assert_int_equal(r.global.verbose, 0);
	assert_int_equal(r.count, 3);
	assert_string_equal(r.arguments[0], "status");
	assert_string_equal(r.arguments[1], "--nonsense");
	done(&r);
}

static void test_unique_prefix(void **state)
{
	struct result r = parse(&any_device, "--prof=x", "--dry", NULL);

	(void)state;
	assert_int_equal(r.error, 0);
	assert_string_equal(r.verb.profile, "x");
	assert_true(r.verb.dry_run);
	done(&r);
}

static void check_error(struct result r, const char *text, const char *hint)
{
	assert_int_equal(r.error, -EINVAL);
	assert_non_null(strstr(r.diag.text, text));
	if (hint)
		assert_non_null(strstr(r.diag.hint, hint));
	else
		assert_string_equal(r.diag.hint, "");
	assert_null(r.arguments);
	done(&r);
}

static void test_mistakes(void **state)
{
	static const struct option_positional one = { "FILE", VALUE_FILE, 1, 1, NULL };
	static const struct option_positional none = { 0 };

	(void)state;
	check_error(parse(&any_device, "--dryrun", NULL), "'--dryrun'", "'--dry-run'");
	check_error(parse(&any_device, "--d", NULL), "ambiguous", NULL);
	check_error(parse(&any_device, "--frobnicate", NULL), "unknown option", NULL);
	check_error(parse(&any_device, "-x", NULL), "'-x'", NULL);
	check_error(parse(&any_device, "--profile", NULL), "needs a value (NAME)", NULL);
	check_error(parse(&any_device, "--dry-run=yes", NULL), "takes no value", NULL);
	check_error(parse(&any_device, "-pa", "-pb", NULL), "given twice", NULL);
	check_error(parse(&any_device, "--method", "systmd", NULL),
		    "only: auto, udev, systemd", "'systemd'");
	check_error(parse(&any_device, "--target", "udev,systmd", NULL),
		    "'systmd', only: auto, udev, systemd", "'systemd'");
	check_error(parse(&any_device, "--target", ",", NULL), "','", NULL);
	/* Not of an option that takes one. */
	check_error(parse(&any_device, "--method", "udev,systemd", NULL), "'udev,systemd'", NULL);
	check_error(parse(&one, NULL), "missing argument: FILE", NULL);
	check_error(parse(&one, "a", "b", NULL), "unexpected argument 'b'", NULL);
	check_error(parse(&none, "a", NULL), "unexpected argument 'a'", NULL);
	/* What was collected before the mistake is released. */
	check_error(parse(&any_device, "--set", "a=1", "--no-such", NULL), "no-such", NULL);
}

static void test_help_block(void **state)
{
	_text_ struct text out = { 0 };

	(void)state;
	option_format_help(verb_specs, ARRAY_SIZE(verb_specs), 80, &out);
	assert_int_equal(out.error, 0);
	assert_string_equal(out.data,
			    "  -p, --profile NAME        the profile\n"
			    "      --method METHOD       how\n"
			    "      --target METHOD,...   where\n"
			    "      --set KEY=VALUE       one value\n"
			    "  -n, --dry-run             print only\n"
			    "      --dump                everything\n"
			    "  -e, --every[=SECONDS]     how often\n");
}

static void test_long_help_is_wrapped(void **state)
{
	static const struct option_spec spec = {
		0, "a-very-long-name-indeed", VALUE_TEXT, "PLACEHOLDER",
		.help = "words that do not fit into one line",
	};
	_text_ struct text out = { 0 };

	(void)state;
	option_format_help(&spec, 1, 50, &out);
	assert_string_equal(out.data, "      --a-very-long-name-indeed PLACEHOLDER\n"
				      "                            words that do not fit\n"
				      "                            into one line\n");
}

/* A value that may be left out: only a number behind the option is taken for it. */
static void test_implied_value(void **state)
{
	static const struct {
		const char *words[4];
		const char *every;
		size_t count;
	} rows[] = {
		{ { "--every" }, "1", 0 },	   { { "--every=5" }, "5", 0 },
		{ { "--every", "2" }, "2", 0 },	   { { "--every", "sda" }, "1", 1 },
		{ { "--every", "8:0" }, "1", 1 },  { { "-e", "sda" }, "1", 1 },
		{ { "-e3", "sda" }, "3", 1 },	   { { "--every", "-n" }, "1", 0 },
		{ { "--every", "2m" }, "2m", 0 },  { { "--every", "500ms" }, "500ms", 0 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct result result = parse(&any_device, rows[i].words[0],
					     rows[i].words[1], NULL);

		assert_int_equal(result.error, 0);
		assert_string_equal(result.verb.every, rows[i].every);
		assert_int_equal(result.count, rows[i].count);
		done(&result);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_long_and_short_forms),
		cmocka_unit_test(test_both_tables_mixed_with_devices),
		cmocka_unit_test(test_words_with_commas_or_one_by_one),
		cmocka_unit_test(test_double_dash_ends_options),
		cmocka_unit_test(test_without_positionals_it_stops_at_the_verb),
		cmocka_unit_test(test_unique_prefix),
		cmocka_unit_test(test_implied_value),
		cmocka_unit_test(test_mistakes),
		cmocka_unit_test(test_help_block),
		cmocka_unit_test(test_long_help_is_wrapped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
