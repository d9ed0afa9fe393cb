/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Plans and what became of them, for people and as JSON.
 */
#ifndef IOSCHED_REPORT_PLAN_H
#define IOSCHED_REPORT_PLAN_H

#include <jansson.h>

#include "apply/apply.h"
#include "plan/plan.h"
#include "report/table.h"

/* The headings of the two value columns: "FROM", "TO" in a dry run, "IS", "SHOULD-BE" in a
   comparison. */
struct plan_titles { /* N_() */
	const char *from, *to;
};

/* One row a step that is not conditional: device, attribute, both values with their unit,
   source, why. Where the terminal is too narrow for the reasons they follow the table, each
   once. Nothing for a plan without steps. */
int plan_print_steps(const struct plan *plan, const struct plan_titles *titles,
		     const struct table_style *style);
/* One line for each device with conditional steps. */
int plan_print_conditional(const struct plan *plan, const struct table_style *style);
/* One line for each group of devices without steps: names, state, reason. */
int plan_print_rest(const struct plan *plan, const struct table_style *style);
/* "sda: note", one a line. */
int plan_print_notes(const struct plan *plan, const struct table_style *style);

/* One row for each value that was written and holds. */
int plan_print_written(const struct apply_report *report,
		       const struct table_style *style);

/* plan_to_json() with the outcome added to every device and step. `report` NULL: the plan
   alone. New reference; NULL: no memory. */
json_t *plan_outcome_to_json(const struct plan *plan, const struct apply_report *report);

#endif
