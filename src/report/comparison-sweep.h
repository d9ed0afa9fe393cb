/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A sweep as a table: one row a point, the objective first, the best marked. */
#ifndef IOSCHED_REPORT_COMPARISON_SWEEP_H
#define IOSCHED_REPORT_COMPARISON_SWEEP_H

#include "report/comparison.h"

int sweep_print(const struct comparison *comparison, const struct table_style *style);

#endif
