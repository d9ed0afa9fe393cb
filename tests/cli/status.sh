#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# status on hosts of many kernels: table, columns, JSON, which devices are shown.
set -u
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/lib.sh"

for host in linux-2.6.18 linux-4.19-both linux-5.10-nvme-multipath linux-6.1-multipath \
	linux-6.1-stack linux-6.12-virtual linux-6.18-memory linux-7.2-nvme-multipath; do
	on $host status --all
	exits "$host" 0
	golden "$host" "status-$host.txt"
done

on linux-6.1-stack status
same 'a pipe gets the table and nothing else' "$err" ''
on linux-6.1-stack -v status
says 'the profile, where one asks' 'profile balanced (the default, nothing was applied since boot)'
on linux-6.1-stack -v status --profile database
says 'the profile that was asked for' 'profile database (as asked)'

# Columns.
on linux-6.1-stack status -o name,SCHED,read_ahead_kb,mq-deadline.read_expire sda
same 'columns and attributes by name' "$out" \
	$'NAME SCHED       read_ahead_kb mq-deadline.read_expire\nsda  mq-deadline           128                     500\n'
on linux-6.1-stack status -r -n -o NAME,CLASS,SIZE sda sdc
same 'raw' "$out" $'sda ssd 931.5G\nsdc hdd 931.5G\n'
on linux-7.2-nvme-multipath status --raw -n -o NAME,CLASS
same 'raw: paths by their names, without the lines of the tree' "$out" \
	$'nvme0n1 nvme-head\nnvme0c0n1 nvme-path\nnvme0c1n1 nvme-path\nnvme0n2 nvme-head\n'
on linux-6.1-stack status -o +MODEL,TRAN sda
same 'added to the usual ones' "$(head -n 1 "$TMPDIR/out" | tr -s ' ')" \
	'NAME CLASS TRANSPORT ROTA HWQ RQ-SIZE RA SCHED WANTED STATE MODEL TRANSPORT'
on linux-6.1-stack status -o help
prints 'the list of columns' 'NAME ' 'readahead in KiB' 'mq-deadline.read_expire'
awk '!/^COLUMN/ { print $1 }' "$TMPDIR/out" | paste -sd, >"$TMPDIR/columns"
same 'every listed column can be asked for' \
	"$(tr , '\n' <"$TMPDIR/columns" | while read -r name; do
		"$IOSCHED_TUNE" --root $hosts/linux-6.1-stack.txt status -o "$name" >/dev/null 2>&1 || echo "$name"
	done)" ''
on linux-6.1-stack status -o SHED
fails 'an unknown column' 2 "unknown column 'SHED'" "did you mean 'SCHED'?"
on linux-6.1-stack status -o ,
fails 'no column' 2 'no column is named'

# Devices.
on linux-6.1-stack status -n -r -o NAME /dev/sda1 sda /dev/mapper/no-such
fails 'a device that is not there' 2 "'/dev/mapper/no-such'"
on linux-6.1-stack status -n -r -o NAME sda1 sda /dev/sda
same 'a partition is its disk, and no disk is shown twice' "$out" $'sda\n'
on linux-6.1-stack status sdaa
fails 'a misspelt device' 2 "did you mean 'sda'?"
on linux-6.18-memory status -n -r -o NAME,SIZE
shown=$out
on linux-6.18-memory status -n -r -o NAME,SIZE --all
same 'devices of no size are shown with --all only' \
	"$(grep -c ' 0B$' <<<"$shown"):$(grep -c ' 0B$' "$TMPDIR/out" >"$TMPDIR/n"; [ "$(cat "$TMPDIR/n")" -gt 0 ] && echo some)" 0:some
on linux-5.10-nvme-multipath status -n -r -o NAME,CLASS,STATE nvme0n1
same 'the paths come with their head' "$(grep -c nvme-path "$TMPDIR/out")" 2

# A device that is named is meant, also where the profile leaves its kind alone.
for host in linux-2.6.18 linux-6.18-memory policy-server-6.1; do
	on $host status --all -n -r -o NAME
	differing=
	for device in $out; do
		on $host verify -q --profile database "$device"
		verified=$rc
		on $host status -n -r -o NAME,STATE --profile database "$device"
		case "$verified:$out" in
		"4:$device "drift* | "4:$device "blocked* | "4:$device "below*) ;;
		"0:$device "drift* | "0:$device "blocked*) differing="$differing $device" ;;
		0:*) ;;
		*) differing="$differing $device" ;;
		esac
	done
	same "a device by its name: as verify has it: $host" "$differing" ''
done
on linux-6.18-memory status -n -r -o NAME,WANTED,STATE --profile database loop0
same 'a loop device by its name' "$out" $'loop0 bfq drift\n'
on linux-6.18-memory show --profile database loop0
prints 'and show says what it is treated as' 'it was named'

# JSON.
if command -v jq >/dev/null 2>&1; then
	on linux-6.1-stack --json status
	same 'the contract has a version' "$(json .iosched_tune.version)" 1
	same 'the profile is named' "$(json .profile)" '"balanced"'
	same 'types' "$(json '.devices[] | select(.name == "sda") | [.class, .rota, .hwq, ."rq-size", .ra, .wanted, .state]')" \
		'["ssd",false,1,256,128,"mq-deadline","in-force"]'
	same 'what is not there is null' "$(json '.devices[] | select(.name == "md0") | [.sched, .wanted]')" '[null,null]'
	for host in "$hosts"/*.txt; do
		run --root "$host" --json status --all -o all
		same "valid JSON with every column: ${host##*/}" "$rc:$(json '.devices | length > 0')" 0:true
		run --root "$host" status --all -o all
		same "no control characters in the table: ${host##*/}" \
			"$(LC_ALL=C tr -d '\n -~' <"$TMPDIR/out" | wc -c | tr -d ' ')" 0
	done
else
	skipped 'JSON' 'no jq'
fi

# --watch: a table for each interval.
sick=tests/fixtures/diagnose
run --root $sick/saturated.txt status --watch
same 'watching a snapshot: one table' "$rc:$(tr -s ' ' <"$TMPDIR/out")" \
	"0:NAME CLASS SCHED r/s rKiB/s r_await w/s wKiB/s w_await aqu-sz %util
sda hdd mq-deadline 90 720 400.00 30 480 800.00 60.00 100"
run --root $sick/saturated.txt status -nr --watch 2 sda
same 'raw, and a number behind it is the interval' "$rc:$out" $'0:sda hdd mq-deadline 90 720 400.00 30 480 800.00 60.00 100\n'
run --root $sick/saturated.txt status -w sdz
fails 'a device that is not there' 2 "'sdz'"
run --root $sick/saturated.txt status --watch=often
fails 'no interval' 2 "'often'"
for time in 0 86401 -1; do
	run --root $sick/saturated.txt status --watch=$time
	fails "an interval of $time" 2 '--watch takes seconds' "'$time'"
done
run --root $sick/saturated.txt status --watch --count 0
fails 'no number of tables' 2 '--count'
run --root $sick/saturated.txt status --count 2
fails 'a number of tables without watching' 2 '--watch'
run --root $sick/saturated.txt status --watch -o NAME
fails 'columns for --watch' 2 'columns of its own'
unpack linux-6.1-stack "$TMPDIR/watched"
for disk in sda sdb sdc; do
	echo 1 0 8 1 0 0 0 0 0 1 1 >"$TMPDIR/watched/sys/block/$disk/stat"
done
run --root "$TMPDIR/watched" status --watch=20ms --count 3 sda
same 'so many tables' "$rc:$(grep -c '^NAME' "$TMPDIR/out"):$(grep -c '^sda ' "$TMPDIR/out")" 0:3:3
prints 'a disk that does nothing' ' 0      0    0.00'
# What the last run printed must not be taken for what this one prints.
rm -f "$TMPDIR/out"
"$IOSCHED_TUNE" --root "$TMPDIR/watched" status --watch=20ms sda >"$TMPDIR/out" 2>"$TMPDIR/err" &
watcher=$!
for ((i = 0; i < 1000; i++)); do
	grep -qs '^sda ' "$TMPDIR/out" && break
	sleep 0.01
done
kill -INT $watcher
wait $watcher
rc=$?
exits 'Ctrl-C is an end as any other' 0
if command -v script >/dev/null 2>&1; then
	script -qefc "stty rows 4 cols 100; $IOSCHED_TUNE --root $TMPDIR/watched status --watch=20ms --count 2" "$TMPDIR/typescript" >/dev/null 2>&1 </dev/null
	rc=$?
	same 'on a terminal: drawn over, no longer than it is, and the cursor comes back' \
		"$rc:$(grep -o $'\033\\[[?0-9]*[A-Za-z]' "$TMPDIR/typescript" | tr -d '\033\n'):$(grep -ac '^dm-' "$TMPDIR/typescript")" \
		'0:[?25l[H[J[H[J[?25h:4'
else
	skipped 'on a terminal' 'no script'
fi

finish
