#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The engine against this machine's own kernel: I/O on a loop device is recorded through
# tracefs, with everything on one processor, and replayed. At least 99.5 % of the
# decisions must be equal. kyber's latency events are shown only: since 6.9 a submitter
# that was preempted keeps an older start time, which no trace shows.
set -u
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

need root loop unshare losetup fio taskset jq
private "$0" "$@"

tracefs=$work/tracefs
workers=/sys/devices/virtual/workqueue/cpumask
mask=''

# What the recording changed on this machine.
put_back()
{
	[ -z "$mask" ] || echo "$mask" >"$workers"
	mask=''
	if [ -n "${instance:-}" ]; then
		echo 0 >"$instance/tracing_on"
		rmdir "$instance"
	fi 2>/dev/null
	umount "$tracefs" 2>/dev/null
	tidy
}
trap put_back EXIT

mkdir -p "$tracefs"
if ! mount -t tracefs none "$tracefs" 2>/dev/null || [ ! -d "$tracefs/events/block" ]; then
	echo '1..0 # SKIP no tracefs with block events'
	exit 0
fi
instance=$tracefs/instances/iosched-tune.$$
mkdir "$instance" || exit 1
echo 16384 >"$instance/buffer_size_kb"

# The loop driver's workers go where they like; for the recording they stay on processor 0.
if [ -w "$workers" ]; then
	mask=$(cat "$workers")
	echo 1 >"$workers" 2>/dev/null || mask=''
fi

truncate -s 256M "$work/disk"
add_loop "$work/disk"
queue=/sys/block/$loop/queue
major_minor=$(cat "/sys/block/$loop/dev")
device=$((${major_minor%:*} << 20 | ${major_minor#*:}))

for event in block_bio_queue block_getrq block_bio_backmerge block_bio_frontmerge \
	block_rq_insert block_rq_issue block_rq_complete block_rq_merge block_rq_requeue; do
	echo "dev == $device" >"$instance/events/block/$event/filter"
	echo 1 >"$instance/events/block/$event/enable"
done
for event in block_plug block_unplug; do
	echo 1 >"$instance/events/block/$event/enable"
done
for event in kyber_latency kyber_adjust; do
	[ -d "$instance/events/kyber/$event" ] || continue
	echo "dev == $device" >"$instance/events/kyber/$event/filter"
	echo 1 >"$instance/events/kyber/$event/enable"
done

ticks=$(getconf CLK_TCK)
if [ -r /proc/config.gz ]; then
	ticks=$(zcat /proc/config.gz | sed -n 's/^CONFIG_HZ=//p')
fi

# header SCHEDULER FIO-ARGUMENT...
header()
{
	local scheduler=$1 file

	shift
	echo "# kernel=$(uname -r) hz=$ticks dev=$major_minor" \
		"hw_depth=$(cat /sys/module/loop/parameters/hw_queue_depth)" \
		"nr_requests=$(cat "$queue/nr_requests") sched=$scheduler"
	for file in "$queue"/iosched/*; do
		[ ! -f "$file" ] || echo "# iosched/${file##*/}=$(cat "$file")"
	done
	echo "# fio $*"
}

# record SCHEDULER NAME FIO-ARGUMENT...: the recording is in $work/NAME.txt
record()
{
	local scheduler=$1 out=$work/$1.$2.txt

	shift 2
	# Switching away and back gives the scheduler a new beginning.
	echo none >"$queue/scheduler"
	echo "$scheduler" >"$queue/scheduler"
	udevadm settle 2>/dev/null
	echo >"$instance/trace"
	header "$scheduler" "$@" >"$out"
	echo 1 >"$instance/tracing_on"
	taskset -c 0 fio --ioengine=libaio --direct=1 --filename="/dev/$loop" --size=256m \
		--cpus_allowed=0 "$@" >"$work/fio.log" 2>&1 || sed 's/^/# fio: /' "$work/fio.log"
	echo 0 >"$instance/tracing_on"
	grep -v '^#' "$instance/trace" |
		grep -E " ${major_minor/:/,} |block_(un)?plug: \[fio\]" >>"$out"
}

# replay SCHEDULER NAME
replay()
{
	local what="$1 $2"

	tune simulate --replay "$work/$1.$2.txt" --json
	if [ "$status" != 0 ]; then
		not_ok "$what" "$(cat "$work/err")"
		return
	fi
	echo "# $what: $(jq -c '{decisions, equal, latency_events, latency_equal}' "$work/out")"
	if jq -e '.issues > 0 and .equal >= 0.995 * .decisions' "$work/out" >"$work/verdict"; then
		ok "$what: at least 99.5 % of the decisions"
	else
		not_ok "$what: at least 99.5 % of the decisions" \
			"$(jq -c '.differences[:5]' "$work/out")"
	fi
}

random=(--name=a --number_ios=3000 --rw=randrw --rwmixread=70 --bs=4k --iodepth=200)
two=(--bs=4k --number_ios=1500 --name=r --rw=randread --iodepth=100 --name=w --rw=randwrite
	--iodepth=150)
batches=(--name=a --number_ios=3000 --rw=rw --rwmixread=60 --bs=4k --iodepth=200
	--iodepth_batch=16)
classes=(--rw=randrw --rwmixread=70 --bs=4k --iodepth=80 --number_ios=1500 --name=rt
	--prioclass=1 --prio=2 --name=be --prioclass=2 --prio=4 --name=idle --prioclass=3)

for scheduler in none mq-deadline kyber; do
	if ! schedulers "$loop" | grep -qw "$scheduler"; then
		skipped "$scheduler" 'this kernel does not have it'
		continue
	fi
	record $scheduler random "${random[@]}"
	replay $scheduler random
	record $scheduler two "${two[@]}"
	replay $scheduler two
	record $scheduler batches "${batches[@]}"
	replay $scheduler batches
done
record mq-deadline classes "${classes[@]}"
replay mq-deadline classes

same 'the workers may go where they went before' \
	"$(put_back; cat "$workers" 2>/dev/null)" "${mask:-$(cat "$workers" 2>/dev/null)}"

finish
