// SPDX-License-Identifier: GPL-2.0-or-later
/* Published measurements beside simulated ones. */
#include "report/published.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/json.h"
#include "util/i18n.h"
#include "util/json-build.h"
#include "util/text.h"

/* Tables whose ratios are held to the bar; the others fit no one load. */
#define HELD "ABDF"

/* Of a title, a source or a remark, in bytes; more is cut off. */
#define TEXT_MAX 1000

#define ERROR_GOOD 0.05
#define ERROR_BAD  0.15

struct summary {
	double *errors;
	size_t count, room;
	size_t rows, ordered;
};

static double error_of(const struct published_row *row, size_t scheduler)
{
	return published_simulated_ratio(row, scheduler) /
		       published_measured_ratio(row, scheduler) -
	       1;
}

static bool has_ratio(const struct published_row *row, size_t scheduler)
{
	if (scheduler == 0 || row->is_order_only)
		return false;
	return row->values[scheduler].is_given && row->values[0].is_given;
}

static int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static int add_error(struct summary *summary, double error)
{
	if (summary->count == summary->room) {
		size_t room = summary->room ? 2 * summary->room : 64;
		double *errors = reallocarray(summary->errors, room, sizeof(errors[0]));

		if (!errors)
			return -ENOMEM;
		summary->errors = errors;
		summary->room = room;
	}
	summary->errors[summary->count++] = fabs(error);
	return 0;
}

/* Which experiments count in a sum. */
enum sum { SUM_HELD, SUM_ALL, SUM_OWN };

static bool is_counted(const struct published *published, enum sum sum)
{
	if (published->is_own || sum == SUM_OWN)
		return published->is_own && sum == SUM_OWN;
	return sum == SUM_ALL || strchr(HELD, published->table[0]);
}

/* The errors are sorted. */
static int sum_up(const struct published *list, size_t count, enum sum sum,
		  struct summary *ret)
{
	int error = 0;

	for (size_t i = 0; i < count; i++) {
		const struct published *p = &list[i];

		if (!is_counted(p, sum))
			continue;
		for (size_t k = 0; k < p->row_count; k++) {
			ret->rows++;
			ret->ordered += published_is_ordered(&p->rows[k]);
			for (size_t s = 1; s < p->scheduler_count && !error; s++)
				if (has_ratio(&p->rows[k], s))
					error = add_error(ret, error_of(&p->rows[k], s));
		}
	}
	if (ret->count)
		qsort(ret->errors, ret->count, sizeof(ret->errors[0]), compare_doubles);
	return error;
}

static double median_of(const struct summary *summary)
{
	size_t middle = summary->count / 2;

	if (!summary->count)
		return 0;
	if (summary->count % 2)
		return summary->errors[middle];
	return (summary->errors[middle - 1] + summary->errors[middle]) / 2;
}

static size_t within(const struct summary *summary, double limit)
{
	size_t count = 0;

	while (count < summary->count && summary->errors[count] <= limit)
		count++;
	return count;
}

/* --- text -------------------------------------------------------------------------------- */

static enum table_mood mood_of(double error)
{
	if (fabs(error) <= ERROR_GOOD)
		return MOOD_GOOD;
	return fabs(error) <= ERROR_BAD ? MOOD_NOTICE : MOOD_BAD;
}

static void add_lines(struct table *table, const struct published *p,
		      const struct published_row *row)
{
	char figure[64], buf[32];

	snprintf(figure, sizeof(figure), "%s%s%s", row->job, row->job[0] ? " " : "",
		 published_figure_name(row->figure));
	for (size_t s = 1; s < p->scheduler_count; s++) {
		bool is_ordered = published_is_ordered(row);

		if (!row->values[s].is_given)
			continue;
		table_add_row(table, TABLE_NO_PARENT);
		table_set(table, 0, p->experiment, MOOD_PLAIN);
		table_set(table, 1, figure, MOOD_PLAIN);
		snprintf(buf, sizeof(buf), "%s/%s", p->schedulers[s], p->schedulers[0]);
		table_set(table, 2, buf, MOOD_PLAIN);
		if (has_ratio(row, s)) {
			snprintf(buf, sizeof(buf), "%.3f",
				 published_measured_ratio(row, s));
			table_set(table, 3, buf, MOOD_PLAIN);
		}
		snprintf(buf, sizeof(buf), "%.3f", published_simulated_ratio(row, s));
		table_set(table, 4, buf, MOOD_PLAIN);
		if (has_ratio(row, s)) {
			snprintf(buf, sizeof(buf), "%+.1f %%", 100 * error_of(row, s));
			table_set(table, 5, buf, mood_of(error_of(row, s)));
		}
		table_set(table, 6, is_ordered ? _("right") : _("wrong"),
			  is_ordered ? MOOD_GOOD : MOOD_BAD);
	}
}

static void print_summary(const char *title, const struct summary *summary)
{
	printf(_("%s: %zu ratios, median error %.1f %%, %zu (%.1f %%) within 15 %%; "
		 "order right in %zu of %zu rows\n"),
	       title, summary->count, 100 * median_of(summary),
	       within(summary, ERROR_BAD),
	       summary->count ? 100.0 * (double)within(summary, ERROR_BAD) /
					(double)summary->count
			      : 0.0,
	       summary->ordered, summary->rows);
}

static int print_summaries(const struct published *list, size_t count)
{
	static const char *const titles[] = {
		[SUM_HELD] = N_("Tables A, B, D and F"),
		[SUM_ALL] = N_("All tables"),
		[SUM_OWN] = N_("Your own"),
	};
	size_t own = 0;
	int error = 0;

	for (size_t i = 0; i < count; i++)
		own += list[i].is_own;
	for (enum sum sum = SUM_HELD; sum <= SUM_OWN && !error; sum++) {
		struct summary summary = { 0 };

		if (sum == SUM_OWN ? !own : count && own == count)
			continue;
		error = sum_up(list, count, sum, &summary);
		if (!error)
			print_summary(_(titles[sum]), &summary);
		free(summary.errors);
	}
	return error;
}

/* What a file says is printed as text, whatever it holds. */
static void print_text(const char *format, const char *string)
{
	char safe[TEXT_MAX];

	text_escape_terminal(string, safe, sizeof(safe));
	printf(format, safe);
}

static void print_sources(const struct published *list, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		print_text("%-4s ", list[i].experiment);
		print_text("%s\n", list[i].title);
		print_text("     %s\n", list[i].source);
		if (list[i].remark)
			print_text("     %s\n", list[i].remark);
		if (list[i].contradicts)
			print_text(_("     contradicts %s\n"), list[i].contradicts);
	}
}

int published_print(const struct published *list, size_t count,
		    const struct table_style *style)
{
	static const struct {
		const char *title;
		enum table_align align;
	} columns[] = {
		{ N_("NAME"), TABLE_LEFT },       { N_("FIGURE"), TABLE_LEFT },
		{ N_("RATIO"), TABLE_LEFT },      { N_("MEASURED"), TABLE_RIGHT },
		{ N_("SIMULATED"), TABLE_RIGHT }, { N_("ERROR"), TABLE_RIGHT },
		{ N_("ORDER"), TABLE_LEFT },
	};
	_cleanup_(cleanup_table_free) struct table *table = NULL;
	int error = table_new(style, &table);

	if (error)
		return error;
	for (size_t i = 0; i < ARRAY_SIZE(columns); i++)
		table_add_column(table, _(columns[i].title), columns[i].align);
	for (size_t i = 0; i < count; i++) {
		for (size_t k = 0; k < list[i].row_count; k++)
			add_lines(table, &list[i], &list[i].rows[k]);
	}
	error = table_print(table);
	if (error)
		return error;
	printf("\n");
	error = print_summaries(list, count);
	printf("\n");
	print_sources(list, count);
	return error;
}

/* --- JSON -------------------------------------------------------------------------------- */

static json_t *value_to_json(const struct published *p, const struct published_row *row,
			     size_t s)
{
	json_t *object = json_object();
	int error = 0;

	json_put(object, "scheduler", json_string(p->schedulers[s]), &error);
	if (!row->is_order_only)
		json_put(object, "measured", json_real(row->values[s].measured), &error);
	json_put(object, "simulated", json_real(row->values[s].simulated), &error);
	if (has_ratio(row, s)) {
		json_put(object, "measured_ratio",
			 json_real(published_measured_ratio(row, s)), &error);
		json_put(object, "simulated_ratio",
			 json_real(published_simulated_ratio(row, s)), &error);
		json_put(object, "error", json_real(error_of(row, s)), &error);
	}
	return json_finish(object, error);
}

static json_t *row_to_json(const struct published *p, const struct published_row *row)
{
	json_t *object = json_object(), *values = json_array();
	int error = 0;

	json_put(object, "figure", json_string(published_figure_name(row->figure)),
		 &error);
	if (row->job[0])
		json_put(object, "job", json_string(row->job), &error);
	json_put(object, "order_is_right", json_boolean(published_is_ordered(row)),
		 &error);
	for (size_t s = 0; s < p->scheduler_count; s++)
		if (row->values[s].is_given)
			json_push(values, value_to_json(p, row, s), &error);
	json_put(object, "values", values, &error);
	return json_finish(object, error);
}

static json_t *experiment_to_json(const struct published *p)
{
	json_t *object = json_object(), *rows = json_array();
	int error = 0;

	json_put(object, "experiment", json_string(p->experiment), &error);
	json_put(object, "table", json_string(p->table), &error);
	json_put(object, "is_own", json_boolean(p->is_own), &error);
	json_put(object, "title", json_string(p->title), &error);
	json_put(object, "source", json_string(p->source), &error);
	if (p->remark)
		json_put(object, "remark", json_string(p->remark), &error);
	if (p->contradicts)
		json_put(object, "contradicts", json_string(p->contradicts), &error);
	for (size_t k = 0; k < p->row_count; k++)
		json_push(rows, row_to_json(p, &p->rows[k]), &error);
	json_put(object, "rows", rows, &error);
	return json_finish(object, error);
}

static json_t *summary_to_json(const struct published *list, size_t count,
			       enum sum sum, int *error)
{
	struct summary summary = { 0 };
	json_t *object = json_object();

	if (!*error)
		*error = sum_up(list, count, sum, &summary);
	json_put(object, "ratios", json_integer((json_int_t)summary.count), error);
	json_put(object, "median_error", json_real(median_of(&summary)), error);
	json_put(object, "within_15_percent",
		 json_integer((json_int_t)within(&summary, ERROR_BAD)), error);
	json_put(object, "rows", json_integer((json_int_t)summary.rows), error);
	json_put(object, "rows_in_order", json_integer((json_int_t)summary.ordered),
		 error);
	free(summary.errors);
	return object;
}

int published_to_json(const struct published *list, size_t count, json_t *root)
{
	json_t *array = json_array();
	int error = 0;

	for (size_t i = 0; i < count; i++)
		json_push(array, experiment_to_json(&list[i]), &error);
	json_put(root, "experiments", array, &error);
	json_put(root, "held", summary_to_json(list, count, SUM_HELD, &error), &error);
	json_put(root, "all", summary_to_json(list, count, SUM_ALL, &error), &error);
	json_put(root, "own", summary_to_json(list, count, SUM_OWN, &error), &error);
	return error;
}
