// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One record for each attribute that was written, to journald or into the log file.
 */
#include "apply/audit.h"

#include <stdlib.h>
#include <sys/uio.h>
#include <time.h>

#include <jansson.h>

#include "sysfs/paths.h"
#include "util/feature.h"
#include "util/i18n.h"
#include "util/text.h"

#if HAVE_JOURNAL
#include <systemd/sd-journal.h>
#endif

/* Of this kind of record, for `journalctl MESSAGE_ID=`. */
#define AUDIT_MESSAGE_ID "5b1f0c6ad5a84b9f8e0d7a3c1e92f4b6"

struct audit_record {
	const char *device;
	const char *attribute;
	const char *old, *new; /* "" where it could not be read */
	const char *profile;   /* "" for a restore */
	const char *origin;
	const char *outcome; /* of the device: "done", "put-back" … */
};

#if HAVE_JOURNAL
#define FIELD_COUNT 10

static void fill_fields(const struct audit_record *record, struct text *fields)
{
	text_addf(&fields[0], "MESSAGE=%s: %s %s -> %s (%s)", record->device,
		  record->attribute, record->old, record->new, record->outcome);
	text_add(&fields[1], "MESSAGE_ID=" AUDIT_MESSAGE_ID);
	text_add(&fields[2], "PRIORITY=6");
	text_addf(&fields[3], "IOSCHED_DEVICE=%s", record->device);
	text_addf(&fields[4], "IOSCHED_ATTRIBUTE=%s", record->attribute);
	text_addf(&fields[5], "IOSCHED_OLD=%s", record->old);
	text_addf(&fields[6], "IOSCHED_NEW=%s", record->new);
	text_addf(&fields[7], "IOSCHED_PROFILE=%s", record->profile);
	text_addf(&fields[8], "IOSCHED_ORIGIN=%s", record->origin);
	text_addf(&fields[9], "IOSCHED_OUTCOME=%s", record->outcome);
}

static bool send_record(const struct audit_record *record)
{
	struct text fields[FIELD_COUNT] = { 0 };
	struct iovec iov[FIELD_COUNT];
	bool is_sent = true;

	fill_fields(record, fields);
	for (size_t i = 0; i < FIELD_COUNT; i++) {
		is_sent = is_sent && !fields[i].error;
		iov[i] = (struct iovec){ fields[i].data, fields[i].len };
	}
	is_sent = is_sent && sd_journal_sendv(iov, FIELD_COUNT) >= 0;
	for (size_t i = 0; i < FIELD_COUNT; i++)
		text_done(&fields[i]);
	return is_sent;
}
#else
static bool send_record(const struct audit_record *record)
{
	(void)record;
	return false;
}
#endif

static void add_line(struct text *lines, const struct audit_record *record)
{
	char stamp[sizeof("2026-01-01T00:00:00Z")];
	time_t now = time(NULL);
	struct tm utc;
	json_t *object;
	char *line;

	if (!gmtime_r(&now, &utc) ||
	    !strftime(stamp, sizeof(stamp), "%Y-%m-%dT%H:%M:%SZ", &utc))
		return;
	object =
		json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s}", "time", stamp,
			  "device", record->device, "attribute", record->attribute, "old",
			  record->old, "new", record->new, "profile", record->profile,
			  "origin", record->origin, "outcome", record->outcome);
	line = json_dumps(object, JSON_COMPACT);
	json_decref(object);
	if (!line)
		return;
	if (lines->len)
		text_add(lines, "\n");
	text_add(lines, line);
	free(line);
}

/* --- which writes there were -------------------------------------------------------- */

struct trail {
	bool is_journald; /* until it refuses */
	const char *profile;
	struct text lines; /* for the file */
};

static void add_write(struct trail *trail, const struct apply_device *result,
		      size_t index)
{
	const struct plan_step *step = &result->planned->steps[index];
	const char *now =
		step == result->failed && result->actual[0] ? result->actual : step->to;
	char old[TUNABLE_VALUE_MAX * 4], new[TUNABLE_VALUE_MAX * 4];
	char device[256], profile[256];
	const struct audit_record record = {
		.device = device,
		.attribute = step->tunable->key,
		.old = old,
		.new = new,
		.profile = profile,
		.origin = policy_origin_name(step->origin),
		.outcome = apply_outcome_name(result->outcome),
	};

	text_escape_terminal(result->planned->name, device, sizeof(device));
	text_escape_terminal(result->writes[index].old, old, sizeof(old));
	text_escape_terminal(now, new, sizeof(new));
	text_escape_terminal(trail->profile ? trail->profile : "", profile,
			     sizeof(profile));
	if (trail->is_journald)
		trail->is_journald = send_record(&record);
	if (!trail->is_journald)
		add_line(&trail->lines, &record);
}

void audit_report(const struct root *root, const struct plan *plan,
		  const struct apply_report *report)
{
	struct trail trail = {
		.is_journald = root_get_kind(root) == ROOT_HOST &&
			       root_exists(root, PATH_JOURNALD_SOCKET),
		.profile = plan->profile_name,
	};

	for (size_t i = 0; i < report->count; i++) {
		const struct apply_device *result = &report->items[i];

		if (!result->writes)
			continue;
		for (size_t j = 0; j < result->planned->step_count; j++)
			if (result->writes[j].is_written)
				add_write(&trail, result, j);
	}
	/* Neither journald nor a place for the file is no failure of the apply. */
	if (trail.lines.len && !trail.lines.error)
		root_append(root, PATH_LOG, trail.lines.data, 0640);
	text_done(&trail.lines);
}
