/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Does it last? The chain from the files that were installed to the values in the
 * queues, link by link, and which one is broken.
 */
#ifndef IOSCHED_PERSIST_STATUS_H
#define IOSCHED_PERSIST_STATUS_H

#include "persist/backend.h"
#include "plan/plan.h"

enum persist_verdict {
	VERDICT_OK,
	VERDICT_NOTE, /* worth knowing; does not break anything by itself */
	VERDICT_BROKEN,
};
const char *
persist_verdict_name(enum persist_verdict verdict); /* "ok", "note", "broken" */

/* One link. */
struct persist_check {
	const char *
		link; /* "artefact", "udev", "systemd", "boot-line", "module", "conflict",
			     "live-state"; static, not translated */
	enum persist_verdict verdict;
	char *subject; /* path, module or device */
	char *text;    /* what is, translated */
	char *advice;  /* what to do; NULL */
};

struct persist_status {
	struct persist_check *items;
	size_t count;
};

void persist_status_done(struct persist_status *status);
#define _persist_status_ _cleanup_(persist_status_done)
bool persist_status_is_broken(const struct persist_status *status);

/*
 * `plan`: from the policy of the manifest's profile, NULL when no device is here. What
 * is in the manifest is checked, the rest of the input tells how. -ENOMEM.
 */
int persist_status_find(const struct persist_input *input, const struct manifest *known,
			const struct plan *plan, struct persist_status *ret);

/* Text is translated already; `advice` may be NULL. */
int persist_status_add(struct persist_status *status, const char *link,
		       enum persist_verdict verdict, const char *subject,
		       const char *advice, const char *format, ...) _printf_(6, 7);

#endif
