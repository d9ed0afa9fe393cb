#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Help of the program and of every verb: what it lists is accepted, what is accepted is
# listed, and nothing is wider than the terminal.
set -u
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/lib.sh"

run --help
exits 'help of the program' 0
golden 'help of the program' help.txt
run help
golden 'help without a verb is the same' help.txt
run
same 'without a verb: usage on stderr' "$rc:$out" '2:'
says 'without a verb: the verbs are named' 'Usage: iosched-tune VERB' 'status' 'restore'
run --version
same 'version' "$rc:$out" "0:iosched-tune $(sed -n 's/^VERSION := //p' Makefile)"$'\n'
run status --version
same 'version after a verb' "${out%% *}" iosched-tune

# The options that a help text lists, without the globals: "-o --output COLUMN,...".
options()
{
	"$IOSCHED_TUNE" help "$1" | sed -n '/^Options:$/,/^$/p' |
		grep -oE '^ {2}(-[a-z], |    )--[a-z-]+( [A-Z|.,=]+)?' | tr -s ' ,' ' '
}

# A value that an option takes, by its placeholder.
sample()
{
	case $1 in
	KEY=VALUE | KEY=RANGE) echo nr_requests=64 ;;
	SECONDS) echo 5 ;;
	COLUMN*) echo NAME ;;
	FILE) echo "$TMPDIR/file" ;;
	METHOD*) echo auto ;;
	OBJECTIVE) echo iops ;;
	FORMAT) echo table ;;
	KIND) echo all ;;
	*) echo balanced ;;
	esac
}

"$IOSCHED_TUNE" help | sed -n '/^Verbs:/,/^$/p' | awk '/^  [a-z]/ { print $1 }' >"$TMPDIR/verbs"
same 'every verb has its file' "$(sed 's|.*|src/cmd/&.c|' "$TMPDIR/verbs" | sort)" \
	"$(grep -lE '^const struct verb verb_[a-z]+ = ' src/cmd/*.c | xargs grep -L 'is_hidden = true' | sort)"

while read -r verb <&3; do
	run help "$verb"
	golden "help $verb" "help-$verb.txt"
	cp "$TMPDIR/out" "$TMPDIR/first"
	run "$verb" --help
	same "$verb --help is help $verb" "$rc:$(cmp "$TMPDIR/out" "$TMPDIR/first" && echo equal)" 0:equal
	run "$verb" --help a b c
	exits "$verb --help wins over arguments that are wrong" 0
	run "$verb" --no-such-option
	fails "$verb: an unknown option" 2 "unknown option '--no-such-option'"
	same "$verb: no line over 80 columns" "$(awk 'length > 80' "$TMPDIR/first")" ''
	# Each option with its value, then --help so that nothing is done.
	options "$verb" | while read -r short long placeholder; do
		[ "${short#--}" = "$short" ] || { placeholder=$long long=$short short=; }
		value=()
		[ -z "$placeholder" ] || value=("$(sample "$placeholder")")
		run "$verb" "$long" "${value[@]}" --no-such-option
		fails "$verb $long is accepted" 2 "'--no-such-option'"
		if [ -n "$placeholder" ]; then
			run "$verb" "$long"
			fails "$verb $long without its value" 2 'needs a value'
		fi
		[ -n "$short" ] || continue
		run "$verb" "$short" "${value[@]}" --no-such-option
		fails "$verb $short is accepted" 2 "'--no-such-option'"
	done
done 3<"$TMPDIR/verbs"

run statsu
fails 'an unknown verb' 2 "unknown verb 'statsu'" "did you mean 'status'?"
run help statsu
fails 'help of an unknown verb' 2 "did you mean 'status'?"
run frobnicate
fails 'a verb like no other' 2 "see 'iosched-tune --help'"
run status --profle x
fails 'a misspelt option' 2 "did you mean '--profile'?"
run help status verify
fails 'an argument too many' 2 "unexpected argument 'verify'"

# Globals may stand anywhere.
on linux-6.1-stack --json status -o NAME
first=$out
run status -o NAME --root $hosts/linux-6.1-stack.txt --json
same 'globals after the verb' "$rc:$out" "0:$first"

finish
