#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The Makefile keeps its word: each target that help, README or CONTRIBUTING names exists,
# and what install puts somewhere uninstall takes away.
set -u
# shellcheck source=tests/meta/lib.sh
. "$(dirname "$0")/lib.sh"

# Is it a target? Asked of the database of make, nothing is run.
make -pnq --no-print-directory SETUP=0 2>/dev/null | sed -n 's/^\([a-z][a-z-]*\):.*/\1/p' | sort -u >"$TMPDIR/targets"

make -s --no-print-directory help | awk '
	/^Targets:/ { on = 1; next }
	/^Settings:/ { on = 0 }
	on && /^  [a-z]/ { print $1 }' >"$TMPDIR/help"
same 'help names the targets' "$([ "$(wc -l <"$TMPDIR/help")" -ge 15 ] && echo yes)" yes
grep -vxFf "$TMPDIR/targets" "$TMPDIR/help" | empty 'every target of help exists'

# In prose `make x` stands in backquotes, in examples at the start of a line.
tree '*.md' | while IFS= read -r file; do
	grep -onE '(`|^[ 	]*(\$ |# |sudo )?)make [a-z][a-z-]*' "$file" |
		sed -E "s|^([0-9]+):.*make ([a-z-]+)\$|\2 $file:\1|"
done | while read -r target place; do
	grep -qxF "$target" "$TMPDIR/targets" || echo "$place: make $target"
done | empty 'every make command in the documents exists'

# The same for verbs of the program.
build/iosched-tune --help 2>/dev/null | sed -n 's/^  \([a-z][a-z-]*\)  .*/\1/p' | sort -u >"$TMPDIR/verbs"
same 'the program lists its verbs' "$(grep -xc -e status -e apply "$TMPDIR/verbs")" 2
tree '*.md' | while IFS= read -r file; do
	grep -onE '(`|^[ 	]*(\$ |# )?)(sudo )?(build/)?iosched-tune [a-z][a-z-]*' "$file" |
		sed -E "s|^([0-9]+):.*iosched-tune ([a-z-]+)\$|\2 $file:\1|"
done | while read -r verb place; do
	grep -qxF "$verb" "$TMPDIR/verbs" || echo "$place: iosched-tune $verb"
done | empty 'every verb in the documents exists'

for command in 'make run' 'make check'; do
	grep -qF "$command" README.md 2>/dev/null || echo "$command"
done | empty 'README gives the two commands'

# What the documents call a file of the tree is one. Capitals are placeholders.
tree '*.md' | while IFS= read -r file; do
	# shellcheck disable=SC2016 # backquotes of the document
	grep -ohE '`(src|tests|profiles|packaging|rules|man|po)/[a-z0-9_./-]*`' "$file" | tr -d '`' |
		while IFS= read -r path; do [ -e "$path" ] || echo "$file: $path"; done
done | empty 'every path in the documents exists'

# Dependencies: what the Makefile links is what the installer knows.
sed -n 's/^\(TEST_\)\{0,1\}PACKAGES := //p; s/^[A-Z_]*_NEEDS *:= \([a-z]*\).*/\1/p' Makefile |
	tr ' ' '\n' | while IFS= read -r module; do
	grep -qE "^(build|want|opt|test) +pc:$module " packaging/install-build-deps || echo "$module"
done | empty 'the installer knows every library of the Makefile'

root=$TMPDIR/root
if make -s SETUP=0 install DESTDIR="$root" prefix=/usr >"$TMPDIR/log" 2>&1; then
	same 'install puts the program in place' "$([ -x "$root/usr/bin/iosched-tune" ] && echo yes)" yes
	tree 'profiles/*.json' | while IFS= read -r file; do
		cmp -s "$file" "$root/usr/share/iosched-tune/$file" || echo "$file"
	done | empty 'install puts every profile in place'
	find "$root" -type f -perm /022 | empty 'nothing that is installed can be written by others'
	make -s SETUP=0 uninstall DESTDIR="$root" prefix=/usr >>"$TMPDIR/log" 2>&1
	find "$root" ! -type d | empty 'uninstall leaves nothing'
else
	empty 'install works' <"$TMPDIR/log"
fi

version=$(sed -n 's/^VERSION := //p' Makefile)
same 'the packages have the version of the program' \
	"$(sed -n '1s/.*(\(.*\)).*/\1/p' packaging/debian/changelog):$(sed -n 's/^Version: *//p' packaging/rpm/iosched-tune.spec)" \
	"$version:$version"

finish
