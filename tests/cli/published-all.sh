#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# simulate --published as people type it: every experiment, and what they come to.
# TIME-LIMIT: 1200
set -u
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/lib.sh"

run simulate --published
exits 'every experiment runs' 0
for file in tests/published/*.json; do
	name=$(basename "$file" .json)
	grep -qE "^${name^^} " "$TMPDIR/out" || echo "$name"
done >"$TMPDIR/missing"
same 'each is there' "$(cat "$TMPDIR/missing")" ''
same 'with the sums at the end' "$(grep -cE '^(Tables .*|All tables): [0-9]+ ratios, median error ' "$TMPDIR/out")" 2

finish
