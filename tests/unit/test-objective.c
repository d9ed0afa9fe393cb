// SPDX-License-Identifier: GPL-2.0-or-later
/* Choosing by an objective: which is better, and what has no figure is not chosen. */
#include "test.h"

#include "sim/objective.h"

static struct experiment_outcome outcomes[3];

static int set_up(void **state)
{
	(void)state;
	memset(outcomes, 0, sizeof(outcomes));
	outcomes[1].directions[SIM_DIR_READ].ios = 5;
	outcomes[1].directions[SIM_DIR_READ].figures[FIGURE_P99] = (struct estimate){ 20, 1, 3 };
	outcomes[2].directions[SIM_DIR_READ].figures[FIGURE_P99] = (struct estimate){ 10, 1, 3 };
	outcomes[1].totals[TOTAL_IOPS] = (struct estimate){ 900, 1, 3 };
	outcomes[2].totals[TOTAL_IOPS] = (struct estimate){ 800, 1, 3 };
	return 0;
}

static void test_best(void **state)
{
	(void)state;
	assert_int_equal(objective_best(objective_find("p99-read"), outcomes, 3), 2);
	assert_int_equal(objective_best(objective_find("iops"), outcomes, 3), 1);
	assert_int_equal(objective_best(objective_find("p99-write"), outcomes, 3), -1);
	assert_int_equal(objective_best(objective_find("iops"), outcomes, 1), -1);
}

static void test_of_equals_the_first(void **state)
{
	(void)state;
	outcomes[2].totals[TOTAL_IOPS].mean = 900;
	assert_int_equal(objective_best(objective_find("iops"), outcomes, 3), 1);
}

/* The objective cannot tell them from each other: then the mean, then the IOPS. */
static void test_of_those_alike_by_chance(void **state)
{
	const struct objective *p99 = objective_find("p99-read");

	(void)state;
	outcomes[0].directions[SIM_DIR_READ].figures[FIGURE_P99] = (struct estimate){ 10.5, 1, 3 };
	outcomes[0].totals[TOTAL_IOPS] = (struct estimate){ 850, 1, 3 };
	assert_int_equal(objective_best(p99, outcomes, 3), 0);
	outcomes[0].totals[TOTAL_MEAN] = (struct estimate){ 5, 1, 3 };
	outcomes[2].totals[TOTAL_MEAN] = (struct estimate){ 3.5, 1, 3 };
	assert_int_equal(objective_best(p99, outcomes, 3), 0);
	outcomes[2].totals[TOTAL_MEAN].mean = 2;
	assert_int_equal(objective_best(p99, outcomes, 3), 2);
	/* What is worse by the objective does not come into it. */
	outcomes[1].totals[TOTAL_MEAN] = (struct estimate){ 1, 0, 3 };
	assert_int_equal(objective_best(p99, outcomes, 3), 2);
	assert_false(objective_is_tie(p99, outcomes, 3));
}

/* Of the reads, where these are what it is about: writes may take longer under the best. */
static void test_of_those_alike_its_direction(void **state)
{
	struct experiment_outcome *a = &outcomes[0], *b = &outcomes[2];

	(void)state;
	a->directions[SIM_DIR_READ].figures[FIGURE_P99] = (struct estimate){ 10.5, 1, 3 };
	a->directions[SIM_DIR_READ].figures[FIGURE_MEAN] = (struct estimate){ 3, 0.1, 3 };
	b->directions[SIM_DIR_READ].figures[FIGURE_MEAN] = (struct estimate){ 5, 0.1, 3 };
	a->totals[TOTAL_MEAN] = (struct estimate){ 90, 1, 3 };
	b->totals[TOTAL_MEAN] = (struct estimate){ 50, 1, 3 };
	assert_int_equal(objective_best(objective_find("p99-read"), outcomes, 3), 0);
	assert_int_equal(objective_best(objective_find("mean"), outcomes, 3), 2);
	a->directions[SIM_DIR_READ].figures[FIGURE_MEAN].mean = 5;
	assert_int_equal(objective_best(objective_find("p99-read"), outcomes, 3), 2);
}

/* Of single runs nothing is known of chance, and yet nobody is better by a nanosecond. */
static void test_of_those_alike_to_all_that_notice(void **state)
{
	struct experiment_outcome *a = &outcomes[0], *b = &outcomes[2];
	const struct objective *p99 = objective_find("p99-read");

	(void)state;
	a->directions[SIM_DIR_READ].figures[FIGURE_P99] = (struct estimate){ 10.005, 0, 1 };
	b->directions[SIM_DIR_READ].figures[FIGURE_P99] = (struct estimate){ 10, 0, 1 };
	a->totals[TOTAL_MEAN] = (struct estimate){ 4, 0, 1 };
	b->totals[TOTAL_MEAN] = (struct estimate){ 5, 0, 1 };
	assert_int_equal(objective_best(p99, outcomes, 3), 0);
	a->directions[SIM_DIR_READ].figures[FIGURE_P99].mean = 10.02;
	assert_int_equal(objective_best(p99, outcomes, 3), 2);
}

/* No figure by which one is chosen differs: none is. One alone is no tie. */
static void test_tie(void **state)
{
	const struct objective *iops = objective_find("iops");

	(void)state;
	outcomes[2].totals[TOTAL_IOPS].mean = 901;
	assert_int_equal(objective_best(iops, outcomes + 1, 2), -1);
	assert_true(objective_is_tie(iops, outcomes + 1, 2));
	assert_int_equal(objective_best(iops, outcomes + 1, 1), 0);
	assert_false(objective_is_tie(iops, outcomes + 1, 1));
	/* Where one has no figure it differs; where none has one nothing is known. */
	assert_int_equal(objective_best(iops, outcomes, 3), 2);
	assert_false(objective_is_tie(iops, outcomes, 3));
	assert_false(objective_is_tie(objective_find("mean"), outcomes, 3));
	outcomes[1].totals[TOTAL_MEAN] = (struct estimate){ 1, 0, 3 };
	outcomes[2].totals[TOTAL_MEAN] = (struct estimate){ 2, 0, 3 };
	assert_int_equal(objective_best(iops, outcomes + 1, 2), 0);
}

static void test_default(void **state)
{
	(void)state;
	assert_string_equal(objective_default(outcomes, 3)->name, "p99-read");
	/* Nothing is known of either. */
	assert_string_equal(objective_default(outcomes, 1)->name, "mean");
	outcomes[0].directions[SIM_DIR_WRITE].figures[FIGURE_P99] = (struct estimate){ 5, 1, 3 };
	assert_string_equal(objective_default(outcomes, 1)->name, "p99-write");
	outcomes[1].directions[SIM_DIR_READ].ios_fewest = 99;
	outcomes[2].directions[SIM_DIR_READ].ios_fewest = 99;
	assert_string_equal(objective_default(outcomes, 3)->name, "mean");
	outcomes[2].directions[SIM_DIR_READ].ios_fewest = 100;
	assert_string_equal(objective_default(outcomes, 3)->name, "p99-read");
	/* What has too few is never the best. */
	assert_int_equal(objective_best(objective_find("p99-read"), outcomes, 2), -1);
}

static void test_names(void **state)
{
	(void)state;
	assert_null(objective_find("p99"));
	for (size_t i = 0; objective_get(i); i++)
		assert_ptr_equal(objective_find(objective_get(i)->name), objective_get(i));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_best, set_up),
		cmocka_unit_test_setup(test_of_equals_the_first, set_up),
		cmocka_unit_test_setup(test_of_those_alike_by_chance, set_up),
		cmocka_unit_test_setup(test_of_those_alike_its_direction, set_up),
		cmocka_unit_test_setup(test_of_those_alike_to_all_that_notice, set_up),
		cmocka_unit_test_setup(test_tie, set_up),
		cmocka_unit_test_setup(test_default, set_up),
		cmocka_unit_test(test_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
