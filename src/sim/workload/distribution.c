// SPDX-License-Identifier: GPL-2.0-or-later
/* Draws of places: permutations of the range, and the popular laws on top of them. */
#include "sim/workload/distribution.h"

#include <errno.h>
#include <math.h>

#include "util/i18n.h"

/* --- permutations ----------------------------------------------------------------------- */

static void draw_keys(struct distribution *d, struct sim_random *random)
{
	d->key[0] = sim_random_next(random);
	d->key[1] = sim_random_next(random);
	d->drawn = 0;
}

static void init_permutation(struct distribution *d, struct sim_random *random)
{
	unsigned bits = d->count > 1 ? 64 - (unsigned)__builtin_clzll(d->count - 1) : 1;

	d->mask = bits < 64 ? (UINT64_C(1) << bits) - 1 : UINT64_MAX;
	d->shift = bits > 1 ? bits / 2 : 1;
	draw_keys(d, random);
}

/*
 * A one-to-one mixing of the numbers up to `mask`: adding, multiplying by an odd number
 * and folding the high half onto the low one can each be undone, modulo a power of two.
 * The multipliers are those of splitmix64; the keys' halves make small ranges differ too.
 */
static uint64_t mix(const struct distribution *d, uint64_t x)
{
	x = (x + d->key[0]) & d->mask;
	x ^= x >> d->shift;
	x = (x * UINT64_C(0xbf58476d1ce4e5b9) + d->key[1]) & d->mask;
	x ^= x >> d->shift;
	x = (x * UINT64_C(0x94d049bb133111eb) + (d->key[0] >> 32)) & d->mask;
	x ^= x >> d->shift;
	x = (x * UINT64_C(0x9e3779b97f4a7c15) + (d->key[1] >> 32)) & d->mask;
	return x ^ (x >> d->shift);
}

/*
 * The place of a rank: one to one. What falls beyond the range is mixed again until it is
 * inside; that is less than twice on average, as the range is more than half of the mask.
 */
static uint64_t scatter(const struct distribution *d, uint64_t rank)
{
	do {
		rank = mix(d, rank);
	} while (rank >= d->count);
	return rank;
}

static uint64_t next_each_once(struct distribution *d, struct sim_random *random)
{
	if (d->drawn == d->count)
		draw_keys(d, random);
	return scatter(d, d->drawn++);
}

/* --- zipf ------------------------------------------------------------------------------- */

/*
 * Rejection-inversion (Hörmann and Derflinger, "Rejection-inversion to generate variates
 * from monotone discrete distributions", 1996): draws below the curve x^-theta, whose
 * integral can be inverted, and accepts almost always.
 */
static double zipf_integral(double theta, double x)
{
	double power = 1.0 - theta;

	if (fabs(power) < 1e-9)
		return log(x);
	return expm1(power * log(x)) / power;
}

static double zipf_inverse(double theta, double y)
{
	double power = 1.0 - theta, inner = power * y;

	if (fabs(power) < 1e-9)
		return exp(y);
	/* Rounding must not leave the domain. */
	return exp(log1p(inner > -1.0 ? inner : -1.0) / power);
}

static void init_zipf(struct distribution *d)
{
	double theta = d->spec->parameter;

	d->constants[0] = zipf_integral(theta, 1.5) - 1.0;
	d->constants[1] = zipf_integral(theta, (double)d->count + 0.5);
	d->constants[2] = 2.0 - zipf_inverse(theta, zipf_integral(theta, 2.5) -
							    pow(2.0, -theta));
}

static uint64_t next_zipf(const struct distribution *d, struct sim_random *random)
{
	double theta = d->spec->parameter, last = (double)d->count;
	double y, x, rank;

	do {
		y = d->constants[1] +
		    sim_random_unit(random) * (d->constants[0] - d->constants[1]);
		x = zipf_inverse(theta, y);
		rank = floor(x + 0.5);
		if (!(rank >= 1.0))
			rank = 1.0;
		if (rank > last)
			rank = last;
	} while (rank - x > d->constants[2] &&
		 y < zipf_integral(theta, rank + 0.5) - pow(rank, -theta));
	return (uint64_t)rank - 1;
}

/* --- pareto, normal ----------------------------------------------------------------------- */

static uint64_t limit_rank(const struct distribution *d, double rank)
{
	uint64_t whole;

	if (!(rank > 0.0))
		return 0;
	if (rank >= (double)d->count)
		return d->count - 1;
	whole = (uint64_t)rank;
	return whole < d->count ? whole : d->count - 1;
}

/* h of the places are below the rank h: (1 - h) to the power of this is h. */
static void init_pareto(struct distribution *d)
{
	double h = d->spec->parameter;

	d->constants[0] = log(h) / log1p(-h);
}

static uint64_t next_pareto(const struct distribution *d, struct sim_random *random)
{
	return limit_rank(d, (double)(d->count - 1) *
				     pow(sim_random_unit(random), d->constants[0]));
}

/*
 * fio takes the mean of twelve uniform draws, a bell around the middle with a deviation of
 * a twelfth of the range, and moves it by up to half of the given percentage to either
 * side.
 */
static void init_normal(struct distribution *d)
{
	double count = (double)d->count, added = count * d->spec->parameter / 100.0;

	d->constants[0] = count / 12.0;
	d->constants[1] = added < count / 2.0 ? added : count / 2.0;
}

static uint64_t next_normal(const struct distribution *d, struct sim_random *random)
{
	double rank = (double)d->count / 2.0 + d->constants[0] * sim_random_normal(random);

	rank += d->constants[1] * (sim_random_unit(random) - 0.5);
	return limit_rank(d, rank);
}

/* --- zones ------------------------------------------------------------------------------ */

static uint64_t next_zoned(const struct distribution *d, struct sim_random *random)
{
	const struct distribution_spec *spec = d->spec;
	double access = sim_random_unit(random) * 100.0, begin = 0.0, size = 0.0;
	uint64_t first, end;

	for (unsigned i = 0; i < spec->zone_count; i++) {
		begin += size;
		size = spec->zones[i].size_percent;
		if (access < spec->zones[i].access_percent)
			break;
		access -= spec->zones[i].access_percent;
	}
	first = limit_rank(d, (double)d->count * begin / 100.0);
	end = limit_rank(d, (double)d->count * (begin + size) / 100.0);
	if (begin + size >= 100.0 - 1e-6)
		end = d->count;
	return first + sim_random_below(random, end > first ? end - first : 1);
}

static int check_zones(const struct distribution_spec *spec, struct diag *diag)
{
	double access = 0.0, size = 0.0;

	if (!spec->zone_count || spec->zone_count > DISTRIBUTION_ZONES_MAX)
		return diag_set(diag, -EINVAL, _("between 1 and %d zones are possible"),
				DISTRIBUTION_ZONES_MAX);
	for (unsigned i = 0; i < spec->zone_count; i++) {
		if (!(spec->zones[i].access_percent >= 0.0) ||
		    !(spec->zones[i].size_percent > 0.0))
			return diag_set(diag, -EINVAL, _("zone %u has no size"), i + 1);
		access += spec->zones[i].access_percent;
		size += spec->zones[i].size_percent;
	}
	if (fabs(access - 100.0) > 1e-3 || fabs(size - 100.0) > 1e-3)
		return diag_set(diag, -EINVAL,
				_("zones take %.4g %% of the accesses and %.4g %% of the "
				  "range; each must be 100 %%"), access, size);
	return 0;
}

/* --- all -------------------------------------------------------------------------------- */

int distribution_check(const struct distribution_spec *spec, struct diag *diag)
{
	double parameter = spec->parameter;

	switch (spec->kind) {
	case DISTRIBUTION_UNIFORM:
	case DISTRIBUTION_EACH_ONCE:
		return 0;
	case DISTRIBUTION_ZIPF:
		if (parameter > 0.0 && parameter <= 10.0)
			return 0;
		return diag_set(diag, -EINVAL,
				_("zipf takes a theta above 0 and up to 10, not %g"),
				parameter);
	case DISTRIBUTION_PARETO:
		if (parameter > 0.0 && parameter < 1.0)
			return 0;
		return diag_set(diag, -EINVAL,
				_("pareto takes a number between 0 and 1, not %g"), parameter);
	case DISTRIBUTION_NORMAL:
		if (parameter >= 0.0 && parameter <= 100.0)
			return 0;
		return diag_set(diag, -EINVAL,
				_("normal takes 0 to 100 per cent, not %g"), parameter);
	case DISTRIBUTION_ZONED:
		return check_zones(spec, diag);
	}
	return diag_set(diag, -EINVAL, _("unknown distribution"));
}

void distribution_init(struct distribution *distribution,
		       const struct distribution_spec *spec, uint64_t count,
		       struct sim_random *random)
{
	*distribution = (struct distribution){ .spec = spec, .count = count };
	init_permutation(distribution, random);
	if (spec->kind == DISTRIBUTION_ZIPF)
		init_zipf(distribution);
	else if (spec->kind == DISTRIBUTION_PARETO)
		init_pareto(distribution);
	else if (spec->kind == DISTRIBUTION_NORMAL)
		init_normal(distribution);
}

uint64_t distribution_next(struct distribution *distribution, struct sim_random *random)
{
	switch (distribution->spec->kind) {
	case DISTRIBUTION_UNIFORM:
		return sim_random_below(random, distribution->count);
	case DISTRIBUTION_EACH_ONCE:
		return next_each_once(distribution, random);
	case DISTRIBUTION_ZIPF:
		return scatter(distribution, next_zipf(distribution, random));
	case DISTRIBUTION_PARETO:
		return scatter(distribution, next_pareto(distribution, random));
	case DISTRIBUTION_NORMAL:
		return scatter(distribution, next_normal(distribution, random));
	case DISTRIBUTION_ZONED:
		return next_zoned(distribution, random);
	}
	return 0;
}
