// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Device overrides: what a file may say, which class settings come of it, and that they
 * find a disk by its identity whatever it is called today (user problem 6).
 */
#include "policy-host.h"

#include <errno.h>

#define DIR "etc/iosched-tune/devices.d/"

static int load(const char *dir, struct policy_overrides **ret, struct diag *diag)
{
	struct root *root = NULL;
	int error;

	assert_int_equal(root_open(dir, &root, NULL), 0);
	error = policy_overrides_load(root, ret, diag);
	root_free(root);
	return error;
}

static void test_no_directory_is_no_override(void **state)
{
	struct policy_overrides *overrides = NULL;
	char *dir = test_scratch_new();
	size_t count = 1;

	(void)state;
	assert_int_equal(load(dir, &overrides, NULL), 0);
	policy_overrides_classes(overrides, &count);
	assert_int_equal(count, 0);
	policy_overrides_free(overrides);
	test_scratch_done(dir);
}

static void test_classes_of_lists(void **state)
{
	struct policy_overrides *overrides = NULL;
	char *dir = test_scratch_new();
	const struct device_override *classes;
	size_t count = 0;

	(void)state;
	test_write(dir, DIR "10-log.json",
		   "{ \"devices\": [ {\n"
		   "\"match\": { \"wwn\": [\"a\", \"b\"], \"serial\": \"s\" },\n"
		   "\"class\": \"nvme\" } ] }");
	assert_int_equal(load(dir, &overrides, NULL), 0);
	classes = policy_overrides_classes(overrides, &count);
	assert_int_equal(count, 2);
	assert_string_equal(classes[0].wwn, "a");
	assert_string_equal(classes[1].wwn, "b");
	assert_string_equal(classes[1].serial, "s");
	assert_null(classes[1].by_id);
	assert_int_equal(classes[1].class, CLASS_NVME);
	assert_string_equal(classes[1].source, "devices.d/10-log.json:3");
	policy_overrides_free(overrides);
	test_scratch_done(dir);
}

static void assert_refused(const char *text, unsigned line, const char *words)
{
	struct policy_overrides *overrides = NULL;
	char *dir = test_scratch_new();
	struct diag diag = { 0 };

	test_write(dir, DIR "50-x.json", text);
	assert_int_equal(load(dir, &overrides, &diag), -EINVAL);
	assert_null(overrides);
	assert_string_equal(diag.where, "/etc/iosched-tune/devices.d/50-x.json");
	if (diag.line != line || !strstr(diag.text, words))
		fail_msg("got line %u: %s", diag.line, diag.text);
	test_scratch_done(dir);
}

static void test_refuses_mistakes(void **state)
{
	(void)state;
	assert_refused("{", 1, "not valid JSON");
	assert_refused("{ \"rules\": [] }", 1, "\"rules\"");
	assert_refused("{ \"devices\": [ { \"match\": {},\n\"scheduler\": \"bfq\" } ] }",
		       1, "names no device");
	assert_refused("{ \"devices\": [ { \"match\": { \"class\": \"hdd\" },\n"
		       "\"scheduler\": \"bfq\" } ] }",
		       1, "names no device");
	assert_refused("{ \"devices\": [ { \"match\": { \"wwn\": \"x\" } } ] }", 1,
		       "sets nothing");
	assert_refused("{ \"devices\": [ { \"match\": { \"wwn\": \"x\" },\n"
		       "\"class\": \"hdt\" } ] }",
		       2, "\"hdt\"");
	assert_refused(
		"{ \"devices\": [ { \"match\": { \"wwn\": \"x\", \"model\": \"y\" },\n"
		"\"class\": \"hdd\" } ] }",
		2, "only");
}

/* The class changes, and with it which rule of the profile fits. */
/* For a report: what can be understood counts, of the rest is said what is wrong. */
static void test_sound_ones_alone(void **state)
{
	struct policy_overrides *overrides = NULL;
	char *dir = test_scratch_new();
	struct strv problems = { 0 };
	struct root *root = NULL;
	struct diag diag = { 0 };
	size_t count = 0;

	(void)state;
	test_write(dir, DIR "10-a.json",
		   "{ \"devices\": [ { \"match\": { \"serial\": \"s\" }, "
		   "\"class\": \"nvme\" } ] }");
	test_write(dir, DIR "20-b.json",
		   "{ \"devices\": [ {\n\"match\": { \"class\": \"ssd\" },\n"
		   "\"scheduler\": \"none\" }, { \"match\": { \"serial\": \"t\" }, "
		   "\"class\": \"hdd\" } ] }");
	test_write(dir, DIR "30-c.json", "{");
	test_write(dir, DIR "40-d.json",
		   "{ \"devices\": [ { \"match\": { \"serial\": \"u\" }, "
		   "\"class\": \"ssd\" } ] }");
	assert_int_equal(root_open(dir, &root, NULL), 0);
	assert_int_equal(policy_overrides_load_sound(root, &overrides, &problems, &diag),
			 0);
	assert_int_equal(diag.error, 0);
	assert_int_equal(problems.count, 2);
	assert_non_null(strstr(problems.items[0], "20-b.json:2: "));
	assert_non_null(strstr(problems.items[1], "30-c.json:1: "));
	assert_string_equal(policy_overrides_classes(overrides, &count)[1].serial, "u");
	assert_int_equal(count, 2);
	strv_done(&problems);
	policy_overrides_free(overrides);
	root_free(root);
	test_scratch_done(dir);
}

static void test_class_by_identity(void **state)
{
	char *dir = test_scratch_new();
	struct host_fixture host;

	(void)state;
	test_write(dir, DIR "a.json",
		   "{ \"devices\": [ { \"match\": { \"wwn\": \"0x5000c500*\" }, "
		   "\"class\": \"ssd\" } ] }");
	host_open(&host, "policy-server-6.1.txt", dir);
	assert_int_equal(host_device(&host, "sda")->class, CLASS_SSD);
	assert_string_equal(host_device(&host, "sda")->override_source,
			    "devices.d/a.json:1");
	assert_int_equal(host_resolve(&host, "database", NULL, NULL), 0);
	assert_wanted(&host, "sda", "scheduler", "none");
	assert_wanted(&host, "sda", "mq-deadline.read_expire", NULL);
	host_close(&host);
	test_scratch_done(dir);
}

static void test_values_by_identity(void **state)
{
	char *dir = test_scratch_new();
	struct host_fixture host;
	const struct policy_value *value;

	(void)state;
	test_write(dir, DIR "10-a.json",
		   "{ \"devices\": [ { \"match\": { \"by-path\": "
		   "\"pci-0000:00:17.0-ata-2\" },\n"
		   "\"scheduler\": \"bfq\", \"queue\": { \"nomerges\": 1 },\n"
		   "\"why\": \"a trial\" } ] }");
	test_write(dir, DIR "20-b.json",
		   "{ \"devices\": [ { \"match\": { \"serial\": \"S45NNE0K\" },\n"
		   "\"queue\": { \"nomerges\": 2 } } ] }");
	host_open(&host, "policy-server-6.1.txt", dir);
	assert_int_equal(host_resolve(&host, "database", NULL, NULL), 0);
	value = host_value(&host, "sdb", "scheduler");
	assert_string_equal(value->value, "bfq");
	assert_int_equal(value->origin, ORIGIN_OVERRIDE);
	assert_string_equal(value->source, "devices.d/10-a.json:2");
	assert_string_equal(value->why, "a trial");
	/* Of two files the later one wins. */
	assert_wanted(&host, "sdb", "nomerges", "2");
	assert_wanted(&host, "sda", "nomerges", NULL);
	/* The command line is above both. */
	assert_int_equal(
		host_resolve(&host, "database", "sdb", "scheduler=none nomerges=0"), 0);
	assert_wanted(&host, "sdb", "scheduler", "none");
	assert_wanted(&host, "sdb", "nomerges", "0");
	host_close(&host);
	test_scratch_done(dir);
}

/* Overrides count without a profile too. */
static void test_override_alone(void **state)
{
	char *dir = test_scratch_new();
	struct host_fixture host;

	(void)state;
	test_write(
		dir, DIR "a.json",
		"{ \"devices\": [ { \"match\": { \"serial\": \"ZDH1ABCD\" }, "
		"\"scheduler\": \"bfq\" },\n{ \"match\": { \"serial\": \"S45NNE0K\" }, "
		"\"scheduler\": \"keep\", \"why\": \"hands off\" } ] }");
	host_open(&host, "policy-server-6.1.txt", dir);
	assert_int_equal(host_resolve(&host, NULL, NULL, NULL), 0);
	assert_wanted(&host, "sda", "scheduler", "bfq");
	assert_reason(&host, "sdb", POLICY_LEFT, "devices.d/a.json:2: hands off");
	assert_reason(&host, "nvme0n1", POLICY_LEFT, "nothing is asked");
	assert_int_equal(host_resolve(&host, "database", NULL, NULL), 0);
	assert_reason(&host, "sdb", POLICY_LEFT, "hands off");
	host_close(&host);
	test_scratch_done(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_no_directory_is_no_override),
		cmocka_unit_test(test_classes_of_lists),
		cmocka_unit_test(test_refuses_mistakes),
		cmocka_unit_test(test_sound_ones_alone),
		cmocka_unit_test(test_class_by_identity),
		cmocka_unit_test(test_values_by_identity),
		cmocka_unit_test(test_override_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
