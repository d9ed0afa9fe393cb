// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reading a profile and the chain of those it inherits from.
 */
#include "policy/profile.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "policy/profile-reader.h"
#include "sysfs/paths.h"
#include "util/file.h"
#include "util/i18n.h"
#include "util/suggest.h"

static const char *const top_names[] = { "$schema", "name", "summary", "inherits",
					 "workload", "rules" };
const struct reader_keys profile_keys_top = { top_names, ARRAY_SIZE(top_names) };

#define NAME_MAX_LEN 64

/* The files that a profile was reached through, to see a circle. */
struct chain {
	const char *path;
	const struct chain *child;
	unsigned length;
};

struct context {
	const struct root *root;
	const char *search;
	struct diag *diag;
};

void profile_free(struct profile *profile)
{
	while (profile) {
		struct profile *parent = profile->parent;

		for (size_t i = 0; i < profile->rule_count; i++)
			profile_rule_done(&profile->rules[i]);
		free(profile->rules);
		free(profile->name);
		free(profile->path);
		free(profile->summary);
		free(profile->inherits);
		free(profile->workload);
		free(profile);
		profile = parent;
	}
}

unsigned profile_rules_get_needs(const struct profile_rule *rules, size_t count)
{
	unsigned needs = 0;

	for (size_t i = 0; i < count; i++) {
		const struct profile_match *match = &rules[i].match;

		if (match->filesystems.count)
			needs |= SCAN_CONTENT | SCAN_MOUNTS;
		if (match->roles.count)
			needs |= SCAN_MOUNTS;
		if (match->by_paths.count || match->by_ids.count)
			needs |= SCAN_UDEV;
	}
	return needs;
}

unsigned profile_get_needs(const struct profile *profile)
{
	unsigned needs = 0;

	for (; profile; profile = profile->parent)
		needs |= profile_rules_get_needs(profile->rules, profile->rule_count);
	return needs;
}

bool profile_is_name(const char *name)
{
	size_t len = strlen(name);

	if (!len || len > NAME_MAX_LEN || !isalnum((unsigned char)*name))
		return false;
	for (size_t i = 0; i < len; i++)
		if (!isalnum((unsigned char)name[i]) && !strchr("-_", name[i]))
			return false;
	return true;
}

const char *profile_get_workload(const struct profile *profile)
{
	for (; profile; profile = profile->parent)
		if (profile->workload)
			return profile->workload;
	return NULL;
}

static int read_name(const struct reader *reader, const char *key, char **ret)
{
	const char *name = NULL;
	int error = reader_get_word(reader, reader->document->root, key, &name);

	if (error || !name)
		return error;
	if (!profile_is_name(name))
		return reader_fail(
			reader, reader->document->root, key, -EINVAL,
			_("\"%s\" holds other than letters, digits, '-' and '_'"), key);
	*ret = strdup(name);
	return *ret ? 0 : -ENOMEM;
}

/* A rule that sets nothing is a mistake: a "queue" that was left empty, say. */
static int check_rules(const struct reader *reader, const struct profile *profile)
{
	for (size_t i = 0; i < profile->rule_count; i++) {
		const struct profile_rule *rule = &profile->rules[i];

		if (rule->schedulers.count || rule->keeps_scheduler ||
		    rule->setting_count)
			continue;
		diag_set(reader->diag, -EINVAL, _("the rule sets nothing"));
		diag_hint(reader->diag,
			  _("\"scheduler\": \"keep\" leaves a device alone"));
		diag_at(reader->diag, reader->document->name, rule->line);
		return -EINVAL;
	}
	return 0;
}

static int read_members(const struct reader *reader, struct profile *profile)
{
	const json_t *root = reader->document->root;
	int error = reader_check_keys(reader, root, &profile_keys_top);

	if (!error)
		error = read_name(reader, "name", &profile->name);
	if (!error && !profile->name)
		error = reader_fail(reader, root, NULL, -EINVAL, _("\"%s\" is missing"),
				    "name");
	if (!error)
		error = read_name(reader, "inherits", &profile->inherits);
	if (!error)
		error = read_name(reader, "workload", &profile->workload);
	if (!error)
		error = reader_get_text(reader, root, "summary", &profile->summary);
	if (!error)
		error = profile_read_rules(reader, root, "rules", &profile_keys_rule,
					   &profile->rules, &profile->rule_count);
	return error ? error : check_rules(reader, profile);
}

int profile_read(const char *data, size_t len, const char *path, struct profile **ret,
		 struct diag *diag)
{
	_json_document_ struct json_document document = { 0 };
	_cleanup_(cleanup_profile_free) struct profile *profile = NULL;
	struct reader reader = { .document = &document, .diag = diag };
	int error;

	if (len > PROFILE_SIZE_MAX) {
		diag_set(diag, -EFBIG, _("larger than %u bytes"), PROFILE_SIZE_MAX);
		diag_at(diag, path, 0);
		return -EFBIG;
	}
	error = json_document_parse(data, len, path, &document, diag);
	if (error)
		return error;
	profile = calloc(1, sizeof(*profile));
	if (!profile || !(profile->path = strdup(path)))
		return -ENOMEM;
	error = read_members(&reader, profile);
	if (error)
		return error;
	*ret = TAKE_PTR(profile);
	return 0;
}

/* `dir` NULL: /etc below the root, whose paths have no leading slash. */
static int read_file(const struct context *context, const char *dir, const char *path,
		     char **ret, size_t *ret_len)
{
	int error;

	if (dir)
		return file_read(path, PROFILE_SIZE_MAX, ret, ret_len);
	if (!context->root)
		return -ENOENT;
	error = root_read(context->root, path + 1, ret);
	if (!error)
		*ret_len = strlen(*ret);
	return error;
}

static int load_file(const struct context *context, const char *dir, const char *path,
		     struct profile **ret)
{
	_free_ char *data = NULL;
	size_t len;
	int error = read_file(context, dir, path, &data, &len);

	if (!error)
		return profile_read(data, len, path, ret, context->diag);
	if (error != -ENOENT || dir) {
		diag_set(context->diag, error, _("cannot read the profile: %s"),
			 error == -EBADMSG ? _("not a regular file") : strerror(-error));
		diag_at(context->diag, path, 0);
	}
	return error;
}

static bool is_in_chain(const struct chain *chain, const char *path)
{
	for (; chain; chain = chain->child)
		if (!strcmp(chain->path, path))
			return true;
	return false;
}

/* What profile_each_place() is asked to do for a name. */
struct search {
	const struct context *context;
	const char *name;
	const struct chain *chain;
	bool has_circle;
	struct profile *found;
};

static int try_place(const char *dir, void *userdata)
{
	struct search *search = userdata;
	_free_ char *path = NULL;
	struct diag *diag = search->context->diag;
	int error;

	if (asprintf(&path, "%s/%s.json", dir ? dir : "/" PATH_CONFIG_PROFILES,
		     search->name) < 0)
		return -ENOMEM;
	if (is_in_chain(search->chain, path)) {
		search->has_circle = true;
		return 0;
	}
	if (dir && access(path, F_OK))
		return 0;
	error = load_file(search->context, dir, path, &search->found);
	if (error)
		return error == -ENOENT && !dir ? 0 : error;
	if (strcmp(search->found->name, search->name)) {
		diag_set(diag, -EINVAL,
			 _("\"name\" is \"%s\", but the file is called %s.json"),
			 search->found->name, search->name);
		diag_at(diag, path, 0);
		return -EINVAL;
	}
	return 1;
}

static int fail_absent(const struct context *context, const char *name)
{
	_text_ struct text known = { 0 };
	struct profile_entry *entries = NULL;
	struct suggestion suggestion = suggestion_for(name);
	size_t count = 0;

	diag_set(context->diag, -ENOENT, _("there is no profile \"%s\""), name);
	if (profile_list(context->root, context->search, &entries, &count, NULL))
		return -ENOENT;
	for (size_t i = 0; i < count; i++) {
		if (entries[i].is_shadowed)
			continue;
		suggestion_offer(&suggestion, entries[i].name);
		text_addf(&known, "%s%s", known.len ? ", " : "", entries[i].name);
	}
	if (suggestion.nearest)
		diag_hint(context->diag, _("did you mean '%s'? There are: %s"),
			  suggestion.nearest, known.data ? known.data : "");
	profile_entries_free(entries, count);
	if (known.data && !known.error)
		diag_hint(context->diag, _("there are: %s"), known.data);
	return -ENOENT;
}

static int load_name(const struct context *context, const char *name,
		     const struct chain *chain, struct profile **ret)
{
	struct search search = { .context = context, .name = name, .chain = chain };
	int error = profile_is_name(name)
			    ? profile_each_place(context->search, try_place, &search)
			    : 0;

	if (error < 0) {
		profile_free(search.found);
		return error;
	}
	if (search.found) {
		*ret = search.found;
		return 0;
	}
	if (search.has_circle)
		return diag_set(context->diag, -ELOOP,
				_("the profile inherits from itself"));
	return fail_absent(context, name);
}

/* Adds the parents; `chain` holds this profile itself. */
static int load_parents(const struct context *context, struct profile *profile,
			const struct chain *child)
{
	struct chain chain = { .path = profile->path,
			       .child = child,
			       .length = child ? child->length + 1 : 1 };
	int error;

	if (!profile->inherits)
		return 0;
	if (chain.length >= PROFILE_INHERIT_MAX)
		error = diag_set(context->diag, -ELOOP,
				 _("the chain of profiles is longer than %d"),
				 PROFILE_INHERIT_MAX);
	else
		error = load_name(context, profile->inherits, &chain, &profile->parent);
	if (error) {
		diag_at(context->diag, profile->path, 0);
		return error;
	}
	return load_parents(context, profile->parent, &chain);
}

bool profile_is_file(const char *name)
{
	return strchr(name, '/') || text_ends_with(name, ".json");
}

int profile_load(const struct root *root, const char *search, const char *name_or_file,
		 struct profile **ret, struct diag *diag)
{
	_cleanup_(cleanup_profile_free) struct profile *profile = NULL;
	struct context context = { .root = root, .search = search, .diag = diag };
	int error;

	if (profile_is_file(name_or_file))
		error = load_file(&context, "", name_or_file, &profile);
	else
		error = load_name(&context, name_or_file, NULL, &profile);
	if (!error)
		error = load_parents(&context, profile, NULL);
	if (error)
		return error;
	*ret = TAKE_PTR(profile);
	return 0;
}

int profile_parse(const struct root *root, const char *search, const char *data,
		  size_t len, const char *path, struct profile **ret, struct diag *diag)
{
	_cleanup_(cleanup_profile_free) struct profile *profile = NULL;
	struct context context = { .root = root, .search = search, .diag = diag };
	int error = profile_read(data, len, path, &profile, diag);

	if (!error)
		error = load_parents(&context, profile, NULL);
	if (error)
		return error;
	*ret = TAKE_PTR(profile);
	return 0;
}
