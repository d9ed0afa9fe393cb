// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finding a profile and the chain of those it inherits from; and all their mistakes.
 */
#include <errno.h>
#include <string.h>

#include "policy/profile-reader.h"
#include "sysfs/paths.h"
#include "util/file.h"
#include "util/i18n.h"
#include "util/suggest.h"

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
	struct profile_mistakes *mistakes; /* NULL: the first one ends it */
};

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
		return profile_read_on(data, len, path, context->mistakes, ret, context->diag);
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
	if (search->found->name && strcmp(search->found->name, search->name)) {
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
		diag_at(context->diag, profile->path, profile->inherits_line);
		return error;
	}
	return load_parents(context, profile->parent, &chain);
}

bool profile_is_file(const char *name)
{
	return strchr(name, '/') || text_ends_with(name, ".json");
}

static int load(const struct context *context, const char *name_or_file,
		struct profile **ret)
{
	_cleanup_(cleanup_profile_free) struct profile *profile = NULL;
	int error;

	if (profile_is_file(name_or_file))
		error = load_file(context, "", name_or_file, &profile);
	else
		error = load_name(context, name_or_file, NULL, &profile);
	if (!error)
		error = load_parents(context, profile, NULL);
	if (error)
		return error;
	*ret = TAKE_PTR(profile);
	return 0;
}

static int parse(const struct context *context, const char *data, size_t len,
		 const char *path, struct profile **ret)
{
	_cleanup_(cleanup_profile_free) struct profile *profile = NULL;
	int error = profile_read_on(data, len, path, context->mistakes, &profile,
				    context->diag);

	if (!error)
		error = load_parents(context, profile, NULL);
	if (error)
		return error;
	*ret = TAKE_PTR(profile);
	return 0;
}

int profile_load(const struct root *root, const char *search, const char *name_or_file,
		 struct profile **ret, struct diag *diag)
{
	const struct context context = { .root = root, .search = search, .diag = diag };

	return load(&context, name_or_file, ret);
}

int profile_parse(const struct root *root, const char *search, const char *data,
		  size_t len, const char *path, struct profile **ret, struct diag *diag)
{
	const struct context context = { .root = root, .search = search, .diag = diag };

	return parse(&context, data, len, path, ret);
}

/* --- all mistakes --------------------------------------------------------------------- */

/* Those of one file stand together, and stay so. */
static void sort_mistakes(struct profile_mistakes *mistakes)
{
	for (size_t i = 1; i < mistakes->count; i++) {
		struct diag diag = mistakes->items[i];
		size_t j = i;

		for (; j && !strcmp(mistakes->items[j - 1].where, diag.where) &&
		       mistakes->items[j - 1].line > diag.line;
		     j--)
			mistakes->items[j] = mistakes->items[j - 1];
		mistakes->items[j] = diag;
	}
}

/* `profile`: what came of it, released when it is not whole. */
static int conclude(const struct context *context, int error, struct profile *profile,
		    struct profile **ret)
{
	struct profile_mistakes *mistakes = context->mistakes;

	if (error && error != -ENOMEM) {
		diag_set(context->diag, error, "%s", strerror(-error));
		profile_mistakes_add(mistakes, context->diag);
	}
	if (error == -ENOMEM || mistakes->count) {
		profile_free(profile);
		sort_mistakes(mistakes);
		return error == -ENOMEM ? error : mistakes->items[0].error;
	}
	*ret = profile;
	return 0;
}

int profile_check(const struct root *root, const char *search, const char *name_or_file,
		  struct profile **ret, struct profile_mistakes *ret_mistakes)
{
	struct diag diag = { 0 };
	const struct context context = {
		.root = root, .search = search, .diag = &diag, .mistakes = ret_mistakes
	};
	struct profile *profile = NULL;
	int error = load(&context, name_or_file, &profile);

	return conclude(&context, error, profile, ret);
}

int profile_check_text(const struct root *root, const char *search, const char *data,
		       size_t len, const char *path, struct profile **ret,
		       struct profile_mistakes *ret_mistakes)
{
	struct diag diag = { 0 };
	const struct context context = {
		.root = root, .search = search, .diag = &diag, .mistakes = ret_mistakes
	};
	struct profile *profile = NULL;
	int error = parse(&context, data, len, path, &profile);

	return conclude(&context, error, profile, ret);
}
