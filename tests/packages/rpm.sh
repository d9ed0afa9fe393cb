#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The RPM package: rpmlint, its content unpacked and run, and its scriptlets in a root of
# its own: installed, made to last, upgraded, erased.
# TIME-LIMIT: 1200
set -u
# shellcheck source=tests/packages/lib.sh
. "$(dirname "$0")/lib.sh"
need root unshare rpmbuild rpm rpm2cpio cpio
private "$0" "$@"

build_package rpm

if command -v rpmlint >/dev/null 2>&1; then
	rpmlint -c packaging/rpm/rpmlint.toml packaging/rpm/iosched-tune.spec "$package" >"$work/out" 2>&1
	same 'rpmlint' "$(sed -n 's/.*checked; \(.*badness\).*/\1/p' "$work/out")" '0 errors, 0 warnings, 0 badness'
	grep -E ': [EW]: ' "$work/out" | empty 'rpmlint has nothing to say'
else
	skipped 'rpmlint' 'no rpmlint'
fi
rpm -qpl "$package" >"$work/content"
grep -vE '^/usr/|^/lib/systemd/' "$work/content" | empty 'nothing lies outside /usr'
rpm -qp --qf '[%{FILEMODES:perms} %{FILEUSERNAME} %{FILENAMES}\n]' "$package" |
	grep -vE '^(-rwxr-xr-x|-rw-r--r--|drwxr-xr-x|lrwxrwxrwx) root ' | empty 'modes and owners'

mkdir "$work/content.d"
rpm2cpio "$package" | (cd "$work/content.d" && cpio -idm --quiet)
works 'its program runs' "$work/content.d/usr/bin/iosched-tune" --version
IOSCHED_TUNE_PROFILES=$work/content.d/usr/share/iosched-tune/profiles \
	"$work/content.d/usr/bin/iosched-tune" --root tests/fixtures/hosts/linux-6.1-raid.txt \
	apply --profile database --dry-run sdl >"$work/out" 2>&1
same 'with its profiles' "$?:$(grep -c read_expire "$work/out")" 0:1
rpm -qp --qf '[%{FILELANGS} %{FILENAMES}\n]' "$package" | grep '/man/.*/iosched-tune' >"$work/pages"
same 'every page of the manual is there in Chinese, and marked so' \
	"$(grep -c '^zh_CN .*/man/zh_CN/' "$work/pages")" "$(grep -c '^ .*/man/man' "$work/pages")"

# Macros that RHEL 8, openEuler and Kylin V10 do not have, and those that they have.
works 'the spec is understood without macros of a distribution' rpmspec -q \
	packaging/rpm/iosched-tune.spec --undefine=_unitdir --undefine=_presetdir \
	--undefine=_fishcompdir --undefine=build_ldflags --undefine=_smp_mflags
rpmspec -P packaging/rpm/iosched-tune.spec --define '_unitdir /usr/lib/systemd/system' \
	--define '_presetdir /usr/lib/systemd/system-preset' \
	--define 'systemd_post() echo post %*' --define 'systemd_preun() echo preun %*' \
	--define 'systemd_postun() echo postun %*' >"$work/out" 2>&1
same 'their macros are used' \
	"$(grep -cE '^echo (post|preun|postun) iosched-tune-metrics.timer' "$work/out"):$(grep -c '^systemctl' "$work/out")" 3:0
grep -n '%{\|%\[' "$work/out" | empty 'no macro is left over'

# The same content and scriptlets as a later release.
while IFS= read -r path; do
	[ -L "$work/content.d$path" ] || ! [ -d "$work/content.d$path" ] || path="%dir $path"
	echo "$path"
done <"$work/content" >"$work/files"
sed "/^%prep/,/^%post\$/ { /^%post\$/!d; s|^|%install\ncp -a $work/content.d/. %{buildroot}/\n\n| }
	/^%files/,/^%changelog/ { /^%changelog/!d; s|^|%files -f $work/files\n\n| }" \
	packaging/rpm/iosched-tune.spec >"$work/next.spec"
if rpmbuild -bb --nodeps --define "_topdir $work/next" --define 'dist .next' "$work/next.spec" \
	>"$work/out" 2>&1; then
	next=$(find "$work/next" -name '*.rpm' | head -n 1)
else
	point bad 'a later release' <"$work/out"
	finish
	exit
fi

clean_root rpm systemd udev libjansson4 libsmartcols1 libmount1 libblkid1 libsystemd0 libzstd1 \
	libbz2-1.0 libtracefs1 libtraceevent1
mkdir -p "$root/var/lib/rpm"
# of the package "filesystem"
mkdir -p "$root/usr/share/licenses" "$root/usr/share/man/zh_CN/"man{1,5,7}
rpm_root()
{
	rpm --root "$root" --dbpath /var/lib/rpm "$@"
}
rpm_root --initdb
artefacts()
{
	(cd "$root" && find etc -path '*iosched-tune*' | sort)
}
mkdir -p "$root/var/lib/node_exporter/textfile_collector"
list_files "$root" | grep -v ' \./var/lib/rpm\|^\./var/lib/rpm' >"$work/before"

works 'installs' rpm_root -i --nodeps "$package"
artefacts | empty 'installing makes nothing last'
in_root "$root" iosched-tune status >"$work/out" 2>&1
same 'status' "$?:$(head -n 1 "$work/out" | cut -d ' ' -f 1)" 0:NAME
metrics=$root/var/lib/node_exporter/textfile_collector/iosched-tune.prom
works 'the metrics are enabled' in_root "$root" systemctl enable iosched-tune-metrics.timer
in_root "$root" iosched-tune status --format prometheus >"$metrics"
works 'persist install' in_root "$root" iosched-tune persist install --profile database
artefacts >"$work/artefacts"
same 'there it is' "$(grep -c 99-iosched-tune.rules "$work/artefacts")" 1
works 'upgrades' rpm_root -U --nodeps "$next"
same 'to the later release' "$(rpm_root -q iosched-tune)" "$(rpm -qp "$next")"
artefacts | diff "$work/artefacts" - | empty 'upgrading leaves what was made to last'
same 'and the metrics' "$(grep -c '^iosched_tune_profile_info' "$metrics"):$(find "$root/etc/systemd" -name '*metrics*' | wc -l)" 1:1
works 'is erased' rpm_root -e --nodeps iosched-tune
list_files "$root" | grep -v ' \./var/lib/rpm\|^\./var/lib/rpm' | diff "$work/before" - |
	empty 'then nothing is left'

finish
