#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The Debian package in a clean Debian 12: installing changes nothing but its own files, it
# does there what it does here, upgrading leaves what was made to last, and removing and
# purging leave nothing.
# TIME-LIMIT: 1200
set -u
# shellcheck source=tests/packages/lib.sh
. "$(dirname "$0")/lib.sh"
need root unshare dpkg-buildpackage dh_install
private "$0" "$@"

build_package deb

if command -v lintian >/dev/null 2>&1; then
	lintian --pedantic --display-info --allow-root build/deb/*.changes 2>&1 |
		grep -v 'running with root privileges' >"$work/lintian"
	empty 'lintian --pedantic' <"$work/lintian"
else
	skipped 'lintian --pedantic' 'no lintian'
fi

# Its dependencies, udev and systemd are there before, so that what the package brings
# stands out.
dpkg-deb -f "$package" Depends | sed 's/ *([^)]*)//g; s/ *|[^,]*//g; s/,/ /g' >"$work/depends"
read -ra depends <"$work/depends"
clean_root deb "${depends[@]}" systemd-sysv udev
cp "$package" "$root/tmp/one.deb"
dpkg-deb -R "$package" "$work/next" &&
	sed -i 's/^\(Version: .*\)/\1+next/' "$work/next/DEBIAN/control" &&
	dpkg-deb -b --root-owner-group "$work/next" "$root/tmp/two.deb" >"$work/out" || exit 1
list_files "$root" | grep -v '/tmp/' >"$work/before"

# Paths that the package does not own, but for the notes that dpkg and deb-systemd-helper
# take: $1 is the list of files to compare with. /lib is a link to /usr/lib.
strange()
{
	list_files "$root" | grep -v '/tmp/' | diff "$1" - | sed -n 's/^[<>] //p' | grep -oE '(^|[^.])\./[^ ]*' |
		sed 's|^ *\.||' | sort -u >"$work/touched"
	in_root "$root" dpkg -L iosched-tune 2>/dev/null | sed 's|^/lib|/usr/lib|' |
		sort >"$work/owned"
	comm -23 "$work/touched" "$work/owned" |
		grep -vE '^/var/lib/dpkg/info/iosched-tune\.(list|md5sums|(pre|post)(rm|inst))$' |
		grep -v '^/var/lib/systemd/deb-systemd-helper-enabled/iosched-tune-metrics.timer.dsh-also$'
}

artefacts()
{
	(cd "$root" && find etc -path '*iosched-tune*' | sort)
}

works 'installs' in_root "$root" dpkg -i /tmp/one.deb
strange "$work/before" | empty 'installing touches nothing but its own files'
artefacts | empty 'installing makes nothing last'
in_root "$root" systemctl preset-all >"$work/out" 2>&1
artefacts |
	empty 'nor does systemd enable a unit by itself, in its first boot'
rm -rf "$root/etc/systemd"
cp -a "$cache/deb/etc/systemd" "$root/etc/systemd"

in_root "$root" iosched-tune status >"$work/out" 2>"$work/err"
same 'status' "$?:$(head -n 1 "$work/out" | cut -d ' ' -f 1)" 0:NAME
cp packaging/debian/tests/installed "$root/tmp/installed"
works "the package's own test of what is installed" in_root "$root" sh /tmp/installed
in_root "$root" iosched-tune profile show database >"$work/out" 2>&1
same 'the profiles are found' $? 0
in_root "$root" env LANGUAGE=zh_CN iosched-tune help >"$work/out" 2>&1
same 'the translations are found' "$(grep -c '用法' "$work/out")" 1
same 'every page of the manual is there in Chinese' \
	"$(dpkg-deb -c "$package" | grep -c '/man/zh_CN/man[1-8]/iosched-tune')" \
	"$(dpkg-deb -c "$package" | grep -c '/man/man[1-8]/iosched-tune')"

works 'persist install' in_root "$root" iosched-tune persist install --profile database
artefacts >"$work/artefacts"
same 'there it is' "$(grep -c 99-iosched-tune.rules "$work/artefacts")" 1
sums()
{
	(cd "$root" && while IFS= read -r file; do
		[ -d "$file" ] || sha256sum "$file"
	done <"$work/artefacts")
}
sums >"$work/sums"
in_root "$root" iosched-tune persist status >"$work/out" 2>&1
grep -q 99-iosched-tune.rules "$work/out" || cat "$work/out"

works 'upgrades' in_root "$root" dpkg -i /tmp/two.deb
artefacts | diff "$work/artefacts" - | empty 'upgrading leaves what was made to last'
sums | diff "$work/sums" - | empty 'unchanged'

works 'is removed' in_root "$root" dpkg -r iosched-tune
artefacts | empty 'removing takes away what was made to last'
works 'is purged' in_root "$root" dpkg -P iosched-tune
list_files "$root" | grep -v '/tmp/' | diff "$work/before" - | empty 'then nothing is left'

# All that can be made to last: by GRUB as if it had booted this kernel, and by systemd as if it
# ran, though nobody answers on its bus. The metrics are enabled and written.
echo 'BOOT_IMAGE=/boot/vmlinuz quiet' >"$work/cmdline"
mount --bind "$work/cmdline" "$root/proc/cmdline"
printf '#!/bin/sh\necho asked >>/run/update-grub\n' >"$root/usr/sbin/update-grub"
chmod +x "$root/usr/sbin/update-grub"
mkdir -p "$root/run/systemd/system" "$root/var/lib/prometheus/node-exporter"
printf 'GRUB_TIMEOUT=5\nGRUB_CMDLINE_LINUX="quiet"\n' >"$root/etc/default/grub"
list_files "$root" | grep -v '/tmp/' >"$work/before"
works 'installs again' in_root "$root" dpkg -i /tmp/one.deb
works 'persist install, by systemd and GRUB too' in_root "$root" iosched-tune persist install \
	--profile low-latency --method udev --method systemd --method grub --force
artefacts >"$work/artefacts"
same 'there are units' "$(grep -c 'iosched-tune.service$' "$work/artefacts")" 2
same 'there is a boot argument' "$(grep -rl elevator= "$root/etc/default" | wc -l)" 1
works 'the metrics are enabled' in_root "$root" env SYSTEMD_OFFLINE=1 systemctl enable iosched-tune-metrics.timer
sed -n '/^ExecStart=/,/[^\\]$/p' packaging/systemd/iosched-tune-metrics.service |
	sed 's/^ExecStart=//; s/\$\$/$/g' >"$root/tmp/metrics"
works 'and written as their unit does it' in_root "$root" sh /tmp/metrics
same 'there they are' \
	"$(grep -c '^iosched_tune_profile_info' "$root/var/lib/prometheus/node-exporter/iosched-tune.prom")" 1
works 'is purged at once' in_root "$root" dpkg -P iosched-tune
list_files "$root" | grep -v '/tmp/' | diff "$work/before" - | empty 'then nothing is left either'

finish
