#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Reading traces: MB/s and records/s of each format, blkparse on the same binary trace,
# and the memory for 1, 10 and 100 million records, made on the fly. Times are processor
# time, ours and blkparse's alike, the least of a few rounds.
set -u

records=2000000
rounds=3
make=build/bench/trace-make read=build/bench/trace-read
if ! [ -x "$make" ] || ! [ -x "$read" ]; then
	printf 'skip\treading traces\t%s and %s are not built\n' "$make" "$read"
	exit 0
fi

calculate()
{
	awk "BEGIN { printf \"$1\", $2 }"
}

# read_file FILE RECORDS: the least seconds of the rounds; fails unless all were good.
read_file()
{
	local round format count broken seconds rest best=

	for ((round = 0; round < rounds; round++)); do
		read -r format count broken seconds rest < <("$read" "$1")
		if [ "${count:-0}" -ne "$2" ] || [ "$broken" -ne 0 ]; then
			echo "$1: $format, ${count:-0} records of $2, ${broken:-?} broken" >&2
			return 1
		fi
		[ -n "$best" ] && awk "BEGIN { exit !($best <= $seconds) }" || best=$seconds
	done
	echo "$best"
}

# speed NAME FILE SIZE: a line of the table for a file that holds SIZE bytes of trace.
speed()
{
	local seconds

	seconds=$(read_file "$2" $records) || return 1
	printf 'bench\t%s\t%s\t-\t-\t-\n' "read $1" \
		"$(calculate '%.0f MB/s, %.1f M records/s' "$3 / $seconds / 1e6, $records / $seconds / 1e6")"
}

# The least processor time of a command; its output goes nowhere.
least_of()
{
	local round user system best='' TIMEFORMAT='%U %S'

	for ((round = 0; round < rounds; round++)); do
		read -r user system < <({ time "$@" >/dev/null 2>&1; } 2>&1) || return 1
		best=$(awk -v b="$best" "BEGIN { t = $user + $system; print (b == \"\" || t < b + 0) ? t : b }")
	done
	echo "$best"
}

# Against blkparse, once as people run it and once without its text.
against_blkparse()
{
	local trace=$TMPDIR/bench.blktrace.0 ours theirs variant

	if ! command -v blkparse >/dev/null 2>&1; then
		printf 'skip\tblktrace against blkparse\tblkparse is not here (package blktrace)\n'
		return 0
	fi
	"$make" blktrace-v7 $records >"$trace" || return 1
	ours=$(read_file "$trace" $records) || return 1
	for variant in "-o /dev/null" "-O"; do
		# shellcheck disable=SC2086 # two words
		theirs=$(cd "$TMPDIR" && least_of blkparse -q -i bench $variant) || return 1
		printf 'bench\t%s\t%s\t%s\t%s\t>=5\n' "read blktrace, $records records" \
			"$(calculate '%.3f s' "$ours")" \
			"blkparse $variant $(calculate '%.3f s' "$theirs")" \
			"$(calculate '%.1f' "$theirs / $ours")"
	done
	rm -f "$trace"
}

# Memory must not depend on the length; how many pages of the libraries are in memory
# differs by some 300 KiB from run to run.
memory()
{
	local millions kib first="" format count broken seconds

	for millions in 1 10 100; do
		echo "$1, $millions million records through a pipe" >&2
		read -r format count broken seconds kib < <("$make" "$1" ${millions}000000 | "$read" -)
		if [ "${count:-0}" -ne ${millions}000000 ] || [ "$broken" -ne 0 ]; then
			echo "$1: ${count:-0} records, ${broken:-?} broken" >&2
			return 1
		fi
		first=${first:-$kib}
		printf 'bench\t%s\t%s\t%s\t%s\t%s\n' "memory, $format, $millions M records" \
			"$kib KiB" "1 M records $first KiB" "$(calculate '%.2f' "$kib / $first")" '<=1.25'
	done
}

against_blkparse || exit 1
for format in blktrace-v7 blktrace-v8 ftrace blkparse fio-iolog-v2 fio-iolog-v3 biosnoop \
	msr alibaba tencent spc blkreplay; do
	echo "$format" >&2
	"$make" $format $records >"$TMPDIR/trace" || exit 1
	size=$(stat -c %s "$TMPDIR/trace")
	speed $format "$TMPDIR/trace" "$size" || exit 1
	if [ $format = ftrace ]; then
		for tool in 'gzip -1' 'zstd -q' 'xz -0' 'bzip2 -1'; do
			command -v "${tool%% *}" >/dev/null 2>&1 || continue
			$tool -c "$TMPDIR/trace" >"$TMPDIR/packed" || exit 1
			speed "ftrace in ${tool%% *}" "$TMPDIR/packed" "$size" || exit 1
		done
		rm -f "$TMPDIR/packed"
	fi
	rm -f "$TMPDIR/trace"
done
memory blktrace-v7 || exit 1
memory ftrace || exit 1
