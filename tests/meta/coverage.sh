#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The tests about the tests: every source has one, every script is run or sourced, and
# a checker of shell scripts finds nothing in them.
set -u
# shellcheck source=tests/meta/lib.sh
. "$(dirname "$0")/lib.sh"

list=tests/meta/untested.list

# listed FILE: is it excused, with a reason?
listed()
{
	awk -v file="$1" '!/^#/ && $1 == file && NF > 1 { found = 1 } END { exit !found }' "$list"
}

# The unit test of src/x/y-z.c is test-y-z.c, test-x-y-z.c or, where one module is spread
# over files, test-y.c.
unit_test()
{
	local base=${1##*/} folder

	base=${base%.c}
	folder=${1%/*}
	folder=${folder##*/}
	while :; do
		[ -f "tests/unit/test-$base.c" ] && return 0
		[ -f "tests/unit/test-$folder-$base.c" ] && return 0
		case $base in
		*-*) base=${base%-*} ;;
		*) return 1 ;;
		esac
	done
}

# A verb may be tested as a whole instead, by a script named after it.
cli_test()
{
	local base=${1##*/}

	case $1 in
	src/cmd/*) ls "tests/cli/${base%.c}"*.sh ;;
	*) return 1 ;;
	esac >/dev/null 2>&1
}

tree 'src/*.c' | grep -vx src/main.c | while IFS= read -r file; do
	unit_test "$file" || cli_test "$file" || listed "$file" || echo "$file"
done | empty 'every source has a test, or a reason in tests/meta/untested.list'

grep -v '^#' "$list" | while read -r file reason; do
	[ -n "$file" ] || continue
	[ -f "$file" ] || echo "$file is gone"
	[ -n "$reason" ] || echo "$file: no reason"
	if [ -f "$file" ] && { unit_test "$file" || cli_test "$file"; }; then
		echo "$file has a test by now"
	fi
done | empty 'the list of exceptions is up to date'

tree 'tests/meta/*.sh' 'tests/cli/*.sh' 'tests/live/*.sh' 'tests/bench/*.sh' | while IFS= read -r file; do
	[ -x "$file" ] && continue
	grep -rqE "^[[:space:]]*(\.|source) .*${file##*/}" --include='*.sh' "${file%/*}" ||
		echo "$file is neither executable nor sourced"
done | empty 'every test script is run, or sourced by one that is'

tree 'tests/unit/*.c' | while IFS= read -r file; do
	grep -q 'cmocka_run_group_tests' "$file" || { case $file in */test-*) echo "$file" ;; esac; }
done | empty 'every unit test runs a group'

tree 'tests/unit/*.c' 'tests/cli/*.sh' 'tests/live/*.sh' |
	xargs -r grep -HnE '(^|[^_[:alnum:]])(u?sleep|nanosleep)\(|^[[:space:]]*sleep [0-9]+[smh]?[[:space:]]*($|;|\|\|)' |
	empty 'no test waits and hopes'

if command -v shellcheck >/dev/null 2>&1; then
	scripts | xargs shellcheck -x -f gcc 2>&1 | empty 'shellcheck finds nothing'
else
	skipped 'shellcheck finds nothing' 'no shellcheck'
fi

# What it says changes with its version: the others' word is to be read, not a verdict.
case $(cppcheck --version 2>/dev/null) in
*' 2.10'*) make -s --no-print-directory lint-cppcheck 2>&1 | grep -v '^  LINT' |
	empty 'cppcheck finds nothing' ;;
'') skipped 'cppcheck finds nothing' 'no cppcheck' ;;
*) skipped 'cppcheck finds nothing' 'another cppcheck than 2.10: make lint' ;;
esac

finish
