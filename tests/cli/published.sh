#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# simulate --published: one small experiment, the same whatever the number of threads, and
# what is refused.
set -u
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/lib.sh"

run simulate --published F3
exits 'an experiment' 0
prints 'an experiment' 'mq-deadline/none' 'kyber/none' 'bfq/none' '0.831' 'right' \
	'order right in 1 of 1 rows' 'doi 10.1145/3629526.3645053'
first=$out
run simulate --published F3 --jobs 1
same 'one thread, the same bytes' "$out" "$first"
run simulate --published f3 --jobs 3
same 'three threads, small letters, the same bytes' "$out" "$first"
run simulate --published --json tests/published/f3.json
same 'a file, as JSON' "$(json '.experiments | map([.experiment, (.rows | length)])')" '[["F3",1]]'
same 'four schedulers' "$(json '[.experiments[0].rows[0].values[].scheduler]')" \
	'["none","mq-deadline","kyber","bfq"]'
same 'within a twentieth, in order' \
	"$(json '.held | [.ratios, .within_15_percent, .rows_in_order, .median_error < 0.05]')" \
	'[3,3,1,true]'
same 'the error is that of the ratios' "$(json '[.experiments[0].rows[0].values[1:][] |
	(.simulated_ratio / .measured_ratio - 1 - .error) | fabs < 1e-9] | all')" true

run simulate --published F33
fails 'no such experiment' 2 'F33' 'there are: a1, b1, b2,' ', f12;' '"./F33"'
run simulate --published "$TMPDIR/none.json"
fails 'no such file' 1 'none.json'
# Whatever table it says that it is of.
sed 's/"experiment": "F3"/"experiment": "mine"/' tests/published/f3.json >"$TMPDIR/mine.json"
run simulate --published F3 "$TMPDIR/mine.json" --json
same 'a file of one'"'"'s own is in no sum of published tables' \
	"$(json '[.held.ratios, .all.ratios, .own.ratios, (.experiments | map(.is_own))]')" '[3,3,3,[false,true]]'
run simulate --published "$TMPDIR/mine.json"
same '... alone: its own sum only' "$(grep -c '^Your own: 3 ratios' "$TMPDIR/out"):$(grep -c 'tables: \|^Tables' "$TMPDIR/out")" 1:0
sed 's/"devices": 8/"devices": 2/' tests/published/f8.json >"$TMPDIR/devices.json"
line=$(grep -n '"devices"' "$TMPDIR/devices.json" | cut -d : -f 1)
run simulate --published "$TMPDIR/devices.json"
fails 'jobs that name more devices than there are' 2 "devices.json:$line: " 'name 8 devices, and "devices" is 2'
sed '/"devices": 8/d' tests/published/f8.json >"$TMPDIR/devices.json"
run simulate --published "$TMPDIR/devices.json"
fails '... also where there is one because nothing is said' 2 'name 8 devices, and "devices" is 1'
sed 's/"job": "reader"/"job": "writer"/' tests/published/f8.json >"$TMPDIR/job.json"
line=$(grep -n '"job"' "$TMPDIR/job.json" | cut -d : -f 1)
run simulate --published "$TMPDIR/job.json"
fails 'a figure of a job that there is not' 2 "job.json:$line: " 'no job "writer"'
sed 's/"slowness": 1.0/"slowness": 0/' tests/published/f3.json >"$TMPDIR/broken.json"
line=$(grep -n slowness "$TMPDIR/broken.json" | cut -d : -f 1)
run simulate --published "$TMPDIR/broken.json"
fails 'a broken file' 2 "broken.json:$line:"
sed 's/"kyber": 287/"kyber": 287, "mine": 300/' tests/published/f3.json >"$TMPDIR/unknown.json"
run simulate --published "$TMPDIR/unknown.json"
fails 'a scheduler that there is not' 2 'no scheduler "mine"'
sed 's/"title": "/&\\u001b[31m/' tests/published/f1.json >"$TMPDIR/hostile.json"
run simulate --published "$TMPDIR/hostile.json"
case $out in *$'\033'*) verdict=bad ;; *) verdict=ok ;; esac
point "$verdict" 'control characters are not handed to a terminal'
run simulate --published --seed 3
fails 'the load is that of the measurement' 2 'seed'
run simulate --published --medium nvme
fails 'so is the device' 2 'medium'
run simulate sda sdb
fails 'one device, else' 2 'sdb'

finish
