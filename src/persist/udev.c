// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The udev backend: one rules file, and the events that make udev read it for the
 * devices that are here.
 */
#include <errno.h>
#include <string.h>

#include "persist/backend.h"
#include "persist/places.h"
#include "persist/run.h"
#include "persist/systemd-bus.h"
#include "util/i18n.h"

static int check(const struct persist_input *input, struct diag *diag)
{
	if (!backend_has_udev(input->root)) {
		diag_set(diag, -ENOTSUP, _("udev is not installed here"));
		diag_hint(
			diag,
			backend_has_systemd(input->root)
				? _("use --method systemd")
				: _("run 'iosched-tune apply --profile %s' from the init "
				    "scripts"),
			input->profile);
		return -ENOTSUP;
	}
	if (backend_is_container(input->root) && !input->is_forced) {
		diag_set(diag, -ENOTSUP,
			 _("this is a container: events of disks go to the host's udev"));
		diag_hint(diag,
			  _("install on the host; --force installs here all the same"));
		return -ENOTSUP;
	}
	return 0;
}

/* In a tree without sysfs nobody knows. */
static bool is_without_hidden(const struct device_list *devices)
{
	for (size_t i = 0; devices && i < devices->count; i++)
		if (devices->items[i].is_hidden)
			return false;
	return devices && devices->count;
}

static int render_rules(const struct persist_input *input, struct text *out,
			struct strv *left, struct diag *diag)
{
	struct udev_input rules = {
		.policy = input->policy,
		.instance_unit = input->has_instances ? SYSTEMD_INSTANCE : NULL,
		.is_without_hidden = is_without_hidden(input->devices),
	};
	int error = udev_render(&rules, out, left);

	if (error == -E2BIG)
		return diag_set(diag, error,
				_("the policy is too large for a rules file"));
	return error;
}

static int render(const struct persist_input *input, struct artefacts *ret,
		  struct diag *diag)
{
	_text_ struct text rules = { 0 }, unit = { 0 };
	int error = render_rules(input, &rules, &ret->left, diag);

	if (!error)
		error = artefacts_add_file(ret, "udev", PLACE_RULES, input->profile,
					   rules.data);
	if (error || !input->has_instances)
		return error;
	systemd_add_template(&unit, input->program, input->profile);
	return unit.error ? unit.error
			  : artefacts_add_file(ret, "udev", PLACE_TEMPLATE,
					       input->profile, unit.data);
}

static int generate(const struct persist_input *input, struct text *out,
		    struct strv *notes, struct diag *diag)
{
	return render_rules(input, out, notes, diag);
}

/* udevadm WORD ...; a failure is a note. */
static int run_udevadm(const struct root *root, const char *const *words,
		       struct strv *notes)
{
	_strv_ struct strv argv = { 0 };
	_free_ char *program = NULL, *note = NULL;
	int status = 0, error = run_find(root, "udevadm", &program);

	if (!error)
		error = strv_add(&argv, program);
	for (size_t i = 0; !error && words[i]; i++)
		error = strv_add(&argv, words[i]);
	if (!error)
		error = run_command(&argv, &status);
	if (!error || error == -ENOMEM)
		return error;
	if (asprintf(&note, _("udevadm %s failed: %s"), words[0], strerror(-error)) < 0) {
		note = NULL;
		return -ENOMEM;
	}
	return strv_add(notes, note);
}

/*
 * An event for each device that the policy sets something on. Hidden ones have no events,
 * and the others are none of our business.
 */
static int trigger(const struct persist_input *input, struct strv *notes)
{
	const struct policy *policy = input->resolved;
	int error = 0;

	for (size_t i = 0; !error && policy && i < policy->count; i++) {
		const struct policy_device *item = &policy->items[i];
		_free_ char *path = NULL, *note = NULL;

		if (item->state != POLICY_SET || item->device->is_hidden)
			continue;
		if (asprintf(&path, "%s/uevent", item->device->sys_path) < 0) {
			path = NULL;
			return -ENOMEM;
		}
		error = root_write(input->root, path, "change");
		if (!error)
			continue;
		if (asprintf(&note, _("%s: no event was sent: %s"), item->device->name,
			     strerror(-error)) < 0) {
			note = NULL;
			return -ENOMEM;
		}
		error = strv_add(notes, note);
	}
	return error;
}

static int add_failure(struct strv *notes, const char *what, int error)
{
	_free_ char *note = NULL;

	if (asprintf(&note, "%s: %s", what, strerror(-error)) < 0) {
		note = NULL;
		return -ENOMEM;
	}
	return strv_add(notes, note);
}

/* The paths below NVMe heads that are here already: later ones come with their head. */
static int start_instances(const struct persist_input *input, struct strv *notes)
{
	const struct device_list *devices = input->devices;
	int error = systemd_bus_reload(input->root);

	if (error)
		return add_failure(notes, _("systemd was not told of the unit"), error);
	for (size_t i = 0; i < devices->count; i++) {
		_free_ char *unit = NULL;

		if (devices->items[i].class != CLASS_NVME_HEAD)
			continue;
		if (asprintf(&unit, SYSTEMD_INSTANCE "%s.service",
			     devices->items[i].name) < 0) {
			unit = NULL;
			return -ENOMEM;
		}
		error = systemd_start(input->root, unit);
		if (error)
			error = add_failure(notes, unit, error);
		if (error)
			return error;
	}
	return 0;
}

static int activate(const struct persist_input *input, struct strv *notes)
{
	static const char *const reload[] = { "control", "--reload", NULL };
	static const char *const settle[] = { "settle", "--timeout=30", NULL };
	int error;

	if (!root_exists(input->root, PATH_UDEV_CONTROL))
		return strv_add(notes,
				_("udevd is not running: the rules take effect when it "
				  "is"));
	error = run_udevadm(input->root, reload, notes);
	if (!error)
		error = trigger(input, notes);
	if (!error)
		error = run_udevadm(input->root, settle, notes);
	if (!error && input->has_instances &&
	    root_exists(input->root, PATH_SYSTEMD_BOOTED))
		error = start_instances(input, notes);
	return error;
}

/* A run that waits for paths would apply again what a restore takes back after this. */
static int before_remove(const struct root *root, const struct manifest *known,
			 struct strv *notes)
{
	int error;

	if (!root_exists(root, PATH_SYSTEMD_BOOTED) ||
	    !manifest_find(known, PLACE_TEMPLATE))
		return 0;
	error = systemd_stop(root, SYSTEMD_INSTANCES);
	return error ? add_failure(notes, _("systemd did not stop the unit"), error) : 0;
}

static int after_remove(const struct root *root, const struct manifest *known,
			struct strv *notes)
{
	static const char *const reload[] = { "control", "--reload", NULL };

	(void)known;
	return root_exists(root, PATH_UDEV_CONTROL) ? run_udevadm(root, reload, notes)
						    : 0;
}

const struct persist_backend backend_udev = {
	.name = "udev",
	.summary = N_("rules for devices that are here and for those that will come"),
	.check = check,
	.render = render,
	.generate = generate,
	.activate = activate,
	.before_remove = before_remove,
	.after_remove = after_remove,
};
