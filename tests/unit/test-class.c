// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The class of every disk of every fixture: kernels from 2.6.18 to 7.2, every class, and
 * the reports that must not mislead it.
 */
#include "host-fixture.h"

struct expectation {
	const char *host, *name;
	enum device_class class, nearest;
	enum device_confidence confidence;
	const char *evidence; /* the first fact */
};

#define CERTAIN CONFIDENCE_CERTAIN
#define LIKELY  CONFIDENCE_LIKELY
#define GUESS   CONFIDENCE_GUESS

static const struct expectation expectations[] = {
	{ "linux-2.6.18", "sda", CLASS_HDD, CLASS_HDD, GUESS, "transport = sata" },
	{ "linux-2.6.18", "sdb", CLASS_RAID, CLASS_HDD, CERTAIN,
	  "scsi_host/proc_name = megaraid_sas" },
	{ "linux-2.6.18", "hdc", CLASS_OPTICAL, CLASS_HDD, CERTAIN,
	  "device/driver = ide-cdrom" },
	{ "linux-2.6.18", "cciss/c0d0", CLASS_RAID, CLASS_HDD, CERTAIN,
	  "name = cciss!c0d0" },
	{ "linux-2.6.18", "fd0", CLASS_FLOPPY, CLASS_HDD, CERTAIN, "name = fd0" },
	{ "linux-2.6.18", "ram0", CLASS_RAM, CLASS_SSD, CERTAIN, "name = ram0" },
	{ "linux-2.6.18", "loop0", CLASS_LOOP, CLASS_HDD, CERTAIN, "name = loop0" },

	{ "linux-4.19-both", "sda", CLASS_HDD, CLASS_HDD, CERTAIN, "transport = sata" },
	{ "linux-4.19-both", "sdb", CLASS_SSD, CLASS_SSD, CERTAIN, "transport = sata" },
	{ "linux-4.19-both", "nvme0n1", CLASS_NVME, CLASS_NVME, CERTAIN,
	  "name = nvme0n1" },
	{ "linux-4.19-both", "mmcblk0", CLASS_EMMC, CLASS_SSD, CERTAIN,
	  "transport = mmc" },

	{ "linux-5.10-nvme-multipath", "nvme0n1", CLASS_NVME_HEAD, CLASS_NVME, CERTAIN,
	  "name = nvme0n1" },
	{ "linux-5.10-nvme-multipath", "nvme0c0n1", CLASS_NVME_PATH, CLASS_NVME, CERTAIN,
	  "name = nvme0c0n1" },
	{ "linux-7.2-nvme-multipath", "nvme0n1", CLASS_NVME_HEAD, CLASS_NVME, CERTAIN,
	  "name = nvme0n1" },
	{ "linux-7.2-nvme-multipath", "nvme0n2", CLASS_NVME_HEAD, CLASS_NVME, LIKELY,
	  "name = nvme0n2" },
	{ "linux-7.2-nvme-multipath", "nvme0c1n1", CLASS_NVME_PATH, CLASS_NVME, CERTAIN,
	  "name = nvme0c1n1" },
	{ "linux-5.10-dasd", "dasda", CLASS_DASD, CLASS_HDD, CERTAIN, "name = dasda" },

	{ "linux-6.1-stack", "dm-1", CLASS_DM, CLASS_SSD, CERTAIN, "name = dm-1" },
	{ "linux-6.1-stack", "md0", CLASS_MD, CLASS_SSD, CERTAIN, "name = md0" },
	{ "linux-6.1-multipath", "dm-0", CLASS_DM, CLASS_HDD, CERTAIN, "name = dm-0" },
	{ "linux-6.1-multipath", "sda", CLASS_RAID, CLASS_HDD, LIKELY, "transport = fc" },

	{ "linux-6.1-raid", "sda", CLASS_RAID, CLASS_HDD, CERTAIN,
	  "scsi_host/proc_name = megaraid_sas" },
	{ "linux-6.1-raid", "sdb", CLASS_RAID, CLASS_HDD, CERTAIN,
	  "scsi_host/proc_name = hpsa" },
	{ "linux-6.1-raid", "sdc", CLASS_RAID, CLASS_HDD, CERTAIN,
	  "scsi_host/proc_name = smartpqi" },
	{ "linux-6.1-raid", "sdd", CLASS_RAID, CLASS_HDD, CERTAIN,
	  "scsi_host/proc_name = aacraid" },
	{ "linux-6.1-raid", "sde", CLASS_RAID, CLASS_HDD, CERTAIN,
	  "device/model = Logical Volume" },
	{ "linux-6.1-raid", "sdf", CLASS_RAID, CLASS_HDD, CERTAIN,
	  "scsi_host/proc_name = 3w-9xxx" },
	{ "linux-6.1-raid", "sdg", CLASS_RAID, CLASS_HDD, CERTAIN,
	  "scsi_host/proc_name = megaraid_sas" },
	{ "linux-6.1-raid", "sdh", CLASS_RAID, CLASS_HDD, CERTAIN,
	  "device/vendor = DELL" },
	{ "linux-6.1-raid", "sdi", CLASS_RAID, CLASS_HDD, CERTAIN,
	  "scsi_host/proc_name = arcmsr" },
	{ "linux-6.1-raid", "sdj", CLASS_RAID, CLASS_HDD, CERTAIN,
	  "device/model = DELLBOSS VD" },
	{ "linux-6.1-raid", "sdk", CLASS_RAID, CLASS_HDD, LIKELY,
	  "device/vendor = NETAPP" },
	{ "linux-6.1-raid", "sdl", CLASS_HDD, CLASS_HDD, LIKELY,
	  "scsi_host/proc_name = megaraid_sas" },
	{ "linux-6.1-raid", "sdm", CLASS_SSD, CLASS_SSD, LIKELY,
	  "scsi_host/proc_name = megaraid_sas" },
	{ "linux-6.1-raid", "sdn", CLASS_HDD, CLASS_HDD, LIKELY,
	  "scsi_host/proc_name = smartpqi" },
	{ "linux-6.1-raid", "sdo", CLASS_HDD, CLASS_HDD, CERTAIN, "transport = sas" },

	{ "linux-6.12-virtual", "vda", CLASS_VIRTUAL, CLASS_SSD, CERTAIN,
	  "transport = virtio" },
	{ "linux-6.12-virtual", "xvda", CLASS_VIRTUAL, CLASS_SSD, CERTAIN,
	  "transport = xen" },
	{ "linux-6.12-virtual", "sda", CLASS_VIRTUAL, CLASS_SSD, CERTAIN,
	  "transport = virtio" },
	{ "linux-6.12-virtual", "sdb", CLASS_VIRTUAL, CLASS_SSD, CERTAIN,
	  "transport = vmbus" },
	{ "linux-6.12-virtual", "sdc", CLASS_VIRTUAL, CLASS_SSD, CERTAIN,
	  "transport = vmware" },
	{ "linux-6.12-virtual", "sdd", CLASS_VIRTUAL, CLASS_SSD, CERTAIN,
	  "device/model = QEMU HARDDISK" },
	{ "linux-6.12-virtual", "sde", CLASS_VIRTUAL, CLASS_SSD, CERTAIN,
	  "device/model = VBOX HARDDISK" },
	{ "linux-6.12-virtual", "sdf", CLASS_VIRTUAL, CLASS_SSD, CERTAIN,
	  "device/vendor = VMware," },
	{ "linux-6.12-virtual", "nvme0n1", CLASS_NVME, CLASS_NVME, CERTAIN,
	  "name = nvme0n1" },
	{ "linux-6.12-virtual", "nvme1n1", CLASS_VIRTUAL, CLASS_NVME, LIKELY,
	  "name = nvme1n1" },

	{ "linux-6.1-removable", "sda", CLASS_USB, CLASS_HDD, CERTAIN,
	  "transport = usb" },
	{ "linux-6.1-removable", "sdb", CLASS_USB, CLASS_HDD, CERTAIN,
	  "transport = usb" },
	{ "linux-6.1-removable", "sdc", CLASS_USB, CLASS_SSD, CERTAIN,
	  "transport = usb" },
	{ "linux-6.1-removable", "sdd", CLASS_UFS, CLASS_SSD, CERTAIN,
	  "transport = ufs" },
	{ "linux-6.1-removable", "sr0", CLASS_OPTICAL, CLASS_HDD, CERTAIN, "name = sr0" },
	{ "linux-6.1-removable", "fd0", CLASS_FLOPPY, CLASS_HDD, CERTAIN, "name = fd0" },
	{ "linux-6.1-removable", "mmcblk0", CLASS_SDCARD, CLASS_EMMC, CERTAIN,
	  "transport = mmc" },
	{ "linux-6.1-removable", "mmcblk1", CLASS_EMMC, CLASS_SSD, CERTAIN,
	  "transport = mmc" },

	{ "linux-6.1-zoned", "sda", CLASS_SMR_HDD, CLASS_HDD, CERTAIN,
	  "transport = sata" },
	{ "linux-6.1-zoned", "sdb", CLASS_SMR_HDD, CLASS_HDD, CERTAIN,
	  "transport = sata" },
	{ "linux-6.1-zoned", "nvme0n1", CLASS_ZNS, CLASS_NVME, CERTAIN,
	  "name = nvme0n1" },
	{ "linux-6.1-zoned", "nullb0", CLASS_RAM, CLASS_SSD, LIKELY, "name = nullb0" },

	{ "linux-6.12-network", "sda", CLASS_NETWORK, CLASS_HDD, CERTAIN,
	  "transport = iscsi" },
	{ "linux-6.12-network", "nbd0", CLASS_NETWORK, CLASS_SSD, CERTAIN,
	  "name = nbd0" },
	{ "linux-6.12-network", "rbd0", CLASS_NETWORK, CLASS_SSD, CERTAIN,
	  "name = rbd0" },
	{ "linux-6.12-network", "nvme2n1", CLASS_NVME, CLASS_NVME, CERTAIN,
	  "name = nvme2n1" },

	{ "linux-6.18-memory", "bcache0", CLASS_BCACHE, CLASS_HDD, CERTAIN,
	  "name = bcache0" },
	{ "linux-6.18-memory", "loop0", CLASS_LOOP, CLASS_HDD, CERTAIN, "name = loop0" },
	{ "linux-6.18-memory", "loop1", CLASS_LOOP, CLASS_SSD, CERTAIN, "name = loop1" },
	{ "linux-6.18-memory", "zram0", CLASS_ZRAM, CLASS_SSD, CERTAIN, "name = zram0" },
	{ "linux-6.18-memory", "ram0", CLASS_RAM, CLASS_SSD, CERTAIN, "name = ram0" },
	{ "linux-6.18-memory", "pmem0", CLASS_PMEM, CLASS_SSD, CERTAIN, "name = pmem0" },

	{ "hostile-strings", "sda", CLASS_HDD, CLASS_HDD, CERTAIN, "transport = sata" },
	{ "hostile-strings", "sdb", CLASS_HDD, CLASS_HDD, GUESS, "transport = sata" },
	{ "hostile-links", "dm-1", CLASS_DM, CLASS_HDD, CERTAIN, "name = dm-1" },
	{ "hostile-links", "nvme0c0", CLASS_UNKNOWN, CLASS_HDD, GUESS, NULL },
};

static void check(const struct expectation *want, const struct device *device)
{
	const char *evidence = device->evidence.count ? device->evidence.items[0] : NULL;

	if (device->class != want->class || device->nearest != want->nearest ||
	    device->confidence != want->confidence)
		print_error("%s %s: %s, nearest %s, %s\n", want->host, want->name,
			    device_class_name(device->class),
			    device_class_name(device->nearest),
			    device_confidence_name(device->confidence));
	assert_int_equal(device->class, want->class);
	assert_int_equal(device->nearest, want->nearest);
	assert_int_equal(device->confidence, want->confidence);
	assert_text(evidence, want->evidence);
	assert_non_null(device->reason);
}

static void test_class_of_every_fixture(void **state)
{
	struct host_fixture fixture = { 0 };
	const char *host = "";

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(expectations); i++) {
		const struct expectation *want = &expectations[i];

		if (strcmp(host, want->host)) {
			host_fixture_done(&fixture);
			fixture = host_fixture_scan(want->host, SCAN_CLASS);
			host = want->host;
		}
		check(want, host_fixture_get(&fixture, want->name));
	}
	host_fixture_done(&fixture);
}

/* Some disk of some fixture is of each class. */
static void test_every_class_is_met(void **state)
{
	bool is_met[CLASS_COUNT] = { false };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(expectations); i++)
		is_met[expectations[i].class] = true;
	for (size_t i = 0; i < CLASS_COUNT; i++) {
		if (!is_met[i])
			print_error("%s\n", device_class_name((enum device_class)i));
		assert_true(is_met[i]);
	}
}

static void assert_override(const struct device_override *override, const char *name,
			    enum device_class class, const char *source)
{
	struct root *root = NULL;
	struct device_list *list = NULL;
	const struct device *device;

	assert_int_equal(
		root_open("tests/fixtures/hosts/linux-6.1-stack.txt", &root, NULL), 0);
	assert_int_equal(device_scan(root, SCAN_CLASS, override, 1, &list, NULL), 0);
	device = device_find_by_name(list, name);
	assert_non_null(device);
	assert_int_equal(device->class, class);
	assert_text(device->override_source, source);
	if (source)
		assert_strv(&device->evidence, "override = x.json:3");
	device_list_free(list);
	root_free(root);
}

static void test_override_by_identity_wins(void **state)
{
	const struct device_override by_wwn = { .wwn = "0x5000000000000010",
						.class = CLASS_RAID,
						.source = "x.json:3" };
	const struct device_override by_serial = { .serial = "s-*",
						   .class = CLASS_USB,
						   .source = "x.json:3" };
	const struct device_override by_path = { .by_path = "pci-0000:00:17.0-ata-1",
						 .class = CLASS_ZNS,
						 .source = "x.json:3" };
	const struct device_override by_id = { .by_id = "ata-Example*",
					       .class = CLASS_LOOP,
					       .source = "x.json:3" };
	const struct device_override both = { .wwn = "0x5000000000000010",
					      .serial = "other",
					      .class = CLASS_RAID,
					      .source = "x.json:3" };
	const struct device_override nothing = { .class = CLASS_RAID,
						 .source = "x.json:3" };

	(void)state;
	assert_override(&by_wwn, "sda", CLASS_RAID, "x.json:3");
	assert_override(&by_wwn, "sdb", CLASS_SSD, NULL);
	assert_override(&by_serial, "sda", CLASS_USB, "x.json:3");
	assert_override(&by_path, "sda", CLASS_ZNS, "x.json:3");
	assert_override(&by_id, "sda", CLASS_LOOP, "x.json:3");
	assert_override(&both, "sda", CLASS_SSD, NULL);
	assert_override(&nothing, "sda", CLASS_SSD, NULL);
}

/* rotational = 1 alone: no class of its own without an adapter that is known to be plain. */
static void test_rotational_alone_is_unknown(void **state)
{
	struct host_fixture fixture =
		host_fixture_text("/sys/block/xyz -> ../devices/virtual/block/xyz\n"
				  "/sys/devices/virtual/block/xyz/dev = 8:0\n"
				  "/sys/devices/virtual/block/xyz/queue/rotational = 1\n",
				  SCAN_CLASS);

	(void)state;
	assert_int_equal(host_fixture_get(&fixture, "xyz")->class, CLASS_UNKNOWN);
	host_fixture_done(&fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_class_of_every_fixture),
		cmocka_unit_test(test_every_class_is_met),
		cmocka_unit_test(test_override_by_identity_wins),
		cmocka_unit_test(test_rotational_alone_is_unknown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
