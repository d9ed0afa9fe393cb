// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds assignments in a shell configuration file. Words follow POSIX.1-2017, Shell
 * Command Language, 2.2 (quoting), 2.3 (tokens) and 2.6 (expansions), and bash's $'…'
 * and NAME+=.
 */
#include "persist/shell-scan.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "util/i18n.h"

/* Substitutions may nest; a file that goes deeper is not a configuration file. */
#define NESTING_MAX 32

struct scan {
	const char *path;
	const char *data;
	size_t len, at;
	const char *const *names;
	struct shell_assignments found;
	unsigned depth; /* of compound commands */
	unsigned parentheses;
	bool is_conditional; /* after && or || */
	bool is_command_start;
	bool is_declaration; /* after export, readonly, declare */
	bool is_unset;
	size_t command_first; /* index of the first assignment of this command */
	struct diag *diag;
};

static void assignment_done(struct shell_assignment *assignment)
{
	arg_text_done(&assignment->value);
}

void shell_assignments_done(struct shell_assignments *assignments)
{
	for (size_t i = 0; i < assignments->count; i++)
		assignment_done(&assignments->items[i]);
	free(assignments->items);
	*assignments = (struct shell_assignments){ 0 };
}

static unsigned line_of(const struct scan *scan, size_t at)
{
	unsigned line = 1;

	for (size_t i = 0; i < at && i < scan->len; i++)
		line += scan->data[i] == '\n';
	return line;
}

static int refuse(const struct scan *scan, size_t at, const char *why)
{
	diag_at_path(scan->diag, scan->path, line_of(scan, at));
	return diag_set(scan->diag, -EINVAL, "%s", why);
}

static char peek(const struct scan *scan, size_t at)
{
	return at < scan->len ? scan->data[at] : '\0';
}

static int skip_substitution(const struct scan *scan, size_t at, unsigned nesting,
			     size_t *ret_end);

/* From an opening quote or backquote to behind its end. */
static int skip_quoted(const struct scan *scan, size_t at, unsigned nesting,
		       size_t *ret_end)
{
	char quote = scan->data[at];

	for (size_t i = at + 1; i < scan->len; i++) {
		char c = scan->data[i];

		if (c == quote) {
			*ret_end = i + 1;
			return 0;
		}
		if (c == '\\' && quote != '\'') {
			i++;
		} else if (quote == '"' && (c == '`' || c == '$')) {
			size_t end;
			int error = skip_substitution(scan, i, nesting + 1, &end);

			if (error)
				return error;
			i = end - 1;
		}
	}
	return refuse(scan, at, _("a quote is opened here and never closed"));
}

/* From "$(", "${" or "$((" to behind the matching end. */
static int skip_brackets(const struct scan *scan, size_t at, unsigned nesting,
			 size_t *ret_end)
{
	char open = scan->data[at + 1], close = open == '(' ? ')' : '}';
	unsigned depth = 0;

	for (size_t i = at + 1; i < scan->len;) {
		char c = scan->data[i];
		int error = 0;

		if (c == '\\') {
			i += 2;
		} else if (c == '\'' || c == '"') {
			error = skip_quoted(scan, i, nesting + 1, &i);
		} else if ((c == '$' && i > at + 1) || c == '`') {
			error = skip_substitution(scan, i, nesting + 1, &i);
		} else {
			i++;
			if (c == open)
				depth++;
			else if (c == close && !--depth) {
				*ret_end = i;
				return 0;
			}
		}
		if (error)
			return error;
	}
	return refuse(scan, at, _("an expansion is opened here and never closed"));
}

/* A '$' or '`' and what belongs to it: an expansion, or the lone character. */
static int skip_substitution(const struct scan *scan, size_t at, unsigned nesting,
			     size_t *ret_end)
{
	char next = peek(scan, at + 1);

	if (nesting > NESTING_MAX)
		return refuse(scan, at, _("expansions are nested too deeply"));
	if (scan->data[at] == '`')
		return skip_quoted(scan, at, nesting, ret_end);
	if (next == '(' || next == '{')
		return skip_brackets(scan, at, nesting, ret_end);
	*ret_end = at + 1;
	if (isalpha((unsigned char)next) || next == '_')
		while (isalnum((unsigned char)peek(scan, *ret_end)) ||
		       peek(scan, *ret_end) == '_')
			++*ret_end;
	else if (next && strchr("?!#@*$-0123456789", next))
		++*ret_end;
	return 0;
}

static bool ends_word(char c)
{
	return c && strchr(" \t\n;&|<>()", c);
}

/* The inside of '…', "…" or $'…': units up to the closing quote, which `at` is behind of.
 */
static int scan_quoted_part(const struct scan *scan, char quote, size_t begin,
			    size_t content, size_t *at, struct arg_text *ret)
{
	int error = arg_text_add_part(ret, begin, quote);
	size_t i = content;
	char close = quote == '"' ? '"' : '\'';

	while (!error && i < scan->len && scan->data[i] != close) {
		char c = scan->data[i], next = peek(scan, i + 1);
		size_t end = i + 1;

		if (quote == '"' && c == '\\' && next == '\n') {
			i += 2;
			continue;
		}
		if (quote == '"' && c == '\\' && next && strchr("$`\"\\", next)) {
			c = next;
			end = i + 2;
		} else if (quote == '$' && c == '\\') {
			c = ARG_OPAQUE;
			end = i + 2;
		} else if (quote == '"' && (c == '$' || c == '`')) {
			error = skip_substitution(scan, i, 0, &end);
			if (end > i + 1)
				c = ARG_OPAQUE;
		}
		if (!error)
			error = arg_text_add_unit(ret, i, end, c);
		i = end;
	}
	if (error)
		return error;
	if (i >= scan->len)
		return refuse(scan, begin, _("a quote is opened here and never closed"));
	*at = i + 1;
	ret->parts[ret->part_count - 1].end = *at;
	return 0;
}

/* A backslash with nothing behind it but perhaps a line end: what is added would join. */
static bool is_cut_off(const struct scan *scan, size_t at)
{
	return scan->data[at] == '\\' &&
	       (at + 1 == scan->len ||
		(at + 2 == scan->len && scan->data[at + 1] == '\n'));
}

/* A part without quotes, up to a quote or the end of the word. */
static int scan_bare_part(const struct scan *scan, size_t *at, struct arg_text *ret)
{
	int error = arg_text_add_part(ret, *at, 0);

	while (!error && *at < scan->len) {
		char c = scan->data[*at], next = peek(scan, *at + 1);
		size_t end = *at + 1;

		if (ends_word(c) || c == '\'' || c == '"' || (c == '$' && next == '\''))
			break;
		if (c == '\r' && (next == '\n' || !next))
			break;
		if (is_cut_off(scan, *at))
			return refuse(scan, *at, _("the last line is to be continued"));
		if (c == '\\' && next == '\n') {
			*at += 2;
			continue;
		}
		if (c == '\\' && next) {
			c = next;
			end = *at + 2;
		} else if (c == '$' || c == '`') {
			error = skip_substitution(scan, *at, 0, &end);
			c = ARG_OPAQUE;
		}
		if (!error)
			error = arg_text_add_unit(ret, *at, end, c);
		*at = end;
	}
	if (!error && !ret->parts[ret->part_count - 1].unit_count)
		ret->part_count--;
	return error;
}

/* One word from scan->at on; the position is behind it afterwards. */
static int scan_word(struct scan *scan, struct arg_text *ret)
{
	size_t at = scan->at;
	int error = 0;

	ret->at = at;
	ret->is_shell = true;
	while (!error && at < scan->len && !ends_word(scan->data[at])) {
		char c = scan->data[at], next = peek(scan, at + 1);

		if (c == '\r' && (next == '\n' || !next))
			break;
		if (c == '\'' || c == '"')
			error = scan_quoted_part(scan, c, at, at + 1, &at, ret);
		else if (c == '$' && next == '\'')
			error = scan_quoted_part(scan, '$', at, at + 2, &at, ret);
		else
			error = scan_bare_part(scan, &at, ret);
	}
	ret->end = at;
	scan->at = at;
	return error;
}

static bool word_is(const struct scan *scan, const struct arg_text *word,
		    const char *text)
{
	return word->end - word->at == strlen(text) &&
	       !memcmp(scan->data + word->at, text, word->end - word->at);
}

static bool word_is_any(const struct scan *scan, const struct arg_text *word,
			const char *const *texts, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (word_is(scan, word, texts[i]))
			return true;
	return false;
}

/* Does the value hold $name or ${name}? */
static bool refers_to(const struct scan *scan, const struct arg_text *value,
		      const char *name)
{
	size_t len = strlen(name);

	for (size_t i = 0; i < value->unit_count; i++) {
		const struct arg_unit *unit = &value->units[i];
		const char *p = scan->data + unit->at + 1;
		size_t have = unit->end - unit->at - 1;

		if (unit->c != ARG_OPAQUE || scan->data[unit->at] != '$')
			continue;
		if (have && *p == '{') {
			p++;
			have--;
		}
		if (have >= len && !memcmp(p, name, len) &&
		    !(have > len && (isalnum((unsigned char)p[len]) || p[len] == '_')))
			return true;
	}
	return false;
}

/* The name of interest that "NAME=" or "NAME+=" at `at` assigns, NULL for another one. */
static bool find_assignment(const struct scan *scan, size_t at, const char **ret_name,
			    size_t *ret_value_at, bool *ret_is_append)
{
	size_t i = at;

	if (!isalpha((unsigned char)peek(scan, i)) && peek(scan, i) != '_')
		return false;
	while (isalnum((unsigned char)peek(scan, i)) || peek(scan, i) == '_')
		i++;
	*ret_is_append = peek(scan, i) == '+' && peek(scan, i + 1) == '=';
	if (peek(scan, i) != '=' && !*ret_is_append)
		return false;
	*ret_name = NULL;
	for (size_t n = 0; scan->names[n]; n++)
		if (strlen(scan->names[n]) == i - at &&
		    !memcmp(scan->names[n], scan->data + at, i - at))
			*ret_name = scan->names[n];
	*ret_value_at = i + (*ret_is_append ? 2 : 1);
	return true;
}

static int add_assignment(struct scan *scan, struct shell_assignment *assignment)
{
	struct shell_assignment *items =
		reallocarray(scan->found.items, scan->found.count + 1, sizeof(*items));

	if (!items)
		return -ENOMEM;
	scan->found.items = items;
	items[scan->found.count++] = *assignment;
	*assignment = (struct shell_assignment){ 0 };
	return 0;
}

static int take_assignment(struct scan *scan, const char *name, size_t value_at,
			   bool is_append)
{
	_cleanup_(assignment_done) struct shell_assignment assignment = {
		.name = name,
		.at = scan->at,
		.is_append = is_append,
		.is_conditional =
			scan->depth || scan->parentheses || scan->is_conditional,
		.line = line_of(scan, scan->at),
	};
	int error;

	scan->at = value_at;
	error = scan_word(scan, &assignment.value);
	if (error || !name)
		return error;
	if (peek(scan, scan->at) == '(')
		return refuse(scan, scan->at, _("the variable is an array here"));
	assignment.refers_to_itself = refers_to(scan, &assignment.value, name);
	return add_assignment(scan, &assignment);
}

/* "A=1 command": the assignments before it last only as long as the command. */
static void drop_temporary(struct scan *scan)
{
	while (scan->found.count > scan->command_first)
		assignment_done(&scan->found.items[--scan->found.count]);
}

static int take_word(struct scan *scan)
{
	static const char *const openers[] = { "if",   "for",    "while", "until",
					       "case", "select", "{" };
	static const char *const closers[] = { "fi", "done", "esac", "}" };
	static const char *const inner[] = { "then", "else", "elif", "do", "!", "time" };
	static const char *const declarations[] = { "export", "readonly", "declare",
						    "typeset", "local" };
	_cleanup_(arg_text_done) struct arg_text word = { 0 };
	size_t at = scan->at;
	int error = scan_word(scan, &word);

	if (error)
		return error;
	if (scan->at == at) { /* a lone carriage return */
		scan->at++;
		return 0;
	}
	for (size_t n = 0; scan->is_unset && scan->names[n]; n++)
		if (word_is(scan, &word, scan->names[n]))
			return refuse(scan, at, _("the variable is unset here"));
	if (!scan->is_command_start)
		return 0;
	if (word_is_any(scan, &word, openers, ARRAY_SIZE(openers))) {
		scan->depth++;
		return 0;
	}
	if (word_is_any(scan, &word, closers, ARRAY_SIZE(closers))) {
		if (!scan->depth)
			return refuse(scan, at,
				      _("a compound command ends that never began"));
		scan->depth--;
		return 0;
	}
	if (word_is_any(scan, &word, inner, ARRAY_SIZE(inner)))
		return 0;
	drop_temporary(scan);
	scan->is_command_start = false;
	scan->is_declaration =
		word_is_any(scan, &word, declarations, ARRAY_SIZE(declarations));
	scan->is_unset = word_is(scan, &word, "unset");
	return 0;
}

static void begin_command(struct scan *scan)
{
	scan->is_command_start = true;
	scan->is_declaration = false;
	scan->is_unset = false;
	scan->command_first = scan->found.count;
}

static int take_operator(struct scan *scan)
{
	char c = scan->data[scan->at], next = peek(scan, scan->at + 1);

	if (c == '<' && next == '<')
		return refuse(scan, scan->at,
			      _("a here document is more than is understood"));
	if (c == '<' || c == '>') {
		scan->at++;
		if (next == '&' || next == '>' || next == '|')
			scan->at++;
		return 0;
	}
	scan->at++;
	if ((c == '&' && next == '&') || (c == '|' && next == '|')) {
		scan->at++;
		scan->is_conditional = true;
	} else if (c == '|') {
		scan->is_conditional =
			true; /* a pipeline's part runs in a shell of its own */
	} else if (c == ';' || c == '&') {
		scan->is_conditional = false;
	} else if (c == '(') {
		scan->parentheses++;
	} else if (c == ')' && scan->parentheses) {
		scan->parentheses--; /* without one: the end of a case pattern */
	}
	begin_command(scan);
	return 0;
}

static int scan_step(struct scan *scan)
{
	char c = scan->data[scan->at];
	const char *name;
	size_t value_at;
	bool is_append;

	if (c == '\n') {
		scan->at++;
		scan->is_conditional = false;
		begin_command(scan);
		return 0;
	}
	if (c == ' ' || c == '\t') {
		scan->at++;
		return 0;
	}
	if (is_cut_off(scan, scan->at))
		return refuse(scan, scan->at, _("the last line is to be continued"));
	if (c == '\\' && peek(scan, scan->at + 1) == '\n') {
		scan->at += 2;
		return 0;
	}
	if (c == '#') { /* here a word would begin: the others were taken whole */
		while (scan->at < scan->len && scan->data[scan->at] != '\n')
			scan->at++;
		return 0;
	}
	if (ends_word(c))
		return take_operator(scan);
	if ((scan->is_command_start || scan->is_declaration) &&
	    find_assignment(scan, scan->at, &name, &value_at, &is_append))
		return take_assignment(scan, name, value_at, is_append);
	return take_word(scan);
}

int shell_scan(const char *path, const char *data, size_t len, const char *const *names,
	       struct shell_assignments *ret, struct diag *diag)
{
	struct scan scan = {
		.path = path, .data = data, .len = len, .names = names, .diag = diag
	};
	int error = 0;

	begin_command(&scan);
	if (memchr(data, '\0', len))
		error = refuse(&scan, 0, _("this is no text file: it holds NUL bytes"));
	while (!error && scan.at < len)
		error = scan_step(&scan);
	if (!error && (scan.depth || scan.parentheses))
		error = refuse(&scan, len, _("a compound command is never closed"));
	if (error) {
		shell_assignments_done(&scan.found);
		return error;
	}
	*ret = scan.found;
	return 0;
}
