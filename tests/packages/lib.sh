# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2034 # what is set here is read by the scripts
#
# What the tests of the packages share: a clean Debian root that is made once and only
# copied, a mount namespace around it, lists of files to compare, and TAP points.

# The last part of a pipeline runs here, so that its points are counted.
shopt -s lastpipe

cd "${TOP:?run me through tests/run}" || exit 1
work=${TMPDIR:?run me through tests/run}
cache=${IOSCHED_TUNE_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/iosched-tune}/packages
root=$work/root
count=0

# need WHAT...: without one of them the whole script is skipped.
need()
{
	local what

	for what; do
		case $what in
		root) [ "$(id -u)" -eq 0 ] && continue ;;
		*) command -v "$what" >/dev/null 2>&1 && continue ;;
		esac
		echo "1..0 # SKIP needs $what"
		exit 0
	done
}

# give_up WHY: what is left of the script is skipped
give_up()
{
	if [ $count -eq 0 ]; then
		echo "1..0 # SKIP $1"
	else
		skipped 'a clean root' "$1"
		finish
	fi
	exit 0
}

# private "$0" "$@": runs the script again in a mount namespace of its own; whatever is
# mounted below the root goes with it.
private()
{
	[ "${IOSCHED_PACKAGES:-}" != private ] || return 0
	if ! unshare -m --propagation private true 2>/dev/null; then
		echo '1..0 # SKIP no mount namespace of its own (in a chroot or container?)'
		exit 0
	fi
	exec env IOSCHED_PACKAGES=private unshare -m --propagation private "$@"
}

# The archive that this host itself installs from.
mirror()
{
	# shellcheck disable=SC2016 # apt's own variables
	apt-get indextargets --format '$(SITE) $(RELEASE)' 'Created-By: Packages' 2>/dev/null |
		awk '$2 == "bookworm" { print $1; exit }'
}

# clean_base: makes $cache/bookworm, a minimal Debian 12, where it is not there yet; skips
# the script where it cannot be made.
clean_base()
{
	local from

	mkdir -p "$cache"
	exec 9>"$cache/lock"
	flock 9
	if ! [ -e "$cache/bookworm.made" ]; then
		need debootstrap apt-get
		from=$(mirror)
		rm -rf "$cache/bookworm"
		if [ -z "$from" ] || ! debootstrap --variant=minbase bookworm "$cache/bookworm" \
			"$from" >"$cache/bookworm.log" 2>&1; then
			give_up "no Debian 12 root can be made: $(tail -n 1 "$cache/bookworm.log" 2>/dev/null)"
		fi
		rm -f "$cache"/bookworm/var/cache/apt/archives/*.deb
		: >"$cache/bookworm.made"
	fi
	flock -u 9
}

# clean_root NAME PACKAGE...: copies the clean Debian with these packages to $root. Each
# set is made once: it is kept as $cache/NAME.
clean_root()
{
	local name=$1 made

	shift
	clean_base
	flock 9
	if ! made=$(cat "$cache/$name.made" 2>/dev/null) || [ "$made" != "$*" ]; then
		rm -rf "${cache:?}/$name" "$cache/$name.made"
		cp -a --reflink=auto "$cache/bookworm" "$cache/$name" || exit 1
		enter "$cache/$name"
		if ! { in_root "$cache/$name" apt-get update -q &&
			in_root "$cache/$name" apt-get install -q -y --no-install-recommends "$@"; } \
			>"$cache/$name.log" 2>&1 </dev/null; then
			give_up "no packages for a clean root: $(tail -n 1 "$cache/$name.log")"
		fi
		leave "$cache/$name"
		rm -f "$cache/$name"/var/cache/apt/archives/*.deb
		printf '%s\n' "$*" >"$cache/$name.made"
	fi
	flock -u 9
	cp -a --reflink=auto "$cache/$name" "$root" || exit 1
	enter "$root"
}

# What a program expects to be mounted. This machine's /sys can only be looked at.
enter()
{
	cp /etc/resolv.conf "$1/etc/resolv.conf" 2>/dev/null
	mount -t proc proc "$1/proc" && mount --bind /sys "$1/sys" &&
		mount -o remount,bind,ro "$1/sys" && mount -t tmpfs -o mode=755 tmpfs "$1/run" || exit 1
}

leave()
{
	umount -R "$1/proc" "$1/sys" "$1/run" || exit 1
}

# in_root ROOT COMMAND...
in_root()
{
	local where=$1

	shift
	env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 TERM=dumb \
		DEBIAN_FRONTEND=noninteractive ${http_proxy:+http_proxy="$http_proxy"} \
		${https_proxy:+https_proxy="$https_proxy"} chroot "$where" "$@"
}

# list_files ROOT: every path with its type, mode, owner and, for a file, what is in it.
# What a package manager writes about itself is told by name only.
list_files()
{
	(
		cd "$1" || exit 1
		find . -xdev \( -path ./proc -o -path ./sys -o -path ./run \) -prune -o \
			! -type f -printf '%p %y %m %u %g %l\n' -o -type f -printf '%p %y %m %u %g\n' | sort
		find . -xdev \( -path ./proc -o -path ./sys -o -path ./run -o -path './var/lib/dpkg' -o \
			-path './var/lib/rpm' -o -path './var/log/*' \) -prune -o \
			-type f -print0 | sort -z | xargs -0 sha256sum
	)
}

# point ok|bad WHAT: for bad, the lines on stdin follow
point()
{
	count=$((count + 1))
	if [ "$1" = ok ]; then
		echo "ok $count - $2"
	else
		echo "not ok $count - $2"
		sed 's/^/#   /'
	fi
}

# empty WHAT: holds when stdin is empty
empty()
{
	local lines

	lines=$(head -n 60)
	if [ -z "$lines" ]; then point ok "$1"; else point bad "$1" <<<"$lines"; fi
}

# same WHAT GOT WANTED
same()
{
	if [ "$2" = "$3" ]; then
		point ok "$1"
	else
		point bad "$1" <<<"got:    $2"$'\n'"wanted: $3"
	fi
}

# works WHAT COMMAND...
works()
{
	local what=$1

	shift
	if "$@" >"$work/out" 2>&1; then point ok "$what"; else point bad "$what" <"$work/out"; fi
}

skipped()
{
	count=$((count + 1))
	echo "ok $count - $1 # SKIP $2"
}

# build_package deb|rpm: sets $package. One that was built of the same commit is taken.
build_package()
{
	local kind=$1 commit flags=()

	commit=$(git rev-parse HEAD 2>/dev/null || echo none)
	if [ "$commit" = none ] || [ "$(cat "build/$kind.commit" 2>/dev/null)" != "$commit" ]; then
		[ "$kind" = deb ] || flags=(RPMFLAGS=--nodeps)
		if ! make -s "$kind" SETUP=0 "${flags[@]+"${flags[@]}"}" >"$work/build" 2>&1; then
			point bad "make $kind" < <(tail -n 40 "$work/build")
			echo "1..$count"
			exit 1
		fi
		echo "$commit" >"build/$kind.commit"
	fi
	point ok "make $kind"
	package=$(find "build/$kind" -name "iosched-tune[_-][0-9]*.$kind" | head -n 1)
}

finish()
{
	echo "1..$count"
}
