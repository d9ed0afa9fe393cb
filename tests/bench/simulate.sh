#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The dry run as a person waits for it: an hour of a recorded database through four
# schedulers, and a sweep with one thread and with two.
set -u

measure=build/bench/measure
if ! [ -x "$measure" ]; then
	printf 'skip\tsimulate\t%s is not built\n' "$measure"
	exit 0
fi

# seconds MS
seconds()
{
	awk "BEGIN { printf \"%.1f\", $1 / 1000 }"
}

trace=../shared/data/linux-mysql.load.gz
if [ -r "$trace" ]; then
	for medium in hdd-7200 sata-ssd; do
		read -r wall _ _ < <("$measure" 3 "$IOSCHED_TUNE simulate --trace $trace --medium $medium --scheduler none,mq-deadline,kyber,bfq --seeds 1") || exit 1
		printf 'bench\tan hour of a database, 4 schedulers, %s\t%s s\t3600 s of I/O\t%s\t-\n' \
			"$medium" "$(seconds "$wall")" "$(awk "BEGIN { printf \"%.0f\", 3600000 / $wall }")"
	done
else
	printf 'skip\tan hour of a database\t%s is not here\n' "$trace"
fi

sweep='simulate --medium sata-ssd --workload randrw --scheduler mq-deadline --seeds 2 --ios 200000 --sweep fifo_batch=1,2,4,8,16,32 --sweep writes_starved=1,2'
{
	read -r one _ _
	read -r two _ _
} < <("$measure" 5 "$IOSCHED_TUNE $sweep --jobs 1" "$IOSCHED_TUNE $sweep --jobs 2") || exit 1
printf 'bench\ta sweep with two threads\t%s s\tone thread %s s\t%s\t>=1.8\n' "$(seconds "$two")" \
	"$(seconds "$one")" "$(awk "BEGIN { printf \"%.2f\", $one / $two }")"
