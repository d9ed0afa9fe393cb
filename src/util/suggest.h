/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * "Did you mean": the known word that is nearest to the one that was typed. Offer every
 * known word, then read `nearest`.
 *
 *	struct suggestion suggestion = suggestion_for(typed);
 *
 *	for (...)
 *		suggestion_offer(&suggestion, known);
 *	if (suggestion.nearest)
 *		diag_hint(diag, _("did you mean '%s'?"), suggestion.nearest);
 */
#ifndef IOSCHED_UTIL_SUGGEST_H
#define IOSCHED_UTIL_SUGGEST_H

#include <stdbool.h>

struct suggestion {
	const char *typed;   /* borrowed */
	const char *nearest; /* borrowed from the offers; NULL: nothing comes near */
	unsigned distance;
	bool is_part;        /* the nearest was typed only in part */
};

struct suggestion suggestion_for(const char *typed);

/*
 * Counts insertions, deletions, replacements and swaps of neighbours, ignoring case; one
 * mistake is forgiven in up to three letters, two in up to six, three in longer words. A
 * word that was typed only in part ("data" for "database") counts as two mistakes, its first
 * part ("olap" for "olap-scan") as one, a later one ("tenant" for "multi-tenant") as three. Of
 * equals what was typed in part is nearer, else the first offer.
 */
void suggestion_offer(struct suggestion *suggestion, const char *known);

#endif
