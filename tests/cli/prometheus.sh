#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# status --format prometheus: every line by the rules of the text format, the same facts as
# the table, and promtool's opinion where it is.
set -u
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/lib.sh"

if ! command -v jq >/dev/null 2>&1; then
	echo '1..0 # SKIP no jq'
	exit 0
fi
export IOSCHED_TUNE_PROFILES=$TOP/profiles

# The text format: HELP, then TYPE, then the samples of that metric alone; each sample with
# well-formed labels, once.
judge()
{
	awk '
	function bad(why) { print NR ": " why ": " $0 }
	/^# HELP [a-zA-Z_:][a-zA-Z0-9_:]* [^ ].*$/ {
		metric = $3
		if (seen[metric]++) bad("metric twice")
		typed = 0
		next
	}
	/^# TYPE [a-zA-Z_:][a-zA-Z0-9_:]* (gauge|counter)$/ {
		if ($3 != metric || typed++) bad("TYPE of another metric")
		next
	}
	/^#/ { bad("comment"); next }
	{
		if (!typed) bad("sample without a TYPE")
		if (!match($0, /^[a-zA-Z_:][a-zA-Z0-9_:]*/)) { bad("no name"); next }
		if (substr($0, 1, RLENGTH) != metric) bad("sample of another metric")
		rest = substr($0, RLENGTH + 1)
		label = "[a-zA-Z_][a-zA-Z0-9_]*=\"([^\"\\\\]|\\\\[\\\\\"n])*\""
		if (match(rest, "^[{]" label "(," label ")*[}]")) {
			key = metric substr(rest, 1, RLENGTH)
			rest = substr(rest, RLENGTH + 1)
		} else
			bad("labels")
		if (samples[key]++) bad("sample twice")
		if (rest !~ /^ [0-9]+(\.[0-9]+)?$/) bad("value")
	}' "$1"
}

hosts=("$hosts"/*.txt)
for host in "${hosts[@]}"; do
	name=${host##*/}
	run --root "$host" status --format prometheus --all
	same "${name%.txt}: well formed" "$rc:$(judge "$TMPDIR/out"):$(tail -c 1 "$TMPDIR/out" | wc -l)" 0::1
	cp "$TMPDIR/out" "$TMPDIR/metrics"
	run --root "$host" status --json --all -o NAME,SCHED,WANTED,STATE
	same "${name%.txt}: it says what the table says" \
		"$(sed -n 's/^iosched_tune_device_info{device="\([^"]*\)".*,scheduler="\(.*\)",wanted="\(.*\)",state="\(.*\)"} 1$/\1 \2 \3 \4/p' "$TMPDIR/metrics")" \
		"$(jq -r '.devices[] | "\(.name) \(.sched // "") \(.wanted // "") \(.state)"' "$TMPDIR/out")"
	same "${name%.txt}: drift is what the table calls so" \
		"$(sed -n 's/^iosched_tune_device_drift{device="\(.*\)"} 1$/\1/p' "$TMPDIR/metrics")" \
		"$(jq -r '.devices[] | select(.state == "drift" or .state == "blocked").name' "$TMPDIR/out")"
	if command -v promtool >/dev/null 2>&1; then
		same "${name%.txt}: promtool" "$(promtool check metrics <"$TMPDIR/metrics" 2>&1)" ''
	else
		skipped "${name%.txt}: promtool" 'no promtool'
	fi
done
same 'there are hosts' "$([ ${#hosts[@]} -gt 5 ] && echo yes)" yes

run status --format prometheus --json --root "${hosts[0]}"
fails 'no JSON at the same time' 2 'takes no --json'
run status --format prometheus -o NAME --root "${hosts[0]}"
fails 'no columns either' 2 'takes no --json or --output'
run status --format nonsense --root "${hosts[0]}"
fails 'an unknown format' 2 'table, prometheus'

finish
