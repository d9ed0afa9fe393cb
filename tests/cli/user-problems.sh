#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What went wrong for people with other tools, seen from the command line: each on the
# smallest host that has the problem, with the shipped profiles.
set -u
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/lib.sh"
needs jq

IOSCHED_TUNE_PROFILES=$TOP/profiles

# planned DEVICE [KEY]: what the last dry run would write there.
planned()
{
	json "[.plan.devices[] | select(.name == \"$1\") | .steps[] | select(.key == \"${2:-scheduler}\") | .to] | first"
}

# A profile that names the schedulers of one kind of queue only.
profile()
{
	printf '{ "name": "own", "rules": [ { "match": {}, "scheduler": %s } ] }' "$1" >"$TMPDIR/own.json"
}

# "noop" written to a blk-mq queue, EINVAL: names are translated for each queue.
profile '["noop"]'
on linux-4.19-both --json apply --profile "$TMPDIR/own.json" --dry-run
same 'noop on a legacy queue' "$(planned sda)" '"noop"'
same 'noop on blk-mq is none' "$(planned mmcblk0)" '"none"'
profile '["mq-deadline"]'
on linux-4.19-both --json apply --profile "$TMPDIR/own.json" --dry-run
same 'mq-deadline on a legacy queue is deadline' "$(planned sda)" '"deadline"'
same 'mq-deadline on blk-mq' "$(planned nvme0n1)" '"mq-deadline"'
profile '["cfq"]'
on linux-6.1-stack --json apply --profile "$TMPDIR/own.json" --dry-run sda
same 'cfq on blk-mq is bfq' "$(planned sda)" '"bfq"'
on linux-2.6.18 --json apply --profile "$TMPDIR/own.json" --dry-run cciss/c0d0
same 'cfq stays cfq on Linux 2.6.18' "$(planned cciss/c0d0)" '"cfq"'

# nvme0n1 offers only none: the hidden paths are found, tuned, and shown under the head.
for host in linux-5.10-nvme-multipath linux-7.2-nvme-multipath; do
	on $host --json apply --scheduler mq-deadline --dry-run nvme0n1
	same "$host: the paths are tuned" "$(planned nvme0c0n1),$(planned nvme0c1n1)" '"mq-deadline","mq-deadline"'
	on $host status nvme0n1
	same "$host: the paths are shown under the head" \
		"$(awk 'NR > 1 { print $1, $NF }' "$TMPDIR/out" | paste -sd ';')" \
		"nvme0n1 below;|-nvme0c0n1 in-force;\`-nvme0c1n1 in-force"
done

# Devices that are skipped say why.
for host in "$hosts"/*.txt; do
	run --root "$host" --json apply --profile database --dry-run
	same "a reason for every device without a write: ${host##*/}" \
		"$(json '[.plan.devices[] | select(.state == "skipped" or .state == "blocked") | select(.reason == null or .reason == "")]')" '[]'
	devices=$("$IOSCHED_TUNE" --root "$host" status --all -nro KNAME | wc -l | tr -d ' ')
	same "no device is passed over in silence: ${host##*/}" "$(json '.plan.devices | length')" "$devices"
done

# virtio reads rotational=1 over flash.
on linux-6.12-virtual --json status -o NAME,ROTA,CLASS vda
same 'virtio is never a spinning disk' "$(json '.devices[0] | [.rota, .class]')" '[true,"virtual"]'
on linux-6.12-virtual --json status -o NAME,CLASS --all
same 'no virtual disk is' "$(json '[.devices[] | select(.class == "hdd") | .name]')" '[]'

# LVM members excluded as though they were multipath members.
on linux-6.1-stack --json apply --profile database --dry-run
same 'a disk below LVM is tuned' "$(json '.plan.devices[] | select(.name == "sda") | .state == "change" or .state == "in-force"')" true
on linux-6.1-multipath --json status -o NAME,STATE,HOLDERS
same 'and so is a path of a multipath map' "$(json '[.devices[] | select(.name == "sda" or .name == "sdb") | .state] | unique')" '["in-force"]'

# Multipath needs map and paths: the report says which level is written.
on linux-6.1-multipath show dm-2
prints 'the level is named' 'no scheduler at this level: written to the queues below, sda,'
on linux-6.1-multipath --json apply --profile database --dry-run dm-2
same 'and the paths below are written' "$(json '[.plan.devices[] | select(.state == "change") | .name]')" '["sda","sdb"]'

# Readahead jumped from 128 to 8192 after a kernel update.
printf '{ "name": "own", "rules": [ { "match": {}, "queue": { "read_ahead_kb": 128, "nr_requests": 256, "nomerges": 0 } } ] }' >"$TMPDIR/own.json"
on linux-6.1-stack verify --profile "$TMPDIR/own.json" sda
exits 'no drift' 0
sed '/sda.queue.read_ahead_kb :\?=/s/128/8192/' $hosts/linux-6.1-stack.txt >"$TMPDIR/jumped.txt"
run --root "$TMPDIR/jumped.txt" verify --profile "$TMPDIR/own.json" sda
exits 'readahead jumped: drift' 4
prints 'readahead jumped: told' 'read_ahead_kb 8192 KiB 128 KiB'
for key in nr_requests nomerges; do
	sed "/sda.queue.$key :\\?=/s/= [0-9]*/= 2/" $hosts/linux-6.1-stack.txt >"$TMPDIR/jumped.txt"
	run --root "$TMPDIR/jumped.txt" verify --profile "$TMPDIR/own.json" sda
	exits "$key: drift" 4
done

# Readahead in KiB against 512-byte sectors.
for value in 1024 1024KiB 1MiB 2048sectors 1048576B; do
	on linux-6.1-stack --json apply --set read_ahead_kb=$value --dry-run sda
	same "readahead of $value" "$(planned sda read_ahead_kb)" '"1024"'
done
on linux-6.1-stack apply --set read_ahead_kb=1 --dry-run sda
prints 'readahead is shown with its unit' 'read_ahead_kb 128 KiB 1 KiB'

# Verify output only in a log: difference on stdout, JSON, exit status; explicit restore.
on linux-6.1-stack verify --profile database sdc
exits 'drift has an exit status' 4
prints 'drift is on the standard output' 'sdc' 'scheduler' 'bfq' 'mq-deadline'
on linux-6.1-stack --json verify --profile database sdc
same 'drift as JSON' "$rc:$(json '[.in_force, (.plan.devices[0].steps | length > 0)]')" '4:[false,true]'
unpack linux-6.1-stack "$TMPDIR/tree"
run --root "$TMPDIR/tree" apply -q --set read_ahead_kb=1MiB sda
run --root "$TMPDIR/tree" restore
same 'restore is explicit' "$rc:$(cat "$TMPDIR/tree/sys/block/sda/queue/read_ahead_kb")" 0:128

# nr_requests misread.
queue=$(sed -n 's|^\(/sys/devices/.*/block/sda\)/queue/nr_requests.*|\1|p' $hosts/linux-6.1-stack.txt)
{ cat $hosts/linux-6.1-stack.txt; echo "$queue/mq/0/nr_tags = 32"; } >"$TMPDIR/tags.txt"
run --root "$TMPDIR/tags.txt" show sda
same 'scheduler tags against driver tags' \
	"$(tr -s ' \n' ' ' <"$TMPDIR/out" | grep -oE 'nr_requests 256: scheduler tags|The driver has 32 tags|It is not the depth of the device' | paste -sd ';')" \
	'nr_requests 256: scheduler tags;It is not the depth of the device;The driver has 32 tags'

# A kernel cut down to mq-deadline and none.
sed -e 's/\(queue.scheduler :\?= \).*/\1[mq-deadline] none/' -e '/^.lib.modules/d' -e '/queue.iosched/d' \
	$hosts/linux-6.1-removable.txt >"$TMPDIR/cut.txt"
for name in balanced desktop database multi-tenant low-latency; do
	run --root "$TMPDIR/cut.txt" --json apply --profile $name --dry-run
	same "a kernel without bfq and kyber: $name" \
		"$rc:$(json '[.plan.devices[] | select(.state == "blocked") | .name] + [.plan.devices[].steps[] | select(.to == "bfq" or .to == "kyber") | .to]')" '0:[]'
done
run --root "$TMPDIR/cut.txt" show mmcblk0 --profile desktop
prints 'what was passed over is named' 'passed over' 'bfq:'

finish
