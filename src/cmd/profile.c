// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * profile: list, show and check profiles.
 */
#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "cmd/common.h"
#include "cmd/verb.h"
#include "policy/profile.h"
#include "report/json.h"
#include "report/profile.h"
#include "util/i18n.h"
#include "util/json-build.h"
#include "util/log.h"
#include "util/suggest.h"

static int run_list(const struct cmd_context *context, const char *argument)
{
	struct table_style style = cmd_table_style(context);
	struct profile_entry *entries = NULL;
	struct diag diag = { 0 };
	size_t count = 0;
	int error;

	(void)argument;
	error = profile_list(context->root, context->search, &entries, &count, &diag);
	if (error)
		return cmd_fail(&diag, error);
	if (context->is_json) {
		json_t *root = json_envelope();

		json_put(root, "profiles", profile_list_to_json(entries, count), &error);
		error = json_print(root, error);
	} else {
		error = profile_print_list(entries, count, &style);
	}
	profile_entries_free(entries, count);
	return error ? cmd_fail(&diag, error) : EXIT_STATUS_DONE;
}

static int run_show(const struct cmd_context *context, const char *argument)
{
	_cleanup_(cleanup_profile_free) struct profile *profile = NULL;
	struct table_style style = cmd_table_style(context);
	struct diag diag = { 0 };
	int error =
		profile_load(context->root, context->search, argument, &profile, &diag);

	if (error)
		return cmd_fail_profile(argument, &diag, error);
	if (context->is_json) {
		json_t *root = json_envelope();

		json_put(root, "profile", profile_to_json(profile), &error);
		error = json_print(root, error);
	} else {
		error = profile_print(profile, &style);
	}
	return error ? cmd_fail(&diag, error) : EXIT_STATUS_DONE;
}

/* All of the standard input, one byte more than a profile may have at most. */
static int read_stdin(struct text *ret)
{
	char buf[8192];

	while (ret->len <= PROFILE_SIZE_MAX) {
		ssize_t len = read(STDIN_FILENO, buf, sizeof(buf));

		if (len < 0 && errno == EINTR)
			continue;
		if (len < 0)
			return -errno;
		text_add_bytes(ret, buf, (size_t)len);
		if (ret->error)
			return ret->error;
		if (!len)
			return 0;
	}
	return -EFBIG;
}

static int check(const struct cmd_context *context, const char *argument,
		 struct profile **ret, struct profile_mistakes *mistakes)
{
	_text_ struct text input = { 0 };
	struct diag *diag = &mistakes->items[0];
	int error;

	if (strcmp(argument, "-"))
		return profile_check(context->root, context->search, argument, ret, mistakes);
	error = read_stdin(&input);
	if (!error)
		return profile_check_text(context->root, context->search, input.data,
					  input.len, _("standard input"), ret, mistakes);
	if (error == -EFBIG)
		diag_set(diag, error, _("larger than %u KiB: no profile is"),
			 PROFILE_SIZE_MAX / 1024);
	diag_set(diag, error, "%s", strerror(-error));
	diag_at(diag, _("standard input"), 0);
	mistakes->count = 1;
	return error;
}

static json_t *mistake_to_json(const struct diag *diag)
{
	json_t *object = json_object();
	int error = 0;

	json_put(object, "path", json_text(diag->where[0] ? diag->where : NULL), &error);
	json_put(object, "line", diag->line ? json_integer(diag->line) : json_null(), &error);
	json_put(object, "error", json_text(diag->text), &error);
	json_put(object, "hint", json_text(diag->hint[0] ? diag->hint : NULL), &error);
	return json_finish(object, error);
}

/* What is wrong first stands by itself, as ever. */
static int print_check(const struct profile *profile, const struct profile_mistakes *mistakes)
{
	const struct diag *diag = &mistakes->items[0];
	json_t *root = json_envelope(), *list = json_array();
	bool is_ok = profile != NULL;
	int error = 0;

	for (size_t i = 0; i < mistakes->count; i++)
		json_push(list, mistake_to_json(&mistakes->items[i]), &error);
	json_put(root, "ok", json_boolean(is_ok), &error);
	json_put(root, "name", json_text(is_ok ? profile->name : NULL), &error);
	json_put(root, "path", json_text(is_ok ? profile->path : diag->where), &error);
	json_put(root, "line",
		 is_ok || !diag->line ? json_null() : json_integer(diag->line), &error);
	json_put(root, "error", json_text(is_ok ? NULL : diag->text), &error);
	json_put(root, "hint", json_text(is_ok || !diag->hint[0] ? NULL : diag->hint),
		 &error);
	json_put(root, "mistakes", list, &error);
	json_put(root, "more", json_integer((json_int_t)mistakes->more), &error);
	return json_print(root, error);
}

/* The exit status is that of the first. */
static int fail_check(struct profile_mistakes *mistakes, int error)
{
	struct diag none = { 0 };
	int status = cmd_fail(mistakes->count ? &mistakes->items[0] : &none, error);

	for (size_t i = 1; i < mistakes->count; i++)
		log_diag(&mistakes->items[i]);
	if (mistakes->more)
		log_error(P_("and %zu more mistake", "and %zu more mistakes", mistakes->more),
			  mistakes->more);
	return status;
}

static int run_check(const struct cmd_context *context, const char *argument)
{
	_cleanup_(cleanup_profile_free) struct profile *profile = NULL;
	struct profile_mistakes mistakes = { 0 };
	int error = check(context, argument, &profile, &mistakes);
	int print_error = 0;

	if (context->is_json && error != -ENOMEM)
		print_error = print_check(profile, &mistakes);
	else if (!error)
		puts(_("ok"));
	if (print_error)
		return cmd_fail(&(struct diag){ 0 }, print_error);
	/* Mistakes in the profile are what was asked for; a name that there is not is not. */
	if (error == -ENOENT && !profile_is_file(argument) && !mistakes.items[0].where[0])
		return cmd_fail_profile(argument, &mistakes.items[0], error);
	return error ? fail_check(&mistakes, error) : EXIT_STATUS_DONE;
}

static const struct action {
	const char *name;
	bool needs_argument;
	int (*run)(const struct cmd_context *context, const char *argument);
} actions[] = {
	{ "list", false, run_list },
	{ "show", true, run_show },
	{ "check", true, run_check },
};

static int run_profile(const struct cmd_context *context, const void *options,
		       const char *const *arguments, size_t argument_count)
{
	const char *name = argument_count ? arguments[0] : "list";
	struct suggestion suggestion = suggestion_for(name);
	struct diag diag = { 0 };

	(void)options;
	for (size_t i = 0; i < ARRAY_SIZE(actions); i++) {
		const struct action *action = &actions[i];
		bool has_argument = argument_count > 1;

		suggestion_offer(&suggestion, action->name);
		if (strcmp(action->name, name))
			continue;
		if (has_argument == action->needs_argument)
			return action->run(context, has_argument ? arguments[1] : NULL);
		if (has_argument)
			diag_set(&diag, -EINVAL, _("unexpected argument '%s'"),
				 arguments[1]);
		else
			diag_set(&diag, -EINVAL, _("'profile %s' needs a name or a file"),
				 name);
		return cmd_fail_usage(&verb_profile, &diag);
	}
	diag_set(&diag, -EINVAL,
		 _("'profile' does not know '%s', only list, show, check"), name);
	if (suggestion.nearest)
		diag_hint(&diag, _("did you mean '%s'?"), suggestion.nearest);
	else
		diag_hint(&diag, _("did you mean 'profile show %s'?"), name);
	return cmd_fail_usage(&verb_profile, &diag);
}

static const struct verb_example examples[] = {
	{ "iosched-tune profile list", N_("what there is to choose from") },
	{ "iosched-tune profile show database", N_("every rule, and why") },
	{ "iosched-tune profile check my.json", N_("is this file right?") },
	{ 0 },
};

static const struct option_word words[] = {
	{ "list", N_("the profiles that there are"), VALUE_NONE },
	{ "show", N_("one profile with every rule"), VALUE_PROFILE },
	{ "check", N_("whether a file is a valid profile"), VALUE_FILE },
	{ 0 },
};

const struct verb verb_profile = {
	.name = "profile",
	.summary = N_("List, show and check profiles"),
	.usage = "[list | show NAME | check FILE]",
	.help = N_("A profile is a JSON file with rules that say which scheduler and "
		   "values a "
		   "kind of device gets, and why. NAME is looked for in the profiles of "
		   "this "
		   "machine, then among those that came with the program; a FILE has a "
		   "slash in "
		   "its name or ends in .json; '-' checks the standard input."),
	.examples = examples,
	.positional = { "ACTION", VALUE_PROFILE, 0, 2, words },
	.run = run_profile,
};
