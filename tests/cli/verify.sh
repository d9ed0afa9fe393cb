#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# verify and restore: drift is found, told and undone.
set -u
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/lib.sh"

on linux-6.1-stack verify --profile database sda
same 'in force: silent on stdout' "$rc:$out" 0:
says 'in force' 'database: in force on 1 device'
on linux-6.1-stack verify --profile database
exits 'drift' 4
golden 'drift' verify-drift.txt
says 'drift: counted' '1 differs'
on linux-6.1-stack verify
says 'without a profile: the default' 'balanced:'
on linux-6.1-stack verify --profile databse
fails 'an unknown profile' 2 'databse'
on linux-6.1-stack verify --set nr_requests=64
fails 'values without a device' 2 'devices have to be named'

tree=$TMPDIR/tree
unpack linux-6.1-stack "$tree"
queue=$tree/sys/block/sdc/queue
cp -a "$tree" "$TMPDIR/first"

run --root "$tree" restore
same 'restore before any apply' "$rc:$out" 0:
says 'restore before any apply: says so' 'nothing to restore'

run --root "$tree" apply -q --profile database
run --root "$tree" verify
same 'after apply: the profile that was applied' "$rc:$out" 0:
says 'after apply: it is named' 'database: in force on'
echo 77 >"$queue/read_ahead_kb"
run --root "$tree" verify
exits 'a value changed by hand' 4
prints 'a value changed by hand' 'sdc' 'read_ahead_kb' '77 KiB' '1024 KiB'
run --root "$tree" status sdc
prints 'status shows it too' 'drift'
run --root "$tree" apply -q --profile database
run --root "$tree" verify
exits 'applied again' 0

# A device that the profile leaves alone counts as named once it was named.
run --root "$tree" apply -q --set read_ahead_kb=4MiB sda
run --root "$tree" verify --set read_ahead_kb=4MiB sda
exits 'values by hand are compared when they are given' 0
echo 5 >"$tree/sys/block/sda/queue/read_ahead_kb"
run --root "$tree" verify --set read_ahead_kb=4MiB sda
exits 'and differ when they differ' 4

run --root "$tree" restore --last --dry-run
prints 'restore --last --dry-run' 'sda' 'read_ahead_kb' '128 KiB'
run --root "$tree" restore --last
exits 'restore --last' 0
same 'restore --last: only the last' \
	"$(cat "$tree/sys/block/sda/queue/read_ahead_kb"):$(cat "$queue/read_ahead_kb")" 128:1024
run --root "$tree" restore --dry-run sdc
prints 'restore one device, dry run' 'sdc' '1024 KiB' '128 KiB'
run --root "$tree" restore sdc
exits 'restore one device' 0
run --root "$tree" restore
exits 'restore' 0
same 'everything is as it was' "$(diff -r --no-dereference "$TMPDIR/first/sys" "$tree/sys")" ''
same 'the journal is gone' "$(ls "$tree/var/lib/iosched-tune")" lock

# What a switch of the scheduler brings about by itself is told apart from what is written.
unpack linux-6.1-stack "$TMPDIR/switched"
run --root "$TMPDIR/switched" apply -q --scheduler none sda
run --root "$TMPDIR/switched" restore --dry-run sda
same 'restore over a switch, dry run: what is written' \
	"$(awk 'NF == 0 { exit } NR > 1 { print $2 }' "$TMPDIR/out" | paste -sd' ')" scheduler
prints 'restore over a switch, dry run: the rest is looked at' \
	'sda: looked at after that, and written only if not so already: ' \
	'mq-deadline.write_expire 5000 ms'
says 'restore over a switch, dry run: counted' '1 value would be written'
if command -v jq >/dev/null 2>&1; then
	run --root "$TMPDIR/switched" --json restore --dry-run sda
	same 'restore over a switch, dry run: JSON' \
		"$(json '[.plan.writes, (.plan.devices[0].steps | map(select(.if_needed | not).key))]')" \
		'[1,["scheduler"]]'
fi
on linux-6.1-stack restore
fails 'a snapshot cannot be restored' 5 'a snapshot can be read, not changed'

run --root "$tree" apply -q --profile database
printf '{ "steps": ' >"$tree/var/lib/iosched-tune/journal.json"
run --root "$tree" restore
fails 'a damaged journal is an error' 1 'journal'
same 'and is left as it is' "$(cat "$tree/var/lib/iosched-tune/journal.json")" '{ "steps": '
run --root "$tree" status sdc
same 'status works without it' "$rc" 0

# A device override that cannot be understood: reports go on without it and say so, what
# would write stops.
rm -rf "${tree:?}/var"
run --root "$tree" -q apply --profile database
mkdir -p "$tree/etc/iosched-tune/devices.d"
printf '{ "devices": [\n { "match": { "serial": "x" }, "schedular": "bfq" } ] }' \
	>"$tree/etc/iosched-tune/devices.d/20-log.json"
place=/etc/iosched-tune/devices.d/20-log.json:2
for args in 'status' 'show sda' 'restore --dry-run'; do
	# shellcheck disable=SC2086 # words are meant
	run --root "$tree" $args
	exits "a broken override: $args" 0
	says "a broken override: $args says which" "$place" 'schedular' 'left out'
done
run --root "$tree" verify
fails 'a broken override: verify cannot vouch' 1 "$place" 'in force on 3 devices' 'cannot be told'
run --root "$tree" verify --profile balanced
exits 'a broken override: drift is drift' 4
run --root "$tree" apply --profile balanced
fails 'a broken override: apply refuses' 1 "$place" 'schedular'
if command -v jq >/dev/null 2>&1; then
	run --root "$tree" --json status
	same 'JSON: a broken override' "$(json '.problems | length')" 1
	on linux-6.1-stack --json verify --profile database
	same 'JSON: drift' "$rc:$(json '[.in_force, .plan.writes, (.plan.devices[] | select(.name == "sdc") | .state)]')" \
		'4:[false,2,"change"]'
	on linux-6.1-stack --json verify --profile database sda
	same 'JSON: in force' "$rc:$(json .in_force)" 0:true
else
	skipped 'JSON' 'no jq'
fi

finish
