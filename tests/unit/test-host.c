// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The machine: release, hypervisor, and which scheduler modules it has.
 */
#include "host-fixture.h"

#include "device/scan-internal.h"

static struct host *read_text(const char *body)
{
	struct host_fixture fixture = host_fixture_text(body, 0);
	struct host *host = NULL;

	assert_int_equal(host_read(fixture.root, &host, NULL), 0);
	host_fixture_done(&fixture);
	return host;
}

#define SYS "/sys/block/\n"

static void assert_virtualisation(const char *body, const char *want)
{
	struct host *host = read_text(body);

	assert_text(host->virtualisation, want);
	host_free(host);
}

static void test_virtualisation(void **state)
{
	(void)state;
	assert_virtualisation(SYS, NULL);
	assert_virtualisation(SYS "/proc/cpuinfo = flags\\t: fpu vme\n", "none");
	assert_virtualisation(SYS "/proc/cpuinfo = flags\\t: fpu hypervisor\n",
			      "vm-other");
	assert_virtualisation(SYS "/proc/cpuinfo = flags\\t: fpu hypervisorless vme\\n\n",
			      "none");
	assert_virtualisation(SYS "/proc/cpuinfo = Features\\t: fp\n", NULL);
	assert_virtualisation(SYS "/proc/cpuinfo = flags\\t: fpu hypervisor vme\n"
				  "/sys/class/dmi/id/sys_vendor = VMware, Inc.\n",
			      "vmware");
	/* hardware of a cloud's own, let whole: the same words, no hypervisor */
	assert_virtualisation(SYS "/proc/cpuinfo = flags\\t: fpu vme\n"
				  "/sys/class/dmi/id/sys_vendor = Amazon EC2\n",
			      "none");
	assert_virtualisation(SYS "/sys/hypervisor/type = xen\n", "xen");
}

static void test_modules_that_could_be_loaded(void **state)
{
	struct host *host = read_text(
		SYS
		"/proc/sys/kernel/osrelease = 6.1.0-26-amd64\n"
		"/lib/modules/6.1.0-26-amd64/modules.dep = "
		"kernel/block/bfq.ko.xz:\\nkernel/x/notbfq.ko: kernel/block/other.ko\n"
		"/lib/modules/6.1.0-26-amd64/modules.builtin = "
		"kernel/block/mq-deadline.ko\n");

	(void)state;
	assert_int_equal(host->kernel.major, 6);
	assert_true(host_can_load_scheduler(host, scheduler_find("bfq")));
	assert_true(host_can_load_scheduler(host, scheduler_find("mq-deadline")));
	assert_true(host_can_load_scheduler(host, scheduler_find("none")));
	assert_false(host_can_load_scheduler(host, scheduler_find("kyber")));
	host_free(host);
	/* no path is built from a release that is no single name */
	host = read_text(SYS "/proc/sys/kernel/osrelease = 6/x\n"
			     "/lib/modules/6/x/modules.dep = kernel/block/bfq.ko:\n");
	assert_int_equal(host->modules.count, 0);
	assert_int_equal(host->kernel.major, 0);
	host_free(host);
}

static void test_lists_module_by_its_whole_name(void **state)
{
	(void)state;
	assert_true(host_lists_module("kernel/block/bfq.ko", "bfq"));
	assert_true(host_lists_module("a.ko:\nextra/bfq.ko.zst: b.ko", "bfq"));
	assert_false(host_lists_module("kernel/block/bfq-test.ko", "bfq"));
	assert_false(host_lists_module("kernel/block/xbfq.ko", "bfq"));
	assert_false(host_lists_module("kernel/block/bfq.kox", "bfq"));
	assert_false(host_lists_module("kernel/block/bfq", "bfq"));
	assert_false(host_lists_module("", "bfq"));
}

static void test_read_text_of_fixture(void **state)
{
	struct host_fixture fixture = host_fixture_scan("linux-4.19-both", 0);

	(void)state;
	assert_string_equal(fixture.list->host->release, "4.19.0-27-amd64");
	assert_non_null(strstr(fixture.list->host->cmdline, "elevator=deadline"));
	assert_null(fixture.list->host->boot_id);
	host_fixture_done(&fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_virtualisation),
		cmocka_unit_test(test_modules_that_could_be_loaded),
		cmocka_unit_test(test_lists_module_by_its_whole_name),
		cmocka_unit_test(test_read_text_of_fixture),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
