/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Diagnoses as a table and as JSON, worst first.
 */
#ifndef IOSCHED_REPORT_DIAGNOSE_H
#define IOSCHED_REPORT_DIAGNOSE_H

#include <jansson.h>

#include "diagnose/diagnose.h"
#include "report/table.h"

/* The worst disk first; stable. */
void diagnosis_sort(struct diagnosis *list, size_t count);

/* To stdout: a line a finding, what is to be done behind it. `with_fine`: also those that
   are ok. -ENOMEM. */
int diagnosis_print(const struct diagnosis *list, size_t count, bool with_fine,
		    const struct table_style *style);

/* A new reference; NULL when memory is short. `load` of one disk may be NULL. */
json_t *diagnosis_to_json(const struct diagnosis *diagnosis,
			  const struct device_load *load);

#endif
