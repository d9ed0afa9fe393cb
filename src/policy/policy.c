// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The resolved policy as a value: names and release.
 */
#include "policy/policy.h"

#include <string.h>

#include "util/i18n.h"

const char *policy_origin_name(enum policy_origin origin)
{
	static const char *const names[] = {
		[ORIGIN_COMMAND_LINE] = N_("command-line"), [ORIGIN_OVERRIDE] = N_("override"),
		[ORIGIN_PROFILE] = N_("profile"),           [ORIGIN_INHERITED] = N_("inherited"),
		[ORIGIN_JOURNAL] = N_("journal"),
	};

	return names[origin];
}

static void device_done(struct policy_device *device)
{
	for (size_t i = 0; i < device->value_count; i++) {
		free(device->values[i].source);
		free(device->values[i].why);
	}
	for (size_t i = 0; i < device->rejected_count; i++) {
		free(device->rejected[i].name);
		free(device->rejected[i].why);
	}
	free(device->values);
	free(device->rejected);
	free(device->reason);
	strv_done(&device->notes);
}

void policy_take_devices(struct policy *policy, struct policy *from)
{
	for (size_t i = 0; i < from->count; i++) {
		for (size_t j = 0; j < policy->count; j++) {
			struct policy_device swapped = policy->items[j];

			if (swapped.device != from->items[i].device)
				continue;
			policy->items[j] = from->items[i];
			from->items[i] = swapped;
			break;
		}
	}
}

void policy_drop_device(struct policy *policy, size_t index)
{
	device_done(&policy->items[index]);
	policy->count--;
	memmove(&policy->items[index], &policy->items[index + 1],
		(policy->count - index) * sizeof(*policy->items));
}

void policy_free(struct policy *policy)
{
	if (!policy)
		return;
	for (size_t i = 0; i < policy->count; i++)
		device_done(&policy->items[i]);
	free(policy->items);
	free(policy->profile_name);
	free(policy);
}
