#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The completion files in the real shells: a line is typed on a terminal, Tab is pressed,
# and the command line that comes out is looked at.
set -u
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/lib.sh"

# In the test's shells the program is a function that tells what it was called with.
export REAL=$IOSCHED_TUNE HOST=$TOP/$hosts/linux-6.1-stack.txt HOME=$TMPDIR TERM=dumb
rc=0
: >"$TMPDIR/out"
: >"$TMPDIR/err"

cat >"$TMPDIR/driver.exp" <<'SCRIPT'
log_user 0
set timeout 10
set stty_init "rows 50 cols 200"
eval spawn [lindex $argv 0]
expect {
	-re {READY> } {}
	default { puts "no prompt"; exit }
}
send -- "$env(EXPECT_TYPED)\t\r"
expect {
	-re {CALLED:([^\r\n]*):END} { puts $expect_out(1,string) }
	default { puts "nothing was called" }
}
exec kill -KILL [exp_pid]
SCRIPT

# driven SHELL TYPED: the arguments after TYPED and Tab, as "[a][b]".
driven()
{
	EXPECT_TYPED=$2 expect -f "$TMPDIR/driver.exp" "$1" 2>/dev/null
}

# types WHAT TYPED WANTED: in the shell that $shell names and $command starts.
types()
{
	same "$shell: $1" "$(driven "$command" "iosched-tune $2")" "$3"
}

all_types()
{
	types 'a verb' 'stat' '[status]'
	types 'an option' 'apply --dry' '[apply][--dry-run]'
	types 'a profile' 'apply --profile dat' '[apply][--profile][database]'
	types 'a profile behind the sign' 'apply --profile=dat' '[apply][--profile=database]'
	types 'a device' "--root $HOST show md" "[--root][$HOST][show][md0]"
	types 'a scheduler' "--root $HOST apply -s mq" "[--root][$HOST][apply][-s][mq-deadline]"
	types 'an attribute' 'apply --set bfq.low' '[apply][--set][bfq.low_latency=]'
	types 'a value' "--root $HOST apply --set nomerges=" "[--root][$HOST][apply][--set][nomerges=0]"
	types 'a file' "profile check $TOP/profiles/sche" "[profile][check][$TOP/profiles/schema.json]"
}

if ! command -v expect >/dev/null 2>&1; then
	skipped 'completion in bash, zsh and fish' 'no expect'
	finish
	exit 0
fi

# The program, for the shells: candidates from the real one, else what it was called with.
cat >"$TMPDIR/program.sh" <<'PROGRAM'
iosched-tune()
{
	if [ "$1" = complete ]; then
		"$REAL" "$@"
	else
		printf 'CALLED:'
		printf '[%s]' "$@"
		printf ':END\n'
	fi
}
PS1='READY> '
PROGRAM

shell=bash command="bash --noprofile --rcfile $TMPDIR/setup.bash -i"
{
	echo "bind 'set enable-bracketed-paste off'"
	echo ". '$TOP/completions/iosched-tune.bash'"
	cat "$TMPDIR/program.sh"
} >"$TMPDIR/setup.bash"
all_types

if command -v zsh >/dev/null 2>&1; then
	shell=zsh command='zsh -d -i'
	export ZDOTDIR=$TMPDIR
	{
		echo "fpath=('$TOP/completions' \$fpath)"
		echo 'autoload -Uz compinit'
		echo 'compinit -D -u'
		echo 'unset zle_bracketed_paste'
		echo 'setopt no_global_rcs no_prompt_sp'
		cat "$TMPDIR/program.sh"
	} >"$TMPDIR/.zshrc"
	all_types
else
	skipped 'completion in zsh' 'no zsh'
fi

if command -v fish >/dev/null 2>&1; then
	shell=fish
	command="fish --no-config -C {source $TMPDIR/setup.fish}"
	cat >"$TMPDIR/setup.fish" <<-SETUP
		source '$TOP/completions/iosched-tune.fish'
		function iosched-tune
		    if test "\$argv[1]" = complete
		        \$REAL \$argv
		    else
		        printf 'CALLED:'
		        printf '[%s]' \$argv
		        printf ':END\n'
		    end
		end
		function fish_prompt
		    printf 'READY> '
		end
		function fish_greeting
		end
	SETUP
	all_types
else
	skipped 'completion in fish' 'no fish'
fi

finish
