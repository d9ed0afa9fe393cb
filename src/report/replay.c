// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Replays: the counts, and the first differences with the engine's reason.
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "report/simulate.h"
#include "util/i18n.h"
#include "util/json-build.h"

static void print_counts(const struct replay_result *result)
{
	printf(_("Linux %u.%u, %s, hardware depth %u, nr_requests %u, HZ %u\n"),
	       result->kernel.major, result->kernel.minor, result->scheduler,
	       result->hw_depth, result->nr_requests, result->hz);
	printf(_("issues         %" PRIu64 "\n"), result->issues);
	printf(_("decisions      %" PRIu64 "\n"), result->decisions);
	if (result->decisions)
		printf(_("equal          %" PRIu64 " (%.3f %%)\n"), result->equal,
		       100.0 * (double)result->equal / (double)result->decisions);
	if (result->latency_events || result->kyber_extra)
		printf(_("kyber_latency  %" PRIu64 " of %" PRIu64 " equal\n"),
		       result->latency_equal, result->latency_events);
	if (result->adjust_events)
		printf(_("kyber_adjust   %" PRIu64 " of %" PRIu64 " equal\n"),
		       result->adjust_equal, result->adjust_events);
	if (result->kyber_extra)
		printf(_("kyber events of the engine alone: %" PRIu64 "\n"),
		       result->kyber_extra);
	if (result->unknown)
		printf(_("records of requests never seen before: %" PRIu64 "\n"),
		       result->unknown);
	if (result->other_device)
		printf(_("records of other devices, left out: %" PRIu64 "\n"),
		       result->other_device);
	if (result->backwards)
		printf(_("records that go back in time: %" PRIu64 "\n"), result->backwards);
	if (result->lost)
		printf(_("events that the kernel lost: %" PRIu64 "\n"), result->lost);
}

static void set_request(struct table *table, size_t column, char dir, uint64_t sector)
{
	char buf[48];

	snprintf(buf, sizeof(buf), "%c %" PRIu64, dir, sector);
	table_set(table, column, buf, MOOD_PLAIN);
}

static int print_issues(const struct replay_differences *differences,
			const struct table_style *style)
{
	_cleanup_(cleanup_table_free) struct table *table = NULL;
	char buf[32];
	int error = table_new(style, &table);

	if (error)
		return error;
	table_add_column(table, _("LINE"), TABLE_RIGHT);
	table_add_column(table, _("RECORDED"), TABLE_LEFT);
	table_add_column(table, _("CHOSEN"), TABLE_LEFT);
	table_add_column(table, _("WAITING"), TABLE_RIGHT);
	table_add_column(table, _("REASON"), TABLE_WRAP);
	for (size_t i = 0; i < differences->issue_count; i++) {
		const struct replay_issue *issue = &differences->issues[i];

		table_add_row(table, TABLE_NO_PARENT);
		snprintf(buf, sizeof(buf), "%" PRIu64, issue->line);
		table_set(table, 0, buf, MOOD_PLAIN);
		set_request(table, 1, issue->recorded_dir, issue->recorded_sector);
		if (issue->has_choice)
			set_request(table, 2, issue->chosen_dir, issue->chosen_sector);
		else
			table_set(table, 2, "-", MOOD_PLAIN);
		snprintf(buf, sizeof(buf), "%u", issue->waiting);
		table_set(table, 3, buf, MOOD_PLAIN);
		table_set(table, 4, sim_reason_text(issue->reason), MOOD_PLAIN);
	}
	return table_print(table);
}

/* "READ total p99 8/4 samples=500", "WRITE 32", "-" */
static void format_event(const char *domain, const char *type, bool is_adjust,
			 const unsigned numbers[5], char *buf, size_t size)
{
	if (!domain || !domain[0])
		snprintf(buf, size, "-");
	else if (is_adjust)
		snprintf(buf, size, "%s %u", domain, numbers[4]);
	else
		snprintf(buf, size, "%s %s p%u %u/%u samples=%u", domain, type, numbers[0],
			 numbers[1], numbers[2], numbers[3]);
}

static void format_recorded(const struct replay_kyber *kyber, char *buf, size_t size)
{
	const struct trace_kyber *event = &kyber->recorded;

	format_event(event->domain, event->type, kyber->is_adjust,
		     (const unsigned[]){ event->percentile, event->numerator,
					 event->denominator, event->samples, event->depth },
		     buf, size);
}

static void format_chosen(const struct replay_kyber *kyber, char *buf, size_t size)
{
	const struct sim_kyber_event *event = &kyber->chosen;

	format_event(event->domain, event->type, event->is_adjust,
		     (const unsigned[]){ event->percentile, event->numerator,
					 event->denominator, event->samples, event->depth },
		     buf, size);
}

static int print_kyber(const struct replay_differences *differences,
		       const struct table_style *style)
{
	_cleanup_(cleanup_table_free) struct table *table = NULL;
	char buf[96];
	int error = table_new(style, &table);

	if (error)
		return error;
	table_add_column(table, _("LINE"), TABLE_RIGHT);
	table_add_column(table, _("RECORDED"), TABLE_LEFT);
	table_add_column(table, _("COMPUTED"), TABLE_LEFT);
	for (size_t i = 0; i < differences->kyber_count; i++) {
		const struct replay_kyber *kyber = &differences->kyber[i];

		table_add_row(table, TABLE_NO_PARENT);
		snprintf(buf, sizeof(buf), "%" PRIu64, kyber->line);
		table_set(table, 0, kyber->line ? buf : "-", MOOD_PLAIN);
		format_recorded(kyber, buf, sizeof(buf));
		table_set(table, 1, buf, MOOD_PLAIN);
		format_chosen(kyber, buf, sizeof(buf));
		table_set(table, 2, buf, MOOD_PLAIN);
	}
	return table_print(table);
}

int replay_print(const struct replay_result *result,
		 const struct replay_differences *differences,
		 const struct table_style *style)
{
	int error = 0;

	print_counts(result);
	if (differences->issue_count) {
		printf(_("\nThe first differences:\n"));
		error = print_issues(differences, style);
	}
	if (!error && differences->kyber_count) {
		printf(_("\nkyber's first differences:\n"));
		error = print_kyber(differences, style);
	}
	return error;
}

static json_t *issue_to_json(const struct replay_issue *issue)
{
	const char recorded[] = { issue->recorded_dir, '\0' };
	const char chosen[] = { issue->chosen_dir, '\0' };
	json_t *object = json_object();
	int error = 0;

	json_put(object, "line", json_integer((json_int_t)issue->line), &error);
	json_put(object, "time_ns", json_integer((json_int_t)issue->time_ns), &error);
	json_put(object, "recorded_sector",
		 json_integer((json_int_t)issue->recorded_sector), &error);
	json_put(object, "recorded_dir", json_string(recorded), &error);
	if (issue->has_choice) {
		json_put(object, "chosen_sector",
			 json_integer((json_int_t)issue->chosen_sector), &error);
		json_put(object, "chosen_dir", json_string(chosen), &error);
	}
	json_put(object, "waiting", json_integer(issue->waiting), &error);
	json_put(object, "reason", json_string(sim_reason_word(issue->reason)), &error);
	return json_finish(object, error);
}

static json_t *kyber_to_json(const struct replay_kyber *kyber)
{
	json_t *object = json_object();
	char buf[96];
	int error = 0;

	if (kyber->line)
		json_put(object, "line", json_integer((json_int_t)kyber->line), &error);
	format_recorded(kyber, buf, sizeof(buf));
	json_put(object, "recorded", json_text(buf), &error);
	format_chosen(kyber, buf, sizeof(buf));
	json_put(object, "computed", json_text(buf), &error);
	return json_finish(object, error);
}

int replay_to_json(const struct replay_result *result,
		   const struct replay_differences *differences, json_t *root)
{
	const struct {
		const char *key;
		uint64_t value;
		bool is_kyber;
	} rows[] = {
		{ "issues", result->issues, false },
		{ "decisions", result->decisions, false },
		{ "equal", result->equal, false },
		{ "latency_events", result->latency_events, true },
		{ "latency_equal", result->latency_equal, true },
		{ "adjust_events", result->adjust_events, true },
		{ "adjust_equal", result->adjust_equal, true },
		{ "kyber_extra", result->kyber_extra, true },
		{ "unknown", result->unknown, false },
		{ "other_device", result->other_device, false },
		{ "backwards", result->backwards, false },
		{ "lost", result->lost, false },
	};
	bool is_kyber = strcmp(result->scheduler, "kyber") == 0;
	json_t *list;
	char kernel[32];
	int error = 0;

	snprintf(kernel, sizeof(kernel), "%u.%u", result->kernel.major,
		 result->kernel.minor);
	json_put(root, "kernel", json_string(kernel), &error);
	json_put(root, "scheduler", json_text(result->scheduler), &error);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		if (rows[i].is_kyber && !is_kyber)
			continue;
		json_put(root, rows[i].key, json_integer((json_int_t)rows[i].value), &error);
	}
	list = json_array();
	for (size_t i = 0; i < differences->issue_count; i++)
		json_push(list, issue_to_json(&differences->issues[i]), &error);
	json_put(root, "differences", list, &error);
	if (is_kyber) {
		list = json_array();
		for (size_t i = 0; i < differences->kyber_count; i++)
			json_push(list, kyber_to_json(&differences->kyber[i]), &error);
		json_put(root, "kyber_differences", list, &error);
	}
	return error;
}
