#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What a recording costs: I/Os a second of fio on a loop device without and with capture,
# in turns.
set -u

name='fio on a loop device while it is recorded'
for need in fio losetup jq; do
	if ! command -v "$need" >/dev/null 2>&1; then
		printf 'skip\t%s\t%s is not here\n' "$name" "$need"
		exit 0
	fi
done
if [ "$(id -u)" -ne 0 ] || ! [ -w /dev/loop-control ]; then
	printf 'skip\t%s\tneeds root and /dev/loop-control\n' "$name"
	exit 0
fi

rounds=5
work=${TMPDIR:-/tmp}
truncate -s 256M "$work/capture.img"
loop=$(losetup -f --show "$work/capture.img") || exit 1
trap 'losetup -d "$loop"; rm -f "$work/capture.img"' EXIT

load()
{
	fio --name=a --ioengine=libaio --direct=1 --filename="$loop" --size=256m --bs=4k \
		--iodepth=64 --rw=randread --runtime=3 --time_based --output-format=json |
		jq '.jobs[0].read.iops'
}

without=() with=()
for ((i = 0; i < rounds; i++)); do
	without+=("$(load)")
	"$IOSCHED_TUNE" capture "${loop##*/}" -f -o "$work/capture.zst" >"$work/said" &
	tracer=$!
	sleep 1
	with+=("$(load)")
	kill -INT "$tracer"
	wait "$tracer" || exit 1
	cat "$work/said" >&2
done

median()
{
	printf '%s\n' "$@" | sort -g | sed -n "$((rounds / 2 + 1))p"
}

a=$(median "${without[@]}") b=$(median "${with[@]}")
printf 'bench\t%s\t%.0f I/Os a second\twithout %.0f\t%s\t-\n' "$name" "$b" "$a" \
	"$(awk "BEGIN { printf \"%.3f\", $b / $a }")"
