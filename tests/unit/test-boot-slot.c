// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Where kernel arguments are in each kind of boot loader file, and which make up one
 * command line.
 */
#include "test.h"

#include <errno.h>

#include "persist/boot-slot.h"

static struct boot_slots find(enum boot_file_format format, const char *data)
{
	struct boot_file file = {
		.format = format, .path = "x", .data = data, .len = strlen(data)
	};
	struct boot_slots slots = { 0 };
	struct diag diag = { 0 };

	assert_int_equal(boot_slots_find(&file, &slots, &diag), 0);
	return slots;
}

static void assert_slot(const char *data, const struct boot_slot *slot, const char *text,
			unsigned line, size_t group, bool is_target)
{
	assert_int_equal(slot->text.end - slot->text.at, strlen(text));
	assert_memory_equal(data + slot->text.at, text, strlen(text));
	assert_int_equal(slot->line, line);
	assert_int_equal(slot->group, group);
	assert_int_equal(slot->is_target, is_target);
}

static void test_defaults(void **state)
{
	static const char data[] =
		"GRUB_CMDLINE_LINUX_DEFAULT=d\nGRUB_CMDLINE_LINUX=old\n"
		"GRUB_CMDLINE_LINUX=a\nGRUB_CMDLINE_LINUX+=b\n";
	struct boot_slots slots = find(BOOT_FILE_DEFAULTS, data);

	(void)state;
	assert_int_equal(slots.count, 3);
	assert_slot(data, &slots.items[0], "a", 3, 0, true);
	assert_slot(data, &slots.items[1], "b", 4, 0, true);
	assert_slot(data, &slots.items[2], "d", 1, 0, false);
	boot_slots_done(&slots);
}

static void test_menu_lst(void **state)
{
	static const char data[] =
		"title a\r\n kernel /xen.gz\r\n module /v ro\r\n module /i\r\n"
		"kernel /memtest86+.bin\r\nkernels /x\r\nkernel /w\r\n";
	struct boot_slots slots = find(BOOT_FILE_MENU_LST, data);

	(void)state;
	assert_int_equal(slots.count, 2);
	assert_slot(data, &slots.items[0], " /v ro", 3, 0, true);
	assert_slot(data, &slots.items[1], " /w", 7, 1, true);
	boot_slots_done(&slots);
}

static void test_entry_and_cmdline(void **state)
{
	static const char entry[] = "title a\noptions x\noptionsy\noptions z";
	static const char cmdline[] = "# c\n\n root=x\n";
	struct boot_slots slots = find(BOOT_FILE_ENTRY, entry);

	(void)state;
	assert_int_equal(slots.count, 2);
	assert_slot(entry, &slots.items[0], " x", 2, 0, true);
	assert_slot(entry, &slots.items[1], " z", 4, 0, true);
	boot_slots_done(&slots);
	slots = find(BOOT_FILE_CMDLINE, cmdline);
	assert_int_equal(slots.count, 1);
	assert_slot(cmdline, &slots.items[0], " root=x", 3, 0, true);
	boot_slots_done(&slots);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_defaults),
		cmocka_unit_test(test_menu_lst),
		cmocka_unit_test(test_entry_and_cmdline),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
