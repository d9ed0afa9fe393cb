// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Does it last? The chain, link by link.
 */
#include "persist/status.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "device/host.h"
#include "persist/bootloader.h"
#include "persist/conflicts.h"
#include "persist/initramfs.h"
#include "persist/install.h"
#include "persist/places.h"
#include "util/i18n.h"

const char *persist_verdict_name(enum persist_verdict verdict)
{
	static const char *const names[] = {
		[VERDICT_OK] = "ok",
		[VERDICT_NOTE] = "note",
		[VERDICT_BROKEN] = "broken",
	};

	return names[verdict];
}

void persist_status_done(struct persist_status *status)
{
	for (size_t i = 0; i < status->count; i++) {
		free(status->items[i].subject);
		free(status->items[i].text);
		free(status->items[i].advice);
	}
	free(status->items);
	*status = (struct persist_status){ 0 };
}

bool persist_status_is_broken(const struct persist_status *status)
{
	for (size_t i = 0; i < status->count; i++)
		if (status->items[i].verdict == VERDICT_BROKEN)
			return true;
	return false;
}

int persist_status_add(struct persist_status *status, const char *link,
		       enum persist_verdict verdict, const char *subject,
		       const char *advice, const char *format, ...)
{
	struct persist_check *items, check = { .link = link, .verdict = verdict };
	va_list args;
	int len;

	va_start(args, format);
	len = vasprintf(&check.text, format, args);
	va_end(args);
	if (len < 0)
		return -ENOMEM;
	check.subject = strdup(subject);
	check.advice = advice ? strdup(advice) : NULL;
	items = reallocarray(status->items, status->count + 1, sizeof(*items));
	if (items)
		status->items = items;
	if (!items || !check.subject || (advice && !check.advice)) {
		free(check.text);
		free(check.subject);
		free(check.advice);
		return -ENOMEM;
	}
	items[status->count++] = check;
	return 0;
}

/* --- artefacts -------------------------------------------------------------------------- */

static int check_artefact(const struct persist_input *input,
			  const struct manifest_item *item, struct persist_status *ret)
{
	_cleanup_(artefact_present_done) struct artefact_present present = { 0 };
	const char *again = _("run 'iosched-tune persist install' again");
	_free_ char *path = NULL;
	int error = manifest_look(input->root, item, &present);

	if (error)
		return error;
	if (asprintf(&path, "/%s", item->path) < 0) {
		path = NULL;
		return -ENOMEM;
	}
	switch (present.state) {
	case STATE_SAME:
		return persist_status_add(ret, "artefact", VERDICT_OK, path, NULL,
					  _("as it was installed"));
	case STATE_OURS: /* the argument is still there, the file was changed elsewhere */
		return persist_status_add(
			ret, "artefact",
			item->kind == ARTEFACT_EDIT ? VERDICT_OK : VERDICT_NOTE, path,
			NULL,
			item->kind == ARTEFACT_EDIT
				? _("holds %s")
				: _("written for another policy, or by another "
				    "version"),
			item->argument);
	case STATE_ABSENT:
		return persist_status_add(ret, "artefact", VERDICT_BROKEN, path, again,
					  _("is gone"));
	case STATE_EDITED:
		return persist_status_add(
			ret, "artefact", VERDICT_BROKEN, path,
			_("run 'iosched-tune persist install --force' to replace it"),
			item->kind == ARTEFACT_EDIT ? _("does not hold %s any more")
						    : _("was edited by hand"),
			item->argument);
	case STATE_FOREIGN:
		return persist_status_add(
			ret, "artefact", VERDICT_BROKEN, path,
			_("run 'iosched-tune persist install --force' to replace it"),
			_("was replaced by something that is not ours"));
	case STATE_BLOCKED:
		break;
	}
	return persist_status_add(ret, "artefact", VERDICT_BROKEN, path, again, "%s",
				  strerror(-present.error));
}

/* --- what reads them -------------------------------------------------------------------- */

static int check_udev(const struct persist_input *input, const struct manifest *known,
		      struct persist_status *ret)
{
	if (!manifest_has_backend(known, "udev"))
		return 0;
	if (!backend_has_udev(input->root))
		return persist_status_add(ret, "udev", VERDICT_BROKEN, "udev",
					  _("use --method systemd"),
					  _("is not installed"));
	if (root_get_kind(input->root) != ROOT_HOST)
		return persist_status_add(ret, "udev", VERDICT_OK, "udev", NULL,
					  _("is installed"));
	if (root_exists(input->root, PATH_UDEV_CONTROL))
		return persist_status_add(ret, "udev", VERDICT_OK, "udevd", NULL,
					  _("is running"));
	return persist_status_add(ret, "udev", VERDICT_BROKEN, "udevd", _("start udevd"),
				  _("is not running: nothing reads the rules"));
}

static int check_systemd(const struct persist_input *input, const struct manifest *known,
			 struct persist_status *ret)
{
	if (!manifest_find(known, PLACE_UNIT))
		return 0;
	if (!backend_has_systemd(input->root))
		return persist_status_add(
			ret, "systemd", VERDICT_BROKEN, "systemd", _("use --method udev"),
			_("does not run this system: nothing starts the unit"));
	if (root_exists(input->root, PLACE_LINK))
		return persist_status_add(ret, "systemd", VERDICT_OK, SYSTEMD_UNIT, NULL,
					  _("is enabled"));
	return persist_status_add(ret, "systemd", VERDICT_BROKEN, SYSTEMD_UNIT,
				  _("run 'systemctl enable iosched-tune.service'"),
				  _("is not enabled: /%s is missing"), PLACE_LINK);
}

/* --- the policy ------------------------------------------------------------------------- */

/* Profile or overrides may have changed since, or the program. */
static int check_policy(const struct persist_input *input, const struct manifest *known,
			struct persist_status *ret)
{
	static const struct persist_backend *const backends[] = { &backend_udev,
								  &backend_systemd };
	_artefacts_ struct artefacts set = { 0 };
	int error = 0;

	for (size_t i = 0; !error && i < ARRAY_SIZE(backends); i++)
		if (manifest_has_backend(known, backends[i]->name))
			error = backends[i]->render(input, &set, NULL);
	for (size_t i = 0; !error && i < set.count; i++) {
		const struct artefact *artefact = &set.items[i];
		const struct manifest_item *item = manifest_find(known, artefact->path);
		_free_ char *path = NULL;

		if (!item || artefact->kind != ARTEFACT_FILE ||
		    item->hash == artefact_hash(artefact->content, artefact->len))
			continue;
		if (asprintf(&path, "/%s", artefact->path) < 0) {
			path = NULL;
			return -ENOMEM;
		}
		error = persist_status_add(
			ret, "policy", VERDICT_NOTE, path,
			_("run 'iosched-tune persist install' again"),
			_("would be written differently now: the policy or the "
			  "program has changed since"));
	}
	return error;
}

/* --- the boot line ---------------------------------------------------------------------- */

static const char *find_argument(const struct manifest *known)
{
	for (size_t i = 0; i < known->count; i++)
		if (known->items[i].argument)
			return known->items[i].argument;
	return NULL;
}

static bool config_holds(const struct root *root, const char *argument)
{
	static const char *const files[] = { PATH_GRUB_CONFIG, PATH_GRUB2_CONFIG };

	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		_free_ char *text = NULL;

		if (!root_read(root, files[i], &text) && strstr(text, argument))
			return true;
	}
	return false;
}

/* The argument of our own drop-in, which the manifest does not spell. */
static int read_drop_in(const struct root *root, char **ret)
{
	_free_ char *text = NULL;
	char *begin;

	*ret = NULL;
	if (root_read(root, PLACE_DROP_IN, &text))
		return 0;
	begin = strstr(text, "elevator=");
	if (!begin)
		return 0;
	*ret = strndup(begin, strcspn(begin, "\" \n"));
	return *ret ? 0 : -ENOMEM;
}

static int check_boot_line(const struct persist_input *input,
			   const struct manifest *known, struct persist_status *ret)
{
	_free_ char *cmdline = NULL, *drop_in = NULL;
	const char *argument = find_argument(known);
	int error;

	if (!manifest_has_backend(known, "grub"))
		return 0;
	error = read_drop_in(input->root, &drop_in);
	if (error)
		return error;
	if (!argument)
		argument = drop_in;
	if (!argument || root_read(input->root, PATH_CMDLINE, &cmdline))
		return 0;
	const struct boot_file line = { BOOT_FILE_CMDLINE, PATH_CMDLINE, cmdline,
					strlen(cmdline) };
	_boot_arguments_ struct boot_arguments found = { 0 };

	error = boot_file_find(&line, "elevator", &found, NULL);
	if (error == -ENOMEM)
		return error;
	if (found.count && !strcmp(found.items[found.count - 1].text, argument))
		return persist_status_add(
			ret, "boot-line", VERDICT_OK, argument, NULL,
			_("is on the command line of the running kernel"));
	if (config_holds(input->root, argument))
		return persist_status_add(
			ret, "boot-line", VERDICT_BROKEN, argument, _("reboot"),
			_("is not on the command line of the running kernel; "
			  "it will be at the next boot"));
	return persist_status_add(
		ret, "boot-line", VERDICT_BROKEN, argument,
		_("make grub.cfg anew with your distribution's command"),
		_("is neither on the command line of the running kernel nor in "
		  "grub.cfg"));
}

/* --- modules ---------------------------------------------------------------------------- */

static bool is_offered(const struct device_list *devices, const char *name)
{
	for (size_t i = 0; i < devices->count; i++)
		if (choice_has(&devices->items[i].scheduler, name))
			return true;
	return false;
}

static int check_module(const struct persist_input *input, const char *name,
			struct persist_status *ret)
{
	const struct scheduler *scheduler = scheduler_find(name);
	const struct host *host = input->devices->host;

	if (!scheduler || !scheduler->module || !host)
		return 0;
	if (is_offered(input->devices, name) || host_can_load_scheduler(host, scheduler))
		return persist_status_add(ret, "module", VERDICT_OK, scheduler->module,
					  NULL, _("can be loaded"));
	return persist_status_add(
		ret, "module", VERDICT_BROKEN, scheduler->module,
		_("install the kernel package that holds it, and run depmod"),
		_("is missing from the modules of Linux %s: %s cannot be had"),
		host->release ? host->release : "?", name);
}

/* --- others ----------------------------------------------------------------------------- */

static int check_conflicts(const struct persist_input *input,
			   const struct manifest *known, struct persist_status *ret)
{
	_conflicts_ struct conflicts conflicts = { 0 };
	_free_ char *drop_in = NULL;
	const char *argument = find_argument(known);
	int error = read_drop_in(input->root, &drop_in);

	if (!error)
		error = conflicts_find(input->root, UDEV_RULES_NAME,
				       argument ? argument : drop_in, &conflicts);
	for (size_t i = 0; !error && i < conflicts.count; i++) {
		const struct conflict *conflict = &conflicts.items[i];
		char place[512];

		snprintf(place, sizeof(place), conflict->line ? "/%s:%u" : "/%s",
			 conflict->path, conflict->line);
		error = persist_status_add(
			ret, "conflict",
			conflict->comes_later ? VERDICT_BROKEN : VERDICT_NOTE, place,
			_(conflict->advice),
			conflict->comes_later ? _("%s, read after ours: %s") : "%s: %s",
			conflict->owner, conflict->text);
	}
	return error;
}

/* --- live state ------------------------------------------------------------------------- */

static int check_device(const struct plan_device *device, struct persist_status *ret)
{
	const char *advice = _("run 'iosched-tune apply', and see who changed it");

	if (device->state == PLAN_IN_FORCE)
		return persist_status_add(ret, "live-state", VERDICT_OK, device->name,
					  NULL, _("as the policy says"));
	if (device->state == PLAN_BLOCKED)
		return persist_status_add(ret, "live-state", VERDICT_BROKEN, device->name,
					  NULL, "%s", device->reason);
	for (size_t i = 0; i < device->step_count; i++) {
		const struct plan_step *step = &device->steps[i];
		int error;

		if (step->is_conditional)
			continue;
		error = persist_status_add(
			ret, "live-state", VERDICT_BROKEN, device->name, advice,
			_("%s is %s, the policy says %s"), step->tunable->key,
			step->from[0] ? step->from : _("absent"), step->to);
		if (error)
			return error;
	}
	return 0;
}

int persist_status_find(const struct persist_input *input, const struct manifest *known,
			const struct plan *plan, struct persist_status *ret)
{
	_persist_status_ struct persist_status found = { 0 };
	int error = 0;

	for (size_t i = 0; !error && i < known->count; i++)
		error = check_artefact(input, &known->items[i], &found);
	if (!error)
		error = check_policy(input, known, &found);
	if (!error)
		error = check_udev(input, known, &found);
	if (!error)
		error = check_systemd(input, known, &found);
	if (!error)
		error = check_boot_line(input, known, &found);
	for (size_t i = 0; !error && input->devices && i < known->schedulers.count; i++)
		error = check_module(input, known->schedulers.items[i], &found);
	if (!error)
		error = check_conflicts(input, known, &found);
	for (size_t i = 0; !error && plan && i < plan->count; i++)
		error = check_device(&plan->items[i], &found);
	if (error)
		return error;
	*ret = found;
	found = (struct persist_status){ 0 };
	return 0;
}
