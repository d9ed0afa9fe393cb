#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The Ansible role on a clean Debian 12: it installs the package from a file and makes a
# profile last, once, and check mode says so before.
# TIME-LIMIT: 1200
set -u
# shellcheck source=tests/packages/lib.sh
. "$(dirname "$0")/lib.sh"
need root unshare ansible-playbook dpkg-buildpackage dh_install
private "$0" "$@"

clean_root ansible python3 python3-apt systemd-sysv udev
build_package deb
cp "$package" "$root/tmp/one.deb"
in_root "$root" apt-get update -q >"$work/out" 2>&1

# Ansible's modules run in that root, as though it were the host.
mkdir -p "$work/remote" "$root$work/remote" && mount --bind "$work/remote" "$root$work/remote" || exit 1
cat >"$work/python" <<END
#!/bin/sh
exec chroot "$root" /usr/bin/python3 "\$@"
END
chmod +x "$work/python"
cat >"$work/play.yml" <<END
- hosts: localhost
  connection: local
  vars:
    ansible_python_interpreter: $work/python
    iosched_tune_package: /tmp/one.deb
    iosched_tune_profile: database
    iosched_tune_apply: false
    iosched_tune_verify: false
  roles: [iosched_tune]
END
export ANSIBLE_ROLES_PATH=$TOP/packaging/ansible/roles ANSIBLE_LOCAL_TEMP=$work/ansible
export ANSIBLE_NOCOLOR=1 ANSIBLE_RETRY_FILES_ENABLED=0 ANSIBLE_REMOTE_TEMP=$work/remote
export ANSIBLE_LOCALHOST_WARNING=false LC_ALL=C.UTF-8

# plays WHAT WANTED ARGUMENT...: what its recap says
plays()
{
	local what=$1 wanted=$2

	shift 2
	ansible-playbook -i localhost, "$work/play.yml" "$@" >"$work/out" 2>&1
	if grep -qE "^localhost .*changed=$wanted .*failed=0" "$work/out"; then
		point ok "$what"
	else
		point bad "$what" < <(tail -n 60 "$work/out")
	fi
}

plays 'check mode tells of the package' 1 --check
same 'and installs nothing' "$([ -e "$root/usr/bin/iosched-tune" ] && echo yes)" ''
plays 'the first run installs it and makes the profile last' 2
same 'it is there' "$(in_root "$root" dpkg -s iosched-tune 2>&1 | grep '^Status')" 'Status: install ok installed'
same 'so are the rules' "$(find "$root/etc/udev" -name 99-iosched-tune.rules | wc -l)" 1
plays 'the second run changes nothing' 0
plays 'check mode agrees' 0 --check

finish
