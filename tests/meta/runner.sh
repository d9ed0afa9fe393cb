#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The runner itself: a test that fails, crashes, hangs, asserts nothing or breaks its plan
# must be counted as a failure, whatever else went well.
set -u
cd "$TOP" || exit 1

count=0
point()
{
	count=$((count + 1))
	if [ "$2" = "$3" ]; then
		echo "ok $count - $1"
	else
		printf 'not ok %d - %s\n# got:    %s\n# wanted: %s\n' $count "$1" "$2" "$3"
	fi
}

# try NAME 'closing line; exit status' 'body of a script'
try()
{
	local script=$TMPDIR/fake.sh out rc

	printf '#!/usr/bin/env bash\n%s\n' "$3" >"$script"
	chmod +x "$script"
	out=$(tests/run -t 2 "$script" 2>&1)
	rc=$?
	point "$1" "$(tail -n 1 <<<"$out"); $rc" "$2"
}

try 'points are counted' '2 passed, 0 failed, 0 skipped; 0' 'echo ok 1 - a; echo ok 2 - b; echo 1..2'
try 'a failed point fails the run' '1 passed, 1 failed, 0 skipped; 1' 'echo 1..2; echo not ok 1; echo ok 2'
try 'a skipped point is counted apart' '1 passed, 0 failed, 1 skipped; 0' \
	'echo 1..2; echo "ok 1 - a # SKIP no disk"; echo ok 2'
try 'a skip as cmocka writes it' '1 passed, 0 failed, 1 skipped; 0' \
	'echo 1..2; echo "not ok 1 # SKIP name"; echo ok 2'
try 'a whole program skipped' '0 passed, 0 failed, 1 skipped; 0' 'echo "1..0 # SKIP not root"'
try 'no point at all fails' '0 passed, 1 failed, 0 skipped; 1' 'echo hello'
try 'exit status without a failed point fails' '1 passed, 1 failed, 0 skipped; 1' 'echo 1..1; echo ok 1; exit 3'
try 'a crash fails' '1 passed, 1 failed, 0 skipped; 1' 'echo 1..1; echo ok 1; kill -SEGV $$'
try 'fewer points than planned fail' '1 passed, 1 failed, 0 skipped; 1' 'echo 1..2; echo ok 1'
try 'a time limit that runs out fails' '1 passed, 1 failed, 0 skipped; 1' 'echo 1..1; echo ok 1; sleep 60'
try 'Bail out! fails' '0 passed, 1 failed, 0 skipped; 1' 'echo 1..1; echo "Bail out! no memory"'
try 'several groups in one program' '3 passed, 0 failed, 0 skipped; 0' 'echo 1..1; echo ok 1; echo 1..2; echo ok 1; echo ok 2'

cat >"$TMPDIR/fake.sh" <<EOF
#!/usr/bin/env bash
sleep 300 &
echo \$! >"$TMPDIR/pid"
echo 1..1
echo ok 1
EOF
tests/run "$TMPDIR/fake.sh" >/dev/null
point 'a process left behind is ended' "$(ps -o stat= -p "$(cat "$TMPDIR/pid")" 2>/dev/null | grep -v '^Z')" ''

tests/run "$TMPDIR/nothing.sh" >/dev/null 2>&1
point 'an unknown file is a usage error' "$?" 2
tests/run -k no-test-has-this-name meta >/dev/null 2>&1
point 'a pattern that selects nothing fails' "$?" 1

echo "1..$count"
