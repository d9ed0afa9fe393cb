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
fails 'show: an unknown name' 2 '"databas"' 'database'
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
cat >"$TMPDIR/many.json" <<'EOT'
{
  "name": "many",
  "sumary": "a wrong key",
  "inherits": "no-such-profile",
  "rules": [
    { "match": { "class": ["hd", "ssd", "nvm"], "rotational": "yes" },
      "scheduler": ["mq-dedline", "bfq"],
      "why": { "read_expire": "of a rule with mistakes: not looked at" } },
    { "queue": { "nomerges": 3, "nr_request": 8, "read_ahead_kb": "1s" },
      "why": { "nomerges": "likewise" } },
    { "match": { "class": "hdd" }, "iosched": { "mq-dedline": {}, "bfq": { "slice_idle": -1, "low": 1 } } },
    { "match": {} },
    7,
    { "scheduler": "none", "why": { "nr_requests": "which is not set" } }
  ]
}
EOT
mistakes()
{
	sed -n 's|^iosched-tune: .*many.json:\([0-9]*\): .*|\1|p' <<<"$err" | paste -sd' '
}
on linux-6.1-stack profile check "$TMPDIR/many.json"
exits 'all mistakes: the exit status' 1
same 'all mistakes, each with its line' "$(mistakes)" '3 4 6 6 6 7 9 9 9 11 11 11 12 13 14'
says 'all mistakes: among them' '"sumary"' '"hd"' '"nvm"' '"mq-dedline"' 'nomerges' 'nr_request"' \
	'read_ahead_kb' 'slice_idle' '"low"' 'sets nothing' 'not an object' '"nr_requests", which' \
	'no profile "no-such-profile"'
same 'all mistakes: none that another one causes' "$(grep -c 'explains' <<<"$err")" 1
"$IOSCHED_TUNE" profile check - <"$TMPDIR/many.json" >"$TMPDIR/out" 2>"$TMPDIR/err"
same 'all mistakes: of the standard input, too' "$(grep -c 'standard input' "$TMPDIR/err")" 15
sed -i '/inherits/d' "$TMPDIR/many.json"
printf '{ "name": "child", "inherits": "many", "rules": [\n{ "match": {} } ] }' >"$TMPDIR/child.json"
IOSCHED_TUNE_PROFILES=$TMPDIR on linux-6.1-stack profile check child
says 'and those of its parent, each with its file' "$TMPDIR/child.json:2: the rule sets nothing" \
	"$TMPDIR/many.json:3: unknown key"
{
	printf '{ "name": "p", "rules": [ {}'
	printf ',\n{}%.0s' {2..25}
	printf ' ] }'
} >"$TMPDIR/p.json"
on linux-6.1-stack profile check "$TMPDIR/p.json"
same 'more than somebody reads are counted' "$rc:$(grep -c 'sets nothing' <<<"$err")" 1:20
says 'more than somebody reads are counted' 'and 5 more mistakes'

cat >"$TMPDIR/patterns.json" <<'EOT'
{ "name": "patterns", "summary": "",
  "rules": [
    { "match": { "model": "[unclosed" }, "scheduler": "none", "why": "w" },
    { "match": { "vendor": [ "ok[0-9]", "a[!]b" ] }, "scheduler": "none", "why": "w" },
    { "match": { "serial": "end\\" }, "scheduler": "none", "why": "w" },
    { "match": { "model": [ "[]]x", "[[:digit:]]", "\\[", "[!a]" ] }, "scheduler": "none",
      "why": "" },
    { "scheduler": "none", "why": { "en": "  " } },
    { "scheduler": "none", "why": { "scheduler": "" } }
  ]
}
EOT
on linux-6.1-stack profile check "$TMPDIR/patterns.json"
same 'patterns that do not end, and empty reasons: each with its line' \
	"$rc:$(sed -n 's|^iosched-tune: .*patterns.json:\([0-9]*\): .*|\1|p' <<<"$err" | paste -sd' ')" '1:1 3 4 5 7 8 9'
says '... and what' '"model": the pattern "[unclosed" does not end' '"why" is empty' '"summary" is empty'

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
	on linux-6.1-stack --json profile check "$TMPDIR/many.json"
	same 'JSON: all mistakes' \
		"$rc:$(json '[.line, .more, (.mistakes | length), (.mistakes[-1] | .line, (.path | endswith("many.json")), .hint)]')" \
		'1:[3,0,14,13,true,null]'
	on linux-6.1-stack --json profile check database
	same 'JSON: none' "$(json '[.ok, .error, .mistakes, .more]')" '[true,null,[],0]'
else
	skipped 'JSON' 'no jq'
fi

finish
