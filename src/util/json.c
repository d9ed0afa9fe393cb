// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The lines of a JSON text. jansson checks the syntax; a second pass over the same text
 * then walks along with the tree and notes where each member and element begins. It
 * relies on jansson keeping members in the order of the text (2.8 and later).
 */
#include "util/json.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "util/i18n.h"

#if JANSSON_VERSION_HEX < 0x020800
#error "jansson 2.8 or later is needed: it keeps the order of members"
#endif

/* One object or array, and the lines of what is in it. */
struct container {
	const json_t *value;
	unsigned line;
	size_t first, count; /* in json_lines.members */
};

struct json_lines {
	struct container *containers; /* sorted by address once the scan is done */
	size_t count, room;
	unsigned *members;
	size_t member_count, member_room;
};

struct scanner {
	const char *p, *end;
	unsigned line;
	struct json_lines *lines;
	unsigned depth;
};

static int scan_value(struct scanner *scanner, const json_t *value);

static void lines_free(struct json_lines *lines)
{
	if (!lines)
		return;
	free(lines->containers);
	free(lines->members);
	free(lines);
}
DEFINE_CLEANUP(struct json_lines *, lines_free)

static void skip_space(struct scanner *scanner)
{
	for (; scanner->p < scanner->end && strchr(" \t\r\n", *scanner->p); scanner->p++)
		if (*scanner->p == '\n')
			scanner->line++;
}

/* The text is valid JSON: a string ends at the first quote that is not escaped. */
static void skip_string(struct scanner *scanner)
{
	for (scanner->p++; scanner->p < scanner->end && *scanner->p != '"'; scanner->p++)
		if (*scanner->p == '\\')
			scanner->p++;
	scanner->p++;
}

static void skip_scalar(struct scanner *scanner)
{
	if (*scanner->p == '"') {
		skip_string(scanner);
		return;
	}
	while (scanner->p < scanner->end && !strchr(",]} \t\r\n", *scanner->p))
		scanner->p++;
}

/* Makes room for the container and its members and gives its index. */
static int add_container(struct json_lines *lines, const json_t *value, unsigned line,
			 size_t count, size_t *ret)
{
	if (lines->count == lines->room) {
		size_t room = lines->room ? lines->room * 2 : 32;
		struct container *bigger =
			reallocarray(lines->containers, room, sizeof(*bigger));

		if (!bigger)
			return -ENOMEM;
		lines->containers = bigger;
		lines->room = room;
	}
	if (lines->member_room - lines->member_count < count) {
		size_t room = (lines->member_count + count) * 2;
		unsigned *bigger = reallocarray(lines->members, room, sizeof(*bigger));

		if (!bigger)
			return -ENOMEM;
		lines->members = bigger;
		lines->member_room = room;
	}
	lines->containers[lines->count] = (struct container){
		.value = value,
		.line = line,
		.first = lines->member_count,
		.count = count,
	};
	lines->member_count += count;
	*ret = lines->count++;
	return 0;
}

/* One member or element, up to the comma or bracket behind it. */
static int scan_member(struct scanner *scanner, const json_t *value, bool has_key,
		       size_t member)
{
	int error;

	skip_space(scanner);
	scanner->lines->members[member] = scanner->line;
	if (has_key) {
		skip_string(scanner);
		skip_space(scanner);
		scanner->p++; /* ':' */
		skip_space(scanner);
	}
	error = scan_value(scanner, value);
	if (error)
		return error;
	skip_space(scanner);
	scanner->p++; /* ',' or the closing bracket */
	return 0;
}

static int scan_container(struct scanner *scanner, const json_t *value)
{
	bool is_object = json_is_object(value);
	size_t count = is_object ? json_object_size(value) : json_array_size(value);
	/* The iterator reads only, but jansson wants it without const. */
	json_t *object = (json_t *)(uintptr_t)value;
	void *iter = is_object ? json_object_iter(object) : NULL;
	size_t index, first;
	int error;

	if (++scanner->depth > JSON_DEPTH_MAX)
		return -E2BIG;
	error = add_container(scanner->lines, value, scanner->line, count, &index);
	if (error)
		return error;
	first = scanner->lines->containers[index].first;
	scanner->p++;
	for (size_t i = 0; i < count; i++) {
		const json_t *member = is_object ? json_object_iter_value(iter)
						 : json_array_get(value, i);

		error = scan_member(scanner, member, is_object, first + i);
		if (error)
			return error;
		if (is_object)
			iter = json_object_iter_next(object, iter);
	}
	if (!count) {
		skip_space(scanner);
		scanner->p++;
	}
	scanner->depth--;
	return 0;
}

static int scan_value(struct scanner *scanner, const json_t *value)
{
	if (json_is_object(value) || json_is_array(value))
		return scan_container(scanner, value);
	skip_scalar(scanner);
	return 0;
}

static int compare_containers(const void *a, const void *b)
{
	uintptr_t left = (uintptr_t)((const struct container *)a)->value;
	uintptr_t right = (uintptr_t)((const struct container *)b)->value;

	return left < right ? -1 : left > right;
}

static int scan_lines(const char *data, size_t len, const json_t *root,
		      struct json_document *document, struct diag *diag)
{
	_cleanup_(cleanup_lines_free) struct json_lines *lines =
		calloc(1, sizeof(*lines));
	struct scanner scanner = {
		.p = data, .end = data + len, .line = 1, .lines = lines
	};
	int error;

	if (!lines)
		return -ENOMEM;
	skip_space(&scanner);
	error = scan_value(&scanner, root);
	if (error == -E2BIG) {
		diag_set(diag, -EINVAL, _("nested more than %d levels deep"),
			 JSON_DEPTH_MAX);
		diag_at(diag, document->name, scanner.line);
		return -EINVAL;
	}
	if (error)
		return error;
	qsort(lines->containers, lines->count, sizeof(*lines->containers),
	      compare_containers);
	document->lines = TAKE_PTR(lines);
	return 0;
}

static int parse_tree(const char *data, size_t len, struct json_document *document,
		      struct diag *diag)
{
	json_error_t error;

	document->root = json_loadb(data, len, JSON_REJECT_DUPLICATES, &error);
	if (!document->root) {
		/* TRANSLATORS: the reason comes from the JSON library, in English */
		diag_set(diag, -EINVAL, _("not valid JSON: %s"), error.text);
		diag_at(diag, document->name, error.line > 0 ? (unsigned)error.line : 0);
		return -EINVAL;
	}
	if (!json_is_object(document->root)) {
		diag_set(diag, -EINVAL, _("not a JSON object"));
		diag_at(diag, document->name, 1);
		return -EINVAL;
	}
	return 0;
}

int json_document_parse(const char *data, size_t len, const char *name,
			struct json_document *ret, struct diag *diag)
{
	_json_document_ struct json_document document = { .name = strdup(name) };
	int error;

	if (!document.name)
		return -ENOMEM;
	if (len >= 3 && !memcmp(data, "\xef\xbb\xbf", 3)) {
		data += 3;
		len -= 3;
	}
	error = parse_tree(data, len, &document, diag);
	if (!error)
		error = scan_lines(data, len, document.root, &document, diag);
	if (error)
		return error;
	*ret = document;
	document = (struct json_document){ 0 };
	return 0;
}

void json_document_done(struct json_document *document)
{
	json_decref(document->root);
	free(document->name);
	lines_free(document->lines);
	*document = (struct json_document){ 0 };
}

static const struct container *find_container(const struct json_document *document,
					      const json_t *value)
{
	struct container wanted = { .value = value };

	if (!document->lines || !document->lines->count)
		return NULL;
	return bsearch(&wanted, document->lines->containers, document->lines->count,
		       sizeof(wanted), compare_containers);
}

static unsigned line_of(const struct json_document *document,
			const struct container *container, size_t index)
{
	if (!container)
		return 0;
	if (index >= container->count)
		return container->line;
	return document->lines->members[container->first + index];
}

unsigned json_document_line(const struct json_document *document, const json_t *object,
			    const char *key)
{
	const struct container *container = find_container(document, object);
	json_t *iterable = (json_t *)(uintptr_t)object;
	size_t index = 0;

	if (!key)
		return line_of(document, container, SIZE_MAX);
	for (void *iter = json_object_iter(iterable); iter;
	     iter = json_object_iter_next(iterable, iter), index++)
		if (!strcmp(json_object_iter_key(iter), key))
			return line_of(document, container, index);
	return line_of(document, container, SIZE_MAX);
}

unsigned json_document_line_at(const struct json_document *document, const json_t *array,
			       size_t index)
{
	return line_of(document, find_container(document, array), index);
}
