#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Builds without what older systems do not have: everything off at once, which prints the
# same; each feature off alone; and a library that is too old is not taken.
# TIME-LIMIT: 900
set -u
# shellcheck source=tests/packages/lib.sh
. "$(dirname "$0")/lib.sh"
need gcc make pkg-config

read -ra features < <(sed -n 's/^FEATURES := //p' Makefile)
same 'there are features' "$([ ${#features[@]} -gt 3 ] && echo yes)" yes
for feature in "${features[@]}"; do
	grep -q "^#define HAVE_$feature 1\$" src/util/feature.h || echo "$feature"
done | empty 'each is told in feature.h'
off=("${features[@]/#/FEATURE_}")
off=("${off[@]/%/=0}")

# beside the tree's own files, as build/ is
mkdir -p "$work/off" && ln -s "$PWD/profiles" "$PWD/tests" "$work/off/"
build=$work/off/build
works 'everything off: it builds without a warning' make -s -j2 SETUP=0 WERROR=1 B="$build" \
	CFLAGS=-O0 "${off[@]}" "$build/iosched-tune"
if command -v readelf >/dev/null 2>&1; then
	readelf -d "$build/iosched-tune" | grep -oE 'lib(smartcols|systemd|zstd|tracefs|traceevent)' |
		empty 'everything off: none of the libraries is linked'
else
	skipped 'everything off: none of the libraries is linked' 'no readelf'
fi
for script in status show apply readme; do
	IOSCHED_TUNE=$build/iosched-tune TMPDIR=$(mktemp -d "$work/cli.XXXXXX") \
		"tests/cli/$script.sh" 2>&1 | grep -A 5 '^not ok' |
		empty "everything off: tests/cli/$script.sh"
done
if command -v zstd >/dev/null 2>&1; then
	zstd -q -o "$work/trace.zst" README.md
	"$build/iosched-tune" simulate --scheduler none --trace "$work/trace.zst" >"$work/out" 2>&1
	same 'without zstd: a compressed trace is refused, with the reason' \
		"$?:$(grep -c 'compressed with zstd, which this program was built without' "$work/out")" 1:1
else
	skipped 'without zstd: a compressed trace is refused, with the reason' 'no zstd'
fi

# Each off alone. Only the files that ask for a feature can differ: they take the place of
# those of the whole build.
mapfile -t files < <(grep -rlF '#include "util/feature.h"' src --include='*.c')
in_place()
{
	(cd "$1" && shift && ar r libiosched-tune.a ./*.o && "$@")
}
table=(--root tests/fixtures/hosts/linux-6.1-stack.txt status)
"$IOSCHED_TUNE" "${table[@]}" >"$work/whole" 2>&1
for feature in "${features[@]}"; do
	one=$work/one-$feature
	mkdir "$one"
	cp build/libiosched-tune.a "$one/"
	read -ra compile < <(make -s --no-print-directory show-flags SETUP=0 WERROR=1 CFLAGS=-O1 \
		"FEATURE_$feature=0")
	read -ra libraries < <(make -s --no-print-directory show-libs SETUP=0 "FEATURE_$feature=0")
	for file in "${files[@]}"; do
		"${compile[@]}" -c -o "$one/$(basename "$file" .c).o" "$file" 2>&1
	done | empty "without $feature: what asks for it compiles"
	works "without $feature: it links" in_place "$one" \
		"${compile[0]}" -pie -pthread -Wl,--as-needed -o iosched-tune "$TOP/build/obj/main.o" \
		libiosched-tune.a "${libraries[@]}"
	IOSCHED_TUNE_PROFILES=$TOP/profiles "$one/iosched-tune" "${table[@]}" >"$work/out" 2>&1
	diff "$work/whole" "$work/out" | empty "without $feature: the same table"
done

# pkg-config of a system with util-linux 2.23 and systemd 219
cat >"$work/pkg-config" <<'END'
#!/bin/sh
case "$*" in
--exists*'>='* | --exists*zstd*) exit 1 ;;
--exists*) exit 0 ;;
esac
exec pkg-config "$@"
END
chmod +x "$work/pkg-config"
same 'a library that is too old is left out' \
	"$(make -s --no-print-directory show-flags PKG_CONFIG="$work/pkg-config" |
		grep -oE -- '-DHAVE_[A-Z_]*=[01]' | sort | tr '\n' ' ')" \
	'-DHAVE_JOURNAL=1 -DHAVE_MOUNT_REFERENCES=0 -DHAVE_SDBUS=0 -DHAVE_SMARTCOLS=0 -DHAVE_TRACEFS=0 -DHAVE_ZSTD=0 '

finish
