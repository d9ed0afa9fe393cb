#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The architecture, as far as a script can see it: includes go one way, every header
# stands alone, nothing changes behind the back of a function.
set -u
# shellcheck source=tests/meta/lib.sh
. "$(dirname "$0")/lib.sh"

# A file includes its own folder and folders of a lower rank. The engine stands aside: it
# knows util and tunable only, and only diagnose (which reads traces), bench (whose workloads and
# results are of its kind), report and cmd know it.
may_include()
{
	local from=$1 to=$2

	[ "$from" = "$to" ] && return 0
	case $from in
	sim) [ "$to" = util ] || [ "$to" = tunable ]; return ;;
	esac
	case $to in
	sim) [ "$from" = diagnose ] || [ "$from" = bench ] || [ "$from" = report ] || [ "$from" = cmd ] || [ "$from" = main ]; return ;;
	esac
	[ "$(rank "$to")" -lt "$(rank "$from")" ]
}

rank()
{
	case $1 in
	util) echo 0 ;;
	sysfs | tunable) echo 1 ;;
	device) echo 2 ;;
	policy) echo 3 ;;
	plan) echo 4 ;;
	apply | persist | recorder) echo 5 ;;
	diagnose) echo 6 ;;
	bench) echo 7 ;;
	report) echo 8 ;;
	cmd) echo 9 ;;
	main) echo 10 ;;
	*) echo 99 ;;
	esac
}

includes()
{
	tree 'src/*.c' 'src/*.h' | xargs -r grep -Hn '^[ 	]*#[ 	]*include[ 	]*"' |
		sed 's/#[ \t]*include[ \t]*"\([^"]*\)".*/\1/'
}

includes | while IFS=: read -r file line header; do
	from=${file#src/}
	case $from in
	*/*) from=${from%%/*} ;;
	*) from=main ;;
	esac
	case $header in
	*/*) ;;
	*) echo "$file:$line: \"$header\" is not named from src/"; continue ;;
	esac
	may_include "$from" "${header%%/*}" || echo "$file:$line: $from must not include ${header%%/*} ($header)"
done | empty 'includes go one way: util, {sysfs tunable}, device, policy, plan, {apply persist recorder}, diagnose, bench, report, cmd'

tree 'src/*.c' | while IFS= read -r file; do
	folder=${file#src/}
	[ "$(rank "${folder%%/*}")" = 99 ] && [ "${folder%%/*}" != sim ] && [ "$folder" != main.c ] && echo "$file"
done | empty 'every source lies in a folder of the architecture'

tree 'src/*.c' | while IFS= read -r file; do
	own=${file#src/}
	own=${own%.c}.h
	[ -f "src/$own" ] || continue
	first=$(grep -m 1 '^#[ 	]*include' "$file")
	[ "$first" = "#include \"$own\"" ] || echo "$file: its own header comes first, not ${first:-nothing}"
done | empty 'a source includes its own header first'

compile=$(make -s --no-print-directory show-flags)
alone()
{
	tree 'src/*.h' | while IFS= read -r file; do
		eval "$compile -Werror -Wno-unused-function -fsyntax-only -x c" '"$file"' 2>&1 | head -n 4
	done
}
alone | empty 'every header compiles alone'

tree 'src/*.h' | while IFS= read -r file; do
	awk '/^#ifndef / { guard = $2 } /^#define / && $2 == guard { found = 1 } END { exit !found }' "$file" ||
		echo "$file"
done | empty 'every header has a guard'

# Writable data of the program: the log level and its like, one by one and with a reason.
allowed=' '
while read -r symbol _; do
	case $symbol in '' | '#'*) ;; *) allowed="$allowed$symbol " ;; esac
done <tests/meta/globals.list
objdump -t build/libiosched-tune.a build/obj/main.o 2>/dev/null |
	awk '/file format/ { object = $1; next }
	     / O \.(data|bss|tdata|tbss)/ && !/\.data\.rel\.ro/ { print object, $NF }' |
	while read -r object symbol; do
		base=${symbol%.[0-9]*}
		case $allowed in *" $base "*) ;; *) echo "$object $base" ;; esac
	done | empty 'no globals that change but those in tests/meta/globals.list'

finish
