// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What disks are doing, for people and for programs.
 */
#include "report/watch.h"

#include "util/i18n.h"
#include "util/json-build.h"

static const char *scheduler_of(const struct device *device)
{
	const char *active = choice_active(&device->scheduler);

	return active ? active : "-";
}

static void set_number(struct table *table, size_t column, const struct watch_row *row,
		       double value, unsigned digits)
{
	char text[32];

	snprintf(text, sizeof(text), "%.*f", (int)digits, value);
	table_set(table, column, row->has_load ? text : "-", MOOD_PLAIN);
}

static void add_row(struct table *table, const struct watch_row *row)
{
	const struct device_load *load = &row->load;
	size_t column = 0;

	table_add_row(table, TABLE_NO_PARENT);
	table_set(table, column++, row->device->name, MOOD_PLAIN);
	table_set(table, column++, device_class_name(row->device->class), MOOD_PLAIN);
	table_set(table, column++, scheduler_of(row->device), MOOD_PLAIN);
	set_number(table, column++, row, load->read.requests_s, 0);
	set_number(table, column++, row, load->read.kib_s, 0);
	set_number(table, column++, row, load->read.await_ms, 2);
	set_number(table, column++, row, load->write.requests_s, 0);
	set_number(table, column++, row, load->write.kib_s, 0);
	set_number(table, column++, row, load->write.await_ms, 2);
	set_number(table, column++, row, load->queue, 2);
	set_number(table, column, row, load->busy_percent, 0);
}

int watch_print(const struct watch_row *rows, size_t count,
		const struct table_style *style)
{
	/* As iostat calls them, so that nobody has to learn new ones. */
	static const char *const numbers[] = {
		"r/s", "rKiB/s", "r_await", "w/s", "wKiB/s", "w_await", "aqu-sz", "%util",
	};
	_cleanup_(cleanup_table_free) struct table *table = NULL;
	int error = table_new(style, &table);

	if (error)
		return error;
	table_add_column(table, _("NAME"), TABLE_LEFT);
	table_add_column(table, _("CLASS"), TABLE_LEFT);
	table_add_column(table, _("SCHED"), TABLE_LEFT);
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
		table_add_column(table, numbers[i], TABLE_RIGHT);
	for (size_t i = 0; i < count; i++)
		add_row(table, &rows[i]);
	return table_print(table);
}

static json_t *flow_to_json(const struct device_flow *flow)
{
	json_t *object = json_object();
	int error = 0;

	json_put(object, "requests_per_second", json_real(flow->requests_s), &error);
	json_put(object, "kib_per_second", json_real(flow->kib_s), &error);
	json_put(object, "size_kib", json_real(flow->size_kib), &error);
	json_put(object, "merged_percent", json_real(flow->merged_percent), &error);
	json_put(object, "await_ms", json_real(flow->await_ms), &error);
	return json_finish(object, error);
}

json_t *load_to_json(const struct device_load *load)
{
	json_t *object;
	int error = 0;

	if (!load)
		return json_null();
	object = json_object();
	json_put(object, "seconds", json_real(load->seconds), &error);
	json_put(object, "since_boot", json_boolean(load->is_since_boot), &error);
	json_put(object, "read", flow_to_json(&load->read), &error);
	json_put(object, "write", flow_to_json(&load->write), &error);
	json_put(object, "discard", flow_to_json(&load->discard), &error);
	json_put(object, "flush", flow_to_json(&load->flush), &error);
	json_put(object, "queue", json_real(load->queue), &error);
	json_put(object, "busy_percent", json_real(load->busy_percent), &error);
	json_put(object, "in_flight", json_integer((json_int_t)load->in_flight), &error);
	return json_finish(object, error);
}

json_t *watch_to_json(const struct watch_row *rows, size_t count)
{
	json_t *list = json_array();
	int error = 0;

	for (size_t i = 0; i < count; i++) {
		const struct device *device = rows[i].device;
		json_t *object = json_object();

		json_put(object, "name", json_text(device->name), &error);
		json_put(object, "class", json_text(device_class_name(device->class)),
			 &error);
		json_put(object, "sched", json_text(choice_active(&device->scheduler)),
			 &error);
		json_put(object, "load",
			 load_to_json(rows[i].has_load ? &rows[i].load : NULL), &error);
		json_push(list, object, &error);
	}
	return json_finish(list, error);
}
