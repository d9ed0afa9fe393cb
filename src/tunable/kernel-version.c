// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Parsing and comparing kernel versions.
 */
#include "tunable/kernel-version.h"

#include <ctype.h>
#include <errno.h>

static int parse_part(const char **p, unsigned *ret)
{
	unsigned value = 0;

	if (!isdigit((unsigned char)**p))
		return -EINVAL;
	for (; isdigit((unsigned char)**p); (*p)++) {
		value = value * 10 + (unsigned)(**p - '0');
		if (value > 65535)
			return -ERANGE;
	}
	*ret = value;
	return 0;
}

int kernel_version_parse(const char *string, struct kernel_version *ret)
{
	struct kernel_version version = { 0 };
	const char *p = string;
	int error = parse_part(&p, &version.major);

	if (error)
		return error;
	if (*p++ != '.')
		return -EINVAL;
	error = parse_part(&p, &version.minor);
	if (error)
		return error;
	if (*p == '.') {
		p++;
		error = parse_part(&p, &version.patch);
		if (error)
			return error;
	}
	if (*p && *p != '-' && *p != '+' && *p != '.' && *p != '_')
		return -EINVAL;
	*ret = version;
	return 0;
}

int kernel_version_compare(struct kernel_version a, struct kernel_version b)
{
	if (a.major != b.major)
		return a.major < b.major ? -1 : 1;
	if (a.minor != b.minor)
		return a.minor < b.minor ? -1 : 1;
	if (a.patch != b.patch)
		return a.patch < b.patch ? -1 : 1;
	return 0;
}

static bool is_none(struct kernel_version version)
{
	return !version.major && !version.minor && !version.patch;
}

bool kernel_version_is_within(struct kernel_version version, struct kernel_version since,
			      struct kernel_version until)
{
	if (!is_none(since) && kernel_version_compare(version, since) < 0)
		return false;
	return is_none(until) || kernel_version_compare(version, until) < 0;
}
