#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Values that shells are offered: what is there on the host that is asked about.
set -u
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/lib.sh"

host=linux-6.1-stack
# offers WHAT CANDIDATES WORD...
offers()
{
	local what=$1 wanted=$2 got

	shift 2
	run complete -- --root "$hosts/$host.txt" "$@"
	got=$(cut -f 1 "$TMPDIR/out" | tr '\n' ' ')
	same "$what" "$rc:${got% }" "0:$wanted"
}

offers 'devices' 'sda sdb sdc' apply s
prints 'what a device is' $'sda\tssd, 931.5G, Example SSD 500'
offers 'more devices after one' 'sda sdb sdc' status sda s
offers 'one device is enough for show' '' show sda s
offers 'paths are the business of the shell' '' show /dev/s
prints 'it is told so' $'\tfiles'
offers 'profiles' 'balanced database' apply --profile ''
offers 'profiles behind the sign' '--profile=balanced --profile=database' apply --profile=
offers 'profiles behind the letter' 'database' apply -p d
offers 'schedulers that the host has' 'none mq-deadline kyber bfq' apply -s ''
offers 'the next scheduler of a list' 'bfq,none bfq,mq-deadline bfq,kyber' apply -s bfq,
offers 'schedulers of the engine' 'c-scan c-look' simulate -s c-
prints 'that no device has them' $'c-scan\tsimulation only'
offers 'the engine has those of other kernels' 'cfq,anticipatory' simulate -s cfq,a
offers 'none of them for a device' '' apply -s sst
offers 'published experiments' 'd1 d2 d3 d4 d5 d6' simulate --published d
offers 'one after another' 'a1' simulate f3 --published f4 a
offers 'devices without the switch' '' simulate f
host=linux-2.6.18
offers 'schedulers of an old host' 'noop deadline cfq anticipatory' apply --scheduler ''
host=linux-6.1-stack
offers 'attributes' 'bfq.slice_idle= bfq.slice_idle_us=' apply --set bfq.slice_
offers 'a switch' 'bfq.low_latency=0 bfq.low_latency=1' apply --set bfq.low_latency=
offers 'a default' 'mq-deadline.read_expire=500' apply --set mq-deadline.read_expire=
offers 'as devices have it' '--set=read_ahead_kb=128' apply --set=read_ahead_kb=
prints 'the device that has it' 'as dm-0 has it'
offers 'the key alone' 'slice_idle_us=8000' apply --set slice_idle_us=
offers 'schedulers by attribute' 'scheduler=kyber' verify --set scheduler=k
offers 'no such attribute' '' apply --set nonsense=
offers 'parameters that can be simulated' 'read_expire=' simulate --sweep read_e
offers 'of a scheduler' 'kyber.read_lat_nsec= kyber.write_lat_nsec=' simulate --set kyber.
offers 'of a policy of the textbooks' 'look.start= look.direction= look.merges=' simulate --set look.
offers 'the default of one' '--sweep=look.start=0' simulate --sweep=look.start=
offers 'without its scheduler' 'fifo_batch=16' simulate --sweep fifo_batch=
offers 'the queue itself' 'nr_requests=' simulate --sweep nr_
offers 'nothing that is not simulated' '' simulate --set read_ahead
offers 'events of a recording' 'block_rq_insert block_rq_issue' capture --events block_rq_i
offers 'the next event, none twice' 'block_rq_issue,block_rq_insert' capture --events block_rq_issue,block_rq_i
offers 'columns' 'SCHED' status -o SCH
offers 'the next column' 'NAME,SCHED' status -o NAME,SCH
offers 'no column twice' '' status -o NAME,NAM
offers 'columns to add' '+SCHED' status -o +SCH
offers 'an attribute as a column' 'NAME,read_ahead_kb' status -o NAME,read_a
offers 'one word of several' 'systemd' persist install --method s
offers 'the next one' 'udev,systemd' persist install -m udev,s
offers 'a number is not guessed' '' apply --timeout ''
run complete -- snapshot -o ''
same 'files' "$rc:$out" $'0:\tfiles\n'

# Devices, and what they say of themselves, are not trusted.
host=hostile-strings
run complete -- --root "$hosts/$host.txt" status ''
same 'control characters are not handed to a terminal' \
	"$(tr -d '\t\n -~' <"$TMPDIR/out" | LC_ALL=C tr -d '\200-\377' | wc -c)" 0
# shellcheck disable=SC2016 # this is the name
sed 's/\bsdb\b/a$(b)/g' "$hosts/linux-6.1-stack.txt" >"$TMPDIR/host.txt"
run --root "$TMPDIR/host.txt" status -n -r -o NAME
# shellcheck disable=SC2016
prints 'a name that a shell would read is a device' 'a$(b)'
run complete -- --root "$TMPDIR/host.txt" status ''
same 'a name that a shell would read is left out' "$rc:$(cut -f 1 "$TMPDIR/out" | tr '\n' ' ')" \
	'0:dm-0 dm-1 dm-2 md0 sda sdc '

finish
