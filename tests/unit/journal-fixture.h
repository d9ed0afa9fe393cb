/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Journals of made-up disks for the tests: steps put in, and what going back would give.
 */
#ifndef IOSCHED_TESTS_JOURNAL_FIXTURE_H
#define IOSCHED_TESTS_JOURNAL_FIXTURE_H

#include "apply-fixture.h"

#include "apply/journal.h"
#include "sysfs/paths.h"

/* A step with these disks, each with this readahead before it. */
static inline void add_step(struct fixture *fixture, struct journal *journal,
		     const char *profile, const char *readahead, size_t first,
		     size_t count)
{
	struct plan_device planned[FIXTURE_DISK_MAX] = { 0 };
	struct queue_state states[FIXTURE_DISK_MAX] = { 0 };
	struct plan plan = { .items = planned, .count = FIXTURE_DISK_MAX };
	char other[] = "other";

	plan.profile_name = (char *)(uintptr_t)profile;
	for (size_t i = 0; i < FIXTURE_DISK_MAX; i++)
		planned[i].name = other;
	for (size_t i = first; i < first + count; i++) {
		planned[i].name = fixture->disks[i].name;
		planned[i].major = fixture->disks[i].major;
		planned[i].minor = fixture->disks[i].minor;
		assert_int_equal(queue_state_add(&states[i], tunable_scheduler(), "none"),
				 0);
		assert_int_equal(queue_state_add(&states[i],
						 fixture_tunable("read_ahead_kb"),
						 readahead),
				 0);
	}
	assert_int_equal(journal_add_step(journal, &plan, states, &fixture->list,
					  NULL), 0);
	for (size_t i = first; i < first + count; i++)
		queue_state_done(&states[i]);
}

static inline struct journal *load(struct fixture *fixture)
{
	struct journal *journal = NULL;

	assert_int_equal(journal_load(fixture->root, &journal, NULL), 0);
	assert_non_null(journal);
	return journal;
}

static inline void save(struct fixture *fixture, struct journal *journal)
{
	assert_int_equal(root_make_dir(fixture->root, PATH_STATE_DIR, 0700), 0);
	assert_int_equal(journal_save(fixture->root, journal, NULL), 0);
}

/* The readahead that going back would give disk `index`; NULL: nothing for it. */
static inline void assert_back(struct fixture *fixture, const struct journal *journal,
			enum journal_target target, size_t index, const char *readahead)
{
	struct strv gone = { 0 };
	struct policy *policy = NULL;
	const char *found = NULL;

	assert_int_equal(journal_to_policy(journal, &fixture->list, target, NULL, 0,
					   &policy, &gone),
			 0);
	for (size_t i = 0; i < policy->count; i++) {
		const struct policy_device *item = &policy->items[i];

		if (item->device != &fixture->disks[index])
			continue;
		assert_int_equal(item->state, POLICY_SET);
		assert_int_equal(item->value_count, 2);
		assert_int_equal(item->values[0].origin, ORIGIN_JOURNAL);
		assert_ptr_equal(item->values[0].tunable, tunable_scheduler());
		found = item->values[1].value;
	}
	if (readahead) {
		assert_non_null(found);
		assert_string_equal(found, readahead);
	} else {
		assert_null(found);
	}
	policy_free(policy);
	strv_done(&gone);
}

#endif
