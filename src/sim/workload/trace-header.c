// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The header of a recording: "# key=value key=value", "# iosched/key=value" and
 * "# fio arguments". What it does not say, or says in a way that cannot be, stays unsaid.
 */
#include "sim/workload/trace-format.h"
#include "sim/workload/trace-scan.h"

static bool is_number(const char *p, const char *end, uint64_t max, uint64_t *ret)
{
	uint64_t value;

	if (!trace_scan_u64(&p, end, &value) || p != end || value > max)
		return false;
	*ret = value;
	return true;
}

static void set_unsigned(unsigned *field, const char *p, const char *end)
{
	uint64_t value;

	if (is_number(p, end, UINT32_MAX, &value))
		*field = (unsigned)value;
}

static void set_device(uint32_t *field, const char *p, const char *end)
{
	uint32_t major, minor;

	if (trace_scan_u32(&p, end, &major) && trace_scan_char(&p, end, ':') &&
	    trace_scan_u32(&p, end, &minor) && p == end && major < 1u << 12 &&
	    minor < 1u << 20)
		*field = major << 20 | minor;
}

/* The length of `key` counts: "hz" is no beginning of "hz2". */
static bool is_key(const char *p, const char *end, const char *key)
{
	return trace_scan_text(&p, end, key) && p == end;
}

static void add_iosched(struct trace_header *header, const char *key, const char *equals,
			const char *end)
{
	size_t index = header->iosched_count;

	if (index == ARRAY_SIZE(header->iosched))
		return;
	trace_copy_text(header->iosched[index].key, sizeof(header->iosched[index].key),
			key, equals);
	trace_copy_text(header->iosched[index].value,
			sizeof(header->iosched[index].value), equals + 1, end);
	header->iosched_count++;
}

static void set_field(struct trace_header *header, const char *key, const char *equals,
		      const char *end)
{
	const char *value = equals + 1;
	uint64_t number;

	if (is_key(key, equals, "kernel"))
		trace_copy_text(header->kernel, sizeof(header->kernel), value, end);
	else if (is_key(key, equals, "sched"))
		trace_copy_text(header->scheduler, sizeof(header->scheduler), value, end);
	else if (is_key(key, equals, "hz"))
		set_unsigned(&header->hz, value, end);
	else if (is_key(key, equals, "dev"))
		set_device(&header->device, value, end);
	else if (is_key(key, equals, "hw_depth"))
		set_unsigned(&header->hw_depth, value, end);
	else if (is_key(key, equals, "hw_queues"))
		set_unsigned(&header->hw_queues, value, end);
	else if (is_key(key, equals, "nr_requests"))
		set_unsigned(&header->nr_requests, value, end);
	else if (is_key(key, equals, "rotational"))
		set_unsigned(&header->rotational, value, end);
	else if (is_key(key, equals, "class"))
		trace_copy_text(header->class, sizeof(header->class), value, end);
	else if (is_key(key, equals, "size_sectors")) {
		if (is_number(value, end, INT64_MAX / 512, &number))
			header->size_sectors = number;
	} else if (is_key(key, equals, "completion_nsec")) {
		if (is_number(value, end, UINT64_MAX, &number))
			header->service_ns = number;
	}
}

void trace_header_parse(struct trace_header *header, const char *line, const char *end)
{
	const char *p = line;

	if (!trace_scan_char(&p, end, '#') || !trace_scan_char(&p, end, ' '))
		return;
	if (trace_scan_text(&p, end, "fio ")) {
		trace_copy_text(header->fio, sizeof(header->fio), p, end);
		return;
	}
	while (p < end) {
		const char *key, *stop, *equals;

		trace_skip_blanks(&p, end);
		key = p;
		while (p < end && *p != ' ' && *p != '\t')
			p++;
		stop = p;
		equals = stop > key ? memchr(key, '=', (size_t)(stop - key)) : NULL;
		if (!equals)
			continue;
		if (trace_scan_text(&key, equals, "iosched/"))
			add_iosched(header, key, equals, stop);
		else
			set_field(header, key, equals, stop);
	}
}
