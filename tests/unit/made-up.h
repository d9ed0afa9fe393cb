/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Devices, policies and plans made by hand for the tests of reports: nothing in them is
 * owned, nothing has to be freed.
 */
#ifndef IOSCHED_TESTS_MADE_UP_H
#define IOSCHED_TESTS_MADE_UP_H

#include "test.h"

#include <errno.h>

#include "device/device.h"
#include "plan/plan.h"
#include "policy/policy.h"

/* A literal where the structs want char *. */
#define WORD(literal) ((char *)(uintptr_t)(literal))

/* sda, a SATA SSD under mq-deadline with three readable values and one that is not. */
static inline struct device made_up_ssd(struct device_value *values)
{
	struct device device = {
		.name = WORD("sda"), .sys_name = WORD("sda"), .major = 8,
		.size_sectors = 1953525168, .rotational = 0, .zoned = "none",
		.queue_kind = QUEUE_MQ, .has_scheduler_file = true, .hw_queues = 1,
		.driver_tags = 32, .transport = WORD("sata"), .model = WORD("Disk \x1b[31m\xff"),
		.driver = WORD("sd"), .level = LEVEL_OWN, .class = CLASS_SSD,
		.confidence = CONFIDENCE_CERTAIN, .values = values, .value_count = 4,
	};

	assert_int_equal(choice_parse("none [mq-deadline] kyber", &device.scheduler), 0);
	values[0] = (struct device_value){ .tunable = tunable_find_queue("nr_requests"),
					   .is_writable = true, .text = "64" };
	values[1] = (struct device_value){ .tunable = tunable_find_queue("read_ahead_kb"),
					   .is_writable = true, .text = "128" };
	values[2] = (struct device_value){ .tunable = tunable_find("mq-deadline.read_expire"),
					   .is_writable = true, .text = "500" };
	values[3] = (struct device_value){ .tunable = tunable_find_queue("wbt_lat_usec"),
					   .error = -EINVAL };
	return device;
}

/* What a profile wants of it: read_expire 100 ms instead of 500. */
static inline struct policy_device made_up_policy(const struct device *device,
						  struct policy_value *values)
{
	values[0] = (struct policy_value){ .tunable = tunable_scheduler(),
					   .value = "mq-deadline", .origin = ORIGIN_PROFILE,
					   .source = WORD("database.json:7") };
	values[1] = (struct policy_value){ .tunable = tunable_find("mq-deadline.read_expire"),
					   .value = "100", .origin = ORIGIN_PROFILE,
					   .source = WORD("database.json:9"),
					   .why = WORD("readers of a database wait for each page") };
	return (struct policy_device){ .device = device, .state = POLICY_SET,
				       .values = values, .value_count = 2 };
}

static inline struct plan_device made_up_plan(struct plan_step *step)
{
	*step = (struct plan_step){ .tunable = tunable_find("mq-deadline.read_expire"),
				    .from = "500", .to = "100", .origin = ORIGIN_PROFILE,
				    .source = WORD("database.json:9"),
				    .why = WORD("readers of a database wait for each page") };
	return (struct plan_device){ .name = WORD("sda"), .class = CLASS_SSD,
				     .state = PLAN_CHANGE, .steps = step, .step_count = 1 };
}

#endif
