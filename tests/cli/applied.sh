#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What a bare verify and status compare with: everything that was asked for since boot,
# for all devices and for single ones.
set -u
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/lib.sh"

tree=$TMPDIR/tree
unpack linux-6.1-stack "$tree"
queue=$tree/sys/block

# A plain file holds only the word that was written: the kernel's list again.
bracket()
{
	local file word

	for file in "$queue"/sd?/queue/scheduler; do
		read -r word <"$file"
		case $word in
		*\[*) ;;
		*) echo "mq-deadline kyber bfq none " | sed "s/\b$word\b/[$word]/" >"$file" ;;
		esac
	done
}

apply()
{
	run --root "$tree" apply -q "$@"
	bracket
}

in_force() # WHAT
{
	run --root "$tree" verify
	same "$1" "$rc:$out" 0:
}

apply --profile database
apply --set read_ahead_kb=4MiB sda
in_force 'a value for one device counts without being given again'
run -v --root "$tree" status
says 'the profile for all is still the one compared with' 'profile database (applied last)'
says 'and that one device differs from it is said' '1 device is compared with what was applied'
echo 5 >"$queue/sda/queue/read_ahead_kb"
run --root "$tree" verify
exits 'drift of the value set by hand' 4
prints 'drift of the value set by hand: which' 'sda' 'read_ahead_kb' '4096 KiB'
run --root "$tree" verify sdc
exits 'another device, by name, is not concerned' 0
apply --set read_ahead_kb=4MiB sda
in_force 'set again'

# A profile for one device leaves the others under theirs.
apply --profile balanced sdc
exits 'another profile for one device' 0
in_force 'each device is compared with what was applied to it'
shown()
{
	run --root "$tree" show "$1"
	awk '$1 == "profile" { print $2 }' <<<"$out"
}
same 'show names the profile that was applied to the device, or to all' \
	"$(shown sdc) $(shown sda)" 'balanced database'
apply --scheduler mq-deadline sdc
in_force 'a scheduler by hand counts too'
run --root "$tree" status -o NAME,WANTED,STATE sdc
prints 'status knows it' 'mq-deadline' 'in-force'

# A profile read from a file is found again, from anywhere.
cp tests/cli/profiles/database.json "$TMPDIR/mine.json"
sed -i 's/"name": *"database"/"name": "mine"/' "$TMPDIR/mine.json"
(cd "$TMPDIR" && "$IOSCHED_TUNE" --root "$tree" apply -q --profile ./mine.json) >"$TMPDIR/log" 2>&1
bracket
in_force 'a profile from a file'
run -v --root "$tree" status
says 'it is named' 'profile mine (applied last)'
rm "$TMPDIR/mine.json"
run -v --root "$tree" status
says 'a file that is gone is said' 'mine.json' 'cannot be read'
run --root "$tree" verify
fails 'verify gives no answer for a profile that is gone' 1 'mine.json' '--profile NAME'
run --root "$tree" verify --profile database sdc
exits 'with a profile it does' 0

# One device by name, all others by the default: neither is called by the other's name.
rm -rf "${tree:?}/var"
echo 64 >"$queue/sdc/queue/read_ahead_kb"
apply --profile database sdc
run --root "$tree" verify
says 'verify does not call it balanced' 'what was applied: in force on 3 devices'
run -v --root "$tree" status
says 'nor does status say that nothing was applied' 'profile balanced (the default for the other devices)'

# A profile for all devices is the last word.
apply --profile database
apply --set read_ahead_kb=2MiB sda
apply --profile balanced
run --root "$tree" verify
same 'values before a later profile for all are forgotten' "$rc:$out" 0:

# Nothing to write, and yet it was asked for: what counts is the asking.
rm -rf "${tree:?}/var"
apply --profile database
rm -rf "${tree:?}/var"
run --root "$tree" apply --profile database
says 'an apply that finds all right already' '0 values written'
run --root "$tree" verify
same 'it is what a bare verify compares with' "$rc:$out" 0:
says 'by its name' 'database: in force'
before=$(find "$tree" -type f -exec cksum {} + | sort)
run --root "$tree" apply --profile database
same 'once more: the journal does not grow' "$(find "$tree" -type f -exec cksum {} + | sort)" "$before"
run --root "$tree" apply --set nr_requests=128 sda
run --root "$tree" apply --set nr_requests=128 sda
run --root "$tree" apply --profile database sdc
run --root "$tree" restore --last
same 'restore --last undoes the last one that wrote' "$rc:$(cat "$queue/sda/queue/nr_requests")" 0:256
for disk in sda sdc sda sdc sda sdc; do
	run --root "$tree" apply --profile database $disk
done
same 'in turns: one step for each' "$(grep -o '"id"' "$tree/var/lib/iosched-tune/journal.json" | wc -l)" 3
run --root "$tree" restore --dry-run
says 'nothing was written: nothing to go back to' 'nothing to restore'
run --root "$tree" restore
same 'and what was asked for is forgotten' "$rc:$(find "$tree" -name journal.json)" 0:

# A value by hand, for all devices under the profile: also for those that had it already.
apply --profile database --set nomerges=1
bracket
echo 0 >"$queue/sdc/queue/nomerges"
apply --profile database --set nomerges=1
echo 0 >"$queue/sda/queue/nomerges"
run --root "$tree" verify
exits 'drift of a device that had the value already' 4
prints 'drift of a device that had the value already: which' 'sda' 'nomerges'
apply --profile balanced

# What the journal holds is checked like a command line, and never stops a report.
sed -i 's/"sets":\[[^]]*\]/"sets":["nonsense","nr_requests=junk","scheduler=x;y","no_such=1"]/g' \
	"$tree/var/lib/iosched-tune/journal.json"
run --root "$tree" status
exits 'made-up values in the journal do no harm' 0

# What was applied cannot be read: verify does not compare with something else.
echo '{' >"$tree/var/lib/iosched-tune/journal.json"
run --root "$tree" verify
fails 'a damaged journal' 1 'not a journal' 'cannot be told'
run -v --root "$tree" status
exits 'a damaged journal: status' 0
says 'a damaged journal: status says what it is worth' 'what was applied is not known'
run --root "$tree" verify --profile balanced
exits 'a damaged journal and a profile that is named' 0
chmod -R a+rX "$tree"
chmod 0 "$tree/var/lib/iosched-tune/journal.json" "$tree/var/lib/iosched-tune"
if [ "$(id -u)" -ne 0 ]; then
	run --root "$tree" verify
	fails 'a journal that only root can read' 5 'only root' '--profile NAME'
elif command -v setpriv >/dev/null 2>&1; then
	chmod 755 "$TMPDIR"
	cp "$IOSCHED_TUNE" "$TMPDIR/program"
	cp -R tests/cli/profiles "$TMPDIR/profiles"
	chmod -R a+rX "$TMPDIR/profiles"
	# From inside the folder of the tests, which is closed to others.
	(cd "$TMPDIR" && IOSCHED_TUNE_PROFILES=profiles setpriv --reuid 65534 --regid 65534 \
		--clear-groups ./program --root tree verify >out 2>err)
	rc=$? out=$(cat "$TMPDIR/out") err=$(cat "$TMPDIR/err")
	fails 'a journal that only root can read' 5 'only root' '--profile NAME'
else
	skipped 'a journal that only root can read' 'no setpriv'
fi
chmod 700 "$tree/var/lib/iosched-tune"

finish
