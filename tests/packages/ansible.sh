#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The Ansible role against this host, but on a loop device and in a tree of its own: check
# mode tells and changes nothing, the first run changes, the second does not; drift is
# found, mended, and told where it stays.
# TIME-LIMIT: 600
set -u
# shellcheck source=tests/packages/lib.sh
. "$(dirname "$0")/lib.sh"
need root unshare ansible-playbook losetup jq
private "$0" "$@"
mount -t tmpfs -o mode=755 tmpfs /var/lib && mount -t tmpfs -o mode=755 tmpfs /var/log || exit 1

truncate -s 16M "$work/disk"
if ! loop=$(losetup -f --show "$work/disk" 2>/dev/null); then
	echo '1..0 # SKIP no loop device'
	exit 0
fi
trap 'losetup -d "$loop"' EXIT
queue=/sys/block/${loop#/dev/}/queue
if ! grep -q mq-deadline "$queue/scheduler"; then
	echo '1..0 # SKIP this kernel has no mq-deadline'
	exit 0
fi
echo none >"$queue/scheduler"

# A root for what is made to last.
mkdir -p "$work/tree/etc/udev/rules.d" "$work/tree/usr/bin" "$work/own"
: >"$work/tree/usr/bin/udevadm"
cat >"$work/own/ours.json" <<'END'
{ "name": "ours", "summary": "Of a test", "inherits": "database", "rules": [] }
END
cat >"$work/play.yml" <<END
- hosts: localhost
  connection: local
  gather_facts: false
  vars:
    iosched_tune_package: ''
    iosched_tune_command: $IOSCHED_TUNE
  tasks:
    - ansible.builtin.include_role: { name: iosched_tune }
      vars:
        iosched_tune_profile: low-latency
        iosched_tune_devices: ["${loop#/dev/}"]
        iosched_tune_persist: false
    - ansible.builtin.include_role: { name: iosched_tune }
      vars:
        iosched_tune_profile: ours
        iosched_tune_profile_files: ["$work/own/ours.json"]
        iosched_tune_root: $work/tree
        iosched_tune_apply: false
        iosched_tune_verify: false
END
export IOSCHED_TUNE_PROFILES=$TOP/profiles:$work/tree/etc/iosched-tune/profiles
export ANSIBLE_ROLES_PATH=$TOP/packaging/ansible/roles ANSIBLE_LOCAL_TEMP=$work/ansible
export ANSIBLE_NOCOLOR=1 ANSIBLE_RETRY_FILES_ENABLED=0 ANSIBLE_REMOTE_TEMP=$work/remote
export ANSIBLE_LOCALHOST_WARNING=false LC_ALL=C.UTF-8

# play ARGUMENT...: its recap as "changed=N failed=N" in $recap
play()
{
	ansible-playbook -i localhost, "$work/play.yml" "$@" >"$work/out" 2>&1
	recap=$(sed -n 's/^localhost .*\(changed=[0-9]*\) .*\(failed=[0-9]*\).*/\1 \2/p' "$work/out")
}

# recap WHAT WANTED
recap()
{
	if [ "$recap" = "$2" ]; then point ok "$1"; else point bad "$1" < <(tail -n 60 "$work/out"); fi
}

works 'the role is well formed' ansible-playbook --syntax-check -i localhost, "$work/play.yml"
works 'so is the example' ansible-playbook --syntax-check -i localhost, packaging/ansible/site.yml

play --check
recap 'check mode tells of the value and of the profile' 'changed=3 failed=0'
same 'check mode writes no value' "$(grep -c '\[none\]' "$queue/scheduler")" 1
find "$work/tree/etc" -type f | empty 'check mode writes no file'

play
recap 'the first run changes' 'changed=4 failed=0'
same 'the value is there' "$(grep -c '\[mq-deadline\]' "$queue/scheduler")" 1
same 'the rules are there' "$(find "$work/tree/etc/udev" -name '99-iosched-tune.rules' | wc -l)" 1
play
recap 'the second run changes nothing' 'changed=0 failed=0'
play --check
recap 'check mode agrees' 'changed=0 failed=0'

echo none >"$queue/scheduler"
play --check
recap 'check mode finds drift' 'changed=1 failed=0'
rm "$work/tree/etc/udev/rules.d/99-iosched-tune.rules"
play
recap 'what was changed by hand is put back, and that alone' 'changed=2 failed=0'
play
recap 'then nothing again' 'changed=0 failed=0'

finish
