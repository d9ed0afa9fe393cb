# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2034 # what is set here is read by the scripts
#
# What the live tests share: a private place for the state of the program, loop devices
# that go away again, what a queue reads, and TAP points.

cd "${TOP:?run me through tests/run}" || exit 1
: "${IOSCHED_TUNE:?run me through tests/run}"

count=0
loops=()
work=${TMPDIR:?run me through tests/run}
state=/var/lib/iosched-tune
export IOSCHED_TUNE_PROFILES=${IOSCHED_TUNE_PROFILES:-$TOP/profiles}

# need WHAT...: without one of them the whole script is skipped.
need()
{
	local what

	for what; do
		case $what in
		root) [ "$(id -u)" -eq 0 ] && continue ;;
		loop) [ -w /dev/loop-control ] && [ -w /sys/block ] && continue ;;
		/*) [ -e "$what" ] && continue ;;
		*) command -v "$what" >/dev/null 2>&1 && continue ;;
		esac
		echo "1..0 # SKIP needs $what"
		exit 0
	done
}

# private "$0" "$@": runs the script again in a mount namespace of its own, where /var/lib
# and /var/log are empty, so that the state and log of this machine are left alone.
private()
{
	if [ "${IOSCHED_LIVE:-}" != private ]; then
		if ! unshare -m --propagation private true 2>/dev/null; then
			echo '1..0 # SKIP no mount namespace of its own (in a chroot or container?)'
			exit 0
		fi
		exec env IOSCHED_LIVE=private unshare -m --propagation private "$@"
	fi
	mount -t tmpfs -o mode=755 tmpfs /var/lib && mount -t tmpfs -o mode=755 tmpfs /var/log ||
		exit 1
	trap tidy EXIT
	trap 'exit 130' INT
	trap 'exit 143' TERM HUP
}

tidy()
{
	local dev

	for dev in "${loops[@]}"; do
		losetup -d "/dev/$dev" 2>/dev/null
	done
}

# add_loop [FILE]: a loop device of 16 MiB, with the kernel's own values; its name is in
# $loop. The values of a queue outlive its file, so one that was used before is set back.
# shellcheck disable=SC2120
add_loop()
{
	local file=${1:-$work/loop.${#loops[@]}}

	[ -e "$file" ] || truncate -s 16M "$file" || return 1
	loop=$(losetup -f --show "$file") || return 1
	loop=${loop##*/}
	loops+=("$loop")
	reset_queue "/sys/block/$loop/queue"
}

# reset_queue DIRECTORY: what a new loop device reads, as far as the kernel has it
reset_queue()
{
	local pair

	for pair in scheduler=mq-deadline scheduler=none read_ahead_kb=128 nomerges=0 \
		rq_affinity=1 iostats=1 add_random=0 wbt_lat_usec=-1 \
		"max_sectors_kb=$(cat "$1/max_hw_sectors_kb")"; do
		[ ! -e "$1/${pair%%=*}" ] || echo "${pair#*=}" 2>/dev/null >"$1/${pair%%=*}"
	done
	grep -q '\[none\]' "$1/scheduler"
}

# points: TAP

ok()
{
	count=$((count + 1))
	echo "ok $count - $1"
}

not_ok()
{
	count=$((count + 1))
	echo "not ok $count - $1"
	shift
	printf '%s\n' "$@" | sed 's/^/#   /'
}

# check WHAT COMMAND...
check()
{
	local what=$1

	shift
	if "$@"; then ok "$what"; else not_ok "$what" "failed: $*"; fi
}

# same WHAT GOT WANTED
same()
{
	if [ "$2" = "$3" ]; then
		ok "$1"
	else
		not_ok "$1" "got:    ${2:-(nothing)}" "wanted: ${3:-(nothing)}"
	fi
}

skipped()
{
	count=$((count + 1))
	echo "ok $count - $1 # SKIP $2"
}

finish()
{
	echo "1..$count"
}

# tune ARGUMENT...: the program; its exit status is in $status, what it says in
# $work/out and $work/err.
tune()
{
	"$IOSCHED_TUNE" "$@" >"$work/out" 2>"$work/err"
	status=$?
}

# capture LOOP...: everything that can be read of these queues and their schedulers.
capture()
{
	local dev

	for dev; do
		grep -s . "/sys/block/$dev/queue/"* "/sys/block/$dev/queue/iosched/"*
	done
}

# active LOOP: the scheduler in brackets
active()
{
	sed 's/.*\[\(.*\)\].*/\1/' "/sys/block/$1/queue/scheduler"
}

# queue LOOP FILE: what it reads
queue()
{
	cat "/sys/block/$1/queue/$2"
}

# The schedulers that this kernel offers now.
schedulers()
{
	tr -d '[]' <"/sys/block/$1/queue/scheduler"
}
