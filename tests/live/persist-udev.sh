#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# TIME-LIMIT: 300
#
# The generated rules with a real udevd and real queues: what they set is what apply sets,
# attribute by attribute; events bring it back; a right value is not written again.
set -u
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

need root loop unshare losetup udevadm pgrep
for udevd in /usr/lib/systemd/systemd-udevd /lib/systemd/systemd-udevd; do
	[ -x "$udevd" ] && break
done
if [ ! -x "$udevd" ]; then
	echo '1..0 # SKIP needs systemd-udevd'
	exit 0
fi
# The one of this machine would answer too; its rules are its own business.
if [ -z "${IOSCHED_LIVE:-}" ] && pgrep -x 'systemd-udevd|udevd' >/dev/null 2>&1; then
	echo '1..0 # SKIP a udevd runs on this machine'
	exit 0
fi
private "$0" "$@"

# No rule but ours, and nothing of it on this machine.
mount -t tmpfs -o mode=755 tmpfs /run || exit 1
for folder in /etc/udev /usr/lib/udev/rules.d /lib/udev/rules.d; do
	[ -d "$folder" ] && ! mountpoint -q "$folder" && mount -t tmpfs -o mode=755 tmpfs "$folder"
done
mkdir -p /etc/udev/rules.d

"$udevd" >"$work/udevd" 2>&1 &
udevd_pid=$!
trap 'kill $udevd_pid 2>/dev/null; wait $udevd_pid 2>/dev/null; tidy' EXIT
for ((i = 0; i < 100; i++)); do
	[ -e /run/udev/control ] && break
	kill -0 $udevd_pid 2>/dev/null || break
	read -r -t 0.1 <> <(:)
done
if [ ! -e /run/udev/control ]; then
	echo "1..0 # SKIP udevd does not start here: $(tail -n 1 "$work/udevd")"
	exit 0
fi

event()
{
	echo "$2" >"/sys/block/$1/uevent"
	udevadm settle --timeout=60
}

# Everything that is set on one: scheduler, its values, the queue's. Sizes that only the
# devices of this script have, so that no other of this machine is touched.
cat >"$work/p.json" <<'END'
{ "name": "p", "summary": "s", "rules": [
  { "match": { "class": "loop", "size": { "min": "17M", "max": "17M" } },
    "scheduler": [ "bfq", "mq-deadline" ],
    "iosched": { "bfq": { "low_latency": false, "slice_idle": "2ms", "back_seek_max": "8M" },
                 "mq-deadline": { "read_expire": "100ms" } },
    "queue": { "nr_requests": 64, "read_ahead_kb": "512K", "max_sectors_kb": 256, "rq_affinity": 2,
               "nomerges": 1, "iostats": false, "io_timeout": "20s" },
    "why": "w" },
  { "match": { "class": "loop", "size": { "min": "33M", "max": "33M" } }, "scheduler": "kyber",
    "iosched": { "kyber": { "read_lat_nsec": "1ms" } }, "queue": { "nr_requests": 32, "wbt_lat_usec": 0 },
    "why": "w" } ] }
END

truncate -s 17M "$work/a" "$work/c"
truncate -s 33M "$work/b"
add_loop "$work/a" && a=$loop
add_loop "$work/b" && b=$loop
capture "$a" "$b" >"$work/defaults"
tune apply --profile "$work/p.json"
capture "$a" "$b" >"$work/applied"
same 'apply gives a reference' "$status" 0
tune restore
capture "$a" "$b" | diff "$work/defaults" - >/dev/null
same 'restored, to begin with' $? 0

tune persist install --method udev --force --profile "$work/p.json"
same 'install' "$status" 0
check 'the rules give what apply gives, at once' \
	diff "$work/applied" <(capture "$a" "$b")
echo "# $(wc -l <"$work/applied") attributes compared, $(diff "$work/applied" <(capture "$a" "$b") | grep -c '^[<>]') different"

same 'nothing was refused, and no event asked for again' \
	"$(grep -l TUNE_RETRY /run/udev/data/* 2>/dev/null)" ''

tune persist status
same 'status: it holds' "$status" 0
[ "$status" = 0 ] || sed 's/^/# /' "$work/err"

# A person or a program changes values: status sees it, and the next event mends it (user
# problem 9).
echo none >"/sys/block/$a/queue/scheduler"
echo 64 >"/sys/block/$b/queue/nr_requests"
tune persist status
same 'a manual echo: status 4' "$status" 4
check 'and names the device and the value' grep -q "live-state, $a: scheduler is none, the policy says bfq" "$work/err"
event "$a" change
event "$b" change
check 'change events bring the scheduler back' diff "$work/applied" <(capture "$a" "$b")
event "$a" add
check 'add events too' diff "$work/applied" <(capture "$a" "$b")

# udevadm test carries the rules out and says what it writes.
writes()
{
	udevadm test --action=change "/sys/block/$1" 2>&1 | grep -c "ATTR .*writing"
}
echo none >"/sys/block/$a/queue/scheduler"
if [ "$(writes "$a")" -gt 0 ]; then
	same 'what is right already is not written again (user problem 9)' "$(writes "$a")" 0
else
	skipped 'what is right already is not written again' 'udevadm test does not tell'
fi

# A disk that comes later.
c=$(losetup -f --show "$work/c") && c=${c##*/} && loops+=("$c")
event "$c" change
same 'a device that comes later gets it without help' \
	"$(active "$c") $(queue "$c" nr_requests)" "$(active "$a") $(queue "$a" nr_requests)"

# Partitions have no queue (user problem 1).
# One MBR entry: Linux, from sector 2048 on, 4096 sectors.
truncate -s 18M "$work/parted"
printf '\0\0\0\0\203\0\0\0\0\010\0\0\0\020\0\0' | dd of="$work/parted" bs=1 seek=446 conv=notrunc status=none
printf '\125\252' | dd of="$work/parted" bs=1 seek=510 conv=notrunc status=none
part=$(losetup -P -f --show "$work/parted") && part=${part##*/} && loops+=("$part")
if [ -d "/sys/block/$part/${part}p1" ]; then
	same 'a partition is left alone (user problem 1)' \
		"$(udevadm test "/sys/block/$part/${part}p1" 2>&1 | grep -c 'ATTR.*writing\|Failed to write')" 0
else
	skipped 'a partition is left alone' 'this kernel shows none on a loop device'
fi

# A value that the kernel refuses asks for five more events and then gives up.
cp /etc/udev/rules.d/99-iosched-tune.rules "$work/rules"
sed -i 's/ATTR{queue\/nr_requests}="64"/ATTR{queue\/nr_requests}="junk"/' /etc/udev/rules.d/99-iosched-tune.rules
udevadm control --reload
echo 32 >"/sys/block/$a/queue/nr_requests"
event "$a" change
same 'a value that stays refused does not keep udev busy' \
	"$(sed -n 's/^E:IOSCHED_TUNE_RETRY=//p' "/run/udev/data/b$(cat "/sys/block/$a/dev")")" 5
cp "$work/rules" /etc/udev/rules.d/99-iosched-tune.rules
udevadm control --reload
event "$a" change
same 'and is counted afresh once it was let in' \
	"$(queue "$a" nr_requests) $(grep -c TUNE_RETRY "/run/udev/data/b$(cat "/sys/block/$a/dev")")" '64 0'

# Removed: the next device is as the kernel makes it, and no file is left.
tune persist remove
same 'remove' "$status" 0
same 'no file is left' "$(find /etc/udev "$state" -type f 2>/dev/null | tr '\n' ' ')" ''

echo none >"/sys/block/$c/queue/scheduler"
event "$c" change
same 'events do nothing any more' "$(active "$c")" none

# A profile that does not name loop devices leaves them alone (user problem 8).
tune persist install --method udev --force --profile balanced
event "$c" change
same 'balanced leaves loop devices alone' "$(active "$c")" none
tune persist remove

same 'udevd had nothing else to say about the rules' \
	"$(grep -i 'rules' "$work/udevd" | grep -v 'nr_requests}.*Invalid argument')" ''

finish
