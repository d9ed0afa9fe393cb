// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The journal's file. What is read back is trusted with nothing: who could write it could
 * have any attribute written, so only what a policy may set is accepted.
 *
 *	{ "journal": 1, "steps": [ { "id": 1, "time": 1764498000, "profile": "database",
 *	  "sets": [ "read_ahead_kb=4MiB" ], "named": [ "sda" ], "boot_id": "…", "devices": [ { "name": "sda", "major": 8, "minor": 0,
 *	  "serial": "…", "wwn": "…", "values": { "scheduler": "none", … } } ] } ] }
 */
#include "apply/journal.h"

#include <errno.h>
#include <string.h>

#include <jansson.h>

#include "apply/journal-internal.h"
#include "sysfs/paths.h"
#include "util/i18n.h"

#define JOURNAL_VERSION 1

/* Longer ones are not names, serial numbers or profiles. */
#define JOURNAL_TEXT_MAX 4096


/* --- reading ------------------------------------------------------------------------ */

static int refuse(struct diag *diag, const char *what)
{
	return diag_set(diag, -EBADMSG, _("not a journal of this program: %s"), what);
}

/* An optional string: absent or null gives NULL. */
static int read_text(const json_t *object, const char *key, char **ret, struct diag *diag)
{
	const json_t *value = json_object_get(object, key); /* borrows */

	if (!value || json_is_null(value))
		return 0;
	if (!json_is_string(value) || json_string_length(value) > JOURNAL_TEXT_MAX)
		return refuse(diag, key);
	*ret = strdup(json_string_value(value));
	return *ret ? 0 : -ENOMEM;
}

static int read_integer(const json_t *object, const char *key, json_int_t max,
			json_int_t *ret, struct diag *diag)
{
	const json_t *value = json_object_get(object, key); /* borrows */

	if (!json_is_integer(value) || json_integer_value(value) < 0 ||
	    json_integer_value(value) > max)
		return refuse(diag, key);
	*ret = json_integer_value(value);
	return 0;
}

/* A value of the kernel's: one line of printable ASCII. */
static bool is_value(const json_t *value)
{
	const char *text = json_string_value(value);

	if (!text || !text[0] || json_string_length(value) >= TUNABLE_VALUE_MAX)
		return false;
	for (; *text; text++)
		if (*text < ' ' || *text > '~')
			return false;
	return true;
}

static int read_values(json_t *values, struct queue_state *state, struct diag *diag)
{
	const char *key;
	json_t *value;

	if (!json_is_object(values) || json_object_size(values) > tunable_count())
		return refuse(diag, "values");
	json_object_foreach(values, key, value)
	{
		const struct tunable *tunable = tunable_find(key);
		int error;

		if (!tunable || !tunable->is_policy || tunable->is_readonly)
			return refuse(diag, key);
		if (!is_value(value))
			return refuse(diag, key);
		error = queue_state_add(state, tunable, json_string_value(value));
		if (error)
			return error;
	}
	return 0;
}

static int read_device(const json_t *object, struct journal_device *device,
		       struct diag *diag)
{
	json_int_t major, minor;
	int error;

	error = read_text(object, "name", &device->name, diag);
	if (!error && (!device->name || !device->name[0]))
		return refuse(diag, "name");
	if (!error)
		error = read_text(object, "serial", &device->serial, diag);
	if (!error)
		error = read_text(object, "wwn", &device->wwn, diag);
	if (!error)
		error = read_integer(object, "major", UINT32_MAX, &major, diag);
	if (!error)
		error = read_integer(object, "minor", UINT32_MAX, &minor, diag);
	if (error)
		return error;
	device->major = (unsigned)major;
	device->minor = (unsigned)minor;
	return read_values(json_object_get(object, "values"), &device->state, diag);
}

static int read_devices(const json_t *array, struct journal_step *step, struct diag *diag)
{
	size_t count = json_array_size(array);
	int error = 0;

	if (!json_is_array(array) || count > JOURNAL_DEVICE_MAX)
		return refuse(diag, "devices");
	step->devices = calloc(count + 1, sizeof(*step->devices));
	if (!step->devices)
		return -ENOMEM;
	for (size_t i = 0; !error && i < count; i++)
		error = read_device(json_array_get(array, i),
				    &step->devices[step->device_count++], diag);
	return error;
}

/* What was asked for is only compared with, never written: policy checks each value as it
   checks a command line. */
static int read_strings(const json_t *object, const char *key, struct strv *ret,
			struct diag *diag)
{
	const json_t *array = json_object_get(object, key); /* borrows */
	int error = 0;

	if (!array)
		return 0;
	if (!json_is_array(array) || json_array_size(array) > JOURNAL_DEVICE_MAX)
		return refuse(diag, key);
	for (size_t i = 0; !error && i < json_array_size(array); i++) {
		const json_t *item = json_array_get(array, i); /* borrows */
		const char *text = json_string_value(item);

		if (!text || json_string_length(item) > JOURNAL_TEXT_MAX)
			return refuse(diag, key);
		error = strv_add(ret, text);
	}
	return error;
}

static int read_step(const json_t *object, struct journal_step *step, struct diag *diag)
{
	json_int_t id, time_s;
	int error;

	error = read_integer(object, "id", INT64_MAX - 1, &id, diag);
	if (!error)
		error = read_integer(object, "time", INT64_MAX, &time_s, diag);
	if (!error)
		error = read_text(object, "profile", &step->profile, diag);
	if (!error)
		error = read_strings(object, "sets", &step->sets, diag);
	if (!error)
		error = read_strings(object, "named", &step->named, diag);
	if (!error)
		error = read_text(object, "boot_id", &step->boot_id, diag);
	if (error)
		return error;
	step->id = (uint64_t)id;
	step->time_s = time_s;
	return read_devices(json_object_get(object, "devices"), step, diag);
}

static int read_journal(const json_t *object, struct journal *journal, struct diag *diag)
{
	const json_t *steps = json_object_get(object, "steps"); /* borrows */
	json_int_t version;
	int error;

	error = read_integer(object, "journal", INT64_MAX, &version, diag);
	if (error)
		return error;
	if (version != JOURNAL_VERSION)
		return diag_set(
			diag, -EBADMSG,
			_("the journal is of version %lld, this program knows %d"),
			(long long)version, JOURNAL_VERSION);
	if (!json_is_array(steps) || json_array_size(steps) > JOURNAL_STEP_MAX)
		return refuse(diag, "steps");
	for (size_t i = 0; !error && i < json_array_size(steps); i++) {
		struct journal_step *step;

		error = journal_append(journal, &step);
		if (!error)
			error = read_step(json_array_get(steps, i), step, diag);
		if (!error && i && step->id <= journal->steps[i - 1].id)
			error = refuse(diag, "id");
	}
	return error;
}

static int parse_journal(const char *data, struct journal *journal, struct diag *diag)
{
	json_error_t where;
	json_t *object;
	int error;

	object = json_loads(data, JSON_REJECT_DUPLICATES, &where);
	if (!object) {
		diag_at(diag, "/" PATH_JOURNAL, where.line > 0 ? (unsigned)where.line : 0);
		return refuse(diag, where.text);
	}
	error = read_journal(object, journal, diag);
	json_decref(object);
	return error;
}

int journal_load(const struct root *root, struct journal **ret, struct diag *diag)
{
	_cleanup_(cleanup_journal_free) struct journal *journal = NULL;
	_free_ char *data = NULL;
	int error;

	journal = calloc(1, sizeof(*journal));
	if (!journal)
		return -ENOMEM;
	error = root_read(root, PATH_JOURNAL, &data);
	if (error == -EFBIG || error == -EBADMSG)
		error = refuse(diag,
			       error == -EFBIG ? _("too large") : _("not a text file"));
	else if (error && error != -ENOENT && error != -ENOTDIR)
		diag_set(diag, error, _("cannot read the journal: %s"), strerror(-error));
	else
		error = data ? parse_journal(data, journal, diag) : 0;
	if (error) {
		diag_at(diag, "/" PATH_JOURNAL, 0);
		if (error == -EBADMSG)
			diag_hint(diag,
				  _("it is left as it is; look at it, and move it away "
				    "if the states in it are not needed any more"));
		return error;
	}
	*ret = TAKE_PTR(journal);
	return 0;
}

/* --- writing ------------------------------------------------------------------------ */

/* steals value; a NULL one (no memory) fails the same way */
static bool set(json_t *object, const char *key, json_t *value)
{
	return json_object_set_new(object, key, value) == 0;
}

/* Left out when there is none. */
static bool set_text(json_t *object, const char *key, const char *string)
{
	return !string || set(object, key, json_string(string));
}

static json_t *make_values(const struct queue_state *state)
{
	json_t *object = json_object();

	for (size_t i = 0; i < state->count; i++) {
		const struct queue_value *value = &state->values[i];

		if (set(object, value->tunable->key, json_string(value->text)))
			continue;
		json_decref(object);
		return NULL;
	}
	return object;
}

static json_t *make_device(const struct journal_device *device)
{
	json_t *object = json_object();

	if (set(object, "name", json_string(device->name)) &&
	    set(object, "major", json_integer(device->major)) &&
	    set(object, "minor", json_integer(device->minor)) &&
	    set_text(object, "serial", device->serial) &&
	    set_text(object, "wwn", device->wwn) &&
	    set(object, "values", make_values(&device->state)))
		return object;
	json_decref(object);
	return NULL;
}

static json_t *make_devices(const struct journal_step *step)
{
	json_t *array = json_array();

	for (size_t i = 0; i < step->device_count; i++) {
		if (!json_array_append_new(array, make_device(&step->devices[i])))
			continue;
		json_decref(array);
		return NULL;
	}
	return array;
}

static json_t *make_strings(const struct strv *strings)
{
	json_t *array = json_array();

	for (size_t i = 0; i < strings->count; i++) {
		if (!json_array_append_new(array, json_string(strings->items[i])))
			continue;
		json_decref(array);
		return NULL;
	}
	return array;
}

static json_t *make_step(const struct journal_step *step)
{
	json_t *object = json_object();

	if (set(object, "id", json_integer((json_int_t)step->id)) &&
	    set(object, "time", json_integer(step->time_s)) &&
	    set_text(object, "profile", step->profile) &&
	    set(object, "sets", make_strings(&step->sets)) &&
	    set(object, "named", make_strings(&step->named)) &&
	    set_text(object, "boot_id", step->boot_id) &&
	    set(object, "devices", make_devices(step)))
		return object;
	json_decref(object);
	return NULL;
}

static int make_text(const struct journal *journal, char **ret)
{
	json_t *object = json_object(), *steps = json_array();
	char *data = NULL;
	bool is_made = true;

	for (size_t i = 0; is_made && i < journal->step_count; i++)
		is_made = !json_array_append_new(steps, make_step(&journal->steps[i]));
	if (!set(object, "steps", steps)) /* steals, whether it works or not */
		is_made = false;
	if (is_made && set(object, "journal", json_integer(JOURNAL_VERSION)))
		data = json_dumps(object, JSON_COMPACT);
	json_decref(object);
	if (!data)
		return -ENOMEM;
	*ret = data;
	return 0;
}

/* Folds until the text may be written. */
static int make_fitting_text(struct journal *journal, char **ret)
{
	int error = 0;

	while (!error && journal->step_count > JOURNAL_STEP_MAX)
		error = journal_fold(journal);
	while (!error) {
		_free_ char *data = NULL;

		error = make_text(journal, &data);
		if (!error && strlen(data) <= JOURNAL_SIZE_MAX) {
			*ret = TAKE_PTR(data);
			return 0;
		}
		if (!error)
			error = journal->step_count > 1 ? journal_fold(journal) : -EFBIG;
	}
	return error;
}

int journal_save(const struct root *root, struct journal *journal, struct diag *diag)
{
	_free_ char *data = NULL;
	int error;

	if (!journal->step_count) {
		error = root_remove(root, PATH_JOURNAL);
		if (error == -ENOENT || error == -ENOTDIR)
			error = 0;
	} else {
		error = make_fitting_text(journal, &data);
		if (!error)
			error = root_replace(root, PATH_JOURNAL, data, strlen(data),
					     0600);
	}
	if (error) {
		diag_set(diag, error, _("cannot write the journal: %s"),
			 strerror(-error));
		diag_at(diag, "/" PATH_JOURNAL, 0);
	}
	return error;
}
