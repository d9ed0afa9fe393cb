/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * JSON from files that people write: jansson's tree, and beside it the line of every
 * member and element, so that an error of meaning can name its line as an error of
 * syntax does.
 */
#ifndef IOSCHED_UTIL_JSON_H
#define IOSCHED_UTIL_JSON_H

#include <stddef.h>

#include <jansson.h>

#include "util/cleanup.h"
#include "util/diag.h"

/* Deeper nesting is refused: nothing that we read needs half of it. */
#define JSON_DEPTH_MAX 16

struct json_lines;

struct json_document {
	json_t *root; /* an object */
	char *name;   /* for messages */
	struct json_lines *lines;
};

/*
 * Parses one object, with nothing but white space after it. A UTF-8 byte order mark is
 * skipped. -EINVAL, with name and line in the diag, for a syntax error, a duplicate key, invalid UTF-8,
 * a NUL character, a root that is no object, or nesting over JSON_DEPTH_MAX. -ENOMEM.
 */
int json_document_parse(const char *data, size_t len, const char *name,
			struct json_document *ret, struct diag *diag);
void json_document_done(struct json_document *document);
#define _json_document_ _cleanup_(json_document_done)

/* The line of `key` in an object of this document; of the object itself, when the key is
   NULL or not in it. 0: not of this document. */
unsigned json_document_line(const struct json_document *document, const json_t *object,
			    const char *key);
/* The same for an element of an array. */
unsigned json_document_line_at(const struct json_document *document, const json_t *array,
			       size_t index);

#endif
