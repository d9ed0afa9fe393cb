#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The same sources give the same bytes: the archive, the program, the Debian and the RPM
# package, built here and in another folder at another time; the archive builds without
# git and without a network; and what install lays down, uninstall takes away.
# TIME-LIMIT: 1200
set -u
# shellcheck source=tests/packages/lib.sh
. "$(dirname "$0")/lib.sh"
need git tar gcc make

# Another folder with a longer name, another user mask, and a clock that has gone on.
other=$work/another-folder-with-a-longer-name/sources
git -c safe.directory='*' clone -q "file://$TOP" "$other" 2>"$work/out" ||
	{ echo "1..0 # SKIP no clone: $(tail -n 1 "$work/out")"; exit 0; }
umask 027

# equal WHAT A B
equal()
{
	if cmp -s "$2" "$3"; then
		point ok "$1"
	elif command -v diffoscope >/dev/null 2>&1; then
		point bad "$1" < <(diffoscope "$2" "$3" 2>&1 | head -n 60)
	else
		point bad "$1" < <(cmp "$2" "$3" 2>&1; ls -l "$2" "$3")
	fi
}

make -s dist >"$work/out" 2>&1 && archive=$(find build -maxdepth 1 -name 'iosched-tune-*.tar.gz')
works 'make dist elsewhere' make -s -C "$other" dist
equal 'the archive' "$archive" "$other/$archive"

if command -v dpkg-buildpackage >/dev/null 2>&1 && command -v dh_install >/dev/null 2>&1; then
	build_package deb
	works 'make deb elsewhere' make -s -C "$other" deb SETUP=0
	equal 'the Debian package' "$package" "$other/$package"
	equal 'its debugging symbols' "$(echo build/deb/*dbgsym*.deb)" "$(echo "$other"/build/deb/*dbgsym*.deb)"
else
	skipped 'the Debian package' 'no debhelper'
fi
if command -v rpmbuild >/dev/null 2>&1; then
	build_package rpm
	works 'make rpm elsewhere' make -s -C "$other" rpm SETUP=0 RPMFLAGS=--nodeps
	equal 'the RPM package' "$package" "$other/$package"
else
	skipped 'the RPM package' 'no rpmbuild'
fi

# The archive by itself, in two folders: no git, no network, all that install lays down. In the
# second one without scdoc, as on systems that do not have it.
scdoc=scdoc
for folder in first second-with-another-name; do
	mkdir "$work/$folder"
	tar -xzf "$archive" -C "$work/$folder" --strip-components=1
	alone=(make -s -C "$work/$folder" install SETUP=0 "SCDOC=$scdoc" "DESTDIR=$work/$folder/root")
	scdoc=none
	if unshare -n true 2>/dev/null; then alone=(unshare -n "${alone[@]}"); fi
	works "make install from the archive, $folder" "${alone[@]}"
	(cd "$work/$folder/root" && find . -type f -print0 | sort -z | xargs -0 sha256sum) >"$work/$folder.sums"
done
same 'it lays something down' "$([ "$(wc -l <"$work/first.sums")" -gt 30 ] && echo yes)" yes
if command -v scdoc >/dev/null 2>&1; then
	same 'pages of the manual too, without scdoc' \
		"$(grep -c '/man/' "$work/second-with-another-name.sums")" "$(find man -name '*.scd' | wc -l)"
else
	skipped 'pages of the manual too, without scdoc' 'no scdoc'
fi
diff "$work/first.sums" "$work/second-with-another-name.sums" | empty 'the installed files, byte for byte'
make -s -C "$work/first" uninstall SETUP=0 "DESTDIR=$work/first/root" >"$work/out" 2>&1
find "$work/first/root" ! -type d | empty 'make uninstall leaves nothing'
make -s -C "$work/first" clean
rm -rf "$work/first/root"
(cd "$work/first" && find . ! -type d | sort) >"$work/left"
tar -tzf "$archive" | sed 's|^[^/]*/|./|; /\/$/d' | sort | diff - "$work/left" | empty 'make clean leaves nothing'

finish
