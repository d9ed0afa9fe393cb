/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where things are, relative to a root handle. The only place that spells these paths.
 */
#ifndef IOSCHED_SYSFS_PATHS_H
#define IOSCHED_SYSFS_PATHS_H

#define PATH_SYS             "sys"
#define PATH_SYS_BLOCK       "sys/block"
#define PATH_SYS_DEV_BLOCK   "sys/dev/block"
#define PATH_SYS_CLASS_BLOCK "sys/class/block"
#define PATH_SYS_SCSI_HOST   "sys/class/scsi_host"
#define PATH_DMI             "sys/class/dmi/id"
#define PATH_HYPERVISOR_TYPE "sys/hypervisor/type"
#define PATH_UDEV_DATA       "run/udev/data"
#define PATH_DEV             "dev"
#define PATH_MOUNTINFO       "proc/self/mountinfo"
#define PATH_SWAPS           "proc/swaps"
#define PATH_OSRELEASE       "proc/sys/kernel/osrelease"
#define PATH_BOOT_ID         "proc/sys/kernel/random/boot_id"
#define PATH_CMDLINE         "proc/cmdline"
#define PATH_CPUINFO         "proc/cpuinfo"
#define PATH_PROC_MODULES    "proc/modules"
#define PATH_MODULES         "lib/modules"
#define PATH_OS_RELEASE_ETC  "etc/os-release"
#define PATH_OS_RELEASE_USR  "usr/lib/os-release"

#define PATH_CONFIG_DIR      "etc/iosched-tune"
#define PATH_CONFIG_PROFILES "etc/iosched-tune/profiles"
#define PATH_CONFIG_DEVICES  "etc/iosched-tune/devices.d"

#define PATH_STATE_DIR       "var/lib/iosched-tune"
#define PATH_JOURNAL         "var/lib/iosched-tune/journal.json"
#define PATH_LOCK            "var/lib/iosched-tune/lock"
#define PATH_LOG             "var/log/iosched-tune.log"
#define PATH_JOURNALD_SOCKET "run/systemd/journal/socket"

/* In a snapshot only: what libblkid found on a device when the snapshot was made,
   <name>/<TAG>. No such path exists on a host. */
#define PATH_SNAPSHOT_BLKID  "snapshot/blkid"

#endif
