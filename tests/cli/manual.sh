#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The manual pages: one for each verb with exactly its options, well formed, and every
# example in them runs.
set -u
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/lib.sh"

export IOSCHED_TUNE_PROFILES=$TOP/profiles
rc=0
: >"$TMPDIR/out"
: >"$TMPDIR/err"
mkdir -p "$TMPDIR/pages/zh_CN"

# The options in a text, one a line.
options()
{
	grep -oE -- '--[a-z][a-z-]+' | sort -u
}

"$IOSCHED_TUNE" help | sed -n '/^Verbs:/,/^$/p' | awk '/^  [a-z]/ { print $1 }' >"$TMPDIR/verbs"
same 'a page for each verb, and for no other' \
	"$(printf '%s\n' man/iosched-tune-*.1.scd | sed 's|.*tune-\(.*\).1.scd|\1|' | sort)" \
	"$(sort "$TMPDIR/verbs")"

for page in man/*.scd man/*/*.scd; do
	[ -e "$page" ] || continue
	# As the build does it: what the tables say is translated, too.
	language=$(dirname "${page#man/}")
	LC_ALL=C.UTF-8 LANGUAGE=${language/./en} man/expand "$IOSCHED_TUNE" "$page" \
		>"$TMPDIR/pages/${page#man/}" 2>"$TMPDIR/err"
	rc=$?
	same "${page#man/}: every part is there" "$rc:$(cat "$TMPDIR/err")" 0:
	rc=0
done

while read -r verb; do
	for page in man/iosched-tune-"$verb".1.scd man/*/iosched-tune-"$verb".1.scd; do
		[ -e "$page" ] || continue
		# Headings of the list; what the text speaks of must be among them.
		sed 's/\\//g' "$TMPDIR/pages/${page#man/}" >"$TMPDIR/page"
		same "${page#man/}: the options of $verb" \
			"$(grep -E '^\*-' "$TMPDIR/page" | options)" \
			"$("$IOSCHED_TUNE" help "$verb" | grep -E '^ {2}(-[a-zA-Z], |    )--' | options)"
		grep -E -- '--' "$TMPDIR/page" | grep -v '^\*iosched-tune ' |
			grep -oE '\*--[a-z-]+' | tr -d '*' | sort -u >"$TMPDIR/named"
		grep -E '^\*-' "$TMPDIR/page" | options >"$TMPDIR/known"
		same "${page#man/}: it speaks of no other" "$(comm -23 "$TMPDIR/named" "$TMPDIR/known")" ''
	done
done <"$TMPDIR/verbs"

# Translations are in step: every page is there with the same build (headings, terms, lists,
# blocks), and speaks of the same options, attributes, commands, pages, parts and numbers.
outline()
{
	awk '/^#/ { print $1 }
		/^```/ || /^- / || /^\. / { print substr($0, 1, 1) }
		/^\t/ && term ~ /^\*/ { print "term" }
		{ term = $0 }' "$1"
}
untranslated()
{
	sed 's/\\//g' "$1" | LC_ALL=C grep -oE -e '--[a-z][a-z-]+' -e '[A-Za-z0-9]+(_[A-Za-z0-9]+)+' \
		-e '\*[]!-)+-[^-~]+\*(\([1-8]\))?' -e '_[a-z]+_' -e '\*iosched-tune [^*]*\*' -e '^@.*@$' | sort -u
	sed 's/\\//g; /^@/d' "$1" | LC_ALL=C grep -oE '[0-9]([0-9.,]*[0-9])?' | sort
}
for page in man/*.scd; do
	for folder in man/*/; do
		compgen -G "$folder*.scd" >/dev/null || continue
		translation=$folder${page#man/}
		if [ ! -e "$translation" ]; then
			same "${translation#man/}: is there" no yes
			continue
		fi
		same "${translation#man/}: built as in English" \
			"$(diff <(outline "$page") <(outline "$translation"))" ''
		same "${translation#man/}: speaks of the same" \
			"$(diff <(untranslated "$page") <(untranslated "$translation"))" ''
	done
done

for i in $("$IOSCHED_TUNE" help status | sed -n '/^Options of every verb/,/^$/p' | options); do
	grep -q -- "$i" "$TMPDIR/pages/iosched-tune.1.scd" || echo "$i"
done >"$TMPDIR/missing"
same 'the globals are in iosched-tune(1)' "$(cat "$TMPDIR/missing")" ''

# Each attribute of a profile is in the list, with its help.
sed 's/\\//g' "$TMPDIR/pages/iosched-tune-tunables.7.scd" >"$TMPDIR/page"
grep -ohE '"[a-z0-9_]+": \{$' profiles/schema.json | tr -d '": {' | sort -u | grep -E '_' |
	while read -r key; do
		grep -qE "^\*([a-z-]+\.)?$key\*" "$TMPDIR/page" || echo "$key"
	done >"$TMPDIR/missing"
same 'every attribute of the schema is in tunables(7)' "$(cat "$TMPDIR/missing")" ''

# The examples. All on a snapshot, on which nothing can be written: apply and its like get
# as far as that (5). What they read is made first.
cp "$hosts/linux-6.1-stack.txt" "$TMPDIR/host.txt"
cp profiles/balanced.json "$TMPDIR/my.json"
cp profiles/balanced.json "$TMPDIR/db.json"
awk 'BEGIN { for (i = 0; i < 2000; i++) printf "%.3f ; %d ; 8 ; R ; 0 ; 0\n", i / 50, i * 7919 % 100000 * 8 }' |
	gzip >"$TMPDIR/db.load.gz"
unpack linux-6.1-stack "$TMPDIR/tree"
mkdir -p "$TMPDIR/tree/usr/bin" "$TMPDIR/tree/usr/lib/systemd"
: >"$TMPDIR/tree/usr/bin/udevadm"
: >"$TMPDIR/tree/usr/lib/systemd/systemd"
# One on which elevator= has an effect.
mkdir -p "$TMPDIR/old/etc/default" "$TMPDIR/old/lib/modules/4.19.0/kernel"
printf 'GRUB_CMDLINE_LINUX="quiet"\n' >"$TMPDIR/old/etc/default/grub"
cp tests/fixtures/traces/blktrace-v7-two-cpus.bin "$TMPDIR/disk.blktrace"
cp tests/fixtures/traces/fio-iolog-v3.log "$TMPDIR/sda.trace.zst"
cp tests/fixtures/traces/ftrace-6.18.txt "$TMPDIR/disk.txt"
cp tests/fixtures/replay/6.12/nb2.none.seq.txt.xz "$TMPDIR/recording.txt.xz"
# In blocks, on lines of their own, in the text, and as the list that cloud-init runs.
cat "$TMPDIR"/pages/*.scd "$TMPDIR"/pages/*/*.scd 2>/dev/null | sed 's/\\//g' |
	awk '/^```$/ { on = !on; next }
		on && /^iosched-tune / { print }
		on && /^ *- \[iosched-tune,.*\]$/ { gsub(/^.*\[|\].*$|,/, ""); print }
		on { next }
		{ while (match($0, /\*iosched-tune [^*]*\*/)) {
			print substr($0, RSTART + 1, RLENGTH - 2)
			$0 = substr($0, RSTART + RLENGTH) } }' |
	grep -vx -e 'iosched-tune show' -e 'iosched-tune profile check' | # verbs, by their name
	sort -u >"$TMPDIR/examples"
cd "$TMPDIR" || exit 1
while IFS= read -r example; do
	example=${example%% && *}
	read -ra words <<<"${example#iosched-tune }"
	words=("${words[@]/#nvme0n1/sdb}")
	words=("${words[@]/#0-3/0}") # every host has one processor
	case " ${words[*]} " in
	*/dev/disk/*) words[1]=sda ;;
	' simulate --published ') words+=(F3) ;; # published-all.sh runs it as it stands
	*' --replay sda.trace.zst '*) words[2]=recording.txt.xz ;; # a recording of this kernel
	esac
	# persist writes files: into a tree of its own
	case " ${words[*]} " in
	' persist '*' grub '*) words=(--root old "${words[@]}") ;;
	' persist '*) words=(--root tree "${words[@]}") ;;
	esac
	[ "${words[0]}" = --root ] || words=(--root host.txt "${words[@]}")
	run "${words[@]}"
	case $rc in
	0 | 4) point ok "it runs: $example" ;;
	5) same "it gets to where it would write or record: $example" \
		"$(grep -c 'a snapshot can be read\|only this host can be measured\|only disks of the running' <<<"$err")" 1 ;;
	*) point bad "it runs: $example" ;;
	esac
done <examples
cd "$TOP" || exit 1
same 'there are examples' "$([ "$(wc -l <"$TMPDIR/examples")" -gt 20 ] && echo yes)" yes

# The profiles in the pages: every block of JSON with rules.
profiles=0
for page in "$TMPDIR"/pages/*.scd "$TMPDIR"/pages/*/*.scd; do
	[ -e "$page" ] || continue
	rm -f "$TMPDIR"/block.*
	awk -v out="$TMPDIR/block." '/^```$/ { on = !on; n += on; next } on { print >(out n) }' "$page"
	for block in "$TMPDIR"/block.*; do
		grep -qs '"rules"' "$block" || continue
		"$IOSCHED_TUNE" profile check - <"$block" >"$TMPDIR/out" 2>"$TMPDIR/err"
		rc=$?
		exits "${page#"$TMPDIR"/pages/}: example ${block##*.} is valid" 0
		profiles=$((profiles + 1))
	done
done
same 'there are profiles' "$([ $profiles -gt 3 ] && echo yes)" yes

if command -v scdoc >/dev/null 2>&1; then
	for page in "$TMPDIR"/pages/*.scd "$TMPDIR"/pages/*/*.scd; do
		[ -e "$page" ] || continue
		scdoc <"$page" >"$TMPDIR/page.1" 2>"$TMPDIR/err" || cat "$TMPDIR/err"
		case $page in
		*/zh_*) man/whole <"$TMPDIR/page.1" | man/breaks ;;
		*) man/whole <"$TMPDIR/page.1" ;;
		esac >"${page%.scd}"
		if command -v mandoc >/dev/null 2>&1; then
			mandoc -T lint -W error "${page%.scd}"
		fi
	done >"$TMPDIR/wrong" 2>&1
	same 'every page is well formed' "$(cat "$TMPDIR/wrong")" ''
else
	skipped 'every page is well formed' 'no scdoc'
fi

# On a terminal of 80 columns, wide characters counted as two.
if command -v scdoc >/dev/null 2>&1 && man --version 2>/dev/null | grep -q '^man 2'; then
	for page in "$TMPDIR"/pages/*.scd "$TMPDIR"/pages/zh_CN/*.scd; do
		MANWIDTH=80 LC_ALL=C.UTF-8 man --warnings -l "${page%.scd}" 2>&4 | LC_ALL=C.UTF-8 col -bx >"$TMPDIR/shown"
		width=$(LC_ALL=C.UTF-8 wc -L <"$TMPDIR/shown")
		[ "$width" -gt 40 ] && [ "$width" -le 80 ] || echo "${page#"$TMPDIR/pages/"}: $width columns"
		grep -HE --label="${page#"$TMPDIR/pages/"}" '[a-z0-9-]-$' "$TMPDIR/shown" >&3
	done >"$TMPDIR/wrong" 3>"$TMPDIR/cut" 4>"$TMPDIR/warned"
	same 'every page fits into 80 columns' "$(cat "$TMPDIR/wrong")" ''
	same 'no name or option is cut at a hyphen' "$(cat "$TMPDIR/cut")" ''
	same 'troff warns of nothing' "$(cat "$TMPDIR/warned")" ''
	# A line of the source that ends between characters leaves no blank there, and whatis(1)
	# finds the page.
	for page in "$TMPDIR"/pages/zh_CN/*.scd; do
		sed '/^\.nf$/,/^\.fi$/d' "${page%.scd}" >"$TMPDIR/page.1"
		LC_ALL=C sed -nE '$!N; /[\x80-\xff]\n[\x80-\xff]/p; D' "$TMPDIR/page.1"
		lexgrog "$TMPDIR/page.1" 2>&1 | grep -v ': "iosched-tune'
	done >"$TMPDIR/wrong"
	same 'Chinese pages have no blanks between lines, and a name' "$(cat "$TMPDIR/wrong")" ''
else
	skipped 'every page fits into 80 columns' 'no man-db'
	skipped 'no name or option is cut at a hyphen' 'no man-db'
	skipped 'troff warns of nothing' 'no man-db'
	skipped 'Chinese pages have no blanks between lines, and a name' 'no man-db'
fi

run manual nonsense
fails 'no such part' 2 "called 'nonsense'"
run manual options
fails 'a part that needs a verb' 2 "called 'options'"
run manual options nonsense
fails 'no such verb' 2 "unknown verb 'nonsense'"

finish
