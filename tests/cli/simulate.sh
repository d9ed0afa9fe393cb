#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# simulate: the classic lesson word for word, replays of recordings, the dispatch log, and
# what is refused.
set -u
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/lib.sh"

lesson=tests/fixtures/traces/deadline-lesson.load
recordings=tests/fixtures/replay

# --- a trace through a scheduler

run simulate --trace $lesson --kernel 4.19 --scheduler deadline --depth 1 --hold 600ms --explain
exits 'the classic lesson' 0
golden 'the classic lesson' simulate-lesson.txt
run simulate --trace $lesson --kernel 6.12 --scheduler none,mq-deadline,kyber
exits 'three schedulers' 0
golden 'three schedulers' simulate-compare.txt
says 'no medium: it is said' 'no medium is named: every request takes 1 ms'
first=$out
run simulate --trace $lesson --kernel 6.12 --scheduler none,mq-deadline,kyber
same 'the same again' "$out" "$first"
run simulate --trace $lesson --kernel 6.12 --scheduler mq-deadline --depth 1 --hold 600ms \
	--set mq-deadline.fifo_batch=1 --explain
prints 'a parameter' 'new batch, reads first: next in sector order'
run simulate --trace $lesson --kernel 4.18 --scheduler noop,deadline,cfq
prints 'schedulers of the past' 'cfq'
run simulate --trace $lesson --kernel 2.6.32 --scheduler anticipatory --hold 600ms --explain
prints 'anticipatory' 'new batch, of the other kind'
run simulate --trace $lesson --kernel 6.12 --scheduler fifo,sstf,scan,c-scan,look,c-look
prints 'policies of the textbook' 'fifo ' 'sstf ' 'scan ' 'c-scan ' 'look ' 'c-look'
run simulate --trace $lesson --kernel 6.12 --scheduler look --depth 1 --hold 600ms --explain \
	--set look.start=4000 --set look.direction=0
prints 'where the head stands, and which way' '1 600.000 W     4000' 'the sweep turns here'
run simulate --trace $lesson --kernel 6.12 --scheduler look --set look.direction=2
fails 'no such direction' 2 'direction'
run simulate --trace $lesson --kernel 6.1 --scheduler mq-deadline --zone-size 1G --explain
prints 'zones: one write at a time' '600.000 W' '601.000 W' '607.000 W'
run simulate --trace - --kernel 6.12 --scheduler none
fails 'an empty trace' 1 'empty'

run simulate --trace $lesson --kernel 6.12 --scheduler kyber --explain --json \
	--dispatch-log "$TMPDIR/log"
same 'as JSON' "$(json '.schedulers[0] | [.scheduler, .read.ios, .write.ios]')" '["kyber",9,8]'
same 'every dispatch as JSON' "$(json '.dispatches.kyber | length')" 17
same 'every dispatch in the log' "$(wc -l <"$TMPDIR/log")" 18

# --- made workloads and media

quick=(--kernel 6.12 --seeds 3 --ios 2000)
made=(--workload randrw --service-time 500us --depth 4 --nr-requests 64 --scheduler 'none,mq-deadline,kyber')
run simulate "${quick[@]}" "${made[@]}"
exits 'a workload on a device of equal times' 0
golden 'a workload on a device of equal times' simulate-workload.txt
first=$out
run simulate "${quick[@]}" "${made[@]}" --jobs 1
same 'one thread, the same bytes' "$out" "$first"
run simulate "${quick[@]}" "${made[@]}" --jobs 5
same 'five threads, the same bytes' "$out" "$first"
run simulate "${quick[@]}" "${made[@]}" --seed 2
[ "$rc" = 0 ] && [ "$out" != "$first" ] && verdict=ok || verdict=bad
point "$verdict" 'another seed, other figures'
run simulate --kernel 6.12 --ios 500 --json
same 'without options: oltp on nvme' \
	"$(json '.simulation | [.workload, .medium, .seeds]')" '["oltp","nvme",5]'
same 'every scheduler of that kernel' \
	"$(json '[.schedulers[].scheduler] - ["none","mq-deadline","kyber","bfq"]')" '[]'
same 'figures with margins' "$(json 'all(.schedulers[]; .read.max_ns >= .read.p99_ns and
	.read.margin.p99_ns >= 0 and .fairness <= 1 and .cpu_ns_per_io > 0)')" true
same 'a best one, and what decides' "$(json '[.objective, (.best | type)]')" \
	'["p99-read","string"]'
same 'figures by job' "$(json '[.schedulers[0].jobs[].name]')" '["queries","page-writes","log"]'
same 'no percentile of too few I/Os' "$(json '[.schedulers[].read | keys[] | select(test("^p99_9"))]')" '[]'
run simulate --kernel 6.12 --ios 500 --scheduler none
same 'nor in the table' "$(grep -c 'P99\.9' <<<"$out") $(grep -c 'P99.9 of 1000' <<<"$out")" '1 1'
run simulate --kernel 6.12 --ios 10020 --workload randread --scheduler none
prints 'P99.99 of ten thousand' 'read P99.99 ms'
run simulate --kernel 6.12 --ios 50 --json
same 'of next to nothing: the mean decides' "$(json .objective)" '"mean"'
run simulate --kernel 6.12 --ios 50 --objective p99-read
prints 'or nothing, where it is asked for' 'which is best is not known: there is no p99-read'
run simulate --kernel 6.12 --ios 500 --workload randwrite --json
same 'writes only: their P99 decides' "$(json .objective)" '"p99-write"'
run simulate --kernel 4.9 -m sata-ssd --ios 500 --json
same 'an old kernel has old schedulers' \
	"$(json '[.schedulers[].scheduler] | index("none") == null and index("deadline") != null')" true
run simulate "${quick[@]}" --scheduler mq-deadline --set fifo_batch=2 --nr-requests 77 --json
same 'parameters' "$(json '.schedulers[0] | [.settings.fifo_batch, .nr_requests]')" '["2",77]'
run simulate --trace $lesson --kernel 6.12 --medium hdd-7200 --scheduler none --time-scale 2 --json
same 'a trace on a medium, slower' \
	"$(json '.schedulers[0] | [.runs, .read.ios, .end_ns > 1000000000]')" '[5,45,true]'

# --- how long

for medium in virtio:2 raid10-ssd:2 raid5-hdd:60 hdd-7200:60; do
	run simulate --kernel 6.12 --medium "${medium%:*}" --ios 10 --seeds 1 --json
	same "default runtime on ${medium%:*}, whatever rotational says" \
		"$(json .simulation.runtime_ns)" "${medium#*:}000000000"
done

# --- more than the medium can do

run simulate --kernel 6.12 -m hdd-7200 -w oltp --seeds 1 --runtime 20 -s none
says 'jobs with a rate: it is said' 'page-writes on hdd-7200: the load exceeds what the medium can do: of 200'
run simulate --kernel 6.12 -m nvme -w oltp --seeds 1 --runtime 2 -s none
same 'not where there is room' "$err" ''
{
	echo 'fio version 3 iolog'
	echo '0 /dev/sda add'
	echo '0 /dev/sda open'
	for ((i = 0; i < 4000; i++)); do
		echo "$((i * 1000)) /dev/sda read $((i * 7919 % 4000 * 1048576)) 4096"
	done
} >"$TMPDIR/fast.log"
run simulate --kernel 6.12 -m hdd-7200 --trace "$TMPDIR/fast.log" --seeds 1 -s none
says 'a trace: it is said' 'the load exceeds what the medium can do: I/O that came within 4 s'
run simulate --kernel 6.12 -m hdd-7200 --trace "$TMPDIR/fast.log" --time-scale 30 --seeds 1 -s none
same 'not where it comes slower' "$err" ''

run simulate --kernel 6.12 -m zns -w randwrite --seeds 2 --runtime 100ms -s none
says 'writes that a zoned medium refuses: it is said' "zns refuses writes that are not at their zone's write pointer"
run simulate --kernel 6.12 -m zns -w sequential-write --seeds 2 --runtime 100ms -s none
same 'not of those that are in order' "$err" ''

# --- what a trace flushes

{
	echo 'fio version 3 iolog'
	echo '0 /dev/sda add'
	echo '0 /dev/sda open'
	for ((i = 0; i < 400; i++)); do
		echo "$((i * 20)) /dev/sda write $((i * 4096)) 4096"
		((i % 4 == 3)) && echo "$((i * 20 + 1)) /dev/sda sync 0 0"
	done
} >"$TMPDIR/sync.log"
run simulate --kernel 6.12 -m sata-ssd --trace "$TMPDIR/sync.log" --seeds 1 -s none,bfq
prints 'a trace: its flushes have rows' 'flush per second' 'flush P99 ms'
run simulate --kernel 6.12 -m sata-ssd --trace "$TMPDIR/sync.log" --seeds 1 -s none,bfq --json
same '... and are no I/Os' "$(json '[.schedulers[] | [.write.ios, .flush.ios]]')" '[[400,100],[400,100]]'

# --- ended early

# The log tells that it has begun; a pipe keeps it from getting far.
mkfifo "$TMPDIR/pipe"
"$IOSCHED_TUNE" simulate --kernel 6.12 --workload randread --service-time 1ms --scheduler none,kyber \
	--runtime 80000 --warmup 0 --dispatch-log "$TMPDIR/pipe" >"$TMPDIR/out" 2>"$TMPDIR/err" </dev/null &
pid=$!
exec 3<"$TMPDIR/pipe"
IFS= read -r _ <&3
kill -TERM $pid
cat <&3 >/dev/null
exec 3<&-
wait $pid
rc=$?
out=$(cat "$TMPDIR/out") err=$(cat "$TMPDIR/err")
exits 'ended early: not all of it' 1
says 'ended early: it says so' 'ended early'
prints 'ended early: what there is' 'read IOPS'
prints 'ended early: no best among what was not done' 'which is best is not known: there is no whole run of '
same 'ended early: no star' "$(grep -c '[*]' "$TMPDIR/out")" 0

# One that goes on for long says so, also where no progress is drawn.
"$IOSCHED_TUNE" simulate --kernel 6.12 --workload randread --service-time 1us --scheduler none \
	--runtime 80000 --seeds 1 >"$TMPDIR/out" 2>"$TMPDIR/err" </dev/null &
pid=$!
for _ in $(seq 600); do
	grep -q 'to go' "$TMPDIR/err" && break
	kill -0 $pid 2>/dev/null || break
	sleep 0.1
done
kill -TERM $pid
wait $pid
err=$(cat "$TMPDIR/err")
says 'a long one: how long, and what to do' 'minutes to go' '--runtime'
same '... once' "$(grep -c 'to go' "$TMPDIR/err")" 1

# --- a sweep

run simulate "${quick[@]}" --workload randrw --service-time 500us --depth 4 --nr-requests 64 \
	--scheduler mq-deadline,kyber \
	--sweep writes_starved=1:3:1 --sweep fifo_batch=1,16
exits 'a sweep' 0
golden 'a sweep' simulate-sweep.txt
first=$out
run simulate "${quick[@]}" --workload randrw --service-time 500us --depth 4 --nr-requests 64 \
	--scheduler mq-deadline,kyber --sweep writes_starved=1:3:1 fifo_batch=1,16
same 'one --sweep for all parameters' "$out" "$first"
on linux-6.1-stack simulate --ios 300 --seeds 2 --sweep read_expire=50,100 sdb fifo_batch=1,16 --json
same 'with a device between them' "$(json '[.reference, (.schedulers | length)]')" '["now",5]'
run simulate --kernel 6.12 --sweep fifo_batch=1,16 no_such=1
fails 'a sweep of no parameter behind another' 2 'no_such'
run simulate --kernel 6.12 fifo_batch=1,16
fails 'without --sweep it is a device' 2 'no block device'
run simulate "${quick[@]}" --scheduler mq-deadline,none --sweep nr_requests=64:256:64 --objective iops --json
same 'a sweep as JSON' "$(json '[.objective, [.schedulers[].nr_requests]]')" \
	'["iops",[64,128,192,256,64,128,192,256]]'
on linux-6.1-stack simulate sdb --ios 300 --seeds 2 --sweep read_expire=50ms:150ms:50ms --json
same 'a sweep of a device, beside what is now' "$(json '[.reference, (.schedulers | length)]')" \
	'["now",4]'
run simulate --kernel 6.12 --sweep fifo_batch=1:1000:1
fails 'a sweep of too many values' 2 'fifo_batch'
run simulate --kernel 6.12 --scheduler mq-deadline --sweep fifo_batch=1:100:1 --sweep writes_starved=1:100:1
fails 'a sweep of too many points' 2 '10000'
run simulate --kernel 6.12 --sweep fifo_batch=5:1:1
fails 'a sweep backwards' 2 '--sweep'
run simulate --kernel 6.12 --sweep fifo_batch=1:5:0
fails 'a sweep that stands still' 2 '--sweep'
run simulate --kernel 6.12 --sweep fifo_batch=
fails 'a sweep of nothing' 2 '--sweep'
run simulate --kernel 6.12 --scheduler mq-deadline --sweep fifo_batch=1,2 --ios 50
prints 'a sweep of too few I/Os' 'best by mean' 'P99 is shown of 100 I/Os or more'
run simulate --kernel 6.12 --sweep nr_requests=0,100
fails 'a sweep of a number out of range' 2 'nr_requests' 'from 1 to'
run simulate --kernel 6.12 --sweep no_such=1
fails 'a sweep of no parameter' 2 'no_such'
run simulate --kernel 6.12 --sweep fifo_batch=1,4,1
fails 'a sweep with a value twice' 2 'fifo_batch has the value 1 twice'
run simulate --kernel 6.12 --scheduler none --sweep fifo_batch=1
fails 'a sweep that none of them takes' 2 '--sweep'

# --- a device of the host

on linux-6.1-stack simulate sdb --ios 500 --seeds 2 --json
same 'a device: what is now comes first' \
	"$(json '[.reference, .schedulers[0].title, .schedulers[0].scheduler]')" \
	'["now","now","mq-deadline"]'
same 'a device: its parameters' "$(json '.schedulers[0] | [.settings.read_expire, .nr_requests]')" \
	'["500",256]'
same 'a device: its queues' "$(json '.simulation | [.hw_queues, .hw_depth]')" '[1,32]'
same 'a device: each scheduler once' \
	"$(json '[.schedulers[].title] | (length == (unique | length)) and index("kyber") != null')" true
# The shipped ones: here their values matter.
export IOSCHED_TUNE_PROFILES=$TOP/profiles
on linux-6.1-raid simulate sdl --profile database --ios 200 --seeds 2 --json
same 'what a profile wants' \
	"$(json '.schedulers[1] | [.title, .scheduler, .settings.read_expire]')" \
	'["database","mq-deadline","100"]'
# Its file of async_depth holds front_merges: 1 would let one write at a time through.
on policy-async-5.15 simulate sda --ios 200 --seeds 2 --json
same 'a device whose kernel has a file that lies' \
	"$(json '.schedulers[0] | [.title, .settings.fifo_batch, .settings.async_depth]')" \
	'["now","16",null]'
on policy-async-5.15 simulate sda --kernel 6.1 --ios 200 --seeds 2 --json
same '... as another kernel' "$(json '.schedulers[0].settings.async_depth')" null
on policy-async-5.15 apply --profile database --simulate
exits '... before apply' 0
on linux-6.1-raid simulate sdl --profile database --kernel 5.10 --ios 200 --seeds 2 --json -v
same 'a device as an older kernel would have it' \
	"$(json '.schedulers[0:2] | map([.title, .settings.read_expire, .settings.prio_aging_expire])')" \
	'[["now","500",null],["database","100",null]]'
says '... which parameter it does not have' 'prio_aging_expire' '5.10'
on linux-6.1-stack simulate dm-0
fails 'no scheduler of its own' 2 'dm-0' 'sda, sdb'
on linux-6.1-stack simulate nonsense
fails 'no such device' 2 'nonsense'
run simulate --kernel 6.1 --profile database --medium hdd-7200 --ios 200 --seeds 2 --json
same 'a profile without a device' \
	"$(json '[.reference, .schedulers[0].scheduler, .schedulers[0].settings.read_expire]')" \
	'["database","mq-deadline","100"]'
# What it wants may be what a column has already: that one comes first.
run simulate --kernel 6.1 --profile balanced --medium sdcard --ios 200 --seeds 1 --json
same '... which wants a scheduler as it is' "$(json '[.reference, ([.schedulers[].title] | length)]')" '["bfq",4]'
says '... whose column is named' "what the profile 'balanced' wants is in the column 'bfq'"
run simulate --kernel 6.12 --ios 200 --seeds 1 -s none,kyber,none --json
same 'a scheduler named twice: one column' "$(json '[.schedulers[].title]')" '["none","kyber"]'
says '... and a word' 'none is named more than once'
on linux-6.1-stack simulate sdb --ios 200 --seeds 1 -s mq-deadline,none --json
same 'a scheduler as it is now' "$(json '[.schedulers[].title]')" '["now","none"]'
says '... and a word' "mq-deadline has no column of its own: it is the same as 'now'"
on linux-6.1-stack simulate sdb --ios 200 --seeds 1 -s mq-deadline,none --set fifo_batch=1 --json
same '... with --set it is another' "$(json '[.schedulers[].title]')" '["now","mq-deadline","none"]'
on linux-6.1-stack simulate sdb --ios 200 --seeds 1
same 'what is now is said' "$(sed -n 2p "$TMPDIR/out")" 'now: mq-deadline, nr_requests=256'
# A legacy queue may have as many as one likes; the engine has 2048.
sed 's|\(block/sda/queue/nr_requests := \).*|\14096|' "$hosts/linux-4.19-both.txt" >"$TMPDIR/many.txt"
run --root "$TMPDIR/many.txt" simulate sda --ios 200 --seeds 1 -v
same '... more requests than the engine has' "$rc:$(sed -n 's/^now: .*nr_requests=//p' "$TMPDIR/out")" 0:2048
says '... of which -v tells' 'nr_requests' '4096'
on linux-6.1-raid simulate sdl --profile database --ios 200 --seeds 1
same '... and what a profile wants, as far as it is no default' "$(sed -n 2,3p "$TMPDIR/out")" \
	$'now: mq-deadline, nr_requests=256\ndatabase: mq-deadline, read_expire=100, write_expire=1000, nr_requests=256'
run simulate --kernel 6.1 --profile nonsense
fails 'no such profile' 2 'nonsense'

# --- a recording against the engine

run simulate --replay $recordings/6.12/nb2.kyber.shrinkw.txt.xz --dispatch-log "$TMPDIR/log"
exits 'a replay' 0
golden 'a replay' simulate-replay.txt
same 'the log: heading' "$(head -n 1 "$TMPDIR/log")" \
	$'time_ns\tchosen_sector\tchosen_dir\trecorded_sector\trecorded_dir\twaiting\treason'
same 'the log: as many lines as issues' \
	"$(($(wc -l <"$TMPDIR/log") - 1))" "$(awk '/^issues/ { print $2 }' "$TMPDIR/out")"
same 'the log: seven fields each' "$(awk -F'\t' 'NF != 7' "$TMPDIR/log" | wc -l)" 0
run simulate --replay $recordings/7.2/nb0.mq-deadline.seq.txt.xz --json
same 'a replay as JSON' "$(json '[.kernel, .scheduler, .decisions, .equal]')" \
	'["7.2","mq-deadline",396,396]'
# What the kernel lost is no fault of the engine's.
same 'a whole recording: no warning' "$(json .lost):$err" 0:
xzcat $recordings/5.10/nb2.mq-deadline.starved.txt.xz |
	sed '100,140d; 141i CPU:0 [LOST 41 EVENTS]' >"$TMPDIR/lost.txt"
run simulate --replay "$TMPDIR/lost.txt" --json
same 'a recording that lost events: how many' "$(json .lost)" 41
says '... and what that means' 'lost 41 events' 'decides otherwise'
run simulate --replay "$TMPDIR/lost.txt"
prints '... in the text' 'events that the kernel lost: 41'
run simulate --trace "$TMPDIR/lost.txt" --scheduler none
says '... as a load' 'lost 41 events: the load is not whole'

# A recording says what device it is of: that is the medium, with the device's limits.
sed '1a # class=hdd hw_queues=2 hw_depth=16 rotational=1 size_sectors=2000000000' "$TMPDIR/lost.txt" >"$TMPDIR/disk.txt"
run simulate --trace "$TMPDIR/disk.txt" --kernel 6.12 --scheduler none --seeds 1
prints 'the device of the recording' 'on hdd-7200 (2 queues of 16)'
same '... and nothing is missing' "$(grep -c 'no medium' <<<"$err")" 0
run simulate --trace "$TMPDIR/disk.txt" --kernel 6.12 --scheduler none --seeds 1 --service-time 2
prints '... unless another is asked for' ', 2 ms for each request'
sed -i 's/class=hdd/class=abacus/' "$TMPDIR/disk.txt"
run simulate --trace "$TMPDIR/disk.txt" --kernel 6.12 --scheduler none
says '... a class that there is not' 'no medium is named'
xzcat $recordings/5.10/nb2.mq-deadline.starved.txt.xz |
	grep -E '^#|block_rq_issue|block_rq_complete' >"$TMPDIR/issues.txt"
run simulate --replay "$TMPDIR/issues.txt"
says 'a recording without inserts: nothing to compare' 'nothing can be compared' 'block_rq_insert'
same '... and no per cent' "$(grep -c % <<<"$out")" 0
# One request at a time, behind the completion of one that was there before.
xzcat $recordings/5.10/nb2.mq-deadline.starved.txt.xz | grep '^#' >"$TMPDIR/single.txt"
device=$(xzcat $recordings/5.10/nb2.mq-deadline.starved.txt.xz |
	sed -n '/block_rq_issue/ { s/.*block_rq_issue: \([0-9,]*\) .*/\1/p; q; }')
{
	echo "fio-1 [000] d..1 1.000000: block_rq_complete: $device R () 80 + 8 [0]"
	for i in 1 2 3; do
		echo "fio-1 [000] d..1 $i.100000: block_getrq: $device R $i + 8 [fio]"
		echo "fio-1 [000] d..1 $i.100010: block_rq_insert: $device R 4096 () $i + 8 [fio]"
		echo "fio-1 [000] d..1 $i.100020: block_rq_issue: $device R 4096 () $i + 8 [fio]"
		echo "fio-1 [000] d..1 $i.200000: block_rq_complete: $device R () $i + 8 [0]"
	done
} >>"$TMPDIR/single.txt"
run simulate --replay "$TMPDIR/single.txt"
says 'never two requests at once: nothing to choose' 'nothing can be compared' 'two requests'
# The same file, as a recording of 5.15 has it.
xzcat $recordings/5.10/nb2.mq-deadline.starved.txt.xz |
	sed '1s/kernel=[^ ]*/kernel=5.15.0-91-generic/; 1a # iosched/async_depth=1' >"$TMPDIR/5.15.txt"
run simulate --replay "$TMPDIR/5.15.txt" --json
same 'a recording of a kernel that has a file that lies' "$(json '[.kernel, .decisions > 100]')" \
	'["5.15",true]'
# The wrong version decides otherwise, and the report says where.
run simulate --replay $recordings/5.10/nb2.mq-deadline.starved.txt.xz --kernel 6.12
exits 'the wrong version: still a result' 0
prints 'the wrong version: differences' 'The first differences' 'LINE'

# --- what is refused

run simulate --trace $lesson --replay $lesson
fails 'a trace and a replay' 2 'only one of'
run simulate --trace $lesson --workload oltp
fails 'a trace and a workload' 2 'only one of'
run simulate --profile database --scheduler none
fails 'a profile and schedulers' 2 'only one of'
run simulate --kernel 6.12 --workload oltpp
fails 'no such workload' 2 'no workload "oltpp"' "did you mean 'oltp'" 'iosched-tune-workloads'
run simulate --kernel 6.12 --workload olap
fails 'a part of its name' 2 "did you mean 'olap-scan'"
run simulate --kernel 6.12 --workload sequential --ios 50 --seeds 1 --json
same 'another name for it' "$(json .simulation.workload)" '"sequential-read"'
run simulate --kernel 6.12 --workload zzz
fails 'nothing like it: all of them' 2 'there are: oltp, ' 'backup-interactive'
run simulate --kernel 6.12 --medium nvm
fails 'no such medium' 2 'no medium "nvm"' "did you mean 'nvme'" 'iosched-tune-media'
run simulate --kernel 6.12 --medium zzz
fails 'no medium like it: all of them' 2 'there are: hdd-7200, ' 'floppy'
run simulate --kernel 6.12 --scheduler mq-deadlin
fails 'no such scheduler' 2 'mq-deadlin' "did you mean 'mq-deadline'" 'iosched-tune-schedulers'
run simulate --kernel 6.12 --scheduler zzzz
fails 'no scheduler like it: all of them' 2 'there are: ' 'mq-deadline, ' 'c-look'
run simulate --kernel 6.12 --objective p99-reads
fails 'no such objective' 2 'p99-reads'
run simulate --kernel 6.12 --runtime 0
fails 'no time to run' 2 '--runtime'
run simulate --kernel 6.12 --runtime 0.5m --ios 10 --seeds 1 --json
same 'a time with a unit' "$(json .simulation.runtime_ns)" 30000000000
run simulate --kernel 6.12 --runtime 25h --ios 10
fails 'more than a day' 2 '--runtime takes a time up to 24h' '5m'
run simulate --kernel 6.12 --runtime 90000
fails 'too much time' 2 '--runtime'
run simulate --kernel 6.12 --runtime 1 --warmup 1
fails 'a warm-up as long as the run' 2 'nothing would be counted'
run simulate --kernel 6.12 --ios 0
fails 'no I/O' 2 '--ios'
run simulate --kernel 6.12 --seeds 0
fails 'no seed' 2 '--seeds'
run simulate --kernel 6.12 --slowness 0
fails 'no slowness' 2 '--slowness'
run simulate --kernel 6.12 --time-scale 2
fails 'a time scale without a trace' 2 '--time-scale'
run simulate --kernel 6.12 --scheduler none,kyber --set fifo_batch=1
fails 'a parameter of none of them' 2 'fifo_batch'
run simulate --kernel 6.12 --set no_such=1
fails 'a parameter of no scheduler: all that there are' 2 'no_such' 'there are: ' 'fifo_batch' \
	'kyber: read_lat_nsec, write_lat_nsec'
run simulate --kernel 6.12 --set fifo_bach=1
fails 'a parameter misspelt' 2 "did you mean 'fifo_batch'? It is a parameter of deadline, mq-deadline"
run simulate --kernel 6.12 --set mq-deadline.fifo_bach=1
fails 'misspelt, of a scheduler' 2 '6.12 has no parameter' "did you mean 'fifo_batch'?"
run simulate --kernel 6.12 --set kyber.fifo_batch=1
fails 'a parameter of another scheduler' 2 'has no parameter' 'there are: read_lat_nsec, write_lat_nsec'
run simulate --kernel 6.12 --scheduler none --set none.depth=1
fails 'a scheduler without parameters' 2 'it has no parameters'
run simulate --kernel 6.12 --scheduler none,kyber --set deadline.fifo_batch=1
fails 'a parameter of what is not compared' 2 'none of the schedulers' 'fifo_batch is a parameter of deadline, mq-deadline'
run simulate --kernel 6.12 --sweep fifo_bach=1,2
fails 'a sweep of one misspelt' 2 "did you mean 'fifo_batch'?"
# More than the device has: which job, its line, how much, what to do.
printf '[global]\nrw=randread\n[fits]\nsize=1g\n[large]\nsize=5t\n' >"$TMPDIR/large.fio"
run simulate -m hdd-7200 --fio "$TMPDIR/large.fio"
fails 'a file that is larger than the device' 2 'large.fio:5: job large needs 10737418240 sectors' \
	'from sector 2097152, a device of 5T' 'has 7814037109 sectors (3.6T)' 'smaller, or choose a larger'
printf '[a]\nrw=read\nfilename=/dev/sda\nsize=5t\n' >"$TMPDIR/large.fio"
run simulate -m hdd-7200 --fio "$TMPDIR/large.fio"
fails '... a range of the device' 2 'large.fio:1: job a needs 10737418240 sectors from sector 0, a device of 5T' 'smaller, or choose'
printf '[a]\nrw=read\nfilename=/dev/sda\noffset=5t\n' >"$TMPDIR/large.fio"
run simulate -m hdd-7200 --fio "$TMPDIR/large.fio"
fails '... an offset' 2 'large.fio:1: job a begins at sector 10737418240 (5T)' '7814037109 sectors (3.6T)' 'smaller, or choose'
printf '[a]\nrw=read\nsize=1p\nnumjobs=1000\noffset_increment=8000p\n' >"$TMPDIR/large.fio"
run simulate -m hdd-7200 --fio "$TMPDIR/large.fio"
fails '... more than can be counted' 2 'large.fio:1: job a needs ' 'smaller, or choose'
run simulate --kernel 6.12 --fio /nonexistent
fails 'no job file' 1 'nonexistent'
run simulate --kernel 6.12 --medium /nonexistent.json
fails 'no medium file' 1 'nonexistent'
run simulate --trace $lesson --kernel 6.12 --scheduler cfq
fails 'a scheduler that the version does not have' 2 '6.12 has no scheduler "cfq"'
run simulate --trace $lesson --kernel 6.12 --scheduler elevator
fails 'no scheduler of that name' 2 'elevator'
run simulate --trace $lesson --kernel six --scheduler none
fails 'no version' 2 '"six" is not a kernel version' 'uname -r'
run simulate --kernel 7.2.9 --ios 10 --seeds 1
same 'the newest version: nothing to say' "$err" ''
run simulate --kernel 9.0 --ios 10 --seeds 1
exits 'a version newer than all that are known' 0
says 'it says as what it is simulated' 'Linux 9.0 is simulated as 7.2'
prints 'and so does the heading' 'Linux 9.0 as 7.2,'
run simulate --trace $lesson --kernel 6.12 --scheduler none --depth 0
fails 'a depth of 0' 2 '--depth'
printf '{"model":"nvme","hw_queues":1024}' >"$TMPDIR/many.json"
run simulate --kernel 6.12 --medium "$TMPDIR/many.json" --cores 1024 --ios 300 --seeds 1 --json
same 'as many hardware queues as a medium may have' "$(json .simulation.hw_queues)" 1024
run simulate --kernel 6.12 --hw-queues 1024 --ios 300 --seeds 1 --json
same 'as many on the command line' "$(json .simulation.hw_queues)" 1024
run simulate --kernel 6.12 --hw-queues 1025
fails 'too many hardware queues' 2 '1 to 1024'
run simulate --trace $lesson --kernel 6.12 --scheduler mq-deadline --set fifo_batch=-1
fails 'a parameter out of range' 2 'fifo_batch'
run simulate --trace $lesson --kernel 5.10 --scheduler mq-deadline --set prio_aging_expire=5
fails 'a parameter that the version does not have' 2 'prio_aging_expire' 'it came with Linux 6.1'
run simulate --trace $lesson --kernel 6.12 --scheduler none --service-time 5parsecs
fails 'no time' 2 '--service-time'
run simulate --trace $lesson --kernel 6.1 --scheduler mq-deadline --zone-size 3
fails 'no size' 2 '--zone-size'
# Before blk-mq there is one queue, whatever the device has; a driver of blk-mq has no other.
run simulate --kernel 3.10 -m nvme --ios 100 --seeds 1
fails 'no blk-mq, and several hardware queues' 2 'Linux 3.10 has no blk-mq' '8 hardware queues' '--hw-queues 1'
run simulate --kernel 3.10 -m nvme --hw-queues 1 --ios 100 --seeds 1 --json
same '... one is simulated' "$(json '[.schedulers[].scheduler]')" '["noop","deadline","cfq"]'
run simulate --kernel 4.4 -m nvme --ios 100 --seeds 1 --json
same 'blk-mq before its schedulers' "$(json '[.schedulers[].scheduler]')" '["none"]'
run simulate --kernel 4.4 -m sata-ssd --ios 100 --seeds 1 --json
same '... beside the legacy queue' "$(json '[.schedulers[].scheduler]')" '["noop","deadline","cfq"]'
run simulate --kernel 4.19 -m nvme -s bfq,cfq --ios 100 --seeds 1
fails 'both kinds, and several hardware queues' 2 'cfq is a scheduler of the legacy queue' 'for several there is bfq'
run simulate --kernel 6.12 -s cfq --ios 100 --seeds 1
fails 'a scheduler that has gone' 2 'Linux 6.12 has no scheduler "cfq"' 'in its place it has bfq'
on linux-4.19-both simulate sda --ios 100 --seeds 1 --json
same 'a legacy queue of a host' "$(json '[.simulation.hw_queues, .reference]')" '[1,"now"]'
run simulate --kernel 2.4.20
fails 'a version before all schedulers' 2 'Linux 2.4'
run simulate --kernel 6.12 --medium /dev/null
fails 'a device as medium file' 1 'not a regular file'
run simulate --kernel 6.12 --sweep fifo_batch=1 --sweep fifo_batch=2
fails 'a parameter swept twice' 2 'fifo_batch twice'
printf '{"model":"flash-card","capacity":"4M"}' >"$TMPDIR/small.json"
run simulate --kernel 6.12 --medium "$TMPDIR/small.json" --workload randread
fails 'a medium too small for a workload' 2 '8 MiB'
run simulate --kernel 6.12 --scheduler none --dispatch-log "$TMPDIR/absent/log"
fails 'no folder for the log' 1 'No such file' "there is no folder \"$TMPDIR/absent\""
run simulate --trace /nonexistent --kernel 6.12 --scheduler none
fails 'no trace' 1 'nonexistent'
run simulate --replay $lesson
fails 'a replay of what is no recording' 2 'which kernel'

printf 'fio version 3 iolog\nx /dev/sda read\ny /dev/sda read\n' >"$TMPDIR/broken.log"
run simulate --trace "$TMPDIR/broken.log" --kernel 6.12 --scheduler none
fails 'a trace of nothing but broken records' 1 'no record of it can be read: 2 are broken' 'at 2: '
case $err in *warm-up*) verdict=bad ;; *) verdict=ok ;; esac
point "$verdict" 'and no word of a warm-up'
printf 'fio version 3 iolog\n0 /dev/sda add\n1 /dev/sda open\n2 /dev/sda close\n' >"$TMPDIR/idle.log"
run simulate --trace "$TMPDIR/idle.log" --kernel 6.12 --scheduler none
fails 'a trace without I/O' 1 'no I/O begins in it' '0 are broken'
run simulate --trace $lesson --kernel 6.12 --scheduler none --warmup 3000
fails 'a warm-up longer than the trace' 1 'no I/O was counted' 'warm-up'
printf 'garbage\n' >"$TMPDIR/garbage"
{
	xz -dc $recordings/7.2/nb0.mq-deadline.seq.txt.xz | head -n 300
	cat "$TMPDIR/garbage"
} >"$TMPDIR/broken.txt"
run simulate --replay "$TMPDIR/broken.txt"
exits 'a broken record is left out' 0
run simulate --replay "$TMPDIR/broken.txt" --strict
[ "$rc" = 1 ] && [ -n "$err" ] && verdict=ok || verdict=bad
point "$verdict" 'with --strict it ends the reading, or is no record at all'
xz -dc $recordings/7.2/nb0.mq-deadline.seq.txt.xz | head -c 100000 | xz | head -c 20000 \
	>"$TMPDIR/cut.txt.xz"
run simulate --replay "$TMPDIR/cut.txt.xz"
[ "$rc" -lt 2 ] && verdict=ok || verdict=bad
point "$verdict" 'a cut compression stream'

# A pipe in which nothing comes: it can be ended all the same.
mkfifo "$TMPDIR/silent"
"$IOSCHED_TUNE" simulate --trace "$TMPDIR/silent" --scheduler none >"$TMPDIR/out" 2>"$TMPDIR/err" &
waiting=$!
sleep 10 9<>"$TMPDIR/silent" &
holder=$!
for ((i = 0; i < 500; i++)); do
	tasks=("/proc/$waiting/task"/*)
	[ ${#tasks[@]} -gt 1 ] && break
	sleep 0.01
done
kill -TERM $waiting
for ((i = 0; i < 500; i++)); do
	kill -0 $waiting 2>/dev/null || break
	sleep 0.01
done
kill -KILL $waiting 2>/dev/null
wait $waiting
rc=$?
kill $holder
exits 'SIGTERM ends what waits for a trace' 143

# What is explained is kept in memory.
awk 'BEGIN { for (i = 0; i < 100500; i++) printf "%d.%06d ; %d ; 8 ; R ; 0 ; 0\n", i / 1000, i % 1000 * 1000, i * 7919 % 1000003 * 8 }' \
	>"$TMPDIR/long.load"
"$IOSCHED_TUNE" simulate --trace "$TMPDIR/long.load" --scheduler none --service-time 10us --seeds 1 \
	--explain --dispatch-log "$TMPDIR/long.log" 2>"$TMPDIR/err" >"$TMPDIR/out"
err=$(cat "$TMPDIR/err")
says 'a long run: what is not explained is said' 'the first 100000 of 100500 dispatches' '--dispatch-log'
same '... and the log has all' "$(grep -c . "$TMPDIR/long.log")" 100501

# What comes of a pipe comes once.
for pipe in /dev/stdin -; do
	"$IOSCHED_TUNE" simulate --trace $pipe --scheduler none,mq-deadline \
		< <(cat tests/fixtures/traces/deadline-lesson.load) >"$TMPDIR/out" 2>"$TMPDIR/err"
	rc=$? out=$(cat "$TMPDIR/out") err=$(cat "$TMPDIR/err")
	fails "$pipe, two schedulers" 2 'can be read once'
done
"$IOSCHED_TUNE" simulate --trace /dev/stdin --scheduler none --json \
	< <(cat tests/fixtures/traces/deadline-lesson.load) >"$TMPDIR/out" 2>"$TMPDIR/err"
rc=$?
exits 'a pipe, one scheduler' 0
run advise --trace <(cat tests/fixtures/traces/deadline-lesson.load) -m nvme
fails 'advise on a pipe' 2 'it must be a file'

# A log in the place of what is read would leave nothing to read.
cp tests/fixtures/traces/deadline-lesson.load "$TMPDIR/own.load"
ln "$TMPDIR/own.load" "$TMPDIR/own.log"
run simulate --trace "$TMPDIR/own.load" --scheduler none --dispatch-log "$TMPDIR/own.log"
fails 'a dispatch log over the trace' 1 'own.log' 'would replace what is read'
same '... and the trace is there' "$(cmp "$TMPDIR/own.load" tests/fixtures/traces/deadline-lesson.load 2>&1)" ''

finish
