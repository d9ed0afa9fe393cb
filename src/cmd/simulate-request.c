// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the options of simulate come to: numbers within their ranges, times and sizes with
 * units, settings by scheduler, and the kernel's version.
 */
#include "cmd/simulate-request.h"

#include <errno.h>
#include <string.h>

#include "sysfs/paths.h"
#include "util/i18n.h"
#include "util/number.h"

#define SERVICE_DEFAULT_NS 1000000 /* 1 ms */

void simulate_request_done(struct simulate_request *request)
{
	strv_done(&request->schedulers);
	strv_done(&request->words);
	if (request->log)
		fclose(request->log);
}

static int read_number(const char *name, const char *text, int64_t min, int64_t max,
		       unsigned *ret, struct diag *diag)
{
	int64_t value;
	int error;

	if (!text)
		return 0;
	error = number_parse_range(text, min, max, &value);
	if (error)
		return diag_set(diag, error, _("--%s takes a number from %lld to %lld"), name,
				(long long)min, (long long)max);
	*ret = (unsigned)value;
	return 0;
}

/* "500us", "2ms", "2": milliseconds unless a unit is given. */
static int read_time(const char *name, const char *text, uint64_t *ret_ns, struct diag *diag)
{
	int64_t value;
	bool has_unit;
	int error;

	if (!text)
		return 0;
	has_unit = text[strspn(text, "0123456789")] != '\0';
	error = number_parse_unit(text, has_unit ? UNIT_NS : UNIT_MS, &value);
	if (!error && (value < 0 || value > INT64_MAX / 4000000))
		error = -ERANGE;
	if (error)
		return diag_set(diag, error, _("--%s takes a time, for instance 2ms or 500us"),
				name);
	*ret_ns = (uint64_t)value * (has_unit ? 1 : 1000000);
	return 0;
}

static int read_size(const char *name, const char *text, uint32_t *ret_sectors,
		     struct diag *diag)
{
	int64_t value;
	int error;

	if (!text)
		return 0;
	error = number_parse_unit(text, UNIT_SECTORS, &value);
	if (error || value < 8 || value > UINT32_MAX)
		return diag_set(diag, -EINVAL, _("--%s takes a size, for instance 256M"), name);
	*ret_sectors = (uint32_t)value;
	return 0;
}

/* "mq-deadline.fifo_batch=1" or "fifo_batch=1" */
static int read_setting(struct simulate_request *request, const char *text,
			struct diag *diag)
{
	const char *equals = strchr(text, '='), *dot;
	struct sim_setting *setting = &request->settings[request->setting_count];
	char *key, *value;

	if (!equals || equals == text)
		return diag_set(diag, -EINVAL, _("--set takes KEY=VALUE, not \"%s\""), text);
	if (request->setting_count == SIMULATE_SETTINGS_MAX)
		return diag_set(diag, -E2BIG, _("more than %d times --set"), SIMULATE_SETTINGS_MAX);
	if (strv_add_len(&request->words, text, (size_t)(equals - text)) ||
	    strv_add(&request->words, equals + 1))
		return diag_set(diag, -ENOMEM, _("out of memory"));
	key = request->words.items[request->words.count - 2];
	value = request->words.items[request->words.count - 1];
	dot = strchr(key, '.');
	if (dot) {
		key[dot - key] = '\0';
		request->owners[request->setting_count] = key;
		key += strlen(key) + 1;
	}
	*setting = (struct sim_setting){ .file = key, .value = value };
	request->setting_count++;
	return 0;
}

static int read_kernel(const struct cmd_context *context, const char *text, bool is_replay,
		       struct kernel_version *ret, struct diag *diag)
{
	_free_ char *release = NULL;

	if (text && kernel_version_parse(text, ret))
		return diag_set(diag, -EINVAL, _("\"%s\" is not a kernel version"), text);
	if (text || is_replay)
		return 0;
	if (root_read(context->root, PATH_OSRELEASE, &release) ||
	    kernel_version_parse(text_trim(release), ret)) {
		diag_set(diag, -EINVAL, _("the running kernel's version is not known"));
		diag_hint(diag, _("say it with --kernel VERSION"));
		return -EINVAL;
	}
	return 0;
}

int simulate_request_read(const struct cmd_context *context,
			  const struct simulate_verb_options *options,
			  struct simulate_request *request, struct diag *diag)
{
	unsigned hw_queues = 1;
	int error;

	if (!options->replay == !options->trace)
		return diag_set(diag, -EINVAL, _("one of --replay and --trace is needed"));
	if (options->trace && !options->scheduler)
		return diag_set(diag, -EINVAL, _("--trace needs --scheduler NAME,..."));
	if (options->replay && options->has_explain)
		return diag_set(diag, -EINVAL, _("--explain goes with --trace"));
	request->service_ns = SERVICE_DEFAULT_NS;
	error = read_kernel(context, options->kernel, options->replay, &request->kernel, diag);
	if (!error)
		error = read_number("depth", options->depth, 1, SIM_HW_DEPTH_MAX,
				    &request->depth, diag);
	if (!error)
		error = read_number("hw-queues", options->hw_queues, 1, SIM_HW_QUEUES_MAX,
				    &hw_queues, diag);
	if (!error)
		error = read_number("nr-requests", options->nr_requests, 1, 65536,
				    &request->nr_requests, diag);
	if (!error)
		error = read_number("hz", options->hz, 10, SIM_HZ_MAX, &request->hz, diag);
	if (!error)
		error = read_time("service-time", options->service_time,
				  &request->service_ns, diag);
	if (!error)
		error = read_time("hold", options->hold, &request->hold_ns, diag);
	if (!error)
		error = read_size("zone-size", options->zone_size,
				  &request->config.zone_sectors, diag);
	for (size_t i = 0; i < options->sets.count && !error; i++)
		error = read_setting(request, options->sets.items[i], diag);
	if (!error && options->scheduler &&
	    strv_split(&request->schedulers, options->scheduler, ","))
		error = diag_set(diag, -ENOMEM, _("out of memory"));
	if (!error && (request->schedulers.count > SIMULATE_SCHEDULERS_MAX ||
		       (options->replay && request->schedulers.count > 1)))
		error = diag_set(diag, -EINVAL, _("too many schedulers"));
	request->config.hw_queues = hw_queues;
	request->config.cpus = hw_queues > 1 ? SIM_CPUS_MAX : 1;
	return error;
}

/* Those settings that are for the scheduler. */
size_t simulate_request_pick_settings(const struct simulate_request *request,
				      const char *scheduler, struct sim_setting *ret)
{
	size_t count = 0;

	for (size_t i = 0; i < request->setting_count; i++) {
		if (!request->owners[i] || !scheduler ||
		    strcmp(request->owners[i], scheduler) == 0)
			ret[count++] = request->settings[i];
	}
	return count;
}
