// SPDX-License-Identifier: GPL-2.0-or-later
/* Looking for what may spoil a comparison. */
#include "bench/conditions.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "device/host.h"
#include "sysfs/paths.h"
#include "util/i18n.h"
#include "util/number.h"

/* Of a processor: more than a shell and a daemon or two. */
#define LOAD_BUSY      0.5
/* Requests per second of others that are more than a log. */
#define REQUESTS_BUSY  5

static bool has_irqbalance(const struct root *root)
{
	static const char *const paths[] = PATHS_IRQBALANCE;

	for (size_t i = 0; i < ARRAY_SIZE(paths); i++) {
		if (root_exists(root, paths[i]))
			return true;
	}
	return false;
}

/* All processors of a machine mostly have the same. */
static void read_governor(const struct root *root, char *ret, size_t size)
{
	_strv_ struct strv names = { 0 };

	if (root_list(root, PATH_CPUS, &names))
		return;
	for (size_t i = 0; i < names.count && !*ret; i++) {
		_free_ char *path = NULL, *text = NULL;

		if (!text_starts_with(names.items[i], "cpu"))
			continue;
		if (asprintf(&path, PATH_CPUS "/%s/cpufreq/scaling_governor",
			     names.items[i]) < 0) {
			path = NULL;
			return;
		}
		if (root_read(root, path, &text) == 0)
			snprintf(ret, size, "%s", text);
	}
}

/* "0.52 0.58 0.59 1/467 12345" */
static double read_load_average(const struct root *root)
{
	_free_ char *text = NULL;
	double load;

	if (root_read(root, PATH_LOADAVG, &text))
		return -1;
	text[strcspn(text, " ")] = '\0';
	return number_parse_decimal(text, &load) ? -1 : load;
}

void conditions_read(const struct root *root, const struct device_list *devices,
		     const struct device_load *other, struct conditions *ret)
{
	const char *kind = devices->host ? devices->host->virtualisation : NULL;
	long online = sysconf(_SC_NPROCESSORS_ONLN);

	*ret = (struct conditions){
		.has_irqbalance = has_irqbalance(root),
		.load_average = read_load_average(root),
		.processors = online > 0 ? (unsigned)online : 1,
		.has_other = other != NULL,
	};
	read_governor(root, ret->governor, sizeof(ret->governor));
	if (other)
		ret->other = *other;
	if (kind && strcmp(kind, "none") != 0)
		snprintf(ret->virtualisation, sizeof(ret->virtualisation), "%s", kind);
}

static void add_line(struct strv *list, struct text *line, int *error)
{
	if (line->error)
		*error = line->error;
	else if (line->data && !*error)
		*error = strv_add(list, line->data);
	text_done(line);
}

int conditions_list(const struct conditions *conditions, struct strv *ret)
{
	double requests = conditions->other.read.requests_s + conditions->other.write.requests_s;
	struct text line = { 0 };
	int error = 0;

	if (conditions->has_other && requests > REQUESTS_BUSY)
		text_addf(&line, _("others use the device: %.0f requests per second before the "
				   "first run"),
			  requests);
	add_line(ret, &line, &error);
	if (conditions->load_average > LOAD_BUSY * conditions->processors)
		text_addf(&line, _("the machine is busy: a load of %.2f on %u processors"),
			  conditions->load_average, conditions->processors);
	add_line(ret, &line, &error);
	if (conditions->governor[0] && strcmp(conditions->governor, "performance") != 0) {
		text_add(&line, _("processors change their speed: the frequency governor is "));
		text_add_safe(&line, conditions->governor);
	}
	add_line(ret, &line, &error);
	if (conditions->has_irqbalance)
		text_add(&line, _("irqbalance may move the interrupts meanwhile"));
	add_line(ret, &line, &error);
	if (conditions->virtualisation[0]) {
		text_add(&line, _("a virtual machine: its host schedules, too ("));
		text_add_safe(&line, conditions->virtualisation);
		text_add(&line, ")");
	}
	add_line(ret, &line, &error);
	return error;
}
