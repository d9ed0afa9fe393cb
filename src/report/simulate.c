// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Simulations: a row a dispatch, and the dispatch log.
 */
#include "report/simulate.h"

#include <errno.h>
#include <inttypes.h>

#include "util/i18n.h"
#include "util/json-build.h"

static char op_letter(enum sim_op op)
{
	static const char letters[] = {
		[SIM_READ] = 'R', [SIM_WRITE] = 'W', [SIM_DISCARD] = 'D',
		[SIM_FLUSH] = 'F', [SIM_OTHER] = 'N',
	};

	return letters[op];
}

static const char *class_name(enum sim_class class)
{
	static const char *const names[] = {
		[SIM_CLASS_RT] = "rt", [SIM_CLASS_BE] = "be", [SIM_CLASS_IDLE] = "idle",
	};

	return names[class];
}

/* --- the dispatch log ----------------------------------------------------------------- */

void dispatch_log_begin(FILE *file)
{
	fputs("time_ns\tchosen_sector\tchosen_dir\trecorded_sector\trecorded_dir\twaiting\t"
	      "reason\n",
	      file);
}

void dispatch_log_replayed(FILE *file, const struct replay_issue *issue)
{
	if (issue->has_choice)
		fprintf(file, "%" PRIu64 "\t%" PRIu64 "\t%c", issue->time_ns,
			issue->chosen_sector, issue->chosen_dir);
	else
		fprintf(file, "%" PRIu64 "\t-\t-", issue->time_ns);
	fprintf(file, "\t%" PRIu64 "\t%c\t%u\t%s\n", issue->recorded_sector,
		issue->recorded_dir, issue->waiting, sim_reason_word(issue->reason));
}

void dispatch_log_simulated(FILE *file, const struct simulate_dispatch *dispatch)
{
	fprintf(file, "%" PRIu64 "\t%" PRIu64 "\t%c\t-\t-\t%u\t%s\n", dispatch->time_ns,
		dispatch->sector, op_letter(dispatch->op), dispatch->waiting,
		sim_reason_word(dispatch->reason));
}

/* --- every dispatch -------------------------------------------------------------------- */

int dispatch_table_new(const struct table_style *style, struct table **ret)
{
	int error = table_new(style, ret);

	if (error)
		return error;
	table_add_column(*ret, _("NUMBER"), TABLE_RIGHT);
	table_add_column(*ret, _("TIME-MS"), TABLE_RIGHT);
	table_add_column(*ret, _("DIR"), TABLE_LEFT);
	table_add_column(*ret, _("SECTOR"), TABLE_RIGHT);
	table_add_column(*ret, _("LENGTH"), TABLE_RIGHT);
	table_add_column(*ret, _("CLASS"), TABLE_LEFT);
	table_add_column(*ret, _("REASON"), TABLE_WRAP);
	return 0;
}

static void set_number(struct table *table, size_t column, uint64_t number)
{
	char buf[32];

	snprintf(buf, sizeof(buf), "%" PRIu64, number);
	table_set(table, column, buf, MOOD_PLAIN);
}

/* Nanoseconds as milliseconds with three decimals. */
static void set_ms(struct table *table, size_t column, uint64_t time_ns)
{
	char buf[32];

	snprintf(buf, sizeof(buf), "%" PRIu64 ".%03" PRIu64, time_ns / 1000000,
		 time_ns / 1000 % 1000);
	table_set(table, column, buf, MOOD_PLAIN);
}

void dispatch_table_add(struct table *table, const struct simulate_dispatch *dispatch)
{
	const char dir[] = { op_letter(dispatch->op), '\0' };

	table_add_row(table, TABLE_NO_PARENT);
	set_number(table, 0, dispatch->number);
	set_ms(table, 1, dispatch->time_ns);
	table_set(table, 2, dir, MOOD_PLAIN);
	set_number(table, 3, dispatch->sector);
	set_number(table, 4, dispatch->sectors);
	table_set(table, 5, class_name(dispatch->class), MOOD_PLAIN);
	table_set(table, 6, sim_reason_text(dispatch->reason), MOOD_PLAIN);
}

json_t *dispatch_to_json(const struct simulate_dispatch *dispatch)
{
	const char dir[] = { op_letter(dispatch->op), '\0' };
	json_t *object = json_object();
	int error = 0;

	json_put(object, "number", json_integer((json_int_t)dispatch->number), &error);
	json_put(object, "time_ns", json_integer((json_int_t)dispatch->time_ns), &error);
	json_put(object, "dir", json_string(dir), &error);
	json_put(object, "sector", json_integer((json_int_t)dispatch->sector), &error);
	json_put(object, "sectors", json_integer(dispatch->sectors), &error);
	json_put(object, "class", json_string(class_name(dispatch->class)), &error);
	json_put(object, "reason", json_string(sim_reason_word(dispatch->reason)), &error);
	return json_finish(object, error);
}
