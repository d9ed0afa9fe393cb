// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Fuzzer: the "a [b] c" attributes. What is accepted must keep its promises.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sysfs/choice.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int condition)
{
	if (!condition)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct choice choice;
	char *text = malloc(size + 1);
	const char *active;

	if (!text)
		return 0;
	memcpy(text, data, size);
	text[size] = '\0';
	if (!choice_parse(text, &choice)) {
		require(choice.count > 0 && choice.count <= CHOICE_MAX);
		require(choice.active >= -1 && choice.active < (int)choice.count);
		for (size_t i = 0; i < choice.count; i++)
			require(strnlen(choice.names[i], CHOICE_NAME_MAX) <
					CHOICE_NAME_MAX &&
				choice.names[i][0] &&
				!strpbrk(choice.names[i], "[] \t\n"));
		active = choice_active(&choice);
		require(!active || choice_has(&choice, active));
	}
	free(text);
	return 0;
}
