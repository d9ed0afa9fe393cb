// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * smartctl: asking it, and the part of its answer that is looked at.
 */
#include "diagnose/smart.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include "persist/run.h"
#include "sysfs/paths.h"
#include "util/child.h"
#include "util/number.h"

#define TIMEOUT_MS 15000
/* A disk that does not answer holds smartctl, whatever ends it. */
#define FAREWELL_MS 500
/* Of all its pages the answer of a disk has some 100 KiB. */
#define OUTPUT_MAX (4u * 1024 * 1024)

/* Bits of smartctl's exit status (smartctl(8)). */
#define EXIT_OPEN_FAILED 2

static const struct smart unknown = {
	.state = SMART_NO_ANSWER, .is_passed = -1,	 .temperature_c = -1,
	.reallocated = -1,	  .pending = -1,	 .uncorrectable = -1,
	.crc_errors = -1,	  .wear_left_percent = -1, .critical_warning = -1,
	.media_errors = -1,	  .used_percent = -1,	 .spare_percent = -1,
	.spare_threshold_percent = -1, .hot_minutes = -1,
};

/* What a snapshot keeps: nothing in these says which disk it is. */
static const char *const kept_members[] = {
	"smart_status", "temperature", "nvme_smart_health_information_log",
};

/* Attributes that mean the same with every maker, by number. */
static const struct {
	int id;
	size_t offset;
	bool is_normalised;
} attributes[] = {
	{ 5, offsetof(struct smart, reallocated), false },
	{ 197, offsetof(struct smart, pending), false },
	{ 198, offsetof(struct smart, uncorrectable), false },
	{ 199, offsetof(struct smart, crc_errors), false },
	{ 177, offsetof(struct smart, wear_left_percent), true },
	{ 231, offsetof(struct smart, wear_left_percent), true },
	{ 233, offsetof(struct smart, wear_left_percent), true },
};

/* The largest value that a drive can mean; beyond it a bridge or its firmware talks. One
   byte of an NVMe log, a normalised attribute, a count of sectors or events. */
#define BYTE_MAX  255
#define COUNT_MAX (INT64_C(1) << 40)
#define TEMPERATURE_MAX_C 150

static const struct {
	const char *key;
	size_t offset;
	int64_t max;
} nvme_members[] = {
	{ "critical_warning", offsetof(struct smart, critical_warning), BYTE_MAX },
	{ "media_errors", offsetof(struct smart, media_errors), COUNT_MAX },
	{ "percentage_used", offsetof(struct smart, used_percent), BYTE_MAX },
	{ "available_spare", offsetof(struct smart, spare_percent), BYTE_MAX },
	{ "available_spare_threshold", offsetof(struct smart, spare_threshold_percent),
	  BYTE_MAX },
	{ "critical_comp_time", offsetof(struct smart, hot_minutes), COUNT_MAX },
};

static int64_t *field(struct smart *smart, size_t offset)
{
	return (int64_t *)(void *)((char *)smart + offset);
}

static void take_integer(const json_t *object, const char *key, int64_t max, int64_t *ret)
{
	const json_t *value = json_object_get(object, key); /* borrows */

	if (json_is_integer(value) && json_integer_value(value) >= 0 &&
	    json_integer_value(value) <= max)
		*ret = json_integer_value(value);
}

/* "0 (2000 0)": some makers keep other counts in the upper bytes, and "value" has all. What
   is written first is what is meant. */
static void take_raw(const json_t *raw, int64_t *ret)
{
	const char *string = json_string_value(json_object_get(raw, "string"));
	size_t len = string ? strspn(string, "0123456789") : 0;
	_free_ char *number = len ? strndup(string, len) : NULL;
	int64_t first;

	if (number && (string[len] == '\0' || string[len] == ' ') &&
	    !number_parse_range(number, 0, COUNT_MAX, &first))
		*ret = first;
	else
		take_integer(raw, "value", COUNT_MAX, ret);
}

static const json_t *get_attributes(const json_t *root)
{
	return json_object_get(json_object_get(root, "ata_smart_attributes"), "table");
}

static int find_attribute(const json_t *row)
{
	const json_t *id = json_object_get(row, "id"); /* borrows */

	for (size_t i = 0; json_is_integer(id) && i < ARRAY_SIZE(attributes); i++)
		if (json_integer_value(id) == attributes[i].id)
			return (int)i;
	return -1;
}

static void take_attribute(const json_t *row, struct smart *smart)
{
	int index = find_attribute(row);

	if (index < 0)
		return;
	if (attributes[index].is_normalised)
		take_integer(row, "value", BYTE_MAX, field(smart, attributes[index].offset));
	else
		take_raw(json_object_get(row, "raw"), field(smart, attributes[index].offset));
}

static void take_all(const json_t *root, struct smart *smart)
{
	const json_t *status = json_object_get(root, "smart_status"); /* borrows */
	const json_t *log = json_object_get(root, "nvme_smart_health_information_log");
	const json_t *table = get_attributes(root);
	const json_t *passed = json_object_get(status, "passed");

	if (json_is_boolean(passed))
		smart->is_passed = json_is_true(passed);
	take_integer(json_object_get(root, "temperature"), "current", TEMPERATURE_MAX_C,
		     &smart->temperature_c);
	for (size_t i = 0; i < ARRAY_SIZE(nvme_members); i++)
		take_integer(log, nvme_members[i].key, nvme_members[i].max,
			     field(smart, nvme_members[i].offset));
	for (size_t i = 0; i < json_array_size(table); i++)
		take_attribute(json_array_get(table, i), smart);
	if (smart->is_passed >= 0 || smart->critical_warning >= 0 ||
	    json_array_size(table))
		smart->state = SMART_KNOWN;
}

int smart_parse(const char *json, struct smart *ret)
{
	json_t *root = json_loads(json, 0, NULL);

	if (!json_is_object(root)) {
		json_decref(root);
		return -EBADMSG;
	}
	*ret = unknown;
	take_all(root, ret);
	json_decref(root);
	return 0;
}

/* Where smartctl finds a disk. What lies above disks has no health of its own. */
static bool is_for(const struct device *device)
{
	static const unsigned classes =
		1u << CLASS_HDD | 1u << CLASS_SMR_HDD | 1u << CLASS_SSD |
		1u << CLASS_NVME | 1u << CLASS_NVME_HEAD | 1u << CLASS_ZNS |
		1u << CLASS_USB;

	return classes & 1u << device->class && device_has_node(device);
}

static enum smart_state state_of_exit(int status)
{
	if (status >= 0 && status & EXIT_OPEN_FAILED)
		return geteuid() ? SMART_DENIED : SMART_ASLEEP;
	return SMART_NO_ANSWER;
}

static int ask(const struct root *root, const struct device *device,
	       struct text *output, enum smart_state *ret)
{
	static const char *const environment[] = { "LC_ALL=C", NULL };
	_free_ char *program = NULL, *node = NULL;
	_text_ struct text dropped = { 0 };
	struct child_end end = { 0 };
	int error = run_find(root, "smartctl", &program);

	*ret = SMART_NO_TOOL;
	if (error)
		return error == -ENOENT ? 0 : error;
	if (asprintf(&node, "/" PATH_DEV "/%s", device->name) < 0) {
		node = NULL;
		return -ENOMEM;
	}
	const char *const argv[] = {
		program, "--json=c", "--nocheck=standby,2", "-H", "-A", node, NULL,
	};
	const struct child_command command = {
		.program = program,
		.argv = argv,
		.environment = environment,
		.output = output,
		.output_max = OUTPUT_MAX,
		.messages = &dropped,
		.is_tied = true,
		.limit_ms = TIMEOUT_MS,
		.farewell_ms = FAREWELL_MS,
	};
	error = child_run(&command, &end);
	if (error == -ENOMEM)
		return error;
	*ret = error == -ETIME ? SMART_TIMEOUT : error ? SMART_NO_ANSWER
						       : state_of_exit(end.status);
	return 0;
}

static int read_host(const struct root *root, const struct device *device,
		     struct smart *smart)
{
	_text_ struct text output = { 0 };
	enum smart_state state;
	int error = ask(root, device, &output, &state);

	if (error)
		return error;
	/* A disk that fails gives an exit status as well as the answer. */
	if (output.data)
		smart_parse(output.data, smart);
	if (smart->state != SMART_KNOWN)
		smart->state = state;
	return 0;
}

int smart_read(const struct root *root, const struct device *device, struct smart *ret)
{
	_free_ char *path = NULL, *text = NULL;
	struct smart smart = unknown;
	int error = 0;

	if (!is_for(device)) {
		smart.state = SMART_NOT_FOR;
	} else if (root_get_kind(root) == ROOT_HOST) {
		error = read_host(root, device, &smart);
	} else {
		if (asprintf(&path, PATH_SNAPSHOT_SMART "/%s", device->sys_name) < 0) {
			path = NULL;
			return -ENOMEM;
		}
		if (root_read(root, path, &text))
			smart.state = SMART_NOT_ASKED;
		else
			smart_parse(text, &smart);
	}
	if (!error)
		*ret = smart;
	return error;
}

/* --- for a snapshot ----------------------------------------------------------------- */

static json_t *reduce_attributes(const json_t *root)
{
	const json_t *table = get_attributes(root);
	json_t *kept = json_array();

	for (size_t i = 0; i < json_array_size(table); i++) {
		json_t *row = json_array_get(table, i); /* borrows */

		if (find_attribute(row) >= 0)
			json_array_append(kept, row);
	}
	return json_pack("{s:o}", "table", kept); /* steals kept */
}

static char *reduce(const char *text)
{
	json_t *root = json_loads(text, 0, NULL), *kept = json_object();
	char *json = NULL;

	for (size_t i = 0; i < ARRAY_SIZE(kept_members); i++) {
		json_t *value = json_object_get(root, kept_members[i]); /* borrows */

		if (value)
			json_object_set(kept, kept_members[i], value);
	}
	if (get_attributes(root))
		json_object_set_new(kept, "ata_smart_attributes", reduce_attributes(root));
	if (json_object_size(kept))
		json = json_dumps(kept, JSON_COMPACT | JSON_SORT_KEYS);
	json_decref(kept);
	json_decref(root);
	return json;
}

int smart_record(const struct root *root, const struct device *device, char **ret)
{
	_text_ struct text output = { 0 };
	_free_ char *path = NULL;
	enum smart_state state;
	int error = 0;

	*ret = NULL;
	if (!is_for(device))
		return 0;
	if (root_get_kind(root) == ROOT_HOST) {
		error = ask(root, device, &output, &state);
		if (!error && output.data)
			*ret = reduce(output.data);
		return error;
	}
	if (asprintf(&path, PATH_SNAPSHOT_SMART "/%s", device->sys_name) < 0) {
		path = NULL;
		return -ENOMEM;
	}
	error = root_read(root, path, ret);
	return error == -ENOMEM ? error : 0;
}
