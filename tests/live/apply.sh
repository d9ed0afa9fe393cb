#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# TIME-LIMIT: 600
#
# Every scheduler of this kernel and every attribute that a profile can set, on a loop
# device: apply, read back, verify, drift by hand, verify, apply again, restore.
set -u
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

need root loop unshare losetup strace
private "$0" "$@"

# A value for each attribute that no kernel has as its default, and how it reads back
# where that differs.
declare -A values=(
	[read_expire]=100 [write_expire]=1000 [writes_starved]=4 [front_merges]=0
	[fifo_batch]=8 [prio_aging_expire]=5000 [async_depth]=64
	[read_lat_nsec]=1000000 [write_lat_nsec]=5000000
	[fifo_expire_sync]=100 [fifo_expire_async]=200 [back_seek_max]=8192
	[back_seek_penalty]=3 [slice_idle]=4 [slice_idle_us]=500 [max_budget]=1024
	[timeout_sync]=100 [strict_guarantees]=1 [low_latency]=0
	[nr_requests]=64 [read_ahead_kb]=512 [max_sectors_kb]=256 [nomerges]=2
	[rq_affinity]=2 [iostats]=0 [add_random]=1 [io_timeout]=20000 [wbt_lat_usec]=5000
)

# settable LOOP: the attributes that the program says a profile can set, but for the
# scheduler itself
settable()
{
	"$IOSCHED_TUNE" --no-color show "$1" | awk '
		/^Attributes that a profile can set/ { inside = 1; getline; next }
		/^$/ { inside = 0 }
		inside { print $1 }' | grep -vx scheduler
}

# path KEY: below queue/
path()
{
	case $1 in
	*.*) echo "iosched/${1#*.}" ;;
	*) echo "$1" ;;
	esac
}

# refused SCHEDULER KEY: write-back throttling is off while bfq is active, and whoever asks
# for it is told so, before anything is written.
refused()
{
	local before

	before=$(capture "$loop")
	tune apply --scheduler "$1" --set "$2=${values[$2]}" "$loop"
	[ $status -eq 2 ] || { echo "apply: status $status: $(cat "$work/err")"; return 1; }
	diff <(echo "$before") <(capture "$loop")
}

# one SCHEDULER KEY: the whole way for one attribute. Says what went wrong.
one()
{
	local scheduler=$1 key=$2 file value before
	local asked

	file=$(path "$key")
	value=${values[${key#*.}]:-}
	[ -n "$value" ] || { echo "no value to try for $key"; return 1; }
	before=$(capture "$loop")
	asked=(--scheduler "$scheduler" --set "$key=$value" "$loop")

	tune apply "${asked[@]}"
	[ $status -eq 0 ] || { echo "apply: status $status: $(cat "$work/err")"; return 1; }
	[ "$(queue "$loop" "$file")" = "$value" ] ||
		{ echo "reads $(queue "$loop" "$file") after apply, not $value"; return 1; }
	[ "$(active "$loop")" = "$scheduler" ] || { echo "$(active "$loop") is active"; return 1; }
	tune verify "${asked[@]}"
	[ $status -eq 0 ] || { echo "verify: status $status: $(cat "$work/out")"; return 1; }

	# rows 18 and 21 of the facts on users' problems: drift of every attribute is seen
	drift "$file" "$value" || return 1
	tune verify "${asked[@]}"
	[ $status -eq 4 ] || { echo "verify after drift: status $status"; return 1; }
	grep -q "$key" "$work/out" || { echo "verify does not name $key"; return 1; }
	tune apply "${asked[@]}"
	[ $status -eq 0 ] || { echo "second apply: $(cat "$work/err")"; return 1; }
	[ "$(queue "$loop" "$file")" = "$value" ] || { echo "second apply left $file"; return 1; }

	tune restore
	[ $status -eq 0 ] || { echo "restore: status $status: $(cat "$work/err")"; return 1; }
	diff <(echo "$before") <(capture "$loop") || return 1
	[ ! -e "$state/journal.json" ] || { echo "the journal is still there"; return 1; }
}

# drift FILE VALUE: another value by hand
drift()
{
	local other

	for other in 1 0 2 80 40 300 600 128 50000 3000000; do
		[ "$other" = "$2" ] && continue
		echo "$other" 2>/dev/null >"/sys/block/$loop/queue/$1" || continue
		[ "$(queue "$loop" "$1")" = "$2" ] || return 0
	done
	echo "found no other value for $1"
	return 1
}

add_loop || exit 1
echo none >"/sys/block/$loop/queue/scheduler"
tried=0
for scheduler in $(schedulers "$loop"); do
	echo "$scheduler" >"/sys/block/$loop/queue/scheduler"
	files=$(cd "/sys/block/$loop/queue" && find iosched -type f -perm -200 2>/dev/null)
	keys=$(settable "$loop")
	echo none >"/sys/block/$loop/queue/scheduler"
	for key in $keys; do
		tried=$((tried + 1))
		if [ "$scheduler $key" = 'bfq wbt_lat_usec' ]; then
			same "$scheduler: $key: refused" "$(refused "$scheduler" "$key" 2>&1)" ''
			continue
		fi
		said=$(one "$scheduler" "$key" 2>&1)
		if [ -z "$said" ]; then
			ok "$scheduler: $key: apply, verify, drift, apply, restore"
		else
			not_ok "$scheduler: $key: apply, verify, drift, apply, restore" "$said"
			echo none >"/sys/block/$loop/queue/scheduler"
			rm -f "$state/journal.json"
		fi
	done
	same "$scheduler: the catalogue has every writable attribute of it" \
		"$(for key in $keys; do path "$key"; done | grep ^iosched/ | sort)" \
		"$(echo "$files" | grep . | sort)"
done
echo "# $tried attributes were tried"

# A profile with all values of a scheduler at once, over its own beginning state.
profile()
{
	local scheduler=$1 key iosched='' queue=''

	for key in $2; do
		case $key in
		*.slice_idle) ;; # slice_idle_us is the same variable
		wbt_lat_usec) [ "$1" = bfq ] || queue+="\"$key\": ${values[$key]}, " ;;
		*.*) iosched+="\"${key#*.}\": ${values[${key#*.}]}, " ;;
		*) queue+="\"$key\": ${values[$key]}, " ;;
		esac
	done
	cat <<-END
		{ "name": "all", "summary": "every attribute",
		  "rules": [ { "match": {}, "why": "a test",
		    "scheduler": [ "$scheduler" ],
		    "iosched": { "$scheduler": { ${iosched%, } } },
		    "queue": { ${queue%, } } } ] }
	END
}

for scheduler in $(schedulers "$loop"); do
	echo "$scheduler" >"/sys/block/$loop/queue/scheduler"
	keys=$(settable "$loop")
	echo none >"/sys/block/$loop/queue/scheduler"
	profile "$scheduler" "$keys" | grep -v '"iosched": { "[^"]*": {  } }' >"$work/all.json"
	before=$(capture "$loop")
	tune apply --profile "$work/all.json" "$loop"
	same "$scheduler: all attributes at once" "$status $(grep -c failed "$work/err")" '0 0'
	tune verify --profile "$work/all.json" "$loop"
	same "$scheduler: all are in force" "$status" 0
	wrong=
	for key in $keys; do
		case $scheduler,$key in *.slice_idle | bfq,wbt_lat_usec) continue ;; esac
		[ "$(queue "$loop" "$(path "$key")")" = "${values[${key#*.}]}" ] || wrong+=" $key"
	done
	same "$scheduler: all read so" "$wrong" ''

	# Row 9 of the facts on users' problems: what is right is not written.
	strace -f -qq -o "$work/trace" -e trace=write,pwrite64,writev,openat,renameat,renameat2,unlinkat,mkdirat,fsync,ftruncate,fchmod \
		"$IOSCHED_TUNE" apply --profile "$work/all.json" "$loop" >/dev/null 2>&1
	writes=$(grep -vE ' write\([12],| openat\([^)]*O_(RDONLY|PATH)[^)]*\) = ' "$work/trace" |
		grep -v 'O_CREAT.*ENOENT' | grep -c .)
	same "$scheduler: a second apply makes no write" "$writes" 0
	echo "# writes of the second apply: $writes"

	tune restore
	same "$scheduler: restore" "$status" 0
	same "$scheduler: everything is as before" "$(diff <(echo "$before") <(capture "$loop"))" ''
done
finish
