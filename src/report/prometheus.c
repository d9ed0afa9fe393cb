// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The status as metrics. Source: the Prometheus text exposition format 0.0.4 (escaping of
 * labels, HELP and TYPE before the samples, one group of lines a metric).
 */
#include "report/prometheus.h"

#include <string.h>


static void add_label(struct text *out, const char *name, const char *value, bool is_first)
{
	_text_ struct text safe = { 0 };

	text_addf(out, "%s%s=\"", is_first ? "" : ",", name);
	text_add_safe(&safe, value); /* what is no UTF-8 would spoil the whole page */
	for (const char *p = safe.data; p && *p; p++) {
		if (*p == '\\' || *p == '"')
			text_add(out, "\\");
		text_add_bytes(out, p, 1);
	}
	text_add(out, "\"");
	if (safe.error)
		out->error = safe.error;
}

static void begin(struct text *out, const char *metric, const char *help)
{
	text_addf(out, "# HELP iosched_tune_%s %s\n# TYPE iosched_tune_%s gauge\n", metric,
		  help, metric);
}

static const char *name_of(const struct column_row *row)
{
	return row->device->name;
}

static int add_info(const struct status_rows *rows, struct text *out)
{
	static const char *const names[] = { "class", "transport", "scheduler", "wanted",
					     "state" };
	struct column_set set;
	struct diag diag = { 0 };
	int error = column_set_parse(PROMETHEUS_COLUMNS, &set, &diag);

	begin(out, "device_info",
	      "What the device is, its scheduler and the one that the profile wants.");
	for (size_t i = 0; i < rows->count && !error; i++) {
		text_add(out, "iosched_tune_device_info{");
		add_label(out, "device", name_of(&rows->items[i]), true);
		for (size_t j = 0; j < ARRAY_SIZE(names); j++) {
			_cell_ struct cell cell = { 0 };
			_text_ struct text value = { 0 };

			column_choice_render(&set.items[j], &rows->items[i], &cell);
			if (cell.kind != CELL_NULL)
				cell_add_text(&cell, true, &value);
			add_label(out, names[j], value.data ? value.data : "", false);
			error = cell.error ? cell.error : value.error;
		}
		text_add(out, "} 1\n");
	}
	return error;
}

static void add_sample(struct text *out, const char *metric, const char *label,
		       const char *value, size_t number)
{
	text_addf(out, "iosched_tune_%s{", metric);
	add_label(out, label, value, true);
	text_addf(out, "} %zu\n", number);
}

/* Devices that the profile sets something of. */
static bool is_compared(const struct column_row *row)
{
	return row->policy && row->policy->state == POLICY_SET;
}

int prometheus_add_status(const struct status_rows *rows, const char *profile,
			  struct text *out)
{
	const struct status_count count = status_count_states(rows);
	int error;

	begin(out, "profile_info", "The profile that the devices are compared with.");
	add_sample(out, "profile_info", "profile", profile, 1);
	begin(out, "devices", "Devices by state.");
	add_sample(out, "devices", "state", "in-force", count.in_force);
	add_sample(out, "devices", "state", "drift", count.drift);
	add_sample(out, "devices", "state", "blocked", count.blocked);
	add_sample(out, "devices", "state", "left-alone", count.left);
	add_sample(out, "devices", "state", "other", count.elsewhere);
	error = add_info(rows, out);
	begin(out, "device_drift",
	      "1 when a value of the device is not what the profile wants.");
	for (size_t i = 0; i < rows->count; i++)
		if (is_compared(&rows->items[i]))
			add_sample(out, "device_drift", "device", name_of(&rows->items[i]),
				   !text_equal(column_state(&rows->items[i]), "in-force"));
	begin(out, "device_pending_writes",
	      "Attributes that apply would write to the device.");
	for (size_t i = 0; i < rows->count; i++)
		if (is_compared(&rows->items[i]) && rows->items[i].plan)
			add_sample(out, "device_pending_writes", "device",
				   name_of(&rows->items[i]),
				   plan_device_count_writes(rows->items[i].plan));
	return error ? error : out->error;
}
