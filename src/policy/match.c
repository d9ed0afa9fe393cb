// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The conditions of a rule against what is known of a device.
 */
#include "policy/match.h"

#include <string.h>
#include <strings.h>

#define SECTOR_BYTES 512

static bool matches_any(const struct strv *globs, const char *fact)
{
	if (!fact)
		return false;
	for (size_t i = 0; i < globs->count; i++)
		if (text_glob_match(globs->items[i], fact))
			return true;
	return false;
}

/* An empty list asks nothing. */
static bool holds(const struct strv *globs, const char *fact)
{
	return !globs->count || matches_any(globs, fact);
}

/* The same name is written 0x5000c500… by udev and naa.5000c500… by sysfs. */
static const char *skip_wwn_prefix(const char *wwn)
{
	static const char *const prefixes[] = { "0x", "naa.", "eui.", "uuid.", "t10." };

	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++)
		if (!strncasecmp(wwn, prefixes[i], strlen(prefixes[i])))
			return wwn + strlen(prefixes[i]);
	return wwn;
}

static bool wwn_holds(const struct strv *globs, const char *wwn)
{
	if (holds(globs, wwn))
		return true;
	for (size_t i = 0; wwn && i < globs->count; i++)
		if (text_glob_match(skip_wwn_prefix(globs->items[i]),
				    skip_wwn_prefix(wwn)))
			return true;
	return false;
}

/* `folder`: "/by-id/"; the globs are for the last component or for the whole link. */
static bool links_hold(const struct strv *globs, const struct device *device,
		       const char *folder)
{
	if (!globs->count)
		return true;
	for (size_t i = 0; i < device->devlinks.count; i++) {
		const char *link = device->devlinks.items[i];
		const char *base = strstr(link, folder);

		if (base && (matches_any(globs, base + strlen(folder)) ||
			     matches_any(globs, link)))
			return true;
	}
	return false;
}

/* The path is known from udev's property even where the link was not made. */
static bool by_path_holds(const struct strv *globs, const struct device *device)
{
	return links_hold(globs, device, "/by-path/") ||
	       matches_any(globs, device_find_property(device, "ID_PATH"));
}

static bool filesystem_holds(const struct strv *globs, const struct device *device)
{
	if (holds(globs, device->content.fs_type))
		return true;
	for (size_t i = 0; i < device->mount_count; i++)
		if (matches_any(globs, device->mounts[i].fstype))
			return true;
	return false;
}

static const char *role_of(const struct device_mount *mount)
{
	/* Relative to the root directory, which all of them begin with. */
	static const char *const boot[] = { "boot", "boot/efi", "efi", "boot/firmware" };

	if (!mount->target)
		return "swap";
	if (!strcmp(mount->target, "/"))
		return "root";
	for (size_t i = 0; i < ARRAY_SIZE(boot); i++)
		if (!strcmp(mount->target + 1, boot[i]))
			return "boot";
	return "data";
}

static bool role_holds(const struct strv *roles, const struct device *device)
{
	if (!roles->count || (device->is_swap && matches_any(roles, "swap")))
		return true;
	for (size_t i = 0; i < device->mount_count; i++)
		if (matches_any(roles, role_of(&device->mounts[i])))
			return true;
	return false;
}

static bool size_holds(const struct profile_match *match, const struct device *device)
{
	uint64_t bytes;

	if (!match->min_size_bytes && !match->max_size_bytes)
		return true;
	if (__builtin_mul_overflow(device->size_sectors, SECTOR_BYTES, &bytes))
		bytes = UINT64_MAX;
	if (bytes < match->min_size_bytes)
		return false;
	return !match->max_size_bytes || bytes <= match->max_size_bytes;
}

static bool flag_holds(int wanted, int actual)
{
	return wanted < 0 || wanted == actual;
}

bool profile_match_holds(const struct profile_match *match, const struct device *device,
			 enum device_class class, const struct host *host)
{
	if (match->classes && !(match->classes & 1u << class))
		return false;
	return flag_holds(match->rotational, device->rotational) &&
	       flag_holds(match->hidden, device->is_hidden) &&
	       flag_holds(match->removable, device->is_removable) &&
	       size_holds(match, device) &&
	       holds(&match->transports, device->transport) &&
	       holds(&match->models, device->model) &&
	       holds(&match->vendors, device->vendor) &&
	       holds(&match->serials, device->serial) &&
	       wwn_holds(&match->wwns, device->wwn) &&
	       by_path_holds(&match->by_paths, device) &&
	       links_hold(&match->by_ids, device, "/by-id/") &&
	       filesystem_holds(&match->filesystems, device) &&
	       role_holds(&match->roles, device) &&
	       holds(&match->virtualisations, host ? host->virtualisation : NULL);
}
