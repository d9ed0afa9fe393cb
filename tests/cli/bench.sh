#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# bench without a device to measure: what it refuses before it looks for fio.
set -u
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/lib.sh"

run bench
fails 'no device' 2 'DEVICE'
on linux-6.1-stack bench sda
fails 'a snapshot cannot be measured' 5 'only this host can be measured' 'iosched-tune simulate'
mkdir "$TMPDIR/tree"
run --root "$TMPDIR/tree" bench sda
fails 'nor another tree' 5 'only this host can be measured'
run bench sda --rounds 0
fails 'no rounds' 2 '--rounds takes a number from 1 to 100'
run bench sda --runtime soon
fails 'no time' 2 '--runtime takes a time'
run bench sda --runtime 50ms
fails 'too short a time' 2 '--runtime takes a time of 100ms at least'
run bench sda --cpus 0-x
fails 'no processors' 2 '--cpus takes processors'
run bench sda --cpus 3-1
fails 'processors backwards' 2 '--cpus takes processors'
run bench sda --cpus 0,60000
fails 'a processor that is not there' 2 'there is no processor 60000'
run bench sda --plot "$TMPDIR/x.gif"
fails 'no picture, said before anything is measured' 2 'a .svg or a .png file'
run bench sda --write-file ''
fails 'no name for a file' 2 '--write-file names no file'
run bench sda --write-file a --destroy-data sda
fails 'two things to write to' 2 'only one of --write-file, --destroy-data'
run bench sda --workload oltp --fio a
fails 'two things to do' 2 'only one of --workload, --fio'
run bench sda --medium nvme
fails 'a medium without a simulation' 2 '--medium goes with --compare-simulation'
finish
