/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hosts from tests/fixtures/hosts, and hosts written out in a test, scanned.
 */
#ifndef IOSCHED_TESTS_HOST_FIXTURE_H
#define IOSCHED_TESTS_HOST_FIXTURE_H

#include "test.h"

#include "device/device.h"
#include "device/host.h"

struct host_fixture {
	struct root *root;
	struct device_list *list;
};

static inline struct host_fixture host_fixture_open(const char *path, unsigned needs)
{
	struct host_fixture fixture = { 0 };
	struct diag diag = { 0 };

	if (root_open(path, &fixture.root, &diag) ||
	    device_scan(fixture.root, needs, NULL, 0, &fixture.list, &diag)) {
		print_error("%s:%u: %s\n", diag.where, diag.line, diag.text);
		fail();
	}
	return fixture;
}

/* Tests start in the top folder. */
static inline struct host_fixture host_fixture_scan(const char *name, unsigned needs)
{
	char path[512];

	snprintf(path, sizeof(path), "tests/fixtures/hosts/%s.txt", name);
	return host_fixture_open(path, needs);
}

/* `body`: the lines of a snapshot after the first. */
static inline struct host_fixture host_fixture_text(const char *body, unsigned needs)
{
	char *dir = test_scratch_new(), path[512], *text;
	struct host_fixture fixture;

	if (asprintf(&text, "# iosched-tune snapshot 1\n%s", body) < 0)
		abort();
	test_write(dir, "host.txt", text);
	snprintf(path, sizeof(path), "%s/host.txt", dir);
	fixture = host_fixture_open(path, needs);
	free(text);
	test_scratch_done(dir);
	return fixture;
}

static inline void host_fixture_done(struct host_fixture *fixture)
{
	device_list_free(fixture->list);
	root_free(fixture->root);
	*fixture = (struct host_fixture){ 0 };
}

static inline const struct device *host_fixture_get(const struct host_fixture *fixture,
						    const char *name)
{
	const struct device *device = device_find_by_name(fixture->list, name);

	if (!device)
		print_error("no device %s\n", name);
	assert_non_null(device);
	return device;
}

/* The strings of a vector, separated by spaces. */
static inline void assert_strv(const struct strv *strv, const char *want)
{
	_text_ struct text text = { 0 };

	for (size_t i = 0; i < strv->count; i++)
		text_addf(&text, "%s%s", i ? " " : "", strv->items[i]);
	text_add(&text, "");
	assert_string_equal(text.data, want);
}

/* NULL equals only NULL. */
static inline void assert_text(const char *have, const char *want)
{
	if (have && want)
		assert_string_equal(have, want);
	else
		assert_ptr_equal(have, want);
}

#endif
