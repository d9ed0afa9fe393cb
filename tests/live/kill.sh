#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# TIME-LIMIT: 900
#
# SIGKILL at every write, sync, rename and removal of an apply in turn, just before and just
# after it: of all its processes at once, and of the first one alone, as a person would.
# After each, `restore` gives the first state. Then the same for a restore that is killed
# and run again.
set -u
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

kill_at=build/tools/kill-at
need root loop unshare losetup "$TOP/$kill_at"
private "$0" "$@"

add_loop || exit 1
a=$loop
add_loop || exit 1
b=$loop
echo mq-deadline >"/sys/block/$a/queue/scheduler" || exit 1
echo 120 >"/sys/block/$a/queue/iosched/read_expire"
echo 100 >"/sys/block/$a/queue/nr_requests"
first=$(capture "$a" "$b")

cat >"$work/all.json" <<-END
	{ "name": "all", "summary": "a test",
	  "rules": [ { "match": {}, "why": "a test",
	    "scheduler": [ "kyber", "none" ],
	    "iosched": { "kyber": { "read_lat_nsec": 1000000 } },
	    "queue": { "nr_requests": 64, "read_ahead_kb": 512, "nomerges": 1 } } ] }
END
apply=("$IOSCHED_TUNE" apply --profile "$work/all.json" "$a" "$b")

# back: restore brings the first state, and has nothing left to do
back()
{
	tune restore
	[ $status -eq 0 ] || { echo "restore: status $status: $(cat "$work/err")"; return 1; }
	diff <(echo "$first") <(capture "$a" "$b") || return 1
	[ ! -e $state/journal.json ] || { echo "the journal is still there"; return 1; }
}

# each WHAT OPTION COMMAND...: kills the command at each of its calls in turn
each()
{
	local what=$1 option=$2 side point said failed=0 points=0

	shift 2
	for side in before after; do
		for ((point = 1; point < 1000; point++)); do
			prepare >"$work/prepared" 2>&1 ||
				{ echo "# cannot prepare: $(cat "$work/prepared")"; failed=1; break; }
			# shellcheck disable=SC2086 # no option or one
			$kill_at $option $side $point "$work/result" "$@" >/dev/null 2>&1
			read -r how _ <"$work/result"
			said=$(back 2>&1)
			if [ -n "$said" ]; then
				failed=$((failed + 1))
				echo "# $what, killed $side call $point ($(cat "$work/result")): $said"
				mend
			fi
			[ "$how" = killed ] || break
			points=$((points + 1))
			[ "$side" = after ] || cut -d' ' -f3- "$work/result" >>"$work/calls"
		done
	done
	same "$what: restore gives the first state after each" "$failed" 0
	check "$what: there were points to try" [ "$points" -ge 20 ]
	echo "# $what: $points points tried"
	tried=$((tried + points))
}

# After a failure: the first state by other means, for the points that follow.
mend()
{
	rm -rf $state
	for dev in "$a" "$b"; do
		for value in read_ahead_kb nomerges; do
			echo "$first" | sed -n "s|^/sys/block/$dev/queue/$value:||p" \
				>"/sys/block/$dev/queue/$value"
		done
	done
	echo none >"/sys/block/$b/queue/scheduler"
	echo kyber >"/sys/block/$a/queue/scheduler"
	echo mq-deadline >"/sys/block/$a/queue/scheduler"
	echo 120 >"/sys/block/$a/queue/iosched/read_expire"
	echo 100 >"/sys/block/$a/queue/nr_requests"
}

tried=0
prepare() { :; }
each 'apply, all processes' '' "${apply[@]}"
sort "$work/calls" | uniq -c | sed 's/^/# calls:/'
rm -f "$work/calls"
each 'apply, the first process' -m "${apply[@]}"

# Killed on the way back: the journal is there until everything is.
prepare() { "${apply[@]}"; }
each 'restore, all processes' '' "$IOSCHED_TUNE" restore

# A second apply over a first one, killed: still the first state.
prepare() { "$IOSCHED_TUNE" apply --scheduler none --set read_ahead_kb=1MiB "$a" "$b"; }
each 'a second apply, all processes' '' "${apply[@]}"
echo "# $tried points tried in all"
finish
