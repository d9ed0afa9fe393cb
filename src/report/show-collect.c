// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What there is to show of a device beyond its columns: attributes with what is wanted of
 * them, schedulers with those that could be loaded, the meaning of nr_requests.
 */
#include "report/show.h"

#include <string.h>

#include "device/host.h"
#include "util/i18n.h"

static const struct policy_value *find_wanted(const struct show_view *view,
					      const struct tunable *tunable)
{
	const struct policy_device *policy = view->row.policy;

	for (size_t i = 0; policy && i < policy->value_count; i++)
		if (policy->values[i].tunable == tunable)
			return &policy->values[i];
	return NULL;
}

static size_t collect_place(const struct show_view *view, enum tunable_place place,
			    struct show_attribute *ret, size_t count)
{
	for (size_t i = 0; i < tunable_count() && count < SHOW_ATTRIBUTE_MAX; i++) {
		const struct tunable *tunable = tunable_get(i);
		struct show_attribute attribute = { .tunable = tunable };

		if (tunable->place != place || tunable == tunable_scheduler())
			continue;
		attribute.now = device_find_value(view->row.device, tunable);
		attribute.wanted = find_wanted(view, tunable);
		if (attribute.now || attribute.wanted)
			ret[count++] = attribute;
	}
	return count;
}

size_t show_collect_attributes(const struct show_view *view, struct show_attribute *ret)
{
	size_t count = collect_place(view, TUNABLE_IOSCHED, ret, 0);

	return collect_place(view, TUNABLE_QUEUE, ret, count);
}

size_t show_collect_schedulers(const struct show_view *view, struct show_scheduler *ret)
{
	const struct device *device = view->row.device;
	const char *active = choice_active(&device->scheduler);
	const struct scheduler *scheduler;
	size_t count = 0;

	if (!active)
		return 0;
	for (size_t i = 0; (scheduler = scheduler_get(i)) && count < SHOW_SCHEDULER_MAX;
	     i++) {
		bool is_offered = choice_has(&device->scheduler, scheduler->name);

		if (scheduler->kind != device->queue_kind)
			continue;
		if (!is_offered &&
		    !host_can_load_scheduler(view->devices->host, scheduler))
			continue;
		ret[count++] = (struct show_scheduler){ scheduler,
							!strcmp(active, scheduler->name),
							is_offered };
	}
	return count;
}

int show_explain_requests(const struct device *device, struct text *out)
{
	const char *active = choice_active(&device->scheduler);
	const struct device_value *value =
		device_find_value(device, tunable_find_queue("nr_requests"));

	if (!value || value->error || !active)
		return 0;
	if (device->queue_kind == QUEUE_LEGACY) {
		text_addf(out,
			  _("nr_requests %s: so many reads, and as many writes, may wait "
			    "in the "
			    "queue; who comes later sleeps."),
			  value->text);
		return out->error;
	}
	if (!strcmp(active, "none"))
		text_addf(out,
			  _("nr_requests %s: with none there are no scheduler tags. This "
			    "is how "
			    "many of the driver's tags each hardware queue may use: it "
			    "can be "
			    "lowered, not raised beyond what the driver has."),
			  value->text);
	else
		text_addf(out,
			  _("nr_requests %s: scheduler tags, how many requests %s may "
			    "hold and "
			    "put in order for each hardware queue. It is not the depth "
			    "of the "
			    "device."),
			  value->text, active);
	if (device->driver_tags)
		text_addf(out,
			  _(" The driver has %llu tags for each hardware queue: so many "
			    "requests are with the device at a time."),
			  (unsigned long long)device->driver_tags);
	if (device->driver_tags && strcmp(active, "none"))
		text_add(out,
			 _(" Requests beyond these wait in the scheduler, and only there "
			   "it can choose between them."));
	return out->error;
}
