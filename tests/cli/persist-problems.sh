#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What people ran into when they made a scheduler last by other means, seen from the command
# line, by the rows of the facts on users' problems. What only real queues and boots can
# show is in tests/live/persist-udev.sh and tests/vm.
set -u
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/lib.sh"

IOSCHED_TUNE_PROFILES=$TOP/profiles
tree=$TMPDIR/tree

# new_tree [HOST]: with udev and systemd, GRUB of Debian, and the devices of a snapshot
new_tree()
{
	rm -rf "$tree"
	mkdir -p "$tree"/{etc/default,etc/udev/rules.d,usr/lib/systemd,var/lib,boot/grub,proc/sys/kernel}
	[ $# = 0 ] || unpack "$1" "$tree"
	touch "$tree/usr/lib/systemd/systemd" "$tree/usr/lib/systemd/systemd-udevd" "$tree/boot/grub/grub.cfg"
	echo ID=debian >"$tree/etc/os-release"
	printf 'GRUB_CMDLINE_LINUX="quiet"\n' >"$tree/etc/default/grub"
	[ -s "$tree/proc/sys/kernel/osrelease" ] || kernel 6.1.0
	rules=$tree/etc/udev/rules.d/99-iosched-tune.rules
}

# kernel RELEASE [ARGUMENT]...: what runs, and what it was booted with
kernel()
{
	echo "$1" >"$tree/proc/sys/kernel/osrelease"
	mkdir -p "$tree/lib/modules/$1/kernel"
	shift
	echo "BOOT_IMAGE=/vmlinuz root=/dev/sda1 $*" >"$tree/proc/cmdline"
}

persist()
{
	run --root "$tree" persist "$@"
}

# writes_come_after LINE-PATTERN: no attribute is written before a line of the rules
writes_come_after()
{
	awk -v pattern="$1" 'index($0, pattern) { seen = 1 } !seen && /ATTR\{[^}]*\}="/ { bad = 1 }
		END { exit !seen || bad }' "$rules"
}

# 1: rules that hit partitions, ENOENT in the log.
new_tree
persist install --profile streaming
writes_come_after 'ENV{DEVTYPE}!="disk", GOTO="iosched_tune_end"'
same 'row 1: partitions are passed over before anything is written' "$?" 0
same 'row 1: no value is written without a look whether it is there' \
	"$(grep 'ATTR{queue/[^}]*}="' "$rules" | grep -v 'ATTR{queue/scheduler}=' | grep -cv 'TEST==')" 0

# 3: elevator= on a kernel that ignores it.
persist install --method grub
fails 'row 3: refused on Linux 6.1, with the reason and the better way' 1 \
	'Linux 6.1 only warns about elevator= and ignores it' 'use --method udev'
new_tree
kernel 6.1.0 elevator=noop
printf 'GRUB_CMDLINE_LINUX="quiet elevator=noop"\n' >"$tree/etc/default/grub"
persist install
says 'row 3: a stale argument is found, and its removal advised' \
	'/proc/cmdline:1: kernel argument: elevator=noop' \
	'/etc/default/grub:1: boot loader: elevator=noop' 'remove the argument'
persist status
prints 'row 3: status has it too' '/etc/default/grub:1'

# 4: only none on native multipath: the paths are tuned by a unit, started for the head and
# for a controller that comes later.
new_tree linux-7.2-nvme-multipath
persist install --profile low-latency
exits 'row 4: install' 0
same 'row 4: head and controllers ask for the unit' \
	"$(sed -n 's/.*\(nvme-head\|NVME_EVENT\|osrelease\).*SYSTEMD_WANTS}+="\(.*\)"/\1 \2/p' "$rules" | sort | paste -sd ';')" \
	'NVME_EVENT iosched-tune@%k.service;nvme-head iosched-tune@%k.service;osrelease iosched-tune@%k.service'
unit=$(sed -n 's/^ExecStart=.*iosched-tune //p' "$tree/etc/systemd/system/iosched-tune@.service")
for name in nvme0n1:nvme0c0n1,nvme0c1n1 nvme1:nvme0c1n1; do
	# shellcheck disable=SC2086 # its words
	run --root "$tree" --json ${unit%-- %i} --dry-run -- "${name%:*}"
	same "row 4: the unit of ${name%:*} sets the paths" \
		"$(jq -r '[.plan.devices[] | select(.steps[] | .key == "scheduler" and .to == "kyber") | .name] | join(",")' <"$TMPDIR/out")" "${name#*:}"
done

# Without systemd there is no such unit: said where there are hidden paths, or may be.
for host in linux-7.2-nvme-multipath:1 linux-6.1-stack:0; do
	new_tree "${host%:*}"
	rm "$tree/usr/lib/systemd/systemd"
	persist install --profile balanced
	same "row 4: no unit: what is not reached is said where it is there: ${host%:*}" \
		"$rc:$(grep -c 'hidden paths of NVMe multipath send no events' "$TMPDIR/err")" "0:${host#*:}"
done

# 7: another manager changes it back after minutes.
new_tree
mkdir -p "$tree/etc/tuned/mine" "$tree/etc/systemd/system"
echo mine >"$tree/etc/tuned/active_profile"
printf '[disk]\nelevator=noop\n' >"$tree/etc/tuned/mine/tuned.conf"
printf 'ACTION=="add", KERNEL=="sd*", ATTR{queue/scheduler}="bfq"\n' >"$tree/etc/udev/rules.d/zz-site.rules"
printf '[Service]\nExecStart=/bin/sh -c "echo none > /sys/block/sda/queue/scheduler"\n' >"$tree/etc/systemd/system/site.service"
persist install
says 'row 7: install names who else sets what, by file and line' '/etc/tuned/mine/tuned.conf:2' \
	'/etc/udev/rules.d/zz-site.rules:1' '/etc/systemd/system/site.service:2'
persist status
prints 'row 7: so does status' '/etc/tuned/mine/tuned.conf:2' '/etc/udev/rules.d/zz-site.rules:1' \
	'/etc/systemd/system/site.service:2'

# 9: change events reset values: the rules are for them too, and write what is wrong only.
persist install --profile streaming
same 'row 9: change events are not passed over' "$(grep -c '^ACTION!="add|change", GOTO="iosched_tune_end"$' "$rules")" 1
same 'row 9: no value is written without a look whether it is right' \
	"$(grep 'ATTR{queue/[^}]*}="' "$rules" | grep -cv 'ATTR{queue/[^}]*}!=')" 0

# 12: bfq is not in the initial RAM disk.
new_tree linux-6.1-removable
release=$(cat "$tree/proc/sys/kernel/osrelease")
mkdir -p "$tree/etc/initramfs-tools" "$tree/lib/modules/$release"
echo kernel/block/bfq.ko: >"$tree/lib/modules/$release/modules.dep"
: >"$tree/etc/initramfs-tools/modules"
persist install --profile desktop
says 'row 12: what the initial RAM disk lacks, and the line for it' \
	"put 'bfq' into /etc/initramfs-tools/modules" update-initramfs
echo bfq >"$tree/etc/initramfs-tools/modules"
persist install --profile desktop
same 'row 12: not said once it is there' "$(grep -c initramfs-tools "$TMPDIR/err")" 0
same 'row 12: the rule loads the module itself' "$(grep -c 'IMPORT{builtin}="kmod load bfq"' "$rules" | sed 's/[1-9][0-9]*/some/')" some
: >"$tree/lib/modules/$release/modules.dep"
find "$tree/sys/devices" -path '*/queue/scheduler' | while IFS= read -r file; do echo '[mq-deadline] none' >"$file"; done
persist status
same 'row 12: status names the module that is gone' "$rc:$(grep -c '^module *broken.*bfq' "$TMPDIR/out")" 4:1

# 14: a host-managed zoned disk on a kernel that needs mq-deadline.
on linux-6.1-zoned apply --scheduler bfq --dry-run sda
fails 'row 14: refused, by kernel and kind of disk' 2 'host-managed zoned disk' 'Linux 6.1'
printf '{ "name": "own", "rules": [ { "match": {}, "scheduler": [ "bfq", "none" ], "why": "w" } ] }' >"$TMPDIR/own.json"
run generate udev --profile "$TMPDIR/own.json"
same 'row 14: no rule gives it bfq or none' \
	"$(grep -c 'ENV{.IOSCHED_QUEUE}=="[^"]*zoned' "$TMPDIR/out"):$(grep -c 'ATTR{queue/zoned}=="host-managed".*ENV{.IOSCHED_QUEUE}="zoned"' "$TMPDIR/out")" 0:1

# 20: edits of GRUB's file that are doubled, run into one another, ignored under BLS.
new_tree
kernel 4.19.0
echo ID=rhel >"$tree/etc/os-release"
printf 'GRUB_CMDLINE_LINUX="quiet crashkernel=auto"' >"$tree/etc/default/grub"
cp "$tree/etc/default/grub" "$TMPDIR/before"
persist install --method grub --profile database
same 'row 20: one word more, with a blank before it' "$rc:$(cat "$tree/etc/default/grub")" \
	'0:GRUB_CMDLINE_LINUX="quiet crashkernel=auto elevator=deadline"'
persist install --method grub --profile database
same 'row 20: a second time changes nothing' "$rc:$(grep -o elevator "$tree/etc/default/grub" | wc -l | tr -d ' ')" 0:1
persist remove
cmp -s "$TMPDIR/before" "$tree/etc/default/grub"
same 'row 20: removed, every byte is as before' "$?" 0
mkdir -p "$tree/boot/loader/entries"
printf 'title a\nlinux /vmlinuz\noptions root=/dev/sda1 quiet\n' >"$tree/boot/loader/entries/a.conf"
cp "$tree/boot/loader/entries/a.conf" "$TMPDIR/before"
printf 'GRUB_CMDLINE_LINUX="quiet"\nGRUB_ENABLE_BLSCFG=true\n' >"$tree/etc/default/grub"
persist install --method grub --profile database
same 'row 20: under BLS the entries themselves' "$rc:$(sed -n 's/^options //p' "$tree/boot/loader/entries/a.conf")" \
	'0:root=/dev/sda1 quiet elevator=deadline'
persist remove
cmp -s "$TMPDIR/before" "$tree/boot/loader/entries/a.conf"
same 'row 20: and back' "$?" 0

# 25: firmware boots the kernel, and nobody reads grub.cfg.
new_tree
kernel 4.19.0
echo 'root=/dev/sda1 console=ttyS0' >"$tree/proc/cmdline"
persist install --method grub --profile database --force
fails 'row 25: told so, with the way that works; no force helps' 1 'not booted by GRUB' '--method udev or --method systemd'
persist install --profile database
same 'row 25: auto takes that way' "$rc:$(test -e "$rules" && echo rules)" 0:rules

# 26: nobody looked after the reboot.
new_tree linux-6.1-stack
run --root "$tree" apply -q --profile streaming
persist install --profile streaming
persist status
exits 'row 26: what should be is' 0
# broken LINK WHAT: status 4, and the link is named with what it is about
broken()
{
	persist status
	same "row 26: $3" "$rc:$(grep -c "the broken link is $1, .*$2" "$TMPDIR/err")" 4:1
}
echo 64 >"$tree/sys/block/sdc/queue/read_ahead_kb"
broken live-state 'sdc: read_ahead_kb is 64' 'a value that was changed'
run --root "$tree" apply -q --profile streaming
mv "$rules" "$TMPDIR/rules"
broken artefact 99-iosched-tune.rules 'rules that are gone'
mv "$TMPDIR/rules" "$rules"
rm "$tree/usr/lib/systemd/systemd-udevd"
broken udev udev 'nobody who reads the rules'

finish
