// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One device in full, as text.
 */
#include "report/show.h"

#include <errno.h>
#include <string.h>

#include "report/cell.h"
#include "sysfs/paths.h"
#include "util/i18n.h"
#include "util/number.h"
#include "util/wrap.h"

/* Column where the value of a field begins. */
#define FIELD_COLUMN 16
#define SECTOR_SIZE  512u

struct printer {
	struct text out;
	size_t width;
	const char *heading; /* of the section, until its first field is there */
};

static void add_heading(struct printer *printer, const char *heading)
{
	printer->heading = heading;
}

/* "  label     value", wrapped; nothing when there is no value. */
static void add_field(struct printer *printer, const char *label, const char *value)
{
	size_t at = 2 + wrap_columns(label) + 1;
	_text_ struct text safe = { 0 };

	if (!value || !*value)
		return;
	if (at < FIELD_COLUMN)
		at = FIELD_COLUMN;
	text_add_safe(&safe, value);
	if (safe.error) {
		printer->out.error = safe.error;
		return;
	}
	if (printer->heading)
		text_addf(&printer->out, "\n%s\n", printer->heading);
	printer->heading = NULL;
	text_addf(&printer->out, "  %s", label);
	wrap_pad(&printer->out, 2 + wrap_columns(label), at);
	wrap_add(&printer->out, safe.data, at, FIELD_COLUMN, printer->width);
	text_add(&printer->out, "\n");
}

static void add_fieldf(struct printer *printer, const char *label, const char *format,
		       ...) _printf_(3, 4);

static void add_fieldf(struct printer *printer, const char *label, const char *format,
		       ...)
{
	char buf[512];
	va_list args;

	va_start(args, format);
	vsnprintf(buf, sizeof(buf), format, args);
	va_end(args);
	add_field(printer, label, buf);
}

static void add_list(struct printer *printer, const char *label, const struct strv *list,
		     const char *separator)
{
	_text_ struct text line = { 0 };

	for (size_t i = 0; i < list->count; i++)
		text_addf(&line, "%s%s", i ? separator : "", list->items[i]);
	if (line.error)
		printer->out.error = line.error;
	else
		add_field(printer, label, line.data);
}

static void add_title(struct printer *printer, const struct show_view *view)
{
	const struct device *device = view->row.device;
	char size[32];

	number_format_bytes(device->size_sectors * SECTOR_SIZE, size, sizeof(size));
	text_add_safe(&printer->out, device->name);
	text_addf(&printer->out, "  %s  %s", device_class_name(device->class), size);
	if (device->vendor && !text_equal(device->transport, "sata")) {
		text_add(&printer->out, "  ");
		text_add_safe(&printer->out, device->vendor);
	}
	if (device->model) {
		text_add(&printer->out, "  ");
		text_add_safe(&printer->out, device->model);
	}
	if (device_has_node(device)) {
		text_addf(&printer->out, "\n  /%s/", PATH_DEV);
		text_add_safe(&printer->out, device->name);
		text_addf(&printer->out, ", %u:%u", device->major, device->minor);
	} else {
		text_addf(&printer->out, "\n  /%s/", PATH_SYS_BLOCK);
		text_add_safe(&printer->out, device->sys_name);
	}
	text_addf(&printer->out, "%s%s%s\n",
		  device->is_read_only ? _(", read-only") : "",
		  device->is_removable ? _(", removable") : "",
		  device->is_hidden ? _(", hidden") : "");
}

static void add_class(struct printer *printer, const struct device *device)
{
	add_heading(printer, _("Class"));
	add_fieldf(printer, _("class"), "%s: %s (%s)", device_class_name(device->class),
		   _(device_class_summary(device->class)),
		   _(device_confidence_name(device->confidence)));
	for (size_t i = 0; i < device->evidence.count; i++)
		add_field(printer, i ? "" : _("evidence"), device->evidence.items[i]);
	add_field(printer, _("set by"), device->override_source);
}

static void add_identity(struct printer *printer, const struct device *device)
{
	add_heading(printer, _("Identity"));
	add_field(printer, _("transport"), device->transport);
	add_field(printer, _("driver"), device->driver);
	add_field(printer, _("vendor"), device->vendor);
	add_field(printer, _("model"), device->model);
	add_field(printer, _("revision"), device->revision);
	add_field(printer, _("serial"), device->serial);
	add_field(printer, _("wwn"), device->wwn);
	add_field(printer, _("dm name"), device->dm_name);
	add_field(printer, _("dm uuid"), device->dm_uuid);
	add_field(printer, _("md level"), device->md_level);
	add_field(printer, _("file"), device->loop_file);
	for (size_t i = 0; i < device->devlinks.count; i++)
		add_field(printer, i ? "" : _("links"), device->devlinks.items[i]);
}

static void add_stack(struct printer *printer, const struct device *device)
{
	_text_ struct text owners = { 0 };

	add_heading(printer, _("Stack"));
	add_list(printer, _("above"), &device->holders, ", ");
	add_list(printer, _("below"), &device->slaves, ", ");
	add_list(printer, _("paths"), &device->paths, ", ");
	add_field(printer, _("path of"), device->head);
	switch (device->level) {
	case LEVEL_OWN:
		add_field(printer, _("policy"), _("written to the queue of this device"));
		break;
	case LEVEL_BELOW:
		for (size_t i = 0; i < device->owners.count; i++)
			text_addf(&owners, "%s%s", i ? ", " : "",
				  device->owners.items[i]);
		add_fieldf(
			printer, _("policy"),
			_("no scheduler at this level: written to the queues below, %s"),
			owners.data ? owners.data : "-");
		break;
	case LEVEL_NONE:
		add_field(printer, _("policy"),
			  _("there is no scheduler, here or below: nothing to write"));
		break;
	}
	if (owners.error)
		printer->out.error = owners.error;
}

static void add_use(struct printer *printer, const struct device *device)
{
	const struct device_content *content = &device->content;

	add_heading(printer, _("Content"));
	add_field(printer, _("partitions"), content->table_type);
	add_field(printer, _("file system"), content->fs_type);
	for (size_t i = 0; i < device->mount_count; i++) {
		const struct device_mount *mount = &device->mounts[i];

		if (mount->target)
			add_fieldf(printer, i ? "" : _("mounted"), "%s (%s %s, %s)",
				   mount->target, mount->source_name,
				   mount->fstype ? mount->fstype : "-",
				   mount->options ? mount->options : "-");
		else
			add_fieldf(printer, i ? "" : _("mounted"), _("swap (%s)"),
				   mount->source_name);
	}
}

static const char *queue_in_words(enum queue_kind kind)
{
	switch (kind) {
	case QUEUE_MQ:
		return _("multi-queue (blk-mq)");
	case QUEUE_LEGACY:
		return _("single-queue, the legacy path of kernels before 5.0");
	case QUEUE_BIO:
		break;
	}
	return _("bio-based: requests are passed on, not queued");
}

static void add_queue(struct printer *printer, const struct device *device)
{
	_text_ struct text cpus = { 0 }, requests = { 0 };

	add_heading(printer, _("Queue"));
	add_field(printer, _("kind"), queue_in_words(device->queue_kind));
	if (device->hw_queues)
		add_fieldf(printer, _("hardware"),
			   P_("%zu hardware queue", "%zu hardware queues",
			      device->hw_queues),
			   device->hw_queues);
	for (size_t i = 0; i < device->hw_queue_cpus.count; i++)
		text_addf(&cpus, "%s%zu: %s", i ? "; " : "", i,
			  device->hw_queue_cpus.items[i]);
	if (cpus.error)
		printer->out.error = cpus.error;
	else
		add_field(printer, _("CPUs"), cpus.data);
	add_fieldf(printer, _("in flight"), _("%llu reads, %llu writes"),
		   (unsigned long long)device->inflight_reads,
		   (unsigned long long)device->inflight_writes);
	if (show_explain_requests(device, &requests))
		printer->out.error = requests.error;
	else
		add_field(printer, _("requests"), requests.data);
}

static void add_schedulers(struct printer *printer, const struct show_view *view)
{
	struct show_scheduler schedulers[SHOW_SCHEDULER_MAX];
	size_t count = show_collect_schedulers(view, schedulers);

	add_heading(printer, _("Schedulers"));
	for (size_t i = 0; i < count; i++) {
		const struct scheduler *scheduler = schedulers[i].scheduler;
		char label[CHOICE_NAME_MAX + 4];

		snprintf(label, sizeof(label), schedulers[i].is_active ? "[%s]" : "%s",
			 scheduler->name);
		add_fieldf(printer, label, "%s%s", _(scheduler->summary),
			   schedulers[i].is_offered ? ""
						    : _(" (a module, not loaded yet)"));
	}
}

static void add_policy(struct printer *printer, const struct show_view *view)
{
	const struct policy_device *policy = view->row.policy;
	const char *state = column_state(&view->row);

	if (!policy)
		return;
	add_heading(printer, _("Policy"));
	add_field(printer, _("profile"), view->profile_name);
	add_field(printer, _("state"), state ? _(state) : NULL);
	add_field(printer, _("because"), policy->reason);
	if (view->row.plan && !policy->reason)
		add_field(printer, _("because"), view->row.plan->reason);
	for (size_t i = 0; i < policy->rejected_count; i++)
		add_fieldf(printer, i ? "" : _("passed over"), "%s: %s",
			   policy->rejected[i].name, policy->rejected[i].why);
	for (size_t i = 0; i < policy->notes.count; i++)
		add_field(printer, i ? "" : _("note"), policy->notes.items[i]);
	for (size_t i = 0; i < policy->value_count; i++) {
		const struct policy_value *value = &policy->values[i];
		char text[TUNABLE_VALUE_MAX + 16];

		cell_format_attribute(value->tunable, value->value, text, sizeof(text));
		add_fieldf(printer, _("wanted"), "%s = %s (%s)", value->tunable->key,
			   text,
			   value->source ? value->source
					 : _(policy_origin_name(value->origin)));
		add_field(printer, _("why"), value->why);
	}
}

/* All but the table of attributes. */
static int print_fields(const struct show_view *view, const struct table_style *style)
{
	struct printer printer = { .width = style->width };
	const struct device *device = view->row.device;
	int error;

	add_title(&printer, view);
	add_class(&printer, device);
	add_identity(&printer, device);
	add_stack(&printer, device);
	add_use(&printer, device);
	add_queue(&printer, device);
	add_schedulers(&printer, view);
	add_policy(&printer, view);
	error = printer.out.error;
	if (!error)
		fputs(printer.out.data, stdout);
	text_done(&printer.out);
	return error;
}

static void set_value(struct table *table, size_t column, const struct tunable *tunable,
		      const char *text, enum table_mood mood)
{
	char buf[TUNABLE_VALUE_MAX + 16];

	if (!text) {
		table_set(table, column, "-", MOOD_PLAIN);
		return;
	}
	cell_format_attribute(tunable, text, buf, sizeof(buf));
	table_set(table, column, buf, mood);
}

/* Columns: a description has nothing that is wanted of it. */
static void add_columns(struct table *table, bool is_policy)
{
	table_add_column(table, _("ATTRIBUTE"), TABLE_LEFT);
	table_add_column(table, _("NOW"), TABLE_LEFT);
	if (is_policy) {
		table_add_column(table, _("WANTED"), TABLE_LEFT);
		table_add_column(table, _("DEFAULT"), TABLE_LEFT);
	}
	table_add_column(table, _("MEANING"), TABLE_WRAP);
}

static void add_attribute(struct table *table, const struct show_attribute *attribute)
{
	const struct tunable *tunable = attribute->tunable;
	const char *now =
		attribute->now && !attribute->now->error ? attribute->now->text : NULL;
	const char *wanted = attribute->wanted ? attribute->wanted->value : NULL;
	bool is_right = wanted && now && tunable_is_equal(tunable, wanted, now);
	enum table_mood mood = !wanted ? MOOD_PLAIN : is_right ? MOOD_GOOD : MOOD_NOTICE;

	table_add_row(table, TABLE_NO_PARENT);
	table_set(table, 0, tunable->key, MOOD_PLAIN);
	if (attribute->now && attribute->now->error)
		table_set(table, 1, strerror(-attribute->now->error), MOOD_BAD);
	else
		set_value(table, 1, tunable, now, MOOD_PLAIN);
	if (tunable->is_policy) {
		set_value(table, 2, tunable, wanted, mood);
		set_value(table, 3, tunable, tunable->initial, MOOD_PLAIN);
	}
	table_set(table, tunable->is_policy ? 4 : 2, _(tunable->help), MOOD_PLAIN);
}

static int print_attributes(const struct show_view *view, const struct table_style *style,
			    bool is_policy)
{
	_cleanup_(cleanup_table_free) struct table *table = NULL;
	struct show_attribute attributes[SHOW_ATTRIBUTE_MAX];
	size_t count = show_collect_attributes(view, attributes), shown = 0;
	int error = table_new(style, &table);

	if (error)
		return error;
	add_columns(table, is_policy);
	for (size_t i = 0; i < count; i++) {
		if (attributes[i].tunable->is_policy != is_policy)
			continue;
		add_attribute(table, &attributes[i]);
		shown++;
	}
	if (!shown)
		return 0;
	printf("\n%s\n", is_policy ? _("Attributes that a profile can set")
				   : _("Attributes that only describe"));
	return table_print(table);
}

int show_print(const struct show_view *view, const struct table_style *style)
{
	int error = print_fields(view, style);

	if (!error)
		error = print_attributes(view, style, true);
	if (!error)
		error = print_attributes(view, style, false);
	return error;
}
