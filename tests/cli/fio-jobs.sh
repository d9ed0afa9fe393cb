#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Job files against fio itself: both make the I/O of the same job, and its counts, sizes,
# directions and places must agree. Random places differ, so what is compared of them is
# how they are spread: over the parts of the file, and over the most popular blocks.
set -u
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/lib.sh"

made=$TOP/build/tools/made-io
if ! command -v fio >/dev/null 2>&1; then
	echo '1..0 # SKIP no fio'
	exit 0
fi
[ -x "$made" ] || { echo '1..0 # SKIP build/tools/made-io is not built'; exit 0; }
dir=$(mktemp -d "$TMPDIR/fio.XXXXXX") || exit 1
rc=0

# What an I/O list is like, one figure a line: name, value, how far it may be off.
measure()
{
	awk -v block="$1" -v bytes="$2" '
		$1 == "sync" { syncs++; next }
		{
			ios++
			sum += $3
			count[$1]++
			places[$2 - $2 % block]++
			part[int($2 * 8 / bytes)]++
			on_end += $2 == end
			end = $2 + $3
			if ($2 + $3 > highest) highest = $2 + $3
			if ($2 % block) unaligned++
			size[$3]++
		}
		END {
			print "ios", ios, ios * .02 + .5
			print "bytes", sum / ios, sum / ios * .06
			print "reads%", 100 * count["read"] / ios, 3
			print "trims%", 100 * count["trim"] / ios, 3
			print "syncs", syncs + 0, syncs * .03 + 1
			print "on-end%", 100 * on_end / ios, 3
			print "highest", highest, bytes * .04
			print "unaligned%", 100 * unaligned / ios, 2
			for (i = 0; i < 8; i++) print "part" i "%", 100 * part[i] / ios, parts
			for (s in size) if (size[s] > ios * .05) print "size" s "%", 100 * size[s] / ios, 3
			n = 0
			for (p in places) c[++n] = places[p]
			print "distinct%", 100 * n / (bytes / block), 3
			# how much the busiest hundredth, twentieth and fifth of the blocks get
			for (i in c) h[c[i]]++
			top = 0
			blocks = 0
			split("1 5 20", marks, " ")
			m = 1
			for (v = ios; v > 0 && m <= 3; v--) if (v in h) {
				for (j = 0; j < h[v] && m <= 3; j++) {
					top += v
					if (++blocks >= bytes / block * marks[m] / 100)
						print "top" marks[m++] "%", 100 * top / ios, 3
				}
			}
		}' parts="$3"
}

# compare WHAT BLOCK_BYTES MIB PARTS LINES...: PARTS is how far the eighths of the file may
# differ, in per cent of all I/Os.
compare()
{
	local what=$1 block=$2 mib=$3 parts=$4 line file=$dir/data bad
	shift 4

	{
		printf '[job]\nfilename=%s\nioengine=psync\n' "$file"
		for line; do echo "$line"; done
	} >"$dir/job.fio"
	{
		printf '[global]\ndirect=1\n'
		cat "$dir/job.fio"
	} >"$dir/ours.fio"
	rm -f "$dir/log" "$file"
	fio --write_iolog="$dir/log" --output="$dir/out" "$dir/job.fio" >/dev/null 2>&1
	awk 'NF >= 3 && /read|write|trim|sync/ {
		for (i = 1; i <= NF; i++) if ($i ~ /^(read|write|trim|sync|datasync)$/) {
			print $i == "datasync" ? "sync" : $i, $(i + 1), $(i + 2)
			break
		}
	}' "$dir/log" | measure "$block" $((mib << 20)) "$parts" >"$dir/theirs"
	"$made" "$dir/ours.fio" 1024 >"$dir/made" 2>"$TMPDIR/err"
	rc=$?
	measure "$block" $((mib << 20)) "$parts" <"$dir/made" >"$dir/figures"
	bad=$(awk 'NR == FNR { their[$1] = $2; next }
		{ seen[$1] = 1; d = $2 - their[$1]; if (d < 0) d = -d }
		!($1 in their) || d > $3 { print $1 ": " $2 ", fio " their[$1] }
		END { for (k in their) if (!(k in seen)) print k ": missing, fio " their[k] }' \
		"$dir/theirs" "$dir/figures")
	cp "$dir/theirs" "$TMPDIR/out"
	if [ $rc -eq 0 ] && [ -s "$dir/theirs" ] && [ -z "$bad" ]; then
		point ok "$what"
	else
		while IFS= read -r line; do echo "# $line"; done <<<"$bad"
		point bad "$what"
	fi
}

compare 'reads on end' 4096 4 1 rw=read bs=4k size=4m
compare 'reads from an offset' 4096 4 1 rw=read bs=16k size=1m offset=1m
compare 'a last piece that is too small' 4096 4 2 rw=read bs=48k size=1m
compare 'gaps' 4096 4 2 rw=read:12k bs=4k size=4m io_size=800k
compare 'backwards' 4096 4 2 rw=read:-8k bs=4k size=4m io_size=2m
compare 'more than the range' 4096 4 2 rw=write bs=64k size=1m io_size=3m
compare 'sequential mix' 4096 4 8 rw=rw rwmixread=70 bs=4k size=4m io_size=4m
compare 'random, each once' 4096 16 2 rw=randread bs=4k size=16m
compare 'random, with repetition' 4096 16 3 rw=randread bs=4k size=16m norandommap
compare 'a random mix' 4096 16 3 rw=randrw rwmixread=30 bs=4k size=16m norandommap
compare 'runs' 4096 16 8 rw=randread:8 bs=4k size=16m norandommap
compare 'partly random' 4096 16 8 rw=randread percentage_random=40 bs=4k size=16m norandommap
compare 'sizes' 4096 64 4 rw=randwrite bssplit=4k/10:64k/50:32k/40 size=64m norandommap
compare 'a range of sizes' 4096 64 4 rw=randread bsrange=4k-32k size=64m norandommap
compare 'sizes by direction' 4096 64 4 rw=randrw bs=4k,16k size=64m norandommap
compare 'alignment' 4096 16 4 rw=randread bs=64k blockalign=4k size=16m io_size=160m
compare 'zipf' 4096 32 12 rw=randread random_distribution=zipf:0.9 bs=4k size=32m
compare 'steep zipf' 4096 32 30 rw=randread random_distribution=zipf:1.3 bs=4k size=32m
compare 'pareto' 4096 32 40 rw=randread random_distribution=pareto:0.2 bs=4k size=32m
compare 'normal' 4096 32 4 rw=randread random_distribution=normal:20 bs=4k size=32m
compare 'zones' 4096 32 3 rw=randread random_distribution=zoned:60/10:30/20:8/30:2/40 \
	bs=4k size=32m norandommap
compare 'a flush after eight' 4096 4 2 rw=write bs=4k size=4m fsync=8
compare 'a count of I/Os' 4096 4 4 rw=randwrite bs=4k size=4m number_ios=300
compare 'loops' 4096 4 2 rw=read bs=64k size=1m loops=3
finish
