#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# TIME-LIMIT: 60
#
# The audit trail: structured records where journald listens (a socket of our own in its
# place), else lines in the log file, else nothing, and no failure.
set -u
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

need root loop unshare losetup perl jq
private "$0" "$@"
add_loop || exit 1
mount -t tmpfs -o mode=755 tmpfs /run || exit 1
log=/var/log/iosched-tune.log

other()
{
	[ "$(active "$loop")" = none ] && echo mq-deadline || echo none
}

# Without journald
tune apply --scheduler "$(other)" --set read_ahead_kb=512 "$loop"
same 'the log file: exit status' $status 0
same 'the log file: a line for each write' \
	"$(jq -r '[.device, .attribute, .new, .origin, .outcome] | join(" ")' $log 2>&1)" \
	"$loop scheduler $(active "$loop") command-line done
$loop read_ahead_kb 512 command-line done"
rm -f $log

# Neither journald nor a place for the file
mount -t tmpfs -o ro tmpfs /var/log
tune apply --scheduler "$(other)" "$loop"
same 'no place for either: exit status' "$status $(grep -c failed "$work/err")" '0 0'
umount /var/log

# With journald. Its protocol: one datagram a record, a line a field.
mkdir -p /run/systemd/journal
perl -MSocket -MIO::Socket::UNIX -e '
	my $socket = IO::Socket::UNIX->new(Type => SOCK_DGRAM, Local => "/run/systemd/journal/socket") or die $!;
	open my $out, ">", $ARGV[0] or die $!;
	$out->autoflush(1);
	while (defined $socket->recv(my $record, 65536)) { print $out $record, "--\n" }' "$work/records" &
listener=$!
for _ in $(seq 500); do
	[ -S /run/systemd/journal/socket ] && [ -e "$work/records" ] && break
	sleep 0.01
done
scheduler=$(other)
old=$(active "$loop")
tune apply --scheduler "$scheduler" --set read_ahead_kb=1MiB "$loop"
for _ in $(seq 500); do
	[ "$(grep -c '^--' "$work/records")" -ge 2 ] && break
	sleep 0.01
done
kill $listener
wait $listener 2>/dev/null
same 'journald: exit status' $status 0
same 'journald: a record for each write' "$(grep -c '^--' "$work/records")" 2
for field in "IOSCHED_DEVICE=$loop" 'IOSCHED_ATTRIBUTE=scheduler' "IOSCHED_OLD=$old" \
	"IOSCHED_NEW=$scheduler" 'IOSCHED_ORIGIN=command-line' 'IOSCHED_OUTCOME=done' \
	'IOSCHED_ATTRIBUTE=read_ahead_kb' 'IOSCHED_OLD=512' 'IOSCHED_NEW=1024' 'PRIORITY=6'; do
	check "journald: $field" grep -qx "$field" "$work/records"
done
same 'journald: one identity of all' "$(grep -c '^MESSAGE_ID=[0-9a-f]\{32\}$' "$work/records")" 2
check 'journald: no log file beside it' [ ! -e $log ]
tune restore
same 'restore' $status 0
finish
