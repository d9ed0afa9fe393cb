#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Translations: complete, in step with the texts, and in columns that stay straight with
# characters that are two columns wide.
set -u
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/lib.sh"

rc=0
: >"$TMPDIR/out"
: >"$TMPDIR/err"
needs msgattrib

make -s --no-print-directory pot POT="$TMPDIR/texts.pot" >/dev/null 2>&1
for po in po/*.po; do
	same "$po: nothing is untranslated" "$(msgattrib --untranslated --no-obsolete "$po" | grep -c '^msgid')" 0
	same "$po: nothing is a guess" "$(msgattrib --only-fuzzy "$po" | grep -c '^msgid')" 0
	same "$po: in step with the texts" "$(msgcmp "$po" "$TMPDIR/texts.pot" 2>&1)" ''
	same "$po: no text that is gone" \
		"$(msgattrib --obsolete "$po" | grep -c msgid; msgcmp "$TMPDIR/texts.pot" "$po" 2>&1 | grep -c 'but this definition is missing')" $'0\n0'
	same "$po: well formed" "$(msgfmt --check -o /dev/null "$po" 2>&1)" ''
done

# One word for one thing: those that CONTRIBUTING.md names, not their rivals.
same 'Chinese texts use the words that were agreed upon' \
	"$(grep -nE '仿真|缺省|进行中|时延|子命令|监控器|优盘|作业任务|任务文件' po/zh_CN.po man/zh_CN/*.scd README.zh_CN.md)" ''

# The program as Chinese people see it. LANGUAGE needs no locale that may not be there.
export LC_ALL=C.UTF-8 LANGUAGE=zh_CN
if ! "$IOSCHED_TUNE" help | grep -q '动词'; then
	skipped 'the texts are shown' 'no C.UTF-8'
	finish
	exit 0
fi

run help
prints 'help of the program' '用法：iosched-tune VERB' '列出设备及其类别、调度器和状态'
awk '/^  [a-z]/ { print $1 }' "$TMPDIR/out" >"$TMPDIR/verbs"
while read -r verb; do
	run help "$verb"
	prints "help of $verb" '所有动词共有的选项：'
	same "help of $verb fits 80 columns" "$([ "$(wc -L <"$TMPDIR/out")" -le 80 ] && echo yes)" yes
done <"$TMPDIR/verbs"
run statsu
fails 'a mistake' 2 "未知的动词 'statsu'" "您是指 'status' 吗？"

on linux-6.1-stack status
same 'status is a table' "$rc:$(wc -l <"$TMPDIR/out")" 0:8
same 'status fits 80 columns' "$([ "$(wc -L <"$TMPDIR/out")" -le 80 ] && echo yes)" yes
on linux-6.1-stack show sda
prints 'show' '依据' 'SATA 或 SAS 固态硬盘'
# Names of two and of four characters before values: all values begin in one column.
{
	grep -E '^ +(类别|传输方式|驱动|型号)' "$TMPDIR/out" | sed -E 's/^( +[^ ]+ +).*/\1|/' |
		while IFS= read -r line; do printf '%s\n' "$line" | wc -L; done | sort -u | wc -l
} >"$TMPDIR/widths"
same 'names of different width take the same columns' "$(cat "$TMPDIR/widths")" 1
on linux-6.1-stack verify
prints 'verify' 'sdc'
run --root "$TMPDIR" persist status
same 'persist status in a tree without anything' "$(grep -c '未安装任何内容' "$TMPDIR/out" "$TMPDIR/err" | cut -d : -f 2 | sort -u | tail -n 1)" 1

# Headings, states and words of tables; names of options, schedulers and attributes are none.
headings()
{
	local what=$1 line

	shift
	"$IOSCHED_TUNE" "$@" >"$TMPDIR/out" 2>"$TMPDIR/err"
	rc=$?
	# "write back" is how the kernel calls a cache.
	line=$(sed 's/write back//' "$TMPDIR/out" | grep -oE '(^| )(NAME|DEVICE|ATTRIBUTE|JOB|DIR|FIGURE|CLASS|STATE|SOURCE|WHY|SUMMARY|CANDIDATE|CHECK|NOW|WANTED|MEANING|POINT|IS|SHOULD-BE|FROM|TO|SCHED|HWQ|GAIN|ERROR|ORDER|RATIO|COLUMN|in-force|drift|left-alone|blocked|below|fairness|mean ms|max ms|read|write|flush|all|likely|health|load|queue|now)( |$)' | sort -u | tr -d '\n')
	same "no English word: $what" "$rc:$line" "0:"
}
stack="--root $hosts/linux-6.1-stack.txt"
# shellcheck disable=SC2086 # words are meant
{
	headings status status $stack
	headings 'all columns' status $stack -o +REASON,LEVEL,CONFIDENCE,ORIGIN
	headings show show sdc $stack
	headings 'apply -n' apply -n -p database $stack sdc
	headings 'apply --simulate' apply --simulate -p database $stack sdc
	headings simulate simulate sdc -p database $stack --runtime 100ms --seeds 2
	headings 'simulate --sweep' simulate -m hdd-7200 --sweep read_expire=50,100 --ios 100 --seeds 2
	headings 'simulate --published' simulate --published F3
	headings diagnose diagnose --root tests/fixtures/diagnose/healthy.txt
	headings 'profile list' profile list
	headings 'profile show' profile show database
}
awk 'BEGIN { for (i = 0; i < 2000; i++) printf "%.2f ; %d ; 8 ; R ; 0 ; 0\n", i / 100, i * 7919 % 100000 * 8 }' >"$TMPDIR/reads.load"
headings advise advise --trace "$TMPDIR/reads.load" -m sata-ssd
on linux-6.1-stack verify -p database
same 'no English word: verify' "$(head -n 1 "$TMPDIR/out" | tr -s ' ')" '设备 属性 现值 应为 出处 理由'
IOSCHED_TUNE_PROFILES=$TOP/profiles run profile list
prints 'summaries of profiles are in the language of the texts' '事务型数据库'
IOSCHED_TUNE_PROFILES=$TOP/profiles on linux-6.1-raid verify -p database sdm
prints 'so are reasons' '无需寻道'
# Scripts are told the same in any language.
on linux-6.1-stack status --json
same 'JSON is not translated' "$(json '[.devices[].state] | unique')" '["below","drift","in-force"]'
on linux-6.1-stack status --raw -o NAME,STATE sda
same 'nor what scripts read' "$out" $'NAME STATE\nsda in-force\n'

# Profiles bring their own translations, by the locale.
same 'each shipped profile has a Chinese summary' \
	"$(grep -L '"zh_CN"' profiles/[a-rt-z]*.json profiles/streaming.json)" ''

finish
