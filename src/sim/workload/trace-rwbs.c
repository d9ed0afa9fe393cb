// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Operation letters. The order in which the kernel writes them makes them unambiguous but
 * for F, which stands for three things; see the header.
 */
#include "sim/workload/trace-rwbs.h"

#include <string.h>

static const char *skip_zone_command(const char *p, const char *end)
{
	/* append, reset, reset all, finish, open, close */
	if (p + 1 < end && p[0] == 'R' && p[1] == 'A')
		return p + 2;
	return p < end && strchr("ARFOC", *p) && *p ? p + 1 : NULL;
}

static const char *parse_operation(const char *p, const char *end,
				   struct trace_record *ret)
{
	switch (*p++) {
	case 'R':
		ret->op = TRACE_READ;
		return p;
	case 'W':
		ret->op = TRACE_WRITE;
		return p;
	case 'D':
		ret->op = TRACE_DISCARD;
		if (p < end && *p == 'E') {
			ret->flags |= TRACE_FLAG_SECURE;
			p++;
		}
		return p;
	case 'F':
		ret->op = TRACE_FLUSH;
		return p;
	case 'N':
		ret->op = TRACE_OTHER;
		return p;
	case 'Z':
		ret->op = TRACE_ZONE;
		return skip_zone_command(p, end);
	default:
		return NULL;
	}
}

static unsigned flag_of(char letter)
{
	switch (letter) {
	case 'F':
		return TRACE_FLAG_FUA;
	case 'A':
		return TRACE_FLAG_AHEAD;
	case 'S':
		return TRACE_FLAG_SYNC;
	case 'M':
		return TRACE_FLAG_META;
	case 'U':
		return TRACE_FLAG_ATOMIC;
	case 'E':
		return TRACE_FLAG_SECURE;
	default:
		return 0;
	}
}

bool trace_rwbs_parse(const char *p, const char *end, struct trace_record *ret)
{
	/* The two that nearly every line has. */
	if (end - p == 1 && *p == 'R') {
		ret->op = TRACE_READ;
		return true;
	}
	if (end - p == 2 && p[0] == 'W' && p[1] == 'S') {
		ret->op = TRACE_WRITE;
		ret->flags |= TRACE_FLAG_SYNC;
		return true;
	}
	if (p >= end)
		return false;
	if (*p == 'F' && end - p > 1 && strchr("RWDFNZ", p[1]) && p[1]) {
		ret->flags |= TRACE_FLAG_PREFLUSH;
		p++;
	}
	p = parse_operation(p, end, ret);
	if (!p)
		return false;
	for (; p < end; p++) {
		unsigned flag = flag_of(*p);

		if (!flag)
			return false;
		ret->flags |= flag;
	}
	return true;
}
