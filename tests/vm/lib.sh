# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# What the scripts of this folder share: where things are kept, the kernels, messages.

# The roots and disks are large and slow to make: they are kept outside the tree.
vm_cache=${IOSCHED_TUNE_VM_CACHE:-${XDG_CACHE_HOME:-${HOME:-/var/tmp}/.cache}/iosched-tune/vm}

# Kernel -> the Debian suite that has it.
# shellcheck disable=SC2034 # used by those that source this
declare -A vm_suite=([5.10]=bullseye [6.1]=bookworm [6.12]=trixie [7.2]=sid)

vm_say()
{
	printf '# %s\n' "$*" >&2
}

vm_die()
{
	printf '# %s\n' "$*" >&2
	exit 1
}

# The commands that are missing, one a line.
vm_missing()
{
	local c

	for c in qemu-system-x86_64 debootstrap mke2fs apt-get dpkg-deb depmod; do
		command -v "$c" >/dev/null 2>&1 || echo "$c"
	done
}

# The archive that this host itself installs from, or else the public one.
vm_mirror()
{
	# shellcheck disable=SC2016 # apt's own variables
	apt-get indextargets --format '$(SITE) $(RELEASE)' 'Created-By: Packages' |
		awk '$2 == "bookworm" { site = $1; exit }
		     END { print site ? site : "http://deb.debian.org/debian" }'
}

# One script at a time makes things in the cache.
vm_lock()
{
	mkdir -p "$vm_cache"
	exec 9>"$vm_cache/lock"
	flock 9
}

# apt with a state of its own, so that the host's lists stay as they are.
vm_apt()
{
	local suite=$1 state=$vm_cache/apt/$1 mirror

	mirror=$(vm_mirror)
	shift
	mkdir -p "$state"/state/lists/partial "$state"/cache/archives/partial
	echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $suite main" \
		>"$state/sources.list"
	"$1" -q -o Acquire::Retries=2 -o Acquire::http::Timeout=20 -o Dir::State="$state/state" -o Dir::State::Status=/dev/null \
		-o Dir::Cache="$state/cache" -o Dir::Etc::SourceList="$state/sources.list" \
		-o Dir::Etc::SourceParts=/dev/null -o APT::Sandbox::User=root "${@:2}"
}

# Renews a suite's lists; ends the script with 77 where the archive cannot be reached.
vm_lists()
{
	mkdir -p "$vm_cache/apt"
	vm_apt "$1" apt-get -o APT::Update::Error-Mode=any update >"$vm_cache/apt/$1.log" 2>&1 && return
	vm_say "no lists of $1: $(tail -n 1 "$vm_cache/apt/$1.log")"
	exit 77
}

# Ends the script with 77 where a download failed: LOG says why.
vm_no_download()
{
	vm_say "download failed: $(grep -E '^(E|W|Err)' "$1" | tail -n 1)"
	exit 77
}
