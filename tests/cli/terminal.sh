#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The program and its manual as Chinese people see them: the locale zh_CN.UTF-8 on a terminal
# that is 80 columns wide. What the terminal shows is looked at: texts in Chinese, no line that
# it had to break by itself, and columns that are straight though characters are two wide.
set -u
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/lib.sh"

needs tmux
needs localedef
rc=0
: >"$TMPDIR/out"
: >"$TMPDIR/err"

# The locale need not be one of this system.
if ! localedef -i zh_CN -f UTF-8 "$TMPDIR/zh_CN.UTF-8" >/dev/null 2>&1; then
	echo '1..0 # SKIP no source of the locale zh_CN'
	exit 0
fi
export IOSCHED_TUNE_PROFILES=$TOP/profiles
unset TMUX

terminal()
{
	LC_ALL=C.UTF-8 tmux -S "$TMPDIR/tmux" -f /dev/null "$@"
}
trap 'terminal kill-server 2>/dev/null' EXIT

# shown COMMAND: what the terminal shows after it in $TMPDIR/shown, and the same with those
# lines joined that the terminal broke in $TMPDIR/joined.
shown()
{
	printf '%s\ntmux -S "%s" wait-for -S over\nread -r line\n' "$1" "$TMPDIR/tmux" >"$TMPDIR/command"
	terminal new-session -d -x 80 -y 1000 "env LOCPATH='$TMPDIR' LC_ALL=zh_CN.UTF-8 LANGUAGE= \
		MANPAGER='less -FX' sh '$TMPDIR/command'"
	timeout 60 tmux -S "$TMPDIR/tmux" wait-for over
	terminal capture-pane -p | sed 's/ *$//' >"$TMPDIR/shown"
	terminal capture-pane -p -J | sed 's/ *$//' >"$TMPDIR/joined"
	terminal kill-server
	cp "$TMPDIR/shown" "$TMPDIR/out"
}

# fits WHAT TEXT: it is there, and nothing was broken.
fits()
{
	same "$1: in Chinese" "$(grep -c -- "$2" "$TMPDIR/shown" | sed 's/^[1-9].*/yes/')" yes
	same "$1: no line is broken by the terminal" "$(diff "$TMPDIR/joined" "$TMPDIR/shown")" ''
}

host="$IOSCHED_TUNE --root $hosts/linux-6.1-stack.txt"
shown "$host status"
fits status '个偏离'
# The next two columns, of two cells a character in the heading, begin at one cell each.
sed -n '/^名称/,/^$/p' "$TMPDIR/shown" >"$TMPDIR/table"
for columns in 1 2; do
	same "status: column $((columns + 1)) is straight" \
		"$(grep . "$TMPDIR/table" | sed -E "s/^(([^ ]+ +){$columns}).*/\\1|/" |
			while IFS= read -r line; do LC_ALL=C.UTF-8 wc -L <<<"$line"; done | sort -u | wc -l)" 1
done
same 'status: there is a table' "$(grep -c . "$TMPDIR/table")" 8
shown "$host show sda"
fits show '依据'
same 'show: values begin in one column, after names of two, three and four characters' \
	"$(grep -E '^  (类别|传输方式|驱动|修订版|序列号)  ' "$TMPDIR/shown" | sed -E 's/^(  [^ ]+ +).*/\1|/' |
		while IFS= read -r line; do LC_ALL=C.UTF-8 wc -L <<<"$line"; done | sort | uniq -c | tr -s ' ')" ' 5 17'
shown "$host verify"
fits verify '寻道'
shown "$host apply --profile database --dry-run"
fits 'apply --dry-run' '提交'
shown "$host diagnose"
fits diagnose '挂载'
shown "$host profile list"
fits 'profile list' '数据库'
mkdir "$TMPDIR/nothing"
shown "$IOSCHED_TUNE --root $TMPDIR/nothing persist status"
fits 'persist status' '安装'
shown "$host simulate -m hdd-7200 -w randread --ios 500 --seeds 2"
fits simulate '置信区间'
shown "$IOSCHED_TUNE help"
fits help '动词'
shown "$IOSCHED_TUNE status --nonsense"
fits 'a mistake' '未知'

page=build/man/zh_CN/iosched-tune.1
if [ -e $page ] && command -v less >/dev/null 2>&1 && man --version 2>/dev/null | grep -q '^man 2'; then
	for page in iosched-tune.1 iosched-tune-apply.1 iosched-tune-persist.1 iosched-tune-profile.5; do
		shown "man -l build/man/zh_CN/$page"
		fits "$page" '^名称'
	done
else
	skipped 'pages of the manual' 'no man-db, no less, or no pages'
fi

finish
