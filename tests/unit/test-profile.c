// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reading a profile: what it gives, and that every mistake is answered with file, line
 * and key.
 */
#include "test.h"

#include <errno.h>

#include "policy/profile.h"

static int parse(const char *text, struct profile **ret, struct diag *diag)
{
	return profile_parse(NULL, NULL, text, strlen(text), "dir/test.json", ret, diag);
}

#define PROFILE(rules) "{ \"name\": \"test\",\n \"rules\": [\n" rules "\n] }"

static struct profile *read_rules(const char *text)
{
	struct profile *profile = NULL;
	struct diag diag = { 0 };

	if (parse(text, &profile, &diag))
		fail_msg("line %u: %s", diag.line, diag.text);
	return profile;
}

static void test_reads_a_rule(void **state)
{
	struct profile *profile = read_rules(PROFILE(
		"{ \"match\": { \"class\": [\"hdd\", \"ssd\"], \"model\": \"ST*\",\n"
		"  \"size\": { \"min\": \"1T\", \"max\": 4398046511104 }, "
		"\"rotational\": true,\n"
		"  \"role\": [\"root\", \"swap\"] },\n"
		"  \"scheduler\": [\"bfq\", \"mq-deadline\"],\n"
		"  \"iosched\": { \"mq-deadline\": { \"read_expire\": \"1s\" },\n"
		"  \"bfq\": { \"low_latency\": false, \"slice_idle_us\": { \"value\": "
		"500, "
		"\"why\": \"own\" } } },\n"
		"  \"queue\": { \"read_ahead_kb\": \"1M\" }, \"why\": \"all of it\" }"));
	const struct profile_rule *rule = &profile->rules[0];

	(void)state;
	assert_int_equal(profile->rule_count, 1);
	assert_string_equal(profile->name, "test");
	assert_string_equal(profile->path, "dir/test.json");
	assert_int_equal(rule->line, 3);
	assert_int_equal(rule->scheduler_line, 6);
	assert_int_equal(rule->match.classes, 1u << CLASS_HDD | 1u << CLASS_SSD);
	assert_int_equal(rule->match.min_size_bytes, 1ull << 40);
	assert_int_equal(rule->match.max_size_bytes, 4ull << 40);
	assert_int_equal(rule->match.rotational, 1);
	assert_int_equal(rule->match.hidden, -1);
	assert_false(rule->is_match_empty);
	assert_int_equal(rule->schedulers.count, 2);
	assert_int_equal(rule->setting_count, 4);
	assert_string_equal(rule->settings[0].tunable->key, "mq-deadline.read_expire");
	assert_string_equal(rule->settings[0].value, "1000");
	assert_int_equal(rule->settings[0].line, 7);
	assert_string_equal(rule->settings[1].value, "0");
	assert_string_equal(rule->settings[2].why, "own");
	assert_string_equal(rule->settings[3].value, "1024");
	assert_null(rule->settings[3].why);
	assert_string_equal(rule->why, "all of it");
	profile_free(profile);
}

static void test_keep_and_empty_match(void **state)
{
	struct profile *profile = read_rules(
		PROFILE("{ \"match\": {}, \"scheduler\": \"keep\" },\n"
			"{ \"scheduler\": \"keep\", \"queue\": { \"iostats\": true } }"));

	(void)state;
	assert_true(profile->rules[0].is_match_empty);
	assert_true(profile->rules[0].leave_alone);
	assert_true(profile->rules[1].is_match_empty);
	assert_true(profile->rules[1].keeps_scheduler);
	assert_false(profile->rules[1].leave_alone);
	assert_string_equal(profile->rules[1].settings[0].value, "1");
	profile_free(profile);
}

static void test_reasons_by_key(void **state)
{
	struct profile *profile = read_rules(PROFILE(
		"{ \"scheduler\": \"deadline\", \"queue\": { \"nomerges\": 1 },\n"
		"  \"iosched\": { \"mq-deadline\": { \"fifo_batch\": 1 }, "
		"\"deadline\": { \"fifo_batch\": 2 } },\n"
		"  \"why\": { \"scheduler\": \"s\", \"fifo_batch\": {\"en\": \"f\"}, "
		"\"nomerges\": \"n\" } }"));
	const struct profile_rule *rule = &profile->rules[0];

	(void)state;
	assert_string_equal(rule->scheduler_why, "s");
	assert_string_equal(rule->settings[0].why, "f");
	assert_string_equal(rule->settings[1].why, "f");
	assert_string_equal(rule->settings[2].why, "n");
	assert_null(rule->why);
	profile_free(profile);
}

/* Without a locale that has its own text, English is taken, whatever the order. */
static void test_text_in_languages(void **state)
{
	struct profile *profile = NULL;

	(void)state;
	assert_int_equal(
		parse("{ \"name\": \"a\", \"summary\": { \"zh_CN\": \"z\", \"en\": "
		      "\"e\" }, \"rules\": [] }",
		      &profile, NULL),
		0);
	assert_string_equal(profile->summary, "e");
	profile_free(profile);
}

static void assert_refused(const char *text, int error, unsigned line, const char *words,
			   const char *hint)
{
	struct profile *profile = NULL;
	struct diag diag = { 0 };

	assert_int_equal(parse(text, &profile, &diag), error);
	assert_null(profile);
	assert_string_equal(diag.where, "dir/test.json");
	if (diag.line != line || !strstr(diag.text, words) || !strstr(diag.hint, hint))
		fail_msg("got line %u: %s (%s)", diag.line, diag.text, diag.hint);
}

#define REFUSED(rule, line, words, hint)                                                 \
	assert_refused(PROFILE(rule), -EINVAL, line, words, hint)

static void test_refuses_unknown_words(void **state)
{
	(void)state;
	REFUSED("{ \"match\": {},\n\"shceduler\": \"bfq\" }", 4, "\"shceduler\"",
		"scheduler");
	REFUSED("{ \"match\": {},\n\"xyzzyplugh\": 1 }", 4, "\"xyzzyplugh\"",
		"known here: match, scheduler, iosched, queue, why");
	REFUSED("{ \"match\": {\n\"clas\": \"hdd\" } }", 4, "\"clas\"", "\"class\"");
	REFUSED("{ \"match\": { \"class\": \"hdt\" } }", 3, "\"hdt\"", "\"hdd\"");
	REFUSED("{ \"match\": { \"role\": \"home\" } }", 3, "\"home\"", "root");
	REFUSED("{ \"scheduler\": [\"bfq\",\n\"mq-deadlin\"] }", 3, "\"mq-deadlin\"",
		"mq-deadline");
	REFUSED("{ \"iosched\": {\n\"bqf\": {} } }", 4, "\"bqf\"", "\"bfq\"");
	REFUSED("{ \"iosched\": { \"bfq\": {\n\"slice_idel\": 1 } } }", 4,
		"\"slice_idel\"", "slice_idle");
	REFUSED("{ \"iosched\": { \"kyber\": { \"read_expire\": 1 } } }", 3,
		"kyber has no attribute \"read_expire\"", "");
	REFUSED("{ \"queue\": { \"nr_reqests\": 1 } }", 3, "\"nr_reqests\"",
		"nr_requests");
	REFUSED("{ \"queue\": { \"scheduler\": \"bfq\" } }", 3, "into the rule itself",
		"");
	REFUSED("{ \"queue\": { \"nomerges\": { \"value\": 1,\n\"wy\": \"\" } } }", 4,
		"\"wy\"", "\"why\"");
	REFUSED("{ \"scheduler\": \"bfq\", \"why\": {\n\"nomerges\": \"x\" } }", 4,
		"explains \"nomerges\"", "");
}

static void test_refuses_wrong_types(void **state)
{
	(void)state;
	assert_refused("[]", -EINVAL, 1, "not a JSON object", "");
	assert_refused("{ \"name\": \"a\" }", -EINVAL, 1, "\"rules\" is missing", "");
	assert_refused("{\n\"rules\": [] }", -EINVAL, 1, "\"name\" is missing", "");
	assert_refused("{ \"name\": \"a\",\n\"rules\": {} }", -EINVAL, 2, "not a list",
		       "");
	assert_refused("{ \"name\":\n\"a/b\", \"rules\": [] }", -EINVAL, 1, "\"name\"",
		       "");
	assert_refused("{ \"name\": \"a\", \"summary\": [],\n\"rules\": [] }", -EINVAL, 1,
		       "\"summary\"", "language");
	REFUSED("[]", 3, "not an object", "");
	REFUSED("{ \"match\": [] }", 3, "\"match\" is not an object", "");
	REFUSED("{ \"match\": { \"model\": 5 } }", 3, "\"model\"", "");
	REFUSED("{ \"match\": { \"model\": [\"a\",\n5] } }", 4, "\"model\"", "");
	REFUSED("{ \"match\": { \"model\": [] } }", 3, "\"model\"", "");
	REFUSED("{ \"match\": { \"rotational\": 1 } }", 3, "true nor false", "");
	REFUSED("{ \"match\": { \"size\": \"1T\" } }", 3, "\"size\"", "");
	REFUSED("{ \"match\": { \"size\": { \"min\": true } } }", 3, "\"min\"", "");
	REFUSED("{ \"scheduler\": 5 }", 3, "\"scheduler\"", "");
	REFUSED("{ \"scheduler\": [\"keep\", \"bfq\"] }", 3, "in a list", "");
	REFUSED("{ \"queue\": { \"nomerges\": 1.5 } }", 3, "nomerges must be a number",
		"");
	REFUSED("{ \"queue\": { \"nomerges\": null } }", 3, "nomerges must be a number",
		"");
	REFUSED("{ \"queue\": { \"nomerges\": true } }", 3, "nomerges must be a number",
		"");
	REFUSED("{ \"queue\": { \"nomerges\": {} } }", 3, "has no \"value\"", "");
	REFUSED("{ \"iosched\": { \"bfq\": 5 } }", 3, "\"bfq\" is not an object", "");
	REFUSED("{ \"scheduler\": \"bfq\",\n\"why\": 5 }", 4, "\"why\"", "");
	REFUSED("{ \"match\": { \"class\": \"hdd\" } }", 3, "sets nothing", "keep");
	REFUSED("{ \"iosched\": { \"bfq\": { \"slice_idle\": 1,\n\"slice_idle_us\": 1 } "
		"} }",
		4, "one setting", "");
}

static void test_refuses_values(void **state)
{
	(void)state;
	assert_refused(PROFILE("{ \"queue\": {\n\"nomerges\": 3 } }"), -ERANGE, 4,
		       "nomerges = 3 is out of range: 0 to 2", "");
	assert_refused(PROFILE("{ \"iosched\": { \"mq-deadline\": { "
			       "\"read_expire\":\n\"-1\" } } }"),
		       -ERANGE, 3, "read_expire", "");
	assert_refused(
		PROFILE("{ \"queue\": { \"nr_requests\": { \"value\":\n4096000 } } }"),
		-ERANGE, 3, "nr_requests", "");
	REFUSED("{ \"queue\": { \"read_ahead_kb\": \"4ms\" } }", 3, "\"4ms\"", "size");
	assert_refused(PROFILE("{ \"queue\": { \"max_hw_sectors_kb\": 1 } }"), -EPERM, 3,
		       "read-only", "");
	assert_refused(PROFILE("{ \"queue\": { \"write_cache\": \"write through\" } }"),
		       -EPERM, 3, "not set by", "power failure");
	assert_refused(PROFILE("{ \"match\": { \"size\": { \"min\": \"2T\", \"max\": "
			       "\"1T\" } } }"),
		       -ERANGE, 3, "min is above max", "");
	assert_refused(PROFILE("{ \"match\": { \"size\": { \"max\": 0 } } }"), -ERANGE, 3,
		       "\"max\"", "");
}

static void test_refuses_bad_json(void **state)
{
	(void)state;
	assert_refused("{ \"name\": \"a\",\n\"rules\": [ ", -EINVAL, 2, "not valid JSON",
		       "");
	assert_refused("{ \"name\": \"a\",\n\"rules\": [],\n\"name\": \"b\" }", -EINVAL,
		       3, "duplicate", "");
	assert_refused(PROFILE("{ \"queue\": { \"nomerges\": 1,\n\"nomerges\": 2 } }"),
		       -EINVAL, 4, "duplicate", "");
}

static void test_refuses_what_is_too_large(void **state)
{
	_text_ struct text text = { 0 };
	struct profile *profile = NULL;
	struct diag diag = { 0 };
	char *big = calloc(1, PROFILE_SIZE_MAX + 1);

	(void)state;
	assert_non_null(big);
	assert_int_equal(profile_parse(NULL, NULL, big, PROFILE_SIZE_MAX + 1, "x",
				       &profile, &diag),
			 -EFBIG);
	free(big);
	text_add(&text, "{ \"name\": \"a\", \"rules\": [");
	for (int i = 0; i <= PROFILE_RULE_MAX; i++)
		text_addf(&text, "%s{ \"scheduler\": \"none\" }", i ? "," : "");
	text_add(&text, "] }");
	assert_refused(text.data, -EINVAL, 1, "more than 256 rules", "");
}

/* What a hostile file says comes out as text that a terminal can take. */
static void test_hostile_strings(void **state)
{
	(void)state;
	REFUSED("{ \"scheduler\": \"\\u001b[31m\" }", 3, "\\x1b[31m", "");
	REFUSED("{ \"\\u202e%s%n\": 1 }", 3, "%s%n", "");
	REFUSED("{ \"scheduler\": \"\" }", 3, "\"scheduler\"", "");
}

static void test_workload(void **state)
{
	struct profile *profile = read_rules("{ \"name\": \"test\", \"rules\": [] }");
	struct profile *parent = read_rules(
		"{ \"name\": \"test\", \"workload\": \"oltp\", \"rules\": [] }");
	struct profile *refused = NULL;
	struct diag diag = { 0 };

	(void)state;
	assert_null(profile_get_workload(profile));
	assert_string_equal(profile_get_workload(parent), "oltp");
	profile->parent = parent;
	assert_string_equal(profile_get_workload(profile), "oltp");
	profile_free(profile);
	assert_null(profile_get_workload(NULL));
	assert_int_equal(parse("{ \"name\": \"test\", \"workload\": \"a b\", \"rules\": [] }",
			       &refused, &diag), -EINVAL);
	assert_non_null(strstr(diag.text, "workload"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_workload),
		cmocka_unit_test(test_reads_a_rule),
		cmocka_unit_test(test_keep_and_empty_match),
		cmocka_unit_test(test_reasons_by_key),
		cmocka_unit_test(test_text_in_languages),
		cmocka_unit_test(test_refuses_unknown_words),
		cmocka_unit_test(test_refuses_wrong_types),
		cmocka_unit_test(test_refuses_values),
		cmocka_unit_test(test_refuses_bad_json),
		cmocka_unit_test(test_refuses_what_is_too_large),
		cmocka_unit_test(test_hostile_strings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
