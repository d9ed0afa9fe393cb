#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# persist install and remove on trees: what is written, what is refused, and that every
# byte comes back.
set -u
cd "${TOP:?run me through tests/run}" || exit 1

count=0
point()
{
	count=$((count + 1))
	if [ "$1" = 0 ]; then echo "ok $count - $2"; else echo "not ok $count - $2"; fi
}

# A tree as debootstrap leaves it, more or less.
new_tree()
{
	tree=$TMPDIR/$1
	mkdir -p "$tree"/{etc/default,etc/udev/rules.d,usr/lib/systemd,var/lib,proc/sys/kernel,lib/modules/4.19.0/kernel}
	touch "$tree/usr/lib/systemd/systemd" "$tree/usr/lib/systemd/systemd-udevd"
	echo ID=debian >"$tree/etc/os-release"
	printf 'GRUB_TIMEOUT=5\nGRUB_CMDLINE_LINUX="quiet"' >"$tree/etc/default/grub"
}

# Every path, mode, link and content.
state()
{
	(cd "$1" && find . ! -path ./etc/udev ! -path './var/lib*' | sort | while IFS= read -r path; do
		if [ -h "$path" ]; then echo "$path -> $(readlink "$path")"
		elif [ -d "$path" ]; then echo "$path/"
		else echo "$path $(stat -c %a "$path") $(cksum <"$path")"; fi
	done)
}

persist()
{
	"$IOSCHED_TUNE" persist "$@" --root "$tree" >"$TMPDIR/out" 2>"$TMPDIR/err"
}

new_tree a
state "$tree" >"$TMPDIR/before"
persist install --dry-run --profile database
rc=$?
state "$tree" | cmp -s - "$TMPDIR/before" && [ ! -e "$tree/var/lib/iosched-tune" ] && [ $rc -eq 0 ]
point $? 'a dry run changes nothing'
if command -v patch >/dev/null 2>&1; then
	cp -R "$tree" "$TMPDIR/patched"
	(cd "$TMPDIR/patched" && patch -s -p1 <"$TMPDIR/out")
	point $? 'its difference is one that patch takes'
fi
persist install --profile database
point $? 'install'
if [ -d "$TMPDIR/patched" ]; then
	diff -r "$TMPDIR/patched/etc" "$tree/etc"
	point $? 'and gives the same files'
fi
[ "$(stat -c %a "$tree/etc/udev/rules.d/99-iosched-tune.rules")" = 644 ] &&
	[ "$(stat -c %a "$tree/var/lib/iosched-tune")" = 700 ]
point $? 'modes: rules 0644, state folder 0700'
persist install --profile database && grep -q 'everything was there' "$TMPDIR/err"
point $? 'a second install writes nothing'
persist status
point $? 'status: it holds'
persist install --dry-run && [ ! -s "$TMPDIR/out" ]
point $? 'without --profile the installed one is kept'
persist install --profile streaming && persist status --json &&
	grep -q '"profile": "streaming"' "$TMPDIR/out"
point $? 'another profile takes the place of the first'
persist remove
point $? 'remove'
rmdir "$tree/etc/systemd/system" "$tree/etc/systemd" 2>/dev/null
state "$tree" | diff "$TMPDIR/before" - && [ ! -e "$tree/var/lib/iosched-tune" ]
point $? 'everything is as before, and no file is left'
persist remove && grep -q 'nothing is installed' "$TMPDIR/err"
point $? 'nothing to remove is no error'
persist remove --dry-run && [ ! -s "$TMPDIR/out" ] && grep -q 'nothing is installed' "$TMPDIR/err"
point $? 'and a dry run says it as well'
persist status
[ $? -eq 4 ]
point $? 'status without an install: 4'

# Several methods, and GRUB.
persist install -m udev -m systemd -m grub --profile database
point $? 'three methods at once'
grep -q 'LINUX elevator=deadline"$' "$tree/etc/default/grub.d/99-iosched-tune.cfg" &&
	[ -h "$tree/etc/systemd/system/basic.target.wants/iosched-tune.service" ]
point $? 'drop-in and link are there'
grep -q "update-grub" "$TMPDIR/err"
point $? 'the command that the tree needs is named'
persist remove -m grub && [ ! -e "$tree/etc/default/grub.d/99-iosched-tune.cfg" ] &&
	[ -e "$tree/etc/udev/rules.d/99-iosched-tune.rules" ]
point $? 'one method is removed alone'
persist remove --dry-run && grep -q '^--- a/etc/udev/rules.d' "$TMPDIR/out" &&
	[ -e "$tree/etc/udev/rules.d/99-iosched-tune.rules" ]
point $? 'remove --dry-run shows and keeps'
persist remove
echo 'ID=rhel' >"$tree/etc/os-release"
cp "$tree/etc/default/grub" "$TMPDIR/grub"
chmod 600 "$tree/etc/default/grub"
persist install -m grub --profile database && grep -q '"quiet elevator=deadline"' "$tree/etc/default/grub" &&
	[ "$(stat -c %a "$tree/etc/default/grub")" = 600 ]
point $? 'without drop-ins /etc/default/grub itself is edited, and keeps its mode'
persist remove && cmp -s "$TMPDIR/grub" "$tree/etc/default/grub"
point $? 'and its bytes come back'

# Bad input.
new_tree b
echo '# the administrator wrote this' >"$tree/etc/udev/rules.d/99-iosched-tune.rules"
persist install
[ $? -eq 1 ] && grep -q 'not ours' "$TMPDIR/err" && grep -q -- --force "$TMPDIR/err" &&
	grep -q administrator "$tree/etc/udev/rules.d/99-iosched-tune.rules" &&
	[ ! -e "$tree/etc/systemd/system/iosched-tune@.service" ]
point $? 'a foreign file is not overwritten, and nothing else is written'
persist install --force && persist remove &&
	grep -q administrator "$tree/etc/udev/rules.d/99-iosched-tune.rules"
point $? 'with --force a copy is kept, and remove brings it back'
rm "$tree/etc/udev/rules.d/99-iosched-tune.rules"
persist install
echo '# by hand' >>"$tree/etc/udev/rules.d/99-iosched-tune.rules"
persist status
[ $? -eq 4 ] && grep -q 'edited by hand' "$TMPDIR/out"
point $? 'status sees that rules were edited by hand'
persist install --profile database
[ $? -eq 1 ] && grep -q 'edited by hand' "$TMPDIR/err"
point $? 'install does not replace them'
persist remove
[ $? -eq 1 ] && [ -e "$tree/etc/udev/rules.d/99-iosched-tune.rules" ]
point $? 'remove does not take them'
kept=/var/lib/iosched-tune/backup/etc/udev/rules.d/99-iosched-tune.rules.removed
persist remove --force && [ ! -e "$tree/etc/udev/rules.d/99-iosched-tune.rules" ] &&
	grep -q 'by hand' "$tree$kept" && grep -q "was kept: $kept" "$TMPDIR/out" "$TMPDIR/err"
point $? 'remove --force does, and keeps a copy'

new_tree c
echo secret >"$TMPDIR/secret"
ln -s "$TMPDIR/secret" "$tree/etc/udev/rules.d/99-iosched-tune.rules"
persist install --force
[ $? -eq 1 ] && grep -q '/etc/udev/rules.d/99-iosched-tune.rules: is a symbolic link' "$TMPDIR/err" &&
	grep -q 'look where it leads' "$TMPDIR/err" && [ "$(cat "$TMPDIR/secret")" = secret ] &&
	[ -z "$(find "$tree/etc" -name 'iosched-tune*')" ]
point $? 'a planted link is not followed, with --force neither'
rm "$tree/etc/udev/rules.d/99-iosched-tune.rules"
mkdir -p "$tree/etc/systemd/system/basic.target.wants"
ln -s "$TMPDIR/secret" "$tree/etc/systemd/system/iosched-tune.service"
persist install --method systemd --force
[ $? -eq 1 ] && grep -q '/etc/systemd/system/iosched-tune.service: is a symbolic link' "$TMPDIR/err" &&
	[ "$(cat "$TMPDIR/secret")" = secret ]
point $? 'nor one in the place of a unit'
rm "$tree/etc/systemd/system/iosched-tune.service"
ln -s /elsewhere "$tree/etc/systemd/system/basic.target.wants/iosched-tune.service"
persist install --method systemd --force
[ $? -eq 1 ] && grep -q 'basic.target.wants/iosched-tune.service: something else' "$TMPDIR/err" &&
	! grep -q -- --force "$TMPDIR/err" && [ ! -e "$tree/etc/systemd/system/iosched-tune.service" ]
point $? 'a link that leads elsewhere is left, and what helps is said'
rm -r "$tree/etc/systemd"

# What was written in a unit by hand.
persist install --method systemd
echo '# by hand' >>"$tree/etc/systemd/system/iosched-tune.service"
persist status
[ $? -eq 4 ] && grep -q 'edited by hand' "$TMPDIR/out"
point $? 'status sees that a unit was edited by hand'
persist install --method systemd --profile database
[ $? -eq 1 ] && grep -q 'iosched-tune.service: was edited by hand' "$TMPDIR/err" &&
	grep -q 'by hand' "$tree/etc/systemd/system/iosched-tune.service"
point $? 'install does not replace it'
persist install --method systemd --force && persist status &&
	grep -q 'by hand' "$tree/var/lib/iosched-tune/backup/etc/systemd/system/iosched-tune.service.edited"
point $? 'with --force it does, and keeps a copy'
persist remove

# refused WHAT TEXT... ARGUMENTS: exit status 1, both texts, nothing written
refused()
{
	local what=$1 cause=$2 hint=$3 rc

	shift 3
	persist "$@"
	rc=$?
	grep -q "$cause" "$TMPDIR/err" && [ "$(tail -n 1 "$TMPDIR/err")" = "iosched-tune: $hint" ] &&
		[ $rc -eq 1 ] && [ -z "$(find "$tree/etc" -name '*iosched-tune*.*')" ]
	point $? "$what"
}
# A folder that is no system: a mount that is missing, a name that is wrong.
tree=$TMPDIR/empty
mkdir "$tree"
for method in auto udev systemd grub; do
	persist install --method $method
	rc=$?
	[ $rc -eq 1 ] && grep -q "$tree: this is no tree of a system: it has neither etc nor usr" "$TMPDIR/err" &&
		grep -q 'iosched-tune-persist(1)' "$TMPDIR/err" && [ -z "$(find "$tree" -mindepth 1)" ]
	point $? "an empty folder: said, and what to do (--method $method)"
done

by_hand="run 'iosched-tune apply --profile balanced' from the init scripts"
new_tree d
rm "$tree/usr/lib/systemd/"*
refused 'no udev, no systemd: said' 'udev is not installed here; systemd does not run' "$by_hand" install
refused 'no udev, asked for' 'udev is not installed here' "$by_hand" install --method udev
refused 'no systemd, asked for' 'systemd does not run this system' "$by_hand" install --method systemd
touch "$tree/.dockerenv"
refused 'a container without either' 'this is a container' 'install on the host' install
touch "$tree/usr/lib/systemd/systemd"
rm "$tree/.dockerenv"
refused 'no udev: the way that there is' 'udev is not installed here' 'use --method systemd' install --method udev
persist install && [ -h "$tree/etc/systemd/system/basic.target.wants/iosched-tune.service" ] && persist remove
point $? 'no udev: auto takes the unit'
new_tree e
rm "$tree/usr/lib/systemd/systemd"
refused 'no systemd: the way that there is' 'systemd does not run this system' 'use --method udev' install --method systemd
persist install && grep -q 'hidden paths of NVMe multipath send no events' "$TMPDIR/err" && persist status && persist remove
point $? 'no systemd: rules alone, and what they cannot reach is said'
touch "$tree/.dockerenv" "$tree/usr/lib/systemd/systemd"
for method in auto udev systemd; do
	refused "a container: said (--method $method)" 'this is a container' \
		'install on the host; --force installs here all the same' install --method $method
done

# An override that cannot be understood: nothing is written, but removing works.
new_tree j
mkdir -p "$tree/etc/iosched-tune/devices.d"
persist install
printf '{ "devices": [\n' >"$tree/etc/iosched-tune/devices.d/x.json"
for action in 'install --profile database' 'install --dry-run' status; do
	# shellcheck disable=SC2086 # words are meant
	persist $action
	[ $? -eq 1 ] && grep -q '/etc/iosched-tune/devices.d/x.json:1: not valid JSON' "$TMPDIR/err" &&
		grep -q 'correct the file, or move it out' "$TMPDIR/err" &&
		grep -q 'for the profile balanced' "$tree/etc/udev/rules.d/99-iosched-tune.rules"
	point $? "a broken file in devices.d: $action names file, line, cause and what to do"
done
persist remove && [ ! -e "$tree/etc/udev/rules.d/99-iosched-tune.rules" ] && [ ! -e "$tree/var/lib/iosched-tune" ]
point $? 'a broken file in devices.d: remove works'

# The list of what was installed is broken.
rm -r "$tree/etc/iosched-tune"
echo '# theirs' >"$tree/etc/udev/rules.d/99-iosched-tune.rules"
persist install -m udev -m systemd --force
for content in '{ "broken' '{ "version": 99 }' ''; do
	printf '%s' "$content" >"$tree/var/lib/iosched-tune/persist.json"
	for action in install status remove; do
		persist $action
		[ $? -eq 1 ] && grep -q '/var/lib/iosched-tune/persist.json' "$TMPDIR/err" &&
			grep -q 'persist remove --force' "$TMPDIR/err"
		point $? "a broken list of files ('$content'): $action says what to do"
	done
done
persist remove --force && [ "$(cat "$tree/etc/udev/rules.d/99-iosched-tune.rules")" = '# theirs' ] &&
	[ ! -e "$tree/etc/systemd/system/iosched-tune.service" ] && [ ! -e "$tree/var/lib/iosched-tune" ] &&
	[ ! -h "$tree/etc/systemd/system/basic.target.wants/iosched-tune.service" ]
point $? 'a broken list of files: remove --force takes out what is ours, and brings back what was there'
new_tree f
printf 'GRUB_CMDLINE_LINUX="quiet\n' >"$tree/etc/default/grub"
echo ID=rhel >"$tree/etc/os-release"
persist install -m grub --profile database
[ $? -eq 1 ] && grep -q 'etc/default/grub:1' "$TMPDIR/err" &&
	[ "$(cat "$tree/etc/default/grub")" = 'GRUB_CMDLINE_LINUX="quiet' ]
point $? 'a file that is not understood is left alone, with its line'
printf '# iosched-tune snapshot 1\n/usr/lib/systemd/systemd-udevd = x\n' >"$TMPDIR/snapshot"
tree=$TMPDIR/snapshot
for action in install remove status; do
	persist $action
	[ $? -eq 5 ] && grep -q 'snapshot: a snapshot holds the devices of a system, not its files' "$TMPDIR/err" &&
		grep -q 'generate udev' "$TMPDIR/err" && ! grep -q 'udev is not installed' "$TMPDIR/err"
	point $? "a snapshot: $action says why not, exit status 5"
done
tree=$TMPDIR/a
persist
[ $? -eq 2 ]
point $? 'no action: usage'
persist instal
[ $? -eq 2 ] && grep -q "did you mean 'install'" "$TMPDIR/err"
point $? 'a mistyped action is guessed'
persist install --method cron
[ $? -eq 2 ]
point $? 'an unknown method: usage'
persist install --method udev,cron
[ $? -eq 2 ] && grep -q "'cron'" "$TMPDIR/err"
point $? '... in a list, too'
persist install --method ,
[ $? -eq 2 ]
point $? 'a list of none: usage'
persist install --dry-run --method udev --method systemd && cp "$TMPDIR/out" "$TMPDIR/two" &&
	persist install --dry-run -m udev,systemd && grep -q '^+++ .*service' "$TMPDIR/out" &&
	cmp -s "$TMPDIR/out" "$TMPDIR/two"
point $? 'methods with a comma, or one by one: the same'

# /etc that cannot be written: denied, and nothing is changed.
new_tree i
state "$tree" >"$TMPDIR/before"
if [ "$(id -u)" -ne 0 ]; then
	chmod 555 "$tree/etc/udev/rules.d"
	persist install
	rc=$?
	chmod 755 "$tree/etc/udev/rules.d"
elif unshare -m true 2>/dev/null; then
	# shellcheck disable=SC2016 # the inner shell's
	unshare -m sh -c 'mount --bind "$1/etc" "$1/etc" && mount -o remount,ro,bind "$1/etc" &&
		exec "$2" persist install --root "$1"' sh "$tree" "$IOSCHED_TUNE" >"$TMPDIR/out" 2>"$TMPDIR/err"
	rc=$?
else
	rc=skip
fi
if [ $rc = skip ]; then
	count=$((count + 1))
	echo "ok $count - an /etc that cannot be written # SKIP no mount namespace"
else
	[ $rc -eq 5 ] && state "$tree" | cmp -s - "$TMPDIR/before" &&
		[ ! -e "$tree/var/lib/iosched-tune/persist.json" ]
	point $? 'an /etc that cannot be written: denied, nothing is changed'
fi

# A disk that is full, wherever that is noticed: all is there, or nothing and the place is named.
new_tree k
state "$tree" >"$TMPDIR/before"
if [ "$(id -u)" -eq 0 ] && unshare -m true 2>/dev/null; then
	for folder in etc var/lib; do
		# shellcheck disable=SC2016 # the inner shell's
		unshare -m sh -c '
		for kib in 4 8 12 16 20 24 28 32 36 40 64; do
			mount -t tmpfs -o "size=${kib}k" tmpfs "$1/$3" || exit
			[ "$3" = var/lib ] || mkdir -p "$1/etc/udev/rules.d"
			"$2" persist install --method udev --root "$1" 2>"$4"; rc=$?
			"$2" persist status --root "$1" >/dev/null 2>&1; status=$?
			left=$(find "$1/etc" "$1/var" -name "*iosched-tune*" -type f | wc -l)
			named=$(grep -c "/$3/.*: No space left on device" "$4")
			told=$(grep -c "nothing was changed" "$4")
			"$2" persist remove -q --root "$1" || rc=remove
			echo "$rc $status $left $named $told"
			umount "$1/$3"
		done' sh "$tree" "$IOSCHED_TUNE" $folder "$TMPDIR/err" >"$TMPDIR/full"
		rm -rf "$tree/etc/systemd" "$tree/etc/udev/rules.d/"* "$tree/var/lib/"*
		sort -u "$TMPDIR/full" | tr '\n' ';' >"$TMPDIR/out"
		[ "$(cat "$TMPDIR/out")" = '0 0 2 0 0;1 4 0 1 1;' ]
		point $? "a full disk below /$folder: all or nothing, and the place is named"
	done
else
	count=$((count + 1))
	echo "ok $count - a full disk # SKIP no mount namespace"
fi

# Conflicts are told at install too.
new_tree g
mkdir "$tree/etc/tuned" && echo mine >"$tree/etc/tuned/active_profile"
mkdir "$tree/etc/tuned/mine" && printf '[disk]\nelevator=noop\n' >"$tree/etc/tuned/mine/tuned.conf"
printf '#!/bin/sh\necho none > /sys/block/sda/queue/scheduler\n' >"$tree/etc/rc.local"
persist install && grep -q '/etc/tuned/mine/tuned.conf:2' "$TMPDIR/err" &&
	grep -q '/etc/rc.local:2' "$TMPDIR/err"
point $? 'install names who else sets schedulers, with file and line (user problem 7)'

# A policy that udev cannot express brings the unit along.
printf '%s' '{ "name": "p", "summary": "s", "rules": [ { "match": { "role": "root" },
	"scheduler": "bfq", "why": "w" } ] }' >"$TMPDIR/p.json"
new_tree h
persist install --profile "$TMPDIR/p.json" && [ -e "$tree/etc/systemd/system/iosched-tune.service" ] &&
	grep -q 'left to the unit' "$TMPDIR/err"
point $? 'auto: what udev cannot express is left to the unit'
echo "1..$count"
