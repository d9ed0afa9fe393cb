// SPDX-License-Identifier: GPL-2.0-or-later
/* A recommendation as text and JSON. */
#include "report/advice.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/comparison.h"
#include "report/json.h"
#include "util/i18n.h"
#include "util/json-build.h"
#include "util/text.h"

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

static bool is_time(const struct objective *objective)
{
	if (objective->choice.is_total)
		return objective->choice.total == TOTAL_MEAN;
	return objective->choice.figure >= FIGURE_MEAN;
}

/* "12.3 ms", "4521" */
static void format_value(const struct objective *objective, double value, char *buf,
			 size_t size)
{
	const char *unit = "";

	if (is_time(objective))
		unit = " ms";
	else if (objective->choice.is_total && objective->choice.total == TOTAL_BYTES)
		unit = " MB/s";
	if (*unit)
		value /= 1e6;
	/* Three digits, so that points stand below each other; never "1.23e+04". */
	snprintf(buf, size, "%.*f%s",
		 fabs(value) >= 100 ? 0 : fabs(value) >= 10 ? 1 : fabs(value) >= 1 ? 2 : 3, value,
		 unit);
}

static void print_load(const struct advice *advice)
{
	char subject[512];

	/* A medium's file may call it anything. */
	text_escape_terminal(advice->subject, subject, sizeof(subject));
	printf(_("%s: %" PRIu64 " I/Os in %.0f s: %.0f %% reads, %.0f KiB on average, %.0f %% "
		 "random, %.0f %% synchronous\n"),
	       subject, advice->ios, advice->seconds,
	       percent(advice->reads, advice->ios), advice->mean_kib,
	       percent(advice->random, advice->ios), percent(advice->sync, advice->ios));
	printf(_("simulated: %u windows of %" PRIu64 " I/Os, decided by %s\n"),
	       advice->windows, advice->window_ios, _(advice->objective->help));
	if (!advice->was_asked && advice->objective == objective_find("mean"))
		printf(_("(for its P99 a window needs 100 reads, or 100 writes where there are no "
			 "reads)\n"));
	if (advice->now)
		printf(_("compared with what is now: %s\n"), advice->now);
	else
		printf(_("compared with what a kernel takes by itself: %s\n"),
		       advice->lines[advice->reference].title);
	putchar('\n');
}

static int print_lines(const struct advice *advice, const struct table_style *style)
{
	_cleanup_(cleanup_table_free) struct table *table = NULL;
	int error = table_new(style, &table);
	char buf[64];

	if (error)
		return error;
	table_add_column(table, _("CANDIDATE"), TABLE_LEFT);
	table_add_column(table, advice->objective->name, TABLE_RIGHT);
	table_add_column(table, _("GAIN"), TABLE_RIGHT);
	table_add_column(table, _("BETTER-IN"), TABLE_RIGHT);
	table_add_column(table, "", TABLE_LEFT);
	for (size_t i = 0; i < advice->line_count; i++) {
		const struct advice_line *line = &advice->lines[i];
		enum table_mood mood = line->is_best ? MOOD_GOOD : MOOD_PLAIN;

		table_add_row(table, TABLE_NO_PARENT);
		table_set(table, 0, line->title, mood);
		format_value(advice->objective, line->value.mean, buf, sizeof(buf));
		table_set(table, 1, line->value.count ? buf : "-", mood);
		if (!line->is_reference && line->gain.count) {
			/* Of one window nobody knows how sure it is. */
			snprintf(buf, sizeof(buf),
				 line->gain.count > 1 ? "%+.1f %% %s%.1f" : "%+.1f %%",
				 100 * line->gain.mean, figure_plus_minus(),
				 100 * line->gain.margin);
			table_set(table, 2, buf, mood);
			snprintf(buf, sizeof(buf), "%u/%u", line->better_windows,
				 advice->windows);
			table_set(table, 3, buf, mood);
		}
		table_set(table, 4,
			  line->is_reference ? (advice->now ? _("now") : _("default")) :
			  line->is_best	     ? _("best") :
					       "",
			  mood);
	}
	return table_print(table);
}

static void print_verdict(const struct advice *advice)
{
	const struct advice_line *best = &advice->lines[advice->best];
	const struct advice_line *reference = &advice->lines[advice->reference];
	char ours[64], theirs[64];

	format_value(advice->objective, best->value.mean, ours, sizeof(ours));
	format_value(advice->objective, reference->value.mean, theirs, sizeof(theirs));
	if (advice->sureness == ADVICE_NONE) {
		printf(_("\nLeave it: nothing that was tried is better than %s by more than "
			 "chance and 3 %%.\n"), reference->title);
		return;
	}
	printf(_("\nTake %s: %s is %s instead of %s, %.1f %% better (%s%.1f).\n"), best->title,
	       advice->objective->name, ours, theirs, 100 * best->gain.mean,
	       figure_plus_minus(), 100 * best->gain.margin);
	if (advice->sureness == ADVICE_SURE)
		printf(_("Sure: better in all %u windows of the load.\n"), advice->windows);
	else
		printf(_("Likely: better in %u of %u windows, and on the whole beyond "
			 "chance.\n"), best->better_windows, advice->windows);
}

/* By other objectives; those that would leave it come together. */
static void print_others(const struct advice *advice)
{
	unsigned leaving = 0;

	for (size_t i = 0; i < advice->other_count; i++) {
		if (!advice->others[i].is_reference)
			printf(_("With --objective %s it would be %s.\n"),
			       advice->others[i].objective->name, advice->others[i].title);
	}
	for (size_t i = 0; i < advice->other_count; i++) {
		if (advice->others[i].is_reference)
			printf("%s%s", leaving++ ? ", " : _("It would be left as it is with --objective "),
			       advice->others[i].objective->name);
	}
	if (leaving)
		printf(".\n");
	if (advice->was_ended)
		printf(_("Ended early: not all candidates were tried.\n"));
	printf(_("Another load, or a device that the model does not fit, would change it: "
		 "'iosched-tune bench' measures.\n"));
}

int advice_print(const struct advice *advice, const struct table_style *style)
{
	int error;

	print_load(advice);
	error = print_lines(advice, style);
	if (error)
		return error;
	print_verdict(advice);
	print_others(advice);
	return 0;
}

/* --- JSON -------------------------------------------------------------------------------- */

static json_t *estimate_to_json(const struct estimate *estimate)
{
	json_t *object;
	int error = 0;

	if (!estimate->count || !isfinite(estimate->mean))
		return json_null();
	object = json_object();
	json_put(object, "mean", json_real(estimate->mean), &error);
	json_put(object, "margin", json_real(estimate->margin), &error);
	return json_finish(object, error);
}

static json_t *settings_to_json(const struct advice_line *line)
{
	json_t *object = json_object();
	int error = 0;

	for (size_t i = 0; i < line->setting_count; i++)
		json_put(object, line->settings[i].file, json_string(line->settings[i].value),
			 &error);
	return json_finish(object, error);
}

static json_t *line_to_json(const struct advice_line *line)
{
	json_t *object = json_object();
	int error = 0;

	json_put(object, "title", json_string(line->title), &error);
	json_put(object, "scheduler", json_string(line->scheduler), &error);
	json_put(object, "parameters", settings_to_json(line), &error);
	json_put(object, "value", estimate_to_json(&line->value), &error);
	json_put(object, "gain", line->is_reference ? json_null() : estimate_to_json(&line->gain),
		 &error);
	json_put(object, "better_windows", json_integer(line->better_windows), &error);
	json_put(object, "is_reference", json_boolean(line->is_reference), &error);
	json_put(object, "is_best", json_boolean(line->is_best), &error);
	return json_finish(object, error);
}

int advice_to_json(const struct advice *advice, json_t *root)
{
	static const char *const words[] = {
		[ADVICE_SURE] = "sure", [ADVICE_LIKELY] = "likely", [ADVICE_NONE] = "leave-it",
	};
	json_t *load = json_object(), *lines = json_array(), *others = json_object();
	int error = 0;

	json_put(load, "ios", json_integer((json_int_t)advice->ios), &error);
	json_put(load, "reads", json_integer((json_int_t)advice->reads), &error);
	json_put(load, "random", json_integer((json_int_t)advice->random), &error);
	json_put(load, "sync", json_integer((json_int_t)advice->sync), &error);
	json_put(load, "seconds", json_real(advice->seconds), &error);
	json_put(load, "mean_kib", json_real(advice->mean_kib), &error);
	for (size_t i = 0; i < advice->line_count; i++)
		json_push(lines, line_to_json(&advice->lines[i]), &error);
	for (size_t i = 0; i < advice->other_count; i++)
		json_put(others, advice->others[i].objective->name,
			 json_string(advice->others[i].title), &error);
	json_put(root, "subject", json_text(advice->subject), &error);
	json_put(root, "load", load, &error);
	json_put(root, "now", advice->now ? json_string(advice->now) : json_null(), &error);
	json_put(root, "objective", json_string(advice->objective->name), &error);
	json_put(root, "windows", json_integer(advice->windows), &error);
	json_put(root, "window_ios", json_integer((json_int_t)advice->window_ios), &error);
	json_put(root, "overloaded_windows", json_integer(advice->overloaded), &error);
	json_put(root, "verdict", json_string(words[advice->sureness]), &error);
	json_put(root, "candidates", lines, &error);
	json_put(root, "other_objectives", others, &error);
	json_put(root, "was_ended", json_boolean(advice->was_ended), &error);
	return error;
}
