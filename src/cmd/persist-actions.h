/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The three actions of the verb persist. Each prints its own errors and gives an exit
 * status.
 */
#ifndef IOSCHED_CMD_PERSIST_ACTIONS_H
#define IOSCHED_CMD_PERSIST_ACTIONS_H

#include "apply/apply.h"
#include "cmd/verb.h"
#include "persist/manifest.h"

struct persist_options {
	const char *profile;
	struct strv methods;
	bool is_dry_run;
	bool is_forced;
};

int persist_install(const struct cmd_context *context,
		    const struct persist_options *options);
int persist_remove(const struct cmd_context *context,
		   const struct persist_options *options);
int persist_show_status(const struct cmd_context *context,
			const struct persist_options *options);

/* The manifest, and files of ours that it does not know. An exit status. */
int persist_load_manifest(const struct cmd_context *context, struct manifest **ret);
/* One run at a time, those of apply and restore included. An exit status. */
int persist_lock(const struct cmd_context *context, struct apply_lock *ret);
void persist_print_notes(const struct strv *notes);
/* A difference as it is, or in JSON. An exit status. */
int persist_print_diff(const struct cmd_context *context, const char *diff,
		       const struct strv *notes);

#endif
