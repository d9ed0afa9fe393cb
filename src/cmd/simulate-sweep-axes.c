// SPDX-License-Identifier: GPL-2.0-or-later
/* Reading the axes of a sweep, and the grid that they span. */
#include "cmd/simulate-sweep.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/simulate-case.h"
#include "cmd/simulate-parameter.h"
#include "tunable/tunable.h"
#include "util/i18n.h"
#include "util/number.h"

void sweep_done(struct sweep *sweep)
{
	for (size_t i = 0; i < sweep->count; i++) {
		free(sweep->axes[i].owner);
		free(sweep->axes[i].key);
	}
	sweep->count = 0;
}

/* --- reading --------------------------------------------------------------------------- */

/* The attribute's row, for its unit: of the owner, else of the first scheduler with it. */
static const struct tunable *find_row(const struct sweep_axis *axis)
{
	const struct sim_elevator_ops *ops;

	if (!axis->owner && strcmp(axis->key, "nr_requests") == 0)
		return tunable_find_queue(axis->key);
	for (size_t i = 0; (ops = sim_elevator_get(i)); i++) {
		if ((!axis->owner || strcmp(axis->owner, ops->name) == 0) &&
		    simulate_has_parameter(ops, axis->key))
			return tunable_find_iosched(ops->name, axis->key);
	}
	return NULL;
}

static int add_value(struct sweep_axis *axis, int64_t value, struct diag *diag)
{
	if (axis->count == SWEEP_VALUES_MAX)
		return diag_set(diag, -E2BIG, _("--sweep: more than %d values of %s"),
				SWEEP_VALUES_MAX, axis->key);
	for (size_t i = 0; i < axis->count; i++) {
		if (axis->values[i] == value)
			return diag_set(diag, -EINVAL,
					_("--sweep: %s has the value %lld twice"), axis->key,
					(long long)value);
	}
	axis->values[axis->count++] = value;
	return 0;
}

/* "50:500:50" */
static int read_range(struct sweep_axis *axis, const struct strv *parts, enum unit unit,
		      struct diag *diag)
{
	int64_t first, last, step;
	int error = 0;

	if (parts->count != 3 || number_parse_unit(parts->items[0], unit, &first) ||
	    number_parse_unit(parts->items[1], unit, &last) ||
	    number_parse_unit(parts->items[2], unit, &step) || step <= 0 || last < first)
		return diag_set(diag, -EINVAL,
				_("--sweep takes KEY=FROM:TO:STEP or KEY=VALUE,VALUE..."));
	for (int64_t value = first; value <= last && !error; value += step) {
		error = add_value(axis, value, diag);
		if (last - value < step)
			break;
	}
	return error;
}

static int read_values(struct sweep_axis *axis, const char *text, enum unit unit,
		       struct diag *diag)
{
	_strv_ struct strv parts = { 0 };
	bool is_range = strchr(text, ':');
	int error = strv_split(&parts, text, is_range ? ":" : ",");

	if (error)
		return error;
	if (is_range)
		return read_range(axis, &parts, unit, diag);
	for (size_t i = 0; i < parts.count && !error; i++) {
		int64_t value;

		if (number_parse_unit(parts.items[i], unit, &value))
			return diag_set(diag, -EINVAL, _("--sweep: %s cannot be \"%s\""),
					axis->key, parts.items[i]);
		error = add_value(axis, value, diag);
	}
	if (!error && !axis->count)
		return diag_set(diag, -EINVAL,
				_("--sweep takes KEY=FROM:TO:STEP or KEY=VALUE,VALUE..."));
	return error;
}

/* One value would win, and the titles would speak of the other. */
static bool is_swept(const struct sweep *sweep, const struct sweep_axis *axis)
{
	for (const struct sweep_axis *other = sweep->axes; other < axis; other++) {
		bool is_same_owner = !axis->owner || !other->owner ||
				     strcmp(axis->owner, other->owner) == 0;

		if (is_same_owner && strcmp(axis->key, other->key) == 0)
			return true;
	}
	return false;
}

static bool is_nr_requests(const struct sweep_axis *axis)
{
	return !axis->owner && strcmp(axis->key, "nr_requests") == 0;
}

/* As --nr-requests has it; the schedulers' own ranges are asked when they are made. */
static int check_nr_requests(const struct sweep_axis *axis, struct diag *diag)
{
	for (size_t i = 0; i < axis->count; i++) {
		if (axis->values[i] < 1 || axis->values[i] > SIM_HW_DEPTH_MAX)
			return diag_set(diag, -ERANGE, _("--%s takes a number from %lld to %lld"),
					"sweep nr_requests", 1LL, (long long)SIM_HW_DEPTH_MAX);
	}
	return 0;
}

int sweep_add(struct sweep *sweep, const char *text, struct diag *diag)
{
	const char *equals = strchr(text, '=');
	int error;
	struct sweep_axis *axis = &sweep->axes[sweep->count];
	const struct tunable *row;
	const char *dot;

	if (!equals || equals == text)
		return diag_set(diag, -EINVAL,
				_("--sweep takes KEY=FROM:TO:STEP or KEY=VALUE,VALUE..."));
	if (sweep->count == SWEEP_AXES_MAX)
		return diag_set(diag, -E2BIG, _("more than %d times --sweep"), SWEEP_AXES_MAX);
	*axis = (struct sweep_axis){ 0 };
	sweep->count++;
	dot = memchr(text, '.', (size_t)(equals - text));
	if (dot)
		axis->owner = strndup(text, (size_t)(dot - text));
	dot = dot ? dot + 1 : text;
	axis->key = strndup(dot, (size_t)(equals - dot));
	if (!axis->key || (dot != text && !axis->owner))
		return diag_set(diag, -ENOMEM, _("out of memory"));
	row = find_row(axis);
	if (!row) {
		diag_set(diag, -EINVAL, _("no scheduler has a parameter \"%s\""), axis->key);
		simulate_hint_parameter(diag, axis->owner, axis->key);
		return -EINVAL;
	}
	if (is_swept(sweep, axis))
		return diag_set(diag, -EINVAL, _("--sweep varies %s twice"), axis->key);
	error = read_values(axis, equals + 1, row->unit, diag);
	if (!error && is_nr_requests(axis))
		error = check_nr_requests(axis, diag);
	return error;
}

/* --- the grid -------------------------------------------------------------------------- */

static bool takes(const struct simulate_variant *variant, const struct sweep_axis *axis)
{
	const struct sim_elevator_ops *ops = sim_elevator_find(variant->scheduler);

	if (is_nr_requests(axis))
		return true;
	return (!axis->owner || strcmp(axis->owner, variant->scheduler) == 0) &&
	       simulate_has_parameter(ops, axis->key);
}

static bool takes_all(const struct simulate_variant *variant, const struct sweep *sweep)
{
	for (size_t i = 0; i < sweep->count; i++) {
		if (!takes(variant, &sweep->axes[i]))
			return false;
	}
	return true;
}

static int copy(struct simulate_variants *to, const struct simulate_variant *from,
		struct simulate_variant **ret)
{
	struct simulate_variant *variant = simulate_variant_add(to, from->scheduler);
	int error = variant ? 0 : -ENOMEM;

	for (size_t i = 0; i < from->setting_count && !error; i++)
		error = simulate_variant_set(variant, from->settings[i].file,
					     from->settings[i].value);
	if (error)
		return error;
	variant->nr_requests = from->nr_requests;
	*ret = variant;
	return 0;
}

/* The point's place on each axis is in the digits of its number. */
static int set_point(const struct sweep *sweep, size_t point, struct simulate_variant *variant)
{
	int error = 0;

	for (size_t i = sweep->count; i-- > 0 && !error; point /= sweep->axes[i].count) {
		const struct sweep_axis *axis = &sweep->axes[i];
		int64_t value = axis->values[point % axis->count];
		char text[32];

		snprintf(text, sizeof(text), "%" PRId64, value);
		if (is_nr_requests(axis))
			variant->nr_requests = (unsigned)value;
		else
			error = simulate_variant_set(variant, axis->key, text);
	}
	return error;
}

static int title_point(const struct sweep *sweep, struct simulate_variant *variant)
{
	_text_ struct text title = { 0 };

	text_add(&title, variant->scheduler);
	for (size_t i = 0; i < sweep->count; i++) {
		const struct sweep_axis *axis = &sweep->axes[i];

		for (size_t j = 0; j < variant->setting_count; j++) {
			if (strcmp(variant->settings[j].file, axis->key) == 0)
				text_addf(&title, " %s=%s", axis->key, variant->settings[j].value);
		}
		if (strcmp(axis->key, "nr_requests") == 0)
			text_addf(&title, " nr_requests=%u", variant->nr_requests);
	}
	if (title.error)
		return title.error;
	free(variant->title);
	return text_take(&title, &variant->title);
}

static int expand_one(const struct sweep *sweep, const struct simulate_variant *from,
		      size_t points, struct simulate_variants *to)
{
	int error = 0;

	for (size_t point = 0; point < points && !error; point++) {
		struct simulate_variant *variant;

		error = copy(to, from, &variant);
		if (!error)
			error = set_point(sweep, point, variant);
		if (!error)
			error = title_point(sweep, variant);
	}
	return error;
}

static int fill_grid(const struct sweep *sweep, const struct simulate_variants *from,
		     size_t points, struct simulate_variants *to)
{
	int error = 0;

	for (size_t i = 0; i < from->count && !error; i++) {
		const struct simulate_variant *variant = &from->items[i];
		struct simulate_variant *now;

		if (variant->role != VARIANT_NOW) {
			if (takes_all(variant, sweep))
				error = expand_one(sweep, variant, points, to);
			continue;
		}
		error = copy(to, variant, &now);
		if (!error) {
			now->role = VARIANT_NOW;
			free(now->title);
			now->title = strdup(variant->title);
			error = now->title ? 0 : -ENOMEM;
		}
		if (!error && takes_all(variant, sweep))
			error = expand_one(sweep, variant, points, to);
	}
	return error;
}

int sweep_expand(const struct sweep *sweep, struct simulate_variants *variants,
		 struct diag *diag)
{
	struct simulate_variants grid = { 0 };
	size_t points = 1, bases = 0;
	int error;

	for (size_t i = 0; i < sweep->count; i++)
		points *= sweep->axes[i].count;
	for (size_t i = 0; i < variants->count; i++)
		bases += takes_all(&variants->items[i], sweep);
	if (!bases)
		return diag_set(diag, -EINVAL,
				_("none of the schedulers has all that --sweep varies"));
	if (points > EXPERIMENT_VARIANTS_MAX || bases * points + 1 > EXPERIMENT_VARIANTS_MAX)
		return diag_set(diag, -E2BIG, _("--sweep: %zu points are too many: at most %d"),
				bases * points, EXPERIMENT_VARIANTS_MAX - 1);
	error = fill_grid(sweep, variants, points, &grid);
	if (error) {
		simulate_variants_done(&grid);
		return diag_set(diag, error, _("out of memory"));
	}
	simulate_variants_done(variants);
	*variants = grid;
	return 0;
}
