#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# TIME-LIMIT: 300
#
# Measurements on real queues: schedulers in turns, the state of before whatever ends it, and
# what is never written to.
set -u
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

need root loop unshare losetup fio jq mkfs.ext4 mkswap
private "$0" "$@"

add_loop || exit 1
a=$loop
if ! schedulers "$a" | grep -qw mq-deadline; then
	echo '1..0 # SKIP this kernel has no mq-deadline'
	exit 0
fi
file=$work/loop.0

# Values that no switch gives by itself.
set_state()
{
	echo mq-deadline >"/sys/block/$a/queue/scheduler" || exit 1
	echo 120 >"/sys/block/$a/queue/iosched/read_expire"
	echo 77 >"/sys/block/$a/queue/nr_requests"
	echo 384 >"/sys/block/$a/queue/read_ahead_kb"
}
set_state
first=$(capture "$a")
all=$(schedulers "$a" | xargs | tr ' ' ,)
number=$(schedulers "$a" | wc -w)

# fios: of those that this script's measurements started
fios()
{
	pgrep -x fio -s 0 2>/dev/null | wc -l
}

# as_before WHAT: every value is, nothing runs, and there is nothing to restore
as_before()
{
	same "$1: everything is as before" "$(diff <(echo "$first") <(capture "$a") && fios)" 0
	check "$1: no journal is left" [ ! -e $state/journal.json ]
}

short=(--runtime 150ms --warmup 50ms)
quick=(--rounds 2 "${short[@]}")
once=(--rounds 1 "${short[@]}")

# --- success

tune -v --json bench "$a" "${quick[@]}" --scheduler "$all"
same 'success: exit status' "$status" 0
same 'success: every scheduler had its rounds' \
	"$(jq -c '[.schedulers[] | select(.runs == 2 and .read.iops > 0 and .read.p99_ns > 0)] | length' "$work/out")" \
	"$number"
same 'two rounds: no margin is made up, and none is the best' \
	"$(jq -c '[.best, (.schedulers | map(.read.margin, .margin) | add)]' "$work/out")" '[null,{}]'
same 'success: nothing was written' "$(jq -c '[.measurement.target, (.schedulers | map(.write.ios) | add)]' "$work/out")" \
	'["read-only",0]'
same 'success: the one of before is what the others are compared with' \
	"$(jq -r '.reference, .measurement.scheduler_before' "$work/out" | xargs)" 'mq-deadline mq-deadline'
grep -o 'round [12] of 2: .*' "$work/err" | sed 's/.*: //' | xargs >"$work/order"
names=$(schedulers "$a" | xargs)
same 'success: rounds begin with another one each' "$(cat "$work/order")" "$names ${names#* } ${names%% *}"
as_before success

tune --json bench "$a" --rounds 3 "${short[@]}" --scheduler none,mq-deadline
same 'three rounds: figures come with their margins' \
	"$(jq '[.schedulers[] | select(.read.margin.iops > 0)] | length' "$work/out")" 2

tune bench "$a" "${once[@]}" --scheduler none,mq-deadline
same 'one round: what it cannot tell is said' "$status $(grep -c 'difference is chance' "$work/err")" '0 1'

# dd, through the page cache
tune bench "$a" "${once[@]}" --scheduler none,deadline
check 'a name of another kernel: what takes its place is said' \
	grep -q 'cannot have deadline: mq-deadline takes its place' "$work/err"
tune --json bench "$a" --rounds 1 --runtime 500ms --workload dd-read --scheduler none,mq-deadline
same 'dd-read: it reads 2 MiB at a time' \
	"$status $(jq '[.schedulers[] | select(.read.sectors == .read.ios * 4096 and .read.ios > 0)] | length' "$work/out")" \
	'0 2'
as_before dd-read

tune bench "$a" "${quick[@]}" --scheduler none,mq-deadline --cpus 0 --compare-simulation --medium nvme
same 'beside a simulation' "$status $(grep -c PREDICTED-RATIO "$work/out")" '0 1'
# Where no workload is named, the same one is predicted: reads of 4 KiB.
same '... of the same I/Os' "$(awk '/PREDICTED-RATIO/ { on = 1 }
	on && $2 == "IOPS" && !ios { ios = $5 }
	on && $2 == "MB/s" && !bytes { bytes = $5 }
	END { printf "%.1f", ios ? bytes * 1e6 / ios / 1024 : 0 }' "$work/out")" 4.0
tune bench "$a" "${quick[@]}" --compare-simulation --medium nvmee
same 'an unknown medium: said before the first switch' \
	"$status $(grep -c 'there is no medium "nvmee"' "$work/err")" '2 1'
as_before 'an unknown medium'

# What was applied by hand stays known.
tune apply --set read_ahead_kb=1MiB "$a"
tune bench "$a" "${once[@]}" --scheduler none,mq-deadline
same 'after an apply: exit status' "$status" 0
same 'after an apply: it is still in force' "$(queue "$a" read_ahead_kb)" 1024
tune restore
same 'after an apply: restore' "$status" 0
as_before 'after an apply, restored'

# --- an end before its time

# begin ARGUMENT...: a measurement in the background, under another scheduler than that of
# before, which would go on for minutes; $runner is its process, $child its fio
begin()
{
	set -m
	"$IOSCHED_TUNE" -v bench "$a" --rounds 9 --runtime 60 --warmup 0 --scheduler none,mq-deadline \
		"$@" >"$work/out" 2>"$work/err" &
	runner=$!
	set +m
	for _ in $(seq 1500); do
		[ "$(active "$a")" = none ] && child=$(pgrep -P $runner -x fio) && return 0
		sleep 0.01
	done
	echo "# it did not begin: $(cat "$work/err")"
	return 1
}

# gone PID...: within ten seconds
gone()
{
	local pid

	for pid; do
		for _ in $(seq 1000); do
			kill -0 "$pid" 2>/dev/null || continue 2
			sleep 0.01
		done
		return 1
	done
}

for signal in INT TERM HUP QUIT; do
	check "SIG$signal: it runs" begin
	kill -"$signal" "$runner"
	wait "$runner"
	same "SIG$signal: exit status and word" "$? $(grep -c 'ended early' "$work/err")" '1 1'
	check "SIG$signal: fio is gone" gone "$child"
	as_before "SIG$signal"
done

# More than one, as of somebody who does not want to wait.
check 'SIGINT many times: it runs' begin
for _ in $(seq 50); do
	kill -INT "$runner" 2>/dev/null
done
wait "$runner" 2>/dev/null
as_before 'SIGINT many times'

# While a scheduler is being switched to: that is brought to its end, and no more begun.
# has_writer: the process that writes is there
has_writer()
{
	for _ in $(seq 1500); do
		tracee=$(pgrep -P "$runner" | head -n 1) && pgrep -P "$tracee" >/dev/null && return 0
		sleep 0.01
	done
	return 1
}

if command -v strace >/dev/null 2>&1; then
	set -m
	strace -f -qq -o /dev/null -P "/sys/devices/virtual/block/$a/queue/scheduler" -e trace=write \
		-e inject=write:delay_enter=1000000 \
		"$IOSCHED_TUNE" bench "$a" "${once[@]}" --scheduler none,mq-deadline >"$work/out" 2>"$work/err" &
	runner=$!
	set +m
	check 'SIGTERM in a switch: it begins' has_writer
	kill -TERM "$tracee"
	wait "$runner"
	same 'SIGTERM in a switch: exit status and word' "$? $(grep -c 'ended early' "$work/err")" '1 1'
	as_before 'SIGTERM in a switch'
else
	skipped 'SIGTERM in a switch' 'no strace'
fi

check 'fio killed: it runs' begin
kill -KILL "$child"
wait "$runner"
same 'fio killed: exit status and word' "$? $(grep -c 'fio was ended by signal 9' "$work/err")" '1 1'
as_before 'fio killed'

check 'SIGKILL: it runs' begin
kill -KILL "$runner"
wait "$runner" 2>/dev/null
check 'SIGKILL: fio ends as well' gone "$child"
check 'SIGKILL: something is left to restore' [ -e $state/journal.json ]
tune restore
same 'SIGKILL: restore' "$status" 0
as_before 'SIGKILL and restore'

# The device's file is shorter than the device: reads of the rest fail.
truncate -s 1M "$file"
tune bench "$a" "${quick[@]}"
same 'fio error: exit status and word' "$status $(grep -c 'fio failed: .*Input/output error' "$work/err")" '1 1'
truncate -s 16M "$file"
as_before 'fio error'

# The reader goes away.
"$IOSCHED_TUNE" -v bench "$a" "${quick[@]}" 2>&1 >/dev/null | head -n 1 >/dev/null
as_before 'stderr closed'

# --- what is refused

writes=("${once[@]}" --scheduler 'none,mq-deadline' --workload randwrite)

# refused WHAT STATUS WORDS ARGUMENT...: says so, and the file is as it was
refused()
{
	local what=$1 wanted=$2 words=$3 before after

	shift 3
	sync
	before=$(sha256sum <"$file")
	tune bench "$a" "$@"
	sync
	after=$(sha256sum <"$file")
	same "$what: refused" "$status $(grep -c -- "$words" "$work/err")" "$wanted 1"
	same "$what: not a byte was written" "$after" "$before"
	as_before "$what"
}

refused 'nothing said' 2 "this would write to $a" "${writes[@]}"
refused 'another name' 2 "--destroy-data names sda, and the device is $a" "${writes[@]}" --destroy-data sda

mkfs.ext4 -q -F "/dev/$a"
refused 'a filesystem without --destroy-data' 1 "$a holds data: ext4" "${writes[@]}"
refused 'a filesystem with it' 1 "$a holds data: ext4" "${writes[@]}" --destroy-data "$a"

mkdir "$work/mnt"
mount -o ro,noload "/dev/$a" "$work/mnt" || exit 1
trap 'umount "$work/mnt" 2>/dev/null; tidy' EXIT
refused 'mounted' 1 "$a is mounted on $work/mnt" "${writes[@]}" --destroy-data "$a"
umount "$work/mnt"

# clean: nothing on it any more
clean()
{
	truncate -s 0 "$file" && truncate -s 16M "$file" && blockdev --flushbufs "/dev/$a"
}

clean
mkswap -q "/dev/$a" 2>/dev/null
refused 'a swap signature' 1 "$a holds data: swap" "${writes[@]}" --destroy-data "$a"
if swapon "/dev/$a" 2>/dev/null; then
	refused 'swap' 1 "$a is in use: it is swap" "${writes[@]}" --destroy-data "$a"
	swapoff "/dev/$a"
else
	skipped 'swap' 'cannot be turned on here'
fi

clean
if command -v dmsetup >/dev/null 2>&1 &&
	dmsetup create "iosched-tune-$$" --table "0 16384 linear /dev/$a 0" 2>/dev/null; then
	trap 'dmsetup remove "iosched-tune-$$" 2>/dev/null; tidy' EXIT
	refused 'a holder' 1 "$a is in use: dm-[0-9]* is built on it" "${writes[@]}" --destroy-data "$a"
	dmsetup remove "iosched-tune-$$"
	trap tidy EXIT
else
	skipped 'a holder' 'no device mapper'
fi

# put OFFSET BYTES: escaped, onto the device
put()
{
	printf '%b' "$2" | dd of="/dev/$a" bs=1 seek="$1" conv=notrunc 2>/dev/null
}

# What pvcreate writes, as far as it is looked at: its label, with the checksum.
clean
put 512 'LABELONE\x01'
put 528 '\x14\xb5\x09\xc5\x20'
put 536 'LVM2 001aaaaaabbbbccccddddeeeeffffgggggg'
put 579 '\x01'
put 586 '\x10'
put 617 '\x10'
put 625 '\xf0\x0f'
put 648 '\x02'
refused 'a member of a volume group' 1 "$a holds data: LVM2_member" "${writes[@]}" --destroy-data "$a"

clean
put 450 '\x83'
put 454 '\x01'
put 459 '\x10'
put 510 '\x55\xaa'
refused 'a partition table' 1 "$a holds a partition table: dos" "${writes[@]}" --destroy-data "$a"

# The first sectors were overwritten: the copy at the end says what was there.
clean
if command -v sfdisk >/dev/null && echo 'label: gpt' | sfdisk -q "/dev/$a" 2>/dev/null; then
	dd if=/dev/zero of="/dev/$a" bs=512 count=34 conv=notrunc,fsync 2>/dev/null
	refused 'the copy of a partition table' 1 "$a holds a partition table: gpt" "${writes[@]}" --destroy-data "$a"
else
	skipped 'the copy of a partition table' 'no sfdisk'
fi

clean
refused 'a file that lies elsewhere' 1 "/elsewhere does not lie on $a" "${writes[@]}" --write-file "$work/elsewhere"

printf '[a]\nfilename=/dev/%s\nrw=randread\ntime_based=1\nruntime=1\ndirect=1\nioengine=psync\nexec_prerun=touch %s/ran\n' "$a" "$work" >"$work/job"
tune -v bench "$a" "${once[@]}" --scheduler none --fio "$work/job"
same 'a job file of this device' "$status $(grep -c 'line 8: exec_prerun is left out' "$work/out")" '0 1'
check 'a job file runs no program' [ ! -e "$work/ran" ]
as_before 'a job file'
add_loop || exit 1
sed -i "s|$a|$loop|" "$work/job"
refused 'a job file of another device' 2 "/dev/$loop is not the device that is measured" "${quick[@]}" --fio "$work/job"
printf '[a]\nrw=randread\nbs=8k\nsize=1m\ndirect=1\nioengine=libaio\niodepth=64\n' >"$work/job"
tune --json bench "$a" --rounds 1 --runtime 2s --scheduler none --fio "$work/job"
same 'a job that ends by itself: all of it is counted, without a warm-up' \
	"$status $(jq -c '[.measurement.warmup_ns, .schedulers[0].read.ios, .schedulers[0].read.mean_ns > 0]' "$work/out")" \
	'0 [0,128,true]'
refused 'a job that ends within the warm-up' 1 'ended before the warm-up was over' --rounds 1 --runtime 2s --warmup 20s \
	--scheduler none --fio "$work/job"
printf '[a]\nrw=randwrite\nsize=8m\ndirect=1\nioengine=psync\n' >"$work/job"
refused 'a job file that writes' 2 "this would write to $a" "${quick[@]}" --fio "$work/job"

# --- what is allowed

tune --json bench "$a" "${writes[@]}" --destroy-data "$a"
same 'an empty device that was named' \
	"$status $(jq -c '[.measurement.target, (.schedulers | map(select(.write.ios > 0)) | length)]' "$work/out")" \
	'0 ["device",2]'
as_before 'an empty device'

# A quarter of 16 MiB is read and one written, twice, and is on the device at the end.
sectors() { awk '{ print $7 }' "/sys/block/$a/stat"; }
moved=$(sectors)
tune --json bench "$a" --rounds 1 --runtime 20s --workload dd-both --scheduler none,mq-deadline --destroy-data "$a"
same 'dd-both: both of it, compared by throughput' \
	"$status $(jq -c '[.objective, (.schedulers[] | .read.sectors, .write.sectors)]' "$work/out")" \
	'0 ["throughput",8192,8192,8192,8192]'
check 'dd-both: it is on the device' [ $(($(sectors) - moved)) -ge 16384 ]
as_before dd-both

truncate -s 128M "$file" && losetup -c "/dev/$a"
mkfs.ext4 -q -F "/dev/$a"
mount "/dev/$a" "$work/mnt" || exit 1
trap 'umount "$work/mnt" 2>/dev/null; tidy' EXIT
echo mine >"$work/mnt/there"
sync
tune --json bench "$a" "${once[@]}" --scheduler none,mq-deadline --workload oltp --write-file "$work/mnt/measure"
same 'a file on its filesystem' \
	"$status $(jq -c '[.measurement.target, (.schedulers | map(select(.write.ios > 0 and .read.ios > 0)) | length)]' "$work/out")" \
	'0 ["file",2]'
same 'its commits are flushes' "$(jq -c '.schedulers | map(.flush.mean_ns > 0 and (.flush.ios > 0))' "$work/out")" '[true,true]'
same 'nothing of it is left' "$(cd "$work/mnt" && echo ./*)" './lost+found ./there'
tune bench "$a" "${writes[@]}" --write-file "$work/mnt/there"
same 'a file that is there is left alone' "$status $(cat "$work/mnt/there") $(grep -c 'File exists' "$work/err")" '1 mine 1'
tune bench "$a" "${once[@]}" --scheduler none
same 'a mounted device can be read' "$status" 0
umount "$work/mnt"
same 'and all is as before' "$(capture "$a" | sed -n 's/.*\(read_expire\|nr_requests\|read_ahead_kb\)://p' | xargs)" \
	'77 384 120'
finish
