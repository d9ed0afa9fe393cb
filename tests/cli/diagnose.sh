#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Made-up hosts, each with one thing wrong: that is what the first line names. Its words
# stand in the snapshot, "# first: DEVICE STATE CHECK TEXT"; "fine" is a host without any.
set -u
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/lib.sh"

sick=tests/fixtures/diagnose
# The shipped profiles: a healthy host is one that they leave as it is, too.
export IOSCHED_TUNE_PROFILES=$TOP/profiles

for file in "$sick"/*.txt; do
	name=${file##*/}
	wanted=$(sed -n 's/^# first: //p' "$file")
	run --root "$file" diagnose
	first=$(sed -n 2p "$TMPDIR/out" | tr -s ' ')
	if [ "$wanted" = fine ]; then
		same "$name: no warning" "$rc:$(grep -cE '^[a-z0-9]+ +(warn|bad|unknown) ' "$TMPDIR/out")" 0:0
	else
		same "$name: named first" "${first:0:${#wanted}}" "$wanted"
		case $wanted in
		*' bad '*) exits "$name: bad is status 4" 4 ;;
		*) exits "$name: a warning is status 0" 0 ;;
		esac
	fi
	# A snapshot of the snapshot says the same.
	cp "$TMPDIR/out" "$TMPDIR/first"
	run --root "$file" snapshot --with-serials -o "$TMPDIR/again.txt"
	run --root "$TMPDIR/again.txt" diagnose
	same "$name: and from its snapshot" "$(diff "$TMPDIR/first" "$TMPDIR/out")" ''
done

# The misleading cases.
run --root $sick/busy-nvme.txt diagnose
prints '%util 100 of a parallel drive is no bottleneck' '100 % busy' 'no bottleneck' 'svctm'
run --root $sick/slow-host.txt diagnose
prints 'slow and not busy in a guest is the host' 'only 15 % busy' 'look at the host'
prints 'rotational of a virtual disk is not believed' 'rotational=1' 'not believed'

# An argument that does nothing, and one that does.
if command -v jq >/dev/null 2>&1; then
	argument()
	{
		json '[.devices[].findings[] | select(.text | contains("elevator=")) | [.symptom, .level, .text]]'
	}
	run --root $sick/stale-argument.txt --json diagnose
	same 'elevator= without legacy queues: stale' "$(argument)" \
		'[["stale-argument","warn","kernel argument without effect, in /proc/cmdline: elevator=noop"]]'
	on linux-4.19-both --json diagnose
	same 'elevator= with legacy queues: in force' "$(argument)" \
		'[["boot-argument","warn","kernel argument sets schedulers too, in /proc/cmdline: elevator=deadline"]]'
else
	skipped 'arguments' 'no jq'
fi

# What is not there.
grep -v '^/snapshot/smartctl' $sick/healthy.txt >"$TMPDIR/silent.txt"
run --root "$TMPDIR/silent.txt" diagnose sda
exits 'without smartctl' 0
prints 'without smartctl: unknown, and how it would be known' 'unknown health' 'snapshot --seconds 10'
grep -v '/stat = \|^/snapshot/sample' $sick/healthy.txt >"$TMPDIR/silent.txt"
run --root "$TMPDIR/silent.txt" diagnose sda
prints 'without counters' 'unknown load'
grep -v '^/snapshot/sample' $sick/healthy.txt >"$TMPDIR/silent.txt"
run --root "$TMPDIR/silent.txt" diagnose sda
prints 'one reading of the counters: since boot' 'since boot:'
run --root $sick/healthy.txt -q diagnose
same 'quiet: nothing where nothing is wrong' "$rc:$out:$err" 0::
run --root $sick/sync-mount.txt -q diagnose
same 'quiet: only what is wrong' "$(wc -l <"$TMPDIR/out")" 2

# Several disks: the worst first; one that is named.
run --root $sick/degraded.txt diagnose
same 'the worst disk comes first' "$(awk 'NR > 1 { print $1 }' "$TMPDIR/out" | uniq | tr '\n' ' ')" 'md0 sda sdb '
run --root $sick/degraded.txt diagnose sdb
same 'one that is named' "$rc:$(awk 'NR > 1 { print $1 }' "$TMPDIR/out" | sort -u)" 0:sdb

# A trace.
trace=$TMPDIR/random.csv
for ((i = 0; i < 200; i++)); do
	echo "0,$((i * 7919 % 10007 * 1000)),4096,r,$i.0"
done >"$trace"
run --root $sick/healthy.txt diagnose --trace "$trace" sda
prints 'a trace on a spinning disk' 'warn  pattern' '100 % of the requests are random'
run --root $sick/healthy.txt diagnose --trace "$trace" nvme0n1
exits 'a trace on flash' 0
prints 'a trace on flash' '200 requests of 4 KiB: 100 % reads, 100 % random, 100 % that somebody waits for'
for ((i = 0; i < 40; i++)); do
	echo " a-1 [000] ..... $i.0: block_rq_insert: 8,0 R 4096 () $((i * 7919)) + 8 [a]"
	[ $i != 20 ] || echo 'CPU:0 [LOST 12 EVENTS]'
	[ $i != 30 ] || echo ' a-1 [000] ..... 30.5: block_rq_insert: 8,0 R 4096 () x'
done >"$TMPDIR/lossy.txt"
run --root $sick/healthy.txt diagnose --trace "$TMPDIR/lossy.txt" sda
says 'a recording that lost events: how many' 'the kernel lost 12 events: the load is not whole'
says 'and what could not be read of it' '1 broken records left out'
run --root $sick/healthy.txt diagnose --trace "$trace"
fails 'a trace of no device' 2 'name it'
run --root $sick/healthy.txt diagnose --trace "$TMPDIR/absent" sda
fails 'a trace that is not there' 1 'absent'
echo 'no trace' >"$trace"
run --root $sick/healthy.txt diagnose --trace "$trace" sda
fails 'no trace at all' 1 'random.csv'
run --root $sick/healthy.txt diagnose --seconds soon
fails 'no number of seconds' 2 "'soon'"

# What was applied, and has been undone by somebody.
sed 's/^\(.*\/queue\/scheduler\) := \[mq-deadline\] kyber bfq none/\1 := mq-deadline kyber [bfq] none/' \
	$sick/large-readahead.txt >"$TMPDIR/drift.txt"
printf '%s = %s\n' /proc/sys/kernel/random/boot_id b00d-1 /var/lib/iosched-tune/journal.json \
	'{"journal":1,"steps":[{"id":1,"time":1,"profile":"balanced","boot_id":"b00d-1","devices":[]}]}' \
	>>"$TMPDIR/drift.txt"
run --root "$TMPDIR/drift.txt" diagnose
prints 'drift' 'not in force any more: scheduler is bfq instead of mq-deadline'

if command -v jq >/dev/null 2>&1; then
	run --root $sick/pending-sectors.txt --json diagnose
	same 'JSON' "$rc:$(json '.devices[0] | [.name, .level, .findings[0].check, .findings[0].symptom, .findings[0].level, (.findings[0].advice | length > 9)]')" \
		'4:["sda","bad","health","pending-sectors","bad",true]'
	same 'JSON: the load' "$(json '.devices[0].load | [.seconds, .since_boot, .read.requests_per_second, .read.await_ms, .busy_percent] | map(if type == "number" then round else . end)')" \
		'[10,false,20,5,20]'
else
	skipped 'JSON' 'no jq'
fi

finish
