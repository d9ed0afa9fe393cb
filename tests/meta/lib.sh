# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# What the tests about the tree share: the list of its files and TAP points.

# The last part of a pipeline runs here, so that its points are counted.
shopt -s lastpipe

cd "${TOP:?run me through tests/run}" || exit 1
count=0

# tree [PATHSPEC...]: the files of the tree, from git or, in an unpacked archive, from disk.
# shellcheck disable=SC2120 # without arguments it gives all of them
tree()
{
	if [ -e .git ] && command -v git >/dev/null 2>&1; then
		GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0='*' \
			git ls-files --cached --others --exclude-standard -- "$@" | sort -u |
			while IFS= read -r file; do [ -f "$file" ] && printf '%s\n' "$file"; done
	else
		find . -name 'build' -prune -o -name 'build-*' -prune -o -type f -print |
			sed 's|^\./||' | sort | while IFS= read -r file; do
			matches "$file" "$@" && printf '%s\n' "$file"
		done
	fi
}

# matches FILE [PATHSPEC...]: does one of the patterns (as git reads them) fit?
matches()
{
	local file=$1 pattern

	shift
	[ $# -eq 0 ] && return 0
	for pattern; do
		# shellcheck disable=SC2254 # it is a pattern
		case $file in
		$pattern | "$pattern"/*) return 0 ;;
		esac
	done
	return 1
}

# Scripts: what says so in its first line.
scripts()
{
	local file line

	# shellcheck disable=SC2119
	tree | while IFS= read -r file; do
		IFS= read -r line <"$file" 2>/dev/null || continue
		case $line in
		'#!'*/sh | '#!'*bash*) printf '%s\n' "$file" ;;
		*) case $file in tests/*.sh) printf '%s\n' "$file" ;; esac ;;
		esac
	done 2>/dev/null
}

# empty WHAT: a point that holds when stdin is empty; otherwise it shows the offenders.
empty()
{
	local lines

	lines=$(head -n 40)
	count=$((count + 1))
	if [ -z "$lines" ]; then
		echo "ok $count - $1"
	else
		echo "not ok $count - $1"
		printf '%s\n' "$lines" | sed 's/^/#   /'
	fi
}

# same WHAT GOT WANTED
same()
{
	count=$((count + 1))
	if [ "$2" = "$3" ]; then
		echo "ok $count - $1"
	else
		printf 'not ok %d - %s\n#   got:    %s\n#   wanted: %s\n' $count "$1" "$2" "$3"
	fi
}

# skipped WHAT WHY
skipped()
{
	count=$((count + 1))
	echo "ok $count - $1 # SKIP $2"
}

finish()
{
	echo "1..$count"
}
