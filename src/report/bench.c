// SPDX-License-Identifier: GPL-2.0-or-later
/* A measurement as text and JSON. */
#include "report/bench.h"

#include <errno.h>
#include <math.h>

#include "report/cell.h"
#include "util/i18n.h"
#include "util/json-build.h"
#include "util/number.h"

static const char *const target_names[] = {
	[BENCH_READS] = "read-only", [BENCH_FILE] = "file", [BENCH_DEVICE] = "device",
};

static void add_target(const struct bench_report *report, struct text *out)
{
	char size[32];

	switch (report->target) {
	case BENCH_READS:
		text_add(out, _(", read-only"));
		break;
	case BENCH_FILE:
		number_format_bytes(report->size_bytes, size, sizeof(size));
		text_addf(out, _(", in a file of %s"), size);
		break;
	case BENCH_DEVICE:
		text_add(out, _(", written to"));
		break;
	}
}

void bench_report_add_subject(const struct bench_report *report, struct text *out)
{
	const struct bench *bench = report->bench;

	text_add_safe(out, bench->workload->name);
	text_add(out, _(" on "));
	text_add_safe(out, bench->device->name);
	text_addf(out, " (%s)", device_class_name(bench->device->class));
	add_target(report, out);
	text_addf(out, P_(", %u round of %g s", ", %u rounds of %g s", bench->rounds),
		  bench->rounds, (double)bench->terms.runtime_ns / 1e9);
	if (bench->terms.warmup_ns)
		text_addf(out, _(" after %g s"), (double)bench->terms.warmup_ns / 1e9);
	if (bench->terms.cpus)
		text_addf(out, _(", on processors %s"), bench->terms.cpus);
}

/* --- side by side --------------------------------------------------------------------- */

/* The figures that a choice is made by. */
static const struct experiment_choice usual_rows[] = {
	{ .is_total = true, .total = TOTAL_IOPS },
	{ .is_total = true, .total = TOTAL_BYTES },
	{ .dir = SIM_DIR_READ, .figure = FIGURE_MEAN },
	{ .dir = SIM_DIR_READ, .figure = FIGURE_P99 },
	{ .dir = SIM_DIR_WRITE, .figure = FIGURE_MEAN },
	{ .dir = SIM_DIR_WRITE, .figure = FIGURE_P99 },
	{ .is_flush = true, .figure = FIGURE_MEAN },
	{ .is_flush = true, .figure = FIGURE_P99 },
};

/* A call of dd's is one I/O to fio; to the device, and in the simulation, it is many. */
static const struct experiment_choice dd_rows[] = {
	{ .dir = SIM_DIR_READ, .figure = FIGURE_BYTES },
	{ .dir = SIM_DIR_WRITE, .figure = FIGURE_BYTES },
};

static const struct experiment_choice *choose_rows(const struct bench *bench, size_t *ret_count)
{
	bool is_dd = bench_is_dd(bench);

	*ret_count = is_dd ? ARRAY_SIZE(dd_rows) : ARRAY_SIZE(usual_rows);
	return is_dd ? dd_rows : usual_rows;
}

static struct estimate value_of(const struct comparison *comparison,
				const struct experiment_choice *row, size_t column)
{
	return experiment_value(&comparison->outcomes[column], row);
}

static double ratio(const struct estimate *a, const struct estimate *b)
{
	return a->count && b->count && b->mean > 0 ? a->mean / b->mean : NAN;
}

static void set_ratio(struct table *table, size_t column, double value)
{
	char buf[32] = "-";

	if (isfinite(value))
		snprintf(buf, sizeof(buf), "%.2f", value);
	table_set(table, column, buf, MOOD_PLAIN);
}

static void set_value(struct table *table, size_t column, const struct experiment_choice *row,
		      const struct estimate *value)
{
	const struct figure_format *format = figure_format_of(row);
	char buf[32] = "-";

	if (value->count)
		figure_format_number(format, figure_decimals(format, value->mean), value->mean,
				     buf, sizeof(buf));
	table_set(table, column, buf, MOOD_PLAIN);
}

/* One scheduler's figure, measured and predicted. */
struct pair {
	struct estimate here, there;
	double here_ratio, there_ratio; /* NAN: not known */
};

static struct pair find_pair(const struct bench_report *report,
			     const struct experiment_choice *row, size_t column)
{
	const struct comparison *measured = report->measured, *predicted = report->predicted;
	size_t reference = (size_t)measured->reference;
	struct estimate here_base = value_of(measured, row, reference);
	struct estimate there_base = value_of(predicted, row, reference);
	struct pair pair = { .here = value_of(measured, row, column),
			     .there = value_of(predicted, row, column) };

	pair.here_ratio = ratio(&pair.here, &here_base);
	pair.there_ratio = ratio(&pair.there, &there_base);
	return pair;
}

static void add_row(const struct bench_report *report, struct table *table,
		    const struct experiment_choice *row, size_t column)
{
	struct pair pair = find_pair(report, row, column);

	if (!pair.here.count)
		return;
	table_add_row(table, TABLE_NO_PARENT);
	table_set(table, 0, _(comparison_stream(row)), MOOD_PLAIN);
	table_set(table, 1, _(figure_format_of(row)->label), MOOD_PLAIN);
	table_set(table, 2, report->measured->columns[column].title, MOOD_PLAIN);
	set_value(table, 3, row, &pair.here);
	set_value(table, 4, row, &pair.there);
	set_ratio(table, 5, pair.here_ratio);
	set_ratio(table, 6, pair.there_ratio);
}

static int print_side_by_side(const struct bench_report *report,
			      const struct table_style *style)
{
	_cleanup_(cleanup_table_free) struct table *table = NULL;
	const struct experiment_choice *rows;
	_text_ struct text medium = { 0 };
	int error = table_new(style, &table);
	size_t count;

	/* Its file may call it anything. */
	text_add_safe(&medium, report->medium);
	if (error || medium.error)
		return error ? error : medium.error;
	printf(_("\nMeasured, and predicted for %s; ratios to %s:\n\n"),
	       medium.data ? medium.data : "",
	       report->measured->columns[report->measured->reference].title);
	table_add_column(table, _("DIR"), TABLE_LEFT);
	table_add_column(table, _("FIGURE"), TABLE_LEFT);
	table_add_column(table, _("SCHEDULER"), TABLE_LEFT);
	table_add_column(table, _("MEASURED"), TABLE_RIGHT);
	table_add_column(table, _("PREDICTED"), TABLE_RIGHT);
	table_add_column(table, _("RATIO"), TABLE_RIGHT);
	table_add_column(table, _("PREDICTED-RATIO"), TABLE_RIGHT);
	rows = choose_rows(report->bench, &count);
	for (size_t row = 0; row < count; row++) {
		for (size_t i = 0; i < report->measured->count; i++)
			add_row(report, table, &rows[row], i);
	}
	return table_print(table);
}

/* --- is there a difference at all? -------------------------------------------------- */

static void say_no_difference(const struct comparison *comparison)
{
	const struct objective *objective = comparison->objective;
	struct estimate best;

	if (comparison->best < 0 || comparison->count < 2)
		return;
	best = objective_value(objective, &comparison->outcomes[comparison->best]);
	for (size_t i = 0; i < comparison->count; i++) {
		struct estimate value = objective_value(objective, &comparison->outcomes[i]);

		if (!estimate_is_same(&value, &best))
			return;
	}
	printf(_("No significant difference between them by %s.\n"), objective->name);
}

/* --- text ------------------------------------------------------------------------------- */

static int print_list(const char *heading, const struct strv *list)
{
	_text_ struct text text = { 0 };

	if (!list->count)
		return 0;
	text_addf(&text, "\n%s\n", heading);
	for (size_t i = 0; i < list->count; i++) {
		text_add(&text, "  ");
		text_add_safe(&text, list->items[i]);
		text_add(&text, "\n");
	}
	if (text.error)
		return text.error;
	fputs(text.data, stdout);
	return 0;
}

int bench_report_print(const struct bench_report *report, const struct table_style *style)
{
	_text_ struct text subject = { 0 };
	_strv_ struct strv spoilers = { 0 };
	int error;

	bench_report_add_subject(report, &subject);
	if (subject.error)
		return subject.error;
	printf("%s\n\n", subject.data);
	error = comparison_print(report->measured, style);
	if (!error)
		say_no_difference(report->measured);
	if (!error && report->predicted)
		error = print_side_by_side(report, style);
	if (!error)
		error = print_list(_("fio does it a little differently:"),
				   &report->result->notes);
	if (!error)
		error = conditions_list(report->conditions, &spoilers);
	return error ? error : print_list(_("May have spoiled it:"), &spoilers);
}

/* --- JSON --------------------------------------------------------------------------------- */

static json_t *subject_to_json(const struct bench_report *report)
{
	const struct bench *bench = report->bench;
	json_t *object = json_object();
	int error = 0;

	json_put(object, "device", json_text(bench->device->name), &error);
	json_put(object, "class", json_string(device_class_name(bench->device->class)), &error);
	json_put(object, "workload", json_text(bench->workload->name), &error);
	json_put(object, "target", json_string(target_names[report->target]), &error);
	json_put(object, "size_bytes", json_integer((json_int_t)report->size_bytes), &error);
	json_put(object, "rounds", json_integer(bench->rounds), &error);
	json_put(object, "runtime_ns", json_integer((json_int_t)bench->terms.runtime_ns),
		 &error);
	json_put(object, "warmup_ns", json_integer((json_int_t)bench->terms.warmup_ns), &error);
	json_put(object, "cpus",
		 bench->terms.cpus ? json_text(bench->terms.cpus) : json_null(), &error);
	json_put(object, "fio", json_text(report->result->fio_version), &error);
	json_put(object, "scheduler_before", json_text(report->original), &error);
	json_put(object, "seconds", json_real(report->result->seconds), &error);
	json_put(object, "notes", json_text_array(&report->result->notes), &error);
	return json_finish(object, error);
}

static json_t *conditions_to_json(const struct conditions *conditions)
{
	json_t *object = json_object();
	_strv_ struct strv spoilers = { 0 };
	int error = conditions_list(conditions, &spoilers);

	json_put(object, "irqbalance", json_boolean(conditions->has_irqbalance), &error);
	json_put(object, "governor",
		 conditions->governor[0] ? json_text(conditions->governor) : json_null(), &error);
	json_put(object, "load_average",
		 conditions->load_average >= 0 ? json_real(conditions->load_average)
					       : json_null(),
		 &error);
	json_put(object, "other_requests_per_second",
		 conditions->has_other ? json_real(conditions->other.read.requests_s +
						   conditions->other.write.requests_s)
				       : json_null(),
		 &error);
	json_put(object, "virtualisation",
		 conditions->virtualisation[0] ? json_text(conditions->virtualisation)
					       : json_null(),
		 &error);
	json_put(object, "spoilers", json_text_array(&spoilers), &error);
	return json_finish(object, error);
}

static json_t *real_or_null(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

static json_t *pair_to_json(const struct bench_report *report,
			    const struct experiment_choice *row, size_t column,
			    const struct pair *pair)
{
	json_t *object = json_object();
	int error = 0;

	json_put(object, "direction",
		 row->is_total ? json_null() : json_string(comparison_stream(row)), &error);
	json_put(object, "figure", json_string(figure_format_of(row)->key), &error);
	json_put(object, "scheduler", json_text(report->measured->columns[column].title),
		 &error);
	json_put(object, "measured", json_real(pair->here.mean), &error);
	json_put(object, "predicted", real_or_null(pair->there.count ? pair->there.mean : NAN),
		 &error);
	json_put(object, "ratio", real_or_null(pair->here_ratio), &error);
	json_put(object, "predicted_ratio", real_or_null(pair->there_ratio), &error);
	return json_finish(object, error);
}

/* The rows that stand beside each other. */
static json_t *pairs_to_json(const struct bench_report *report)
{
	json_t *array = json_array();
	size_t count;
	const struct experiment_choice *rows = choose_rows(report->bench, &count);
	int error = 0;

	for (size_t row = 0; row < count; row++) {
		for (size_t i = 0; i < report->measured->count; i++) {
			struct pair pair = find_pair(report, &rows[row], i);

			if (pair.here.count)
				json_push(array, pair_to_json(report, &rows[row], i, &pair), &error);
		}
	}
	return json_finish(array, error);
}

int bench_report_to_json(const struct bench_report *report, json_t *root)
{
	json_t *predicted;
	int error = 0;

	json_put(root, "measurement", subject_to_json(report), &error);
	json_put(root, "conditions", conditions_to_json(report->conditions), &error);
	if (!error)
		error = comparison_to_json(report->measured, root);
	if (!report->predicted || error)
		return error;
	predicted = json_object();
	json_put(predicted, "medium", json_text(report->medium), &error);
	if (!error)
		error = comparison_to_json(report->predicted, predicted);
	json_put(predicted, "beside", pairs_to_json(report), &error);
	json_put(root, "prediction", predicted, &error);
	return error;
}
