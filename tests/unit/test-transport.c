// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How disks are attached, and the driver of the adapter.
 */
#include "host-fixture.h"

static void test_transport_of_fixtures(void **state)
{
	static const struct {
		const char *host, *name, *transport, *driver, *host_driver;
	} rows[] = {
		{ "linux-2.6.18", "sda", "sata", "sd", "ata_piix" },
		{ "linux-2.6.18", "sdb", "scsi", "sd", "megaraid_sas" },
		{ "linux-2.6.18", "hdc", "ata", "ide-cdrom", NULL },
		{ "linux-2.6.18", "ram0", NULL, NULL, NULL },
		{ "linux-4.19-both", "sdb", "sata", "sd", "ahci" },
		{ "linux-4.19-both", "nvme0n1", "nvme", NULL, NULL },
		{ "linux-4.19-both", "mmcblk0", "mmc", "mmcblk", NULL },
		{ "linux-5.10-nvme-multipath", "nvme0n1", "nvme", NULL, NULL },
		{ "linux-5.10-dasd", "dasda", "ccw", "dasd-eckd", NULL },
		{ "linux-6.1-multipath", "sda", "fc", "sd", "qla2xxx" },
		{ "linux-6.1-raid", "sdo", "sas", "sd", "mpt3sas" },
		{ "linux-6.1-raid", "sdb", "scsi", "sd", "hpsa" },
		{ "linux-6.1-removable", "sda", "usb", "sd", "uas" },
		{ "linux-6.1-removable", "sdd", "ufs", "sd", "ufshcd" },
		{ "linux-6.1-removable", "sr0", "sata", "sr", "ahci" },
		{ "linux-6.12-virtual", "vda", "virtio", "virtio_blk", NULL },
		{ "linux-6.12-virtual", "sda", "virtio", "sd", "virtio_scsi" },
		{ "linux-6.12-virtual", "sdb", "vmbus", "sd", "storvsc_host_t" },
		{ "linux-6.12-virtual", "sdc", "vmware", "sd", "vmw_pvscsi" },
		{ "linux-6.12-virtual", "xvda", "xen", "vbd", NULL },
		{ "linux-6.12-network", "sda", "iscsi", "sd", "iscsi_tcp" },
		{ "linux-6.12-network", "sdb", "iscsi", "sd", "qla4xxx" },
		{ "linux-6.12-network", "nvme2n1", "nvme-tcp", NULL, NULL },
		{ "linux-6.12-network", "nbd0", NULL, NULL, NULL },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct host_fixture fixture =
			host_fixture_scan(rows[i].host, SCAN_IDENTITY);
		const struct device *device = host_fixture_get(&fixture, rows[i].name);

		assert_text(device->transport, rows[i].transport);
		assert_text(device->driver, rows[i].driver);
		assert_text(device->host_driver, rows[i].host_driver);
		host_fixture_done(&fixture);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_transport_of_fixtures),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
