// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Device overrides: rules for single disks, found by what stays the same when sda
 * becomes sdb, and the classes that were set by hand.
 */
#include "policy/overrides.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "policy/profile-reader.h"
#include "sysfs/paths.h"
#include "util/i18n.h"

#define FILE_MAX 1000
/* One rule with lists of identities becomes one class override for each combination. */
#define CLASS_MAX 4096

static const char *const top_names[] = { "$schema", "devices" };
static const struct reader_keys overrides_keys_top = { top_names, ARRAY_SIZE(top_names) };
static const char *const rule_names[] = {
	"match", "class", "scheduler", "iosched", "queue", "why",
};
static const struct reader_keys overrides_keys_rule = { rule_names,
							ARRAY_SIZE(rule_names) };

static void file_done(struct override_file *file)
{
	for (size_t i = 0; i < file->rule_count; i++)
		profile_rule_done(&file->rules[i]);
	free(file->rules);
	free(file->path);
}

static void drop_classes(struct policy_overrides *overrides, size_t count)
{
	while (overrides->class_count > count)
		free((char *)(uintptr_t)overrides->classes[--overrides->class_count]
			     .source);
}

void policy_overrides_free(struct policy_overrides *overrides)
{
	if (!overrides)
		return;
	drop_classes(overrides, 0);
	free(overrides->classes);
	for (size_t i = 0; i < overrides->count; i++)
		file_done(&overrides->files[i]);
	free(overrides->files);
	free(overrides);
}

unsigned policy_overrides_get_needs(const struct policy_overrides *overrides)
{
	unsigned needs = 0;

	for (size_t i = 0; i < overrides->count; i++)
		needs |= profile_rules_get_needs(overrides->files[i].rules,
						 overrides->files[i].rule_count);
	return needs;
}

const struct device_override *
policy_overrides_classes(const struct policy_overrides *overrides, size_t *ret_count)
{
	*ret_count = overrides->class_count;
	return overrides->classes;
}

/* The four identities of one combination; an index into an empty list gives NULL. */
static const char *pick(const struct strv *list, size_t *index)
{
	const char *item;

	if (!list->count)
		return NULL;
	item = list->items[*index % list->count];
	*index /= list->count;
	return item;
}

static size_t combinations(const struct profile_match *match)
{
	const struct strv *lists[] = { &match->wwns, &match->serials, &match->by_paths,
				       &match->by_ids };
	size_t count = 1;

	for (size_t i = 0; i < ARRAY_SIZE(lists); i++)
		count *= lists[i]->count ? lists[i]->count : 1; /* at most 64 each */
	return count;
}

static int add_class(struct policy_overrides *overrides,
		     const struct profile_match *match, enum device_class class,
		     const char *source)
{
	size_t count = combinations(match);
	struct device_override *classes;

	if (overrides->class_count + count > CLASS_MAX)
		return -E2BIG;
	classes = reallocarray(overrides->classes, overrides->class_count + count,
			       sizeof(*classes));
	if (!classes)
		return -ENOMEM;
	overrides->classes = classes;
	for (size_t i = 0; i < count; i++) {
		size_t index = i;
		struct device_override override = { .class = class };

		override.wwn = pick(&match->wwns, &index);
		override.serial = pick(&match->serials, &index);
		override.by_path = pick(&match->by_paths, &index);
		override.by_id = pick(&match->by_ids, &index);
		override.source = strdup(source);
		if (!override.source)
			return -ENOMEM;
		classes[overrides->class_count++] = override;
	}
	return 0;
}

/* A class is set before anything else is known of the disk, so only its identity can be
   asked for. */
static bool has_only_identity(const json_t *match)
{
	static const char *const names[] = { "wwn", "serial", "by-path", "by-id" };
	size_t count = 0;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		count += json_object_get(match, names[i]) != NULL;
	return count && count == json_object_size(match);
}

static int read_class(const struct reader *reader, const json_t *object,
		      const struct profile_rule *rule, const char *path,
		      struct policy_overrides *overrides)
{
	_free_ char *source = NULL;
	enum device_class class;
	const char *name = NULL;
	int error = reader_get_word(reader, object, "class", &name);

	if (error || !name)
		return error;
	if (device_class_parse(name, &class))
		return reader_fail(reader, object, "class", -EINVAL,
				   _("there is no device class \"%s\""), name);
	if (!has_only_identity(json_object_get(object, "match")))
		return reader_fail(
			reader, object, "class", -EINVAL,
			_("\"class\" can be set for wwn, serial, by-path and by-id "
			  "only"));
	if (asprintf(&source, "%s:%u", path,
		     json_document_line(reader->document, object, "class")) < 0) {
		source = NULL;
		return -ENOMEM;
	}
	error = add_class(overrides, &rule->match, class, source);
	if (error == -E2BIG)
		return reader_fail(reader, object, "class", -EINVAL,
				   _("more than %d combinations of identities"),
				   CLASS_MAX);
	return error;
}

static int check_rule(const struct reader *reader, const json_t *object,
		      const struct profile_rule *rule)
{
	const struct profile_match *match = &rule->match;

	if (!match->wwns.count && !match->serials.count && !match->by_paths.count &&
	    !match->by_ids.count && !match->models.count) {
		reader_fail(reader, object, "match", -EINVAL,
			    _("\"match\" names no device that can be told from others"));
		diag_hint(reader->diag,
			  _("give wwn, serial, by-path, by-id or model; rules for "
			    "whole classes belong into a profile"));
		return -EINVAL;
	}
	if (!rule->schedulers.count && !rule->keeps_scheduler && !rule->setting_count &&
	    !json_object_get(object, "class"))
		return reader_fail(reader, object, NULL, -EINVAL,
				   _("the rule sets nothing"));
	return 0;
}

/* Within a file the first rule wins, and device_scan() takes the last class that fits:
   so the classes of a file are added backwards. */
static int read_classes(const struct reader *reader, const json_t *list,
			const struct override_file *file,
			struct policy_overrides *overrides)
{
	int error = 0;

	for (size_t i = file->rule_count; !error && i--;) {
		const json_t *object = json_array_get(list, i);

		error = check_rule(reader, object, &file->rules[i]);
		if (!error)
			error = read_class(reader, object, &file->rules[i], file->path,
					   overrides);
	}
	return error;
}

static int read_file(const char *data, const char *path, struct override_file *file,
		     struct policy_overrides *overrides, struct diag *diag)
{
	_json_document_ struct json_document document = { 0 };
	struct reader reader = { .document = &document, .diag = diag };
	int error = json_document_parse(data, strlen(data), path, &document, diag);

	if (!error)
		error = reader_check_keys(&reader, document.root, &overrides_keys_top);
	if (!error)
		error = profile_read_rules(&reader, document.root, "devices",
					   &overrides_keys_rule, &file->rules,
					   &file->rule_count);
	if (error)
		return error;
	return read_classes(&reader, json_object_get(document.root, "devices"), file,
			    overrides);
}

/* The file belongs to `overrides` from the start, to be freed with it. */
static int load_file(const struct root *root, const char *name,
		     struct policy_overrides *overrides, struct diag *diag)
{
	struct override_file *file = &overrides->files[overrides->count++];
	_free_ char *data = NULL, *path = NULL;
	int error;

	if (asprintf(&path, "/" PATH_CONFIG_DEVICES "/%s", name) < 0) {
		path = NULL;
		return -ENOMEM;
	}
	/* "devices.d/NAME": what is left of the directory's own name */
	file->path = strdup(strstr(path, "devices.d/"));
	if (!file->path)
		return -ENOMEM;
	error = root_read(root, path + 1, &data);
	if (!error && strlen(data) > PROFILE_SIZE_MAX)
		error = -EFBIG;
	if (error) {
		diag_set(diag, error, _("cannot read the device overrides: %s"),
			 error == -EBADMSG ? _("not a text file")
					   : strerror(-error));
		diag_at(diag, path, 0);
		return error;
	}
	return read_file(data, path, file, overrides, diag);
}

/* Goes on without a file that cannot be understood. */
static int load_if_sound(const struct root *root, const char *name,
			 struct policy_overrides *overrides, struct strv *problems)
{
	size_t class_count = overrides->class_count;
	struct diag problem = { 0 };
	char line[1024];
	int error = load_file(root, name, overrides, &problem);

	if (!error || error == -ENOMEM)
		return error;
	drop_classes(overrides, class_count);
	file_done(&overrides->files[--overrides->count]);
	overrides->files[overrides->count] = (struct override_file){ 0 };
	diag_format(&problem, line, sizeof(line));
	return strv_add(problems, line);
}

static int load_files(const struct root *root, const struct strv *names,
		      struct strv *problems, struct policy_overrides *overrides,
		      struct diag *diag)
{
	overrides->files = calloc(names->count + 1, sizeof(*overrides->files));
	if (!overrides->files)
		return -ENOMEM;
	if (names->count > FILE_MAX)
		return diag_set(diag, -E2BIG, _("more than %d files of device overrides"),
				FILE_MAX);
	for (size_t i = 0; i < names->count; i++) {
		int error;

		if (names->items[i][0] == '.' ||
		    !text_ends_with(names->items[i], ".json"))
			continue;
		error = problems ? load_if_sound(root, names->items[i], overrides,
						 problems)
				 : load_file(root, names->items[i], overrides, diag);
		if (error)
			return error;
	}
	return 0;
}

static int load_all(const struct root *root, struct strv *problems,
		    struct policy_overrides **ret, struct diag *diag)
{
	_cleanup_(cleanup_policy_overrides_free) struct policy_overrides *overrides =
		NULL;
	_strv_ struct strv names = { 0 };
	int error = root_list(root, PATH_CONFIG_DEVICES, &names);

	if (error && error != -ENOENT && error != -ENOTDIR) {
		diag_set(diag, error, _("cannot read the device overrides: %s"),
			 strerror(-error));
		diag_at(diag, "/" PATH_CONFIG_DEVICES, 0);
		return error;
	}
	overrides = calloc(1, sizeof(*overrides));
	if (!overrides)
		return -ENOMEM;
	error = load_files(root, &names, problems, overrides, diag);
	if (error)
		return error;
	*ret = TAKE_PTR(overrides);
	return 0;
}

int policy_overrides_load(const struct root *root, struct policy_overrides **ret,
			  struct diag *diag)
{
	return load_all(root, NULL, ret, diag);
}

int policy_overrides_load_sound(const struct root *root, struct policy_overrides **ret,
				struct strv *ret_problems, struct diag *diag)
{
	return load_all(root, ret_problems, ret, diag);
}
