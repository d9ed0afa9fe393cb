// SPDX-License-Identifier: GPL-2.0-or-later
/* Whether a device holds nothing and is nobody's. */
#include "bench/safety.h"

#include <blkid.h>
#include <errno.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "sysfs/paths.h"
#include "util/i18n.h"

static int check_use(const struct device *device, struct diag *diag)
{
	const char *name = device->name;
	const char *file_hint =
		_("a file on its filesystem can be written instead: --write-file PATH");

	for (size_t i = 0; i < device->mount_count; i++) {
		if (!device->mounts[i].target)
			continue;
		diag_set(diag, -EBUSY, _("%s is in use: %s is mounted on %s"), name,
			 device->mounts[i].source_name, device->mounts[i].target);
		diag_hint(diag, "%s", file_hint);
		return -EBUSY;
	}
	if (device->is_swap) {
		diag_set(diag, -EBUSY, _("%s is in use: it is swap"), name);
		return -EBUSY;
	}
	if (device->holders.count) {
		diag_set(diag, -EBUSY, _("%s is in use: %s is built on it"), name,
			 device->holders.items[0]);
		return -EBUSY;
	}
	if (device->head) {
		diag_set(diag, -EBUSY, _("%s is in use: it is a path of %s"), name,
			 device->head);
		return -EBUSY;
	}
	if (device->is_read_only)
		return diag_set(diag, -EROFS, _("%s is read-only"), name);
	return 0;
}

static const char *lookup(blkid_probe probe, const char *tag)
{
	const char *value;

	return blkid_probe_lookup_value(probe, tag, &value, NULL) ? NULL : value;
}

/* Only "nothing was found" is nothing: not an error, and not several things at once. */
static int check_signature(const struct device *device, blkid_probe probe, struct diag *diag)
{
	const char *name = device->name, *what;
	int found;

	blkid_probe_enable_superblocks(probe, 1);
	blkid_probe_set_superblocks_flags(probe, BLKID_SUBLKS_TYPE | BLKID_SUBLKS_USAGE);
	blkid_probe_enable_partitions(probe, 1);
	/* Also where the first sectors were overwritten: its copy is at the end. */
	blkid_probe_set_partitions_flags(probe, BLKID_PARTS_FORCE_GPT);
	found = blkid_do_safeprobe(probe);
	if (found == 1)
		return 0;
	if (found == -1)
		return diag_set(diag, -EEXIST, _("%s: what is on it cannot be told"), name);
	if (found == -2) {
		diag_set(diag, -EEXIST, _("%s holds more than one thing"), name);
	} else if ((what = lookup(probe, "TYPE"))) {
		diag_set(diag, -EEXIST, _("%s holds data: %s"), name, what);
	} else {
		what = lookup(probe, "PTTYPE");
		diag_set(diag, -EEXIST, _("%s holds a partition table: %s"), name,
			 what ? what : "-");
	}
	diag_hint(diag, _("where nothing of it is needed, wipefs takes the signature away"));
	return -EEXIST;
}

static int check_content(const struct device *device, int fd, struct diag *diag)
{
	blkid_probe probe = blkid_new_probe();
	int error;

	if (!probe)
		return -ENOMEM;
	if (blkid_probe_set_device(probe, fd, 0, 0))
		error = diag_set(diag, -EEXIST, _("%s: what is on it cannot be told"),
				 device->name);
	else
		error = check_signature(device, probe, diag);
	blkid_free_probe(probe);
	return error;
}

/* What the person has to have said, last: until then it is of no use to say it. */
static int check_name(const struct device *device, const char *named, struct diag *diag)
{
	if (named && strcmp(named, device->name) == 0)
		return 0;
	if (named)
		return diag_set(diag, -EINVAL, _("--destroy-data names %s, and the device is %s"),
				named, device->name);
	diag_set(diag, -EINVAL, _("this would write to %s"), device->name);
	diag_hint(diag,
		  _("it seems to hold nothing; to write to it all the same: --destroy-data %s"),
		  device->name);
	return -EINVAL;
}

int bench_claim_device(const struct root *root, const struct device *device,
		       const char *named, struct diag *diag)
{
	_close_ int fd = -1;
	_free_ char *path = NULL;
	int error = check_use(device, diag);

	if (error)
		return error;
	if (asprintf(&path, PATH_DEV "/%s", device->name) < 0) {
		path = NULL;
		return -ENOMEM;
	}
	fd = root_claim_device(root, path, device->major, device->minor);
	if (fd == -EBUSY)
		return diag_set(diag, -EBUSY, _("%s is in use by a program or driver"),
				device->name);
	if (fd < 0)
		return diag_set(diag, fd, _("%s cannot be opened for writing: %s"),
				device->name, strerror(-fd));
	error = check_content(device, fd, diag);
	if (!error)
		error = check_name(device, named, diag);
	/* While it is locked so, udev does not look at it each time that fio closes it: its
	   rules would set the scheduler. Where this is not to be had the run notices. */
	if (!error)
		(void)flock(fd, LOCK_EX | LOCK_NB);
	return error ? error : TAKE_FD(fd);
}
