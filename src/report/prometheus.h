/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The status for a Prometheus server, as the textfile collector of its node_exporter
 * reads it.
 */
#ifndef IOSCHED_REPORT_PROMETHEUS_H
#define IOSCHED_REPORT_PROMETHEUS_H

#include "report/status.h"
#include "util/text.h"

/* What the rows have to know, for column_set_parse(). */
#define PROMETHEUS_COLUMNS "CLASS,TRANSPORT,SCHED,WANTED,STATE"

/* Appends all metrics. 0; -ENOMEM. */
int prometheus_add_status(const struct status_rows *rows, const char *profile,
			  struct text *out);

#endif
