#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# TIME-LIMIT: 120
#
# A snapshot of this host against the host itself, for a loop device with a filesystem:
# what libudev, libblkid and sysfs say here is what the text says. udevd is started in a
# place of its own where none runs.
set -u
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

need root loop unshare losetup mke2fs udevadm blkid
private "$0" "$@"

udevd_pid=
had_links=no
[ -e /dev/disk ] && had_links=yes

stop_udevd()
{
	[ -n "$udevd_pid" ] || return 0
	kill "$udevd_pid" 2>/dev/null
	for _ in $(seq 50); do
		kill -0 "$udevd_pid" 2>/dev/null || break
		sleep 0.1
	done
	[ "$had_links" = yes ] || rm -rf /dev/disk
}

# The loop device goes first, while udevd can still take its links away.
finish_all()
{
	tidy
	udevadm settle --timeout=10 2>/dev/null
	stop_udevd
}

start_udevd()
{
	local program

	udevadm control --ping --timeout=5 2>/dev/null && return 0
	for program in /lib/systemd/systemd-udevd /usr/lib/systemd/systemd-udevd; do
		[ -x "$program" ] || continue
		mkdir -p /run/udev && mount -t tmpfs -o mode=755 tmpfs /run/udev || return 1
		"$program" --daemon 2>/dev/null || return 1
		udevd_pid=$(pgrep -n -x 'systemd-udevd|udevd')
		[ -n "$udevd_pid" ]
		return
	done
	return 1
}

image=$work/image
truncate -s 16M "$image" && mke2fs -q -t ext4 "$image" || exit 1
uuid=$(blkid -o value -s UUID "$image")
start_udevd || {
	echo '1..0 # SKIP udevd cannot be started'
	exit 0
}
trap finish_all EXIT
add_loop "$image" || exit 1
udevadm trigger --action=change "/dev/$loop"
udevadm settle --timeout=20

full=$work/full.txt plain=$work/plain.txt
tune snapshot --with-serials -o "$full"
same 'a snapshot is written' "$status" 0
tune snapshot -o "$plain"
same 'and one without serial numbers' "$status" 0

check "it holds udev's properties" grep -q 'E:ID_FS_TYPE=ext4' "$full"
check 'and what libblkid found' grep -q "^/snapshot/blkid/$loop/TYPE = ext4" "$full"
check 'with serial numbers the UUID is there' grep -q "$uuid" "$full"
same 'without them it is nowhere' "$(grep -c "$uuid" "$plain")" 0

# compare WHAT ARGUMENT...: the same answer from the host and from the snapshot
compare()
{
	local what=$1 here

	shift
	tune "$@"
	here=$(cat "$work/out" "$work/err")
	tune --root "$full" "$@"
	if [ -n "$here" ] && [ "$here" = "$(cat "$work/out" "$work/err")" ]; then
		ok "$what"
	else
		printf '%s\n' "$here" >"$work/here"
		not_ok "$what" "$(cat "$work/out" "$work/err" | diff "$work/here" - | head -n 20)"
	fi
}

compare 'show says the same, byte for byte' show "$loop"
compare 'show --json too' show --json "$loop"
compare 'a path below /dev is found in both' show "/dev/disk/by-uuid/$uuid"
compare 'status says the same' status "$loop"
compare 'a dry run plans the same' apply --profile database --dry-run "$loop"
finish
