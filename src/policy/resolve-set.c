// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What can be said of a --set before any device is looked at.
 */
#include <errno.h>
#include <string.h>

#include "policy/resolve.h"
#include "util/i18n.h"
#include "util/suggest.h"

static int fail_set_key(const char *key, struct diag *diag)
{
	struct suggestion suggestion = suggestion_for(key);
	const struct tunable *row;

	diag_set(diag, -EINVAL, _("--set: there is no attribute \"%s\""), key);
	for (size_t i = 0; (row = tunable_get(i)); i++) {
		if (!row->is_policy)
			continue;
		suggestion_offer(&suggestion, row->key);
		suggestion_offer(&suggestion, row->file);
	}
	if (suggestion.nearest)
		diag_hint(diag, _("did you mean \"%s\"?"), suggestion.nearest);
	return -EINVAL;
}

int resolve_check_set(const struct policy_set *set, struct diag *diag)
{
	char value[TUNABLE_VALUE_MAX];
	struct diag refusal = { 0 };
	const struct tunable *row;
	bool is_known = false;

	/* A list of schedulers is looked at device by device. */
	if (!strcmp(set->key, tunable_scheduler()->key)) {
		if (set->value[strspn(set->value, ", \t")])
			return 0;
		diag_set(diag, -EINVAL, _("no scheduler is named"));
		return -EINVAL;
	}
	for (size_t i = 0; (row = tunable_get(i)); i++) {
		if (strcmp(row->key, set->key) != 0 && strcmp(row->file, set->key) != 0)
			continue;
		is_known = true;
		if (!tunable_check(row, set->value, NULL, value, &refusal))
			return 0;
	}
	if (!is_known)
		return fail_set_key(set->key, diag);
	diag_set(diag, -EINVAL, "--set: %s", refusal.text);
	if (refusal.hint[0])
		diag_hint(diag, "%s", refusal.hint);
	return -EINVAL;
}
