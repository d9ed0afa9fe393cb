// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * manual: the parts of the manual pages that come from tables, as scdoc source. Plumbing
 * for the build: what a page says of options, attributes, schedulers, columns, classes
 * cannot differ from what the program does. In the language of the locale.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cmd/common.h"
#include "cmd/globals.h"
#include "cmd/verb.h"
#include "device/device.h"
#include "report/column.h"
#include "sim/media/media.h"
#include "sim/workload/fio-file.h"
#include "tunable/scheduler.h"
#include "tunable/tunable.h"
#include "util/i18n.h"

/* scdoc takes these for marks; a backslash before them makes them letters. */
static void put_plain(const char *string)
{
	for (; *string; string++) {
		if (strchr("_*\\#`|[]<>~", *string))
			putchar('\\');
		putchar(*string);
	}
}

static void put_bold(const char *string)
{
	putchar('*');
	put_plain(string);
	putchar('*');
}

/* The text below a heading of a list. */
static void put_body(const char *string)
{
	putchar('\t');
	/* these would begin a list */
	if (*string == '-' || *string == '.')
		putchar('\\');
	put_plain(string);
	fputs("\n\n", stdout);
}

static void put_options(const struct option_spec *specs, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct option_spec *spec = &specs[i];

		if (spec->short_name) {
			char letter[] = { '-', spec->short_name, '\0' };

			put_bold(letter);
			fputs(", ", stdout);
		}
		fputs("*--", stdout);
		put_plain(spec->long_name);
		putchar('*');
		if (spec->placeholder) {
			fputs(spec->implied ? "\\[=_" : " _", stdout);
			put_plain(spec->placeholder);
			fputs(spec->implied ? "_\\]" : "_", stdout);
		}
		putchar('\n');
		put_body(_(spec->help));
	}
}

static void put_synopsis(const struct verb *verb)
{
	fputs("*iosched-tune* ", stdout);
	put_bold(verb->name);
	fputs(" \\[_OPTION_...\\] ", stdout);
	put_plain(verb->usage);
	putchar('\n');
}

static void put_examples(const struct verb *verb)
{
	const struct verb_example *example = verb->examples;

	for (; example && example->command; example++) {
		put_bold(example->command);
		putchar('\n');
		put_body(_(example->meaning));
	}
}

static void put_words(const struct verb *verb)
{
	const struct option_word *word = verb->positional.words;

	for (; word && word->word; word++) {
		put_bold(word->word);
		putchar('\n');
		put_body(_(word->help));
	}
}

static void put_verbs(void)
{
	const struct verb *verb;

	for (size_t i = 0; (verb = verb_get(i)); i++) {
		if (verb->is_hidden)
			continue;
		printf("*iosched-tune-%s*(1)\n", verb->name);
		put_body(_(verb->summary));
	}
}

static void put_version(struct kernel_version version)
{
	printf(version.patch ? "%u.%u.%u" : "%u.%u", version.major, version.minor,
	       version.patch);
}

/* "Linux 4.11 and later", "until Linux 5.0": what is known of it. */
static void put_kernels(struct kernel_version since, struct kernel_version until)
{
	if (!since.major && !until.major)
		return;
	fputs("\t", stdout);
	fputs(_("Kernels: "), stdout);
	if (since.major)
		put_version(since);
	fputs(" - ", stdout);
	if (until.major) {
		fputs(_("before "), stdout);
		put_version(until);
	}
	fputs("\n\n", stdout);
}

static void put_range(const struct tunable *tunable)
{
	const char *unit = unit_name(tunable->unit);

	putchar('\t');
	if (tunable->is_readonly)
		fputs(_("Read only."), stdout);
	else if (tunable->type == TUNABLE_BOOL)
		fputs(_("0 or 1."), stdout);
	else if (tunable->type == TUNABLE_INT)
		printf(_("From %" PRId64 " to %" PRId64 "."), tunable->min, tunable->max);
	else
		fputs(_("One word."), stdout);
	if (*unit) {
		putchar(' ');
		printf(_("Unit: %s."), unit);
	}
	if (tunable->initial) {
		putchar(' ');
		printf(_("Default: %s."), tunable->initial);
	}
	fputs("\n\n", stdout);
}

static void put_tunable(const struct tunable *tunable)
{
	put_bold(tunable->key);
	putchar('\n');
	put_body(_(tunable->help));
	put_range(tunable);
	if (tunable->note)
		put_body(_(tunable->note));
	put_kernels(tunable->since, tunable->until);
}

/* `owner` NULL: attributes of the queue; `is_policy`: those that a profile can set. */
static void put_tunables(const char *owner, bool is_policy)
{
	const struct tunable *tunable;

	for (size_t i = 0; (tunable = tunable_get(i)); i++)
		if (text_equal(tunable->owner, owner) && tunable->is_policy == is_policy)
			put_tunable(tunable);
}

static void put_all_tunables(void)
{
	const struct scheduler *scheduler;

	printf("# %s\n\n", _("ATTRIBUTES OF THE QUEUE"));
	put_tunables(NULL, true);
	for (size_t i = 0; (scheduler = scheduler_get(i)); i++) {
		printf("# ");
		printf(_("ATTRIBUTES OF %s"), scheduler->name);
		printf("\n\n");
		put_plain(_(scheduler->summary));
		/* TRANSLATORS: the end of a sentence. */
		printf("%s\n\n", _("."));
		put_tunables(scheduler->name, true);
	}
	printf("# %s\n\n", _("ATTRIBUTES THAT ARE SHOWN ONLY"));
	put_tunables(NULL, false);
}

static void put_columns(void)
{
	const struct column *column;

	for (size_t i = 0; (column = column_get(i)); i++) {
		put_bold(column->name);
		putchar('\n');
		put_body(_(column->help));
	}
}

static void put_classes(void)
{
	for (enum device_class class = 0; class < CLASS_COUNT; class ++) {
		put_bold(device_class_name(class));
		putchar('\n');
		put_body(_(device_class_summary(class)));
	}
}

/* --- media -------------------------------------------------------------------------- */

static void put_presets(void)
{
	const struct sim_medium_preset *preset;

	for (size_t i = 0; (preset = sim_medium_preset(i)); i++) {
		struct sim_medium medium;
		char size[32];

		if (sim_medium_find(preset->name, &medium) < 0)
			continue;
		number_format_bytes(medium.capacity_sectors * 512, size, sizeof(size));
		put_bold(preset->name);
		putchar('\n');
		put_body(_(preset->summary));
		putchar('\t');
		/* TRANSLATORS: of a device: its model's name, its size, its queues. */
		printf(_("Model %s, %s, %u x %u requests."), medium.ops->name, size,
		       medium.hw_queues, medium.hw_depth);
		putchar(' ');
		printf(_("Source: %s."), _(preset->source));
		fputs("\n\n", stdout);
	}
}

static void put_parameter(const struct sim_media_parameter *row)
{
	put_bold(row->key);
	putchar('\n');
	put_body(_(row->help));
	putchar('\t');
	if (row->words) {
		fputs(_("One of: "), stdout);
		for (unsigned i = 0; row->words[i]; i++)
			printf("%s%s", i ? ", " : "", row->words[i]);
		putchar('.');
		putchar(' ');
		printf(_("Default: %s."), row->words[(unsigned)row->initial]);
	} else {
		printf(_("From %.9g to %.9g."), row->min, row->max);
		if (*row->unit) {
			putchar(' ');
			printf(_("Unit: %s."), row->unit);
		}
		putchar(' ');
		printf(_("Default: %.9g."), row->initial);
	}
	putchar(' ');
	printf(_("Source: %s."), _(row->source));
	fputs("\n\n", stdout);
}

static void put_models(void)
{
	const struct sim_media_ops *ops;

	for (size_t i = 0; (ops = sim_media_get(i)); i++) {
		printf("# ");
		printf(_("PARAMETERS OF %s"), ops->name);
		printf("\n\n");
		put_plain(_(ops->summary));
		/* TRANSLATORS: the end of a sentence. */
		printf("%s\n\n", _("."));
		for (size_t j = 0; j < ops->parameter_count; j++)
			put_parameter(&ops->parameters[j]);
	}
}

static void put_globals(void)
{
	size_t count;
	const struct option_spec *specs = globals_specs(&count);

	put_options(specs, count);
}

static void put_verb_options(const struct verb *verb)
{
	put_options(verb->options, verb->option_count);
}

/* The other one may be missing. */
static void put_names(const char *name, const char *alias)
{
	put_bold(name);
	if (alias) {
		fputs(", ", stdout);
		put_bold(alias);
	}
}

static void put_workloads(void)
{
	const struct workload_row *row;

	for (size_t i = 0; (row = workload_get(i)); i++) {
		put_names(row->name, row->alias);
		putchar('\n');
		put_body(_(row->summary));
	}
}


/* Keys with one reason come together. */
static void put_fio_keys(enum fio_key_kind kind)
{
	const struct fio_key *key, *next;

	for (size_t i = 0; (key = fio_key_get(i)); i++) {
		if (key->kind != kind)
			continue;
		put_names(key->name, key->alias);
		next = fio_key_get(i + 1);
		if (next && next->kind == kind && !strcmp(next->text, key->text)) {
			fputs(", ", stdout);
			continue;
		}
		putchar('\n');
		put_body(_(key->text));
	}
}

static void put_fio_understood(void)
{
	put_fio_keys(FIO_UNDERSTOOD);
}

static void put_fio_ignored(void)
{
	put_fio_keys(FIO_IGNORED);
}

static void put_fio_refused(void)
{
	put_fio_keys(FIO_REFUSED);
}

/* Each part has one of the two: what needs a verb, and what does not. */
static const struct part {
	const char *name;
	void (*put)(void);
	void (*put_of_verb)(const struct verb *verb);
} parts[] = {
	{ "synopsis", .put_of_verb = put_synopsis },
	{ "words", .put_of_verb = put_words },
	{ "options", .put_of_verb = put_verb_options },
	{ "examples", .put_of_verb = put_examples },
	{ "globals", .put = put_globals },
	{ "verbs", .put = put_verbs },
	{ "tunables", .put = put_all_tunables },
	{ "columns", .put = put_columns },
	{ "classes", .put = put_classes },
	{ "workloads", .put = put_workloads },
	{ "fio-understood", .put = put_fio_understood },
	{ "fio-ignored", .put = put_fio_ignored },
	{ "fio-refused", .put = put_fio_refused },
	{ "media", .put = put_presets },
	{ "media-models", .put = put_models },
};

static int fail(const char *argument)
{
	struct diag diag = { 0 };

	diag_set(&diag, -EINVAL, _("there is no part of the manual that is called '%s'"),
		 argument);
	return cmd_fail_usage(&verb_manual, &diag);
}

static int run_manual(const struct cmd_context *context, const void *options,
		      const char *const *arguments, size_t argument_count)
{
	const struct verb *verb = argument_count > 1 ? verb_find(arguments[1]) : NULL;

	(void)context;
	(void)options;
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		if (strcmp(parts[i].name, arguments[0]) != 0)
			continue;
		if (argument_count > 1 && !verb)
			return cmd_unknown_verb(arguments[1]);
		if (parts[i].put && !verb)
			parts[i].put();
		else if (parts[i].put_of_verb && verb)
			parts[i].put_of_verb(verb);
		else
			break;
		return EXIT_STATUS_DONE;
	}
	return fail(arguments[0]);
}

const struct verb verb_manual = {
	.name = "manual",
	.summary = N_("Parts of the manual pages, from the program's own tables"),
	.usage = "PART [VERB]",
	.help = N_("For the build. PART is synopsis, words, options or examples of a verb, "
		   "or globals, verbs, tunables, columns, classes, workloads, "
		   "fio-understood, fio-ignored, fio-refused, media, media-models."),
	.is_hidden = true,
	.positional = { "PART", VALUE_TEXT, 1, 2 },
	.run = run_manual,
};
