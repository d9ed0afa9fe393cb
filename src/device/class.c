// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What kind of disk it is: an ordered table. The first row whose every condition holds
 * decides; the conditions that it names become the evidence. A new class is a new row.
 *
 * rotational alone never makes a spinning disk: RAID adapters, hypervisors and USB
 * bridges report 1 over flash, so their rows come first.
 */
#include "device/class.h"

#include <errno.h>
#include <string.h>

#include "device/scan-internal.h"
#include "util/i18n.h"

#define STACK_DEPTH_MAX 32

#define CERTAIN CONFIDENCE_CERTAIN
#define LIKELY  CONFIDENCE_LIKELY
#define GUESS   CONFIDENCE_GUESS

#define ZONES "host-managed|host-aware"
/* Adapters that hide their disks behind volumes unless told to pass them through. */
#define RAID_HOSTS                                                                       \
	"megaraid*|hpsa|smartpqi|cciss|aacraid|3w-*|arcmsr|ips|hptiop|stex|mvumi|gdth|"  \
	"dpt_i2o|dac960|myrb|myrs|pmcraid|ipr|qla1280raid"
#define WIRED "sata|ata|sas|scsi|firewire"

static const struct class_row rows[] = {
	/* What the kernel's own name says. */
	{ CLASS_LOOP, 0, CERTAIN, .name = "loop[0-9]*",
	  .reason = N_("the loop driver shows a file as a disk") },
	{ CLASS_ZRAM, CLASS_SSD, CERTAIN, .name = "zram[0-9]*",
	  .reason = N_("compressed memory") },
	{ CLASS_RAM, CLASS_SSD, CERTAIN, .name = "ram[0-9]*",
	  .reason = N_("a RAM disk") },
	{ CLASS_PMEM, CLASS_SSD, CERTAIN, .name = "pmem[0-9]*|ndblk[0-9]*",
	  .reason = N_("persistent memory") },
	{ CLASS_DM, 0, CERTAIN, .name = "dm-[0-9]*",
	  .reason = N_("device mapper: the disks below do the work") },
	{ CLASS_MD, 0, CERTAIN, .name = "md[0-9]*|md_*",
	  .reason = N_("software RAID: the disks below do the work") },
	{ CLASS_BCACHE, 0, CERTAIN, .name = "bcache[0-9]*",
	  .reason = N_("a cached disk: the disks below do the work") },
	{ CLASS_NETWORK, CLASS_SSD, CERTAIN, .name = "nbd[0-9]*|rbd[0-9]*|etherd!*",
	  .reason = N_("the disk is at the other end of a network") },
	{ CLASS_NETWORK, 0, LIKELY, .name = "drbd[0-9]*",
	  .reason = N_("a disk that is mirrored over a network") },
	{ CLASS_FLOPPY, CLASS_HDD, CERTAIN, .name = "fd[0-9]*",
	  .reason = N_("the floppy driver's name") },
	{ CLASS_OPTICAL, CLASS_HDD, CERTAIN, .name = "sr[0-9]*|scd[0-9]*|pcd[0-9]*",
	  .reason = N_("the optical drive's name") },
	{ CLASS_OPTICAL, CLASS_HDD, CERTAIN, .driver = "ide-cdrom|sr",
	  .reason = N_("the optical drive's driver") },
	{ CLASS_DASD, CLASS_HDD, CERTAIN, .name = "dasd[a-z]*",
	  .reason = N_("a mainframe disk behind a control unit") },

	/* NVMe. A head has no queue; its hidden paths have. */
	{ CLASS_NVME_PATH, CLASS_NVME, CERTAIN, .name = "nvme[0-9]*c[0-9]*n[0-9]*",
	  .reason = N_("a hidden path: its queue is where the head's I/O is scheduled") },
	{ CLASS_NVME_HEAD, CLASS_NVME, CERTAIN, .name = "nvme[0-9]*n[0-9]*",
	  .has_paths = true, .reason = N_("a multipath head over hidden paths") },
	{ CLASS_NVME_HEAD, CLASS_NVME, LIKELY, .name = "nvme[0-9]*n[0-9]*",
	  .path = "*/nvme-subsystem/*",
	  .reason = N_(
		  "a multipath head: it belongs to the subsystem, not to a controller") },
	{ CLASS_ZNS, CLASS_NVME, CERTAIN, .name = "nvme[0-9]*n[0-9]*", .zoned = ZONES,
	  .reason = N_("a zoned namespace") },
	{ CLASS_VIRTUAL, CLASS_NVME, LIKELY, .name = "nvme[0-9]*n[0-9]*",
	  .model = "Amazon Elastic Block Store*|nvme_card*|MSFT NVMe Accelerator*|"
		   "Alibaba Cloud Elastic Block*|Google PersistentDisk*",
	  .reason = N_("a cloud volume behind an NVMe interface") },
	{ CLASS_NVME, CLASS_NVME, CERTAIN, .name = "nvme[0-9]*n[0-9]*",
	  .reason = N_("an NVMe namespace on its controller") },

	/* Cards and flash whose interface tells. */
	{ CLASS_UFS, CLASS_SSD, CERTAIN, .transport = "ufs",
	  .reason = N_("the UFS host's driver") },
	{ CLASS_EMMC, CLASS_SSD, CERTAIN, .transport = "mmc", .card = "MMC",
	  .reason = N_("a soldered memory card") },
	{ CLASS_SDCARD, CLASS_EMMC, CERTAIN, .transport = "mmc", .card = "SD*",
	  .reason = N_("a memory card in a slot") },
	{ CLASS_SDCARD, CLASS_EMMC, GUESS, .name = "mmcblk[0-9]*|mspblk[0-9]*",
	  .reason = N_("a memory card of a kind that is not told") },
	{ CLASS_USB, 0, CERTAIN, .transport = "usb",
	  .reason = N_("on USB: the bridge's word for the medium is not to be trusted") },
	{ CLASS_NETWORK, 0, CERTAIN, .transport = "iscsi",
	  .reason = N_("an iSCSI session") },
	{ CLASS_NETWORK, 0, LIKELY, .transport = "srp", .reason = N_("SCSI over RDMA") },

	/* Zones bind whoever drives the disk, so they come before the adapter. */
	{ CLASS_ZNS, CLASS_SSD, LIKELY, .zoned = ZONES, .spin = SPIN_NO,
	  .reason = N_("zoned and not spinning") },
	{ CLASS_SMR_HDD, CLASS_HDD, CERTAIN, .zoned = ZONES,
	  .transport = "sata|sas|scsi|ata", .reason = N_("zoned: shingled recording") },
	{ CLASS_SMR_HDD, CLASS_HDD, LIKELY, .zoned = ZONES,
	  .reason = N_("zoned: shingled recording") },
	{ CLASS_RAM, CLASS_SSD, LIKELY, .name = "nullb[0-9]*",
	  .reason = N_("null_blk: a test device without a medium") },

	/* Hardware RAID and arrays. A disk passed through says so, or is plain ATA. */
	{ CLASS_SSD, CLASS_SSD, LIKELY, .host = RAID_HOSTS, .raid = "N/A",
	  .spin = SPIN_NO, .reason = N_("a disk that the RAID adapter passes through") },
	{ CLASS_HDD, CLASS_HDD, LIKELY, .host = RAID_HOSTS, .raid = "N/A",
	  .spin = SPIN_YES, .reason = N_("a disk that the RAID adapter passes through") },
	{ CLASS_SSD, CLASS_SSD, LIKELY, .host = RAID_HOSTS, .vendor = "ATA",
	  .spin = SPIN_NO, .reason = N_("a disk that the RAID adapter passes through") },
	{ CLASS_HDD, CLASS_HDD, LIKELY, .host = RAID_HOSTS, .vendor = "ATA",
	  .spin = SPIN_YES, .reason = N_("a disk that the RAID adapter passes through") },
	{ CLASS_RAID, 0, CERTAIN, .name = "cciss!*|ida!*|rd!*|i2o!*",
	  .reason = N_("a RAID driver's name") },
	{ CLASS_RAID, 0, CERTAIN, .host = RAID_HOSTS,
	  .reason = N_("a volume of a hardware RAID adapter") },
	{ CLASS_RAID, 0, CERTAIN,
	  .model = "LOGICAL VOLUME*|PERC*|MegaRAID*|ServeRAID*|DELLBOSS*",
	  .reason = N_("a volume of a hardware RAID adapter") },
	{ CLASS_RAID, 0, CERTAIN, .vendor = "DELL", .model = "VIRTUAL DISK*",
	  .reason = N_("a volume of a hardware RAID adapter") },
	{ CLASS_RAID, 0, LIKELY,
	  .vendor = "NETAPP|EMC|DGC|3PARdata|PURE|COMPELNT|Nimble|INFINIDAT|XtremIO|"
		    "Areca|AMCC",
	  .reason = N_("a volume of a storage array") },
	{ CLASS_RAID, 0, LIKELY, .transport = "fc",
	  .reason = N_("a volume on Fibre Channel") },

	/* What a hypervisor provides; its medium cannot be seen from here. */
	{ CLASS_VIRTUAL, CLASS_SSD, CERTAIN, .transport = "virtio|xen|vmbus|vmware",
	  .reason = N_("a hypervisor's disk interface") },
	{ CLASS_VIRTUAL, CLASS_SSD, CERTAIN, .name = "vd[a-z]*|xvd[a-z]*",
	  .reason = N_("a hypervisor's disk interface") },
	{ CLASS_VIRTUAL, CLASS_SSD, CERTAIN,
	  .vendor = "QEMU*|VMware*|VBOX*|Msft*|Xen*|Google*|Nutanix*|VRTUAL*",
	  .reason = N_("a disk that a hypervisor emulates") },
	{ CLASS_VIRTUAL, CLASS_SSD, CERTAIN,
	  .model = "QEMU*|VMware*|VBOX*|Virtual Disk*|Virtual "
		   "HD*|Parallels*|PersistentDisk*",
	  .reason = N_("a disk that a hypervisor emulates") },

	/* Plain disks. */
	{ CLASS_SSD, CLASS_SSD, CERTAIN, .spin = SPIN_NO, .transport = "sata|sas",
	  .reason = N_("the drive reports that it does not spin") },
	{ CLASS_SSD, CLASS_SSD, LIKELY, .spin = SPIN_NO, .transport = WIRED,
	  .reason = N_("the drive reports that it does not spin") },
	{ CLASS_SSD, CLASS_SSD, LIKELY, .transport = WIRED,
	  .model = "*SSD*|*Solid State*", .reason = N_("the model's name") },
	{ CLASS_HDD, CLASS_HDD, CERTAIN, .spin = SPIN_YES, .transport = "sata|sas|ata",
	  .model = "?*",
	  .reason = N_("a disk on a plain adapter that reports spinning") },
	{ CLASS_HDD, CLASS_HDD, LIKELY, .spin = SPIN_YES, .transport = WIRED,
	  .reason = N_("a disk that reports spinning") },
	{ CLASS_HDD, CLASS_HDD, GUESS, .spin = SPIN_UNKNOWN, .transport = WIRED,
	  .reason = N_("a disk of a kernel that does not tell whether it spins") },
	{ CLASS_UNKNOWN, 0, GUESS, .reason = N_("nothing tells what it is") },
};

const struct class_row *class_row_get(size_t index)
{
	return index < ARRAY_SIZE(rows) ? &rows[index] : NULL;
}

/* A condition, the fact it is about, and what the fact is called in the evidence. */
struct condition {
	const char *globs, *fact, *label;
};

#define CONDITION_COUNT 10

static void list_conditions(const struct class_row *row, const struct device *device,
			    struct condition *ret)
{
	const struct condition conditions[CONDITION_COUNT] = {
		{ row->name, device->sys_name, "name" },
		{ row->path, device->sys_path, "path" },
		{ row->transport, device->transport, "transport" },
		{ row->host, device->host_driver, "scsi_host/proc_name" },
		{ row->driver, device->driver, "device/driver" },
		{ row->raid, device->raid_level, "device/raid_level" },
		{ row->card, device->card_type, "device/type" },
		{ row->zoned, device->zoned, "queue/zoned" },
		{ row->vendor, device->vendor, "device/vendor" },
		{ row->model, device->model, "device/model" },
	};

	memcpy(ret, conditions, sizeof(conditions));
}

static bool matches_any(const char *globs, const char *fact)
{
	while (*globs) {
		size_t len = strcspn(globs, "|");
		char glob[64];

		if (len < sizeof(glob)) {
			memcpy(glob, globs, len);
			glob[len] = '\0';
			if (text_glob_match(glob, fact))
				return true;
		}
		globs += len + (globs[len] == '|');
	}
	return false;
}

static bool row_matches(const struct class_row *row, const struct device *device)
{
	static const int rotational[] = {
		[SPIN_YES] = 1,
		[SPIN_NO] = 0,
		[SPIN_UNKNOWN] = -1,
	};
	struct condition conditions[CONDITION_COUNT];

	if (row->spin != SPIN_ANY && device->rotational != rotational[row->spin])
		return false;
	if (row->has_paths && !device->paths.count)
		return false;
	list_conditions(row, device, conditions);
	for (size_t i = 0; i < CONDITION_COUNT; i++)
		if (conditions[i].globs &&
		    (!conditions[i].fact ||
		     !matches_any(conditions[i].globs, conditions[i].fact)))
			return false;
	return true;
}

static int add_evidence(struct device *device, const char *label, const char *fact)
{
	_free_ char *line = NULL;

	if (asprintf(&line, "%s = %s", label, fact) < 0) {
		line = NULL;
		return -ENOMEM;
	}
	return strv_add(&device->evidence, line);
}

static int take_row(const struct class_row *row, struct device *device)
{
	struct condition conditions[CONDITION_COUNT];
	char count[24];
	int error = 0;

	device->class = row->class;
	device->nearest = row->nearest;
	device->confidence = row->confidence;
	device->reason = row->reason;
	list_conditions(row, device, conditions);
	for (size_t i = 0; !error && i < CONDITION_COUNT; i++)
		if (conditions[i].globs)
			error = add_evidence(device, conditions[i].label,
					     conditions[i].fact);
	if (!error && row->has_paths) {
		snprintf(count, sizeof(count), "%zu", device->paths.count);
		error = add_evidence(device, "hidden paths", count);
	}
	if (!error && (row->spin == SPIN_YES || row->spin == SPIN_NO))
		error = add_evidence(device, "queue/rotational",
				     row->spin == SPIN_YES ? "1" : "0");
	return error;
}

/*
 * The medium to treat it as: spinning where any disk below spins, else what the first of
 * them is; without any, what the queue reports. Found once for each disk, so that a wide
 * stack costs no more than its links; one that lies on itself ends at the depth limit.
 */
static enum device_class nearest_of(const struct scan *scan, struct device *device,
				    unsigned depth)
{
	const struct strv *below = device->paths.count ? &device->paths : &device->slaves;
	enum device_class found = CLASS_UNKNOWN;

	if (device->nearest != CLASS_UNKNOWN || depth > STACK_DEPTH_MAX)
		return device->nearest;
	for (size_t i = 0; i < below->count && found != CLASS_HDD; i++) {
		struct device *next = device_list_find(scan->list, below->items[i]);
		enum device_class medium =
			next ? nearest_of(scan, next, depth + 1) : CLASS_UNKNOWN;

		if (found == CLASS_UNKNOWN || medium == CLASS_HDD)
			found = medium;
	}
	if (found == CLASS_UNKNOWN) /* kernels before 2.6.29 knew only spinning disks */
		found = device->rotational == 0 ? CLASS_SSD : CLASS_HDD;
	device->nearest = found;
	return found;
}

static bool matches_link(const struct device *device, const char *folder,
			 const char *glob)
{
	for (size_t i = 0; i < device->devlinks.count; i++) {
		const char *link = device->devlinks.items[i];
		const char *base = strrchr(link, '/');

		if (strstr(link, folder) &&
		    (text_glob_match(glob, link) || text_glob_match(glob, base + 1)))
			return true;
	}
	return false;
}

static bool override_matches(const struct device_override *override,
			     const struct device *device)
{
	const char *id_path = device_find_property(device, "ID_PATH");

	if (!override->wwn && !override->serial && !override->by_path && !override->by_id)
		return false;
	if (override->wwn &&
	    (!device->wwn || !text_glob_match(override->wwn, device->wwn)))
		return false;
	if (override->serial &&
	    (!device->serial || !text_glob_match(override->serial, device->serial)))
		return false;
	if (override->by_path && !matches_link(device, "/by-path/", override->by_path) &&
	    !(id_path && text_glob_match(override->by_path, id_path)))
		return false;
	return !override->by_id || matches_link(device, "/by-id/", override->by_id);
}

static int take_override(const struct device_override *override, struct device *device)
{
	device->class = override->class;
	device->nearest = CLASS_UNKNOWN;
	device->confidence = CONFIDENCE_CERTAIN;
	device->reason = N_("set by hand for this disk");
	if (device_set_string(&device->override_source, override->source))
		return -ENOMEM;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		if (rows[i].class == override->class) {
			device->nearest = rows[i].nearest;
			break;
		}
	}
	return add_evidence(device, "override", override->source);
}

static int classify_device(struct device *device, const struct device_override *overrides,
			   size_t override_count)
{
	const struct device_override *override = NULL;
	size_t row = 0;

	for (size_t i = 0; i < override_count; i++) /* the later one wins */
		if (override_matches(&overrides[i], device))
			override = &overrides[i];
	if (override)
		return take_override(override, device);
	while (row < ARRAY_SIZE(rows) - 1 && !row_matches(&rows[row], device))
		row++;
	return take_row(&rows[row], device);
}

int scan_classify(struct scan *scan, const struct device_override *overrides,
		  size_t override_count)
{
	struct device_list *list = scan->list;

	for (size_t i = 0; i < list->count; i++) {
		int error = classify_device(&list->items[i], overrides, override_count);

		if (error)
			return error;
	}
	for (size_t i = 0; i < list->count; i++)
		nearest_of(scan, &list->items[i], 0);
	return 0;
}
