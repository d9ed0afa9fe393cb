// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The conditions of a match, one by one and together.
 */
#include "test.h"

#include "policy/match.h"

#define WORD(literal) ((char *)(uintptr_t)(literal))
#define LIST(...)                                                                        \
	{                                                                                \
		.items = (char *[]){ __VA_ARGS__ },                                      \
		.count = sizeof((char *[]){ __VA_ARGS__ }) / sizeof(char *)              \
	}

static struct device_mount mounts[] = {
	{ .source_name = WORD("sda2"), .target = WORD("/"), .fstype = WORD("ext4") },
	{ .source_name = WORD("sda1"),
	  .target = WORD("/boot/efi"),
	  .fstype = WORD("vfat") },
};
static struct device_property udev[] = {
	{ WORD("ID_PATH"), WORD("pci-0000:00:17.0-ata-1") },
};

static struct device make_device(void)
{
	static char *links[] = {
		WORD("/dev/disk/by-id/ata-ST2000NM0008_ZDH1ABCD"),
		WORD("/dev/disk/by-path/pci-0000:00:17.0-ata-1.0"),
	};

	return (struct device){
		.class = CLASS_HDD,
		.rotational = 1,
		.size_sectors = 1953525168,
		.transport = WORD("sata"),
		.model = WORD("ST2000NM0008-2F3"),
		.vendor = WORD("ATA"),
		.serial = WORD("ZDH1ABCD"),
		.wwn = WORD("naa.5000c500a1b2c3d4"),
		.devlinks = { .items = links, .count = 2 },
		.mounts = mounts,
		.mount_count = 2,
		.udev = udev,
		.udev_count = 1,
	};
}

static bool holds(struct profile_match match)
{
	struct device device = make_device();
	struct host host = { .virtualisation = WORD("kvm") };

	return profile_match_holds(&match, &device, device.class, &host);
}

/* The rest of a match that asks nothing else. */
#define MATCH(...)                                                                       \
	((struct profile_match){                                                         \
		.rotational = -1, .hidden = -1, .removable = -1, __VA_ARGS__ })

static void test_empty_match_fits(void **state)
{
	(void)state;
	assert_true(holds(MATCH()));
}

static void test_class_may_be_another(void **state)
{
	struct device device = make_device();
	struct profile_match match = MATCH(.classes = 1u << CLASS_SSD | 1u << CLASS_NVME);

	(void)state;
	assert_false(profile_match_holds(&match, &device, device.class, NULL));
	assert_true(profile_match_holds(&match, &device, CLASS_SSD, NULL));
}

static void test_globs(void **state)
{
	(void)state;
	assert_true(holds(MATCH(.models = LIST(WORD("WD*"), WORD("st2000*")))));
	assert_false(holds(MATCH(.models = LIST(WORD("ST2000")))));
	assert_true(holds(MATCH(.transports = LIST(WORD("sata")))));
	assert_false(holds(MATCH(.transports = LIST(WORD("sas")))));
	assert_true(holds(MATCH(.vendors = LIST(WORD("ata")))));
	assert_true(holds(MATCH(.serials = LIST(WORD("ZDH1ABCD")))));
	assert_false(holds(MATCH(.serials = LIST(WORD("ZDH1ABC")))));
}

/* udev writes 0x…, sysfs naa.…: the same name. */
static void test_wwn_in_both_spellings(void **state)
{
	(void)state;
	assert_true(holds(MATCH(.wwns = LIST(WORD("0x5000c500a1b2c3d4")))));
	assert_true(holds(MATCH(.wwns = LIST(WORD("naa.5000C500A1B2C3D4")))));
	assert_true(holds(MATCH(.wwns = LIST(WORD("0x5000c500*")))));
	assert_false(holds(MATCH(.wwns = LIST(WORD("0x5000c500a1b2c3d5")))));
}

static void test_links(void **state)
{
	(void)state;
	assert_true(holds(MATCH(.by_ids = LIST(WORD("ata-ST2000NM0008_*")))));
	assert_true(holds(MATCH(.by_ids = LIST(WORD("/dev/disk/by-id/ata-*")))));
	assert_false(holds(MATCH(.by_ids = LIST(WORD("pci-*")))));
	assert_true(holds(MATCH(.by_paths = LIST(WORD("pci-0000:00:17.0-ata-1.0")))));
	assert_true(holds(MATCH(.by_paths = LIST(WORD("pci-0000:00:17.0-ata-1")))));
	assert_false(holds(MATCH(.by_paths = LIST(WORD("pci-0000:00:17.0-ata-2")))));
}

static void test_use(void **state)
{
	(void)state;
	assert_true(holds(MATCH(.roles = LIST(WORD("swap"), WORD("root")))));
	assert_true(holds(MATCH(.roles = LIST(WORD("boot")))));
	assert_false(holds(MATCH(.roles = LIST(WORD("swap")))));
	assert_false(holds(MATCH(.roles = LIST(WORD("data")))));
	assert_true(holds(MATCH(.filesystems = LIST(WORD("xfs"), WORD("ext4")))));
	assert_false(holds(MATCH(.filesystems = LIST(WORD("btrfs")))));
}

static void test_size_and_flags(void **state)
{
	const uint64_t bytes = 1953525168ull * 512;

	(void)state;
	assert_true(holds(MATCH(.min_size_bytes = bytes, .max_size_bytes = bytes)));
	assert_false(holds(MATCH(.min_size_bytes = bytes + 1)));
	assert_false(holds(MATCH(.max_size_bytes = bytes - 1)));
	assert_false(holds((struct profile_match){
		.rotational = 0, .hidden = -1, .removable = -1 }));
	assert_true(holds(
		(struct profile_match){ .rotational = 1, .hidden = 0, .removable = 0 }));
	assert_false(holds((struct profile_match){
		.rotational = -1, .hidden = 1, .removable = -1 }));
}

static void test_host(void **state)
{
	struct profile_match match = MATCH(.virtualisations = LIST(WORD("kvm")));
	struct device device = make_device();

	(void)state;
	assert_true(holds(match));
	assert_false(holds(MATCH(.virtualisations = LIST(WORD("none")))));
	assert_false(profile_match_holds(&match, &device, CLASS_HDD, NULL));
}

/* A condition on what is not known does not hold. */
static void test_unknown_does_not_hold(void **state)
{
	struct device device = { .class = CLASS_UNKNOWN, .rotational = -1 };
	const struct profile_match asks[] = {
		MATCH(.models = LIST(WORD("*"))),
		MATCH(.wwns = LIST(WORD("*"))),
		MATCH(.by_ids = LIST(WORD("*"))),
		MATCH(.filesystems = LIST(WORD("*"))),
		MATCH(.by_paths = LIST(WORD("*"))),
		{ .rotational = 1, .hidden = -1, .removable = -1 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(asks) / sizeof(asks[0]); i++)
		assert_false(profile_match_holds(&asks[i], &device, CLASS_UNKNOWN, NULL));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_empty_match_fits),
		cmocka_unit_test(test_class_may_be_another),
		cmocka_unit_test(test_globs),
		cmocka_unit_test(test_wwn_in_both_spellings),
		cmocka_unit_test(test_links),
		cmocka_unit_test(test_use),
		cmocka_unit_test(test_size_and_flags),
		cmocka_unit_test(test_host),
		cmocka_unit_test(test_unknown_does_not_hold),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
