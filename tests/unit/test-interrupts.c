// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Interrupts of a disk in a made-up tree.
 */
#include "test.h"

#include "diagnose/interrupts.h"

#define BUS "sys/devices/pci0000:00/0000:00:17.0"

static void test_lists_of_processors(void **state)
{
	(void)state;
	assert_true(cpu_lists_meet("0-3,8", "8"));
	assert_true(cpu_lists_meet("5", "4-6"));
	assert_false(cpu_lists_meet("0-3", "4-7,12"));
	assert_false(cpu_lists_meet("", "0"));
	assert_false(cpu_lists_meet("junk", "0"));
	assert_false(cpu_lists_meet("1-", "1"));
	assert_true(cpu_lists_meet("0-99999999999999999999", "7"));
}

static void test_reads(void **state)
{
	char sys_path[] = BUS "/ata1/block/sda";
	struct device device = { .sys_path = sys_path };
	char *dir = test_scratch_new();
	struct root *root = NULL;
	struct interrupts found;

	(void)state;
	test_write(dir, BUS "/ata1/block/sda/dev", "8:0");
	assert_int_equal(root_open(dir, &root, NULL), 0);
	assert_int_equal(interrupts_read(root, &device, &found), 0);
	assert_int_equal(found.count, 0);
	assert_int_equal(found.numa_node, -1);
	interrupts_done(&found);

	test_write(dir, BUS "/msi_irqs/40", "msi");
	test_write(dir, BUS "/msi_irqs/41", "msi");
	test_write(dir, BUS "/numa_node", "1\n");
	test_write(dir, BUS "/local_cpulist", "2-3\n");
	test_write(dir, "proc/irq/40/smp_affinity_list", "0-1\n");
	test_write(dir, "proc/irq/41/effective_affinity_list", "1\n");
	test_write(dir, "proc/interrupts",
		   "           CPU0  CPU1  CPU2  CPU3\n"
		   "  39:  900000  0  0  0  IR-PCI-MSI other\n"
		   "  40:  10  20  0  0  IR-PCI-MSI a\n"
		   "  41:  0  970  0  0  IR-PCI-MSI b\n"
		   " NMI:  1  1  1  1  Non-maskable interrupts\n");
	assert_int_equal(interrupts_read(root, &device, &found), 0);
	assert_int_equal(found.count, 2);
	assert_string_equal(found.bus_path, BUS);
	assert_int_equal(found.total, 1000);
	assert_int_equal(found.busiest, 990);
	assert_int_equal(found.busiest_cpu, 1);
	assert_int_equal(found.cpus, 4);
	assert_int_equal(found.used_cpus, 2);
	assert_true(found.is_all_remote);
	assert_false(found.has_irqbalance);
	interrupts_done(&found);

	test_write(dir, "proc/irq/41/effective_affinity_list", "3\n");
	test_write(dir, "run/irqbalance.pid", "1\n");
	assert_int_equal(interrupts_read(root, &device, &found), 0);
	assert_false(found.is_all_remote);
	assert_true(found.has_irqbalance);
	interrupts_done(&found);
	root_free(root);
	test_scratch_done(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lists_of_processors),
		cmocka_unit_test(test_reads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
