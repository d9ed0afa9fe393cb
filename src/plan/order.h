/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which writes come first, and which undo others.
 */
#ifndef IOSCHED_PLAN_ORDER_H
#define IOSCHED_PLAN_ORDER_H

#include <stdbool.h>

#include "tunable/tunable.h"

/* Below, equal, above zero: whether a has to be written before b. Equal keeps the order
   of the catalogue. */
int plan_compare_order(const struct tunable *a, const struct tunable *b);

/* True when writing `first` may change `then`. */
bool plan_is_disturbed(const struct tunable *first, const struct tunable *then);

#endif
