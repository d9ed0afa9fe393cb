#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# capture on a loop device: what it records replays, its instance is gone in every case,
# and bad input gets a word.
set -u
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

need root loop unshare losetup fio taskset jq zstd sfdisk
private "$0" "$@"

workers=/sys/devices/virtual/workqueue/cpumask
mask=''
tracer=''

put_back()
{
	[ -z "$mask" ] || echo "$mask" >"$workers"
	mask=''
	[ -z "$tracer" ] || kill -KILL "$tracer" 2>/dev/null
	[ ! -d "$tracefs/instances/other-$$" ] || rmdir "$tracefs/instances/other-$$"
	tidy
}
trap put_back EXIT

tracefs=/sys/kernel/tracing
[ -d $tracefs/instances ] || mount -t tracefs none $tracefs 2>/dev/null
if ! [ -d $tracefs/events/block ]; then
	echo '1..0 # SKIP no tracefs with block events'
	exit 0
fi
if ! "$IOSCHED_TUNE" capture none -o "$work/none.txt" 2>&1 | grep -q 'no such\|there is no\|none'; then
	echo '1..0 # SKIP capture does not run here'
	exit 0
fi

# Those of this test, and what nobody holds any more; others may record meanwhile.
instances()
{
	local folder pid count=0

	for folder in "$tracefs"/instances/iosched-tune-*; do
		pid=${folder##*-}
		[ -d "$folder" ] || continue
		if [ "$pid" = "$tracer" ] || ! kill -0 "$pid" 2>/dev/null; then
			count=$((count + 1))
		fi
	done
	echo "$count"
}

# The loop driver's workers go where they like; for the recording they stay on processor 0.
if [ -w "$workers" ]; then
	mask=$(cat "$workers")
	echo 1 >"$workers" 2>/dev/null || mask=''
fi

truncate -s 256M "$work/disk"
add_loop "$work/disk"

load()
{
	taskset -c 0 fio --name=a --ioengine=libaio --direct=1 --filename="/dev/$1" --size=128m \
		--cpus_allowed=0 --bs=4k --iodepth=200 --iodepth_batch=32 --number_ios=3000 --rw=randrw \
		--rwmixread=70 >"$work/fio.log" 2>&1
}

# start ARGUMENT...: a recording in the background, when it runs
start()
{
	"$IOSCHED_TUNE" capture "$@" >"$work/out" 2>"$work/err" &
	tracer=$!
	for _ in $(seq 100); do
		grep -q 1 "$tracefs/instances/iosched-tune-$tracer/tracing_on" 2>/dev/null && return 0
		sleep 0.05
	done
	return 1
}

# stop SIGNAL: ends it; its exit status is in $status
stop()
{
	kill -"$1" "$tracer"
	wait "$tracer"
	status=$?
	tracer=''
}

# truth FILTER FILE: the JSON is as the filter says
truth()
{
	jq -e "$1" "$2" >"$work/truth"
}

for scheduler in none mq-deadline kyber bfq; do
	if ! grep -qw "$scheduler" "/sys/block/$loop/queue/scheduler"; then
		skipped "$scheduler" 'this kernel does not have it'
		continue
	fi
	echo none >"/sys/block/$loop/queue/scheduler"
	echo "$scheduler" >"/sys/block/$loop/queue/scheduler"
	start "$loop" --json -f -o "$work/$scheduler.zst" || not_ok "$scheduler: it starts" "$(cat "$work/err")"
	load "$loop"
	stop INT
	same "$scheduler: Ctrl-C is a good end" "$status" 0
	same "$scheduler: nothing lost" "$(jq -r '"\(.lost) \(.end)"' "$work/out")" '0 signal'
	check "$scheduler: every I/O is there" \
		[ "$(zstd -dcq "$work/$scheduler.zst" | grep -c ' block_bio_queue: ')" -ge 3000 ]
	check "$scheduler: as many events as are said" \
		[ "$(zstd -dcq "$work/$scheduler.zst" | grep -vc '^#')" = "$(jq .events "$work/out")" ]
	tune simulate --replay "$work/$scheduler.zst" --json
	echo "# $scheduler: $(jq -c '{issues, decisions, equal}' "$work/out")"
	bar=0.995
	# bfq's idling hangs on timers that no event shows.
	[ "$scheduler" != bfq ] || bar=0.95
	check "$scheduler: the recording replays" \
		truth ".issues >= 2500 and .equal >= $bar * .decisions" "$work/out"
	[ "$scheduler" = none ] || check "$scheduler: ... which had to choose" truth '.decisions >= 100' "$work/out"
	tune simulate --trace "$work/$scheduler.zst" --scheduler mq-deadline --json
	check "$scheduler: the recording is a workload" \
		truth '[.schedulers[] | .. | .ios? // empty] | add >= 3000' "$work/out"
done
same 'no instance is left after Ctrl-C' "$(instances)" 0

# The kernel's own text of the same events, from an instance beside it, which sees them a
# moment before or after: times and flags differ.
other=$tracefs/instances/other-$$
events=block_bio_queue,block_getrq,block_rq_insert,block_rq_issue,block_rq_complete
mkdir "$other"
echo 0 >"$other/tracing_on"
for event in ${events//,/ }; do
	echo "dev == $((7 << 20 | ${loop#loop}))" >"$other/events/block/$event/filter"
	echo 1 >"$other/events/block/$event/enable"
done
start "$loop" --events "$events" -o "$work/text.txt"
echo 1 >"$other/tracing_on"
load "$loop"
echo 0 >"$other/tracing_on"
stop INT
grep -v '^#' "$other/trace" >"$work/kernel.txt"
rmdir "$other"
bodies()
{
	grep -v '^#' "$1" | sed -E 's/^ *.*-([0-9]+ +\[)/\1/; s/\] .{5} +[0-9]+\.[0-9]{6}: /] /' | sort
}
bodies "$work/kernel.txt" >"$work/kernel.sorted"
# Five events of each I/O, but for those that were merged.
check 'the kernel tells as much' [ "$(wc -l <"$work/kernel.sorted")" -ge 14000 ]
same 'an event is told as the kernel tells it' \
	"$(bodies "$work/text.txt" | diff "$work/kernel.sorted" - | head -n 20)" ''
same 'in the order of time' \
	"$(sed -nE 's/.* ([0-9]+\.[0-9]{6}): .*/\1/p' "$work/text.txt" | sort -c 2>&1)" ''

tune capture "$loop" --seconds 200ms -o "$work/time.txt"
same 'the time is over: status' "$status" 0
same 'no instance is left after the time' "$(instances)" 0
check 'the header has the queue' grep -q "^# kernel=.* dev=7:.* nr_requests=.* class=loop size_sectors=[1-9].* sched=" "$work/time.txt"

tune capture "$loop" --seconds 1 -o "$work/time.txt"
same 'a file that is there is not replaced' "$status" 1
check '... and the way is said' grep -q -- '--force' "$work/err"

start "$loop" -o "$work/killed.txt"
load "$loop" &
sleep 0.3
kill -KILL "$tracer"
wait "$tracer" 2>/dev/null
tracer=''
same 'killed: its instance is left' "$(instances)" 1
wait
tune capture "$loop" --seconds 200ms -o "$work/next.txt"
same 'the next one removes it' "$status $(instances)" '0 0'

start "$loop" -f -o "$work/term.zst"
stop TERM
same 'SIGTERM is a good end' "$status $(instances)" '0 0'
check '... and the file is whole' zstd -tq "$work/term.zst"

# Its own small filesystem fills up.
mkdir "$work/full"
mount -t tmpfs -o size=128k tmpfs "$work/full"
start "$loop" -o "$work/full/trace.txt"
load "$loop"
wait "$tracer"
status=$?
tracer=''
same 'disk full: status, instances' "$status $(instances)" '1 0'
sed 's/^/# /' "$work/err"
check '... with the cause' grep -qi 'no space' "$work/err"
tune simulate --trace "$work/full/trace.txt" --scheduler none
same '... and what was written can be read' "$status" 0
umount "$work/full"

start "$loop" --max-size 64K -o "$work/small.txt"
load "$loop"
wait "$tracer"
status=$?
tracer=''
same 'the largest size ends it' "$status" 0
check '... and it says so' grep -q -- '--max-size' "$work/out"

tune capture "$loop" --events block_rq_isue -o "$work/x.txt"
same 'an event that is none' "$status" 2
check '... is named' grep -q block_rq_isue "$work/err"
tune capture "$loop" --events , --seconds 200ms -o "$work/x.txt"
same 'a list of no events' "$status" 2
tune capture "$loop" --seconds 1
same 'no file' "$status" 2
tune capture "$loop" --seconds 1 -o -
same 'standard output, which is no file' "$status" 2
tune capture "$loop" --seconds 1 -o "$work/no/such/folder.txt"
same 'a folder that is not there: status, instances' "$status $(instances)" '1 0'
tune capture "$loop" --seconds 1 -o "$work/x.xz"
same 'a compression that it does not write' "$status" 1

# --- what is no file, and what is in it already

truncate -s 1M "$work/precious"
add_loop "$work/precious"
printf 'not to be lost' | dd of="/dev/$loop" conv=notrunc,fsync 2>/dev/null
for command in "capture $loop --seconds 200ms -f -o" 'snapshot -o' \
	'simulate --ios 10 --seeds 1 -m nvme --dispatch-log' \
	'advise --trace nothing.txt -m nvme --profile-out'; do
	# shellcheck disable=SC2086 # words
	tune $command "/dev/$loop"
	same "${command%% *}: a device as output: status" "$status" 1
	check '... it is named' grep -q "/dev/$loop" "$work/err"
done
same 'what was on it is there' "$(head -c 14 "/dev/$loop")" 'not to be lost'
mkfifo "$work/pipe"
timeout -s KILL 10 "$IOSCHED_TUNE" capture "$loop" --seconds 200ms -f -o "$work/pipe" 2>"$work/err"
same 'a pipe without a reader: status, instances' "$? $(instances)" '1 0'
sleep 60 <>"$work/pipe" &
reader=$!
timeout -s KILL 10 "$IOSCHED_TUNE" capture "$loop" --seconds 200ms -f -o "$work/pipe" 2>"$work/err"
same 'a pipe: status, instances' "$? $(instances)" '1 0'
kill $reader
start "$loop" -f -o "$work/both.txt"
tune capture "$loop" --seconds 200ms -f -o "$work/both.txt"
same 'a file that another recording goes into: status' "$status" 1
check '... with the cause' grep -q 'another recording' "$work/err"
ulimit -c 0
stop QUIT
same 'SIGQUIT is a good end' "$status $(instances)" '0 0'

# Nothing of what advise records is left, also when it is killed.
mkdir "$work/advise"
TMPDIR=$work/advise "$IOSCHED_TUNE" advise "$loop" -m nvme 2>"$work/err" &
tracer=$!
for _ in $(seq 100); do
	[ -e "$tracefs/instances/iosched-tune-$tracer" ] && break
	sleep 0.05
done
stop KILL
same 'advise, killed: files' "$(ls "$work/advise")" ''
TMPDIR=$work/advise "$IOSCHED_TUNE" advise "$loop" -m nvme 2>"$work/err" &
tracer=$!
for _ in $(seq 100); do
	grep -q 1 "$tracefs/instances/iosched-tune-$tracer/tracing_on" 2>/dev/null && break
	sleep 0.05
done
stop TERM
same 'advise, SIGTERM: status, files, instances' "$status $(ls "$work/advise")$(instances)" '1 0'

tune advise "$loop" -m nvmee --seconds 5
same 'advise, a medium that is none: status' "$status" 2
check '... said before anything is recorded' [ "$(grep -c recording "$work/err")" = 0 ]
tune advise "$loop" -m nvme --seconds 200ms
same 'advise, nothing to do: status' "$status" 1
check '... names the device' grep -q "read from $loop or written" "$work/err"
mkdir "$work/tight"
mount -t tmpfs -o size=8k tmpfs "$work/tight"
(sleep 0.3; load "$loop") &
TMPDIR=$work/tight tune advise "$loop" -m nvme --seconds 3
wait
umount "$work/tight"
same 'advise, no room for the recording: status, instances' "$status $(instances)" '1 0'
check '... names the folder and the way' grep -q 'TMPDIR' "$work/err"
check '... and no descriptor' [ "$(grep -c /proc/ "$work/err")" = 0 ]

# I/O of a partition is I/O of its disk.
disk=$loop
truncate -s 64M "$work/parts"
add_loop "$work/parts"
if echo 'start=4096, size=65536' | sfdisk -q "/dev/$loop" >/dev/null 2>&1 &&
	losetup -d "/dev/$loop" && loop=$(losetup -P -f --show "$work/parts") &&
	loops+=("${loop##*/}") && [ -b "${loop}p1" ]; then
	loop=${loop##*/}
	start "$loop" -o "$work/parts.txt"
	dd if="/dev/${loop}p1" of=/dev/null bs=4k count=8 iflag=direct 2>/dev/null
	stop INT
	same 'a partition: its bios have the number of the disk' \
		"$(grep -c " block_bio_queue: $(tr : , <"/sys/block/$loop/dev") R" "$work/parts.txt")" 8
	check '... and the sectors of the disk' \
		grep -q "block_bio_queue: .* R 4096 + 8" "$work/parts.txt"
else
	skipped 'a partition: its bios have the number of the disk' 'no partitions on loop devices here'
fi

loop=$disk

# A disk that is full from the beginning, and one that becomes so.
mkdir "$work/small"
mount -t tmpfs -o size=64k tmpfs "$work/small"
dd if=/dev/zero of="$work/small/filler" bs=4k 2>/dev/null
for name in full.txt full.gz full.zst; do
	tune capture "$loop" --seconds 600 -o "$work/small/$name"
	same "$name, no room at all: nobody waits, and nothing is said to be there" \
		"$status $(stat -c %s "$work/small/$name") $(grep -c 'nothing was recorded' "$work/err")" '1 0 1'
done
rm "$work"/small/*
start "$loop" --seconds 60 -o "$work/small/part.txt"
load "$loop"
wait "$tracer"
status=$?
tracer=''
same 'a disk that becomes full: what is there is said to be' \
	"$status $(grep -c 'recorded until then is in it' "$work/err")" '1 1'
check '... and it is' grep -q block_rq_issue "$work/small/part.txt"
umount "$work/small"

if command -v setpriv >/dev/null; then
	setpriv --reuid 65534 --regid 65534 --clear-groups "$IOSCHED_TUNE" capture "$loop" \
		--seconds 1 -o "/tmp/iosched-tune-capture.$$" >"$work/out" 2>"$work/err"
	status=$?
	rm -f "/tmp/iosched-tune-capture.$$"
	check 'without permission: refused' [ "$status" -ne 0 ]
	check '... with a word' [ -s "$work/err" ]
fi
same 'no instance is left at the end' "$(instances)" 0
finish
