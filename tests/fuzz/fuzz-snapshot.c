// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * libFuzzer: snapshots of hosts, the lines after the first. Whatever parses is scanned
 * for all there is, searched by name, and captured again; a capture with serial numbers
 * must parse and hold the same disks, and a snapshot of that must be the same text. Every
 * disk is diagnosed.
 */
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "device/capture.h"
#include "device/device.h"
#include "diagnose/diagnose.h"
#include "diagnose/record.h"
#include "sysfs/snapshot.h"

/* Larger inputs find nothing that these do not. */
#define INPUT_MAX 8192

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
	if (!holds)
		abort();
}

/* A root handle wants a file. */
static struct root *open_text(const struct text *text)
{
	_close_ int fd = memfd_create("snapshot", MFD_CLOEXEC);
	struct root *root = NULL;
	char path[64];

	require(fd >= 0);
	require(write(fd, text->data, text->len) == (ssize_t)text->len);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return root_open(path, &root, NULL) ? NULL : root;
}

static void look_up_everything(const struct root *root, const struct device_list *list)
{
	static const char *const arguments[] = {
		"sda",           "sda1", "/dev/sda", "/dev/disk/by-id/x",
		"/dev/mapper/x", "8:0",  "",
	};

	for (size_t i = 0; i < ARRAY_SIZE(arguments); i++) {
		const struct device *device = NULL;

		if (!device_find(root, list, arguments[i], &device, NULL))
			require(device >= list->items &&
				device < list->items + list->count);
	}
	for (size_t i = 0; i < list->count; i++) {
		const struct device *device = NULL;

		require(!device_find(root, list, list->items[i].sys_name, &device, NULL));
	}
}

static void check_capture(const struct root *root, const struct device_list *list)
{
	_text_ struct text first = { 0 }, second = { 0 }, redacted = { 0 };
	_cleanup_(cleanup_device_list_free) struct device_list *copy = NULL;
	_cleanup_(cleanup_root_free) struct root *again = NULL;

	require(device_capture(root, false, NULL, &redacted, NULL) == 0);
	require(device_capture(root, true, NULL, &first, NULL) == 0);
	again = open_text(&first);
	require(again);
	if (device_scan(again, SCAN_ALL, NULL, 0, &copy, NULL)) {
		require(!list->count); /* sys/block itself was empty */
		return;
	}
	require(copy->count == list->count);
	for (size_t i = 0; i < copy->count; i++) {
		require(!strcmp(copy->items[i].sys_name, list->items[i].sys_name));
		require(copy->items[i].class == list->items[i].class);
	}
	require(device_capture(again, true, NULL, &second, NULL) == 0);
	require(!strcmp(first.data, second.data));
}

static void check_diagnoses(const struct root *root, const struct device_list *list)
{
	_cleanup_(capture_extras_done) struct capture_extras extras = { 0 };
	_conflicts_ struct conflicts conflicts = { 0 };

	require(!conflicts_find(root, "", NULL, &conflicts));
	for (size_t i = 0; i < list->count; i++) {
		struct diagnose_input input = { .root = root,
						.devices = list,
						.device = &list->items[i],
						.conflicts = &conflicts };
		struct diagnosis diagnosis;
		struct device_load load;
		struct smart smart;

		require(!smart_read(root, input.device, &smart));
		input.smart = &smart;
		if (!device_load_recorded(root, input.device, &load))
			input.load = &load;
		require(!diagnose_device(&input, &diagnosis));
		diagnosis_done(&diagnosis);
	}
	require(!diagnose_record(root, 1, &extras, NULL));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(cleanup_device_list_free) struct device_list *list = NULL;
	_cleanup_(cleanup_root_free) struct root *root = NULL;
	_text_ struct text text = { 0 };

	if (size > INPUT_MAX)
		return 0;
	snapshot_add_header(&text);
	text_add_bytes(&text, (const char *)data, size);
	require(!text.error);
	root = open_text(&text);
	if (!root || device_scan(root, SCAN_ALL, NULL, 0, &list, NULL))
		return 0;
	look_up_everything(root, list);
	check_capture(root, list);
	check_diagnoses(root, list);
	return 0;
}
