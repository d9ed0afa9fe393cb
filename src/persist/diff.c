// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Unified differences. The longest common subsequence of lines is found by the textbook
 * table between the first and the last line that differ; beyond TABLE_MAX cells that part
 * is shown as replaced altogether.
 */
#include "persist/diff.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>

#define CONTEXT   3
#define TABLE_MAX (8u * 1024 * 1024)

struct line {
	const char *at;
	size_t len; /* with its newline */
};

struct lines {
	struct line *items;
	size_t count;
};

/* What becomes of a line: kept, taken out of the old text, put into the new one. */
struct op {
	char kind;                 /* ' ', '-', '+' */
	size_t old_line, new_line; /* index where it stands, or would */
};

struct ops {
	struct op *items;
	size_t count;
};

static int split(const char *data, size_t len, struct lines *ret)
{
	size_t count = 0, i = 0;

	for (const char *p = data; p && p < data + len; count++) {
		const char *end = memchr(p, '\n', (size_t)(data + len - p));

		p = end ? end + 1 : data + len;
	}
	ret->items = calloc(count + 1, sizeof(*ret->items));
	if (!ret->items)
		return -ENOMEM;
	for (const char *p = data; p && p < data + len; i++) {
		const char *end = memchr(p, '\n', (size_t)(data + len - p));
		size_t line_len = end ? (size_t)(end + 1 - p) : (size_t)(data + len - p);

		ret->items[i] = (struct line){ p, line_len };
		p += line_len;
	}
	ret->count = count;
	return 0;
}

static bool is_same(const struct line *a, const struct line *b)
{
	return a->len == b->len && !memcmp(a->at, b->at, a->len);
}

static void add_op(struct ops *ops, char kind, size_t old_line, size_t new_line)
{
	ops->items[ops->count++] = (struct op){ kind, old_line, new_line };
}

/* table[i][j]: common lines of old[i..] and new[j..]. */
static uint32_t *make_table(const struct line *old, size_t rows, const struct line *new,
			    size_t columns)
{
	uint32_t *table = calloc((rows + 1) * (columns + 1), sizeof(*table));

	for (size_t i = rows; table && i--;)
		for (size_t j = columns; j--;) {
			uint32_t *cell = &table[i * (columns + 1) + j];
			uint32_t below = cell[columns + 1], right = cell[1];

			if (is_same(&old[i], &new[j]))
				*cell = cell[columns + 2] + 1;
			else
				*cell = below > right ? below : right;
		}
	return table;
}

static int compare_middle(const struct line *old, size_t rows, const struct line *new,
			  size_t columns, size_t offset, struct ops *ops)
{
	_free_ uint32_t *table = NULL;
	size_t i = 0, j = 0;

	if (rows && columns && (rows + 1) <= TABLE_MAX / (columns + 1)) {
		table = make_table(old, rows, new, columns);
		if (!table)
			return -ENOMEM;
	}
	while (i < rows || j < columns) {
		const uint32_t *cell = table ? &table[i * (columns + 1) + j] : NULL;

		if (i < rows && j < columns && table && is_same(&old[i], &new[j])) {
			add_op(ops, ' ', offset + i++, offset + j++);
		} else if (i < rows &&
			   (j == columns || !table || cell[columns + 1] >= cell[1])) {
			add_op(ops, '-', offset + i, offset + j);
			i++;
		} else {
			add_op(ops, '+', offset + i, offset + j);
			j++;
		}
	}
	return 0;
}

static int compare(const struct lines *old, const struct lines *new, struct ops *ret)
{
	size_t head = 0, tail = 0;
	int error;

	ret->items = calloc(old->count + new->count + 1, sizeof(*ret->items));
	if (!ret->items)
		return -ENOMEM;
	while (head < old->count &&
	       head < new->count &&is_same(&old->items[head], &new->items[head]))
		head++;
	while (tail < old->count - head &&
	       tail < new->count - head &&is_same(&old->items[old->count - tail - 1],
						  &new->items[new->count - tail - 1]))
		tail++;
	for (size_t i = 0; i < head; i++)
		add_op(ret, ' ', i, i);
	error = compare_middle(old->items + head, old->count - head - tail,
			       new->items + head, new->count - head - tail, head, ret);
	for (size_t i = tail; !error && i; i--)
		add_op(ret, ' ', old->count - i, new->count - i);
	return error;
}

static void add_line(struct text *out, char kind, const struct line *line)
{
	text_add_bytes(out, &kind, 1);
	text_add_bytes(out, line->at, line->len);
	if (line->at[line->len - 1] != '\n')
		text_add(out, "\n\\ No newline at end of file\n");
}

static void add_range(struct text *out, char sign, size_t line, size_t count)
{
	/* an empty range names the line before it */
	text_addf(out, "%c%zu", sign, count ? line + 1 : line);
	if (count != 1)
		text_addf(out, ",%zu", count);
}

static void add_hunk(struct text *out, const struct ops *ops, size_t first, size_t end,
		     const struct lines *old, const struct lines *new)
{
	size_t old_count = 0, new_count = 0;

	for (size_t i = first; i < end; i++) {
		old_count += ops->items[i].kind != '+';
		new_count += ops->items[i].kind != '-';
	}
	text_add(out, "@@ ");
	add_range(out, '-', ops->items[first].old_line, old_count);
	text_add(out, " ");
	add_range(out, '+', ops->items[first].new_line, new_count);
	text_add(out, " @@\n");
	for (size_t i = first; i < end; i++) {
		const struct op *op = &ops->items[i];

		add_line(out, op->kind,
			 op->kind == '+' ? &new->items[op->new_line]
					 : &old->items[op->old_line]);
	}
}

static void add_hunks(struct text *out, const struct ops *ops, const struct lines *old,
		      const struct lines *new)
{
	for (size_t i = 0; i < ops->count; i++) {
		size_t first, end, quiet = 0;

		if (ops->items[i].kind == ' ')
			continue;
		first = i > CONTEXT ? i - CONTEXT : 0;
		for (end = i; end < ops->count && quiet <= 2 * CONTEXT; end++)
			quiet = ops->items[end].kind == ' ' ? quiet + 1 : 0;
		if (quiet > CONTEXT)
			end -= quiet - CONTEXT;
		add_hunk(out, ops, first, end, old, new);
		i = end - 1;
	}
}

void diff_add(struct text *out, const char *path, const char *before, size_t before_len,
	      const char *after, size_t after_len)
{
	struct lines old = { 0 }, new = { 0 };
	struct ops ops = { 0 };

	if (before && after && before_len == after_len &&
	    !memcmp(before, after, after_len))
		return;
	if (split(before, before_len, &old) || split(after, after_len, &new) ||
	    compare(&old, &new, &ops)) {
		out->error = -ENOMEM;
	} else {
		text_addf(out, before ? "--- a/%s\n" : "--- /dev/null\n", path);
		text_addf(out, after ? "+++ b/%s\n" : "+++ /dev/null\n", path);
		add_hunks(out, &ops, &old, &new);
	}
	free(old.items);
	free(new.items);
	free(ops.items);
}
