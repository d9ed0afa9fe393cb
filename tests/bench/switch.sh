#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A switch of the scheduler on many loop devices, to mq-deadline and back to none: apply
# against a shell loop of echo, in turns. The kernel makes each switch wait for a grace
# period; apply lets the queues wait together.
set -u

count=256
rounds=5
name="scheduler switch of $count loop devices"
for need in 'build/bench/loop-devices' 'build/bench/measure' 'unshare'; do
	if ! command -v "$need" >/dev/null 2>&1; then
		printf 'skip\t%s\t%s is not here\n' "$name" "$need"
		exit 0
	fi
done
if [ "$(id -u)" -ne 0 ] || ! [ -w /dev/loop-control ]; then
	printf 'skip\t%s\tneeds root and /dev/loop-control\n' "$name"
	exit 0
fi

# Both end with all at none, so that each round begins alike. Whether the switches were
# made is looked at here, and a failure ends the measurement.
devices()
{
	sed 's|^/dev/||' "$LOOP_DEVICES"
}

all_have()
{
	local dev

	for dev in $(devices); do
		case $(<"/sys/block/$dev/queue/scheduler") in
		*"[$1]"*) ;;
		*) echo "$dev does not have $1" >&2; return 1 ;;
		esac
	done
}

case ${1:-} in
--echo)
	for scheduler in mq-deadline none; do
		for dev in $(devices); do
			echo $scheduler >"/sys/block/$dev/queue/scheduler" || exit 1
		done
	done
	exit 0
	;;
--apply)
	for scheduler in mq-deadline none; do
		# shellcheck disable=SC2046 # names without blanks
		"$IOSCHED_TUNE" -q apply --scheduler $scheduler $(devices) || exit 1
	done
	exit 0
	;;
--inside)
	# The state of this machine is left alone.
	mount -t tmpfs -o mode=755 tmpfs /var/lib && mount -t tmpfs -o mode=755 tmpfs /var/log || exit 1
	"$0" --echo || exit 1
	# shellcheck disable=SC2046
	"$IOSCHED_TUNE" -q apply --scheduler mq-deadline $(devices) >/dev/null && all_have mq-deadline &&
		"$IOSCHED_TUNE" -q restore >/dev/null && all_have none || exit 1
	build/bench/measure $rounds "$0 --apply" "$0 --echo" >"$TMPDIR/switch.figures"
	exit
	;;
esac

truncate -s 1M "$TMPDIR/backing" || exit 1
build/bench/loop-devices $count "$TMPDIR/backing" \
	unshare -m --propagation private "$0" --inside || exit 1
{ read -ra ours && read -ra theirs; } <"$TMPDIR/switch.figures"
awk -v name="$name" -v ours="${ours[0]}" -v theirs="${theirs[0]}" 'BEGIN {
	# two switches a round
	printf "bench\t%s\t%.0f ms\techo loop %.0f ms\t%.1f\t>=20\n", name,
		ours / 2, theirs / 2, (ours > 0 ? theirs / ours : 0) }'
