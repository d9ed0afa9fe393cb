#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# simulate --plot: pictures are made, well formed and labelled; without gnuplot the figures
# still come.
set -u
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/lib.sh"

quick=(--kernel 6.12 --seeds 2 --ios 2000)

# --- without gnuplot

mkdir "$TMPDIR/bin"
# As run, on a host with no other program.
bare()
{
	PATH=$TMPDIR/bin "$IOSCHED_TUNE" "$@" >"$TMPDIR/out" 2>"$TMPDIR/err" </dev/null
	rc=$?
	out=$(cat "$TMPDIR/out")
	err=$(cat "$TMPDIR/err")
}

bare simulate "${quick[@]}" -w randrw --service-time 1ms --plot "$TMPDIR/no.svg" \
	--scheduler none,kyber
exits 'without gnuplot: a failure' 1
says 'it names the package' 'gnuplot' 'gnuplot-nox'
prints 'the figures still come, and letters' 'read  P99.9 ms' 'Latency of reads' 'a none; b kyber'
[ -e "$TMPDIR/no.svg" ] && verdict=bad || verdict=ok
point "$verdict" 'no file is left'
bare simulate "${quick[@]}" -w randrw --service-time 1ms --plot "$TMPDIR/no.svg" --json
same 'as JSON: nothing but JSON' "$(json '.schedulers | length > 2')" true

# --- one that does not end

# It says that it runs by opening the pipe, which lets the test go on.
mkfifo "$TMPDIR/runs" "$TMPDIR/never"
cat >"$TMPDIR/bin/gnuplot" <<-EOF
	#!$BASH
	echo \$\$ >"$TMPDIR/runs"
	read -r line <>"$TMPDIR/never"
EOF
chmod +x "$TMPDIR/bin/gnuplot"
PATH=$TMPDIR/bin "$IOSCHED_TUNE" simulate "${quick[@]}" -w randrw --service-time 1ms \
	--scheduler none --plot "$TMPDIR/ended.svg" >/dev/null 2>&1 </dev/null &
read -r drawer <"$TMPDIR/runs"
kill "$!"
wait "$!"
same 'a signal ends it' "$?" 143
kill "$drawer"
same 'and nothing is left' "$(find "$TMPDIR" -name 'ended*')" ''
rm "$TMPDIR/bin/gnuplot"

# --- what is refused

run simulate --kernel 6.12 --plot "$TMPDIR/picture.jpg"
fails 'another format' 2 '.svg or a .png'
run simulate --kernel 6.12 --plot "$TMPDIR/no/such.svg"
fails 'no folder for it, said before anything is simulated' 1 "$TMPDIR/no/such.svg" 'No such file'
run simulate --kernel 6.12 --plot-kind head
fails 'a kind without a picture' 2 '--plot-kind'
run simulate --kernel 6.12 --plot "$TMPDIR/x.svg" --plot-kind pie
fails 'no such kind' 2 'pie'
run simulate --kernel 6.12 --plot "$TMPDIR/x.svg" --sweep fifo_batch=1,2
fails 'a picture of a sweep' 2 '--plot'
run simulate --replay "$TMPDIR/x" --plot "$TMPDIR/x.svg"
fails 'a picture of a replay' 2 '--plot'

run simulate "${quick[@]}" --plot "$TMPDIR/absent/x.svg"
fails 'no such folder: said before the work' 1 'No such file' "there is no folder \"$TMPDIR/absent\""
mkdir "$TMPDIR/folder.svg"
run simulate "${quick[@]}" --plot "$TMPDIR/folder.svg"
fails 'a folder' 1 'Is a directory' 'name a file in it'
rmdir "$TMPDIR/folder.svg"
printf x >"$TMPDIR/file"
run simulate "${quick[@]}" --plot "$TMPDIR/file/x.svg"
fails 'below a file' 1 'Not a directory' 'is a file, and no folder'

if ! command -v gnuplot >/dev/null 2>&1; then
	skipped 'pictures' 'no gnuplot'
	finish
	exit 0
fi


# has FILE TEXT...: what the file lacks.
lacks()
{
	local file=$1 text

	shift
	for text; do
		grep -qF ">$text<" "$file" || echo "$text"
	done
}

# The one of the README, in short.
run simulate -m hdd-7200 -w randread --kernel 6.12 --depth 1 --nr-requests 64 --ios 500 --seeds 1 \
	--scheduler fifo,mq-deadline,c-look --plot "$TMPDIR/head.svg" --plot-kind head
exits 'where requests go' 0
same 'titles and units' "$(lacks "$TMPDIR/head.svg" 'randread on hdd-7200 (1 queue of 1)' \
	'Where requests go: fifo' 'Where requests go: mq-deadline' 'Where requests go: c-look' \
	'position in GB' 'time in ms' 'order of issue' 'read')" ''
for kind in latency depth throughput all; do
	run simulate "${quick[@]}" -w randrw -m sata-ssd --plot "$TMPDIR/$kind.svg" --plot-kind $kind
	exits "$kind" 0
	says "$kind: where it is" "$TMPDIR/$kind.svg"
done
same 'latency' "$(lacks "$TMPDIR/latency.svg" 'Latency of reads' 'Latency of writes' '99.99 %' \
	'latency in ms' 'percentile of the I/Os' none mq-deadline)" ''
same 'depth' "$(lacks "$TMPDIR/depth.svg" 'Requests waiting and with the device' 'time in s' requests)" ''
same 'throughput' "$(lacks "$TMPDIR/throughput.svg" 'Throughput by job: none' MB/s randrw)" ''
if command -v python3 >/dev/null 2>&1; then
	same 'all are well formed' "$(cd "$TMPDIR" && python3 -c '
import glob, xml.etree.ElementTree as tree
for name in glob.glob("*.svg"):
    if tree.parse(name).getroot().tag != "{http://www.w3.org/2000/svg}svg":
        print(name)' 2>&1)" ''
else
	skipped 'all are well formed' 'no python3'
fi
first=$(md5sum <"$TMPDIR/latency.svg")
run simulate "${quick[@]}" -w randrw -m sata-ssd --plot "$TMPDIR/latency.svg" --jobs 1
same 'the same command, the same picture' "$(md5sum <"$TMPDIR/latency.svg")" "$first"
run simulate "${quick[@]}" -w randrw -m sata-ssd --plot "$TMPDIR/latency.png"
same 'PNG' "$(head -c 4 "$TMPDIR/latency.png" | tail -c 3)" PNG
same 'nothing is left beside them' "$(find "$TMPDIR" -name '*.svg.*' -o -name '*.png.*')" ''

# A job file can be called anything, and so can its jobs.
mkdir "$TMPDIR/odd"
# shellcheck disable=SC2016 # this is the name
printf '[it'\''s `touch odd` <b>&]\nrw=randread\nsize=1g\niodepth=4\nioengine=libaio\ndirect=1\n' \
	>"$TMPDIR/odd/it's.fio"
run simulate "${quick[@]}" --fio "$TMPDIR/odd/it's.fio" -m sata-ssd \
	--plot "$TMPDIR/odd/it's \$(touch x).svg" --plot-kind throughput
exits 'odd names' 0
same 'odd names: nothing ran' "$(find . "$TMPDIR/odd" -maxdepth 1 -name odd -type f -o -maxdepth 1 -name x)" ''
# shellcheck disable=SC2016 # this is the name
same 'odd names: in the picture as they are' \
	"$(grep -lF 'it'\''s `touch odd` &lt;b>&amp;' "$TMPDIR/odd"/*.svg | wc -l)" 1

finish
