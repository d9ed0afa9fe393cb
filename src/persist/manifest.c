// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The manifest of what is installed: JSON in the state directory.
 */
#include "persist/manifest.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include <jansson.h>

#include "persist/places.h"
#include "util/i18n.h"
#include "util/json-build.h"
#include "util/json.h"

#define MANIFEST_VERSION 1

static void item_done(struct manifest_item *item)
{
	free(item->backend);
	free(item->path);
	free(item->target);
	free(item->argument);
}

void manifest_free(struct manifest *manifest)
{
	if (!manifest)
		return;
	for (size_t i = 0; i < manifest->count; i++)
		item_done(&manifest->items[i]);
	free(manifest->items);
	free(manifest->profile);
	strv_done(&manifest->schedulers);
	strv_done(&manifest->folders);
	free(manifest);
}

/* Takes what `item` owns, also on failure. */
static int take_item(struct manifest *manifest, struct manifest_item *item)
{
	struct manifest_item *items =
		reallocarray(manifest->items, manifest->count + 1, sizeof(*items));

	if (items)
		manifest->items = items;
	if (!items || !item->path || !item->backend) {
		item_done(item);
		return -ENOMEM;
	}
	items[manifest->count++] = *item;
	return 0;
}

static char *copy(const char *string)
{
	return string ? strdup(string) : NULL;
}

int manifest_add(struct manifest *manifest, const struct manifest_item *item)
{
	struct manifest_item other = *item;

	other.backend = copy(item->backend);
	other.path = copy(item->path);
	other.target = copy(item->target);
	other.argument = copy(item->argument);
	if ((item->target && !other.target) || (item->argument && !other.argument)) {
		item_done(&other);
		return -ENOMEM;
	}
	return take_item(manifest, &other);
}

/* Adds what is not there yet. */
static int unite(struct strv *strings, const struct strv *others)
{
	int error = 0;

	for (size_t i = 0; !error && i < others->count; i++)
		if (!strv_contains(strings, others->items[i]))
			error = strv_add(strings, others->items[i]);
	return error;
}

int manifest_add_schedulers(struct manifest *manifest, const struct strv *schedulers)
{
	return unite(&manifest->schedulers, schedulers);
}

int manifest_add_folders(struct manifest *manifest, const struct strv *folders)
{
	return unite(&manifest->folders, folders);
}

int manifest_make(const char *profile, const struct artefacts *artefacts,
		  struct manifest **ret)
{
	_cleanup_(cleanup_manifest_free) struct manifest *manifest =
		calloc(1, sizeof(*manifest));
	int error = 0;

	if (!manifest)
		return -ENOMEM;
	manifest->profile = strdup(profile);
	if (!manifest->profile)
		return -ENOMEM;
	for (size_t i = 0; !error && i < artefacts->count; i++) {
		const struct artefact *artefact = &artefacts->items[i];
		struct manifest_item item = {
			.kind = artefact->kind,
			.backend = copy(artefact->backend),
			.path = copy(artefact->path),
			.target = copy(artefact->target),
			.format = artefact->format,
			.argument = copy(artefact->argument),
		};

		if (artefact->content)
			item.hash = artefact_hash(artefact->content, artefact->len);
		error = take_item(manifest, &item);
	}
	if (!error)
		*ret = TAKE_PTR(manifest);
	return error;
}

/* --- reading ---------------------------------------------------------------------------- */

static int parse_hash(const char *text, uint64_t *ret)
{
	uint64_t hash = 0;

	if (strlen(text) != 16)
		return -EINVAL;
	for (const char *p = text; *p; p++) {
		const char *digits = "0123456789abcdef", *digit = strchr(digits, *p);

		if (!digit)
			return -EINVAL;
		hash = hash << 4 | (uint64_t)(digit - digits);
	}
	*ret = hash;
	return 0;
}

static int read_kind(const json_t *object, struct manifest_item *item)
{
	const char *name = json_string_value(json_object_get(object, "kind"));

	for (int kind = 0; name && kind < ARTEFACT_KIND_COUNT; kind++)
		if (!strcmp(name, artefact_kind_name((enum artefact_kind)kind))) {
			item->kind = (enum artefact_kind)kind;
			return 0;
		}
	return -EINVAL;
}

/* The members that this kind needs are there and make sense. */
static int read_members(const json_t *object, struct manifest_item *item)
{
	const char *hash = json_string_value(json_object_get(object, "hash"));
	json_int_t format = json_integer_value(json_object_get(object, "format"));
	int error = read_kind(object, item);

	if (error)
		return error;
	item->path = copy(json_string_value(json_object_get(object, "path")));
	item->backend = copy(json_string_value(json_object_get(object, "backend")));
	item->target = copy(json_string_value(json_object_get(object, "target")));
	item->argument = copy(json_string_value(json_object_get(object, "argument")));
	if (!item->path || !item->backend || item->path[0] == '/')
		return -EINVAL;
	if (item->kind == ARTEFACT_LINK)
		return item->target ? 0 : -EINVAL;
	if (item->kind == ARTEFACT_EDIT) {
		if (!item->argument || format < 0 || format >= BOOT_FILE_FORMAT_COUNT)
			return -EINVAL;
		item->format = (enum boot_file_format)format;
	}
	return hash ? parse_hash(hash, &item->hash) : -EINVAL;
}

static int read_items(const json_t *list, struct manifest *manifest)
{
	const json_t *object;
	size_t index;

	if (!json_is_array(list) || json_array_size(list) > MANIFEST_ITEM_MAX)
		return -EINVAL;
	json_array_foreach(list, index, object)
	{
		struct manifest_item item = { 0 };
		int error = read_members(object, &item);

		if (error) {
			item_done(&item);
			return error;
		}
		error = take_item(manifest, &item);
		if (error)
			return error;
	}
	return 0;
}

/* A list that may be missing. */
static int read_strings(const json_t *list, struct strv *ret)
{
	const json_t *item;
	size_t index;

	json_array_foreach(list, index, item)
	{
		int error = json_is_string(item) ? strv_add(ret, json_string_value(item))
						 : -EINVAL;

		if (error)
			return error;
	}
	return 0;
}

static int parse(const char *data, struct manifest *manifest, struct diag *diag)
{
	_json_document_ struct json_document document = { 0 };
	const char *profile;
	int error =
		json_document_parse(data, strlen(data), "/" PATH_MANIFEST, &document, diag);

	if (error)
		return error;
	profile = json_string_value(json_object_get(document.root, "profile"));
	if (json_integer_value(json_object_get(document.root, "version")) !=
		    MANIFEST_VERSION ||
	    !profile)
		return -EINVAL;
	manifest->profile = strdup(profile);
	if (!manifest->profile)
		return -ENOMEM;
	error = read_strings(json_object_get(document.root, "schedulers"),
			     &manifest->schedulers);
	if (!error)
		error = read_strings(json_object_get(document.root, "folders"),
				     &manifest->folders);
	return error ? error
		     : read_items(json_object_get(document.root, "artefacts"), manifest);
}

int manifest_load(const struct root *root, struct manifest **ret, struct diag *diag)
{
	_cleanup_(cleanup_manifest_free) struct manifest *manifest =
		calloc(1, sizeof(*manifest));
	_root_file_ struct root_file file = { 0 };
	int error;

	if (!manifest)
		return -ENOMEM;
	error = root_read_file(root, PATH_MANIFEST, &file);
	if (!error && file.len > MANIFEST_SIZE_MAX)
		error = -EFBIG;
	if (!error)
		error = parse(file.data, manifest, diag);
	if (error == -ENOMEM)
		return error;
	if (error == -EINVAL || error == -EFBIG || error == -ELOOP || error == -EISDIR) {
		diag_at_path(diag, PATH_MANIFEST, 0);
		diag_set(diag, -EBADMSG, _("this is no list of installed files"));
		diag_hint(diag,
			  _("mend it, or take out what bears our mark with 'iosched-tune "
			    "persist remove --force'; elevator= in files of the boot "
			    "loader is left then"));
		return -EBADMSG;
	}
	if (error && error != -ENOENT && error != -ENOTDIR) {
		diag_at_path(diag, PATH_MANIFEST, 0);
		return diag_set(diag, error, "%s", strerror(-error));
	}
	*ret = TAKE_PTR(manifest);
	return 0;
}

/* --- finding what is not listed ----------------------------------------------------------- */

static int add_found(struct manifest *manifest, const char *backend, const char *path,
		     const struct root_file *file)
{
	struct manifest_item item = {
		.kind = ARTEFACT_FILE,
		.backend = copy(backend),
		.path = copy(path),
		.hash = artefact_hash(file->data, file->len),
	};

	return take_item(manifest, &item);
}

static int add_found_link(const struct root *root, struct manifest *manifest)
{
	struct manifest_item item = { .kind = ARTEFACT_LINK };
	_free_ char *target = NULL;

	if (root_read_link(root, PLACE_LINK, &target) ||
	    strcmp(target, PLACE_LINK_TARGET))
		return 0;
	item.backend = copy("systemd");
	item.path = copy(PLACE_LINK);
	item.target = TAKE_PTR(target);
	return take_item(manifest, &item);
}

int manifest_discover(const struct root *root, struct manifest *manifest)
{
	static const struct {
		const char *backend, *path;
	} places[] = {
		{ "udev", PLACE_RULES },       { "systemd", PLACE_UNIT },
		{ "systemd", PLACE_TEMPLATE }, { "systemd", PLACE_SYSTEMD_RULES },
		{ "grub", PLACE_DROP_IN },
	};
	size_t before = manifest->count;
	int error = 0;

	for (size_t i = 0; !error && i < ARRAY_SIZE(places); i++) {
		_root_file_ struct root_file file = { 0 };

		if (manifest_find(manifest, places[i].path))
			continue;
		error = root_read_file(root, places[i].path, &file);
		if (error != -ENOMEM &&
		    (error || !artefact_check_seal(file.data, file.len)))
			error = 0;
		else if (!error)
			error = add_found(manifest, places[i].backend, places[i].path,
					  &file);
	}
	if (!error && manifest->count > before && !manifest_find(manifest, PLACE_LINK))
		error = add_found_link(root, manifest);
	if (!error && manifest->count && !manifest->profile) {
		manifest->profile = strdup(""); /* not known */
		error = manifest->profile ? 0 : -ENOMEM;
	}
	return error;
}

/* --- writing ---------------------------------------------------------------------------- */

static json_t *format_item(const struct manifest_item *item)
{
	json_t *object = json_object();
	char hash[17];
	int error = 0;

	snprintf(hash, sizeof(hash), "%016" PRIx64, item->hash);
	json_put(object, "backend", json_text(item->backend), &error);
	json_put(object, "kind", json_text(artefact_kind_name(item->kind)), &error);
	json_put(object, "path", json_text(item->path), &error);
	if (item->kind != ARTEFACT_LINK)
		json_put(object, "hash", json_text(hash), &error);
	if (item->target)
		json_put(object, "target", json_text(item->target), &error);
	if (item->argument) {
		json_put(object, "argument", json_text(item->argument), &error);
		json_put(object, "format", json_integer(item->format), &error);
	}
	return json_finish(object, error);
}

int manifest_save(const struct root *root, const struct manifest *manifest)
{
	_text_ struct text whole = { 0 };
	json_t *object, *list;
	char *text;
	int error = 0;

	if (!manifest->count) {
		error = root_remove(root, PATH_MANIFEST);
		return error == -ENOENT || error == -ENOTDIR ? 0 : error;
	}
	object = json_object();
	list = json_array();
	for (size_t i = 0; i < manifest->count; i++)
		json_push(list, format_item(&manifest->items[i]), &error);
	json_put(object, "version", json_integer(MANIFEST_VERSION), &error);
	json_put(object, "profile", json_text(manifest->profile), &error);
	json_put(object, "schedulers", json_text_array(&manifest->schedulers), &error);
	if (manifest->folders.count)
		json_put(object, "folders", json_text_array(&manifest->folders), &error);
	json_put(object, "artefacts", list, &error);
	object = json_finish(object, error);
	text = object ? json_dumps(object, JSON_INDENT(2) | JSON_SORT_KEYS) : NULL;
	json_decref(object);
	if (!text)
		return -ENOMEM;
	text_addf(&whole, "%s\n", text);
	free(text);
	error = whole.error;
	if (!error)
		error = root_make_dir(root, PATH_STATE_DIR, 0700);
	if (!error)
		error = root_replace(root, PATH_MANIFEST, whole.data, whole.len, 0600);
	return error;
}

const struct manifest_item *manifest_find(const struct manifest *manifest,
					  const char *path)
{
	for (size_t i = 0; i < manifest->count; i++)
		if (!strcmp(manifest->items[i].path, path))
			return &manifest->items[i];
	return NULL;
}

bool manifest_has_backend(const struct manifest *manifest, const char *backend)
{
	for (size_t i = 0; i < manifest->count; i++)
		if (!strcmp(manifest->items[i].backend, backend))
			return true;
	return false;
}
