#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# TIME-LIMIT: 120
#
# The first state comes back: after several applies, with values that were set by hand
# under another scheduler, step by step, device by device, and not to another disk.
set -u
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

need root loop unshare losetup jq
private "$0" "$@"

put()
{
	echo "$3" >"/sys/block/$1/queue/$2"
}

add_loop || exit 1
a=$loop
add_loop || exit 1
b=$loop
for scheduler in mq-deadline kyber; do
	schedulers "$a" | grep -qw "$scheduler" && continue
	echo "1..0 # SKIP this kernel has no $scheduler"
	exit 0
done

# Values by hand, which a switch of the scheduler loses.
by_hand()
{
	put "$a" scheduler mq-deadline
	put "$a" iosched/read_expire 120
	put "$a" iosched/fifo_batch 5
	put "$a" nr_requests 100
	put "$a" iosched/async_depth 40
	put "$a" read_ahead_kb 384
	put "$b" scheduler none
	put "$b" nomerges 1
	put "$b" wbt_lat_usec 7000
}

by_hand
first=$(capture "$a" "$b")
tune apply --scheduler kyber --set kyber.read_lat_nsec=1ms --set nr_requests=64 "$a" "$b"
same 'a first apply' $status 0
second=$(capture "$a" "$b")
# row 10 of the facts on users' problems: a value of another scheduler is never written
tune apply --scheduler kyber --set mq-deadline.read_expire=100 "$a"
same 'a value of another scheduler is refused' \
	"$status $(grep -c read_expire "$work/err")" '2 1'
# row 21: the difference on stdout, as JSON, and the exit status
put "$a" read_ahead_kb 8192
tune --json verify --scheduler kyber --set read_ahead_kb=384 "$a"
same 'verify --json: drift' \
	"$status $(jq -r '.in_force, (.plan.devices[] | select(.steps != []) | .name, .steps[0].key, .steps[0].from, .steps[0].to)' "$work/out" | tr '\n' ' ')" \
	"4 false $a read_ahead_kb 8192 384 "
put "$a" read_ahead_kb 384
tune apply --scheduler none --set read_ahead_kb=1MiB "$a"
same 'a second apply' $status 0
third=$(capture "$a" "$b")
tune apply --scheduler mq-deadline --set mq-deadline.read_expire=1s --set wbt_lat_usec=0 "$a" "$b"
same 'a third apply' $status 0
put "$b" read_ahead_kb 64
tune restore
same 'restore' $status 0
same 'the first state is back, also what a switch had lost' \
	"$(diff <(echo "$first") <(capture "$a" "$b"))" ''
tune restore
same 'restore again: nothing to do' "$status $(capture "$a" "$b" | cmp - <(echo "$first"))" '0 '

tune apply --scheduler kyber --set kyber.read_lat_nsec=1ms --set nr_requests=64 "$a" "$b"
tune apply --scheduler none --set read_ahead_kb=1MiB "$a"
tune apply --scheduler mq-deadline --set wbt_lat_usec=0 "$a" "$b"
tune restore --last
same 'restore --last: the state before the third' "$(diff <(echo "$third") <(capture "$a" "$b"))" ''
tune restore --last
same 'again: before the second' "$(diff <(echo "$second") <(capture "$a" "$b"))" ''
tune restore --last
same 'again: before the first' "$(diff <(echo "$first") <(capture "$a" "$b"))" ''
check 'the journal is empty' [ ! -e $state/journal.json ]

tune apply --scheduler kyber "$a" "$b"
now=$(capture "$a")
tune restore "$b"
same 'restore of one device' "$(active "$b")" none
same 'leaves the other' "$(diff <(echo "$now") <(capture "$a"))" ''
tune restore
same 'which comes back later' "$(diff <(echo "$first") <(capture "$a" "$b"))" ''

# Another disk under the name of one: told apart by serial number, where it has one, else
# by device number.
tune apply --scheduler kyber "$a" "$b"
jq -c --arg b "$b" '.steps[].devices |= map(if .name == $b then .minor += 4096 else . end)' \
	$state/journal.json >"$work/journal" && cp "$work/journal" $state/journal.json
tune restore
same 'another disk of the same name is left alone' "$(active "$b") $(grep -c "$b" "$work/err")" 'kyber 1'
same 'the others come back' "$(active "$a")" mq-deadline
put "$b" scheduler none
put "$b" wbt_lat_usec 7000

# A device that is not there any more.
tune apply --scheduler kyber "$a"
sed -i "s/\"$a\"/\"absent0\"/g" $state/journal.json
put "$a" scheduler mq-deadline
tune restore
same 'a device that is gone is named' "$status $(grep -c absent0 "$work/err")" '0 1'
by_hand

# The journal of another boot: sysfs starts afresh, nothing is brought back.
tune apply --scheduler kyber "$a"
sed -i 's/"boot_id":"[0-9a-f]/"boot_id":"x/' $state/journal.json
tune restore
same 'nothing of another boot is restored' "$status $(active "$a") $(grep -c boot "$work/err")" '0 kyber 1'

# A journal that was damaged is refused by both, and left.
echo '{ "journal": 1, "steps": [ {' >$state/journal.json
before=$(capture "$a" "$b")
tune restore
same 'a damaged journal: restore refuses' "$status $(grep -c journal.json "$work/err")" '1 1'
tune apply --scheduler bfq,none "$a"
same 'a damaged journal: apply refuses' "$status" 1
same 'and nothing was written' "$(diff <(echo "$before") <(capture "$a" "$b"))" ''
same 'it is left as it is' "$(cat $state/journal.json)" '{ "journal": 1, "steps": [ {'
finish
