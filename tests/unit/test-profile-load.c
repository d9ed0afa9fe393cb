// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finding profiles: the order of places, inheritance and its circles, the list.
 */
#include "test.h"

#include <errno.h>

#include "policy/profile.h"

struct fixture {
	char *dir;    /* a root with /etc, and a directory "share" beside it */
	char *search; /* dir/share */
	struct root *root;
	struct profile *profile;
	struct diag diag;
};

static int set_up(void **state)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));

	if (!fixture)
		return -1;
	fixture->dir = test_scratch_new();
	test_write(fixture->dir, "etc/iosched-tune/keep", "");
	if (asprintf(&fixture->search, "%s/absent:%s/share", fixture->dir, fixture->dir) <
	    0)
		return -1;
	if (root_open(fixture->dir, &fixture->root, NULL))
		return -1;
	*state = fixture;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *fixture = *state;

	profile_free(fixture->profile);
	root_free(fixture->root);
	test_scratch_done(fixture->dir);
	free(fixture->search);
	free(fixture);
	return 0;
}

/* `inherits` NULL: nothing. */
static void add(const struct fixture *fixture, const char *place, const char *name,
		const char *inherits)
{
	char path[256], text[512];

	snprintf(path, sizeof(path), "%s/%s.json", place, name);
	snprintf(text, sizeof(text),
		 "{\"name\":\"%s\",\"summary\":\"from %s\",%s%s%s\"rules\":[]}", name,
		 place, inherits ? "\"inherits\":\"" : "", inherits ? inherits : "",
		 inherits ? "\"," : "");
	test_write(fixture->dir, path, text);
}

#define ETC   "etc/iosched-tune/profiles"
#define SHARE "share"

static int load(struct fixture *fixture, const char *name)
{
	profile_free(fixture->profile);
	fixture->profile = NULL;
	fixture->diag = (struct diag){ 0 };
	return profile_load(fixture->root, fixture->search, name, &fixture->profile,
			    &fixture->diag);
}

static void test_etc_comes_first(void **state)
{
	struct fixture *fixture = *state;

	add(fixture, SHARE, "a", NULL);
	assert_int_equal(load(fixture, "a"), 0);
	assert_string_equal(fixture->profile->summary, "from " SHARE);
	add(fixture, ETC, "a", NULL);
	assert_int_equal(load(fixture, "a"), 0);
	assert_string_equal(fixture->profile->summary, "from " ETC);
	assert_true(text_starts_with(fixture->profile->path, "/etc/"));
}

static void test_file_by_path(void **state)
{
	struct fixture *fixture = *state;
	char path[512];

	add(fixture, SHARE, "a", NULL);
	snprintf(path, sizeof(path), "%s/share/a.json", fixture->dir);
	assert_int_equal(load(fixture, path), 0);
	assert_string_equal(fixture->profile->path, path);
	snprintf(path, sizeof(path), "%s/share", fixture->dir);
	assert_int_equal(load(fixture, path), -EISDIR);
	assert_string_equal(fixture->diag.where, path);
	assert_int_equal(load(fixture, "./absent.json"), -ENOENT);
	assert_string_equal(fixture->diag.where, "./absent.json");
}

static void test_unknown_name_lists_the_known(void **state)
{
	struct fixture *fixture = *state;

	add(fixture, SHARE, "desktop", NULL);
	add(fixture, ETC, "audio", NULL);
	assert_int_equal(load(fixture, "dekstop"), -ENOENT);
	assert_non_null(strstr(fixture->diag.text, "\"dekstop\""));
	assert_non_null(strstr(fixture->diag.hint, "audio, desktop"));
	assert_int_equal(load(fixture, ""), -ENOENT);
	assert_int_equal(load(fixture, "-x"), -ENOENT);
}

static void test_name_must_be_that_of_the_file(void **state)
{
	struct fixture *fixture = *state;

	test_write(fixture->dir, SHARE "/a.json", "{\"name\":\"b\",\"rules\":[]}");
	assert_int_equal(load(fixture, "a"), -EINVAL);
	assert_non_null(strstr(fixture->diag.text, "a.json"));
}

/* What an administrator wrote is not passed over because it is broken. */
static void test_broken_one_hides_the_shipped(void **state)
{
	struct fixture *fixture = *state;

	add(fixture, SHARE, "a", NULL);
	test_write(fixture->dir, ETC "/a.json", "{");
	assert_int_equal(load(fixture, "a"), -EINVAL);
	assert_string_equal(fixture->diag.where, "/" ETC "/a.json");
}

static void test_inherits(void **state)
{
	struct fixture *fixture = *state;

	add(fixture, ETC, "child", "middle");
	add(fixture, SHARE, "middle", "base");
	add(fixture, SHARE, "base", NULL);
	assert_int_equal(load(fixture, "child"), 0);
	assert_string_equal(fixture->profile->parent->name, "middle");
	assert_string_equal(fixture->profile->parent->parent->name, "base");
	assert_null(fixture->profile->parent->parent->parent);
}

/* An administrator's "database" can add to the shipped one of the same name. */
static void test_inherits_from_what_it_hides(void **state)
{
	struct fixture *fixture = *state;

	add(fixture, ETC, "database", "database");
	add(fixture, SHARE, "database", NULL);
	assert_int_equal(load(fixture, "database"), 0);
	assert_string_equal(fixture->profile->summary, "from " ETC);
	assert_string_equal(fixture->profile->parent->summary, "from " SHARE);
}

static void test_refuses_circles(void **state)
{
	struct fixture *fixture = *state;

	add(fixture, SHARE, "self", "self");
	assert_int_equal(load(fixture, "self"), -ELOOP);
	assert_non_null(strstr(fixture->diag.where, "self.json"));
	add(fixture, SHARE, "a", "b");
	add(fixture, SHARE, "b", "a");
	assert_int_equal(load(fixture, "a"), -ELOOP);
	assert_null(fixture->profile);
}

static void test_refuses_long_chains(void **state)
{
	struct fixture *fixture = *state;
	char name[16], next[16];

	for (int i = 1; i <= PROFILE_INHERIT_MAX; i++) {
		snprintf(name, sizeof(name), "p%d", i);
		snprintf(next, sizeof(next), "p%d", i + 1);
		add(fixture, SHARE, name, i < PROFILE_INHERIT_MAX ? next : NULL);
	}
	assert_int_equal(load(fixture, "p1"), 0);
	add(fixture, SHARE, "p0", "p1");
	assert_int_equal(load(fixture, "p0"), -ELOOP);
}

static void test_missing_parent_names_the_child(void **state)
{
	struct fixture *fixture = *state;

	add(fixture, SHARE, "child", "parent");
	assert_int_equal(load(fixture, "child"), -ENOENT);
	assert_non_null(strstr(fixture->diag.text, "\"parent\""));
	assert_non_null(strstr(fixture->diag.where, "child.json"));
}

static void test_lists_all(void **state)
{
	struct fixture *fixture = *state;
	struct profile_entry *entries = NULL;
	size_t count = 0;

	add(fixture, SHARE, "b", NULL);
	add(fixture, ETC, "b", NULL);
	add(fixture, SHARE, "a", NULL);
	test_write(fixture->dir, SHARE "/c.json", "{");
	test_write(fixture->dir, SHARE "/schema.json", "{}");
	test_write(fixture->dir, SHARE "/notes.txt", "");
	assert_int_equal(
		profile_list(fixture->root, fixture->search, &entries, &count, NULL), 0);
	assert_int_equal(count, 4);
	assert_string_equal(entries[0].name, "a");
	assert_string_equal(entries[1].summary, "from " ETC);
	assert_false(entries[1].is_shadowed);
	assert_string_equal(entries[2].summary, "from " SHARE);
	assert_true(entries[2].is_shadowed);
	assert_string_equal(entries[3].name, "c");
	assert_null(entries[3].summary);
	assert_non_null(strstr(entries[3].error, "c.json:1: not valid JSON"));
	profile_entries_free(entries, count);
}

static void test_search_of_the_environment(void **state)
{
	char *search = NULL;

	(void)state;
	setenv("IOSCHED_TUNE_PROFILES", "/a:/b", 1);
	assert_int_equal(profile_default_search(&search), 0);
	assert_string_equal(search, "/a:/b");
	free(search);
	unsetenv("IOSCHED_TUNE_PROFILES");
	assert_int_equal(profile_default_search(&search), 0);
	/* A test lies a level deeper than the program: nothing is beside it. */
	assert_string_equal(search, PROFILE_DIR);
	free(search);
}

/* "file:line file:line" of all, by the ends of the files' names. */
static void assert_mistakes(const struct profile_mistakes *mistakes, const char *expected)
{
	struct text text = { 0 };

	text_add(&text, "");
	for (size_t i = 0; i < mistakes->count; i++) {
		const struct diag *diag = &mistakes->items[i];
		const char *name = strrchr(diag->where, '/');

		text_addf(&text, "%s%s:%u", i ? " " : "", name ? name + 1 : diag->where,
			  diag->line);
	}
	assert_string_equal(text.data, expected);
	text_done(&text);
}

static void test_all_mistakes_of_a_chain(void **state)
{
	struct fixture *fixture = *state;
	struct profile_mistakes mistakes = { 0 };

	test_write(fixture->dir, "share/parent.json",
		   "{ \"name\": \"parent\", \"inherits\": \"absent\",\n\"rules\": [\n{} ] }");
	test_write(fixture->dir, "share/child.json",
		   "{ \"name\": \"child\", \"inherits\": \"parent\", \"rules\": [\n"
		   "{ \"queue\": { \"nomerges\": 7 }, \"match\": { \"class\": \"x\" } },\n"
		   "{} ],\n \"more\": 1 }");
	assert_int_equal(profile_check(fixture->root, fixture->search, "child",
				       &fixture->profile, &mistakes),
			 -EINVAL);
	assert_null(fixture->profile);
	assert_mistakes(&mistakes, "child.json:2 child.json:2 child.json:3 child.json:4 "
				   "parent.json:1 parent.json:3");
	assert_int_equal(mistakes.more, 0);
	/* one of which nothing could be read is one mistake */
	mistakes = (struct profile_mistakes){ 0 };
	assert_int_equal(profile_check_text(NULL, NULL, "{ \"name\"", 8, "p.json",
					    &fixture->profile, &mistakes),
			 -EINVAL);
	assert_mistakes(&mistakes, "p.json:1");
	/* and one without mistakes is there */
	add(fixture, "share", "good", NULL);
	mistakes = (struct profile_mistakes){ 0 };
	assert_int_equal(profile_check(fixture->root, fixture->search, "good",
				       &fixture->profile, &mistakes),
			 0);
	assert_non_null(fixture->profile);
	assert_int_equal(mistakes.count, 0);
}

static void test_mistakes_are_capped(void **state)
{
	struct profile_mistakes mistakes = { 0 };
	struct profile *profile = NULL;
	struct text text = { 0 };

	(void)state;
	text_add(&text, "{ \"name\": \"p\", \"rules\": [ {}");
	for (unsigned i = 0; i < 100; i++)
		text_add(&text, ", {}");
	text_add(&text, "] }");
	assert_int_equal(profile_check_text(NULL, NULL, text.data, text.len, "p.json",
					    &profile, &mistakes),
			 -EINVAL);
	assert_int_equal(mistakes.count, PROFILE_MISTAKE_MAX);
	assert_int_equal(mistakes.more, 101 - PROFILE_MISTAKE_MAX);
	text_done(&text);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_etc_comes_first),
		TEST(test_file_by_path),
		TEST(test_unknown_name_lists_the_known),
		TEST(test_name_must_be_that_of_the_file),
		TEST(test_broken_one_hides_the_shipped),
		TEST(test_inherits),
		TEST(test_inherits_from_what_it_hides),
		TEST(test_refuses_circles),
		TEST(test_refuses_long_chains),
		TEST(test_missing_parent_names_the_child),
		TEST(test_lists_all),
		TEST(test_all_mistakes_of_a_chain),
		TEST(test_mistakes_are_capped),
		cmocka_unit_test(test_search_of_the_environment),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
