// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Pictures: what becomes of outcomes and samples, names that could mean something to
 * gnuplot, and the drawing with letters.
 */
#include "test.h"

#include <errno.h>

#include "report/plot.h"
#include "util/cleanup.h"

static struct experiment_outcome outcomes[2];
static struct samples *samples;
static struct experiment_group groups[2] = { { .name = "it's `rm`\n$p0" }, { .name = "small" } };
static const struct comparison_column columns[] = {
	{ .title = "none", .scheduler = "none" },
	{ .title = "bfq", .scheduler = "bfq" },
};

static int set_up(void **state)
{
	(void)state;
	samples = calloc(2, sizeof(*samples));
	assert_non_null(samples);
	for (size_t i = 0; i < 2; i++) {
		struct histogram *latency = calloc(SIM_DIRS, sizeof(*latency));

		assert_non_null(latency);
		outcomes[i] = (struct experiment_outcome){ .runs = 1, .latency_ns = latency,
							   .groups = groups, .group_count = 2 };
		for (uint64_t n = 1; n <= 2000; n++)
			histogram_add(&latency[SIM_DIR_READ], n * 1000 * (i + 1));
		for (uint64_t n = 0; n < 100; n++) {
			struct simulate_completion completion = {
				.time_ns = n * 10000000, .sectors = 2048, .in_flight = 4, .group = n % 2,
			};
			struct simulate_dispatch dispatch = {
				.time_ns = n * 1000000, .sector = n * 1000, .sectors = 8,
				.op = n % 5 ? SIM_READ : SIM_WRITE,
			};

			if (n % 2)
				completion.sectors = 8;
			samples_keep_completion(&samples[i], &completion);
			samples_keep_dispatch(&samples[i], &dispatch);
		}
	}
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	free(outcomes[0].latency_ns);
	free(outcomes[1].latency_ns);
	free(samples);
	return 0;
}

static struct plot make(enum plot_kind kind)
{
	struct comparison comparison = comparison_make(columns, outcomes, 2, NULL, 0);
	struct plot plot;

	assert_int_equal(plot_make(kind, &comparison, samples, "a 'title'", "below", &plot), 0);
	return plot;
}

static void test_panels(void **state)
{
	struct plot plot = make(PLOT_ALL);

	(void)state;
	/* Reads (nothing was written), the depth, and two by scheduler for each. */
	assert_int_equal(plot.panel_count, 6);
	assert_string_equal(plot.panels[0].title, "Latency of reads");
	assert_int_equal(plot.panels[0].line_count, 2);
	/* 2000 samples: P99.95 is the last that one of them stands for. */
	assert_true(plot.panels[0].x_max > 3.2 && plot.panels[0].x_max < 3.31);
	/* A thousand times as much: the smaller one is seen on a logarithmic axis only. */
	assert_int_equal(plot.panels[2].y_axis, PLOT_LOG);
	assert_true(plot.panels[2].y_max == plot.panels[3].y_max);
	assert_true(plot.panels[4].has_marks);
	assert_int_equal(plot.panels[4].lines[1].count + plot.panels[4].lines[2].count, 100);
	plot_done(&plot);
}

static void test_nothing_to_draw(void **state)
{
	struct comparison comparison = comparison_make(columns, outcomes, 2, NULL, 0);
	struct plot plot;

	(void)state;
	samples[0].head_count = samples[1].head_count = 0;
	assert_int_equal(plot_make(PLOT_HEAD, &comparison, samples, "", "", &plot), -ENODATA);
}

static void test_script(void **state)
{
	struct plot plot = make(PLOT_THROUGHPUT);
	_text_ struct text script = { 0 };

	(void)state;
	assert_int_equal(plot_script(&plot, "svg", &script), 0);
	/* In single quotes nothing is expanded; a quote and a new line cannot end them. */
	assert_non_null(strstr(script.data, "'a ''title'''"));
	assert_non_null(strstr(script.data, "title 'it''s `rm`?$p0'"));
	assert_non_null(strstr(script.data, "set ylabel 'MB/s'"));
	assert_non_null(strstr(script.data, "noenhanced"));
	assert_non_null(strstr(script.data, "set terminal svg"));
	plot_done(&plot);
}

static void test_letters(void **state)
{
	const struct table_style style = { .width = 80 };
	struct plot plot = make(PLOT_LATENCY);
	int saved = dup(STDOUT_FILENO), pipes[2];
	char text[4096];
	ssize_t len;

	(void)state;
	assert_int_equal(pipe(pipes), 0);
	fflush(stdout);
	dup2(pipes[1], STDOUT_FILENO);
	assert_int_equal(plot_print(&plot, &style), 0);
	fflush(stdout);
	dup2(saved, STDOUT_FILENO);
	close(saved);
	close(pipes[1]);
	len = read(pipes[0], text, sizeof(text) - 1);
	close(pipes[0]);
	assert_true(len > 0);
	text[len] = '\0';
	assert_non_null(strstr(text, "Latency of reads"));
	assert_non_null(strstr(text, "latency in ms; percentile of the I/Os; a none; b bfq"));
	assert_non_null(strstr(text, "0 %"));
	assert_non_null(strchr(text, 'b'));
	plot_done(&plot);
}

static void test_names(void **state)
{
	struct plot plot = make(PLOT_LATENCY);
	struct diag diag = { 0 };
	enum plot_kind kind;

	(void)state;
	for (unsigned i = 0; i < PLOT_KINDS; i++) {
		assert_int_equal(plot_kind_parse(plot_kind_name(i), &kind), 0);
		assert_int_equal(kind, i);
	}
	assert_int_equal(plot_kind_parse("pie", &kind), -EINVAL);
	assert_int_equal(plot_write(&plot, "picture.jpeg", &diag), -EINVAL);
	plot_done(&plot);
}

static void test_no_gnuplot(void **state)
{
	char *dir = test_scratch_new(), path[512], *before = strdup(getenv("PATH"));
	struct plot plot = make(PLOT_LATENCY);
	struct diag diag = { 0 };

	(void)state;
	snprintf(path, sizeof(path), "%s/picture.svg", dir);
	setenv("PATH", dir, 1);
	assert_int_equal(plot_write(&plot, path, &diag), -ENOPKG);
	setenv("PATH", before, 1);
	assert_non_null(strstr(diag.hint, "gnuplot-nox"));
	/* Nothing is left behind. */
	assert_int_equal(rmdir(dir), 0);
	free(dir);
	free(before);
	plot_done(&plot);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_panels, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_nothing_to_draw, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_script, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_letters, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_names, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_no_gnuplot, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
