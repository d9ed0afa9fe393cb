#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# apply: its plan on snapshots of many kernels, and its writes on a tree of plain files.
set -u
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/lib.sh"

for host in linux-2.6.18 linux-4.19-both linux-5.10-nvme-multipath linux-6.1-multipath \
	linux-6.1-stack linux-6.1-zoned linux-6.12-virtual linux-6.18-memory; do
	on $host apply --profile database --dry-run
	exits "dry run: $host" 0
	golden "dry run: $host" "apply-$host.txt"
done
on linux-6.1-stack apply --profile database --dry-run
says 'dry run: the number of writes' 'would be written'
on linux-6.1-stack apply --profile database --dry-run sda
prints 'a named device alone' 'sda: in force'
same 'a named device alone: no word of the others' "$(grep -c sdc "$TMPDIR/out")" 0
on linux-6.1-stack apply --profile database --dry-run dm-1
same 'a stacked device names the disks below it' "$rc:$(grep -cE 'sda|sdb' "$TMPDIR/out")" 0:2
on linux-6.18-memory apply --profile database --dry-run loop0
prints 'a named device is never left alone' 'loop0: treated as'
on linux-6.1-stack apply --scheduler none --set read_ahead_kb=1MiB --dry-run sda
prints 'values by hand' '128 KiB' '1024 KiB' '--set'

# Mistakes: nothing is planned.
wrong()
{
	local what=$1 status=$2 args=$3

	shift 3
	# shellcheck disable=SC2086 # words are meant
	on linux-6.1-stack apply --dry-run $args
	fails "$what" "$status" "$@"
}
wrong 'nothing to apply' 2 '' 'nothing to apply' 'profile list'
wrong 'no profile and no device' 2 '--set nr_requests=64' 'devices have to be named'
wrong 'an unknown profile' 2 '--profile databse' '"databse"' 'database'
wrong 'a profile file that is not there' 1 '--profile ./none.json' './none.json'
wrong 'an unknown key' 2 '--set nr_request=64 sda' 'nr_request' 'did you mean "nr_requests"?'
wrong 'no key and value' 2 '--set nr_requests sda' "'nr_requests' is not KEY=VALUE"
wrong 'no value' 2 '--set nr_requests= sda' 'is not KEY=VALUE'
wrong 'no key' 2 '--set =64 sda' 'is not KEY=VALUE'
wrong 'a wrong unit' 2 '--set read_ahead_kb=1s sda' 'read_ahead_kb' '"1s"'
wrong 'an unknown unit' 2 '--set read_ahead_kb=1XB sda' '"1XB"'
wrong 'out of range' 2 '--set nomerges=3 sda' 'nomerges' '0 to 2'
wrong 'far out of range' 2 '--set nr_requests=99999999999999999999 sda' 'nr_requests'
wrong 'negative' 2 '--set nr_requests=-1 sda' 'nr_requests'
wrong 'a read-only attribute' 2 '--set logical_block_size=512 sda' 'logical_block_size'
wrong 'an unknown scheduler' 2 '--scheduler mq-dedline sda' 'mq-dedline'
wrong 'an empty list of schedulers' 2 '--scheduler , sda' 'no scheduler is named'
wrong 'a fraction' 2 '--set read_ahead_kb=1.5MiB sda' '"1.5MiB"' 'fractions are not taken' '1536K'
wrong 'an attribute of a scheduler that will not be there' 2 '--scheduler none --set read_expire=100 sda' 'read_expire'
wrong 'an unknown device' 2 '--profile database sdq' "'sdq'"
run --root $hosts/linux-6.1-stack.txt apply -n --scheduler '' sda
fails 'an empty name of a scheduler' 2 'no scheduler is named'
wrong 'no number of seconds' 2 '--profile database --timeout soon' "'soon'" 'seconds'
wrong 'no time at all' 2 '--profile database --timeout 0' "'0'"
wrong 'too many seconds' 2 '--profile database --timeout 999999999999' '1 to 86400'

# On a snapshot there is nothing to write to.
on linux-6.1-stack apply --profile database
fails 'a snapshot cannot be changed' 5 'a snapshot can be read, not changed'

# On a tree.
tree=$TMPDIR/tree
unpack linux-6.1-stack "$tree"
queue=$tree/sys/block/sdc/queue
run --root "$tree" apply --profile database --dry-run
same 'a tree gives the plan of its snapshot' \
	"$(diff "$TMPDIR/out" "$golden/apply-linux-6.1-stack.txt" && echo same)" same
same 'a dry run writes nothing' "$(cat "$queue/read_ahead_kb"):$(test -e "$tree/var" && echo state)" 128:
run --root "$tree" apply --profile database
exits 'apply' 0
prints 'apply: old and new values' 'read_ahead_kb' '128 KiB' '1024 KiB'
says 'apply: the summary' '2 values written on 1 device; 2 devices were right already'
same 'apply: written' "$(cat "$queue/read_ahead_kb")" 1024
before=$(find "$tree" -type f -exec cksum {} + | sort)
run --root "$tree" apply --profile database
same 'a second apply writes nothing' "$rc:$out:$(find "$tree" -type f -exec cksum {} + | sort)" "0::$before"
says 'a second apply says so' '0 values written'
run --root "$tree" -q apply --profile database
same 'quiet' "$rc:$out:$err" 0::

# A controller of NVMe stands for the paths over it.
for name in nvme1 /dev/nvme1; do
	on linux-7.2-nvme-multipath apply --scheduler kyber --dry-run $name
	same "$name: the path over it, no other" "$(grep -o '^nvme[0-9a-z]*' "$TMPDIR/out" | paste -sd ' ')" nvme0c1n1
done
on linux-7.2-nvme-multipath apply --scheduler kyber --dry-run nvme7
fails 'a controller without a disk' 2 "'nvme7' is no block device here"
on linux-7.2-nvme-multipath apply --scheduler kyber --dry-run --wait-paths 1 nvme7
same 'and no failure for a unit that waits for its disks' "$rc:$out" 0:
says '... which says so' 'nvme7: no disk there'
wrong 'no time to wait for paths' 2 '--profile database --wait-paths 0' "'0'"

# Another run holds the lock.
if command -v flock >/dev/null 2>&1; then
	exec 8>>"$tree/var/lib/iosched-tune/lock"
	flock 8
	run --root "$tree" apply --set read_ahead_kb=2MiB sdc
	fails 'two at once' 1 'nothing was changed'
	echo $$ >"$tree/var/lib/iosched-tune/lock"
	for verb in 'apply --lock-timeout 1 --set read_ahead_kb=2MiB sdc' restore 'persist remove'; do
		# shellcheck disable=SC2086 # words are meant
		run --root "$tree" $verb
		fails "two at once: whom it waits for: ${verb%% -*}" 1 "waiting for another run (process $$)" \
			"another run (process $$) is changing devices; nothing was changed"
	done
	exec 8>&-
	same 'two at once: nothing was written' "$(cat "$queue/read_ahead_kb")" 1024
else
	skipped 'two at once' 'no flock'
fi

# Many at once on the same devices, as at boot: each finds what the one before it has done.
unpack linux-6.1-stack "$TMPDIR/crowd"
pids=() failed=0
for ((i = 1; i <= 24; i++)); do
	"$IOSCHED_TUNE" --root "$TMPDIR/crowd" apply --lock-timeout 60 --set read_ahead_kb=$((i * 64)) sda sdb sdc \
		>/dev/null 2>"$TMPDIR/err.$i" &
	pids+=($!)
done
for pid in "${pids[@]}"; do
	wait "$pid" || failed=$((failed + 1))
done
same 'many at once: none fails' "$failed:$(cat "$TMPDIR"/err.* | grep -c 'somebody else')" 0:0

# A scheduler of another kernel stands for one of this: said where it is written, too.
unpack linux-6.1-stack "$TMPDIR/old-name"
run --root "$TMPDIR/old-name" apply --scheduler deadline,noop sda sdb
says 'the name of another kernel: what takes its place, once for all' \
	'sda, sdb: this queue cannot have deadline: mq-deadline takes its place'
same '... once' "$(grep -c 'takes its place' "$TMPDIR/err")" 1
on linux-6.1-stack apply --scheduler cfq,noop --dry-run --json sda
same '... in the plan, too' "$(json '[.plan.devices[] | select(.name == "sda") | .notes[]]')" \
	'["this queue cannot have cfq: bfq takes its place"]'

# Nothing can be written: whoever named the device is told why.
unpack linux-6.1-stack "$TMPDIR/bare"
rm "$TMPDIR/bare/sys/block/sdc/queue/scheduler"
run --root "$TMPDIR/bare" apply --profile balanced sdc
exits 'a device without a scheduler' 0
says 'a device without a scheduler: why nothing was written' 'sdc: its queue has no scheduler'
run --root "$TMPDIR/bare" apply --profile balanced
same 'a device without a scheduler that nobody named' "$(grep -c sdc "$TMPDIR/err")" 0

# No permission. Root is allowed everything, so another user is needed.
rm -rf "${tree:?}/var"
mkdir -p "$tree/var/lib"
chmod 555 "$tree/var/lib"
if [ "$(id -u)" -ne 0 ]; then
	run --root "$tree" apply --set read_ahead_kb=2MiB sdc
	fails 'no permission' 5 'root' 'sudo'
elif command -v setpriv >/dev/null 2>&1; then
	chmod 755 "$TMPDIR"
	cp "$IOSCHED_TUNE" "$TMPDIR/program"
	chmod -R a+rX "$tree"
	# From inside the folder of the tests, which is closed to others.
	(cd "$TMPDIR" && setpriv --reuid 65534 --regid 65534 --clear-groups ./program \
		--root "${tree#"$TMPDIR/"}" apply --set read_ahead_kb=2MiB sdc >out 2>err)
	rc=$? out=$(cat "$TMPDIR/out") err=$(cat "$TMPDIR/err")
	fails 'no permission' 5 'not permitted to write' 'sudo'
	(cd "$TMPDIR" && setpriv --reuid 65534 --regid 65534 --clear-groups ./program \
		--root "${tree#"$TMPDIR/"}" apply --set read_ahead_kb=1MiB sdc >out 2>err)
	rc=$? err=$(cat "$TMPDIR/err")
	exits 'no permission, and nothing to write' 0
	says 'no permission: what was asked for is not kept' '0 values written' 'could not be kept'
else
	skipped 'no permission' 'no setpriv'
fi
same 'no permission: nothing was written' "$(cat "$queue/read_ahead_kb")" 1024

if command -v jq >/dev/null 2>&1; then
	on linux-6.1-stack --json apply --profile database --dry-run
	same 'JSON: dry run' "$(json '[.dry_run, .plan.profile, .plan.writes]')" '[true,"database",2]'
	same 'JSON: a step' "$(json '.plan.devices[].steps[] | select(.key == "read_ahead_kb") | [.from, .to, .unit, .origin, .source, .why]')" \
		'["128","1024","KiB","profile","database.json:13","scans are long"]'
	chmod 755 "$tree/var/lib"
	run --root "$tree" --json apply --set read_ahead_kb=512 sdc
	same 'JSON: outcome' "$(json '[.dry_run, .plan.devices[0].outcome, .plan.devices[0].steps[0].written, .plan.devices[0].steps[0].old]')" \
		'[false,"done",true,"1024"]'
else
	skipped 'JSON' 'no jq'
fi

# --- what it would do

export IOSCHED_TUNE_PROFILES=$TOP/profiles
on linux-6.1-raid apply --profile database --simulate --workload randread sdl sdm
exits 'a prediction' 0
prints 'a prediction: the plan, and figures' 'mq-deadline.read_expire' 'Predicted:' \
	'sdl: randread on hdd-7200: mq-deadline -> mq-deadline (read_expire=100, write_expire=1000)' \
	'sdm: randread on sata-ssd: mq-deadline -> none' 'DIFFERENCE'
on linux-6.1-raid apply --profile streaming --simulate sdl
prints 'a change beside that has no model: it is said' \
	'mq-deadline (fifo_batch=32); without read_ahead_kb, which has no model'
on linux-6.1-raid apply --profile streaming --simulate sdl --json
same '... in JSON, too' "$(json '.predictions[0].unmodelled')" '["read_ahead_kb"]'
on linux-6.1-raid apply --profile database --simulate --workload randread sdb sdc sdl --json
same 'a prediction as JSON: like devices once' \
	"$(json '[.dry_run, [.predictions[].devices], .predictions[0].then.scheduler]')" \
	'[true,[["sdb","sdc"],["sdl"]],"mq-deadline"]'
same 'a prediction as JSON: figures with margins' \
	"$(json '.predictions[1].now | .figures.read_iops > 0 and .margin.read_p99_ns >= 0')" true
on linux-6.1-raid apply --simulate --set read_ahead_kb=1MiB sdl --json
same 'what the model does not know of' "$(json '.predictions[0] | [.now, (.reason | length > 9)]')" \
	'[null,true]'
on linux-6.1-raid apply --profile database --workload oltp sdl
fails 'a workload without a simulation' 2 '--workload'
on linux-6.1-raid apply --profile database --simulate --workload nonsense sdl
fails 'no such workload' 2 'nonsense'

finish
