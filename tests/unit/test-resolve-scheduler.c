// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Choosing a scheduler: names of either kind of queue, lists with fallbacks, modules, and
 * zoned disks.
 */
#include "policy-host.h"

#include <errno.h>

#define RULE(schedulers)                                                                 \
	"{ \"name\": \"t\", \"rules\": [ { \"scheduler\": " schedulers " } ] }"

/* User problem 2: noop on blk-mq, none on a legacy queue. */
static void test_names_are_translated(void **state)
{
	struct host_fixture host;

	(void)state;
	host_open(&host, "policy-legacy-4.19.txt", NULL);
	assert_int_equal(host_device(&host, "sda")->queue_kind, QUEUE_LEGACY);
	assert_int_equal(host_device(&host, "nvme0n1")->queue_kind, QUEUE_MQ);
	assert_int_equal(host_resolve(&host, RULE("\"noop\""), NULL, NULL), 0);
	assert_wanted(&host, "nvme0n1", "scheduler", "none");
	assert_note(&host, "nvme0n1", "cannot have noop: none takes its place");
	assert_wanted(&host, "sda", "scheduler", "noop");
	assert_int_equal(host_resolve(&host, RULE("\"mq-deadline\""), NULL, NULL), 0);
	assert_wanted(&host, "nvme0n1", "scheduler", "mq-deadline");
	assert_wanted(&host, "sda", "scheduler", "deadline");
	assert_int_equal(host_resolve(&host, RULE("\"bfq\""), "sda", NULL), 0);
	assert_wanted(&host, "sda", "scheduler", "cfq");
	assert_int_equal(host_resolve(&host, NULL, "nvme0n1", "scheduler=deadline"), 0);
	assert_wanted(&host, "nvme0n1", "scheduler", "mq-deadline");
	host_close(&host);
}

/* User problem 10 and the legacy names of attributes. */
static void test_parameters_follow_the_name(void **state)
{
	struct host_fixture host;

	(void)state;
	host_open(&host, "policy-legacy-4.19.txt", NULL);
	assert_int_equal(host_resolve(&host, "database", "sda", NULL), 0);
	assert_wanted(&host, "sda", "scheduler", "deadline");
	assert_wanted(&host, "sda", "deadline.read_expire", "100");
	assert_wanted(&host, "sda", "mq-deadline.read_expire", NULL);
	assert_note(&host, "sda", "mq-deadline.read_expire is deadline.read_expire");
	/* Values of a scheduler that will not be active have no meaning. */
	assert_int_equal(host_resolve(&host, "database", "sda", "scheduler=noop"), 0);
	assert_int_equal(host_policy(&host, "sda")->value_count, 1);
	host_close(&host);
}

/* User problem 11: not listed, but there is a module. */
static void test_module_counts_as_available(void **state)
{
	struct host_fixture host;

	(void)state;
	host_open(&host, "policy-server-6.1.txt", NULL);
	assert_false(choice_has(&host_device(&host, "sda")->scheduler, "bfq"));
	assert_int_equal(
		host_resolve(&host, RULE("[\"bfq\", \"mq-deadline\"]"), "sda", NULL), 0);
	assert_wanted(&host, "sda", "scheduler", "bfq");
	assert_int_equal(host_policy(&host, "sda")->rejected_count, 0);
	host_close(&host);
}

/* User problem 27: a kernel without bfq and kyber. */
static void test_cut_kernel_falls_back(void **state)
{
	struct host_fixture host;

	(void)state;
	host_open(&host, "policy-legacy-4.19.txt", NULL);
	assert_int_equal(host_resolve(&host,
				      RULE("[\"kyber\", \"bfq\", \"mq-deadline\"]"),
				      "nvme0n1", NULL),
			 0);
	assert_wanted(&host, "nvme0n1", "scheduler", "mq-deadline");
	assert_rejected(&host, "nvme0n1", "kyber", "no module kyber-iosched");
	assert_rejected(&host, "nvme0n1", "bfq", "no module bfq");
	/* Every shipped profile finds something for every disk. */
	for (size_t i = 0; i < host.devices->count; i++) {
		assert_int_equal(host_resolve(&host, "multi-tenant", NULL, NULL), 0);
		assert_non_null(
			host_find_value(&host, host.devices->items[i].name, "scheduler"));
	}
	host_close(&host);
}

static void test_nothing_can_be_had(void **state)
{
	struct host_fixture host;

	(void)state;
	host_open(&host, "policy-legacy-4.19.txt", NULL);
	assert_int_equal(
		host_resolve(&host, RULE("[\"kyber\", \"bfq\"]"), "nvme0n1", NULL), 0);
	assert_reason(&host, "nvme0n1", POLICY_LEFT, "none of the schedulers");
	assert_note(&host, "nvme0n1", "none stays");
	assert_int_equal(host_resolve(&host, NULL, "nvme0n1", "scheduler=bfq"), -EINVAL);
	assert_non_null(strstr(host.diag.text, "nvme0n1: cannot set scheduler to bfq"));
	assert_non_null(strstr(host.diag.text, "4.19.90"));
	assert_int_equal(host_resolve(&host, NULL, "nvme0n1", "scheduler=adios"),
			 -EINVAL);
	assert_int_equal(host_resolve(&host, NULL, "nvme0n1", "scheduler=kyber,noop"), 0);
	assert_wanted(&host, "nvme0n1", "scheduler", "none");
	host_close(&host);
}

/* A rule whose list fails leaves the word to the next rule. */
static void test_next_rule_after_a_failed_list(void **state)
{
	struct host_fixture host;

	(void)state;
	host_open(&host, "policy-legacy-4.19.txt", NULL);
	assert_int_equal(
		host_resolve(&host,
			     "{ \"name\": \"t\", \"rules\": [ { \"scheduler\": "
			     "\"kyber\" }, { \"scheduler\": \"mq-deadline\" } ] }",
			     "nvme0n1", NULL),
		0);
	assert_wanted(&host, "nvme0n1", "scheduler", "mq-deadline");
	assert_int_equal(host_resolve(&host,
				      "{ \"name\": \"t\", \"rules\": [ { \"scheduler\": "
				      "\"keep\", \"queue\": { \"nomerges\": 1 } }, "
				      "{ \"scheduler\": \"mq-deadline\" } ] }",
				      "nvme0n1", NULL),
			 0);
	assert_wanted(&host, "nvme0n1", "scheduler", NULL);
	assert_wanted(&host, "nvme0n1", "nomerges", "1");
	host_close(&host);
}

/* User problem 14. */
static void test_zoned_disk_needs_mq_deadline(void **state)
{
	static const char *const profiles[] = { "balanced", "database", "desktop",
						"multi-tenant", "low-latency" };
	struct host_fixture host;

	(void)state;
	host_open(&host, "policy-zoned-6.1.txt", NULL);
	for (size_t i = 0; i < 5; i++) {
		assert_int_equal(host_resolve(&host, profiles[i], NULL, NULL), 0);
		assert_wanted(&host, "sda", "scheduler", "mq-deadline");
		assert_wanted(&host, "nvme0n1", "scheduler", "mq-deadline");
	}
	assert_rejected(&host, "nvme0n1", "none", "only mq-deadline keeps the order");
	assert_int_equal(host_resolve(&host, NULL, "sda", "scheduler=bfq"), -EINVAL);
	assert_non_null(
		strstr(host.diag.text, "host-managed zoned disk: on Linux 6.1.0"));
	assert_int_equal(host_resolve(&host, NULL, "sda", "scheduler=deadline"), 0);
	host_close(&host);
	/* From 6.10 on the kernel itself keeps the order. */
	host_open(&host, "policy-zoned-6.12.txt", NULL);
	assert_int_equal(host_resolve(&host, NULL, "sda", "scheduler=bfq"), 0);
	assert_int_equal(host_resolve(&host, "balanced", NULL, NULL), 0);
	assert_wanted(&host, "nvme0n1", "scheduler", "none");
	host_close(&host);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names_are_translated),
		cmocka_unit_test(test_parameters_follow_the_name),
		cmocka_unit_test(test_module_counts_as_available),
		cmocka_unit_test(test_cut_kernel_falls_back),
		cmocka_unit_test(test_nothing_can_be_had),
		cmocka_unit_test(test_next_rule_after_a_failed_list),
		cmocka_unit_test(test_zoned_disk_needs_mq_deadline),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
