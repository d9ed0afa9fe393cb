#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# generate: what packages ship is in step with it, and systemd agrees with the units.
set -u
cd "${TOP:?run me through tests/run}" || exit 1

count=0
point()
{
	count=$((count + 1))
	if [ "$1" = 0 ]; then echo "ok $count - $2"; else echo "not ok $count - $2"; fi
}
skip()
{
	count=$((count + 1))
	echo "ok $count - $1 # SKIP $2"
}

"$IOSCHED_TUNE" generate udev --profile balanced >"$TMPDIR/rules" 2>"$TMPDIR/err"
point $? 'udev rules are generated'
LC_ALL=zh_CN.UTF-8 "$IOSCHED_TUNE" generate udev --profile balanced 2>/dev/null | cmp -s - "$TMPDIR/rules"
point $? 'the same in every language'
# After a change of the profile: iosched-tune generate udev >rules/99-iosched-tune.rules
diff -u rules/99-iosched-tune.rules "$TMPDIR/rules"
point $? 'rules/ is in step with the profile balanced'
! grep -E 'PROGRAM|RUN' "$TMPDIR/rules"
point $? 'no program is run for a device'
awk 'length > 8192' "$TMPDIR/rules" | grep -q . && long=1 || long=0
point "$long" 'no line is longer than udev reads'

"$IOSCHED_TUNE" generate systemd >"$TMPDIR/units"
point $? 'units are generated'
{
	head -n 2 "$TMPDIR/units"
	echo '# /etc/systemd/system/iosched-tune.service'
	cat packaging/systemd/iosched-tune.service
	echo
	echo '# /etc/systemd/system/iosched-tune@.service'
	cat packaging/systemd/iosched-tune@.service
} >"$TMPDIR/shipped"
diff -u "$TMPDIR/shipped" "$TMPDIR/units"
point $? 'packaging/systemd is in step'

# A unit is checked with a program that is there.
mkdir "$TMPDIR/check"
for unit in iosched-tune.service iosched-tune@.service; do
	sed "s|^\(Exec[A-Za-z]*\)=/usr/bin/iosched-tune|\1=$IOSCHED_TUNE|" \
		"packaging/systemd/$unit" >"$TMPDIR/check/$unit"
done
if command -v systemd-analyze >/dev/null 2>&1; then
	for unit in iosched-tune.service iosched-tune@sda.service; do
		systemd-analyze verify --man=no "$TMPDIR/check/$unit" >"$TMPDIR/verify" 2>&1
		rc=$?
		[ -s "$TMPDIR/verify" ] && { rc=1; cat "$TMPDIR/verify"; }
		point "$rc" "systemd-analyze verify finds nothing in $unit"
	done
	if systemd-analyze security --offline=true --threshold=20 --no-pager \
		"$TMPDIR/check/iosched-tune.service" >"$TMPDIR/security" 2>&1; then
		point 0 "$(sed -n 's/.*Overall/exposure: overall/p' "$TMPDIR/security" | tr -cd '[:print:]')"
	elif grep -q 'unrecognized option\|unknown option' "$TMPDIR/security"; then
		skip 'exposure is at most 2.0' 'this systemd-analyze cannot work offline'
	else
		tail -n 2 "$TMPDIR/security"
		point 1 'exposure is at most 2.0'
	fi
else
	skip 'systemd-analyze verify finds nothing' 'no systemd-analyze'
fi
if udevadm verify --help >/dev/null 2>&1; then
	udevadm verify --no-style "$TMPDIR/rules"
	point $? 'udevadm verify finds nothing'
else
	skip 'udevadm verify finds nothing' 'udevadm is older than 254'
fi

# elevator=, for a kernel that heeds it and for one that does not.
printf '%s\n' '# iosched-tune snapshot 1' '/proc/sys/kernel/osrelease = 4.19.90' \
	'/sys/block/sda -> ../devices/a/block/sda' '/sys/devices/a/block/sda/dev = 8:0' \
	'/sys/devices/a/block/sda/size = 2048' '/sys/devices/a/block/sda/device/vendor = ATA' \
	'/sys/devices/a/block/sda/device/model = M' \
	'/sys/devices/a/block/sda/queue/rotational = 1' \
	'/sys/devices/a/block/sda/queue/scheduler := noop deadline [cfq]' >"$TMPDIR/old"
sed 's/4.19.90/6.1.0/; s/noop deadline .cfq./[none] mq-deadline/' "$TMPDIR/old" >"$TMPDIR/new"
"$IOSCHED_TUNE" generate grub --root "$TMPDIR/old" 2>&1 | grep -q 'LINUX elevator=deadline"$'
point $? 'Linux 4.19 with legacy queues: elevator=deadline'
"$IOSCHED_TUNE" generate grub --root "$TMPDIR/new" >"$TMPDIR/out" 2>"$TMPDIR/err"
[ $? -eq 1 ] && [ ! -s "$TMPDIR/out" ] && grep -q 'no effect: Linux 6.1' "$TMPDIR/err" &&
	grep -q -- '--method udev' "$TMPDIR/err"
point $? 'Linux 6.1: refused with the reason and the better way (user problem 3)'
"$IOSCHED_TUNE" generate grub --root "$TMPDIR/new" --force >"$TMPDIR/out" 2>"$TMPDIR/err" &&
	grep -q elevator=mq-deadline "$TMPDIR/out" && grep -q 'has no effect' "$TMPDIR/err"
point $? 'with --force it is written, and still said to have no effect'

"$IOSCHED_TUNE" generate 2>/dev/null
[ $? -eq 2 ]
point $? 'without a format: usage'
"$IOSCHED_TUNE" generate udve 2>&1 | grep -q "did you mean 'udev'"
point $? 'a mistyped format is guessed'
"$IOSCHED_TUNE" generate udev --json 2>/dev/null | python3 -c '
import json, sys; d = json.load(sys.stdin); assert d["backend"] == "udev" and "LABEL" in d["text"]' 2>/dev/null ||
	"$IOSCHED_TUNE" generate udev --json | grep -q '"backend": "udev"'
point $? '--json'
echo "1..$count"
