/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a function prints to the standard output, as a string to free().
 */
#ifndef IOSCHED_TESTS_CAPTURED_H
#define IOSCHED_TESTS_CAPTURED_H

#include "test.h"

struct captured {
	FILE *file;
	int saved;
};

static inline struct captured captured_begin(void)
{
	struct captured captured = { .file = tmpfile() };

	assert_non_null(captured.file);
	fflush(stdout);
	captured.saved = dup(STDOUT_FILENO);
	assert_true(captured.saved >= 0);
	assert_int_equal(dup2(fileno(captured.file), STDOUT_FILENO), STDOUT_FILENO);
	return captured;
}

static inline char *captured_end(struct captured *captured)
{
	char *text;
	long size;

	fflush(stdout);
	assert_int_equal(dup2(captured->saved, STDOUT_FILENO), STDOUT_FILENO);
	close(captured->saved);
	fseek(captured->file, 0, SEEK_END);
	size = ftell(captured->file);
	assert_true(size >= 0);
	text = calloc(1, (size_t)size + 1);
	assert_non_null(text);
	rewind(captured->file);
	assert_int_equal(fread(text, 1, (size_t)size, captured->file), size);
	fclose(captured->file);
	return text;
}

#endif
