// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which rules fit a device, in order of precedence: overrides, the profile, its parents.
 */
#include <errno.h>

#include "policy/match.h"
#include "policy/overrides.h"
#include "policy/resolve.h"
#include "util/i18n.h"

static int add_layer(struct layers *layers, const struct layer_rule *layer)
{
	struct layer_rule *items =
		reallocarray(layers->items, layers->count + 1, sizeof(*items));

	if (!items)
		return -ENOMEM;
	layers->items = items;
	items[layers->count++] = *layer;
	return 0;
}

/*
 * `rules` of one file. A rule that leaves the device alone ends the list: nothing below
 * it counts. For a named device it stays in the list, and holds the scheduler as it is.
 */
static int collect_file(const struct resolving *resolving,
			const struct profile_rule *rules, size_t count,
			struct layer_rule layer, enum device_class class,
			struct layers *layers)
{
	for (size_t i = 0; !layers->left_by.rule && i < count; i++) {
		int error = 0;

		layer.rule = &rules[i];
		if (!profile_match_holds(&rules[i].match, resolving->device, class,
					 resolving->all->host))
			continue;
		if (rules[i].leave_alone)
			layers->left_by = layer;
		if (!rules[i].leave_alone || resolving->is_named)
			error = add_layer(layers, &layer);
		if (error)
			return error;
	}
	return 0;
}

int policy_list_layers(const struct policy_request *request, struct policy_layer **ret,
		       size_t *ret_count)
{
	const struct policy_overrides *overrides = request->overrides;
	size_t count = overrides ? overrides->count : 0, used = 0;
	enum policy_origin origin = ORIGIN_PROFILE;
	const struct profile *profile;
	struct policy_layer *layers;

	for (profile = request->profile; profile; profile = profile->parent)
		count++;
	layers = calloc(count + 1, sizeof(*layers));
	if (!layers)
		return -ENOMEM;
	for (size_t i = overrides ? overrides->count : 0; i--;) {
		const struct override_file *file = &overrides->files[i];

		layers[used++] = (struct policy_layer){ ORIGIN_OVERRIDE, file->path,
							file->rules, file->rule_count };
	}
	for (profile = request->profile; profile; profile = profile->parent) {
		layers[used++] =
			(struct policy_layer){ origin, profile->path, profile->rules,
					       profile->rule_count };
		origin = ORIGIN_INHERITED;
	}
	*ret = layers;
	*ret_count = used;
	return 0;
}

static int collect(const struct resolving *resolving, enum device_class class,
		   struct layers *layers)
{
	_free_ struct policy_layer *files = NULL;
	size_t count = 0;
	int error = policy_list_layers(resolving->all->request, &files, &count);

	for (size_t i = 0; !error && i < count; i++)
		error = collect_file(resolving, files[i].rules, files[i].rule_count,
				     (struct layer_rule){ .origin = files[i].origin,
							  .path = files[i].path },
				     class, layers);
	return error;
}

const char *resolve_profile_name(const struct resolving *resolving)
{
	const struct profile *profile = resolving->all->request->profile;

	return profile ? profile->name : NULL;
}

/*
 * The rules for the device's own class. A named device for which there is none, and which
 * has a queue of its own, gets those for the nearest medium.
 */
int resolve_find_layers(struct resolving *resolving)
{
	const struct device *device = resolving->device;
	struct layers *layers = &resolving->layers;
	int error = collect(resolving, device->class, layers);

	if (error || layers->count || !resolving->is_named ||
	    device->level != LEVEL_OWN || device->nearest == device->class ||
	    !resolve_profile_name(resolving))
		return error;
	error = collect(resolving, device->nearest, layers);
	if (error || !layers->count)
		return error;
	return resolve_add_note(
		resolving,
		_("treated as %s: it was named, and the profile %s has no "
		  "rule for %s"),
		device_class_name(device->nearest), resolve_profile_name(resolving),
		device_class_name(device->class));
}
