// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The systemd backend: a oneshot unit that runs `apply` at boot, enabled by the link that
 * `systemctl enable` would make.
 */
#include <errno.h>
#include <string.h>

#include "persist/backend.h"
#include "persist/places.h"
#include "persist/systemd-bus.h"
#include "util/i18n.h"

static int check(const struct persist_input *input, struct diag *diag)
{
	if (!backend_has_systemd(input->root)) {
		diag_set(diag, -ENOTSUP, _("systemd does not run this system"));
		diag_hint(
			diag,
			backend_has_udev(input->root)
				? _("use --method udev")
				: _("run 'iosched-tune apply --profile %s' from the init "
				    "scripts"),
			input->profile);
		return -ENOTSUP;
	}
	if (backend_is_container(input->root) && !input->is_forced) {
		diag_set(diag, -ENOTSUP,
			 _("this is a container: its disks are the host's"));
		diag_hint(diag,
			  _("install on the host; --force installs here all the same"));
		return -ENOTSUP;
	}
	return 0;
}

static int add_file(const struct persist_input *input, const char *path,
		    struct text *body, struct artefacts *ret)
{
	return body->error ? body->error
			   : artefacts_add_file(ret, "systemd", path, input->profile,
						body->data);
}

static int add_template(const struct persist_input *input, struct artefacts *ret)
{
	_text_ struct text body = { 0 };

	systemd_add_template(&body, input->program, input->profile);
	return add_file(input, PLACE_TEMPLATE, &body, ret);
}

static int render(const struct persist_input *input, struct artefacts *ret,
		  struct diag *diag)
{
	_text_ struct text unit = { 0 }, rules = { 0 };
	int error;

	(void)diag;
	systemd_add_unit(&unit, input->program, input->profile);
	error = add_file(input, PLACE_UNIT, &unit, ret);
	if (!error)
		error = add_template(input, ret);
	if (!error && backend_has_udev(input->root)) {
		systemd_add_rules(&rules);
		error = add_file(input, PLACE_SYSTEMD_RULES, &rules, ret);
	}
	if (!error)
		error = artefacts_add_link(ret, "systemd", PLACE_LINK, PLACE_LINK_TARGET);
	return error;
}

static int generate(const struct persist_input *input, struct text *out,
		    struct strv *notes, struct diag *diag)
{
	(void)notes;
	(void)diag;
	text_add(out, "# /" PLACE_UNIT "\n");
	systemd_add_unit(out, input->program, input->profile);
	text_add(out, "\n# /" PLACE_TEMPLATE "\n");
	systemd_add_template(out, input->program, input->profile);
	return out->error;
}

static int add_failure(struct strv *notes, const char *what, int error)
{
	_free_ char *note = NULL;

	if (!error)
		return 0;
	if (asprintf(&note, "%s: %s", what, strerror(-error)) < 0) {
		note = NULL;
		return -ENOMEM;
	}
	return strv_add(notes, note);
}

static int activate(const struct persist_input *input, struct strv *notes)
{
	int error;

	if (!root_exists(input->root, PATH_SYSTEMD_BOOTED))
		return strv_add(notes,
				_("systemd is not running: the unit starts at the next "
				  "boot"));
	error = systemd_bus_reload(input->root);
	if (!error)
		error = systemd_bus_enable(input->root, SYSTEMD_UNIT);
	if (error)
		return add_failure(notes, _("systemd was not told of the unit"), error);
	return add_failure(notes, _("the unit could not be started"),
			   systemd_start(input->root, SYSTEMD_UNIT));
}

/* A run that is under way would apply again what a restore takes back after this. */
static int before_remove(const struct root *root, const struct manifest *known,
			 struct strv *notes)
{
	int error;

	(void)known;
	if (!root_exists(root, PATH_SYSTEMD_BOOTED))
		return 0;
	error = add_failure(notes, _("systemd did not disable the unit"),
			    systemd_bus_disable(root, SYSTEMD_UNIT));
	if (!error)
		error = add_failure(notes, _("systemd did not stop the unit"),
				    systemd_stop(root, SYSTEMD_UNIT));
	if (!error)
		error = add_failure(notes, _("systemd did not stop the unit"),
				    systemd_stop(root, SYSTEMD_INSTANCES));
	return error;
}

static int after_remove(const struct root *root, const struct manifest *known,
			struct strv *notes)
{
	(void)known;
	if (!root_exists(root, PATH_SYSTEMD_BOOTED))
		return 0;
	return add_failure(notes, _("systemd was not told that the unit is gone"),
			   systemd_bus_reload(root));
}

const struct persist_backend backend_systemd = {
	.name = "systemd",
	.summary = N_("a unit that applies the policy at boot"),
	.check = check,
	.render = render,
	.generate = generate,
	.activate = activate,
	.before_remove = before_remove,
	.after_remove = after_remove,
};
