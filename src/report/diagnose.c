// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Findings for people and for programs.
 */
#include "report/diagnose.h"

#include "report/watch.h"
#include "util/i18n.h"
#include "util/json-build.h"

void diagnosis_sort(struct diagnosis *list, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		struct diagnosis diagnosis = list[i];
		size_t j = i;

		for (; j && diagnosis_get_level(&list[j - 1]) <
				    diagnosis_get_level(&diagnosis);
		     j--)
			list[j] = list[j - 1];
		list[j] = diagnosis;
	}
}

static void add_row(struct table *table, const struct diagnosis *diagnosis,
		    const struct finding *finding)
{
	static const enum table_mood moods[] = {
		[FINDING_OK] = MOOD_GOOD,
		[FINDING_UNKNOWN] = MOOD_PLAIN,
		[FINDING_WARN] = MOOD_NOTICE,
		[FINDING_BAD] = MOOD_BAD,
	};
	_text_ struct text text = { 0 };

	text_add(&text, finding->text);
	if (finding->advice)
		text_addf(&text, _(" -> %s"), _(finding->advice));
	table_add_row(table, TABLE_NO_PARENT);
	table_set(table, 0, diagnosis->device->name, MOOD_PLAIN);
	table_set(table, 1, _(finding_level_name(finding->level)),
		  moods[finding->level]);
	table_set(table, 2, _(finding->check), MOOD_PLAIN);
	table_set(table, 3, text.data ? text.data : finding->text, MOOD_PLAIN);
}

int diagnosis_print(const struct diagnosis *list, size_t count, bool with_fine,
		    const struct table_style *style)
{
	_cleanup_(cleanup_table_free) struct table *table = NULL;
	size_t rows = 0;
	int error = table_new(style, &table);

	if (error)
		return error;
	table_add_column(table, _("DEVICE"), TABLE_LEFT);
	table_add_column(table, _("STATE"), TABLE_LEFT);
	table_add_column(table, _("CHECK"), TABLE_LEFT);
	table_add_column(table, _("WHAT IS, AND WHAT TO DO"), TABLE_WRAP);
	for (size_t i = 0; i < count; i++) {
		for (size_t j = 0; j < list[i].count; j++) {
			if (!with_fine && list[i].items[j].level == FINDING_OK)
				continue;
			add_row(table, &list[i], &list[i].items[j]);
			rows++;
		}
	}
	return rows ? table_print(table) : 0;
}

static json_t *finding_to_json(const struct finding *finding)
{
	json_t *object = json_object();
	int error = 0;

	json_put(object, "check", json_text(finding->check), &error);
	json_put(object, "symptom", json_text(finding->symptom), &error);
	json_put(object, "level", json_text(finding_level_name(finding->level)), &error);
	json_put(object, "text", json_text(finding->text), &error);
	json_put(object, "advice",
		 json_text(finding->advice ? _(finding->advice) : NULL), &error);
	return json_finish(object, error);
}

json_t *diagnosis_to_json(const struct diagnosis *diagnosis,
			  const struct device_load *load)
{
	json_t *object = json_object(), *list = json_array();
	int error = 0;

	for (size_t i = 0; i < diagnosis->count; i++)
		json_push(list, finding_to_json(&diagnosis->items[i]), &error);
	json_put(object, "name", json_text(diagnosis->device->name), &error);
	json_put(object, "class", json_text(device_class_name(diagnosis->device->class)),
		 &error);
	json_put(object, "level",
		 json_text(finding_level_name(diagnosis_get_level(diagnosis))), &error);
	json_put(object, "load", load_to_json(load), &error);
	json_put(object, "findings", list, &error);
	return json_finish(object, error);
}
