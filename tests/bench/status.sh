#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# status of many loop devices against lsblk with the same columns, in turns; the full
# status beside them; and how both grow with the number of devices.
set -u

rounds=11
most=1000
columns=NAME,ROTA,SCHED,RQ-SIZE
name="status of $most loop devices"
for need in 'build/bench/loop-devices' 'build/bench/measure' 'lsblk'; do
	if ! command -v "$need" >/dev/null 2>&1; then
		printf 'skip\t%s\t%s is not here\n' "$name" "$need"
		exit 0
	fi
done
if [ "$(id -u)" -ne 0 ] || ! [ -w /dev/loop-control ]; then
	printf 'skip\t%s\tneeds root and /dev/loop-control\n' "$name"
	exit 0
fi

ratio()
{
	awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f", (b > 0 ? a / b : 0) }'
}

ms()
{
	awk -v a="$1" 'BEGIN { printf "%.1f ms", a }'
}

mib()
{
	awk -v a="$1" 'BEGIN { printf "%.1f MiB", a / 1024 }'
}

# Both print one line a device that was made: otherwise they did not do the same work.
same_work()
{
	local ours theirs

	ours=$("$IOSCHED_TUNE" status -o "$columns" | grep -cwFf "$LOOP_DEVICES")
	theirs=$(lsblk -o "$columns" | grep -cwFf "$LOOP_DEVICES")
	if [ "$ours" -ne "$1" ] || [ "$theirs" -ne "$1" ]; then
		echo "of $1 devices status shows $ours and lsblk $theirs" >&2
		return 1
	fi
}

# inside COUNT: with the devices there; leaves a line of figures: COUNT, median and memory
# of each of the three, and the least processor time of the last.
inside()
{
	local short lsblk full

	same_work "$1" || return 1
	{ read -ra short && read -ra lsblk && read -ra full; } < <(build/bench/measure $rounds \
		"$IOSCHED_TUNE status -o $columns" "lsblk -o $columns" "$IOSCHED_TUNE status")
	[ ${#full[@]} -eq 3 ] || return 1
	echo "$1 ${short[0]} ${short[2]} ${lsblk[0]} ${lsblk[2]} ${full[0]} ${full[2]} ${full[1]}" >>"$TMPDIR/status.figures"
}

if [ "${1:-}" = --inside ]; then
	inside "$2"
	exit
fi

truncate -s 1M "$TMPDIR/backing" || exit 1
for count in $((most / 4)) $((most / 2)) $most; do
	echo "$count loop devices" >&2
	build/bench/loop-devices "$count" "$TMPDIR/backing" "$0" --inside "$count" || exit 1
done

while read -r count short short_kib lsblk lsblk_kib full full_kib cpu; do
	[ "$count" -eq "$most" ] && bar_short='<=1' bar_full='<=3' || bar_short=- bar_full=-
	printf 'bench\t%s\t%s\t%s\t%s\t%s\n' \
		"status -o $columns, $count devices" "$(ms "$short")" "lsblk $(ms "$lsblk")" \
		"$(ratio "$short" "$lsblk")" "$bar_short" \
		"full status, $count devices" "$(ms "$full")" "lsblk $(ms "$lsblk")" \
		"$(ratio "$full" "$lsblk")" "$bar_full"
	if [ "$count" -eq "$most" ]; then
		printf 'bench\t%s\t%s\t%s\t%s\t%s\n' \
			"memory, $count devices" "$(mib "$short_kib")" "lsblk $(mib "$lsblk_kib")" \
			"$(ratio "$short_kib" "$lsblk_kib")" - \
			"memory, full status" "$(mib "$full_kib")" "lsblk $(mib "$lsblk_kib")" \
			"$(ratio "$full_kib" "$lsblk_kib")" -
		# Linear: four times the devices cost about four times the time, less what
		# starting costs; processor time, as what else runs would count otherwise. A quadratic
		# walk would be near sixteen.
		printf 'bench\t%s\t%s\t%s\t%s\t%s\n' \
			"growth of CPU time, $((most / 4)) to $most devices" "$(ms "$cpu")" "$(ms "$first_cpu")" \
			"$(ratio "$cpu" "$first_cpu")" '<=5' \
			"growth of CPU time, $((most / 2)) to $most devices" "$(ms "$cpu")" "$(ms "$second_cpu")" \
			"$(ratio "$cpu" "$second_cpu")" '<=3'
	elif [ -z "${first_cpu:-}" ]; then
		first_cpu=$cpu
	else
		second_cpu=$cpu
	fi
done <"$TMPDIR/status.figures"
