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

struct suggestion {
	const char *typed;   /* borrowed */
	const char *nearest; /* borrowed from the offers; NULL: nothing comes near */
	unsigned distance;
};

struct suggestion suggestion_for(const char *typed);

/*
 * Counts insertions, deletions, replacements and swaps of neighbours, ignoring case; one
 * mistake is forgiven in up to three letters, two in up to six, three in longer words. A
 * word that was typed only in part ("data" for "database") counts as two mistakes. Of
 * equals the first offer stays.
 */
void suggestion_offer(struct suggestion *suggestion, const char *known);

#endif
