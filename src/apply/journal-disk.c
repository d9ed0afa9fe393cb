// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Whether a disk that is here is the one that a journal speaks of: names move between
 * disks, serial numbers do not.
 */
#include <errno.h>
#include <string.h>

#include "apply/journal-internal.h"
#include "device/host.h"

int journal_copy_text(const char *string, char **ret)
{
	size_t size;
	char *copy;

	if (!string) {
		*ret = NULL;
		return 0;
	}
	size = strlen(string) * 4 + 1; /* \xNN for each byte at most */
	copy = malloc(size);
	if (!copy)
		return -ENOMEM;
	text_escape_terminal(string, copy, size);
	*ret = copy;
	return 0;
}

bool journal_is_same_text(const char *kept, const char *live)
{
	_free_ char *copy = NULL;

	if (!kept || !live)
		return false;
	if (!strcmp(kept, live))
		return true;
	/* What is made safe grows; most comparisons are of plain names and end here. */
	if (strlen(kept) <= strlen(live))
		return false;
	return !journal_copy_text(live, &copy) && !strcmp(kept, copy);
}

bool journal_is_same_disk(const struct journal_device *kept, const struct device *live)
{
	bool has_serial = kept->serial && live->serial;
	bool has_wwn = kept->wwn && live->wwn;

	if (has_serial && !journal_is_same_text(kept->serial, live->serial))
		return false;
	if (has_wwn && !journal_is_same_text(kept->wwn, live->wwn))
		return false;
	if (has_serial || has_wwn)
		return true;
	return kept->major == live->major && kept->minor == live->minor;
}

const struct device *journal_find_live(const struct device_list *devices,
				       const struct journal_device *kept,
				       const struct device **ret_other)
{
	*ret_other = NULL;
	for (size_t i = 0; i < devices->count; i++) {
		if (!journal_is_same_text(kept->name, devices->items[i].name))
			continue;
		if (journal_is_same_disk(kept, &devices->items[i]))
			return &devices->items[i];
		*ret_other = &devices->items[i];
	}
	return NULL;
}

const char *journal_get_boot_id(const struct device_list *devices)
{
	return devices->host ? devices->host->boot_id : NULL;
}
