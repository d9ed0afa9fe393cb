#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The session that the README shows on a live machine, typed anew: the same output, on a
# loop device of this machine.
set -u
# shellcheck source=tests/live/lib.sh
. "$(dirname "$0")/lib.sh"
need root loop
private "$0" "$@"

add_loop || { echo '1..0 # SKIP no loop device'; exit 0; }
if ! grep -q mq-deadline "/sys/block/$loop/queue/scheduler"; then
	echo '1..0 # SKIP this kernel has no mq-deadline'
	exit 0
fi
iosched-tune()
{
	"$IOSCHED_TUNE" "$@"
}

for document in README.md README.zh_CN.md; do
	# The block whose first line is typed by root. The device's name is another one here.
	awk '/^```console$/ { getline; on = /^# iosched-tune / } /^```$/ { on = 0 } on' "$document" |
		sed "s/loop1/$loop/g" >"$work/session"
	[ -s "$work/session" ] || continue
	grep '^# ' "$work/session" | while IFS= read -r line; do
		printf '%s\n' "$line"
		eval "${line#\# }"
	done >"$work/got" 2>&1
	# a name of another length moves the columns
	count=$((count + 1))
	if diff <(tr -s ' ' <"$work/session") <(tr -s ' ' <"$work/got") >"$work/difference"; then
		echo "ok $count - $document: the session of a live machine"
	else
		echo "not ok $count - $document: the session of a live machine"
		sed 's/^/#   /' "$work/difference"
	fi
done
echo "1..$count"
