#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A low limit of open files: a verb either does its work, or says that this is the cause.
# Never is a file that could not be opened taken for one that is not there.
set -u
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/lib.sh"

tree=$TMPDIR/tree
unpack linux-6.1-stack "$tree"

# limited N ARGS...: the program with at most N descriptors.
limited()
{
	local limit=$1

	shift
	(ulimit -n "$limit" && "$IOSCHED_TUNE" --root "$tree" "$@") >"$TMPDIR/out" 2>"$TMPDIR/err" </dev/null
	rc=$?
	out=$(cat "$TMPDIR/out")
	err=$(cat "$TMPDIR/err")
}

for verb in 'status -o all' 'show sda' 'verify --profile database' 'persist status' 'snapshot'; do
	# shellcheck disable=SC2086
	run --root "$tree" $verb
	wanted=$rc:$(cat "$TMPDIR/out")
	wrong=
	told=0
	for ((limit = 5; limit <= 14; limit++)); do
		# shellcheck disable=SC2086
		limited $limit $verb
		case $rc:$out in
		"$wanted") continue ;;
		esac
		case $rc:$err in
		1:*'open files'*) told=$((told + 1)) ;;
		127:*) told=$((told + 1)) ;; # not even the libraries
		*) wrong+=" $limit" ;;
		esac
	done
	same "$verb: all of it, or the limit is named" "$wrong" ''
	same "$verb: some limits were too low" "$((told > 0))" 1
done

finish
