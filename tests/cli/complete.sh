#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What shells are offered: verbs, options and arguments, from the tables.
set -u
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/lib.sh"

# asked WORD...: the candidates on one line, without their descriptions.
asked()
{
	run complete -- --root "$hosts/linux-6.1-stack.txt" "$@"
	got=$(cut -f 1 "$TMPDIR/out" | tr '\n' ' ')
	got=${got% }
}

# offers WHAT CANDIDATES WORD...
offers()
{
	local what=$1 wanted=$2

	shift 2
	asked "$@"
	same "$what" "$rc:$got" "0:$wanted"
}

offers 'a verb' 'status' 'stat'
offers 'several verbs' 'profile persist' 'p'
asked ''
same 'every verb of help, and no other' "${got// /$'\n'}" \
	"$("$IOSCHED_TUNE" help | sed -n '/^Verbs:/,/^$/p' | awk '/^  [a-z]/ { print $1 }')"
offers 'nothing after an unknown verb' '' 'statsu' ''
offers 'nothing like it' '' 'xyz'
offers 'a description goes with it' 'verify' 'ver'
prints 'the description' $'verify\tTell whether'

offers 'an option, with its sign' '--profile=' apply --pro
offers 'an option without a value' '--dry-run' apply --dry
offers 'a switch is offered once' '' apply --dry-run --dry
offers 'the same by its letter' '' apply -n --dry
offers 'an option that may repeat' '--set=' apply --set read_ahead_kb=4 --set
offers 'options of the verb only' '' verify --timeo
offers 'letters too' '--json --no-color --quiet -q --verbose -v --version -V --help -h' help -
offers 'globals before the verb' '--no-color' --no-c
offers 'nothing is an option after --' '' apply -- --pro

offers 'the actions of a verb' 'list show check' profile ''
offers 'an action' 'install' persist i
offers 'formats' 'udev systemd grub' generate ''
offers 'what follows an action' 'balanced' profile show bal
offers 'nothing follows some' '' profile list ''
offers 'no argument too many' '' persist install ''
offers 'a verb as argument' 'apply' help app

# Every option of every verb is offered: what parsing knows, a shell knows.
for verb in $("$IOSCHED_TUNE" help | sed -n '/^Verbs:/,/^$/p' | awk '/^  [a-z]/ { print $1 }'); do
	"$IOSCHED_TUNE" help "$verb" | grep -oE '^ {2}(-[a-zA-Z], |    )--[a-z-]+' | grep -oE -- '--.*' |
		grep -vx -e --root | sort >"$TMPDIR/known"
	asked "$verb" --
	same "all options of $verb" "$(tr ' ' '\n' <<<"$got" | tr -d = | sort)" "$(cat "$TMPDIR/known")"
done

run complete
fails 'without a word' 2 'missing argument'
run complete -- --root /nowhere/at/all status ''
same 'a root that is not there: no candidates' "$rc:$out" '1:'
run --help
same 'it is in no list' "$(grep -c complete <<<"$out")" 0

finish
