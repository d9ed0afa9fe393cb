// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The nearest known word by edit distance (restricted Damerau-Levenshtein: a pair of
 * neighbours is swapped at most once).
 */
#include "util/suggest.h"

#include <ctype.h>
#include <limits.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

/* Longer words are not typing mistakes of anything we know. */
#define WORD_MAX_LEN 64
/* The first of a word's parts, its beginning, another part: as so many mistakes. */
#define FIRST_DISTANCE  1
#define PREFIX_DISTANCE 2
#define PART_DISTANCE   3
/* Shorter parts are in many words. */
#define PART_MIN_LEN    4

struct suggestion suggestion_for(const char *typed)
{
	return (struct suggestion){ .typed = typed, .nearest = NULL, .distance = UINT_MAX };
}

static unsigned min3(unsigned a, unsigned b, unsigned c)
{
	unsigned least = a < b ? a : b;

	return least < c ? least : c;
}

static bool is_same(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

static unsigned distance_between(const char *a, size_t len_a, const char *b, size_t len_b)
{
	unsigned rows[3][WORD_MAX_LEN + 1];
	unsigned *before = rows[0], *last = rows[1], *row = rows[2];

	for (size_t j = 0; j <= len_b; j++)
		last[j] = (unsigned)j;
	for (size_t i = 1; i <= len_a; i++) {
		unsigned *spare = before;

		row[0] = (unsigned)i;
		for (size_t j = 1; j <= len_b; j++) {
			unsigned cost = is_same(a[i - 1], b[j - 1]) ? 0 : 1;

			row[j] = min3(last[j] + 1, row[j - 1] + 1, last[j - 1] + cost);
			if (i > 1 && j > 1 && is_same(a[i - 1], b[j - 2]) &&
			    is_same(a[i - 2], b[j - 1]) && before[j - 2] + 1 < row[j])
				row[j] = before[j - 2] + 1;
		}
		before = last;
		last = row;
		row = spare;
	}
	return last[len_b];
}

static unsigned forgiven_mistakes(size_t len)
{
	return len <= 3 ? 1 : len <= 6 ? 2 : 3;
}

/* As how many mistakes it counts that only a part was typed; UINT_MAX: it is none. */
static unsigned part_distance(const char *typed, size_t len, const char *known)
{
	if (len >= 2 && strlen(known) > len && !strncasecmp(typed, known, len))
		return strchr("-_", known[len]) ? FIRST_DISTANCE : PREFIX_DISTANCE;
	for (const char *part = strpbrk(known, "-_"); part && len >= PART_MIN_LEN;
	     part = strpbrk(part + 1, "-_")) {
		if (!strncasecmp(typed, part + 1, len) && (!part[len + 1] || part[len + 1] == *part))
			return PART_DISTANCE;
	}
	return UINT_MAX;
}

void suggestion_offer(struct suggestion *suggestion, const char *known)
{
	size_t len = strlen(suggestion->typed), known_len = strlen(known);
	unsigned distance, part;
	bool is_part;

	if (!len || len > WORD_MAX_LEN || known_len > WORD_MAX_LEN)
		return;
	distance = distance_between(suggestion->typed, len, known, known_len);
	if (distance > forgiven_mistakes(len) || distance >= known_len)
		distance = UINT_MAX;
	part = part_distance(suggestion->typed, len, known);
	is_part = part < UINT_MAX && part <= distance;
	if (is_part)
		distance = part;
	if (distance < suggestion->distance ||
	    (distance < UINT_MAX && distance == suggestion->distance && is_part &&
	     !suggestion->is_part)) {
		suggestion->nearest = known;
		suggestion->distance = distance;
		suggestion->is_part = is_part;
	}
}
