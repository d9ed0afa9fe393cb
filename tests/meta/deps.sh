#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# packaging/install-build-deps with package managers that only write down what they are
# asked: which packages, in which order, and what is said to whom.
set -u
# shellcheck source=tests/meta/lib.sh
. "$(dirname "$0")/lib.sh"

bin=$TMPDIR/bin
deps=packaging/install-build-deps

# host MANAGER UID MISSING: a machine with this package manager where the pkg-config
# module MISSING is absent until a package is installed.
host()
{
	local tool

	rm -rf "$bin"
	mkdir -p "$bin"
	: >"$TMPDIR/asked"
	# Only these commands exist there.
	for tool in bash cat cut env grep gcc ar ld as make sort sleep tr awk sed dirname; do
		ln -s "$(command -v $tool)" "$bin/$tool"
	done
	printf '#!%s\necho %s\n' "$BASH" "$2" >"$bin/id"
	ln -s id "$bin/msgfmt"
	ln -s id "$bin/scdoc"
	cat >"$bin/pkg-config" <<-EOF
		#!$BASH
		[ "\$2" != "$3" ] || [ -e "$TMPDIR/installed" ]
	EOF
	rm -f "$TMPDIR/installed"
	if [ -n "$1" ]; then
		cat >"$bin/$1" <<-EOF
			#!$BASH
			echo "$1 \$*" >>"$TMPDIR/asked"
			case "\$*" in
			*update*) : >"$TMPDIR/updated" ;;
			*install*) [ -e "$TMPDIR/updated" ] || exit 100; : >"$TMPDIR/installed" ;;
			esac
		EOF
	fi
	chmod +x "$bin"/id "$bin"/pkg-config ${1:+"$bin/$1"}
	: >"$TMPDIR/updated"
}

deps()
{
	out=$(PATH=$bin CC=gcc "$BASH" $deps "$@" 2>&1)
	rc=$?
}

host apt-get 0 none
deps --quiet
same 'nothing missing: silent and successful' "$rc:$out" '0:'
same 'nothing missing: no package manager is asked' "$(cat "$TMPDIR/asked")" ''

host apt-get 0 jansson
deps
same 'apt: installed' "$rc" 0
same 'apt: only what is missing, without a question' "$(cat "$TMPDIR/asked")" \
	'apt-get install -y --no-install-recommends libjansson-dev'

host apt-get 0 jansson
rm "$TMPDIR/updated"
deps
same 'apt without lists: refreshed, then once more' "$rc:$(cut -d ' ' -f 1-2 "$TMPDIR/asked" | tr '\n' ';')" \
	'0:apt-get install;apt-get update;apt-get install;'

host dnf 0 libudev
deps
same 'dnf' "$rc:$(cat "$TMPDIR/asked")" '0:dnf install -y systemd-devel'

host yum 0 mount
deps
same 'yum' "$rc:$(cat "$TMPDIR/asked")" '0:yum install -y libmount-devel'

host zypper 0 jansson
deps
same 'zypper' "$rc:$(cat "$TMPDIR/asked")" '0:zypper --non-interactive install libjansson-devel'

host apt-get 1000 blkid
deps
same 'not root: refused' "$rc" 1
same 'not root: nothing is run' "$(cat "$TMPDIR/asked")" ''
same 'not root: the exact command' "$(grep -c '^ *sudo apt-get install -y --no-install-recommends libblkid-dev$' <<<"$out")" 1

host '' 0 jansson
deps
same 'unknown package manager: refused, naming what is missing' \
	"$rc:$(grep -c 'provides: .*pc:jansson' <<<"$out")" 1:1

host apt-get 1000 smartcols
deps
same 'a library that the build can do without is asked for, and missed' \
	"$rc:$(grep -c '^ *sudo apt-get install .* libsmartcols-dev$' <<<"$out")" 0:1

host apt-get 0 none
rm "$bin/scdoc"
deps --quiet
same 'what the build can do without is not brought' "$rc:$out:$(cat "$TMPDIR/asked")" 0::
deps --quiet --with-optional
same 'but where it is asked for' "$(cat "$TMPDIR/asked")" \
	'apt-get install -y --no-install-recommends scdoc'
host apt-get 1000 none
rm "$bin/scdoc"
deps --with-optional
same 'what is only good to have is no reason to stop' \
	"$rc:$(grep -c '^ *sudo apt-get install .* scdoc$' <<<"$out")" 0:1

host apt-get 0 jansson
deps --check
same '--check only looks' "$rc:$(grep -c pc:jansson <<<"$out"):$(cat "$TMPDIR/asked")" 1:1:

host apt-get 0 cmocka
deps
same 'test libraries only with --with-tests' "$rc:$(cat "$TMPDIR/asked")" 0:

deps --no-such-option
same 'unknown option: usage' "$rc" 2

finish
