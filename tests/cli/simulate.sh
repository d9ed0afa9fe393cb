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
first=$out
run simulate --trace $lesson --kernel 6.12 --scheduler none,mq-deadline,kyber
same 'the same again' "$out" "$first"
run simulate --trace $lesson --kernel 6.12 --scheduler mq-deadline --depth 1 --hold 600ms \
	--set mq-deadline.fifo_batch=1 --explain
prints 'a parameter' 'new batch, reads first: next in sector order'
run simulate --trace $lesson --kernel 4.18 --scheduler noop,deadline,cfq
prints 'schedulers of the past' 'cfq '
run simulate --trace $lesson --kernel 2.6.32 --scheduler anticipatory --hold 600ms --explain
prints 'anticipatory' 'new batch, of the other kind'
run simulate --trace $lesson --kernel 6.12 --scheduler fifo,sstf,scan,c-scan,look,c-look
prints 'policies of the textbook' 'fifo ' 'sstf ' 'scan ' 'c-scan ' 'look ' 'c-look '
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
# The wrong version decides otherwise, and the report says where.
run simulate --replay $recordings/5.10/nb2.mq-deadline.starved.txt.xz --kernel 6.12
exits 'the wrong version: still a result' 0
prints 'the wrong version: differences' 'The first differences' 'LINE'

# --- what is refused

run simulate
fails 'neither trace nor replay' 2 'one of --replay and --trace'
run simulate --trace $lesson
fails 'no scheduler' 2 '--scheduler'
run simulate --trace $lesson --kernel 6.12 --scheduler cfq
fails 'a scheduler that the version does not have' 2 '6.12 has no scheduler "cfq"'
run simulate --trace $lesson --kernel 6.12 --scheduler elevator
fails 'no scheduler of that name' 2 'elevator'
run simulate --trace $lesson --kernel six --scheduler none
fails 'no version' 2 'six'
run simulate --trace $lesson --kernel 6.12 --scheduler none --depth 0
fails 'a depth of 0' 2 '--depth'
run simulate --trace $lesson --kernel 6.12 --scheduler mq-deadline --set fifo_batch=-1
fails 'a parameter out of range' 2 'fifo_batch'
run simulate --trace $lesson --kernel 5.10 --scheduler mq-deadline --set prio_aging_expire=5
fails 'a parameter that the version does not have' 2 'prio_aging_expire'
run simulate --trace $lesson --kernel 6.12 --scheduler none --service-time 5parsecs
fails 'no time' 2 '--service-time'
run simulate --trace $lesson --kernel 6.1 --scheduler mq-deadline --zone-size 3
fails 'no size' 2 '--zone-size'
run simulate --trace /nonexistent --kernel 6.12 --scheduler none
fails 'no trace' 1 'nonexistent'
run simulate --replay $lesson
fails 'a replay of what is no recording' 2 'which kernel'

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

finish
