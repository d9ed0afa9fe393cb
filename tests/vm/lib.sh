# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# What the scripts of this folder share: where things are kept, the kernels, messages.

# The roots and disks are large and slow to make: they are kept outside the tree.
vm_cache=${IOSCHED_TUNE_VM_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/iosched-tune/vm}

# Kernel -> the Debian suite that has it.
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

# The archive that this host itself installs from.
vm_mirror()
{
	apt-get indextargets --format '$(SITE) $(RELEASE)' 'Created-By: Packages' |
		awk '$2 == "bookworm" { print $1; exit }'
}
