#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The ranges of the catalogue against this kernel: the least and the greatest value of
# every attribute that a profile can set, and values that the kernel rounds, are taken,
# read back and found in force.
set -u
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

need root loop unshare losetup
private "$0" "$@"

# ranges: "SCHEDULER ATTRIBUTE MIN MAX" for each row, "queue" for the queue's own; the
# schema of profiles has them, and a unit test keeps it in step with the catalogue.
ranges()
{
	awk -F '"' '
		/^    "(iosched|queue)": {/ { part = $2; owner = part; next }
		/^    }/ { part = "" }
		part == "iosched" && /^        "[a-z-]+": {/ { owner = $2; next }
		part == "" { next }
		/": {$/ && $2 != "properties" { attribute = $2 }
		/"minimum":/ { min = $3; gsub(/[^-0-9]/, "", min) }
		/"maximum":/ { max = $3; gsub(/[^-0-9]/, "", max); print owner, attribute, min, max }
	' profiles/schema.json
}

# ceiling SCHEDULER ATTRIBUTE MAX: what this queue allows, where that is less
ceiling()
{
	case $1.$2 in
	none.nr_requests) cat "/sys/block/$loop/mq/0/nr_tags" ;;
	*.nr_requests) echo 2048 ;;
	*.max_sectors_kb) cat "/sys/block/$loop/queue/max_hw_sectors_kb" ;;
	*.async_depth) echo 4 ;; # at most nr_requests, whose least value is 4
	*) echo "$3" ;;
	esac
}

# has SCHEDULER OWNER ATTRIBUTE: is it there, and free to be set?
has()
{
	[ "$1 $3" != 'bfq wbt_lat_usec' ] || return 1
	[ "$3" != slice_idle_us ] || return 1 # the same setting as slice_idle
	case $2 in
	queue) [ -e "/sys/block/$loop/queue/$3" ] ;;
	"$1") [ -e "/sys/block/$loop/queue/iosched/$3" ] ;;
	*) return 1 ;;
	esac
}

# holds SCHEDULER KEY=VALUE...: says what is wrong, if anything is
holds()
{
	local asked=(--scheduler "$1") set

	shift
	for set; do
		asked+=(--set "$set")
	done
	tune apply "${asked[@]}" "$loop"
	[ $status -eq 0 ] || { echo "apply: status $status: $(cat "$work/err" "$work/out")"; return 1; }
	tune verify "${asked[@]}" "$loop"
	[ $status -eq 0 ] || { echo "verify: status $status: $(cat "$work/out")"; return 1; }
	tune restore
	[ $status -eq 0 ] || { echo "restore: status $status: $(cat "$work/err")"; return 1; }
}

# shellcheck disable=SC2119 # no file of its own to back it
add_loop || exit 1
rows=$(ranges | wc -l)
for scheduler in $(schedulers "$loop"); do
	echo "$scheduler" >"/sys/block/$loop/queue/scheduler"
	least=() greatest=()
	while read -r owner attribute min max; do
		has "$scheduler" "$owner" "$attribute" || continue
		key=$attribute
		[ "$owner" = queue ] || key=$owner.$attribute
		least+=("$key=$min")
		greatest+=("$key=$(ceiling "$scheduler" "$attribute" "$max")")
	done < <(ranges)
	echo none >"/sys/block/$loop/queue/scheduler"
	same "$scheduler: the least value of ${#least[@]} attributes" \
		"$(holds "$scheduler" "${least[@]}" 2>&1)" ''
	same "$scheduler: the greatest value of each" \
		"$(holds "$scheduler" "${greatest[@]}" 2>&1)" ''
done
same 'the schema has the rows' "$([ "$rows" -gt 40 ] && echo many)" many

# Ticks and pages: every value from one tick to the next, and some large ones.
for ms in 1 2 3 4 5 7 9 10 11 99 101 333 501 999 1001 86399999; do
	same "mq-deadline: $ms ms" "$(holds mq-deadline "read_expire=$ms" "write_expire=$ms" 2>&1)" ''
done
same 'bfq: 33 ms' "$(holds bfq timeout_sync=33 slice_idle_us=1500 2>&1)" ''
for kib in 1 3 5 33 127 501; do
	same "read_ahead_kb: $kib" "$(holds none "read_ahead_kb=$kib" 2>&1)" ''
done

finish
