// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reading one profile.
 */
#include "policy/profile.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "policy/profile-reader.h"
#include "util/i18n.h"

static const char *const top_names[] = { "$schema", "name", "summary", "inherits",
					 "workload", "rules" };
const struct reader_keys profile_keys_top = { top_names, ARRAY_SIZE(top_names) };

#define NAME_MAX_LEN 64

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
		int error;

		/* no line: it has mistakes of its own */
		if (rule->schedulers.count || rule->keeps_scheduler ||
		    rule->setting_count || !rule->line)
			continue;
		diag_set(reader->diag, -EINVAL, _("the rule sets nothing"));
		diag_hint(reader->diag,
			  _("\"scheduler\": \"keep\" leaves a device alone"));
		diag_at(reader->diag, reader->document->name, rule->line);
		error = reader_go_on(reader, -EINVAL);
		if (error)
			return error;
	}
	return 0;
}

static int read_own_name(const struct reader *reader, char **ret)
{
	int error = read_name(reader, "name", ret);

	if (!error && !*ret)
		error = reader_fail(reader, reader->document->root, NULL, -EINVAL,
				    _("\"%s\" is missing"), "name");
	return error;
}

static int read_members(const struct reader *reader, struct profile *profile)
{
	const json_t *root = reader->document->root;
	size_t before = reader_count_mistakes(reader);
	int error = reader_check_keys(reader, root, &profile_keys_top);
	/* If not, what is missing may be there by another name. */
	bool is_spelt = reader_count_mistakes(reader) == before;

	if (!error && (is_spelt || json_object_get(root, "name")))
		error = reader_go_on(reader, read_own_name(reader, &profile->name));
	if (!error)
		error = reader_go_on(reader, read_name(reader, "inherits", &profile->inherits));
	if (profile->inherits)
		profile->inherits_line =
			json_document_line(reader->document, root, "inherits");
	if (!error)
		error = reader_go_on(reader, read_name(reader, "workload", &profile->workload));
	if (!error)
		error = reader_go_on(reader, reader_get_text(reader, root, "summary",
							     &profile->summary));
	if (!error && (is_spelt || json_object_get(root, "rules")))
		error = reader_go_on(reader,
				     profile_read_rules(reader, root, "rules",
							&profile_keys_rule, &profile->rules,
							&profile->rule_count));
	return error ? error : check_rules(reader, profile);
}

int profile_read_on(const char *data, size_t len, const char *path,
		    struct profile_mistakes *mistakes, struct profile **ret,
		    struct diag *diag)
{
	_json_document_ struct json_document document = { 0 };
	_cleanup_(cleanup_profile_free) struct profile *profile = NULL;
	struct reader reader = { .document = &document, .diag = diag, .mistakes = mistakes };
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

int profile_read(const char *data, size_t len, const char *path, struct profile **ret,
		 struct diag *diag)
{
	return profile_read_on(data, len, path, NULL, ret, diag);
}
