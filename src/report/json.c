// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The envelope of JSON output.
 */
#include "report/json.h"

#include <errno.h>
#include <stdio.h>

json_t *json_envelope(void)
{
	return json_pack("{s:{s:i}}", "iosched_tune", "version", JSON_CONTRACT_VERSION);
}

int json_print(json_t *root, int error)
{
	if (!root && !error)
		error = -ENOMEM;
	if (!error && json_dumpf(root, stdout, JSON_INDENT(2)) && !ferror(stdout))
		error = -ENOMEM; /* a stream that fails is noticed when it is flushed */
	json_decref(root);
	if (!error)
		putchar('\n');
	return error;
}
