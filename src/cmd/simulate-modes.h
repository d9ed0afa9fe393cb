/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The modes of simulate, one file each. All return 0 or a negative errno with a diag;
 * what cmd_fail_request() takes for a mistake in the command line is one.
 */
#ifndef IOSCHED_CMD_SIMULATE_MODES_H
#define IOSCHED_CMD_SIMULATE_MODES_H

#include "cmd/simulate-case.h"
#include "report/comparison.h"

/* --replay */
int simulate_replay(const struct cmd_context *cmd, const struct simulate_request *request,
		    struct diag *diag);

/* Schedulers side by side, each dispatch explained where that is asked for. */
int simulate_compare(const struct cmd_context *cmd, const struct simulate_request *request,
		     struct simulate_case *simulated, struct diag *diag);

/* --- what they share ------------------------------------------------------------------ */

/* What is simulated on what; and how: the kernel, for how long, how often. */
void simulate_add_subject(const struct simulate_case *simulated, struct text *out);
void simulate_add_terms(const struct simulate_case *simulated, struct text *out);
/* Both, in one line, and a line for each column that is not called as its scheduler. */
void simulate_print_heading(const struct simulate_case *simulated,
			    const struct table_style *style);
/* The same as the key "simulation". 0, -ENOMEM. */
int simulate_heading_to_json(const struct simulate_case *simulated, json_t *root);

/* The variants as columns, borrowed; *ret to free(). -ENOMEM. */
int simulate_make_columns(const struct simulate_case *simulated,
			  struct comparison_column **ret);
/* The index of the variant that the others are compared with. */
int simulate_find_reference(const struct simulate_case *simulated);

#endif
