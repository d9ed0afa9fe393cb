#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A rule for a file system holds for a disk that is not mounted too: its content is read
# then, and only then.
set -u
cd "${TOP:?run me through tests/run}" || exit 1

count=0
same()
{
	count=$((count + 1))
	if [ "$2" = "$3" ]; then
		echo "ok $count - $1"
	else
		printf 'not ok %d - %s\n#   got:    %s\n#   wanted: %s\n' $count "$1" "$2" "$3"
	fi
}

cat >"$TMPDIR/host" <<'EOF'
# iosched-tune snapshot 1
/proc/sys/kernel/osrelease = 6.1.0
/snapshot/blkid/sda/TYPE = xfs
/snapshot/blkid/sdb/TYPE = ext4
/sys/block/sda -> ../devices/a/block/sda
/sys/block/sdb -> ../devices/b/block/sdb
/sys/devices/a/block/sda/dev = 8:0
/sys/devices/a/block/sda/device/model = M
/sys/devices/a/block/sda/queue/scheduler = [none] mq-deadline bfq
/sys/devices/a/block/sda/size = 2048
/sys/devices/b/block/sdb/dev = 8:16
/sys/devices/b/block/sdb/queue/scheduler = [none] mq-deadline bfq
/sys/devices/b/block/sdb/size = 2048
EOF
printf '%s\n' '{ "name": "p", "summary": "s", "rules": [
  { "match": { "filesystem": [ "xfs" ] }, "scheduler": [ "bfq" ], "why": "w" } ] }' >"$TMPDIR/p.json"

wanted()
{
	"$IOSCHED_TUNE" status --root "$1" "${@:2}" -n -r -o NAME,WANTED 2>&1 | tr '\n' ' '
}

same 'a profile: where the file system is' \
	"$(wanted "$TMPDIR/host" --profile "$TMPDIR/p.json")" 'sda bfq sdb - '

# The default profile is known only after the scan.
mkdir "$TMPDIR/profiles"
sed 's/"p"/"balanced"/' "$TMPDIR/p.json" >"$TMPDIR/profiles/balanced.json"
same 'the default profile' \
	"$(IOSCHED_TUNE_PROFILES=$TMPDIR/profiles wanted "$TMPDIR/host")" 'sda bfq sdb - '

# An override, below a profile that asks for nothing.
cp "$TMPDIR/host" "$TMPDIR/host2"
printf '%s = %s\n' /etc/iosched-tune/devices.d/a.json \
	'{ "devices": [ { "match": { "model": "M", "filesystem": "xfs" }, "scheduler": [ "bfq" ], "why": "w" } ] }' >>"$TMPDIR/host2"
printf '%s\n' '{ "name": "q", "summary": "s", "rules": [
  { "match": { "class": "zram" }, "scheduler": [ "none" ], "why": "w" } ] }' >"$TMPDIR/q.json"
same 'an override' "$(wanted "$TMPDIR/host2" --profile "$TMPDIR/q.json")" 'sda bfq sdb - '

sed -i '/blkid\/sda/d' "$TMPDIR/host"
same 'no file system, no match' \
	"$(wanted "$TMPDIR/host" --profile "$TMPDIR/p.json")" 'sda - sdb - '

echo "1..$count"
