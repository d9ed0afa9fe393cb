#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What is printed arrives, or the exit status says so: full disks, closed descriptors,
# readers that go away; terminals get colours and a legend, pipes do not.
set -u
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/lib.sh"

root=$hosts/linux-6.1-stack.txt

# into REDIRECTION ARGS...
while IFS='|' read -r what args; do
	if [ -w /dev/full ]; then
		# shellcheck disable=SC2086 # words are meant
		"$IOSCHED_TUNE" $args >/dev/full 2>"$TMPDIR/err"
		rc=$? out='' err=$(cat "$TMPDIR/err")
		fails "full disk: $what" 1 'standard output: No space left on device'
	else
		skipped "full disk: $what" 'no /dev/full'
	fi
	# shellcheck disable=SC2086
	"$IOSCHED_TUNE" $args >&- 2>"$TMPDIR/err"
	rc=$? out='' err=$(cat "$TMPDIR/err")
	fails "closed output: $what" 1 'standard output'
	# The reader ends at once: no message, and no death by a signal.
	# shellcheck disable=SC2086
	{ "$IOSCHED_TUNE" $args 2>"$TMPDIR/err"; echo $? >"$TMPDIR/rc"; } | true
	same "reader gone: $what" "$(cat "$TMPDIR/rc"):$(cat "$TMPDIR/err")" 0:
done <<EOT
help|help
version|--version
status|--root $root status
status as JSON|--root $root --json status
show|--root $root show sda
profile|--root $root profile show database
plan|--root $root -q apply --profile database --dry-run
snapshot|--root $root snapshot
EOT
if [ -w /dev/full ]; then
	"$IOSCHED_TUNE" --root $root verify --profile database >/dev/full 2>"$TMPDIR/err"
	same 'drift stays drift when it cannot be printed' "$?" 4
else
	skipped 'drift stays drift when it cannot be printed' 'no /dev/full'
fi

if command -v script >/dev/null 2>&1 && script -qec true /dev/null >/dev/null 2>&1; then
	tty()
	{
		TERM=xterm script -qec "stty cols 80; $1" /dev/null </dev/null | tr -d '\r' >"$TMPDIR/out"
		out=$(cat "$TMPDIR/out")
	}
	rc=0 err=
	: >"$TMPDIR/err"
	tty "$IOSCHED_TUNE --root $root status --profile database"
	prints 'terminal: a legend' 'profile database (as asked): 2 in force, 1 drift' \
		'iosched-tune apply --profile database'
	tty "$IOSCHED_TUNE --root $hosts/linux-6.18-memory.txt status --profile database loop0"
	prints 'terminal: and the device that was named' 'verify --profile database loop0' \
		'apply --profile database loop0'
	cp tests/cli/profiles/database.json "$TMPDIR/mine.json"
	tty "$IOSCHED_TUNE --root $root status --profile $TMPDIR/mine.json"
	prints 'terminal: a profile of one'"'"'s own is named by its file' "apply --profile $TMPDIR/mine.json"
	tty "$IOSCHED_TUNE --root $root status --profile database"
	prints 'terminal: colours' $'\e['
	for command in '--root tests/fixtures/diagnose/pending-sectors.txt diagnose' \
		"--root $root persist status" 'profile list' 'status -o help'; do
		TERM=dumb script -qec "stty cols 40; $IOSCHED_TUNE $command" /dev/null \
			</dev/null 2>"$TMPDIR/err" | tr -d '\r' >"$TMPDIR/out"
		# a word that is longer than the line stays whole, and so do messages
		same "terminal: 40 columns are enough: $command" \
			"$(awk 'length > 40 && !/^ *[^ ]+$/ && !/^iosched-tune: /' "$TMPDIR/out" | head -n 3)" ''
	done
	tty "$IOSCHED_TUNE --root $root --no-color status"
	same 'terminal: no colours when not wanted' "$(grep -c $'\e' "$TMPDIR/out")" 0
	tty "NO_COLOR=1 $IOSCHED_TUNE --root $root status"
	same 'terminal: no colours by NO_COLOR' "$(grep -c $'\e' "$TMPDIR/out")" 0
	tty "TERM=dumb $IOSCHED_TUNE --root $root status"
	same 'terminal: no colours where it has none' "$(grep -c $'\e' "$TMPDIR/out")" 0
	tty "TERM=dumb $IOSCHED_TUNE simulate --kernel 6.12 --ios 2000 -s none"
	same 'terminal: no line of progress there' "$(grep -c $'\e' "$TMPDIR/out")" 0
	tty "$IOSCHED_TUNE --root $root --json status"
	same 'terminal: JSON has no legend' "$(jq -r .profile "$TMPDIR/out" 2>&1)" balanced
	tty "$IOSCHED_TUNE --root $root --no-color show sdc --profile database"
	same 'terminal: 80 columns are enough for show' "$(awk 'length > 80' "$TMPDIR/out")" ''
	tty "$IOSCHED_TUNE --root $root --no-color apply --dry-run --profile database"
	same 'terminal: 80 columns are enough for a plan' "$(awk 'length > 80' "$TMPDIR/out")" ''
	prints 'terminal: the reasons follow the table' 'database.json:13: scans are long'
else
	skipped 'terminal' 'no script(1)'
fi

finish
