/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A directory tree that stands for a system, for tests of what persist reads and writes.
 */
#ifndef IOSCHED_TESTS_PERSIST_TREE_H
#define IOSCHED_TESTS_PERSIST_TREE_H

#include "test.h"

#include "persist/backend.h"
#include "policy/profile.h"

struct tree {
	char *dir;
	struct root *root;
	struct profile *profile;
	struct policy_request request;
	struct device_list *devices;
	struct policy *policy;
	struct persist_input input;
};

static inline struct tree *tree_new(void)
{
	struct tree *tree = calloc(1, sizeof(*tree));
	struct diag diag = { 0 };

	assert_non_null(tree);
	tree->dir = test_scratch_new();
	test_write(tree->dir, "var/lib/here", "");
	assert_int_equal(root_open(tree->dir, &tree->root, &diag), 0);
	return tree;
}

static inline void tree_write(struct tree *tree, const char *path, const char *data)
{
	test_write(tree->dir, path, data);
}

/* One disk with that scheduler line. */
static inline void tree_add_disk(struct tree *tree, const char *name,
				 const char *schedulers)
{
	char path[256], target[256], link[4096];

	snprintf(path, sizeof(path), "sys/devices/%s/block/%s/dev", name, name);
	tree_write(tree, path, "8:0\n");
	snprintf(path, sizeof(path), "sys/devices/%s/block/%s/size", name, name);
	tree_write(tree, path, "2048\n");
	snprintf(path, sizeof(path), "sys/devices/%s/block/%s/device/vendor", name, name);
	tree_write(tree, path, "ATA\n");
	snprintf(path, sizeof(path), "sys/devices/%s/block/%s/device/model", name, name);
	tree_write(tree, path, "M\n");
	snprintf(path, sizeof(path), "sys/devices/%s/block/%s/queue/rotational", name,
		 name);
	tree_write(tree, path, "1\n");
	snprintf(path, sizeof(path), "sys/devices/%s/block/%s/queue/scheduler", name,
		 name);
	tree_write(tree, path, schedulers);
	tree_write(tree, "sys/block/.keep", "");
	snprintf(link, sizeof(link), "%s/sys/block/%s", tree->dir, name);
	snprintf(target, sizeof(target), "../devices/%s/block/%s", name, name);
	assert_int_equal(symlink(target, link), 0);
	snprintf(link, sizeof(link), "%s/sys/block/.keep", tree->dir);
	unlink(link);
}

/* Reads it as persist does, with a shipped profile. */
static inline void tree_read(struct tree *tree, const char *profile)
{
	struct diag diag = { 0 };

	assert_int_equal(
		profile_load(tree->root, "profiles", profile, &tree->profile, &diag), 0);
	tree->request = (struct policy_request){ .profile = tree->profile };
	if (root_exists(tree->root, "sys/block"))
		assert_int_equal(
			device_scan(tree->root, SCAN_ALL, NULL, 0, &tree->devices, &diag),
			0);
	else
		tree->devices = calloc(1, sizeof(*tree->devices));
	assert_non_null(tree->devices);
	assert_int_equal(
		policy_resolve(tree->devices, &tree->request, &tree->policy, &diag), 0);
	tree->input = (struct persist_input){ .root = tree->root,
					      .policy = &tree->request,
					      .resolved = tree->policy,
					      .devices = tree->devices,
					      .profile = profile,
					      .program = "/usr/bin/iosched-tune" };
}

static inline void tree_free(struct tree *tree)
{
	policy_free(tree->policy);
	device_list_free(tree->devices);
	profile_free(tree->profile);
	root_free(tree->root);
	test_scratch_done(tree->dir);
	free(tree);
}

#endif
