// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * libFuzzer: boot loader files. The first byte picks the format. Whatever is accepted
 * must take the argument everywhere, take it once more without a change, and give the
 * original bytes back.
 */
#include <stdint.h>
#include <string.h>

#include "persist/boot-file.h"

#define ARGUMENT "elevator=noop"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
	if (!holds)
		abort();
}

static size_t count_arguments(const struct boot_file *file, bool *ret_all_ours)
{
	_boot_arguments_ struct boot_arguments found = { 0 };

	require(boot_file_find(file, "elevator", &found, NULL) == 0);
	*ret_all_ours = true;
	for (size_t i = 0; i < found.count; i++)
		if (strcmp(found.items[i].text, ARGUMENT))
			*ret_all_ours = false;
	return found.count;
}

static void check_roundtrip(const struct boot_file *file, const char *set, size_t set_len)
{
	struct boot_file edited = {
		.format = file->format, .path = file->path, .data = set, .len = set_len
	};
	_free_ char *again = NULL, *undone = NULL, *restored = NULL;
	size_t again_len, undone_len, restored_len;
	bool is_ours, was_there;

	require(count_arguments(&edited, &is_ours) > 0 && is_ours);
	require(boot_file_set(&edited, ARGUMENT, &again, &again_len, NULL) == 0);
	require(again_len == set_len && !memcmp(again, set, set_len));
	was_there = count_arguments(file, &is_ours) > 0;
	/* token by token, and by what it was before */
	require(boot_file_unset(&edited, ARGUMENT, NULL, &undone, &undone_len, NULL) ==
		0);
	if (!was_there)
		require(undone_len == file->len &&
			!memcmp(undone, file->data, file->len));
	require(boot_file_unset(&edited, ARGUMENT, file, &restored, &restored_len,
				NULL) == 0);
	require(restored_len == file->len && !memcmp(restored, file->data, file->len));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct boot_file file = { .path = "fuzz" };
	_free_ char *set = NULL;
	size_t set_len;

	if (!size)
		return 0;
	file.format = data[0] % BOOT_FILE_FORMAT_COUNT;
	file.data = (const char *)data + 1;
	file.len = size - 1;
	/* a line that already bears our mark is ours to remove */
	if (memmem(file.data, file.len, "# iosched-tune", 14))
		return 0;
	if (boot_file_set(&file, ARGUMENT, &set, &set_len, NULL) == 0)
		check_roundtrip(&file, set, set_len);
	return 0;
}
