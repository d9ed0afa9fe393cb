// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Recognising boot loaders: distributions, BIOS and EFI, BLS, GRUB legacy, none at all.
 */
#include "test.h"

#include "persist-tree.h"
#include "persist/bootloader.h"

struct file {
	const char *path, *text;
};

/* The command: words joined with blanks; "" for none. */
static const struct {
	const char *name;
	struct file files[8];
	enum bootloader_kind kind;
	const char *regenerate;
	bool reads_drop_ins;
	size_t entries;
} cases[] = {
	{ "Debian",
	  { { "etc/os-release", "ID=debian\n" }, { "etc/default/grub", "" } },
	  BOOTLOADER_GRUB,
	  "update-grub",
	  true,
	  0 },
	{ "Ubuntu, installed tool",
	  { { "etc/os-release", "ID=ubuntu\nID_LIKE=debian\n" },
	    { "etc/default/grub", "" },
	    { "usr/sbin/update-grub", "" },
	    { "usr/sbin/grub-mkconfig",
	      "for x in ${sysconfdir}/default/grub.d/*.cfg ; do\n" } },
	  BOOTLOADER_GRUB,
	  "/usr/sbin/update-grub",
	  true,
	  0 },
	{ "RHEL 7, BIOS",
	  { { "etc/os-release", "ID=\"rhel\"\nID_LIKE=\"fedora\"\n" },
	    { "etc/default/grub", "" } },
	  BOOTLOADER_GRUB,
	  "grub2-mkconfig -o /boot/grub2/grub.cfg",
	  false,
	  0 },
	{ "RHEL 7, EFI",
	  { { "etc/os-release", "ID=\"rhel\"\n" },
	    { "etc/default/grub", "" },
	    { "sys/firmware/efi/x", "" },
	    { "boot/efi/EFI/redhat/grub.cfg", "set timeout=5\nmenuentry x {}\n" } },
	  BOOTLOADER_GRUB,
	  "grub2-mkconfig -o /boot/efi/EFI/redhat/grub.cfg",
	  false,
	  0 },
	{ "RHEL 9, EFI with a file that leads on",
	  { { "etc/os-release", "ID=\"rhel\"\n" },
	    { "etc/default/grub", "" },
	    { "sys/firmware/efi/x", "" },
	    { "boot/efi/EFI/redhat/grub.cfg",
	      "search --fs-uuid x\nconfigfile $prefix/grub.cfg\n" } },
	  BOOTLOADER_GRUB,
	  "grub2-mkconfig -o /boot/grub2/grub.cfg",
	  false,
	  0 },
	{ "Fedora, BLS",
	  { { "etc/os-release", "ID=fedora\n" },
	    { "etc/default/grub", "GRUB_ENABLE_BLSCFG=true\n" },
	    { "boot/loader/entries/a.conf", "options x\n" },
	    { "boot/loader/entries/b.conf", "options x\n" },
	    { "boot/loader/entries/c.conf.rpmsave", "" } },
	  BOOTLOADER_GRUB,
	  "grub2-mkconfig -o /boot/grub2/grub.cfg",
	  false,
	  2 },
	{ "BLS files that GRUB does not read",
	  { { "etc/os-release", "ID=centos\n" },
	    { "etc/default/grub", "GRUB_ENABLE_BLSCFG=false\n" },
	    { "boot/loader/entries/a.conf", "options x\n" } },
	  BOOTLOADER_GRUB,
	  "grub2-mkconfig -o /boot/grub2/grub.cfg",
	  false,
	  0 },
	{ "Kylin server V10",
	  { { "etc/os-release",
	      "NAME=\"Kylin Linux Advanced Server\"\n"
	      "VERSION=\"V10 (Sword)\"\nID=\"kylin\"\nVERSION_ID=\"V10\"\n" },
	    { "etc/default/grub", "" },
	    { "sys/firmware/efi/x", "" },
	    { "boot/efi/EFI/kylin/grub.cfg", "menuentry 'Kylin' {}\n" } },
	  BOOTLOADER_GRUB,
	  "grub2-mkconfig -o /boot/efi/EFI/kylin/grub.cfg",
	  false,
	  0 },
	{ "Kylin desktop",
	  { { "etc/os-release", "NAME=\"Kylin\"\nID=kylin\nID_LIKE=debian\n" },
	    { "etc/default/grub", "" } },
	  BOOTLOADER_GRUB,
	  "update-grub",
	  true,
	  0 },
	{ "UOS",
	  { { "usr/lib/os-release", "ID=uos\nID_LIKE=debian\n" },
	    { "etc/default/grub", "" } },
	  BOOTLOADER_GRUB,
	  "update-grub",
	  true,
	  0 },
	{ "UOS without ID_LIKE",
	  { { "etc/os-release", "NAME=\"uos\"\nID=UOS\n" }, { "etc/default/grub", "" } },
	  BOOTLOADER_GRUB,
	  "update-grub",
	  false,
	  0 },
	{ "deepin",
	  { { "etc/os-release", "ID=Deepin\n" }, { "etc/default/grub", "" } },
	  BOOTLOADER_GRUB,
	  "update-grub",
	  false,
	  0 },
	{ "openEuler",
	  { { "etc/os-release", "ID=\"openEuler\"\n" }, { "etc/default/grub", "" } },
	  BOOTLOADER_GRUB,
	  "grub2-mkconfig -o /boot/grub2/grub.cfg",
	  false,
	  0 },
	{ "SLES, EFI",
	  { { "etc/os-release", "ID=\"sles\"\nID_LIKE=\"suse\"\n" },
	    { "etc/default/grub", "" },
	    { "sys/firmware/efi/x", "" },
	    { "boot/efi/EFI/sles/grub.cfg", "menuentry x {}\n" } },
	  BOOTLOADER_GRUB,
	  "grub2-mkconfig -o /boot/grub2/grub.cfg",
	  false,
	  0 },
	{ "Arch",
	  { { "etc/os-release", "ID=arch\n" }, { "etc/default/grub", "" } },
	  BOOTLOADER_GRUB,
	  "grub-mkconfig -o /boot/grub/grub.cfg",
	  false,
	  0 },
	{ "RHEL 5",
	  { { "boot/grub/grub.conf", "kernel /v\n" } },
	  BOOTLOADER_LEGACY,
	  "",
	  false,
	  0 },
	{ "SLES 11",
	  { { "boot/grub/menu.lst", "kernel /v\n" },
	    { "proc/cmdline", "root=/dev/sda2" } },
	  BOOTLOADER_LEGACY,
	  "",
	  false,
	  0 },
	{ "booted by GRUB",
	  { { "etc/default/grub", "" },
	    { "proc/cmdline", "BOOT_IMAGE=/vmlinuz root=/dev/sda1" } },
	  BOOTLOADER_GRUB,
	  "",
	  false,
	  0 },
	{ "a micro VM",
	  { { "proc/cmdline", "console=ttyS0 root=/dev/vda" } },
	  BOOTLOADER_NONE,
	  "",
	  false,
	  0 },
	{ "a cloud image booted directly",
	  { { "etc/os-release", "ID=debian\n" },
	    { "etc/default/grub", "" },
	    { "proc/cmdline", "console=ttyS0 root=/dev/vda" } },
	  BOOTLOADER_OTHER,
	  "update-grub",
	  true,
	  0 },
	{ "nothing", { { "etc/hostname", "x" } }, BOOTLOADER_NONE, "", false, 0 },
};

static void test_systems(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct tree *tree = tree_new();
		struct bootloader found = { 0 };
		char words[512] = "";

		for (size_t f = 0; cases[i].files[f].path; f++)
			tree_write(tree, cases[i].files[f].path, cases[i].files[f].text);
		assert_int_equal(bootloader_detect(tree->root, &found), 0);
		for (size_t w = 0; w < found.regenerate.count; w++) {
			strcat(words, w ? " " : "");
			strcat(words, found.regenerate.items[w]);
		}
		if (found.kind != cases[i].kind)
			fail_msg("%s: kind %d", cases[i].name, found.kind);
		if (strcmp(words, cases[i].regenerate))
			fail_msg("%s: command '%s'", cases[i].name, words);
		if (found.reads_drop_ins != cases[i].reads_drop_ins)
			fail_msg("%s: drop-ins", cases[i].name);
		if (found.entries.count != cases[i].entries)
			fail_msg("%s: %zu entries", cases[i].name, found.entries.count);
		bootloader_done(&found);
		tree_free(tree);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_systems) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
