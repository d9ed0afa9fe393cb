/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Takes serial numbers out of text: those that are known from the attribute they came
 * from, and whatever looks like one (UUID, long hexadecimal name).
 */
#ifndef IOSCHED_DEVICE_REDACT_H
#define IOSCHED_DEVICE_REDACT_H

#include <stdbool.h>

#include "util/text.h"

struct redactor {
	struct strv secrets;
};

void redactor_done(struct redactor *redactor);

/* Once, after the last redactor_add() and before the first redactor_add_text(). */
void redactor_seal(struct redactor *redactor);

/* Remembers a value and the forms that udev gives it. Short ones and those without a
   digit are left out: they would be found inside ordinary words. */
int redactor_add(struct redactor *redactor, const char *secret);

/* Is this the name of a sysfs attribute, or the key of a udev property, that holds one? */
bool redact_is_secret_file(const char *name);
bool redact_is_secret_property(const char *key);

/*
 * Appends `string` without known secrets; with `by_form` also without UUIDs and runs of
 * 16 or more hexadecimal digits.
 */
void redactor_add_text(const struct redactor *redactor, const char *string, bool by_form,
		       struct text *out);

/* "LVM-REDACTED": the prefix of a dm UUID stays. */
void redact_add_dm_uuid(const char *uuid, struct text *out);

#endif
