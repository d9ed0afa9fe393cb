// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Whether a value may be written to a tunable, and how it is spelled for sysfs: type,
 * unit and range of the row first, then what this kernel and this queue add to them.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "tunable/scheduler.h"
#include "tunable/tunable.h"
#include "util/i18n.h"

/* Most scheduler tags that blk-mq gives a queue (facts on nr_requests). */
#define SCHEDULER_TAGS_MAX 2048

static const struct tunable_context no_context;

static int refuse_range(const struct tunable *tunable, const char *value, int64_t min,
			int64_t max, struct diag *diag)
{
	char low[32], high[32];

	number_format_unit(min, tunable->unit, low, sizeof(low));
	number_format_unit(max, tunable->unit, high, sizeof(high));
	diag_set(diag, -ERANGE, _("%s = %s is out of range: %s to %s"), tunable->key,
		 value, low, high);
	return -ERANGE;
}

static const char *unit_expectation(enum unit unit)
{
	switch (unit) {
	case UNIT_BOOL:
		return _("0 or 1 (or on, off)");
	case UNIT_NS:
	case UNIT_US:
	case UNIT_MS:
		return _("a time, with ns, us, ms or s if you like");
	case UNIT_BYTES:
	case UNIT_KIB:
	case UNIT_SECTORS:
		return _("a size, with K, M, G or sectors if you like");
	case UNIT_PERCENT:
	case UNIT_NONE:
		break;
	}
	return _("a whole number");
}

static bool is_fraction(const char *value)
{
	size_t digits = strspn(value, "0123456789");

	return (value[digits] == '.' || value[digits] == ',') &&
	       strspn(value + digits + 1, "0123456789") > 0;
}

static int parse_number(const struct tunable *tunable, const char *value, int64_t *ret,
			struct diag *diag)
{
	int64_t number;
	int error = number_parse_unit(value, tunable->unit, &number);

	if (error == -EINVAL) {
		diag_set(diag, error, _("%s cannot be \"%s\""), tunable->key, value);
		if (is_fraction(value))
			diag_hint(diag, _("fractions are not taken: a whole number of a "
					  "smaller unit, as 1536K for 1.5M"));
		diag_hint(diag, _("expected is %s"), unit_expectation(tunable->unit));
		return error;
	}
	if (error) {
		diag_set(diag, error, _("%s = %s is too large, or no whole number of %s"),
			 tunable->key, value, unit_name(tunable->unit));
		return error;
	}
	if (number < tunable->min || number > tunable->max)
		return refuse_range(tunable, value, tunable->min, tunable->max, diag);
	*ret = number;
	return 0;
}

/* facts: with a scheduler 2048, with none the driver's tags, legacy queues no ceiling. */
static int check_nr_requests(const struct tunable *tunable, const char *value,
			     int64_t number, const struct tunable_context *context,
			     struct diag *diag)
{
	const struct scheduler *scheduler =
		context->scheduler ? scheduler_find(context->scheduler) : NULL;

	if (context->is_bio)
		return diag_set(diag, -EINVAL,
				_("a bio-based queue has no requests to count"));
	if (!context->scheduler || (scheduler && scheduler->kind == QUEUE_LEGACY))
		return 0;
	if (strcmp(context->scheduler, "none")) {
		if (number > SCHEDULER_TAGS_MAX)
			return refuse_range(tunable, value, tunable->min,
					    SCHEDULER_TAGS_MAX, diag);
		return 0;
	}
	if (!context->hw_depth || number <= context->hw_depth)
		return 0;
	diag_set(diag, -ERANGE,
		 _("nr_requests = %s is above the %lld tags of the driver"), value,
		 (long long)context->hw_depth);
	diag_hint(diag, _("with none the driver's tags are the ceiling; a scheduler "
			  "allows more"));
	return -ERANGE;
}

static int check_ceilings(const struct tunable *tunable, const char *value,
			  int64_t number, const struct tunable_context *context,
			  struct diag *diag)
{
	if (tunable->phase == PHASE_NR_REQUESTS)
		return check_nr_requests(tunable, value, number, context, diag);
	if (tunable == tunable_find_queue("max_sectors_kb") &&
	    context->max_hw_sectors_kb && number > context->max_hw_sectors_kb)
		return refuse_range(tunable, value, tunable->min,
				    context->max_hw_sectors_kb, diag);
	return 0;
}

/* The file of 5.15 reads and writes front_merges; only some stable updates corrected it,
   and distribution kernels do not show which update they hold. */
static bool is_misdirected(const struct tunable *tunable, struct kernel_version kernel)
{
	return kernel.major && tunable->place == TUNABLE_IOSCHED &&
	       tunable->phase == PHASE_ASYNC_DEPTH &&
	       kernel_version_is_within(kernel, (struct kernel_version){ 5, 15, 0 },
					(struct kernel_version){ 5, 17, 0 });
}

static int check_allowed(const struct tunable *tunable,
			 const struct tunable_context *context, struct diag *diag)
{
	if (tunable->is_readonly)
		return diag_set(diag, -EPERM, _("%s is read-only"), tunable->key);
	if (!tunable->is_policy) {
		diag_set(diag, -EPERM, _("%s is shown, but not set by iosched-tune"),
			 tunable->key);
		if (tunable->note)
			diag_hint(diag, "%s", _(tunable->note));
		return -EPERM;
	}
	if (is_misdirected(tunable, context->kernel))
		return diag_set(
			diag, -ENOTSUP,
			_("the file of %s holds front_merges instead on Linux %u.%u"),
			tunable->key, context->kernel.major, context->kernel.minor);
	return 0;
}

static int check_scheduler(const char *value, char *ret, struct diag *diag)
{
	const struct scheduler *scheduler = scheduler_find(value);

	if (!scheduler)
		return diag_set(diag, -EINVAL, _("there is no scheduler \"%s\""), value);
	snprintf(ret, TUNABLE_VALUE_MAX, "%s", scheduler->name);
	return 0;
}

int tunable_check(const struct tunable *tunable, const char *value,
		  const struct tunable_context *context, char *ret, struct diag *diag)
{
	int64_t number = 0;
	int error;

	if (!context)
		context = &no_context;
	error = check_allowed(tunable, context, diag);
	if (error)
		return error;
	if (tunable->type == TUNABLE_CHOICE)
		return check_scheduler(value, ret, diag);
	error = parse_number(tunable, value, &number, diag);
	if (!error)
		error = check_ceilings(tunable, value, number, context, diag);
	if (!error)
		snprintf(ret, TUNABLE_VALUE_MAX, "%lld", (long long)number);
	return error;
}
