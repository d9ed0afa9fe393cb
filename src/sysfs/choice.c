// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * "a [b] c": reading the brackets, not the positions.
 */
#include "sysfs/choice.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

static bool is_name_char(char c)
{
	return isalnum((unsigned char)c) || (c && strchr("_.+-", c));
}

static int parse_word(const char *word, size_t len, struct choice *choice)
{
	bool is_active = len >= 2 && word[0] == '[' && word[len - 1] == ']';

	if (is_active) {
		word++;
		len -= 2;
	}
	if (!len)
		return -EINVAL;
	for (size_t i = 0; i < len; i++)
		if (!is_name_char(word[i]))
			return -EINVAL;
	if (len >= CHOICE_NAME_MAX || choice->count == CHOICE_MAX)
		return -E2BIG;
	if (is_active) {
		if (choice->active >= 0)
			return -EINVAL;
		choice->active = (int)choice->count;
	}
	memcpy(choice->names[choice->count], word, len);
	choice->names[choice->count][len] = '\0';
	choice->count++;
	return 0;
}

int choice_parse(const char *text, struct choice *ret)
{
	struct choice choice = { .active = -1 };
	const char *p = text + strspn(text, " \t\n");

	while (*p) {
		size_t len = strcspn(p, " \t\n");
		int error = parse_word(p, len, &choice);

		if (error)
			return error;
		p += len;
		p += strspn(p, " \t\n");
	}
	if (!choice.count)
		return -EINVAL;
	*ret = choice;
	return 0;
}

const char *choice_active(const struct choice *choice)
{
	return choice->active >= 0 ? choice->names[choice->active] : NULL;
}

bool choice_has(const struct choice *choice, const char *name)
{
	for (size_t i = 0; i < choice->count; i++)
		if (!strcmp(choice->names[i], name))
			return true;
	return false;
}
