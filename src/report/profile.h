/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A profile in words, and as JSON.
 */
#ifndef IOSCHED_REPORT_PROFILE_H
#define IOSCHED_REPORT_PROFILE_H

#include <jansson.h>

#include "policy/profile.h"
#include "report/table.h"

/* Name, summary, every rule with what it matches, sets, and why; then what is inherited. */
int profile_print(const struct profile *profile, const struct table_style *style);
int profile_print_list(const struct profile_entry *entries, size_t count,
		       const struct table_style *style);

/* New references; NULL: no memory. */
json_t *profile_to_json(const struct profile *profile);
json_t *profile_list_to_json(const struct profile_entry *entries, size_t count);

/* What a rule asks of a device: "class hdd or smr-hdd; size at least 1T". */
int profile_match_to_text(const struct profile_rule *rule, struct text *out);

#endif
