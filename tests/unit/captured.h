/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a function prints to the standard output or error, as a string to free().
 */
#ifndef IOSCHED_TESTS_CAPTURED_H
#define IOSCHED_TESTS_CAPTURED_H

#include "test.h"

struct captured {
	FILE *stream; /* stdout or stderr */
	FILE *file;
	int saved;
};

static inline struct captured captured_begin_of(FILE *stream)
{
	struct captured captured = { .stream = stream, .file = tmpfile() };

	assert_non_null(captured.file);
	fflush(stream);
	captured.saved = dup(fileno(stream));
	assert_true(captured.saved >= 0);
	assert_true(dup2(fileno(captured.file), fileno(stream)) >= 0);
	return captured;
}

static inline struct captured captured_begin(void)
{
	return captured_begin_of(stdout);
}

static inline char *captured_end(struct captured *captured)
{
	char *text;
	long size;

	fflush(captured->stream);
	assert_true(dup2(captured->saved, fileno(captured->stream)) >= 0);
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
