/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a shell can be offered for a word of the command line, one candidate a line:
 *
 *	CANDIDATE<TAB>DESCRIPTION
 *
 * The candidate replaces the whole word. One that ends in '=' or ',' wants more behind
 * it. A line without a candidate asks the shell to add what it knows itself: "files".
 */
#ifndef IOSCHED_CMD_COMPLETE_H
#define IOSCHED_CMD_COMPLETE_H

#include "sysfs/root.h"
#include "util/option.h"

struct completion {
	const struct root *root; /* of the command line that is completed */
	const char *search;      /* profile directories */
	const char *word;        /* what is typed; candidates begin so */
	int kept;                /* bytes of it that stay in front of each candidate */
};

/*
 * Prints the candidate if it fits what is typed behind the kept part. One with characters
 * that a shell would not take literally is left out: a device can be named anything.
 * `description` may be NULL.
 */
void completion_offer(const struct completion *completion, const char *candidate,
		      const char *description);
void completion_ask_files(void);

/* The rest of the word after the kept part. */
const char *completion_rest(const struct completion *completion);

/* Candidates for a value of this kind; `spec` for the words of VALUE_WORD, else NULL. */
void completion_offer_value(const struct completion *completion, enum option_value value,
			    const struct option_spec *spec);

#endif
