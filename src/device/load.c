// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Counters of a disk, and the load between two readings.
 */
#include "device/load.h"

#include <errno.h>
#include <string.h>

#include "sysfs/paths.h"
#include "util/number.h"

/* Fields of stat: 11 in all kernels, 15 with discards, 17 with flushes. */
#define FIELD_COUNT_MIN 11

int device_counters_parse(const char *text, struct device_counters *ret)
{
	struct device_counters counters = { 0 };
	uint64_t *const fields[] = {
		&counters.read.requests,    &counters.read.merges,
		&counters.read.sectors,	    &counters.read.wait_ms,
		&counters.write.requests,   &counters.write.merges,
		&counters.write.sectors,    &counters.write.wait_ms,
		&counters.in_flight,	    &counters.busy_ms,
		NULL /* queue time */,	    &counters.discard.requests,
		&counters.discard.merges,   &counters.discard.sectors,
		&counters.discard.wait_ms,  &counters.flush.requests,
		&counters.flush.wait_ms,
	};
	_strv_ struct strv words = { 0 };

	if (strv_split(&words, text, " \t\n"))
		return -ENOMEM;
	if (words.count < FIELD_COUNT_MIN)
		return -EBADMSG;
	for (size_t i = 0; i < ARRAY_SIZE(fields) && i < words.count; i++)
		if (fields[i] && number_parse_u64(words.items[i], fields[i]))
			return -EBADMSG;
	*ret = counters;
	return 0;
}

int device_counters_read(const struct root *root, const struct device *device,
			 struct device_counters *ret)
{
	_free_ char *path = NULL, *text = NULL;
	int error;

	if (asprintf(&path, "%s/stat", device->sys_path) < 0) {
		path = NULL;
		return -ENOMEM;
	}
	error = root_read(root, path, &text);
	if (error)
		return error == -ENODEV || error == -ENOTDIR ? -ENOENT : error;
	return device_counters_parse(text, ret);
}

/* Times are printed as unsigned int, and older kernels count requests in a long: both
   begin anew at 2^32. */
static bool subtract(uint64_t before, uint64_t after, double *ret)
{
	if (after < before && before <= UINT32_MAX && before - after > UINT32_MAX / 2)
		after += (uint64_t)1 << 32;
	if (after < before)
		return false;
	*ret = (double)(after - before);
	return true;
}

static bool flow_between(const struct device_counter *before,
			 const struct device_counter *after, double seconds,
			 struct device_flow *ret, double *wait_ms)
{
	double requests, merges, sectors, wait;

	if (!subtract(before->requests, after->requests, &requests) ||
	    !subtract(before->merges, after->merges, &merges) ||
	    !subtract(before->sectors, after->sectors, &sectors) ||
	    !subtract(before->wait_ms, after->wait_ms, &wait))
		return false;
	ret->requests_s = requests / seconds;
	ret->kib_s = sectors / 2 / seconds;
	if (requests > 0) {
		ret->size_kib = sectors / 2 / requests;
		ret->await_ms = wait / requests;
		ret->merged_percent = 100 * merges / (requests + merges);
	}
	*wait_ms += wait;
	return true;
}

int device_load_between(const struct device_counters *before,
			const struct device_counters *after, double seconds,
			struct device_load *ret)
{
	struct device_load load = { .seconds = seconds, .in_flight = after->in_flight };
	double busy_ms, wait_ms = 0, flush_ms = 0;

	if (!(seconds > 0))
		return -EINVAL;
	if (!flow_between(&before->read, &after->read, seconds, &load.read, &wait_ms) ||
	    !flow_between(&before->write, &after->write, seconds, &load.write, &wait_ms) ||
	    !flow_between(&before->discard, &after->discard, seconds, &load.discard,
			  &wait_ms) ||
	    !flow_between(&before->flush, &after->flush, seconds, &load.flush, &flush_ms) ||
	    !subtract(before->busy_ms, after->busy_ms, &busy_ms))
		return -ERANGE;
	load.queue = (wait_ms + flush_ms) / 1000 / seconds;
	load.busy_queue = busy_ms > 0 ? wait_ms / busy_ms : 0;
	load.busy_percent = busy_ms / 10 / seconds;
	if (load.busy_percent > 100)
		load.busy_percent = 100;
	*ret = load;
	return 0;
}

/* "12345.67 54321.00": a number with a fraction, of seconds. */
static bool parse_seconds(const char *text, double *ret)
{
	char whole[24];
	size_t len = strspn(text, "0123456789");
	uint64_t value, fraction = 0;
	double scale = 1;

	if (!len || len >= sizeof(whole))
		return false;
	memcpy(whole, text, len);
	whole[len] = '\0';
	if (number_parse_u64(whole, &value))
		return false;
	if (text[len] == '.')
		for (const char *p = text + len + 1; *p >= '0' && *p <= '9'; p++) {
			fraction = fraction * 10 + (uint64_t)(*p - '0');
			scale *= 10;
			if (scale >= 1e9)
				break;
		}
	*ret = (double)value + (double)fraction / scale;
	return true;
}

static bool read_seconds(const struct root *root, const char *path, double *ret)
{
	_free_ char *text = NULL;

	return !root_read(root, path, &text) && parse_seconds(text, ret);
}

int device_load_recorded(const struct root *root, const struct device *device,
			 struct device_load *ret)
{
	struct device_counters before = { 0 }, after;
	_free_ char *path = NULL, *text = NULL;
	double seconds;
	int error = device_counters_read(root, device, &after);

	if (error)
		return error;
	if (asprintf(&path, PATH_SNAPSHOT_SAMPLE "/%s", device->sys_name) < 0) {
		path = NULL;
		return -ENOMEM;
	}
	if (!root_read(root, path, &text) &&
	    read_seconds(root, PATH_SNAPSHOT_SAMPLE_SECONDS, &seconds) &&
	    !device_counters_parse(text, &before) &&
	    !device_load_between(&before, &after, seconds, ret))
		return 0;
	if (!read_seconds(root, PATH_UPTIME, &seconds))
		return -ENOENT;
	before = (struct device_counters){ 0 };
	error = device_load_between(&before, &after, seconds, ret);
	if (!error)
		ret->is_since_boot = true;
	return error;
}

bool device_is_parallel(const struct device *device)
{
	static const unsigned serial = 1u << CLASS_HDD | 1u << CLASS_SMR_HDD |
				       1u << CLASS_USB | 1u << CLASS_EMMC |
				       1u << CLASS_SDCARD | 1u << CLASS_OPTICAL |
				       1u << CLASS_FLOPPY | 1u << CLASS_UNKNOWN;

	return !(serial & 1u << device->class);
}
