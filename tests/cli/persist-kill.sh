#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# TIME-LIMIT: 600
#
# persist install and remove, killed before and after each call that changes something:
# every file is the old or the new one, never a part, and remove still brings the first
# bytes back.
set -u
cd "${TOP:?run me through tests/run}" || exit 1

mkdir -p "$TMPDIR/tools"
if ! "${CC:-gcc}" -D_GNU_SOURCE -Isrc -o "$TMPDIR/tools/kill-at" tests/tools/kill-at.c \
	build/libiosched-tune.a 2>"$TMPDIR/cc"; then
	echo '1..1'
	echo 'ok 1 - killed at every call # SKIP kill-at cannot be built'
	exit 0
fi

new_tree()
{
	rm -rf "$TMPDIR/tree"
	cp -R "$TMPDIR/pristine" "$TMPDIR/tree"
}

tree=$TMPDIR/pristine
mkdir -p "$tree"/{etc/default,etc/udev/rules.d,usr/lib/systemd,var/lib,lib/modules/4.19.0/kernel}
touch "$tree/usr/lib/systemd/systemd" "$tree/usr/lib/systemd/systemd-udevd"
echo ID=rhel >"$tree/etc/os-release"
printf 'GRUB_TIMEOUT=5\nGRUB_CMDLINE_LINUX="quiet"' >"$tree/etc/default/grub"
echo '# theirs' >"$tree/etc/udev/rules.d/99-iosched-tune.rules"

run()
{
	local action=$1

	shift
	"$@" "$IOSCHED_TUNE" --quiet persist "$action" --root "$TMPDIR/tree" --profile database \
		-m udev -m systemd -m grub --force >/dev/null 2>&1
}

# The sums of every file that may stand at a place: as it was, and as it will be.
new_tree
(cd "$TMPDIR/tree/etc" && find . -type f -exec cksum {} +) >"$TMPDIR/sums"
run install env || { echo 'Bail out! install fails'; exit 1; }
(cd "$TMPDIR/tree/etc" && find . -type f -exec cksum {} +) >>"$TMPDIR/sums"
cp -R "$TMPDIR/tree" "$TMPDIR/installed"

# Temporary files have names of their own and are not looked at.
check_files()
{
	(cd "$TMPDIR/tree/etc" && find . -type f ! -name '.*.iosched-tune' -exec cksum {} +) |
		while IFS= read -r line; do
			grep -qxF "$line" "$TMPDIR/sums" || echo "a part: $line"
		done
}

check_restored()
{
	run remove env || return 1
	(cd "$TMPDIR/tree" && find etc -type f) | sort >"$TMPDIR/left"
	(cd "$TMPDIR/pristine" && find etc -type f) | sort | cmp -s - "$TMPDIR/left" || return 1
	cmp -s "$TMPDIR/tree/etc/default/grub" "$TMPDIR/pristine/etc/default/grub" &&
		grep -q theirs "$TMPDIR/tree/etc/udev/rules.d/99-iosched-tune.rules" &&
		[ ! -e "$TMPDIR/tree/var/lib/iosched-tune" ]
}

count=0 points=0
for action in install remove; do
	for when in before after; do
		parts=0 lost=0 n=0
		while :; do
			n=$((n + 1))
			if [ $action = install ]; then new_tree; else
				rm -rf "$TMPDIR/tree"; cp -R "$TMPDIR/installed" "$TMPDIR/tree"; fi
			run $action "$TMPDIR/tools/kill-at" $when $n "$TMPDIR/result"
			rc=$?
			[ $rc -eq 0 ] || break
			points=$((points + 1))
			[ -z "$(check_files)" ] || { parts=$((parts + 1)); check_files; }
			check_restored || { lost=$((lost + 1)); echo "# $action, $when call $n: $(cat "$TMPDIR/result")"; }
		done
		count=$((count + 1))
		if [ "$rc" -eq 1 ] && [ $n -gt 20 ] && [ $parts = 0 ] && [ $lost = 0 ]; then
			echo "ok $count - $action killed $when each of $((n - 1)) calls: no part of a file, all comes back"
		else
			echo "not ok $count - $action, $when: $((n - 1)) calls, $parts with a part, $lost not brought back, rc $rc"
		fi
	done
done
echo "# $points points of death"
echo "1..$count"
