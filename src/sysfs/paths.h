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
#define PATH_NVME            "sys/class/nvme"
#define PATH_NVME_SUBSYSTEM  "sys/class/nvme-subsystem"
#define PATH_SYS_MODULE      "sys/module"
#define PATH_DMI             "sys/class/dmi/id"
#define PATH_HYPERVISOR_TYPE "sys/hypervisor/type"
#define PATH_UDEV_DATA       "run/udev/data"
#define PATH_UDEV_TAGS       "run/udev/tags" /* a folder for each tag */
#define PATH_DEV             "dev"
#define PATH_MOUNTINFO       "proc/self/mountinfo"
#define PATH_SWAPS           "proc/swaps"
#define PATH_OSRELEASE       "proc/sys/kernel/osrelease"
#define PATH_UPTIME          "proc/uptime"
#define PATH_PROC_STAT       "proc/stat"
#define PATH_INTERRUPTS      "proc/interrupts"
#define PATH_IRQ             "proc/irq"
#define PATH_LOADAVG         "proc/loadavg"
#define PATH_PROC            "proc"
#define PATH_CPUS            "sys/devices/system/cpu"
#define PATH_CPU_ONLINE      "sys/devices/system/cpu/online"
/* Any of these: irqbalance is running. */
#define PATHS_IRQBALANCE     { "run/irqbalance", "run/irqbalance.pid" }
#define PATH_BOOT_ID         "proc/sys/kernel/random/boot_id"
#define PATH_CMDLINE         "proc/cmdline"
#define PATH_PROC_CONFIG     "proc/config.gz"
#define PATH_TIMER_LIST      "proc/timer_list"
#define PATH_BOOT_CONFIG     "boot/config-" /* and the release */
#define PATH_CPUINFO         "proc/cpuinfo"
#define PATH_PROC_MODULES    "proc/modules"
#define PATH_MODULES         "lib/modules"
#define PATH_OS_RELEASE_ETC  "etc/os-release"
#define PATH_OS_RELEASE_USR  "usr/lib/os-release"

/* What other managers and scripts of the system read. */
#define PATH_RC_LOCAL        "etc/rc.local"
#define PATH_RC_D_LOCAL      "etc/rc.d/rc.local"
#define PATH_BOOT_LOCAL      "etc/init.d/boot.local"
#define PATH_AFTER_LOCAL     "etc/init.d/after.local"
#define PATH_TMPFILES        "etc/tmpfiles.d"
#define PATH_SYSFS_CONF      "etc/sysfs.conf"
#define PATH_SYSFS_D         "etc/sysfs.d"
#define PATH_CRONTAB         "etc/crontab"
#define PATH_TUNED_ACTIVE    "etc/tuned/active_profile"
#define PATHS_TUNED_PROFILES                                                           \
	{ "etc/tuned/profiles", "etc/tuned", "usr/lib/tuned/profiles", "usr/lib/tuned" }
#define PATH_SAPTUNE_CONFIG  "etc/sysconfig/saptune"
#define PATHS_SAPTUNE_NOTES                                                            \
	{ "etc/saptune/override", "etc/saptune/extra",                                 \
	  "var/lib/saptune/working/notes", "usr/share/saptune/notes" }
#define PATHS_TLP            { "etc/tlp.conf", "etc/default/tlp" }
#define PATH_TLP_D           "etc/tlp.d"

#define PATH_INITRAMFS_TOOLS   "etc/initramfs-tools"
#define PATH_INITRAMFS_MODULES "etc/initramfs-tools/modules"
#define PATH_DRACUT_CONF     "etc/dracut.conf"
#define PATH_DRACUT_CONF_D   "etc/dracut.conf.d"
#define PATH_DRACUT_CONFIG   "etc/dracut.conf.d/iosched-tune.conf"

#define PATH_GRUB_DEFAULTS   "etc/default/grub"
#define PATH_GRUB_DROP_INS   "etc/default/grub.d"
#define PATH_GRUB_CONFIG     "boot/grub/grub.cfg"
#define PATH_GRUB2_CONFIG    "boot/grub2/grub.cfg"
#define PATH_BOOT_ENTRIES    "boot/loader/entries"
#define PATH_KERNEL_CMDLINE  "etc/kernel/cmdline"
#define PATH_EFI             "sys/firmware/efi"
#define PATH_EFI_VENDORS     "boot/efi/EFI"
#define PATHS_MENU_LST       { "boot/grub/menu.lst", "boot/grub/grub.conf" }
/* Folders of rules, a later one counts less for files of the same name. */
#define PATHS_UDEV_RULES                                                               \
	{ "etc/udev/rules.d", "run/udev/rules.d", "usr/local/lib/udev/rules.d",        \
	  "usr/lib/udev/rules.d", "lib/udev/rules.d" }
/* Any of these, or of the two below: a tree is one of a system. */
#define PATHS_OF_SYSTEM { "etc", "usr" }
/* Any of these: the tree has an udev daemon, a systemd. */
#define PATHS_UDEVD                                                                    \
	{ "run/udev/control", "usr/lib/systemd/systemd-udevd",                         \
	  "lib/systemd/systemd-udevd", "usr/bin/udevadm", "bin/udevadm",               \
	  "usr/sbin/udevadm", "sbin/udevadm", "sbin/udevd", "usr/sbin/udevd" }
#define PATHS_SYSTEMD { "usr/lib/systemd/systemd", "lib/systemd/systemd" }
#define PATH_DEV_NULL        "dev/null"
/* Where administrators' programs are, in the order in which they are looked for. */
#define PROGRAM_FOLDERS                                                                \
	{ "usr/local/sbin", "usr/local/bin", "usr/sbin", "usr/bin", "sbin", "bin" }
#define PATH_UDEV_RULES      "etc/udev/rules.d"
#define PATH_UDEV_CONTROL    "run/udev/control"
#define PATH_UNITS           "etc/systemd/system"
#define PATH_SYSTEMD_BOOTED  "run/systemd/system"
#define PATH_CONTAINER       "run/systemd/container"
#define PATH_CONTAINERENV    "run/.containerenv"
#define PATH_DOCKERENV       ".dockerenv"
#define PATH_INIT_ENVIRON    "proc/1/environ"
/* Where the program is once it is installed, for units in trees of other systems. */
#define PATH_PROGRAM         "usr/bin/iosched-tune"

#define PATH_CONFIG_DIR      "etc/iosched-tune"
#define PATH_CONFIG_PROFILES "etc/iosched-tune/profiles"
#define PATH_CONFIG_DEVICES  "etc/iosched-tune/devices.d"

#define PATH_STATE_DIR       "var/lib/iosched-tune"
#define PATH_JOURNAL         "var/lib/iosched-tune/journal.json"
#define PATH_LOCK            "var/lib/iosched-tune/lock"
#define PATH_LOG             "var/log/iosched-tune.log"
#define PATH_MANIFEST        "var/lib/iosched-tune/persist.json"
#define PATH_BACKUP_DIR      "var/lib/iosched-tune/backup"
#define PATH_JOURNALD_SOCKET "run/systemd/journal/socket"

/* In a snapshot only: what libblkid found on a device when the snapshot was made,
   <name>/<TAG>. No such path exists on a host. */
#define PATH_SNAPSHOT_BLKID  "snapshot/blkid"
/* Likewise: the counters of each disk some seconds before, and what smartctl said. */
#define PATH_SNAPSHOT_SAMPLE "snapshot/sample"
#define PATH_SNAPSHOT_SAMPLE_SECONDS "snapshot/sample-seconds"
#define PATH_SNAPSHOT_SMART  "snapshot/smartctl"

#endif
