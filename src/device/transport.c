// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How a disk is attached: read off the names that its sysfs path goes through, the
 * driver of the device below it, and for SCSI the driver of the host adapter.
 */
#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "device/class.h"
#include "device/scan-internal.h"
#include "sysfs/paths.h"

/*
 * A component that begins with `prefix` and goes on with a digit (or, where `is_open`,
 * with anything) tells the transport. First match wins: a USB bridge also has a host
 * and a target, an iSCSI disk too.
 */
static const struct transport_path_mark path_marks[] = {
	{ "usb", false, "usb" },         { "session", false, "iscsi" },
	{ "rport-", false, "fc" },       { "mmc_host", true, "mmc" },
	{ "end_device-", false, "sas" }, { "nvme-subsystem", true, "nvme" },
	{ "virtio", false, "virtio" },   { "vmbus", true, "vmbus" },
	{ "VMBUS:", true, "vmbus" },     { "vbd-", false, "xen" },
	{ "fw", false, "firewire" },     { "ide", false, "ata" },
	{ "css", false, "ccw" },
};

/* SCSI host drivers whose transport the path does not show. */
static const struct transport_host_mark host_marks[] = {
	{ "ufshcd*", "ufs" },
	{ "iscsi_tcp", "iscsi" },
	{ "ib_iser", "iscsi" },
	{ "be2iscsi", "iscsi" },
	{ "bnx2i", "iscsi" },
	{ "ib_srp", "srp" },
	{ "usb-storage", "usb" },
	{ "uas", "usb" },
	{ "virtio_scsi", "virtio" },
	{ "storvsc*", "vmbus" },
	{ "hv_storvsc", "vmbus" },
	{ "vmw_pvscsi", "vmware" },
	{ "xen-scsifront", "xen" },
	{ "lpfc", "fc" },
	{ "qla2xxx", "fc" },
	{ "bfa", "fc" },
	{ "zfcp", "fc" },
	{ "fnic", "fc" },
	{ "ahci*", "sata" },
	{ "sata_*", "sata" },
	{ "ata_piix", "sata" },
	{ "pata_*", "ata" },
	{ "isci", "sas" },
	{ "mpt3sas", "sas" },
	{ "mpt2sas", "sas" },
	{ "mptsas", "sas" },
	{ "aic94xx", "sas" },
	{ "mvsas", "sas" },
	{ "pm80xx", "sas" },
	{ "hisi_sas*", "sas" },
};

const struct transport_path_mark *transport_path_mark_get(size_t index)
{
	return index < ARRAY_SIZE(path_marks) ? &path_marks[index] : NULL;
}

const struct transport_host_mark *transport_host_mark_get(size_t index)
{
	return index < ARRAY_SIZE(host_marks) ? &host_marks[index] : NULL;
}

/* The component of `path` that is `prefix` and then digits only; its length, or 0. */
static size_t find_component(const char *path, const char *prefix, bool is_open,
			     const char **ret)
{
	size_t prefix_len = strlen(prefix);

	for (const char *p = path; *p;) {
		size_t len = strcspn(p, "/");

		if (len >= prefix_len && !strncmp(p, prefix, prefix_len) &&
		    (is_open ||
		     (len > prefix_len && isdigit((unsigned char)p[prefix_len])))) {
			*ret = p;
			return len;
		}
		p += len + (p[len] == '/');
	}
	return 0;
}

static int read_host_driver(const struct scan *scan, const char *path,
			    struct device *device)
{
	const char *host;
	size_t len = find_component(path, "host", false, &host);
	_free_ char *below = NULL, *class = NULL, *value = NULL;

	if (!len)
		return 0;
	if (asprintf(&below, "%.*s/scsi_host/%.*s/proc_name",
		     (int)(host - path + (long)len), path, (int)len, host) < 0) {
		below = NULL;
		return -ENOMEM;
	}
	if (asprintf(&class, PATH_SYS_SCSI_HOST "/%.*s/proc_name", (int)len, host) < 0) {
		class = NULL;
		return -ENOMEM;
	}
	/* before 2.6.26 the class has directories of its own */
	if (root_read(scan->root, below, &value) && root_read(scan->root, class, &value))
		return 0;
	if (!*text_trim(value) || !strcmp(text_trim(value), "<NULL>"))
		return 0;
	return device_set_string(&device->host_driver, text_trim(value));
}

static const char *transport_of(const struct device *device, const char *path)
{
	const char *found;

	if (text_equal(device->driver, "virtio_blk"))
		return "virtio";
	for (size_t i = 0; i < ARRAY_SIZE(path_marks); i++)
		if (find_component(path, path_marks[i].prefix, path_marks[i].is_open,
				   &found))
			return path_marks[i].transport;
	for (size_t i = 0; device->host_driver && i < ARRAY_SIZE(host_marks); i++)
		if (text_glob_match(host_marks[i].glob, device->host_driver))
			return host_marks[i].transport;
	if (find_component(path, "ata", false, &found) ||
	    text_equal(device->vendor, "ATA"))
		return "sata";
	if (find_component(path, "host", false, &found))
		return "scsi";
	return NULL;
}

/* NVMe says it itself: "pcie", or the fabric. */
static int read_nvme_transport(const struct root_dir *dir, struct device *device)
{
	_free_ char *fabric = NULL, *name = NULL;
	int error = device_read_string(dir, "device/transport", &fabric);

	if (error)
		return error;
	if (!fabric || !strcmp(fabric, "pcie"))
		return device_set_string(&device->transport, "nvme");
	if (asprintf(&name, "nvme-%s", fabric) < 0) {
		name = NULL;
		return -ENOMEM;
	}
	return device_set_string(&device->transport, name);
}

int device_read_transport(const struct scan *scan, const struct root_dir *dir,
			  struct device *device)
{
	_free_ char *link = NULL, *resolved = NULL;
	const char *transport, *path = device->sys_path;
	int error = device_read_link_name(dir, "device/driver", &device->driver);

	if (error)
		return error;
	if (text_starts_with(device->sys_name, "nvme"))
		return read_nvme_transport(dir, device);
	/* before 2.6.25 only the link below the disk leads to where it is attached */
	if (text_starts_with(path, PATH_SYS_BLOCK "/")) {
		if (asprintf(&link, "%s/device", path) < 0) {
			link = NULL;
			return -ENOMEM;
		}
		if (!root_resolve(scan->root, link, &resolved))
			path = resolved;
	}
	error = read_host_driver(scan, path, device);
	if (error)
		return error;
	transport = transport_of(device, path);
	return transport ? device_set_string(&device->transport, transport) : 0;
}
