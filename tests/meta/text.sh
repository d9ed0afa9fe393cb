#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What must not, or must, stand in the text of the files.
set -u
# shellcheck source=tests/meta/lib.sh
. "$(dirname "$0")/lib.sh"

# Every line of C that the compiler sees, as file:line:text. Comments are gone.
tree 'src/*.c' 'src/*.h' | while IFS= read -r file; do
	"${CC:-gcc}" -w -fpreprocessed -dD -E "$file" </dev/null | awk -v file="$file" '
		/^# [0-9]+ "/ { at = $2 - 1; next }
		{ at++; print file ":" at ":" $0 }'
done >"$TMPDIR/code"

code()
{
	grep -E "^[^:]*:[0-9]+:.*$1" "$TMPDIR/code"
}

{ tree 'src/*.c' 'src/*.h' 'tests/*.c' 'tests/*.h' Makefile .ci/run; scripts; } | sort -u |
	while IFS= read -r file; do
		head -n 3 "$file" | grep -q 'SPDX-License-Identifier: GPL-2.0-or-later' || echo "$file"
	done | empty 'an SPDX line at the top of every source and script'

tree 'src/*.c' 'src/*.h' 'tests/*.c' | while IFS= read -r file; do
	sed -n 2,4p "$file" | grep -qE '^(/\*| \*|//)' || echo "$file"
done | empty 'a paragraph at the top says what each C file is for'

code '"/(sys|proc|dev|run|etc|boot|var|usr|lib)(/|")' | grep -v '^src/sysfs/' |
	empty 'no absolute system path outside src/sysfs'

code '(^|[^_[:alnum:]])(atoi|atol|atoll|atof|strto[a-z]+|sscanf|fscanf|scanf|strtok|strtok_r|v?sprintf|strcpy|strcat|system|popen|gets|tmpnam|mktemp|tempnam|alloca|asctime|vfork)\(' |
	grep -vE '^src/util/number\.c:[^:]*:.*strto(u|i)max' |
	empty 'no call that hides bad input or overruns'

code '(^|[^_>.[:alnum:]])(exit|abort)\(' | grep -v '^src/main.c:' |
	empty 'exit() and abort() only in main.c'

# The words are split so that this file does not hold them.
tree src tests packaging po man profiles rules completions Makefile .ci |
	xargs -r grep -HnIEi '\b(TO''DO|FIX''ME|X''XX|HA''CK|not (yet )?implemen''ted|st''ub)\b' |
	empty 'nothing is left open'

tree | xargs -r grep -HnIE '/wor''k/|\.libra''ry|farm-ben''ch|farm-stud''io|/tmp/bash_jo''bs|/tmp/helpe''rs|/tmp/build-''h' |
	empty 'nothing speaks of one workplace'

tree | grep -E '(~|\.(orig|rej|bak|swp|tmp))$' | empty 'nothing that an editor or a merge left'

tree 'src/*.c' 'src/*.h' 'tests/*.c' 'tests/*.h' 'tests/*.sh' | xargs -r wc -l |
	awk '$2 != "total" && $1 > 600 { print $2 ": " $1 " lines" }' |
	empty 'no file over 600 lines'

if command -v ctags >/dev/null 2>&1 && ctags --version 2>/dev/null | grep -q Universal; then
	tree 'src/*.c' 'tests/*.c' | ctags -L - --languages=C --c-kinds=f --fields=+ne -f - 2>/dev/null |
		awk -F '\t' '{
			line = end = 0
			for (i = 4; i <= NF; i++) {
				if ($i ~ /^line:/) line = substr($i, 6)
				if ($i ~ /^end:/) end = substr($i, 5)
			}
			if (end - line >= 100) print $2 ":" line ": " $1 "() has " end - line + 1 " lines"
		}' | empty 'no function over 100 lines'
else
	skipped 'no function over 100 lines' 'no universal-ctags'
fi

tree src '*.sh' '*.md' 'profiles/*.json' Makefile packaging | xargs -r grep -lIP '\r$' | empty 'no carriage returns'
tree 'src/*.c' 'src/*.h' 'tests/*.c' 'tests/*.sh' Makefile '*.md' | xargs -r grep -HnIE '[ 	]+$' |
	empty 'no blanks at the end of a line'
tree 'src/*.c' 'src/*.h' | xargs -r grep -HnE '^    ' | grep -vE ':[0-9]+: +\*' |
	empty 'C code is indented with tabs'

finish
