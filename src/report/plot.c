// SPDX-License-Identifier: GPL-2.0-or-later
/* From outcomes and samples to panels of lines. */
#include "report/plot.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "util/i18n.h"

static const char *const kind_names[PLOT_KINDS] = {
	[PLOT_LATENCY] = "latency", [PLOT_HEAD] = "head", [PLOT_DEPTH] = "depth",
	[PLOT_THROUGHPUT] = "throughput", [PLOT_ALL] = "all",
};

const char *plot_kind_name(enum plot_kind kind)
{
	return kind_names[kind];
}

int plot_kind_parse(const char *name, enum plot_kind *ret)
{
	for (unsigned i = 0; i < PLOT_KINDS; i++) {
		if (strcmp(kind_names[i], name) == 0) {
			*ret = i;
			return 0;
		}
	}
	return -EINVAL;
}

/* --- values ---------------------------------------------------------------------------- */

static void panel_done(struct plot_panel *panel)
{
	for (size_t i = 0; i < panel->line_count; i++) {
		free(panel->lines[i].title);
		free(panel->lines[i].x);
		free(panel->lines[i].y);
	}
	free(panel->lines);
	free(panel->title);
}

void plot_done(struct plot *plot)
{
	for (size_t i = 0; i < plot->panel_count; i++)
		panel_done(&plot->panels[i]);
	free(plot->panels);
	free(plot->title);
	free(plot->subtitle);
	*plot = (struct plot){ 0 };
}

static struct plot_panel *add_panel(struct plot *plot, const char *title)
{
	struct plot_panel *panels = reallocarray(plot->panels, plot->panel_count + 1,
						 sizeof(*panels));
	struct plot_panel *panel;

	if (!panels)
		return NULL;
	plot->panels = panels;
	panel = &panels[plot->panel_count];
	*panel = (struct plot_panel){ .title = strdup(title) };
	if (!panel->title)
		return NULL;
	plot->panel_count++;
	return panel;
}

/* With room for so many points. */
static struct plot_line *add_line(struct plot_panel *panel, const char *title, size_t room)
{
	struct plot_line *lines = reallocarray(panel->lines, panel->line_count + 1,
					       sizeof(*lines));
	struct plot_line *line;

	if (!lines)
		return NULL;
	panel->lines = lines;
	line = &lines[panel->line_count++];
	*line = (struct plot_line){ .title = strdup(title),
				    .x = calloc(room + 1, sizeof(double)),
				    .y = calloc(room + 1, sizeof(double)) };
	return line->title && line->x && line->y ? line : NULL;
}

static void add_point(struct plot_line *line, double x, double y)
{
	line->x[line->count] = x;
	line->y[line->count] = y;
	line->count++;
}

/* --- latency --------------------------------------------------------------------------- */

/* Up to where a hundredth of a per cent is left: 10^-4. */
#define NINES_MAX   4.0
#define NINES_STEPS 80

/* The place of a percentile: 0 for 0 %, 1 for 90 %, 2 for 99 % ... */
static int add_percentiles(struct plot_panel *panel, const char *title,
			   const struct histogram *latency)
{
	struct plot_line *line = add_line(panel, title, NINES_STEPS + 1);

	if (!line)
		return -ENOMEM;
	for (unsigned step = 0; step <= NINES_STEPS; step++) {
		double nines = NINES_MAX * step / NINES_STEPS;
		double part = 1 - pow(10, -nines);
		unsigned per_million = (unsigned)(part * 1e6 + 0.5);
		double left = (double)latency->count * pow(10, -nines);
		uint64_t value = histogram_quantile(latency, per_million);

		/* Of fewer than one sample nothing can be said. */
		if (left < 1 || !value)
			break;
		add_point(line, nines, (double)value / 1e6);
	}
	return 0;
}

static int add_latency(struct plot *plot, const struct comparison *comparison)
{
	static const char *const titles[SIM_DIRS] = { N_("Latency of reads"),
						      N_("Latency of writes") };

	for (unsigned dir = 0; dir < SIM_DIRS; dir++) {
		struct plot_panel *panel = NULL;

		for (size_t i = 0; i < comparison->count; i++) {
			const struct histogram *latency =
				&comparison->outcomes[i].latency_ns[dir];

			if (!latency->count)
				continue;
			if (!panel && !(panel = add_panel(plot, _(titles[dir]))))
				return -ENOMEM;
			if (add_percentiles(panel, comparison->columns[i].title, latency))
				return -ENOMEM;
		}
		if (!panel)
			continue;
		panel->x_label = _("percentile of the I/Os");
		panel->y_label = _("latency in ms");
		panel->x_axis = PLOT_NINES;
		panel->y_axis = PLOT_LOG;
		panel->has_legend = true;
	}
	return 0;
}

/* --- head ------------------------------------------------------------------------------ */

static int add_head_lines(struct plot_panel *panel, const struct samples *samples)
{
	struct plot_line *path = add_line(panel, _("order of issue"), samples->head_count);

	if (!path)
		return -ENOMEM;
	for (size_t i = 0; i < samples->head_count; i++)
		add_point(path, (double)(samples->head[i].time_ns - samples->head[0].time_ns) / 1e6,
			  (double)samples->head[i].sector * 512 / 1e9);
	for (unsigned dir = 0; dir < SIM_DIRS; dir++) {
		struct plot_line *line = add_line(
			panel, dir == SIM_DIR_READ ? _("read") : _("write"), samples->head_count);

		if (!line)
			return -ENOMEM;
		for (size_t i = 0; i < samples->head_count; i++) {
			if (samples->head[i].dir == dir)
				add_point(line, panel->lines[0].x[i], panel->lines[0].y[i]);
		}
	}
	return 0;
}

static int add_head(struct plot *plot, const struct comparison *comparison,
		    const struct samples *samples)
{
	for (size_t i = 0; i < comparison->count; i++) {
		_text_ struct text title = { 0 };
		struct plot_panel *panel;

		if (!samples[i].head_count)
			continue;
		text_addf(&title, _("Where requests go: %s"), comparison->columns[i].title);
		panel = title.error ? NULL : add_panel(plot, title.data);
		if (!panel || add_head_lines(panel, &samples[i]))
			return -ENOMEM;
		panel->x_label = _("time in ms");
		panel->y_label = _("position in GB");
		panel->has_marks = true;
		panel->has_legend = true;
	}
	return 0;
}

/* --- over time ------------------------------------------------------------------------- */

/* More points than these make a line that nobody can follow. */
#define DEPTH_POINTS      128
#define THROUGHPUT_POINTS 48

static int add_depth(struct plot *plot, const struct comparison *comparison,
		     const struct samples *samples)
{
	struct plot_panel *panel = add_panel(plot, _("Requests waiting and with the device"));

	if (!panel)
		return -ENOMEM;
	panel->x_label = _("time in s");
	panel->y_label = _("requests");
	panel->has_legend = true;
	for (size_t i = 0; i < comparison->count; i++) {
		struct timeline depth = samples[i].depth, *timeline = &depth;
		struct plot_line *line =
			add_line(panel, comparison->columns[i].title, timeline->used);

		timeline_coarsen(timeline, DEPTH_POINTS);
		if (!line)
			return -ENOMEM;
		for (size_t bin = 0; bin < timeline->used; bin++) {
			if (timeline->counts[bin])
				add_point(line, timeline_seconds(timeline, bin),
					  timeline_mean(timeline, bin));
		}
	}
	return 0;
}

static const char *group_title(const struct experiment_outcome *outcome, size_t group)
{
	return group < outcome->group_count ? outcome->groups[group].name : _("trace");
}

static int add_throughput(struct plot *plot, const struct comparison *comparison,
			  const struct samples *samples)
{
	for (size_t i = 0; i < comparison->count; i++) {
		_text_ struct text title = { 0 };
		struct plot_panel *panel;

		if (!samples[i].group_count)
			continue;
		text_addf(&title, _("Throughput by job: %s"), comparison->columns[i].title);
		panel = title.error ? NULL : add_panel(plot, title.data);
		if (!panel)
			return -ENOMEM;
		panel->x_label = _("time in s");
		panel->y_label = _("MB/s");
		panel->has_legend = true;
		for (size_t group = 0; group < samples[i].group_count; group++) {
			struct timeline bytes = samples[i].groups[group], *timeline = &bytes;
			struct plot_line *line =
				add_line(panel, group_title(&comparison->outcomes[i], group),
					 timeline->used);

			timeline_coarsen(timeline, THROUGHPUT_POINTS);
			if (!line)
				return -ENOMEM;
			/* The last bin is not full. */
			for (size_t bin = 0; bin + 1 < timeline->used; bin++)
				add_point(line, timeline_seconds(timeline, bin),
					  timeline_rate(timeline, bin) * 512 / 1e6);
		}
	}
	return 0;
}

/* --- ranges ---------------------------------------------------------------------------- */

/* Beyond this ratio the smaller lines would lie on the axis. */
#define RATIO_LINEAR 30

static void measure(struct plot_panel *panel)
{
	for (size_t l = 0; l < panel->line_count; l++) {
		const struct plot_line *line = &panel->lines[l];

		for (size_t i = 0; i < line->count; i++) {
			panel->x_max = fmax(panel->x_max, line->x[i]);
			panel->y_max = fmax(panel->y_max, line->y[i]);
			if (line->y[i] > 0 &&
			    (panel->y_min <= 0 || line->y[i] < panel->y_min))
				panel->y_min = line->y[i];
		}
	}
}

/* The mean of each line's values, the smallest against the largest. */
static bool is_uneven(const struct plot_panel *panel)
{
	double least = 0, most = 0;

	for (size_t l = 0; l < panel->line_count; l++) {
		const struct plot_line *line = &panel->lines[l];
		double mean = 0;

		for (size_t i = 0; i < line->count; i++)
			mean += line->y[i] / (double)line->count;
		if (mean <= 0)
			continue;
		most = fmax(most, mean);
		least = least <= 0 ? mean : fmin(least, mean);
	}
	return least > 0 && most / least > RATIO_LINEAR;
}

static bool is_alike(const struct plot_panel *a, const struct plot_panel *b)
{
	return strcmp(a->x_label, b->x_label) == 0 && strcmp(a->y_label, b->y_label) == 0;
}

/* Panels with the same axes get the same ranges. */
static void set_ranges(struct plot *plot)
{
	for (size_t p = 0; p < plot->panel_count; p++)
		measure(&plot->panels[p]);
	for (size_t p = 0; p < plot->panel_count; p++) {
		struct plot_panel *panel = &plot->panels[p];

		for (size_t q = 0; q < plot->panel_count; q++) {
			const struct plot_panel *other = &plot->panels[q];

			if (!is_alike(panel, other))
				continue;
			panel->x_max = fmax(panel->x_max, other->x_max);
			panel->y_max = fmax(panel->y_max, other->y_max);
			panel->y_min = fmin(panel->y_min, other->y_min);
			if (panel->x_axis == PLOT_LINEAR && !panel->has_marks && is_uneven(other))
				panel->y_axis = PLOT_LOG;
		}
	}
}

int plot_make(enum plot_kind kind, const struct comparison *comparison,
	      const struct samples *samples, const char *title, const char *subtitle,
	      struct plot *ret)
{
	struct plot plot = { .title = strdup(title), .subtitle = strdup(subtitle) };
	int error = plot.title && plot.subtitle ? 0 : -ENOMEM;

	if (!error && (kind == PLOT_LATENCY || kind == PLOT_ALL))
		error = add_latency(&plot, comparison);
	if (!error && (kind == PLOT_DEPTH || kind == PLOT_ALL))
		error = add_depth(&plot, comparison, samples);
	if (!error && (kind == PLOT_THROUGHPUT || kind == PLOT_ALL))
		error = add_throughput(&plot, comparison, samples);
	if (!error && (kind == PLOT_HEAD || kind == PLOT_ALL))
		error = add_head(&plot, comparison, samples);
	if (!error && !plot.panel_count)
		error = -ENODATA;
	if (error) {
		plot_done(&plot);
		return error;
	}
	set_ranges(&plot);
	*ret = plot;
	return 0;
}
