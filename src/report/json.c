// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The envelope of JSON output.
 */
#include "report/json.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "util/text.h"

json_t *json_envelope(void)
{
	return json_pack("{s:{s:i}}", "iosched_tune", "version", JSON_CONTRACT_VERSION);
}

/* The code of the character at `p`, valid UTF-8 of more than one byte; its length. */
static size_t decode(const unsigned char *p, unsigned *ret)
{
	size_t len = *p >= 0xf0 ? 4 : *p >= 0xe0 ? 3 : 2;

	*ret = *p & (0xffu >> (len + 1));
	for (size_t i = 1; i < len; i++)
		*ret = *ret << 6 | (p[i] & 0x3f);
	return len;
}

/* What a terminal would obey can only be inside strings here: jansson leaves DEL, the C1
   controls and the direction marks as they are. All of them have four hex digits. */
static void put_escaped(const char *text)
{
	while (*text) {
		size_t len = text_printable_length(text);
		unsigned code = (unsigned char)*text;

		if (len || *text == '\n') {
			len = len ? len : 1;
			fwrite(text, 1, len, stdout);
		} else {
			len = code < 0x80 ? 1 : decode((const unsigned char *)text, &code);
			printf("\\u%04X", code);
		}
		text += len;
	}
}

int json_print(json_t *root, int error)
{
	char *text = NULL;

	if (!root && !error)
		error = -ENOMEM;
	if (!error)
		text = json_dumps(root, JSON_INDENT(2));
	json_decref(root);
	if (!error && !text)
		error = -ENOMEM;
	if (error)
		return error;
	put_escaped(text);
	free(text);
	putchar('\n');
	return 0; /* a stream that fails is noticed when it is flushed */
}
