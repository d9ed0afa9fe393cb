// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads and writes the values of one queue. Every write is followed by a read: a queue
 * can accept a value and not take it (bio-based queues up to Linux 6.4 do so).
 */
#include "apply/state.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#include "plan/order.h"
#include "sysfs/choice.h"
#include "util/number.h"

/* The list of every scheduler that a kernel offers, with room (CHOICE_MAX names). */
#define SCHEDULER_TEXT_MAX 1024

/* Refusals that pass, as of a queue whose hardware queues are just being changed: how
   long they are waited for. Such a change is a matter of some grace periods. */
#define RETRY_PAUSE_MS 10
#define RETRY_COUNT    100

void queue_state_done(struct queue_state *state)
{
	free(state->values);
	*state = (struct queue_state){ 0 };
}

int queue_state_add(struct queue_state *state, const struct tunable *tunable,
		    const char *text)
{
	struct queue_value *values;
	size_t at = state->count;

	if (strlen(text) >= TUNABLE_VALUE_MAX)
		return -EFBIG;
	values = reallocarray(state->values, state->count + 1, sizeof(*values));
	if (!values)
		return -ENOMEM;
	state->values = values;
	while (at && plan_compare_order(values[at - 1].tunable, tunable) > 0) {
		values[at] = values[at - 1];
		at--;
	}
	values[at].tunable = tunable;
	memcpy(values[at].text, text, strlen(text) + 1); /* length checked above */
	state->count++;
	return 0;
}

const char *queue_state_find(const struct queue_state *state,
			     const struct tunable *tunable)
{
	for (size_t i = 0; i < state->count; i++)
		if (state->values[i].tunable == tunable)
			return state->values[i].text;
	return NULL;
}

int queue_open(const struct root *root, const char *sys_path, unsigned major,
	       unsigned minor, struct root_dir *ret)
{
	_root_dir_ struct root_dir dir = ROOT_DIR_NONE;
	char expected[32], actual[32];
	int error = root_dir_open(root, sys_path, &dir);

	if (error)
		return error == -ENOENT || error == -ENOTDIR || error == -ENXIO ? -ENODEV
									: error;
	if (major || minor) {
		snprintf(expected, sizeof(expected), "%u:%u", major, minor);
		ssize_t len = root_dir_read(&dir, "dev", actual, sizeof(actual));

		if (len == -EMFILE || len == -ENFILE || len == -ENOMEM)
			return (int)len;
		if (len < 0 || strcmp(actual, expected))
			return -ENODEV;
	}
	*ret = dir;
	dir = ROOT_DIR_NONE;
	return 0;
}

static void format_path(const struct tunable *tunable, char *buf, size_t size)
{
	snprintf(buf, size, "queue/%s%s",
		 tunable->place == TUNABLE_IOSCHED ? "iosched/" : "", tunable->file);
}

static int read_active(const struct root_dir *dir, const char *path, char *ret)
{
	char text[SCHEDULER_TEXT_MAX];
	struct choice choice;
	const char *active;
	ssize_t len;
	int error;

	len = root_dir_read(dir, path, text, sizeof(text));
	if (len < 0)
		return (int)len;
	error = choice_parse(text, &choice);
	if (error)
		return error;
	active = choice_active(&choice);
	/* bio-based queues and plain files show one bare word */
	if (!active && choice.count == 1)
		active = choice.names[0];
	if (!active)
		return -EINVAL;
	snprintf(ret, TUNABLE_VALUE_MAX, "%s", active);
	return 0;
}

int queue_read_value(const struct root_dir *dir, const struct tunable *tunable, char *ret)
{
	char path[128], text[TUNABLE_VALUE_MAX];
	ssize_t len;

	format_path(tunable, path, sizeof(path));
	if (tunable->phase == PHASE_SCHEDULER)
		return read_active(dir, path, ret);
	len = root_dir_read(dir, path, text, sizeof(text));
	if (len < 0)
		return (int)len;
	memcpy(ret, text, (size_t)len + 1);
	return 0;
}

static bool is_passing(int error)
{
	return error == -EAGAIN || error == -EBUSY || error == -EINTR;
}

static int write_attribute(const struct root_dir *dir, const struct tunable *tunable,
			   const char *wanted)
{
	static const struct timespec pause = { .tv_nsec = RETRY_PAUSE_MS * 1000000L };
	char path[128];
	int error;

	format_path(tunable, path, sizeof(path));
	error = root_dir_write(dir, path, wanted);
	for (unsigned i = 0; is_passing(error) && i < RETRY_COUNT; i++) {
		nanosleep(&pause, NULL);
		error = root_dir_write(dir, path, wanted);
	}
	return error;
}

static bool is_so(const struct tunable *tunable, const char *wanted, const char *actual)
{
	if (tunable->phase == PHASE_SCHEDULER)
		return !strcmp(wanted, actual);
	return tunable_is_equal(tunable, wanted, actual);
}

int queue_write_value(const struct root_dir *dir, const struct tunable *tunable,
		      const char *wanted, bool is_exact, struct queue_write *ret)
{
	int error;

	*ret = (struct queue_write){ 0 };
	if (!queue_read_value(dir, tunable, ret->old)) {
		memcpy(ret->actual, ret->old, sizeof(ret->actual));
		if (is_exact ? !strcmp(wanted, ret->old)
			     : is_so(tunable, wanted, ret->old))
			return 0;
	}
	ret->is_written = true;
	error = write_attribute(dir, tunable, wanted);
	ret->actual[0] = '\0';
	if (error) {
		queue_read_value(dir, tunable, ret->actual);
		return error;
	}
	error = queue_read_value(dir, tunable, ret->actual);
	if (error)
		return error;
	return is_so(tunable, wanted, ret->actual) ? 0 : -EIO;
}

int queue_put_back(const struct root_dir *dir, const struct queue_state *state,
		   const struct tunable **ret_failed)
{
	int first = 0;

	for (size_t i = 0; i < state->count; i++) {
		const struct queue_value *value = &state->values[i];
		struct queue_write done;
		int error =
			queue_write_value(dir, value->tunable, value->text, true, &done);

		if (error && !first) {
			first = error;
			*ret_failed = value->tunable;
		}
	}
	if (first && !root_dir_exists(dir, "queue"))
		return -ENODEV;
	return first;
}

/* What a policy may set and what was there when it was scanned. */
static bool is_kept(const struct device_value *value)
{
	return !value->error && value->is_writable && value->tunable->is_policy &&
	       !value->tunable->is_readonly && value->tunable->phase != PHASE_SCHEDULER;
}

static int add_present(const struct root_dir *dir, const struct tunable *tunable,
		       const char *scanned, struct queue_state *state)
{
	char text[TUNABLE_VALUE_MAX];
	int error = queue_read_value(dir, tunable, text);

	if (error == -ENODEV)
		return error;
	if (error || (scanned && strcmp(text, scanned)))
		return -ESTALE;
	return queue_state_add(state, tunable, text);
}

/* The active word as the scan saw it; NULL when there was none. */
static const char *get_scanned_scheduler(const struct device *device)
{
	const char *active = choice_active(&device->scheduler);

	if (!active && device->scheduler.count == 1)
		active = device->scheduler.names[0];
	return active;
}

int queue_state_read(const struct root *root, const struct device *device,
		     struct queue_state *ret)
{
	_queue_state_ struct queue_state state = { 0 };
	_root_dir_ struct root_dir dir = ROOT_DIR_NONE;
	const char *scheduler = NULL;
	int error;

	error = queue_open(root, device->sys_path, device->major, device->minor, &dir);
	if (error)
		return error;
	if (device->has_scheduler_file)
		scheduler = get_scanned_scheduler(device);
	if (scheduler)
		error = add_present(&dir, tunable_scheduler(), scheduler, &state);
	for (size_t i = 0; !error && i < device->value_count; i++) {
		const struct device_value *value = &device->values[i];

		if (is_kept(value))
			error = add_present(&dir, value->tunable, value->text, &state);
	}
	if (error)
		return root_dir_exists(&dir, "queue") ? error : -ENODEV;
	*ret = state;
	state = (struct queue_state){ 0 };
	return 0;
}
