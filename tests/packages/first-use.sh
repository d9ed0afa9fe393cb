#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The README's first command in a clean Debian 12 with git and make: from git clone to the
# first useful output, everything missing brought by itself. The time is told, not judged.
# TIME-LIMIT: 1500
set -u
# shellcheck source=tests/packages/lib.sh
. "$(dirname "$0")/lib.sh"
need root unshare git
private "$0" "$@"

clean_root first-use git make
mkdir "$root/source"
git -c safe.directory='*' clone -q --bare "file://$TOP" "$root/source/iosched-tune.git" 2>"$work/out" ||
	{ echo "1..0 # SKIP no clone: $(tail -n 1 "$work/out")"; exit 0; }
if ! in_root "$root" apt-get update -q >"$work/out" 2>&1; then
	echo "1..0 # SKIP the archive cannot be reached: $(tail -n 1 "$work/out")"
	exit 0
fi
rm -rf "$root"/var/lib/apt/lists/*
grep -qx 'make run .*' README.md || echo 'no "make run" there' | empty 'the README says what to type'

begin=$(date +%s%N)
in_root "$root" sh -ec '
	git clone -q /source/iosched-tune.git
	cd iosched-tune
	make run' >"$work/out" 2>"$work/err" </dev/null
rc=$?
ms=$((($(date +%s%N) - begin) / 1000000))
if [ $rc -eq 0 ]; then
	point ok 'git clone and make run'
else
	point bad 'git clone and make run' < <(tail -n 20 "$work/out" "$work/err")
fi
same 'it shows the devices' "$(grep -cE '^NAME +CLASS ' "$work/out")" 1
same 'and a dry run' "$(grep -c 'apply --profile database --dry-run' "$work/out")" 1
grep -hE '^(DEVICE|iosched-tune: (no|[0-9]+) )|in force|would be' "$work/out" "$work/err" | head -n 3 | sed 's/^/# /'
echo "# from git clone to the first output: $((ms / 1000)).$((ms % 1000 / 100)) s, packages included"
in_root "$root" sh -c 'cd iosched-tune && make run' >"$work/out" 2>&1 </dev/null
same 'a second time nothing is installed or built' "$?:$(grep -cE 'apt-get|  CC ' "$work/out")" 0:0

finish
