#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The built program: hardened, free of search paths, and its texts extract for translators.
set -u
# shellcheck source=tests/meta/lib.sh
. "$(dirname "$0")/lib.sh"

program=build/iosched-tune

if command -v readelf >/dev/null 2>&1; then
	same 'position independent' "$(readelf -h $program | awk '/Type:/ { print $2 }')" DYN
	same 'marked as PIE' "$(readelf -d $program | grep -c 'FLAGS_1.*PIE')" 1
	same 'relocations are read-only' "$(readelf -lW $program | grep -c GNU_RELRO)" 1
	same 'symbols are bound at start' "$(readelf -d $program | grep -cE 'FLAGS_1.*NOW')" 1
	same 'the stack is not executable' \
		"$(readelf -lW $program | awk '/GNU_STACK/ { print $7 }')" RW
	same 'no segment is writable and executable' \
		"$(readelf -lW $program | awk '/LOAD/ && /RWE/' | wc -l)" 0
	same 'stack protector in use' "$(readelf --dyn-syms -W $program | grep -c ' __stack_chk_fail')" 1
	fortified=$(readelf --dyn-syms -W $program | grep -cE 'UND __[a-z]+_chk')
	same 'fortified calls in use' "$([ "$fortified" -ge 3 ] && echo yes)" yes
	same 'no search path for libraries' "$(readelf -d $program | grep -cE 'RPATH|RUNPATH')" 0
	same 'no relocation in the text' "$(readelf -d $program | grep -c TEXTREL)" 0
else
	skipped 'hardening' 'no readelf'
fi

# Texts for people. xgettext names what it cannot read.
if command -v xgettext >/dev/null 2>&1; then
	pot=$TMPDIR/texts.pot
	make -s --no-print-directory pot V=1 POT="$pot" 2>&1 | empty 'the texts extract without a warning'
	same 'there are texts to translate' "$([ "$(grep -c '^msgid' "$pot")" -gt 20 ] && echo yes)" yes
	tree 'po/*.po' | while IFS= read -r file; do
		msgfmt --check --check-accelerators -o /dev/null "$file" 2>&1
	done | empty 'the translations are well formed'
else
	skipped 'the texts extract without a warning' 'no xgettext'
fi

finish
