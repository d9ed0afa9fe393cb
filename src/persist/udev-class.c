// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The class table in udev's words. Each row becomes one rule that ends the search, as
 * the first row does; transports come before, from the same marks that a scan uses.
 */
#include "persist/udev-rules.h"

#include <errno.h>
#include <string.h>

#include "device/class.h"
#include "persist/udev-text.h"

/* SCSI hosts whose proc_name is not the name of their driver; the rest is both. */
static const struct {
	const char *host, *drivers;
} host_drivers[] = {
	{ "ufshcd*", "*ufs*" },
	{ "xen-scsifront", "vscsi" },
};

void udev_open(struct text *conditions, const char *key, const char *operator)
{
	text_addf(conditions, "%s%s%s\"", conditions->len ? ", " : "", key, operator);
}

void udev_close(struct text *conditions)
{
	text_add(conditions, "\"");
}

void udev_add_condition(struct text *conditions, const char *key, const char *operator,
			const char * value)
{
	udev_open(conditions, key, operator);
	text_add(conditions, value);
	udev_close(conditions);
}

static void add_line(struct text *out, struct text *conditions)
{
	if (conditions->error)
		out->error = conditions->error;
	else
		text_addf(out, "%s\n", conditions->data);
	conditions->len = 0;
}

static void add_globs(struct text *conditions, const char *key, const char *globs,
		      unsigned flags)
{
	if (!globs)
		return;
	udev_open(conditions, key, "==");
	udev_add_globs(conditions, globs, flags);
	udev_close(conditions);
}

/* udev shows the '!' of a kernel name as '/'. */
static void add_names(struct text *conditions, const char *names)
{
	_free_ char *copy = names ? strdup(names) : NULL;

	if (!names)
		return;
	if (!copy) {
		conditions->error = -ENOMEM;
		return;
	}
	for (char *p = copy; (p = strchr(p, '!'));)
		*p = '?';
	add_globs(conditions, "KERNEL", copy, UDEV_GLOB_EXACT);
}

static const char *drivers_of(const char *host)
{
	for (size_t i = 0; i < ARRAY_SIZE(host_drivers); i++)
		if (!strcmp(host, host_drivers[i].host))
			return host_drivers[i].drivers;
	return host;
}

/* --- transport -------------------------------------------------------------------------- */

#define TRANSPORT "ENV{.IOSCHED_TRANSPORT}"

static void add_transport(struct text *out, const char *conditions, const char *transport)
{
	text_addf(out, "%s, " TRANSPORT "=\"%s\", GOTO=\"iosched_tune_transport_end\"\n",
		  conditions, transport);
}

static void add_nvme_transport(struct text *out)
{
	add_transport(out, "KERNEL==\"nvme*\", ATTR{device/transport}==\"pcie\"", "nvme");
	add_transport(out, "KERNEL==\"nvme*\", ATTR{device/transport}==\"?*\"",
		      "nvme-$attr{device/transport}");
	add_transport(out, "KERNEL==\"nvme*\"", "nvme");
}

static void add_transports(struct text *out)
{
	const struct transport_path_mark *path;
	const struct transport_host_mark *host;
	_text_ struct text line = { 0 };

	text_add(out, "\n# How the disk is attached.\n");
	text_add(out, "TEST!=\"device\", GOTO=\"iosched_tune_class\"\n");
	add_nvme_transport(out);
	for (size_t i = 0; (path = transport_path_mark_get(i)); i++) {
		line.len = 0;
		text_addf(&line, "DEVPATH==\"*/%s%s*\"", path->prefix,
			  path->is_open ? "" : "[0-9]");
		add_transport(out, line.data, path->transport);
	}
	for (size_t i = 0; (host = transport_host_mark_get(i)); i++) {
		line.len = 0;
		add_globs(&line, "DRIVERS", drivers_of(host->glob), UDEV_GLOB_EXACT);
		add_transport(out, line.data, host->transport);
	}
	add_transport(out, "DEVPATH==\"*/ata[0-9]*\"", "sata");
	add_transport(out, "ATTR{device/vendor}==\"ATA\"", "sata");
	add_transport(out, "DEVPATH==\"*/host[0-9]*\"", "scsi");
	text_add(out, "LABEL=\"iosched_tune_transport_end\"\n");
}

/* --- identity --------------------------------------------------------------------------- */

/* As src/device/identity.c: sysfs, and udev's longer form where there is one. */
static void add_identity(struct text *out, struct udev_needs needs)
{
	text_add(out, "\n# Who made it.\n"
		      "ENV{.IOSCHED_MODEL}=\"$attr{device/model}\"\n"
		      "ENV{.IOSCHED_MODEL}!=\"?*\", "
		      "ENV{.IOSCHED_MODEL}=\"$attr{device/name}\"\n"
		      "ENV{ID_MODEL}==\"?*\", ENV{.IOSCHED_MODEL}=\"$env{ID_MODEL}\"\n"
		      "ENV{.IOSCHED_VENDOR}=\"$attr{device/vendor}\"\n"
		      "ENV{.IOSCHED_VENDOR}==\"0x*\", ENV{.IOSCHED_VENDOR}=\"\"\n"
		      "ENV{.IOSCHED_VENDOR}!=\"?*\", "
		      "ENV{.IOSCHED_VENDOR}=\"$env{ID_VENDOR}\"\n");
	if (needs.serial)
		text_add(out, "ENV{.IOSCHED_SERIAL}=\"$attr{device/serial}\"\n"
			      "ENV{.IOSCHED_SERIAL}!=\"?*\", "
			      "ENV{.IOSCHED_SERIAL}=\"$attr{serial}\"\n"
			      "ENV{ID_SERIAL_SHORT}==\"?*\", "
			      "ENV{.IOSCHED_SERIAL}=\"$env{ID_SERIAL_SHORT}\"\n"
			      "ENV{ID_SCSI_SERIAL}==\"?*\", "
			      "ENV{.IOSCHED_SERIAL}=\"$env{ID_SCSI_SERIAL}\"\n");
	if (needs.wwn)
		text_add(out,
			 "ENV{.IOSCHED_WWN}=\"$attr{wwid}\"\n"
			 "ENV{.IOSCHED_WWN}!=\"?*\", "
			 "ENV{.IOSCHED_WWN}=\"$attr{device/wwid}\"\n"
			 "ENV{.IOSCHED_WWN}!=\"?*\", "
			 "ENV{.IOSCHED_WWN}=\"$attr{device/uid}\"\n"
			 "ENV{.IOSCHED_WWN}!=\"?*\", ENV{.IOSCHED_TRANSPORT}==\"mmc\", "
			 "ENV{.IOSCHED_WWN}=\"$attr{device/cid}\"\n"
			 "ENV{ID_WWN}==\"?*\", ENV{.IOSCHED_WWN}=\"$env{ID_WWN}\"\n"
			 "ENV{ID_WWN_WITH_EXTENSION}==\"?*\", "
			 "ENV{.IOSCHED_WWN}=\"$env{ID_WWN_WITH_EXTENSION}\"\n");
}

/* --- class ------------------------------------------------------------------------------ */

static void add_spin(struct text *conditions, enum spin spin)
{
	if (spin == SPIN_YES || spin == SPIN_NO)
		udev_add_condition(conditions, "ATTR{queue/rotational}",
				   "==", spin == SPIN_YES ? "1" : "0");
	else if (spin == SPIN_UNKNOWN)
		udev_add_condition(conditions, "TEST", "!=", "queue/rotational");
}

static void add_row(struct text *out, const struct class_row *row)
{
	const unsigned maker = UDEV_GLOB_ANY_CASE | UDEV_GLOB_UNDERSCORE;
	_text_ struct text line = { 0 };

	add_names(&line, row->name);
	add_globs(&line, "DEVPATH", row->path, UDEV_GLOB_EXACT);
	add_globs(&line, TRANSPORT, row->transport, UDEV_GLOB_EXACT);
	add_globs(&line, "DRIVERS", row->driver ? row->driver : row->host,
		  UDEV_GLOB_EXACT);
	add_globs(&line, "ATTR{device/raid_level}", row->raid, UDEV_GLOB_EXACT);
	add_globs(&line, "ATTR{device/type}", row->card, UDEV_GLOB_EXACT);
	add_globs(&line, "ATTR{queue/zoned}", row->zoned, UDEV_GLOB_EXACT);
	add_globs(&line, "ENV{.IOSCHED_VENDOR}", row->vendor, maker);
	add_globs(&line, "ENV{.IOSCHED_MODEL}", row->model, maker);
	add_spin(&line, row->spin);
	udev_add_condition(&line, "ENV{.IOSCHED_CLASS}", "=",
			   device_class_name(row->class));
	udev_add_condition(&line, "GOTO", "=", "iosched_tune_class_end");
	add_line(out, &line);
}

void udev_add_classification(struct text *out, struct udev_needs needs)
{
	const struct class_row *row;

	add_transports(out);
	add_identity(out, needs);
	text_add(out, "\n# What it is: the first rule that fits.\n"
		      "LABEL=\"iosched_tune_class\"\n");
	/* hidden paths send no events, and of the heads above them the sysfs path tells */
	for (size_t i = 0; (row = class_row_get(i)); i++)
		if (!row->has_paths)
			add_row(out, row);
	text_add(out, "LABEL=\"iosched_tune_class_end\"\n");
}

/* The later one wins, as in a scan. */
void udev_add_class_overrides(struct text *out, const struct device_override *overrides,
			      size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct device_override *override = &overrides[i];
		struct profile_match match = { .rotational = -1,
					       .hidden = -1,
					       .removable = -1 };
		_text_ struct text line = { 0 };
		const char *unseen;
		char tag[32];

		snprintf(tag, sizeof(tag), "C%zu", i);
		if ((override->wwn && strv_add(&match.wwns, override->wwn)) ||
		    (override->serial && strv_add(&match.serials, override->serial)) ||
		    (override->by_path && strv_add(&match.by_paths, override->by_path)) ||
		    (override->by_id && strv_add(&match.by_ids, override->by_id)))
			out->error = -ENOMEM;
		text_add(out, "# ");
		udev_add_comment(out, override->source);
		text_add(out, "\n");
		if (udev_add_match(out, &line, &match, tag, &unseen))
			out->error = -ENOMEM;
		udev_add_condition(&line, "ENV{.IOSCHED_CLASS}", "=",
				   device_class_name(override->class));
		add_line(out, &line);
		strv_done(&match.wwns);
		strv_done(&match.serials);
		strv_done(&match.by_paths);
		strv_done(&match.by_ids);
	}
}
