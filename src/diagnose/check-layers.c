// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * More than one scheduler on the way, and what is not this system's to change: guests.
 */
#include "diagnose/diagnose.h"

#include <errno.h>
#include <string.h>

#include "device/host.h"
#include "sysfs/paths.h"
#include "util/i18n.h"
#include "util/number.h"

/* A processor that is away so often is felt as slow I/O. */
#define STEAL_PERCENT 10

static bool is_guest(const struct host *host)
{
	return host && host->virtualisation && !text_equal(host->virtualisation, "none");
}

static void check_twice(const struct device *device, struct diagnosis *out)
{
	const char *active = choice_active(&device->scheduler);

	if (device->class != CLASS_VIRTUAL || !active)
		return;
	if (text_equal(active, "none") || text_equal(active, "noop"))
		finding_add(out, FINDING_OK, "guest", NULL,
			    _("a virtual disk: the host sorts its requests, so this guest "
			      "does not"));
	else
		finding_add(out, FINDING_WARN, "scheduled-twice",
			    N_("scheduler none (profile virtual-guest), unless cgroups in "
			       "this guest need bfq"),
			    _("a virtual disk under %s: the host schedules the same "
			      "requests again, and knows the medium"),
			    active);
}

/* "cpu  user nice system idle iowait irq softirq steal …" since boot. */
static void check_steal(const struct diagnose_input *input, struct diagnosis *out)
{
	_strv_ struct strv words = { 0 };
	_free_ char *text = NULL;
	uint64_t total = 0, steal = 0;

	if (root_read(input->root, PATH_PROC_STAT, &text) ||
	    !text_starts_with(text, "cpu "))
		return;
	text[strcspn(text, "\n")] = '\0';
	if (strv_split(&words, text, " ")) {
		out->error = -ENOMEM;
		return;
	}
	for (size_t i = 1; i < words.count && i <= 8; i++) {
		uint64_t value;

		if (number_parse_u64(words.items[i], &value))
			return;
		total += value;
		if (i == 8)
			steal = value;
	}
	if (steal && steal * 100 >= total * STEAL_PERCENT)
		finding_add(out, FINDING_WARN, "stolen-processor",
			    N_("ask whoever runs the host: it has given away more "
			       "processors than it has"),
			    _("the host kept its processors for others %llu %% of the "
			      "time: waiting for that looks like slow I/O"),
			    (unsigned long long)(steal * 100 / total));
}

static void check_medium(const struct device *device, struct diagnosis *out)
{
	if (device->class == CLASS_VIRTUAL && device->rotational == 1)
		finding_add(out, FINDING_OK, "rotational-says-nothing", NULL,
			    _("it says rotational=1, as virtual disks do over flash too: "
			      "that is not believed here"));
}

void diagnose_layers(const struct diagnose_input *input, struct diagnosis *out)
{
	const struct device *device = input->device;

	if (device->level == LEVEL_BELOW) {
		_text_ struct text names = { 0 };

		for (size_t i = 0; i < device->owners.count; i++)
			text_addf(&names, "%s%s", i ? ", " : "", device->owners.items[i]);
		finding_add(out, FINDING_OK, "stacked", NULL,
			    _("its requests are scheduled below, in %s"),
			    names.data ? names.data : "-");
	}
	check_twice(device, out);
	check_medium(device, out);
	if (is_guest(input->devices->host))
		check_steal(input, out);
}
