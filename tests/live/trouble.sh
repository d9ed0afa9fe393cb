#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# TIME-LIMIT: 300
#
# What can go wrong in the middle of an apply, on real queues: refused and ineffective
# writes, a queue that hangs, signals, two runs at once, devices that go, no room and no
# right to write.
set -u
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

need root loop unshare losetup strace
private "$0" "$@"

add_loop || exit 1
a=$loop
add_loop || exit 1
b=$loop
if ! schedulers "$a" | grep -qw mq-deadline; then
	echo '1..0 # SKIP this kernel has no mq-deadline'
	exit 0
fi
echo 384 >"/sys/block/$a/queue/read_ahead_kb"
first=$(capture "$a" "$b")
apply=("$IOSCHED_TUNE" apply --timeout 2 --scheduler mq-deadline --set nr_requests=64
	--set read_ahead_kb=1MiB "$a" "$b")

sysfs()
{
	echo "/sys/devices/virtual/block/$1/queue/$2"
}

# is_new LOOP: as the apply wants it
is_new()
{
	[ "$(active "$1") $(queue "$1" nr_requests) $(queue "$1" read_ahead_kb)" = 'mq-deadline 64 1024' ]
}

is_old()
{
	diff <(echo "$first" | grep "/$1/") <(capture "$1") >&2
}

# with INJECTION FILE... -- COMMAND...: runs it while writes to these files of loop $a are
# tampered with
with()
{
	local inject=$1 args=()

	shift
	while [ "$1" != -- ]; do
		args+=(-P "$(sysfs "$a" "$1")")
		shift
	done
	shift
	strace -f -qq -o "$work/trace" "${args[@]}" -e trace=write -e "inject=write:$inject" \
		"$@" >"$work/out" 2>"$work/err"
	status=$?
}

# restored WHAT
restored()
{
	tune restore
	same "$1: restore gives the first state" \
		"$status$(diff <(echo "$first") <(capture "$a" "$b"))" 0
}

# --- writes that fail -------------------------------------------------------------------

with error=EINVAL nr_requests -- "${apply[@]}"
same 'a refused write: exit status' $status 3
check 'a refused write: the device is put back' is_old "$a"
check 'a refused write: the other one is done' is_new "$b"
same 'a refused write: it is named' "$(grep -c "$a: nr_requests" "$work/err")" 1
restored 'a refused write'

# As a bio-based queue does it: the write succeeds, and nothing changes.
with retval=11 scheduler -- "${apply[@]}"
same 'a write without effect: exit status' $status 3
check 'a write without effect: the device is as it was' is_old "$a"
same 'a write without effect: what it reads is said' "$(grep -c "reads 'none'" "$work/err")" 1
restored 'a write without effect'

# Neither forwards nor back: the scheduler is switched, then all writes to it fail.
with error=EIO:when=2+ scheduler nr_requests -- "${apply[@]}"
same 'no way back: exit status' $status 3
same 'no way back: it is said' "$(grep -c "$a: could not be put back" "$work/err")" 1
check 'no way back: the journal keeps it' grep -q "\"$a\"" $state/journal.json
restored 'no way back'

# Refused for a while, as by a queue whose hardware queues are being changed.
with error=EBUSY:when=1..5 scheduler -- "${apply[@]}"
same 'busy for a moment: exit status' $status 0
check 'busy for a moment: done' is_new "$a"
restored 'busy for a moment'

# --- a queue that hangs -----------------------------------------------------------------

# Row 22 of the facts on users' problems. The write takes longer than the time limit.
with delay_enter=6000000 scheduler -- "${apply[@]}"
same 'a stuck write: exit status' $status 3
same 'a stuck write: it is said' "$(grep -c "$a: no answer within the time limit" "$work/err")" 1
check 'a stuck write: the other one is done' is_new "$b"
check 'a stuck write: the journal keeps it' grep -q "\"$a\"" $state/journal.json
restored 'a stuck write'

# A request that does not end: its file lies in a frozen filesystem. Nothing can kill the
# thread that waits for the queue.
frozen()
{
	local stuck writer

	mkfs.ext4 -q -F "$work/frozen.img" 32M >/dev/null 2>&1 || return 1
	mkdir -p "$work/frozen"
	mount -o loop "$work/frozen.img" "$work/frozen" || return 1
	add_loop "$work/frozen/file" || return 1
	stuck=$loop
	before=$(capture "$stuck")
	fsfreeze -f "$work/frozen" || return 1
	dd if=/dev/zero of="/dev/$stuck" bs=4k count=1 oflag=direct 2>/dev/null &
	writer=$!
	# the request is on its way when the queue says so
	for _ in $(seq 500); do
		grep -qE '^ *[0-9]+ +[1-9]' "/sys/block/$stuck/inflight" && break
		sleep 0.01
	done
	tune apply --timeout 1 --scheduler mq-deadline "$stuck" "$b"
	same 'a queue that cannot be frozen: exit status' $status 3
	same 'a queue that cannot be frozen: it is said' \
		"$(grep -c "$stuck: no answer within the time limit" "$work/err")" 1
	same 'a queue that cannot be frozen: the other one is done' "$(active "$b")" mq-deadline
	check 'a queue that cannot be frozen: it still hangs' kill -0 $writer
	tune apply --timeout 1 --scheduler none "$b"
	same 'a queue that cannot be frozen: the lock is free' "$status $(active "$b")" '0 none'
	fsfreeze -u "$work/frozen"
	wait $writer
	# the write that was given up may come through now
	tune restore
	same 'a queue that cannot be frozen: restore afterwards' \
		"$status$(diff <(echo "$before") <(capture "$stuck"))" 0
	losetup -d "/dev/$stuck"
	umount "$work/frozen"
}

if command -v mkfs.ext4 >/dev/null 2>&1 && command -v fsfreeze >/dev/null 2>&1; then
	check 'a frozen filesystem' frozen
	is_old "$b" 2>/dev/null || tune restore
else
	skipped 'a queue that cannot be frozen' 'needs mkfs.ext4 and fsfreeze'
fi

# --- signals ----------------------------------------------------------------------------


# interrupt SIGNAL INJECTION CALL CONDITION...: runs the apply, sends the signal when the
# condition holds
interrupt()
{
	local signal=$1 inject=$2 call=$3 runner

	shift 3
	rm -f "$work/trace"
	# without job control bash has SIGINT ignored in what runs in the background
	set -m
	strace -f -qq -o "$work/trace" -P "$(sysfs "$a" scheduler)" -P "$state/.journal.json.iosched-tune" \
		-e trace="$call" -e "inject=$call:$inject" "${apply[@]}" \
		>"$work/out" 2>"$work/err" &
	runner=$!
	set +m
	for _ in $(seq 1000); do
		"$@" && break
		sleep 0.01
	done
	kill -"$signal" "$(pgrep -P $runner | head -n 1)" || return 1
	wait $runner
	status=$?
}

b_is_new()
{
	is_new "$b"
}

for signal in INT TERM; do
	interrupt $signal delay_enter=1500000 write b_is_new
	check "SIG$signal: a device that was begun is finished" is_new "$a"
	check "SIG$signal: the other one as well" is_new "$b"
	restored "SIG$signal"
done

# Before the first write, while the journal is being synced: nothing is begun.
interrupt INT delay_exit=1000000 fsync test -e $state/.journal.json.iosched-tune
same 'early SIGINT: exit status' $status 3
for dev in "$a" "$b"; do
	check "early SIGINT: $dev was left" is_old "$dev"
	same "early SIGINT: it is said of $dev" "$(grep -c "$dev: not begun" "$work/err")" 1
done
restored 'early SIGINT'

# --- two at once ------------------------------------------------------------------------

"${apply[@]}" >/dev/null 2>&1 &
one_run=$!
tune apply --scheduler none --set read_ahead_kb=2MiB "$a" "$b"
wait $one_run
same 'two applies at once: both end well' "$? $status" '0 0'
same 'two applies at once: both devices are of one of them' \
	"$(active "$a") $(queue "$a" read_ahead_kb)" "$(active "$b") $(queue "$b" read_ahead_kb)"
restored 'two applies at once'

strace -f -qq -o "$work/trace" -P "$(sysfs "$a" scheduler)" -e trace=write \
	-e inject=write:delay_enter=8000000 \
	"$IOSCHED_TUNE" apply --timeout 30 --scheduler mq-deadline "$a" >/dev/null 2>&1 &
runner=$!
for _ in $(seq 1000); do
	[ -e $state/journal.json ] && break
	sleep 0.01
done
holder=$(pgrep -P $runner | head -n 1)
tune apply --scheduler mq-deadline "$b"
same 'another run has the lock: exit status' $status 1
same 'another run has the lock: its process is named' "$(grep -c "process $holder) is changing devices" "$work/err")" 1
check 'another run has the lock: that it waits is said' grep -q "waiting for another run (process $holder), 2 s at most" "$work/err"
check 'another run has the lock: nothing is written' is_old "$b"
tune restore
same 'another run has the lock: restore waits for it, too' "$status $(grep -c "process $holder) is changing devices" "$work/err")" '1 1'
kill -KILL "$holder"
wait $runner 2>/dev/null
tune restore
same 'after its end: restore' "$status$(diff <(echo "$first") <(capture "$a" "$b"))" 0

# --- devices that go --------------------------------------------------------------------

# Between the plan and the write: while the run waits for the lock of another.
went()
{
	local gone

	add_loop || return 1
	gone=$loop
	strace -f -qq -o "$work/trace2" -e trace=flock -e inject=flock:delay_enter=2000000:when=1 \
		"$IOSCHED_TUNE" apply --scheduler mq-deadline "$gone" "$b" >"$work/out" 2>"$work/err" &
	runner=$!
	for _ in $(seq 1000); do
		[ -e $state/lock ] && break
		sleep 0.01
	done
	losetup -d "/dev/$gone"
	perl -e 'open my $f, "+<", "/dev/loop-control" or die; ioctl($f, 0x4C81, $ARGV[0] + 0) >= 0 or die $!' \
		"${gone#loop}" || return 1
	wait $runner
	status=$?
	same 'a device that went away: exit status' $status 3
	same 'a device that went away: it is said' "$(grep -c "$gone: the device went away" "$work/err")" 1
	same 'a device that went away: the other one is done' "$(active "$b")" mq-deadline
}

rm -f $state/lock
if command -v perl >/dev/null 2>&1; then
	check 'a loop device can be removed' went
	restored 'a device that went away'
else
	skipped 'a device that went away' 'needs perl'
fi

# --- no room, no right ------------------------------------------------------------------

full()
{
	mount -t tmpfs -o size=32k,mode=700 tmpfs $state || return 1
	[ "$1" = before ] || : >$state/lock
	[ "$1" = before ] || echo 1 >$state/lock
	dd if=/dev/zero of=$state/filler bs=4k 2>/dev/null
	"${apply[@]}" >"$work/out" 2>"$work/err"
	status=$?
	same "a full disk, $1 the lock: exit status" $status 1
	same "a full disk, $1 the lock: it is said" "$(grep -ci 'no space left' "$work/err")" 1
	same "a full disk, $1 the lock: nothing is written" "$(diff <(echo "$first") <(capture "$a" "$b"))" ''
	umount $state
}

check 'a full disk' full before
check 'a full disk' full after

mount -t tmpfs -o ro tmpfs $state
"${apply[@]}" >"$work/out" 2>"$work/err"
same 'a read-only state directory: exit status' $? 5
same 'a read-only state directory: nothing is written' "$(diff <(echo "$first") <(capture "$a" "$b"))" ''
same 'a read-only state directory: it is named' "$(grep -c 'iosched-tune: /\?var/lib/iosched-tune' "$work/err")" 1
umount $state

unshare -m bash -c 'mount -o remount,bind,ro /sys && exec "$@"' - "${apply[@]}" >"$work/out" 2>"$work/err"
same 'a read-only sysfs: exit status' $? 5
same 'a read-only sysfs: it is said' "$(grep -c 'sysfs is read-only' "$work/err")" 1
same 'a read-only sysfs: no journal' "$(ls $state/journal.json 2>/dev/null)" ''

if command -v setpriv >/dev/null 2>&1 &&
	setpriv --reuid 65534 --regid 65534 --clear-groups "$IOSCHED_TUNE" --version >/dev/null 2>&1; then
	setpriv --reuid 65534 --regid 65534 --clear-groups "${apply[@]}" >"$work/out" 2>"$work/err"
	same 'without privilege: exit status' $? 5
	same 'without privilege: what to do is said' "$(grep -c root "$work/err")" 1
	same 'without privilege: nothing is written' "$(diff <(echo "$first") <(capture "$a" "$b"))" ''
else
	skipped 'without privilege' 'needs setpriv, and a program that everybody can run'
fi
finish
