// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Serial numbers out of text.
 */
#include "device/redact.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <strings.h>

#include "device/capture.h"

/* Shorter ones would be found in ordinary text. */
#define SECRET_MIN 6
/* A WWN has 16 hexadecimal digits; an address in a boot argument has fewer. */
#define HEX_RUN_MIN 16

static const char *const secret_files[] = {
	"cid",    "eui",       "hostid", "hostnqn",   "nguid", "psn",  "sas_address",
	"serial", "subsysnqn", "uid",    "unique_id", "uuid",  "wwid", "wwn",
};

/* Parts of the keys: ID_SERIAL_SHORT, ID_WWN_WITH_EXTENSION, ID_FS_UUID_ENC … */
static const char *const secret_keys[] = { "SERIAL", "WWN", "UUID", "GUID",
					   "SCSI_IDENT" };

void redactor_done(struct redactor *redactor)
{
	strv_done(&redactor->secrets);
}

bool redact_is_secret_file(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(secret_files); i++)
		if (!strcmp(secret_files[i], name))
			return true;
	return false;
}

bool redact_is_secret_property(const char *key)
{
	for (size_t i = 0; i < ARRAY_SIZE(secret_keys); i++)
		if (strstr(key, secret_keys[i]))
			return true;
	return false;
}

static int add_form(struct redactor *redactor, const char *secret)
{
	if (strlen(secret) < SECRET_MIN || !strpbrk(secret, "0123456789"))
		return 0;
	return strv_add(&redactor->secrets, secret);
}

int redactor_add(struct redactor *redactor, const char *secret)
{
	static const char *const prefixes[] = { "0x", "naa.", "eui.", "uuid.", "nvme." };
	_free_ char *copy = strdup(secret);
	char *plain;
	int error;

	if (!copy)
		return -ENOMEM;
	plain = text_trim(copy);
	error = add_form(redactor, plain);
	for (size_t i = 0; !error && i < ARRAY_SIZE(prefixes); i++)
		if (text_starts_with(plain, prefixes[i]))
			error = add_form(redactor, plain + strlen(prefixes[i]));
	if (error || !strchr(plain, ' '))
		return error;
	for (char *p = plain; (p = strchr(p, ' '));) /* as udev writes it */
		*p = '_';
	return add_form(redactor, plain);
}

static int compare_secrets(const void *a, const void *b)
{
	return strcasecmp(*(char *const *)a, *(char *const *)b);
}

void redactor_seal(struct redactor *redactor)
{
	if (redactor->secrets.count)
		qsort(redactor->secrets.items, redactor->secrets.count,
		      sizeof(*redactor->secrets.items), compare_secrets);
}

/* Length of the longest known secret at `p`, or 0. Those that may fit begin alike. */
static size_t secret_length(const struct redactor *redactor, const char *p)
{
	char *const *items = redactor->secrets.items;
	size_t low = 0, high = redactor->secrets.count, longest = 0;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strncasecmp(items[middle], p, SECRET_MIN) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < redactor->secrets.count; low++) {
		size_t len = strlen(items[low]);

		if (strncasecmp(items[low], p, SECRET_MIN))
			break;
		if (len > longest && !strncasecmp(p, items[low], len))
			longest = len;
	}
	return longest;
}

/* Length of the UUID (8-4-4-4-12) at `p`, or 0. */
static size_t uuid_length(const char *p)
{
	static const size_t dashes[] = { 8, 13, 18, 23 };
	size_t next = 0;

	for (size_t i = 0; i < 36; i++) {
		if (next < ARRAY_SIZE(dashes) && i == dashes[next]) {
			if (p[i] != '-')
				return 0;
			next++;
		} else if (!isxdigit((unsigned char)p[i])) {
			return 0;
		}
	}
	return 36;
}

/* Length of the run of hexadecimal digits at `p` when it is long enough, or 0. */
static size_t hex_length(const char *p)
{
	size_t len = 0;

	while (isxdigit((unsigned char)p[len]))
		len++;
	return len >= HEX_RUN_MIN ? len : 0;
}

void redactor_add_text(const struct redactor *redactor, const char *string, bool by_form,
		       struct text *out)
{
	for (const char *p = string; *p;) {
		size_t len = secret_length(redactor, p);

		if (!len && by_form) {
			len = uuid_length(p);
			if (!len)
				len = hex_length(p);
		}
		if (len) {
			text_add(out, CAPTURE_REDACTED);
			p += len;
		} else {
			text_add_bytes(out, p++, 1);
		}
	}
}

void redact_add_dm_uuid(const char *uuid, struct text *out)
{
	const char *dash = strchr(uuid, '-');

	/* "part1-mpath-…": a partition of a multipath map keeps both */
	if (dash && text_starts_with(uuid, "part") && strchr(dash + 1, '-'))
		dash = strchr(dash + 1, '-');
	if (dash)
		text_add_bytes(out, uuid, (size_t)(dash - uuid) + 1);
	if (*uuid)
		text_add(out, CAPTURE_REDACTED);
}
