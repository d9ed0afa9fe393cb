// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The root handle over a directory tree: links stay inside, odd nodes are refused,
 * replacing is whole, locks exclude.
 */
#include "test.h"

#include <errno.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "sysfs/root.h"

struct fixture {
	char *dir;
	struct root *root;
};

static int set_up(void **state)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));

	if (!fixture)
		return -1;
	fixture->dir = test_scratch_new();
	test_write(fixture->dir, "sys/devices/d0/block/sda/queue/rotational", "1\n");
	test_write(fixture->dir, "sys/devices/d0/model", "Disk\n");
	test_write(fixture->dir, "etc/secret", "inside\n");
	if (root_open(fixture->dir, &fixture->root, NULL))
		return -1;
	*state = fixture;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *fixture = *state;

	root_free(fixture->root);
	test_scratch_done(fixture->dir);
	free(fixture);
	return 0;
}

static void add_link(const struct fixture *fixture, const char *target, const char *name)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/%s", fixture->dir, name);
	assert_int_equal(symlink(target, path), 0);
}

static void test_reads_and_lists(void **state)
{
	struct fixture *fixture = *state;
	char *value = NULL;
	struct strv names = { 0 };

	assert_int_equal(root_get_kind(fixture->root), ROOT_DIR);
	assert_int_equal(root_read(fixture->root,
				   "sys/devices/d0/block/sda/queue/rotational", &value), 0);
	assert_string_equal(value, "1");
	free(value);
	assert_int_equal(root_list(fixture->root, "sys/devices/d0", &names), 0);
	assert_int_equal(names.count, 2);
	assert_string_equal(names.items[0], "block");
	strv_done(&names);
	assert_int_equal(root_read(fixture->root, "sys/nothing", &value), -ENOENT);
	assert_int_equal(root_read(fixture->root, "sys/devices", &value), -EBADMSG);
}

/* Those that end so, as paths; a folder that is not there has none. */
static void test_lists_files(void **state)
{
	struct fixture *fixture = *state;
	struct strv paths = { 0 };

	test_write(fixture->dir, "etc/some.d/10-a.conf", "a");
	test_write(fixture->dir, "etc/some.d/9-b.conf", "b");
	test_write(fixture->dir, "etc/some.d/10-a.conf.old", "c");
	assert_int_equal(root_list_files(fixture->root, "etc/some.d", ".conf", &paths), 0);
	assert_int_equal(paths.count, 2);
	assert_string_equal(paths.items[0], "etc/some.d/9-b.conf");
	assert_string_equal(paths.items[1], "etc/some.d/10-a.conf");
	strv_done(&paths);
	assert_int_equal(root_list_files(fixture->root, "etc/none.d", ".conf", &paths), 0);
	assert_int_equal(paths.count, 0);
}

static void test_paths_are_checked(void **state)
{
	static const char *const bad[] = { "", "/sys", "sys/../etc", "..", "a//b", "a/", "./a" };
	struct fixture *fixture = *state;
	char *value = NULL;

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		assert_int_equal(root_read(fixture->root, bad[i], &value), -EINVAL);
}

static void test_links_stay_inside(void **state)
{
	struct fixture *fixture = *state;
	char *value = NULL;

	add_link(fixture, "/etc/secret", "absolute");
	add_link(fixture, "../../../../../../../etc/secret", "upward");
	add_link(fixture, "loop2", "loop1");
	add_link(fixture, "loop1", "loop2");
	assert_int_equal(root_read(fixture->root, "absolute", &value), 0);
	assert_string_equal(value, "inside");
	free(value);
	assert_int_equal(root_read(fixture->root, "upward", &value), 0);
	assert_string_equal(value, "inside");
	free(value);
	assert_int_equal(root_read(fixture->root, "loop1", &value), -ELOOP);
	assert_int_equal(root_resolve(fixture->root, "loop1", &value), -ELOOP);
}

static void test_dir_follows_device_link(void **state)
{
	struct fixture *fixture = *state;
	struct root_dir dir = ROOT_DIR_NONE, queue = ROOT_DIR_NONE;
	char buf[16], *link = NULL, *resolved = NULL;

	add_link(fixture, "../..", "sys/devices/d0/block/sda/device");
	test_write(fixture->dir, "sys/block/x", "");
	add_link(fixture, "../devices/d0/block/sda", "sys/block/sda");
	assert_int_equal(root_dir_open(fixture->root, "sys/block/sda", &dir), 0);
	assert_int_equal(root_dir_read(&dir, "device/model", buf, sizeof(buf)), 4);
	assert_string_equal(buf, "Disk");
	assert_int_equal(root_dir_read(&dir, "device/model", buf, 4), -EFBIG);
	assert_int_equal(root_dir_read_link(&dir, "device", &link), 0);
	assert_string_equal(link, "../..");
	free(link);
	assert_int_equal(root_dir_open_at(&dir, "queue", &queue), 0);
	assert_true(root_dir_exists(&queue, "rotational"));
	assert_true(root_dir_is_writable(&queue, "rotational"));
	assert_false(root_dir_is_writable(&queue, "absent"));
	root_dir_done(&queue);
	root_dir_done(&dir);
	assert_int_equal(root_resolve(fixture->root, "sys/block/sda", &resolved), 0);
	assert_string_equal(resolved, "sys/devices/d0/block/sda");
	free(resolved);
}

static void test_fifo_does_not_hang(void **state)
{
	struct fixture *fixture = *state;
	struct root_dir dir = ROOT_DIR_NONE;
	char path[4096], buf[16], *value = NULL;

	snprintf(path, sizeof(path), "%s/sys/fifo", fixture->dir);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_int_equal(root_read(fixture->root, "sys/fifo", &value), -EBADMSG);
	assert_int_equal(root_dir_open(fixture->root, "sys", &dir), 0);
	assert_int_equal(root_dir_read(&dir, "fifo", buf, sizeof(buf)), -EBADMSG);
	root_dir_done(&dir);
	assert_true(root_write(fixture->root, "sys/fifo", "x") < 0);
	assert_true(root_append(fixture->root, "sys/fifo", "x", 0600) < 0);
}

static void test_nul_is_refused(void **state)
{
	struct fixture *fixture = *state;
	char path[4096], *value = NULL;
	FILE *file;

	snprintf(path, sizeof(path), "%s/sys/nul", fixture->dir);
	file = fopen(path, "w");
	assert_non_null(file);
	fwrite("a\0b", 1, 3, file);
	fclose(file);
	assert_int_equal(root_read(fixture->root, "sys/nul", &value), -EBADMSG);
}

static void test_write_never_creates(void **state)
{
	struct fixture *fixture = *state;
	char *value = NULL;

	assert_int_equal(root_write(fixture->root, "sys/new", "1"), -ENOENT);
	assert_int_equal(root_write(fixture->root, "sys/devices/d0/model", "x"), 0);
	assert_int_equal(root_read(fixture->root, "sys/devices/d0/model", &value), 0);
	assert_string_equal(value, "x");
	free(value);
}

static void test_write_below_a_directory(void **state)
{
	struct fixture *fixture = *state;
	_root_dir_ struct root_dir dir = ROOT_DIR_NONE;
	char text[16], path[4096];

	assert_int_equal(root_dir_open(fixture->root, "sys/devices/d0/block/sda", &dir), 0);
	assert_int_equal(root_dir_check_write(&dir, "queue/rotational"), 0);
	assert_int_equal(root_dir_read(&dir, "queue/rotational", text, sizeof(text)), 1);
	assert_string_equal(text, "1");
	assert_int_equal(root_dir_write(&dir, "queue/rotational", "10"), 0);
	assert_int_equal(root_dir_write(&dir, "queue/rotational", "0"), 0);
	assert_int_equal(root_dir_read(&dir, "queue/rotational", text, sizeof(text)), 1);
	assert_string_equal(text, "0");
	assert_int_equal(root_dir_write(&dir, "queue/new", "1"), -ENOENT);
	assert_int_equal(root_dir_check_write(&dir, "queue/new"), -ENOENT);
	assert_int_equal(root_dir_write(&dir, "../sda/queue/rotational", "1"), -EINVAL);
	snprintf(path, sizeof(path), "%s/sys/devices/d0/block/sda/queue/fifo", fixture->dir);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_true(root_dir_write(&dir, "queue/fifo", "1") < 0);
	assert_true(root_dir_check_write(&dir, "queue/fifo") < 0);
}

static void test_replace(void **state)
{
	struct fixture *fixture = *state;
	struct strv names = { 0 };
	char *value = NULL;
	struct stat st;
	char path[4096];

	assert_int_equal(root_make_dir(fixture->root, "var/lib/x", 0700), 0);
	assert_int_equal(root_make_dir(fixture->root, "var/lib/x", 0700), 0);
	snprintf(path, sizeof(path), "%s/var/lib/x", fixture->dir);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0700);
	/* what a killed run left behind is no obstacle */
	test_write(fixture->dir, "var/lib/x/.j.iosched-tune", "junk");
	assert_int_equal(root_replace(fixture->root, "var/lib/x/j", "one", 3, 0600), 0);
	assert_int_equal(root_replace(fixture->root, "var/lib/x/j", "two", 3, 0600), 0);
	assert_int_equal(root_read(fixture->root, "var/lib/x/j", &value), 0);
	assert_string_equal(value, "two");
	free(value);
	assert_int_equal(root_list(fixture->root, "var/lib/x", &names), 0);
	assert_int_equal(names.count, 1);
	strv_done(&names);
	add_link(fixture, "j", "var/lib/x/planted");
	assert_int_equal(root_replace(fixture->root, "var/lib/x/planted", "z", 1, 0600),
			 -ELOOP);
	assert_int_equal(root_remove(fixture->root, "var/lib/x/j"), 0);
	assert_int_equal(root_remove(fixture->root, "var/lib/x/j"), -ENOENT);
}

static void test_lock_excludes(void **state)
{
	struct fixture *fixture = *state;
	int fd = -1, status;
	pid_t child;

	assert_int_equal(root_lock(fixture->root, "lock", &fd, NULL), 0);
	child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		pid_t holder = 0;
		int other = -1;
		int error = root_lock(fixture->root, "lock", &other, &holder);

		_exit(error == -EWOULDBLOCK && holder == getppid() ? 0 : 1);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	close(fd);
	assert_int_equal(root_lock(fixture->root, "lock", &fd, NULL), 0);
	close(fd);
}

static void test_append(void **state)
{
	struct fixture *fixture = *state;
	char *value = NULL;

	assert_int_equal(root_append(fixture->root, "log", "one", 0640), 0);
	assert_int_equal(root_append(fixture->root, "log", "two", 0640), 0);
	assert_int_equal(root_read(fixture->root, "log", &value), 0);
	assert_string_equal(value, "one\ntwo");
	free(value);
	add_link(fixture, "etc/secret", "loglink");
	assert_int_equal(root_append(fixture->root, "loglink", "x", 0640), -ELOOP);
}

static void test_read_file_is_exact(void **state)
{
	struct fixture *fixture = *state;
	struct root_file file = { 0 };
	char path[4096];

	test_write(fixture->dir, "etc/exact", "a\r\n\n\n");
	snprintf(path, sizeof(path), "%s/etc/exact", fixture->dir);
	assert_int_equal(chmod(path, 0640), 0);
	assert_int_equal(root_read_file(fixture->root, "etc/exact", &file), 0);
	assert_int_equal(file.len, 5);
	assert_memory_equal(file.data, "a\r\n\n\n", 6);
	assert_int_equal(file.mode, 0640);
	root_file_done(&file);
	add_link(fixture, "exact", "etc/link");
	assert_int_equal(root_read_file(fixture->root, "etc/link", &file), -ELOOP);
	assert_int_equal(root_read_file(fixture->root, "etc", &file), -EISDIR);
	assert_int_equal(root_read_file(fixture->root, "etc/absent", &file), -ENOENT);
	assert_null(file.data);
}

static void test_links_and_dirs(void **state)
{
	struct fixture *fixture = *state;
	char *target = NULL;

	assert_int_equal(root_make_dir(fixture->root, "etc/wants", 0755), 0);
	assert_int_equal(root_make_link(fixture->root, "etc/wants/a", "../a"), 0);
	assert_int_equal(root_make_link(fixture->root, "etc/wants/a", "../a"), 0);
	assert_int_equal(root_make_link(fixture->root, "etc/wants/a", "../b"), -EEXIST);
	assert_int_equal(root_read_link(fixture->root, "etc/wants/a", &target), 0);
	assert_string_equal(target, "../a");
	free(target);
	assert_int_equal(root_remove_dir(fixture->root, "etc/wants"), -ENOTEMPTY);
	assert_int_equal(root_remove(fixture->root, "etc/wants/a"), 0);
	assert_int_equal(root_remove_dir(fixture->root, "etc/wants"), 0);
	assert_false(root_exists(fixture->root, "etc/wants"));
}

static void test_snapshot_is_read_only(void **state)
{
	struct fixture *fixture = *state;
	struct root *root = NULL;
	struct diag diag = { 0 };
	struct root_dir dir = ROOT_DIR_NONE;
	char path[4096], buf[16], *value = NULL;

	test_write(fixture->dir, "host.txt",
		   "# iosched-tune snapshot 1\n"
		   "/sys/block/sda -> ../devices/sda\n"
		   "/sys/devices/sda/queue/rotational := 1\\n\n");
	snprintf(path, sizeof(path), "%s/host.txt", fixture->dir);
	assert_int_equal(root_open(path, &root, &diag), 0);
	assert_int_equal(root_get_kind(root), ROOT_SNAPSHOT);
	assert_int_equal(root_read(root, "sys/block/sda/queue/rotational", &value), 0);
	assert_string_equal(value, "1");
	free(value);
	assert_int_equal(root_dir_open(root, "sys/block/sda", &dir), 0);
	assert_int_equal(root_dir_read(&dir, "queue/rotational", buf, sizeof(buf)), 1);
	assert_true(root_dir_is_writable(&dir, "queue/rotational"));
	root_dir_done(&dir);
	assert_int_equal(root_write(root, "sys/block/sda/queue/rotational", "0"), -EROFS);
	assert_int_equal(root_replace(root, "x", "y", 1, 0600), -EROFS);
	assert_int_equal(root_make_dir(root, "x", 0700), -EROFS);
	root_free(root);
}

static void test_open_refuses(void **state)
{
	struct fixture *fixture = *state;
	struct root *root = NULL;
	struct diag diag = { 0 };
	char path[4096];

	snprintf(path, sizeof(path), "%s/absent", fixture->dir);
	assert_int_equal(root_open(path, &root, &diag), -ENOENT);
	assert_string_equal(diag.where, path);
	snprintf(path, sizeof(path), "%s/fifo", fixture->dir);
	assert_int_equal(mkfifo(path, 0600), 0);
	diag = (struct diag){ 0 };
	assert_int_equal(root_open(path, &root, &diag), -ENOTDIR);
	assert_null(root);
	test_write(fixture->dir, "bad.txt", "# iosched-tune snapshot 1\n/a = 1\n/sys/../b = 1\n");
	snprintf(path, sizeof(path), "%s/bad.txt", fixture->dir);
	diag = (struct diag){ 0 };
	assert_int_equal(root_open(path, &root, &diag), -EINVAL);
	assert_string_equal(diag.where, path);
	assert_int_equal(diag.line, 3);
}

/* Only nodes of this host are opened, and only block devices with that number. */
static void test_only_this_hosts_devices_are_opened(void **state)
{
	struct fixture *fixture = *state;
	struct root *host = NULL;

	test_write(fixture->dir, "dev/sda", "");
	assert_int_equal(root_open_device(fixture->root, "dev/sda", 8, 0), -EOPNOTSUPP);
	assert_int_equal(root_open(NULL, &host, NULL), 0);
	assert_int_equal(root_open_device(host, "dev/null", 1, 3), -ENODEV);
	assert_int_equal(root_open_device(host, "dev/../dev/null", 1, 3), -EINVAL);
	assert_int_equal(root_open_device(host, "dev/no-such-node", 1, 3), -ENOENT);
	root_free(host);
}

/* A file that could not be opened for lack of descriptors is not one that is absent. */
static void test_shortage_is_remembered(void **state)
{
	struct fixture *fixture = *state;
	_root_dir_ struct root_dir dir = ROOT_DIR_NONE;
	struct diag diag = { 0 };
	struct root *other = NULL;
	struct rlimit old, low;
	char buf[16];

	assert_int_equal(root_dir_open(fixture->root, "sys/devices/d0", &dir), 0);
	assert_int_equal(root_dir_read(&dir, "absent", buf, sizeof(buf)), -ENOENT);
	assert_int_equal(root_get_shortage(fixture->root), 0);
	assert_int_equal(root_check_shortage(fixture->root, &diag), 0);
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &old), 0);
	low = (struct rlimit){ .rlim_cur = 3, .rlim_max = old.rlim_max };
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &low), 0);
	assert_int_equal(root_dir_read(&dir, "model", buf, sizeof(buf)), -EMFILE);
	assert_int_equal(root_open(fixture->dir, &other, &diag), -EMFILE);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &old), 0);
	assert_int_equal(root_get_shortage(fixture->root), -EMFILE);
	diag = (struct diag){ 0 };
	assert_int_equal(root_check_shortage(fixture->root, &diag), -EMFILE);
	assert_non_null(strstr(diag.text, strerror(EMFILE)));
	assert_non_null(strstr(diag.hint, "ulimit -n"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_lists_files, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_reads_and_lists, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_paths_are_checked, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_links_stay_inside, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_dir_follows_device_link, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(test_fifo_does_not_hang, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_nul_is_refused, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_write_never_creates, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_write_below_a_directory, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(test_replace, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_lock_excludes, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_shortage_is_remembered, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(test_append, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_read_file_is_exact, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_links_and_dirs, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_snapshot_is_read_only, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_open_refuses, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_only_this_hosts_devices_are_opened,
						set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
