#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# advise on traces: a load that gains, one that does not, the profile that comes out, and
# what it refuses.
set -u
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

work=$TMPDIR
export IOSCHED_TUNE_PROFILES=$TOP/profiles

# check WHAT COMMAND...: it succeeds
check()
{
	local what=$1

	shift
	if "$@" >"$work/check" 2>&1; then
		point ok "$what"
	else
		point bad "$what"
	fi
}

# make_load END READ-GAP BURST: reads at random, and a burst of writes every two seconds
make_load()
{
	awk -v end="$1" -v gap="$2" -v burst="$3" 'BEGIN {
		srand(7)
		for (t = 0; t < end; t += gap) {
			printf "%.6f ; %d ; 8 ; R ; 0 ; 0\n", t, int(rand() * 1e8) * 8
			if (int(t / 2) != int((t - gap) / 2))
				for (i = 0; i < burst; i++)
					printf "%.6f ; %d ; 8 ; W ; 0 ; 0\n", t, int(rand() * 1e8) * 8
		}
	}'
}

make_load 100 0.04 80 >"$work/burst.load"
make_load 200 0.2 0 >"$work/calm.load"
make_load 20 0.0005 0 >"$work/dense.load"
# Several hardware queues: such a disk has none by itself.
echo '{ "preset": "hdd-7200", "hw_queues": 2, "write_cache_mib": 0 }' >"$work/two.json"

advise()
{
	"$IOSCHED_TUNE" advise "$@" >"$work/out" 2>"$work/err"
	status=$? rc=$status
}

verdict()
{
	jq -r '"\(.verdict) \(.candidates[] | select(.is_best) | .scheduler)"' "$work/out"
}

advise --trace "$work/burst.load" --medium "$work/two.json" --json --jobs 1 \
	--profile-out "$work/burst.json"
same 'writes in bursts: status' "$status" 0
same '... a scheduler is better than none, surely' "$(verdict | grep -cE '^sure (mq-deadline|kyber|bfq)$')" 1
check '... by what its candidates say' jq -e '[.candidates[] | select(.is_best)][0].gain.mean > 0.1' "$work/out"
cp "$work/out" "$work/first"
advise --trace "$work/burst.load" --medium "$work/two.json" --json --jobs 2
check 'the same with two threads' cmp "$work/out" "$work/first"
advise --trace "$work/burst.load" --medium "$work/two.json" --json --seed 2
same 'another seed, the same advice' "$(verdict)" "$(jq -r '"\(.verdict) \(.candidates[] | select(.is_best) | .scheduler)"' "$work/first")"

advise --trace "$work/dense.load" --medium hdd-7200
check 'more than the disk can do: it is said' grep -q 'exceeds what the medium can do in 10 of 10' "$work/err"
same '... in plain numbers' "$(grep -c 'e+0' "$work/out")" 0
advise --trace "$work/calm.load" --medium hdd-7200
same '... and only then' "$(grep -c exceeds "$work/err")" 0
# Windows of the same number of I/Os are not of the same length.
{
	make_load 2 0.001 0
	make_load 900 0.1 0 | awk '{ $1 += 2; print }'
} >"$work/slower.load"
advise --trace "$work/slower.load" --medium sata-ssd
same '... however long a window is' "$(grep -c exceeds "$work/err")" 0

"$IOSCHED_TUNE" profile check "$work/burst.json" >"$work/out" 2>&1
same 'its profile is a profile' "$?" 0
same '... for the class, with the scheduler' "$(jq -r '.rules[0] | "\(.match.class) \(.scheduler[0])"' "$work/burst.json")" \
	"hdd $(jq -r '.candidates[] | select(.is_best) | .scheduler' "$work/first")"

advise --trace "$work/burst.load" --medium "$work/two.json"
check 'as text: what to take' grep -q '^Take ' "$work/out"
check '... how sure' grep -q '^Sure: ' "$work/out"
check '... only signs that every terminal has' [ "$(LC_ALL=C tr -d '\n -~' <"$work/out" | wc -c)" = 0 ]

# A file may call its medium anything.
echo '{ "preset": "sata-ssd", "name": "\u001b[2Jx" }' >"$work/evil.json"
advise --trace "$work/calm.load" --medium "$work/evil.json"
same 'a hostile name: status' "$status" 0
check '... is escaped' grep -q '^\\x1b\[2Jx: ' "$work/out"

advise --trace "$work/calm.load" --medium sata-ssd --json --profile-out "$work/calm.json"
same 'a calm load: leave it' "$status $(jq -r .verdict "$work/out")" '0 leave-it'
check '... and no profile' [ ! -e "$work/calm.json" ]
check '... which is said' grep -q 'no profile' "$work/err"

head -100 "$work/calm.load" >"$work/short.load"
advise --trace "$work/short.load" --medium sata-ssd
same 'too few I/Os: status' "$status" 1
check '... are said' grep -q 'too few' "$work/err"
advise
same 'neither device nor trace' "$status" 2
advise --trace "$work/calm.load"
same 'a trace without a device or medium' "$status" 2
check '... says what is missing' grep -q -- --medium "$work/err"
advise --trace "$work/nothing"
same '... which is not there: status' "$status" 1
check '... is said first' grep -q 'nothing.*No such file' "$work/err"
advise --trace - --medium sata-ssd
same 'standard input' "$status" 2
advise --trace "$work/nothing" --medium sata-ssd
same 'no such trace' "$status" 1
advise --trace "$work/burst.load" --medium "$work/two.json" --profile-out "$work/no/such.json"
same 'a profile that cannot be written' "$status" 1
check '... is named with the cause' grep -q 'such.json.*No such file' "$work/err"
advise --trace "$work/burst.load" --medium "$work/two.json" --profile-out ''
same 'a profile without a name: status, and no advice first' "$status $(cat "$work/out")" '1 '
advise --trace "$work/calm.load" --medium sata-ssd --seconds 5
same 'a trace, and a time to record' "$status" 2
awk 'BEGIN { for (i = 0; i < 2000; i++) printf "%.2f ; %d ; 8 ; W ; 0 ; 0\n", i / 100, i * 7919 % 100000 * 8 }' \
	>"$work/writes.load"
advise --trace "$work/writes.load" --medium hdd-7200 --objective p99-read
same 'reads decide, and there are none: status' "$status" 1
check '... is said' grep -q 'I/Os enough for p99-read' "$work/err"
# A recording says what device it is of, as for simulate.
echo '# kernel=6.1.0 sched=none class=ssd hw_queues=1 hw_depth=16 rotational=0 size_sectors=2000000000' \
	>"$work/recorded.txt"
awk 'BEGIN { for (i = 0; i < 4000; i++) printf " fio-1 [000] ..... %.6f: block_rq_insert: 43,0 R 4096 () %d + 8 [fio]\n", 1 + i / 100, i * 7919 % 100000 * 8 }' \
	>>"$work/recorded.txt"
advise --trace "$work/recorded.txt" --json --profile-out "$work/recorded.json"
same 'a recording: status and medium' "$status $(jq -r .subject "$work/out")" '0 sata-ssd'
advise --trace "$work/recorded.txt" --medium hdd-7200 --json
same '... unless another is named' "$status $(jq -r .subject "$work/out")" '0 hdd-7200'
same '... and which scheduler is now: what the others are compared with' \
	"$(advise --trace "$work/recorded.txt" --json; jq -c '[.now, (.candidates[] | select(.is_reference) | .title)]' "$work/out")" '["none","none"]'
advise --trace "$work/recorded.txt" -s kyber,bfq --json
same '... also where others are asked for' "$(jq -c '[.candidates[].title]' "$work/out")" '["none","kyber","bfq"]'
sed 's/sched=none/sched=mq-deadline nr_requests=32\n# iosched\/fifo_batch=1\n# iosched\/async_depth=32/' "$work/recorded.txt" >"$work/tuned.txt"
advise --trace "$work/tuned.txt" --kernel 6.1
check '... with its parameters, but for defaults' grep -qx 'compared with what is now: mq-deadline, fifo_batch=1, nr_requests=32' "$work/out"
check '... and is what to leave' grep -q '^Leave it: .* better than mq-deadline ' "$work/out"
same '... figures of one column have the same number of digits' \
	"$(awk '/ ms .*(now|best|[0-9])/ && !/[a-z]: / { split($2, part, "."); print length(part[2]) }' "$work/out" | sort -u | wc -l)" 1
same '... no line ends in blanks' "$(grep -c ' $' "$work/out")" 0
advise --trace "$work/recorded.txt" --kernel 2.6.18 -s cfq
check '... which another kernel may not have' grep -q 'none, which was active when.*2.6 does not have it' "$work/err"
advise --trace "$work/calm.load" --medium sata-ssd
check 'of a load nobody recorded: what a kernel takes' grep -qx 'compared with what a kernel takes by itself: mq-deadline' "$work/out"
check '... by the P99 of reads where there are enough' grep -q 'decided by the latency that 99 of 100 reads' "$work/out"
# 600 I/Os in ten windows: no P99 of any.
head -600 "$work/calm.load" >"$work/few.load"
advise --trace "$work/few.load" --medium sata-ssd
check '... by the mean where there are not, and why' grep -q 'for its P99 a window needs 100 reads' "$work/out"
advise --trace "$work/few.load" --medium sata-ssd --objective mean
same '... which nobody asks of who asked for it' "$(grep -c 'for its P99' "$work/out")" 0
# Windows are parts of the I/Os, however many flushes lie between: the last has the last ones.
awk 'BEGIN {
	print "fio version 3 iolog\n0 /dev/sda add\n0 /dev/sda open"
	for (i = 0; i < 4000; i++) {
		print i * 20, "/dev/sda", i < 3600 ? "write" : "read", i * 4096, 4096
		for (k = 0; k < 3 && i < 3600; k++)
			print i * 20 + 1 + k, "/dev/sda", "sync", 0, 0
	}
}' >"$work/flushed.log"
advise --trace "$work/flushed.log" --medium sata-ssd --objective p99-read --json
same 'flushes are no I/Os of a window' "$status $(jq -c '[.load.ios, .windows]' "$work/out")" '0 [4000,10]'
# Reads in the first tenth only: what is better there may be so by chance.
awk 'BEGIN {
	srand(7)
	for (i = 0; i < 8; i++) {
		for (k = 0; k < 60; k++)
			printf "%.6f ; %d ; 8 ; W ; 0 ; 0\n", i * 2, int(rand() * 1e7) * 8
		for (k = 0; k < 25; k++)
			printf "%.6f ; %d ; 8 ; R ; 0 ; 0\n", i * 2 + k / 50, int(rand() * 1e7) * 8
	}
	for (i = 0; i < 7320; i++)
		printf "%.6f ; %d ; 8 ; W ; 0 ; 0\n", 20 + i / 10, int(rand() * 1e7) * 8
}' >"$work/once.load"
advise --trace "$work/once.load" --medium "$work/two.json" --objective p99-read --json
same 'better in the only window that has the figure: no evidence' \
	"$status $(jq -c '[.verdict, ([.candidates[] | select(.gain.mean? > 0.1 and .better_windows == 1)] | length > 0)]' "$work/out")" \
	'0 ["leave-it",true]'
advise --trace "$work/writes.load" --medium floppy
same 'what lies beyond the end is said once' "$(grep -c 'beyond the end' "$work/err")" 1
advise --trace "$work/calm.load" --medium sata-ssd --objective speed
same 'an objective that is none' "$status" 2
finish
