// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The table of checks, and going through it.
 */
#include "diagnose/diagnose.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "util/i18n.h"
#include "util/number.h"

/* From what nobody can tune away to what this program sets. */
static const struct diagnose_check checks[] = {
	{ N_("health"), diagnose_health },
	{ N_("alignment"), diagnose_alignment },
	{ N_("mounts"), diagnose_mounts },
	{ N_("load"), diagnose_load },
	{ N_("pattern"), diagnose_pattern },
	{ N_("queue"), diagnose_queue },
	{ N_("interrupts"), diagnose_interrupts },
	{ N_("layers"), diagnose_layers },
	{ N_("scheduler"), diagnose_scheduler },
};

const char *finding_level_name(enum finding_level level)
{
	static const char *const names[] = {
		[FINDING_OK] = N_("ok"),
		[FINDING_UNKNOWN] = N_("unknown"),
		[FINDING_WARN] = N_("warn"),
		[FINDING_BAD] = N_("bad"),
	};

	return names[level];
}

void diagnosis_done(struct diagnosis *diagnosis)
{
	for (size_t i = 0; i < diagnosis->count; i++)
		free(diagnosis->items[i].text);
	free(diagnosis->items);
	*diagnosis = (struct diagnosis){ 0 };
}

enum finding_level diagnosis_get_level(const struct diagnosis *diagnosis)
{
	return diagnosis->count ? diagnosis->items[0].level : FINDING_OK;
}

bool diagnose_is_default(const struct device *device)
{
	static const unsigned left = 1u << CLASS_LOOP | 1u << CLASS_ZRAM | 1u << CLASS_RAM |
				     1u << CLASS_OPTICAL | 1u << CLASS_FLOPPY;

	return device->size_sectors && !(left & 1u << device->class);
}

void finding_add(struct diagnosis *out, enum finding_level level, const char *symptom,
		 const char *advice, const char *format, ...)
{
	struct finding finding = { .symptom = symptom, .level = level, .advice = advice };
	struct finding *items;
	va_list args;
	int len;

	items = reallocarray(out->items, out->count + 1, sizeof(*items));
	if (!items) {
		out->error = -ENOMEM;
		return;
	}
	out->items = items;
	va_start(args, format);
	len = vasprintf(&finding.text, format, args);
	va_end(args);
	if (len < 0)
		out->error = -ENOMEM;
	else
		items[out->count++] = finding;
}

char *diagnose_read_text(const struct diagnose_input *input, const char *name)
{
	_free_ char *path = NULL;
	char *text = NULL;

	if (asprintf(&path, "%s/%s", input->device->sys_path, name) < 0) {
		path = NULL;
		return NULL;
	}
	return root_read(input->root, path, &text) ? NULL : text;
}

static bool parse_number(const char *text, uint64_t *ret)
{
	uint64_t value = 0;

	if (!text_starts_with(text, "0x"))
		return !number_parse_u64(text, ret);
	text += 2;
	if (!*text || strlen(text) > 16)
		return false;
	for (; *text; text++) {
		static const char digits[] = "0123456789abcdef";
		const char *digit = strchr(digits, *text | 0x20);

		if (!digit)
			return false;
		value = value << 4 | (uint64_t)(digit - digits);
	}
	*ret = value;
	return true;
}

bool diagnose_read_number(const struct diagnose_input *input, const char *name,
			  uint64_t *ret)
{
	_free_ char *text = diagnose_read_text(input, name);

	return text && parse_number(text_trim(text), ret);
}

bool diagnose_get_value(const struct device *device, const char *file, uint64_t *ret)
{
	const struct tunable *tunable = tunable_find_queue(file);
	const struct device_value *value =
		tunable ? device_find_value(device, tunable) : NULL;

	return value && !value->error && !number_parse_u64(value->text, ret);
}

/* Stable: among equals the order of the checks stays. */
static void sort_worst_first(struct diagnosis *out)
{
	for (size_t i = 1; i < out->count; i++) {
		struct finding finding = out->items[i];
		size_t j = i;

		for (; j && out->items[j - 1].level < finding.level; j--)
			out->items[j] = out->items[j - 1];
		out->items[j] = finding;
	}
}

int diagnose_device(const struct diagnose_input *input, struct diagnosis *ret)
{
	struct diagnosis out = { .device = input->device };

	for (size_t i = 0; i < ARRAY_SIZE(checks) && !out.error; i++) {
		size_t before = out.count;

		checks[i].probe(input, &out);
		for (; before < out.count; before++)
			out.items[before].check = checks[i].name;
	}
	if (out.error) {
		diagnosis_done(&out);
		return -ENOMEM;
	}
	sort_worst_first(&out);
	*ret = out;
	return 0;
}
