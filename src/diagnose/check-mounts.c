// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the mount options cost. mountinfo shows the options that differ from the kernel's
 * defaults, and how atime is kept.
 */
#include "diagnose/diagnose.h"

#include <string.h>

#include "util/i18n.h"

static bool has_option(const struct device_mount *mount, const char *option)
{
	size_t len = strlen(option);

	for (const char *p = mount->options; p && *p;) {
		size_t part = strcspn(p, ",");

		if (part == len && !strncmp(p, option, len))
			return true;
		p += part + (p[part] == ',');
	}
	return false;
}

/* One option that costs: what, how bad, and what to do instead. */
static const struct {
	const char *option;
	enum finding_level level;
	const char *symptom;
	const char *text; /* N_(): %s is where it is mounted */
	const char *advice;
} costs[] = {
	{ "sync", FINDING_BAD, "sync-mount",
	  N_("%s is mounted with 'sync': every write waits until the medium has it"),
	  N_("mount it without 'sync'; programs that need it call fsync()") },
	{ "dirsync", FINDING_WARN, "sync-mount",
	  N_("%s is mounted with 'dirsync': every change of a folder waits"),
	  N_("mount it without 'dirsync'") },
	{ "data=journal", FINDING_WARN, "data-journal",
	  N_("%s journals its data (data=journal): all is written twice"),
	  N_("data=ordered, the default, unless an application needs it") },
	{ "nobarrier", FINDING_WARN, "no-barrier",
	  N_("%s is mounted without barriers: a loss of power can destroy it"),
	  N_("mount it with barriers; a cache with a battery makes them cheap anyway") },
	{ "barrier=0", FINDING_WARN, "no-barrier",
	  N_("%s is mounted without barriers: a loss of power can destroy it"),
	  N_("mount it with barriers; a cache with a battery makes them cheap anyway") },
	{ "strictatime", FINDING_WARN, "atime",
	  N_("%s keeps the time of every access (strictatime): reads cause writes"),
	  N_("mount it with relatime or noatime") },
};

static bool is_on_flash_that_waits(const struct device *device)
{
	return device->class == CLASS_SSD || device->class == CLASS_USB ||
	       device->class == CLASS_EMMC || device->class == CLASS_SDCARD;
}

static void check_mount(const struct device *device, const struct device_mount *mount,
			struct diagnosis *out)
{
	for (size_t i = 0; i < ARRAY_SIZE(costs); i++) {
		if (!has_option(mount, costs[i].option))
			continue;
		finding_add(out, costs[i].level, costs[i].symptom, costs[i].advice,
			    _(costs[i].text), mount->target);
	}
	if (has_option(mount, "discard") && is_on_flash_that_waits(device))
		finding_add(out, FINDING_WARN, "online-discard",
			    N_("mount it without 'discard' and enable fstrim.timer"),
			    _("%s is mounted with 'discard': each deletion sends the "
			      "drive to work while others wait"),
			    mount->target);
	/* Neither word: the file system keeps every access. Special ones have no times. */
	if (mount->options && !has_option(mount, "relatime") &&
	    !has_option(mount, "noatime") && !has_option(mount, "strictatime") &&
	    !has_option(mount, "ro") && has_option(mount, "rw") &&
	    text_starts_with(mount->fstype ? mount->fstype : "", "ext"))
		finding_add(out, FINDING_WARN, "atime",
			    N_("mount it with relatime or noatime"),
			    _("%s keeps the time of every access: reads cause writes"),
			    mount->target);
}

/* The same file system is often mounted at several places: once is enough. */
static bool is_repeated(const struct device *device, size_t index)
{
	const struct device_mount *mount = &device->mounts[index];

	for (size_t i = 0; i < index; i++)
		if (text_equal(device->mounts[i].source_name, mount->source_name) &&
		    text_equal(device->mounts[i].options, mount->options))
			return true;
	return false;
}

void diagnose_mounts(const struct diagnose_input *input, struct diagnosis *out)
{
	const struct device *device = input->device;
	size_t before = out->count, count = 0;

	for (size_t i = 0; i < device->mount_count; i++) {
		if (!device->mounts[i].target || is_repeated(device, i))
			continue;
		count++;
		check_mount(device, &device->mounts[i], out);
	}
	if (out->count == before && count)
		finding_add(out, FINDING_OK, "mounts", NULL,
			    P_("%zu file system, mounted without options that cost",
			       "%zu file systems, mounted without options that cost",
			       count),
			    count);
}
