// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What is said after a run, and the exit status: one case for each way in which a device
 * can end.
 */
#include "captured.h"
#include "made-up.h"

#include "cmd/outcome.h"
#include "util/wrap.h"

struct said {
	char *out, *err;
	int status;
};

static struct said report(const struct apply_device *items, size_t count, bool is_json)
{
	struct cmd_context context = { .is_json = is_json, .width = WRAP_WIDTH_DEFAULT };
	struct plan_device plans[4];
	struct plan plan = { .items = plans, .count = count };
	struct apply_report report = { .items = (struct apply_device *)(uintptr_t)items,
				       .count = count };
	struct captured out, err;
	struct said said;

	assert_true(count <= ARRAY_SIZE(plans));
	for (size_t i = 0; i < count; i++)
		plans[i] = *items[i].planned;
	err = captured_begin_of(stderr);
	out = captured_begin();
	said.status = outcome_report(&context, &plan, &report);
	said.out = captured_end(&out);
	said.err = captured_end(&err);
	return said;
}

static void said_done(struct said *said)
{
	free(said->out);
	free(said->err);
}

/* One device that ends so: its status, and a part of what is said of it. */
static void check(enum apply_outcome outcome, int error, const char *actual, int status,
		  const char *part, const char *advice)
{
	struct plan_step step;
	struct plan_device planned = made_up_plan(&step);
	struct apply_device item = { .planned = &planned, .outcome = outcome, .error = error,
				     .failed = error ? &step : NULL };
	struct said said;

	planned.reason = WORD("nothing can be chosen");
	snprintf(item.actual, sizeof(item.actual), "%s", actual);
	said = report(&item, 1, false);
	assert_int_equal(said.status, status);
	assert_non_null(strstr(said.err, part));
	if (advice)
		assert_non_null(strstr(said.err, advice));
	assert_non_null(strstr(said.err, "0 values written; 1 device failed"));
	assert_string_equal(said.out, "");
	said_done(&said);
}

static void test_every_failure_is_said_once(void **state)
{
	(void)state;
	check(APPLY_PUT_BACK, -EINVAL, "", EXIT_STATUS_SOME_FAILED,
	      "sda: mq-deadline.read_expire: cannot be set to '100 ms': Invalid argument",
	      "sda: put back as it was");
	check(APPLY_PUT_BACK, -EIO, "500", EXIT_STATUS_SOME_FAILED,
	      "'100 ms' was written, but it reads '500 ms'", "put back");
	check(APPLY_BROKEN, -EINVAL, "", EXIT_STATUS_SOME_FAILED, "could not be put back",
	      "iosched-tune restore sda");
	check(APPLY_STUCK, 0, "", EXIT_STATUS_SOME_FAILED, "no answer within the time limit",
	      "dmesg");
	check(APPLY_GONE, 0, "", EXIT_STATUS_SOME_FAILED, "went away", NULL);
	check(APPLY_INTERRUPTED, 0, "", EXIT_STATUS_SOME_FAILED, "not begun", NULL);
	check(APPLY_BLOCKED, 0, "", EXIT_STATUS_SOME_FAILED, "sda: nothing can be chosen", NULL);
	check(APPLY_PUT_BACK, -EACCES, "", EXIT_STATUS_DENIED, "Permission denied", NULL);
	check(APPLY_PUT_BACK, -EROFS, "", EXIT_STATUS_DENIED, "Read-only file system", NULL);
}

static void test_one_of_several(void **state)
{
	struct plan_step step;
	struct plan_device planned = made_up_plan(&step), skipped = { .name = WORD("loop0"),
								      .state = PLAN_SKIPPED };
	struct apply_write write = { true, "500" };
	struct apply_device items[] = {
		{ .planned = &planned, .steps_done = 1, .writes = &write },
		{ .planned = &planned, .outcome = APPLY_PUT_BACK, .failed = &step,
		  .error = -EACCES },
		{ .planned = &planned, .outcome = APPLY_GONE },
		{ .planned = &skipped, .outcome = APPLY_UNCHANGED },
	};
	struct said said = report(items, 4, false);

	(void)state;
	/* Permission was not the only cause. */
	assert_int_equal(said.status, EXIT_STATUS_SOME_FAILED);
	assert_non_null(strstr(said.err, "1 value written on 1 device; 2 devices failed"));
	assert_non_null(strstr(said.out, "500 ms 100 ms"));
	said_done(&said);
}

static void test_success(void **state)
{
	struct plan_step step;
	struct plan_device planned = made_up_plan(&step);
	struct apply_write write = { true, "500" };
	struct apply_device done = { .planned = &planned, .steps_done = 1, .writes = &write };
	struct apply_device unchanged = { .planned = &planned, .outcome = APPLY_UNCHANGED };
	struct said said = report(&done, 1, false);

	(void)state;
	assert_int_equal(said.status, EXIT_STATUS_DONE);
	assert_string_equal(said.err, "iosched-tune: 1 value written on 1 device\n");
	said_done(&said);
	said = report(&unchanged, 1, false);
	assert_int_equal(said.status, EXIT_STATUS_DONE);
	assert_string_equal(said.err, "iosched-tune: 0 values written; "
				      "1 device was right already\n");
	said_done(&said);
	said = report(&done, 1, true);
	assert_non_null(strstr(said.out, "\"outcome\": \"done\""));
	assert_non_null(strstr(said.out, "\"dry_run\": false"));
	said_done(&said);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_failure_is_said_once),
		cmocka_unit_test(test_one_of_several),
		cmocka_unit_test(test_success),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
