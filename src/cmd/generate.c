// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * generate: a policy as udev rules, systemd units or a GRUB setting, on stdout.
 */
#include <errno.h>
#include <string.h>

#include "cmd/common.h"
#include "cmd/persist-case.h"
#include "report/json.h"
#include "sysfs/paths.h"
#include "util/i18n.h"
#include "util/json-build.h"
#include "util/log.h"
#include "util/suggest.h"

struct generate_options {
	const char *profile;
	bool is_forced;
};

static const struct option_spec generate_specs[] = {
	{ 'p', "profile", VALUE_PROFILE, "PROFILE",
	  .help = N_("name or file of the policy, balanced when not given"),
	  .offset = OPTION_FIELD(struct generate_options, profile) },
	{ 'f', "force", .help = N_("elevator= also where it has no effect"),
	  .offset = OPTION_FIELD(struct generate_options, is_forced) },
};

static int fail_unknown(const char *name)
{
	struct suggestion suggestion = suggestion_for(name);
	const struct persist_backend *backend;
	struct diag diag = { 0 };

	diag_set(&diag, -EINVAL, _("there is nothing to generate that is called '%s'"),
		 name);
	for (size_t i = 0; (backend = backend_get(i)); i++)
		suggestion_offer(&suggestion, backend->name);
	if (suggestion.nearest)
		diag_hint(&diag, _("did you mean '%s'?"), suggestion.nearest);
	else
		diag_hint(&diag, _("known are udev, systemd and grub"));
	return cmd_fail_usage(&verb_generate, &diag);
}

static int print(const struct cmd_context *context, const struct persist_backend *backend,
		 const char *text, const struct strv *notes)
{
	json_t *root;
	int error = 0;

	if (!context->is_json) {
		fputs(text, stdout);
		return 0;
	}
	root = json_envelope();
	json_put(root, "backend", json_text(backend->name), &error);
	json_put(root, "text", json_text(text), &error);
	json_put(root, "notes", json_text_array(notes), &error);
	return json_print(root, error);
}

static int generate(const struct cmd_context *context,
		    const struct persist_backend *backend,
		    const struct persist_input *input)
{
	_free_ char *sealed = NULL;
	_text_ struct text text = { 0 };
	_strv_ struct strv notes = { 0 };
	struct diag diag = { 0 };
	int error = backend->generate(input, &text, &notes, &diag);

	if (!error)
		error = artefact_seal(input->profile, text.data ? text.data : "",
				      &sealed);
	if (!error)
		error = print(context, backend, sealed, &notes);
	if (error)
		return cmd_fail(&diag, error);
	for (size_t i = 0; i < notes.count; i++)
		log_notice("%s", notes.items[i]);
	return EXIT_STATUS_DONE;
}

static int run_generate(const struct cmd_context *context, const void *data,
			const char *const *arguments, size_t argument_count)
{
	const struct generate_options *options = data;
	const struct persist_backend *backend = backend_find(arguments[0]);
	_persist_case_ struct persist_case persist_case = { 0 };
	int status;

	(void)argument_count;
	if (!backend)
		return fail_unknown(arguments[0]);
	status = persist_case_make(context, options->profile, NULL, options->is_forced,
				   &persist_case);
	if (status)
		return status;
	/* the same wherever it is generated: for the place where packages put the program */
	persist_case.input.has_instances = true;
	persist_case.input.program = "/" PATH_PROGRAM;
	return generate(context, backend, &persist_case.input);
}

static const struct verb_example examples[] = {
	{ "iosched-tune generate udev --profile database",
	  N_("udev rules, for an image or to be looked at") },
	{ "iosched-tune generate systemd", N_("the unit and the template") },
	{ 0 },
};

static const struct option_word words[] = {
	{ "udev", N_("native rules, for every disk now and later"), VALUE_NONE },
	{ "systemd", N_("a unit that applies the profile at boot"), VALUE_NONE },
	{ "grub", N_("the boot argument elevator="), VALUE_NONE },
	{ 0 },
};

const struct verb verb_generate = {
	.name = "generate",
	.summary = N_("Print a policy as udev rules, units or a boot argument"),
	.usage = "udev|systemd|grub",
	.help = N_("Prints what 'persist install' would write, for images and for people "
		   "who "
		   "install files by other means. The output does not depend on the "
		   "devices of "
		   "this machine, but for the value of elevator=."),
	.examples = examples,
	.options = generate_specs,
	.option_count = ARRAY_SIZE(generate_specs),
	.options_size = sizeof(struct generate_options),
	.positional = { "FORMAT", VALUE_TEXT, 1, 1, words },
	.run = run_generate,
};
