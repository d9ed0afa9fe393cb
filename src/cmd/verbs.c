// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The table of verbs, in the order in which help lists them.
 */
#include "cmd/verb.h"

#include <string.h>

static const struct verb *const verbs[] = {
	&verb_status,   &verb_show,     &verb_profile,  &verb_apply,
	&verb_verify,   &verb_diagnose, &verb_restore,  &verb_generate, &verb_persist,
	&verb_simulate, &verb_capture,  &verb_bench,    &verb_advise,   &verb_snapshot,
	&verb_help,     &verb_complete,
	&verb_manual,
};

const struct verb *verb_get(size_t index)
{
	return index < ARRAY_SIZE(verbs) ? verbs[index] : NULL;
}

const struct verb *verb_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(verbs); i++)
		if (!strcmp(verbs[i]->name, name))
			return verbs[i];
	return NULL;
}
