#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The examples of the documents: every command that begins with "$ build/iosched-tune" prints
# what the document says, those that are shown without their output are run, and every JSON
# example is a valid profile.
set -u
cd "${TOP:?run me through tests/run}" || exit 1
export IOSCHED_TUNE_PROFILES=$TOP/profiles COLUMNS=80

count=0
# same WHAT FILE-GOT FILE-WANTED
same()
{
	count=$((count + 1))
	if cmp -s "$2" "$3"; then
		echo "ok $count - $1"
	else
		echo "not ok $count - $1"
		diff "$3" "$2" | sed 's/^/#   /'
	fi
}

# Splits the blocks marked $2 of document $1 into files block.1, block.2 ...
split_blocks()
{
	rm -f "$TMPDIR"/block.*
	awk -v mark="^\`\`\`$2\$" -v out="$TMPDIR/block." '
		$0 ~ mark { n++; on = 1; printf "" >(out n); next }
		/^```/ { on = 0 }
		on { print >(out n) }' "$1"
}

# A tree that rules can be written to.
mkdir -p "$TMPDIR/tree/etc/udev/rules.d" "$TMPDIR/tree/usr/bin"
: >"$TMPDIR/tree/usr/bin/udevadm"

# A folder in which the commands of a shell block are typed as they stand there. The program is
# one that works on a made-up host, or on that tree; what the commands read is there.
mkdir -p "$TMPDIR/typed/build" "$TMPDIR/typed/man/pictures"
printf '[reads]\nrw=randread\nbs=4k\nsize=1g\niodepth=4\ntime_based\nruntime=5\n' >"$TMPDIR/typed/jobs.fio"
cp tests/fixtures/traces/blktrace-v7-two-cpus.bin "$TMPDIR/typed/disk.blktrace"
cp tests/fixtures/traces/fio-iolog-v3.log "$TMPDIR/typed/sda.trace.zst"
cat >"$TMPDIR/typed/build/iosched-tune" <<END
#!/bin/sh
root=$TOP/tests/fixtures/hosts/linux-6.1-stack.txt
if [ "\$1" = persist ]; then root=$TMPDIR/tree; fi
exec "$IOSCHED_TUNE" --root "\$root" "\$@"
END
chmod +x "$TMPDIR/typed/build/iosched-tune"

# What the commands of a shell block are, one a line.
commands()
{
	# shellcheck disable=SC1003
	sed -E ':more; /\\$/ { N; s/ *\\\n */ /; b more }; s/ +# .*//' "$1" |
		grep -E '^(build/)?iosched-tune '
}

# What is only run is run once, whichever document has it.
declare -A seen=()
for document in README.md README.zh_CN.md CONTRIBUTING.md; do
	split_blocks "$document" console
	for block in "$TMPDIR"/block.*; do
		[ -e "$block" ] || continue
		IFS= read -r command <"$block"
		case $command in
		'$ build/iosched-tune '*) ;;
		*) continue ;;
		esac
		tail -n +2 "$block" >"$TMPDIR/wanted"
		# One command a block; the words hold no blanks or quotes.
		read -ra words <<<"${command#\$ build/iosched-tune }"
		# As on a terminal: the table, then the message.
		"$IOSCHED_TUNE" "${words[@]}" >"$TMPDIR/got" 2>"$TMPDIR/messages"
		cat "$TMPDIR/messages" >>"$TMPDIR/got"
		same "$document: ${command#\$ }" "$TMPDIR/got" "$TMPDIR/wanted"
	done

	split_blocks "$document" sh
	for block in "$TMPDIR"/block.*; do
		[ -e "$block" ] || continue
		commands "$block"
	done >"$TMPDIR/commands"
	grep -oE 'man/pictures/[a-z]+\.svg' "$document" | sort -u >"$TMPDIR/pictures"
	while IFS= read -r command; do
		[ -z "${seen[$command]-}" ] || continue
		seen[$command]=yes
		# A snapshot has nothing to watch: once.
		(cd "$TMPDIR/typed" && PATH=$TMPDIR/typed/build:$PATH timeout 120 bash -c "$command") \
			>"$TMPDIR/out" 2>&1 </dev/null
		case $?:$(cat "$TMPDIR/out") in
		[04]:?* | *:*'only disks of the running system can be recorded'*) : >"$TMPDIR/got" ;;
		1:*'no gnuplot'* | 1:*'without libtracefs'*) : >"$TMPDIR/got" ;;
		*) cp "$TMPDIR/out" "$TMPDIR/got" ;;
		esac
		: >"$TMPDIR/wanted"
		same "$document: it runs: $command" "$TMPDIR/got" "$TMPDIR/wanted"
	done <"$TMPDIR/commands"
	# The pictures of the document are those that its commands draw.
	sed -n 's/.*--plot \([^ ]*\).*/\1/p' "$TMPDIR/commands" | sort -u >"$TMPDIR/got"
	[ ! -s "$TMPDIR/pictures" ] || same "$document: a command for each picture" "$TMPDIR/got" "$TMPDIR/pictures"

	# In the text: as far as a snapshot lets it come. A verb alone is no example,
	# nor is what has a placeholder: capitals, Chinese.
	# shellcheck disable=SC2016 # backquotes of the document
	grep -oE '`(build/)?iosched-tune [a-z]+ [^`]*`' "$document" | tr -d '`' | LC_ALL=C grep -v ' [A-Z]\|[^ -~]' |
		sort -u >"$TMPDIR/mentioned"
	while IFS= read -r command; do
		[ -z "${seen[$command]-}" ] || continue
		seen[$command]=yes
		read -ra words <<<"${command#*iosched-tune }"
		# One experiment: published-all.sh runs the command as it stands.
		[ "${words[*]}" != 'simulate --published' ] || words+=(F3)
		case ${words[0]} in
		persist) words=(--root "$TMPDIR/tree" "${words[@]}") ;;
		help) ;;
		*) words=(--root tests/fixtures/hosts/linux-6.1-stack.txt "${words[@]}") ;;
		esac
		"$IOSCHED_TUNE" "${words[@]}" >"$TMPDIR/out" 2>&1
		case $?:$(cat "$TMPDIR/out") in
		[04]:* | 5:*'a snapshot can be read'* | 5:*'only this host can be measured'*) : >"$TMPDIR/got" ;;
		*) cp "$TMPDIR/out" "$TMPDIR/got" ;;
		esac
		: >"$TMPDIR/wanted"
		same "$document: it runs: $command" "$TMPDIR/got" "$TMPDIR/wanted"
	done <"$TMPDIR/mentioned"

	split_blocks "$document" json
	for block in "$TMPDIR"/block.*; do
		[ -e "$block" ] || continue
		name=$(sed -n 's/^  "name": "\(.*\)",$/\1/p' "$block")
		cp "$block" "$TMPDIR/$name.json"
		: >"$TMPDIR/wanted"
		"$IOSCHED_TUNE" profile check "$TMPDIR/$name.json" 2>&1 >/dev/null | cat >"$TMPDIR/got"
		same "$document: the profile $name is valid" "$TMPDIR/got" "$TMPDIR/wanted"
		"$IOSCHED_TUNE" --root "$TMPDIR/tree" persist install --dry-run \
			--profile "$TMPDIR/$name.json" 2>&1 >/dev/null | grep "$name.json" >"$TMPDIR/got"
		same "$document: udev can express the profile $name" "$TMPDIR/got" "$TMPDIR/wanted"
	done
done

# Translations say all that the English text says: the same commands, names, options and
# figures. They may say more.
# shellcheck disable=SC2016 # backquotes of the document
facts()
{
	grep -oE -e '`[^` ]+`' -e '--[a-z][a-z-]+' -e '[0-9.]+ %' -e 'man/pictures/[a-z]+\.svg' "$1"
	sed -nE '/^```(sh|console)$/,/^```$/ {
		:more
		/\\$/ { N; s/ *\\\n */ /; b more }
		s/ +# .*//
		/^([$#] |build|make)/p
	}' "$1"
}
: >"$TMPDIR/wanted"
for document in README.*.md; do
	comm -23 <(facts README.md | sort -u) <(facts "$document" | sort -u) >"$TMPDIR/got"
	same "$document: nothing of README.md is missing" "$TMPDIR/got" "$TMPDIR/wanted"
	grep -c '^|' README.md >"$TMPDIR/rows"
	grep -c '^|' "$document" >"$TMPDIR/got"
	same "$document: as many rows in tables" "$TMPDIR/got" "$TMPDIR/rows"
done

echo "1..$count"
