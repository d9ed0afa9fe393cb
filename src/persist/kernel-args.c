// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Kernel arguments inside a text: splitting, finding and editing.
 */
#include "persist/kernel-args.h"

#include <errno.h>
#include <string.h>

void arg_text_done(struct arg_text *text)
{
	free(text->units);
	free(text->parts);
	*text = (struct arg_text){ 0 };
}

int arg_text_add_part(struct arg_text *text, size_t at, char quote)
{
	if (text->part_count == text->part_room) {
		size_t room = text->part_room ? text->part_room * 2 : 4;
		struct arg_part *parts = reallocarray(text->parts, room, sizeof(*parts));

		if (!parts)
			return -ENOMEM;
		text->parts = parts;
		text->part_room = room;
	}
	text->parts[text->part_count++] =
		(struct arg_part){ .at = at, .end = at, .quote = quote };
	return 0;
}

int arg_text_add_unit(struct arg_text *text, size_t at, size_t end, char c)
{
	if (text->unit_count == text->unit_room) {
		size_t room = text->unit_room ? text->unit_room * 2 : 64;
		struct arg_unit *units = reallocarray(text->units, room, sizeof(*units));

		if (!units)
			return -ENOMEM;
		text->units = units;
		text->unit_room = room;
	}
	text->units[text->unit_count++] = (struct arg_unit){
		.at = at, .end = end, .c = c, .part = text->part_count - 1
	};
	text->parts[text->part_count - 1].unit_count++;
	text->parts[text->part_count - 1].end = end;
	return 0;
}

int arg_text_add_plain(struct arg_text *text, const char *data, size_t at, size_t end)
{
	int error = arg_text_add_part(text, at, 0);

	text->at = at;
	text->end = end;
	for (size_t i = at; !error && i < end; i++)
		error = arg_text_add_unit(text, i, i + 1, data[i]);
	return error;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f';
}

/* Unit `i` begins the name, and it ends there or at '='. */
static bool is_named(const struct arg_text *text, const struct arg_token *token,
		     const char *name)
{
	size_t len = strlen(name), have = token->last - token->first + 1;

	if (have < len)
		return false;
	for (size_t i = 0; i < len; i++)
		if (text->units[token->first + i].c != name[i])
			return false;
	return have == len || text->units[token->first + len].c == '=';
}

int arg_text_find(const struct arg_text *text, const char *name,
		  struct arg_token **ret_tokens, size_t *ret_count)
{
	_free_ struct arg_token *tokens = NULL;
	size_t count = 0;

	for (size_t i = 0; i < text->unit_count;) {
		struct arg_token token = { .first = i };
		bool is_quoted = false;

		if (is_blank(text->units[i].c)) {
			i++;
			continue;
		}
		for (; i < text->unit_count; i++) {
			if (text->units[i].c == '"')
				is_quoted = !is_quoted;
			else if (!is_quoted && is_blank(text->units[i].c))
				break;
		}
		if (is_quoted)
			return -EINVAL;
		token.last = i - 1;
		if (is_named(text, &token, name)) {
			struct arg_token *more =
				reallocarray(tokens, count + 1, sizeof(*tokens));

			if (!more)
				return -ENOMEM;
			tokens = more;
			tokens[count++] = token;
		}
	}
	*ret_tokens = TAKE_PTR(tokens);
	*ret_count = count;
	return 0;
}

bool arg_token_equals(const struct arg_text *text, const struct arg_token *token,
		      const char *argument)
{
	size_t len = token->last - token->first + 1;

	if (strlen(argument) != len)
		return false;
	for (size_t i = 0; i < len; i++)
		if (text->units[token->first + i].c != argument[i])
			return false;
	return true;
}

int arg_token_format(const struct arg_text *text, const struct arg_token *token,
		     char **ret)
{
	_text_ struct text out = { 0 };

	for (size_t i = token->first; i <= token->last; i++)
		text_add_bytes(&out, &text->units[i].c, 1);
	return text_take(&out, ret);
}

/*
 * Where a shell word takes one more argument: inside its last quotes, or in quotes of
 * its own behind a part that has none.
 */
static const char *find_shell_end(const struct arg_text *text, size_t *ret_at)
{
	const struct arg_part *last =
		text->part_count ? &text->parts[text->part_count - 1] : NULL;

	*ret_at = text->end;
	if (!last)
		return "%s";
	if (!last->quote || (!last->unit_count && text->part_count > 1))
		return "\" %s\"";
	*ret_at = last->end - 1; /* before the closing quote */
	return text->unit_count ? " %s" : "%s";
}

void arg_text_insert(const struct arg_text *text, const char *argument,
		     struct edits *edits)
{
	size_t at = text->end;
	const char *format = text->is_shell ? find_shell_end(text, &at) : " %s";
	_free_ char *insert = NULL;

	if (asprintf(&insert, format, argument) < 0) {
		insert = NULL;
		edits->error = -ENOMEM;
		return;
	}
	edits_add(edits, at, 0, insert);
}

void arg_text_replace(const struct arg_text *text, const struct arg_token *token,
		      const char *argument, struct edits *edits)
{
	edits_add(edits, text->units[token->first].at, 0, argument);
	for (size_t i = token->first; i <= token->last; i++)
		edits_add(edits, text->units[i].at,
			  text->units[i].end - text->units[i].at, NULL);
}

void arg_text_remove(const struct arg_text *text, const struct arg_token *token,
		     struct edits *edits)
{
	size_t first = token->first, last = token->last;
	const struct arg_part *part = &text->parts[text->units[last].part];

	if (first > 0)
		first--;
	else if (last + 1 < text->unit_count)
		last++;
	/* a quoted part of its own behind others: it came with the argument */
	if (part->quote == '"' && part != text->parts && last + 1 == text->unit_count &&
	    part->unit_count == last - first + 1 && part->end == text->end) {
		edits_add(edits, part->at, part->end - part->at, NULL);
		return;
	}
	for (size_t i = first; i <= last; i++)
		edits_add(edits, text->units[i].at,
			  text->units[i].end - text->units[i].at, NULL);
}
