#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# snapshot: reading it back gives the same snapshot and the same reports.
set -u
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/lib.sh"

for file in "$hosts"/*.txt; do
	host=${file##*/}
	run --root "$file" snapshot --with-serials
	exits "$host" 0
	cp "$TMPDIR/out" "$TMPDIR/one.txt"
	run --root "$TMPDIR/one.txt" snapshot --with-serials
	same "$host: again, byte for byte" "$(cmp "$TMPDIR/out" "$TMPDIR/one.txt" && echo equal)" equal
	for args in 'status --all -o all' 'apply --profile database --dry-run' 'verify --profile database'; do
		# shellcheck disable=SC2086 # words are meant
		run --root "$file" $args
		cp "$TMPDIR/out" "$TMPDIR/first"
		first=$rc
		# shellcheck disable=SC2086
		run --root "$TMPDIR/one.txt" $args
		same "$host: $args" "$rc:$(cmp "$TMPDIR/out" "$TMPDIR/first" && echo equal)" "$first:equal"
	done
done

# From a tree.
unpack linux-6.1-stack "$TMPDIR/tree"
run --root "$TMPDIR/tree" snapshot --with-serials -o "$TMPDIR/tree.txt"
same 'of a tree, into a file' "$rc:$out" 0:
run --root "$TMPDIR/tree" status --all
cp "$TMPDIR/out" "$TMPDIR/first"
run --root "$TMPDIR/tree.txt" status --all
same 'of a tree: the same status' "$(cmp "$TMPDIR/out" "$TMPDIR/first" && echo equal)" equal

# Serial numbers.
serials=$("$IOSCHED_TUNE" --root $hosts/linux-6.1-stack.txt status --all -nro SERIAL,WWN | tr ' ' '\n' | grep -vx -e - -e '' | sort -u)
same 'the host has serial numbers' "$([ -n "$serials" ] && echo yes)" yes
on linux-6.1-stack snapshot
same 'serial numbers are left out' "$(grep -cF "$serials" "$TMPDIR/out")" 0
prints 'serial numbers are left out: said so' REDACTED
on linux-6.1-stack snapshot --with-serials
same 'serial numbers are kept when asked for' "$([ "$(grep -cF "$serials" "$TMPDIR/out")" -gt 0 ] && echo yes)" yes

# Bad files.
run --root "$TMPDIR/none" status
fails 'no such root' 1 "$TMPDIR/none"
printf 'hello\n' >"$TMPDIR/bad.txt"
run --root "$TMPDIR/bad.txt" status
fails 'no snapshot' 1 'bad.txt'
printf '# iosched-tune snapshot 1\n/sys/../x = 1\n' >"$TMPDIR/bad.txt"
run --root "$TMPDIR/bad.txt" status
fails 'a path that leads up' 1 'bad.txt:2'
printf '# iosched-tune snapshot 1\n/proc/cmdline = a\n' >"$TMPDIR/bad.txt"
run --root "$TMPDIR/bad.txt" status
fails 'no sysfs' 1 'sys/block'
mkdir "$TMPDIR/empty"
run --root "$TMPDIR/empty" status
fails 'an empty tree' 1 'sys/block'
printf '# iosched-tune snapshot 1\n/sys/block/\n' >"$TMPDIR/bad.txt"
run --root "$TMPDIR/bad.txt" status
same 'no devices' "$rc" 0
run --root $hosts/linux-6.1-stack.txt snapshot -o "$TMPDIR/no/such/folder"
fails 'a file that cannot be written' 1 "$TMPDIR/no/such/folder"
if [ -w /dev/full ]; then
	run --root $hosts/linux-6.1-stack.txt snapshot -o /dev/full
	fails 'a full disk' 1 '"/dev/full": No space left on device' 'name another place'
else
	skipped 'a full disk' 'no /dev/full'
fi
run --root $hosts/linux-6.1-stack.txt snapshot -o ''
fails 'an empty name, as of an unset variable' 2 '--output names no file'
(
	ulimit -f 1
	"$IOSCHED_TUNE" --root $hosts/linux-6.1-stack.txt snapshot -o "$TMPDIR/limited"
) >"$TMPDIR/out" 2>"$TMPDIR/err"
rc=$? out='' err=$(cat "$TMPDIR/err")
fails 'a limit on the size of files' 1 "\"$TMPDIR/limited\": File too large"

sed 's/$/\r/' $hosts/linux-6.1-stack.txt >"$TMPDIR/returns.txt"
on linux-6.1-stack show sda
cp "$TMPDIR/out" "$TMPDIR/wanted"
run --root "$TMPDIR/returns.txt" show sda
same 'line ends of another system' "$rc:$(diff "$TMPDIR/out" "$TMPDIR/wanted")" 0:
# A failure leaves what was there, and nothing beside it.
mkdir "$TMPDIR/place"
(
	ulimit -f 1
	"$IOSCHED_TUNE" --root $hosts/linux-6.1-stack.txt snapshot -o "$TMPDIR/place/new.txt"
) >"$TMPDIR/out" 2>"$TMPDIR/err"
same 'a failure leaves no half of a file' "$?:$(ls -A "$TMPDIR/place")" 1:
echo before >"$TMPDIR/place/old.txt"
chmod 640 "$TMPDIR/place/old.txt"
(
	ulimit -f 1
	"$IOSCHED_TUNE" --root $hosts/linux-6.1-stack.txt snapshot -o "$TMPDIR/place/old.txt"
) >"$TMPDIR/out" 2>"$TMPDIR/err"
same 'a failure leaves the file of before' "$?:$(ls -A "$TMPDIR/place"):$(cat "$TMPDIR/place/old.txt")" 1:old.txt:before
run --root $hosts/linux-6.1-stack.txt snapshot
lines=$(grep -c . "$TMPDIR/out")
ln -s old.txt "$TMPDIR/place/link.txt"
run --root $hosts/linux-6.1-stack.txt snapshot -o "$TMPDIR/place/link.txt"
same 'through a link, with the mode of before' \
	"$rc:$(readlink "$TMPDIR/place/link.txt"):$(stat -c %a "$TMPDIR/place/old.txt"):$(grep -c . "$TMPDIR/place/old.txt")" \
	"0:old.txt:640:$lines"
run --root $hosts/linux-6.1-stack.txt snapshot -o /dev/stdout
prints 'what is no file is written as it is' '# iosched-tune snapshot 1'

run --root $hosts/linux-6.1-stack.txt snapshot --json
fails 'it is text, whatever is asked for' 2 '--json' 'status --json -o all'

# What is no file in the place of one.
unpack linux-6.1-stack "$TMPDIR/odd"
mkdir -p "$TMPDIR/odd/etc/iosched-tune/devices.d"
mkfifo "$TMPDIR/odd/etc/iosched-tune/devices.d/a.json"
run --root "$TMPDIR/odd" apply --dry-run --profile database
fails 'a pipe among the device overrides' 1 '/etc/iosched-tune/devices.d/a.json' 'not a text file'

finish
