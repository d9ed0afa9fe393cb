# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# What the tests of the command line share: running the program on made-up hosts, TAP
# points, and golden outputs. `UPDATE=1 tests/run -v tests/cli/NAME.sh` writes the
# golden files anew: read the difference before committing it.

# The last part of a pipeline runs here, so that its points are counted.
shopt -s lastpipe

cd "${TOP:?run me through tests/run}" || exit 1
: "${IOSCHED_TUNE:=$TOP/build/iosched-tune}" "${TMPDIR:?run me through tests/run}"
hosts=tests/fixtures/hosts
golden=tests/cli/golden
# Results do not depend on the language or the terminal of whoever runs this, nor on the
# wording of the shipped profiles, but where a test asks for those.
export LC_ALL=C TZ=UTC
unset NO_COLOR LANGUAGE COLUMNS
export IOSCHED_TUNE_PROFILES=$TOP/tests/cli/profiles
count=0

# run ARGS...: the program; leaves $out, $err and $rc.
run()
{
	"$IOSCHED_TUNE" "$@" >"$TMPDIR/out" 2>"$TMPDIR/err" </dev/null
	rc=$?
	# A process that a signal ended is a bug whatever was expected of it.
	[ $rc -lt 128 ] || echo "# signal: iosched-tune $*"
	out=$(cat "$TMPDIR/out"; echo .)
	out=${out%.}
	err=$(cat "$TMPDIR/err")
}

# on HOST ARGS...: the program on a snapshot.
on()
{
	local host=$hosts/$1.txt

	shift
	run --root "$host" "$@"
}

point()
{
	local verdict=$1 what=$2

	count=$((count + 1))
	if [ "$verdict" = ok ]; then
		echo "ok $count - $what"
	else
		echo "not ok $count - $what"
		echo "#   status: $rc"
		head -n 30 "$TMPDIR/out" | cat -v | sed 's/^/#   out: /'
		head -n 10 "$TMPDIR/err" | cat -v | sed 's/^/#   err: /'
	fi
}

# exits WHAT STATUS
exits()
{
	if [ "$rc" = "$2" ]; then
		point ok "$1"
	else
		point bad "$1: exit status $2"
	fi
}

# same WHAT GOT WANTED
same()
{
	if [ "$2" = "$3" ]; then
		point ok "$1"
	else
		point bad "$1"
		printf '#   got:    %s\n#   wanted: %s\n' "$2" "$3"
	fi
}

# says WHAT TEXT...: each is somewhere on stderr.
says()
{
	local what=$1 text

	shift
	for text; do
		case $err in
		*"$text"*) ;;
		*) point bad "$what"; echo "#   missing: $text"; return ;;
		esac
	done
	point ok "$what"
}

# prints WHAT TEXT...: each is somewhere on stdout.
prints()
{
	local what=$1 text

	shift
	for text; do
		case $out in
		*"$text"*) ;;
		*) point bad "$what"; echo "#   missing: $text"; return ;;
		esac
	done
	point ok "$what"
}

# fails WHAT STATUS TEXT...: the exit status, nothing on stdout, and what stderr says.
fails()
{
	local what=$1 status=$2

	shift 2
	if [ "$rc" != "$status" ]; then
		point bad "$what: exit status $status"
	elif [ -n "$out" ]; then
		point bad "$what: nothing on the standard output"
	else
		says "$what" "$@"
	fi
}

# golden WHAT NAME: stdout is what the file says.
golden()
{
	local file=$golden/$2

	if [ -n "${UPDATE:-}" ]; then
		cp "$TMPDIR/out" "$file"
	fi
	if cmp -s "$TMPDIR/out" "$file"; then
		point ok "$1"
	else
		point bad "$1"
		diff -u "$file" "$TMPDIR/out" | head -n 40 | sed 's/^/#   /'
	fi
}

# unpack HOST FOLDER: the snapshot as a tree of plain files, which can be written.
unpack()
{
	local line path value

	while IFS= read -r line; do
		case $line in
		'#'* | '') continue ;;
		*' -> '*)
			path=$2/${line%% -> *}
			mkdir -p "${path%/*}"
			ln -s "${line#* -> }" "$path"
			;;
		*' := '* | *' = '*)
			case ${line%% = *} in
			*' := '*) path=${line%% := *} value=${line#* := } ;;
			*) path=${line%% = *} value=${line#* = } ;;
			esac
			mkdir -p "$2${path%/*}"
			printf '%b' "$value" >"$2$path"
			;;
		*/) mkdir -p "$2$line" ;;
		esac
	done <"$hosts/$1.txt"
}

# json FILTER: jq on stdout, compact.
json()
{
	jq -c "$1" <"$TMPDIR/out" 2>&1
}

# needs COMMAND: ends the script as skipped where there is none.
needs()
{
	command -v "$1" >/dev/null 2>&1 && return
	echo "1..0 # SKIP no $1"
	exit 0
}

skipped()
{
	count=$((count + 1))
	echo "ok $count - $1 # SKIP $2"
}

finish()
{
	echo "1..$count"
}
