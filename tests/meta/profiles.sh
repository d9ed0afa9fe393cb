#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The shipped profiles, read by the program and, apart from it, by a validator of JSON
# schemas: an editor that uses the schema and the program must agree.
set -u
# shellcheck source=tests/meta/lib.sh
. "$(dirname "$0")/lib.sh"

schema=profiles/schema.json

profiles()
{
	tree 'profiles/*.json' | grep -vx "$schema"
}

same 'nine profiles are shipped' "$(profiles | xargs -n 1 basename | tr '\n' ' ')" \
	'balanced.json database.json desktop.json embedded.json fileserver.json low-latency.json multi-tenant.json streaming.json virtual-guest.json '

profiles | while IFS= read -r file; do
	"$IOSCHED_TUNE" profile check "$file" 2>&1 >/dev/null || echo "$file"
done | empty 'the program accepts every profile'

python=
for candidate in /usr/bin/python3 python3; do
	if "$candidate" -c 'import jsonschema' 2>/dev/null; then
		python=$candidate
		break
	fi
done
if [ -n "$python" ]; then
	cat >"$TMPDIR/validate.py" <<-'EOF'
		import json, sys
		from jsonschema.validators import validator_for
		schema = json.load(open(sys.argv[1]))
		validator = validator_for(schema)
		validator.check_schema(schema)
		for name in sys.argv[2:]:
		    for error in validator(schema).iter_errors(json.load(open(name))):
		        print(f"{name}: {'/'.join(map(str, error.path))}: {error.message}")
	EOF
	profiles | xargs "$python" "$TMPDIR/validate.py" $schema 2>&1 | empty 'the schema accepts every profile'

	# What is wrong is wrong for both.
	refused()
	{
		printf '%s\n' "$2" >"$TMPDIR/bad.json"
		same "$1: refused by the schema" \
			"$("$python" "$TMPDIR/validate.py" $schema "$TMPDIR/bad.json" 2>&1 | grep -c .)" 1
		"$IOSCHED_TUNE" profile check "$TMPDIR/bad.json" >/dev/null 2>&1
		same "$1: refused by the program" $? 1
	}
	refused 'an unknown key' '{ "name": "bad", "summary": "x", "rules": [], "shceduler": 1 }'
	refused 'a wrong type' '{ "name": "bad", "summary": "x", "rules": {} }'
	refused 'an unknown class' \
		'{ "name": "bad", "summary": "x", "rules": [ { "match": { "class": [ "hard-disk" ] }, "scheduler": [ "none" ], "why": "x" } ] }'
else
	skipped 'the schema accepts every profile' 'no python3 with jsonschema'
fi

finish
