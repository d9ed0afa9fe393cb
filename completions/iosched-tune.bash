# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# bash completion of iosched-tune. The program itself knows what fits: this hands over
# the words that are typed and shows the answer.

_iosched_tune()
{
	local line candidate current kept
	local -a words candidates=()

	# bash splits words at '=' and ':'; the program takes them whole.
	line=${COMP_LINE:0:COMP_POINT}
	read -ra words <<<"$line"
	case $line in
	*[[:blank:]]) words+=('') ;;
	esac
	current=${words[${#words[@]} - 1]}
	# What stands before the last of them stays where it is.
	kept=
	case $COMP_WORDBREAKS in
	*[=:]*) kept=${current%"${current##*[=:]}"} ;;
	esac

	COMPREPLY=()
	while IFS= read -r line; do
		candidate=${line%%$'\t'*}
		if [ -n "$candidate" ]; then
			candidates+=("${candidate#"$kept"}")
		else
			compopt -o filenames 2>/dev/null
			while IFS= read -r candidate; do
				candidates+=("$candidate")
			done < <(compgen -f -- "${current#"$kept"}")
		fi
	done < <("$1" complete -- "${words[@]:1}" 2>/dev/null)
	case ${candidates[0]-} in
	*=) compopt -o nospace 2>/dev/null ;;
	esac
	COMPREPLY=(${candidates[@]+"${candidates[@]}"})
}

complete -F _iosched_tune iosched-tune
