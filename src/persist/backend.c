// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The table of backends, and which of them fit a root.
 */
#include "persist/backend.h"

#include <errno.h>
#include <string.h>

#include "sysfs/paths.h"
#include "util/i18n.h"

static const struct persist_backend *const backends[] = {
	&backend_udev,
	&backend_systemd,
	&backend_grub,
};

const struct persist_backend *backend_get(size_t index)
{
	return index < ARRAY_SIZE(backends) ? backends[index] : NULL;
}

const struct persist_backend *backend_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(backends); i++)
		if (!strcmp(backends[i]->name, name))
			return backends[i];
	return NULL;
}

static bool has_any(const struct root *root, const char *const *paths, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (root_exists(root, paths[i]))
			return true;
	return false;
}

bool backend_has_udev(const struct root *root)
{
	static const char *const marks[] = PATHS_UDEVD;

	return has_any(root, marks, ARRAY_SIZE(marks));
}

bool backend_has_systemd(const struct root *root)
{
	static const char *const marks[] = PATHS_SYSTEMD;

	/* a package of it alone does not make it the running one */
	if (root_get_kind(root) == ROOT_HOST)
		return root_exists(root, PATH_SYSTEMD_BOOTED);
	return has_any(root, marks, ARRAY_SIZE(marks));
}

bool backend_is_container(const struct root *root)
{
	static const char *const marks[] = { PATH_CONTAINER, PATH_CONTAINERENV,
					     PATH_DOCKERENV };

	return has_any(root, marks, ARRAY_SIZE(marks));
}

/* A folder without any of it is a mount that is missing, or a name that is wrong. */
static int check_tree(const struct root *root, struct diag *diag)
{
	static const char *const marks[] = PATHS_OF_SYSTEM;

	if (root_get_kind(root) != ROOT_DIR || has_any(root, marks, ARRAY_SIZE(marks)) ||
	    backend_has_udev(root) || backend_has_systemd(root))
		return 0;
	diag_set(diag, -ENOTSUP, _("this is no tree of a system: it has neither %s nor %s"),
		 marks[0], marks[1]);
	diag_at(diag, root_get_name(root), 0);
	diag_hint(diag, _("what a tree has to hold stands in iosched-tune-persist(1); the rules "
			  "as text: 'iosched-tune generate udev'"));
	return -ENOTSUP;
}

static int choose_auto(const struct persist_input *input,
		       const struct persist_backend **ret, size_t *ret_count,
		       struct diag *diag)
{
	struct diag no_udev = { 0 }, no_systemd = { 0 };

	if (!backend_udev.check(input, &no_udev)) {
		ret[0] = &backend_udev;
		*ret_count = 1;
		return 0;
	}
	if (!backend_systemd.check(input, &no_systemd)) {
		ret[0] = &backend_systemd;
		*ret_count = 1;
		return 0;
	}
	if (backend_is_container(input->root) && !input->is_forced) {
		diag_set(diag, -ENOTSUP,
			 _("this is a container: its disks are the host's"));
		diag_hint(diag, "%s",
			  backend_has_udev(input->root)      ? no_udev.hint
			  : backend_has_systemd(input->root) ? no_systemd.hint
							     : _("install on the host"));
		return -ENOTSUP;
	}
	diag_set(diag, -ENOTSUP, "%s; %s", no_udev.text, no_systemd.text);
	diag_hint(diag, "%s", no_udev.hint);
	return -ENOTSUP;
}

int backend_choose(const struct persist_input *input, const struct strv *methods,
		   const struct persist_backend **ret, size_t *ret_count,
		   struct diag *diag)
{
	int error = check_tree(input->root, diag);

	*ret_count = 0;
	if (error)
		return error;
	if (!methods->count || strv_contains(methods, "auto"))
		return choose_auto(input, ret, ret_count, diag);
	for (size_t i = 0; i < ARRAY_SIZE(backends); i++) {
		if (!strv_contains(methods, backends[i]->name))
			continue;
		error = backends[i]->check(input, diag);
		if (error)
			return error;
		ret[(*ret_count)++] = backends[i];
	}
	return 0;
}
