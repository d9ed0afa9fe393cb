// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Metrics: the samples of a device, and names that would end a label.
 */
#include "made-up.h"

#include "report/prometheus.h"

static char *render(const struct column_row *row, const char *profile)
{
	struct column_row item = *row;
	struct status_rows rows = { &item, 1 };
	struct text out = { 0 };

	assert_int_equal(prometheus_add_status(&rows, profile, &out), 0);
	return out.data;
}

static void assert_line(const char *text, const char *line)
{
	const char *at = strstr(text, line);

	if (!at)
		print_error("%s\nnot in:\n%s", line, text);
	assert_non_null(at);
	assert_true(at == text || at[-1] == '\n');
}

static void test_samples(void **state)
{
	struct device_value device_values[4];
	struct policy_value values[2];
	struct plan_step step;
	struct device device = made_up_ssd(device_values);
	struct policy_device policy = made_up_policy(&device, values);
	struct plan_device plan = made_up_plan(&step);
	struct column_row row = { &device, &policy, &plan };
	char *text;

	(void)state;
	text = render(&row, "database");
	assert_line(text, "iosched_tune_profile_info{profile=\"database\"} 1\n");
	assert_line(text, "iosched_tune_devices{state=\"drift\"} 1\n");
	assert_line(text, "iosched_tune_devices{state=\"in-force\"} 0\n");
	assert_line(text, "# TYPE iosched_tune_device_info gauge\n"
			  "iosched_tune_device_info{device=\"sda\",class=\"ssd\","
			  "transport=\"sata\",scheduler=\"mq-deadline\","
			  "wanted=\"mq-deadline\",state=\"drift\"} 1\n");
	assert_line(text, "iosched_tune_device_drift{device=\"sda\"} 1\n");
	assert_line(text, "iosched_tune_device_pending_writes{device=\"sda\"} 1\n");
	free(text);
}

/* A device that no profile speaks of drifts from nothing. */
static void test_left_alone(void **state)
{
	struct device_value device_values[4];
	struct device device = made_up_ssd(device_values);
	struct policy_device policy = { .device = &device, .state = POLICY_LEFT };
	struct column_row row = { &device, &policy, NULL };
	char *text;

	(void)state;
	text = render(&row, "balanced");
	assert_line(text, "iosched_tune_devices{state=\"left-alone\"} 1\n");
	assert_null(strstr(text, "device_drift{"));
	assert_null(strstr(text, "pending_writes{"));
	free(text);
}

static void test_hostile_names(void **state)
{
	struct device_value device_values[4];
	struct device device = made_up_ssd(device_values);
	struct column_row row = { .device = &device };
	char *text;

	(void)state;
	device.name = WORD("a\"} 1\n\\\xff");
	text = render(&row, "p\"\n");
	assert_line(text, "iosched_tune_profile_info{profile=\"p\\\"\\\\x0a\"} 1\n");
	assert_line(text,
		    "iosched_tune_device_info{device=\"a\\\"} 1\\\\x0a\\\\\\\\xff\",class=");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_samples),
		cmocka_unit_test(test_left_alone),
		cmocka_unit_test(test_hostile_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
