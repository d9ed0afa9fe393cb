#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# profile list, show, check.
set -u
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/lib.sh"

on linux-6.1-stack profile list
golden 'list' profile-list.txt
on linux-6.1-stack profile
golden 'list is what happens without a word' profile-list.txt
on linux-6.1-stack profile show database
sed -i "s|$TOP|TOP|" "$TMPDIR/out"
golden 'show' profile-show.txt
on linux-6.1-stack profile show databas
fails 'show: an unknown name' 1 '"databas"' 'database'
on linux-6.1-stack profile show
fails 'show without a name' 2 'needs a name or a file'
on linux-6.1-stack profile list x
fails 'list with a name' 2 "unexpected argument 'x'"
on linux-6.1-stack profile chekc x
fails 'an unknown word' 2 "did you mean 'check'?"
on linux-6.1-stack profile database
fails 'a name where a word belongs' 2 "did you mean 'profile show database'?"

on linux-6.1-stack profile check database
same 'check: a name' "$rc:$out" $'0:ok\n'
on linux-6.1-stack profile check tests/cli/profiles/balanced.json
same 'check: a file' "$rc:$out" $'0:ok\n'
IOSCHED_TUNE_PROFILES=$TOP/profiles on linux-6.1-stack profile list
same 'the shipped ones are there' "$(awk 'NR > 1 { print $1 }' "$TMPDIR/out" | paste -sd ' ')" \
	'balanced database desktop embedded fileserver low-latency multi-tenant streaming virtual-guest'

# check WHAT JSON STATUS TEXT...: the file and, word for word, the standard input.
check()
{
	local what=$1 status=$3

	printf '%s' "$2" >"$TMPDIR/p.json"
	shift 3
	on linux-6.1-stack profile check "$TMPDIR/p.json"
	fails "$what" "$status" "$@"
	"$IOSCHED_TUNE" profile check - <"$TMPDIR/p.json" >"$TMPDIR/out" 2>"$TMPDIR/err"
	same "$what: from the standard input too" "$?" "$status"
}

check 'not JSON' '{ "name": ' 1 'p.json:1'
check 'an unknown key' $'{\n"name": "p",\n"rulez": [] }' 1 'p.json:3' 'rulez' 'rules'
check 'an unknown class' $'{ "name": "p", "rules": [\n{ "match": { "class": "hd" }, "scheduler": "none" } ] }' \
	1 'p.json:2' '"hd"' 'hdd'
check 'an unknown scheduler' '{ "name": "p", "rules": [ { "match": {}, "scheduler": "mq-dedline" } ] }' \
	1 'mq-dedline' 'mq-deadline'
check 'an unknown attribute' '{ "name": "p", "rules": [ { "match": {}, "queue": { "nr_request": 1 } } ] }' \
	1 'nr_request'
check 'a wrong type' '{ "name": "p", "rules": {} }' 1 'rules'
check 'out of range' '{ "name": "p", "rules": [ { "match": {}, "queue": { "nomerges": 3 } } ] }' 1 'nomerges' '0 to 2'
check 'a wrong unit' '{ "name": "p", "rules": [ { "match": {}, "queue": { "read_ahead_kb": "1s" } } ] }' 1 'read_ahead_kb'
check 'its own parent' '{ "name": "p", "inherits": "./p.json", "rules": [] }' 1 'p.json'
check 'an empty file' '' 1 'p.json'
check 'deep nesting' "$(printf '[%.0s' $(seq 200))" 1 'p.json'
head -c 2000000 /dev/zero | tr '\0' ' ' >"$TMPDIR/p.json"
on linux-6.1-stack profile check "$TMPDIR/p.json"
fails 'an oversized file' 1 'p.json'
"$IOSCHED_TUNE" profile check - <"$TMPDIR/p.json" >"$TMPDIR/out" 2>"$TMPDIR/err"
same 'an oversized standard input' "$?:$(grep -c 'standard input' "$TMPDIR/err")" 1:1
on linux-6.1-stack profile check "$TMPDIR/none.json"
fails 'no such file' 1 'none.json'
on linux-6.1-stack profile check "$TMPDIR/"
fails 'a folder' 1 "$TMPDIR"
on linux-6.1-stack profile check /dev/null
fails 'a device' 1 'not a regular file'

if command -v jq >/dev/null 2>&1; then
	on linux-6.1-stack --json profile show database
	same 'JSON: rules and parent' \
		"$(json '[.profile.name, .profile.rules[0].match.class, .profile.inherits.name, .profile.rules[0].settings[0].unit]')" \
		'["database",["hdd","raid"],"balanced","ms"]'
	on linux-6.1-stack --json profile list
	same 'JSON: list' "$(json '[.profiles[].name]')" '["balanced","database"]'
	printf '{ "name": "p",\n"rulez": [] }' >"$TMPDIR/p.json"
	on linux-6.1-stack --json profile check "$TMPDIR/p.json"
	same 'JSON: check' "$rc:$(json '[.ok, .line, (.error | length > 0)]')" '1:[false,2,true]'
else
	skipped 'JSON' 'no jq'
fi

finish
