// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Watching: scan, compare the counters with those of the last time, print, wait. Disks may
 * come and go meanwhile.
 */
#include "cmd/watch.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "cmd/common.h"
#include "report/json.h"
#include "report/watch.h"
#include "util/clock.h"
#include "util/i18n.h"
#include "util/json-build.h"
#include "util/signals.h"

/* ECMA-48: home, and erase from there to the end; cursor off and on. */
#define SCREEN_CLEAR "\033[H\033[J"
#define CURSOR_OFF   "\033[?25l"
#define CURSOR_ON    "\033[?25h"

/* A disk as it was the last time. */
struct memory {
	char *name;
	unsigned major, minor;
	uint64_t diskseq;
	struct device_counters counters;
};

struct watch {
	const struct cmd_context *context;
	const struct watch_request *request;
	struct memory *before;
	size_t before_count;
	uint64_t when_ns;
};

static void forget(struct watch *watch)
{
	for (size_t i = 0; i < watch->before_count; i++)
		free(watch->before[i].name);
	free(watch->before);
	watch->before = NULL;
	watch->before_count = 0;
}

static const struct memory *find_before(const struct watch *watch,
					const struct device *device)
{
	for (size_t i = 0; i < watch->before_count; i++) {
		const struct memory *memory = &watch->before[i];

		if (!strcmp(memory->name, device->name) &&
		    memory->major == device->major && memory->minor == device->minor &&
		    memory->diskseq == device->diskseq)
			return memory;
	}
	return NULL;
}

static int remember(struct memory *memories, size_t *count, const struct device *device,
		    const struct device_counters *counters)
{
	struct memory *memory = &memories[*count];

	*memory = (struct memory){ .name = strdup(device->name),
				   .major = device->major,
				   .minor = device->minor,
				   .diskseq = device->diskseq,
				   .counters = *counters };
	if (!memory->name)
		return -ENOMEM;
	++*count;
	return 0;
}

static bool is_shown(const struct watch *watch, const struct gathered *gathered,
		     const struct device *device)
{
	if (gathered->named_count)
		return gathered_is_asked(gathered, device);
	return watch->request->is_all || device->size_sectors;
}

static void measure(const struct watch *watch, const struct device *device,
		    const struct device_counters *counters, double seconds,
		    struct watch_row *row)
{
	const struct memory *before = find_before(watch, device);

	if (root_get_kind(watch->context->root) == ROOT_SNAPSHOT)
		row->has_load = !device_load_recorded(watch->context->root, device,
						      &row->load);
	else
		row->has_load = before && !device_load_between(&before->counters, counters,
							       seconds, &row->load);
}

/* The rows of now; what was counted becomes what was before. */
static int make_rows(struct watch *watch, const struct gathered *gathered,
		     struct watch_row *rows, size_t *ret_count)
{
	const struct device_list *devices = gathered->devices;
	struct memory *memories = calloc(devices->count + 1, sizeof(*memories));
	uint64_t now_ns = clock_now_ns();
	double seconds = (double)(now_ns - watch->when_ns) / 1e9;
	size_t used = 0, count = 0;
	int error = memories ? 0 : -ENOMEM;

	for (size_t i = 0; !error && i < devices->count; i++) {
		const struct device *device = &devices->items[i];
		struct device_counters counters;

		if (!is_shown(watch, gathered, device))
			continue;
		rows[count].device = device;
		if (!device_counters_read(watch->context->root, device, &counters)) {
			measure(watch, device, &counters, seconds, &rows[count]);
			error = remember(memories, &used, device, &counters);
		}
		count++;
	}
	forget(watch);
	watch->before = memories;
	watch->before_count = used;
	watch->when_ns = now_ns;
	*ret_count = count;
	return error;
}

static int print_rows(const struct watch *watch, const struct watch_row *rows,
		      size_t count, bool is_first)
{
	const struct cmd_context *context = watch->context;
	struct table_style style = cmd_table_style(context);
	json_t *root;
	int error = 0;

	if (context->is_json) {
		root = json_envelope();
		json_put(root, "devices", watch_to_json(rows, count), &error);
		return json_print(root, error);
	}
	style.is_raw = watch->request->is_raw;
	style.no_heading = watch->request->no_headings;
	if (cmd_has_escapes(STDOUT_FILENO)) {
		unsigned lines;

		cmd_terminal_size(&style.width, &lines);
		/* What is not on the screen would scroll the rest away. */
		if (lines > 2 && count > lines - 2)
			count = lines - 2;
		/* Written at once with what follows, so nothing flickers. */
		fputs(is_first ? CURSOR_OFF SCREEN_CLEAR : SCREEN_CLEAR, stdout);
	} else if (!is_first) {
		putchar('\n');
	}
	return watch_print(rows, count, &style);
}

static int show_once(struct watch *watch, const struct verb *verb, bool is_silent,
		     bool is_first)
{
	_gathered_ struct gathered gathered = { 0 };
	const struct gather_request request = {
		.policy = GATHER_NO_POLICY,
		.needs = SCAN_SCHEDULER | SCAN_BASICS | SCAN_CLASS,
		.names = watch->request->names,
		.name_count = watch->request->name_count,
	};
	struct watch_row *rows;
	size_t count = 0;
	int error, status = gather(watch->context, verb, &request, &gathered);

	if (status)
		return status;
	rows = calloc(gathered.devices->count + 1, sizeof(*rows));
	error = rows ? make_rows(watch, &gathered, rows, &count) : -ENOMEM;
	if (!error && !is_silent)
		error = print_rows(watch, rows, count, is_first);
	free(rows);
	return error ? cmd_fail(&(struct diag){ 0 }, error) : EXIT_STATUS_DONE;
}

int watch_run(const struct cmd_context *context, const struct verb *verb,
	      const struct watch_request *request)
{
	struct watch watch = { .context = context, .request = request };
	bool is_fixed = root_get_kind(context->root) == ROOT_SNAPSHOT;
	_held_signals_ struct held_signals signals = SIGNALS_NONE;
	int status = EXIT_STATUS_DONE;

	/* A new size of the terminal is drawn at once. Where signals cannot be held they end
	   the program. */
	signals_hold(SIGNALS_HANGUP | SIGNALS_QUIT | SIGNALS_IGNORED | SIGNALS_RESIZE,
		     &signals);
	/* The first reading is only there to compare with. */
	if (!is_fixed)
		status = show_once(&watch, verb, true, false);
	for (uint64_t shown = 0; !status && (!request->count || shown < request->count);
	     shown++) {
		if (!is_fixed && signals_wait(&signals, (int)request->interval_ms))
			break;
		status = show_once(&watch, verb, false, !shown);
		if (fflush(stdout) || ferror(stdout) || is_fixed)
			break;
	}
	if (cmd_has_escapes(STDOUT_FILENO) && !context->is_json)
		fputs(CURSOR_ON, stdout);
	forget(&watch);
	return status;
}
