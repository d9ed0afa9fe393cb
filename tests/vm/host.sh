# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# What the scripts that boot machines share: TAP, progress, the root and its machines, and
# what those write while they run. For scripts that have gone to this folder.

# shellcheck source=tests/vm/lib.sh
. ./lib.sh

number=0 failed=0
folder= # of what is made for the machines
machine= # what runs: a machine, or the making of its root

point() # ok|"not ok" WHAT
{
	number=$((number + 1))
	[ "$1" = ok ] || failed=$((failed + 1))
	echo "$1 $number - $2"
}

progress()
{
	echo "# $*"
	{ echo "    $*" >&3; } 2>/dev/null
}

# Lines from stdin, shown in any case.
table()
{
	local line

	while IFS= read -r line; do
		progress "$line"
	done
}

skip()
{
	echo "ok 1 - boots # SKIP $*"
	echo "1..1"
	exit 0
}

# shellcheck disable=SC2329 # called by the trap
clean()
{
	[ -n "$machine" ] && kill "$machine" 2>/dev/null
	rm -rf "$folder"
}

# What must be here, and a folder for the machines; skips all where it is not.
host_begin()
{
	local missing node made

	[ "$(id -u)" -eq 0 ] || skip "needs root"
	missing=$(vm_missing | tr '\n' ' ')
	[ -z "$missing" ] || skip "missing here: $missing"
	mkdir -p "$vm_cache"
	node=$vm_cache/node.$$
	mknod "$node" c 1 3 2>/dev/null && { : >"$node"; } 2>/dev/null
	made=$?
	rm -f "$node"
	[ $made = 0 ] || skip "no root can be made where device nodes cannot: $vm_cache"
	folder=$(mktemp -d "${TMPDIR:-/tmp}/iosched-tune-vm.XXXXXX") || exit 1
	trap clean EXIT
	trap 'echo "Bail out! ended by a signal"; exit 1' INT TERM
	: >"$folder/figures"
}

host_make_root() # SECONDS KERNEL...
{
	local limit=$1 status

	shift

	progress "the root of the machines, in $vm_cache"
	timeout -k 10 "$limit" ./make-root "$@" \
		2> >(while read -r line; do progress "${line#\# }"; done) >/dev/null &
	machine=$!
	wait "$machine"
	status=$? machine=
	case $status in
	0) ;;
	77) skip "the archive cannot be reached" ;;
	124 | 137) skip "the archive is too slow: no root in $limit s" ;;
	*) echo "not ok 1 - the root of the machines is made"; echo 1..1; exit 1 ;;
	esac
}

host_end()
{
	echo "1..$number"
	[ "$failed" = 0 ]
}

# Milliseconds of processor time that the emulator has used in this boot. A busy host stretches a
# machine's clock; this it leaves nearly as it is.
emulator_ms() # KERNEL
{
	local pid stat

	read -r pid 2>/dev/null <"$folder/$1/emulator"
	read -r stat 2>/dev/null <"/proc/$pid/stat" || { echo 0; return; }
	read -r -a stat <<<"${stat##*) }"
	echo $(((stat[11] + stat[12]) * 1000 / $(getconf CLK_TCK)))
}

# Passes on what the machine writes while it runs; returns when it has ended.
follow() # KERNEL
{
	local verb rest

	while read -r verb rest; do
		rest=${rest%$'\r'}
		case $verb in
		ok) point ok "$1: ${rest#- }" ;;
		not) point "not ok" "$1: ${rest#ok - }" ;;
		say) echo "# $1: $rest" ;;
		step) progress "$1: $rest" ;;
		count) echo "$1 count $rest" >>"$folder/figures" ;;
		boot | time) echo "$1 $verb $rest $(emulator_ms "$1")" >>"$folder/figures" ;;
		end*) echo "$1" >>"$folder/ended" ;;
		esac
	done
}

boot() # KERNEL PROGRAM-TREE SECONDS WHAT
{
	local kernel=$1 program=$2 seconds=$3 what=$4 status

	mkdir "$folder/$kernel"
	: >"$folder/$kernel/results"
	progress "$kernel: making its disk"
	./make-disk "$kernel" "$program" "$folder/$kernel/root.img" ||
		{ point "not ok" "$kernel: the disk is made"; return; }
	progress "$kernel: $what"
	./machine "$kernel" "$folder/$kernel/root.img" "$folder/$kernel" "$seconds" \
		>"$folder/$kernel/qemu" 2>&1 &
	machine=$!
	follow "$kernel" < <(tail -f -n +1 --pid="$machine" "$folder/$kernel/results")
	wait "$machine"
	status=$?
	machine=
	if grep -qx "$kernel" "$folder/ended" 2>/dev/null; then
		point ok "$kernel: every step was reached"
	elif [ $status = 3 ]; then
		point ok "$kernel: every step was reached # SKIP this host is too slow for it in $seconds s"
	else
		point "not ok" "$kernel: every step was reached"
		{ cat "$folder/$kernel/qemu"; tail -n 25 "$folder/$kernel/console"; } | tr -d '\r' | sed 's/^/# /'
	fi
	rm -f "$folder/$kernel"/*.img
}
