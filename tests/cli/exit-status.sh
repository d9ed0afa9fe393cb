#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# One rule for every verb: 2 for what is wrong in what was asked for (the command line, a name
# on it that there is not, a mistake in a file that it names), 1 for what could not be done (a
# file that cannot be read).
set -u
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/lib.sh"

host=$hosts/linux-6.1-raid.txt
work=$TMPDIR/files
mkdir -p "$work/tree/etc" "$work/system"
unpack linux-6.1-raid "$work/system"
echo '{ "name": "wrong", "rules": [ { "match": { "clas": "hdd" } } ] }' >"$work/wrong.json"
echo '{ "name": "orphan", "inherits": "nosuch", "rules": [] }' >"$work/orphan.json"
echo 'nothing = of the kind' >"$work/wrong.fio"
awk 'BEGIN { for (i = 0; i < 4000; i++) printf "%.2f ; %d ; 8 ; R ; 0 ; 0\n", i / 100, i * 7919 % 100000 * 8 }' \
	>"$work/reads.load"

# STATUS and the arguments; @HOST, @SYSTEM, @WORK and @TREE stand for what their names say.
while read -r status line; do
	case $status in '#' | '') continue ;; esac
	line=${line//@HOST/--root $host}
	line=${line//@TREE/--root $work/tree}
	line=${line//@SYSTEM/--root $work/system}
	line=${line//@WORK/$work}
	# shellcheck disable=SC2086
	run $line
	if [ "$rc" = "$status" ] && [ -n "$err" ]; then
		point ok "$status: $line"
	else
		point bad "$status: $line"
	fi
done <<'END'
# a device
2 status nosuch @HOST
2 show nosuch @HOST
2 verify nosuch @HOST
2 verify -p database nosuch @HOST
2 diagnose nosuch @HOST
2 apply -p database -n nosuch @HOST
2 restore -n nosuch @HOST
2 simulate nosuch @HOST
2 advise nosuch --trace @WORK/reads.load @HOST
2 capture nosuch -o @WORK/out @SYSTEM
2 status --watch nosuch @SYSTEM
# a profile
2 status -p nosuch @HOST
2 show -p nosuch sda @HOST
2 verify -p nosuch @HOST
2 apply -p nosuch -n @HOST
2 simulate -p nosuch
2 simulate sda -p nosuch @HOST
2 generate udev -p nosuch
2 generate systemd -p nosuch
2 persist install -n -p nosuch @TREE
2 profile show nosuch
2 profile check nosuch
# a scheduler
2 apply -s nosuch -n sda @HOST
2 simulate -s nosuch
2 simulate sda -s nosuch @HOST
2 advise -s nosuch --trace @WORK/reads.load -m sata-ssd
# a parameter
2 apply --set nosuch=1 -n sda @HOST
2 simulate --set nosuch=1
2 simulate --sweep nosuch=1,2
# a workload, a medium, an objective, an experiment, a kernel
2 apply -p database --simulate -w nosuch sda @HOST
2 simulate -w nosuch
2 simulate -m nosuch
2 advise -m nosuch --trace @WORK/reads.load
2 simulate --objective nosuch
2 advise --objective nosuch --trace @WORK/reads.load -m sata-ssd
2 simulate --published F99
2 simulate --kernel nosuch
# a verb, an action, a column, a method, a format
2 nosuch
2 help nosuch
2 profile nosuch
2 generate nosuch
2 persist nosuch
2 persist install -m nosuch @TREE
2 status -o nosuch @HOST
2 status --format nosuch @HOST
# a mistake in a file
2 status -p @WORK/wrong.json @HOST
2 show -p @WORK/wrong.json sda @HOST
2 verify -p @WORK/wrong.json @HOST
2 apply -p @WORK/wrong.json -n @HOST
2 apply -p @WORK/orphan.json -n @HOST
2 simulate -p @WORK/wrong.json
2 generate udev -p @WORK/wrong.json
2 persist install -n -p @WORK/wrong.json @TREE
2 profile show @WORK/wrong.json
2 simulate -m @WORK/wrong.json
2 simulate --fio @WORK/wrong.fio
2 simulate --published @WORK/wrong.json
# which is what was asked, and found
1 profile check @WORK/wrong.json
1 profile check @WORK/orphan.json
# of what is not this host nothing can be recorded or measured
5 bench sdl @HOST
5 capture sdl -o @WORK/out @HOST
5 advise sdl @HOST
# a file that cannot be read
1 status -p @WORK/absent.json @HOST
1 show -p @WORK/absent.json sda @HOST
1 verify -p @WORK/absent.json @HOST
1 apply -p @WORK/absent.json -n @HOST
1 apply -p @WORK -n @HOST
1 simulate -p @WORK/absent.json
1 generate udev -p @WORK/absent.json
1 persist install -n -p @WORK/absent.json @TREE
1 profile show @WORK/absent.json
1 profile check @WORK/absent.json
1 simulate -m @WORK/absent.json
1 simulate --fio @WORK/absent.fio
1 simulate --trace @WORK/absent.load
1 simulate --published @WORK/absent.json
1 status --root @WORK/absent
# what may not be
5 apply -p database @HOST
5 restore @HOST
END

finish
