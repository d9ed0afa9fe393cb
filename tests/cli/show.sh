#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# show: everything about one device.
set -u
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/lib.sh"

on linux-6.1-stack show sda --profile database
exits 'an SSD' 0
golden 'an SSD' show-ssd.txt
on linux-6.1-stack show sdc --profile database
golden 'a disk whose scheduler will change' show-hdd.txt
on linux-6.1-multipath show dm-1
golden 'a partition of a multipath map' show-multipath.txt
on linux-5.10-nvme-multipath show nvme0c0n1
golden 'a hidden NVMe path' show-nvme-path.txt
on linux-2.6.18 show sda
golden 'a legacy queue' show-legacy.txt
on hostile-strings show sda
exits 'hostile strings' 0
same 'hostile strings are shown, not obeyed' "$(LC_ALL=C tr -d '\n -~' <"$TMPDIR/out" | wc -c | tr -d ' ')" 0

on linux-6.1-stack show
fails 'no device' 2 'missing argument: DEVICE'
on linux-6.1-stack show sda sdb
fails 'two devices' 2 "unexpected argument 'sdb'"
on linux-6.1-stack show sdx
fails 'a device that is not there' 2 "'sdx'"

if command -v jq >/dev/null 2>&1; then
	on linux-6.1-stack --json show sdc --profile database
	same 'JSON: what is and what is wanted' \
		"$(json '.device.attributes[] | select(.key == "read_ahead_kb") | [.value, .unit, .wanted, .origin, .source]')" \
		'[128,"KiB",1024,"profile","database.json:13"]'
	same 'JSON: evidence' "$(json '.device | [.class, .confidence, (.evidence | length > 0)]')" '["hdd","certain",true]'
	for host in "$hosts"/*.txt; do
		"$IOSCHED_TUNE" --root "$host" status --all -nro KNAME >"$TMPDIR/names"
		while read -r name <&3; do
			run --root "$host" --json show "$name"
			[ "$rc:$(json '.device.name | length > 0')" = 0:true ] || echo "$name"
		done 3<"$TMPDIR/names" >"$TMPDIR/bad"
		same "every device of ${host##*/}" "$(cat "$TMPDIR/bad")" ''
	done
else
	skipped 'JSON' 'no jq'
fi

finish
