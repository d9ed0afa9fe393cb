// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Who uses a device is asked before it is opened: so it can be tried without one. What is on
 * it, and a claim that succeeds, is for tests/live/bench.sh.
 */
#include "test.h"

#include <errno.h>

#include "bench/safety.h"
#include "util/cleanup.h"

static struct root *root;

static int open_root(void **state)
{
	struct diag diag = { 0 };
	char *dir = test_scratch_new();

	*state = dir;
	test_write(dir, "dev/sdx", "no device");
	return root_open(dir, &root, &diag);
}

static int close_root(void **state)
{
	root_free(root);
	test_scratch_done(*state);
	return 0;
}

static char name[] = "sdx", other[] = "dm-3", mount_point[] = "/srv", partition[] = "sdx1";

static void refuses(const struct device *device, int wanted, const char *word)
{
	struct diag diag = { 0 };

	assert_int_equal(bench_claim_device(root, device, name, &diag), wanted);
	if (!strstr(diag.text, word))
		fail_msg("\"%s\" is not in \"%s\"", word, diag.text);
}

static void test_in_use(void **state)
{
	char *others[] = { other };
	struct device_mount mounts[] = { { .source_name = partition, .target = NULL },
					 { .source_name = partition, .target = mount_point } };
	struct device device = { .name = name };

	(void)state;
	device.mounts = mounts;
	device.mount_count = 2;
	refuses(&device, -EBUSY, "sdx1 is mounted on /srv");
	device.mount_count = 1;
	device.is_swap = true;
	refuses(&device, -EBUSY, "it is swap");
	device = (struct device){ .name = name, .holders = { .items = others, .count = 1 } };
	refuses(&device, -EBUSY, "dm-3 is built on it");
	device = (struct device){ .name = name, .head = other };
	refuses(&device, -EBUSY, "a path of dm-3");
	device = (struct device){ .name = name, .is_read_only = true };
	refuses(&device, -EROFS, "read-only");
}

/* Another tree's nodes are not this host's devices. */
static void test_another_tree(void **state)
{
	const struct device device = { .name = name };

	(void)state;
	refuses(&device, -EOPNOTSUPP, "sdx cannot be opened");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_in_use),
		cmocka_unit_test(test_another_tree),
	};

	return cmocka_run_group_tests(tests, open_root, close_root);
}
