// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The grub backend: elevator= on the kernel's command line, where it has an effect.
 */
#include <errno.h>
#include <string.h>

#include "persist/backend.h"
#include "persist/boot-file.h"
#include "persist/bootloader.h"
#include "persist/elevator.h"
#include "persist/places.h"
#include "persist/run.h"
#include "util/i18n.h"

/* --- is it of any use? ------------------------------------------------------------------ */

static int refuse_effect(const struct persist_input *input,
			 const struct elevator *elevator, struct diag *diag)
{
	if (elevator->has_effect || input->is_forced)
		return 0;
	diag_set(diag, -ENOTSUP, _("elevator= would have no effect: %s"), elevator->why);
	diag_hint(diag,
		  _("use --method udev, which works on every kernel; --force writes it "
		    "all the same, and it will still have no effect"));
	return -ENOTSUP;
}

static int refuse_loader(const struct bootloader *bootloader, struct diag *diag)
{
	if (bootloader->kind == BOOTLOADER_GRUB || bootloader->kind == BOOTLOADER_LEGACY)
		return 0;
	if (bootloader->kind == BOOTLOADER_OTHER)
		diag_set(diag, -ENOTSUP,
			 _("this kernel was not booted by GRUB, so what GRUB's files say "
			   "is "
			   "never read: firmware, a hypervisor or another loader boots "
			   "it"));
	else
		diag_set(diag, -ENOTSUP,
			 _("there is no GRUB here: firmware, a hypervisor or another "
			   "loader boots "
			   "the kernel"));
	diag_hint(
		diag,
		_("use --method udev or --method systemd; kernel arguments are set where "
		  "the machine is configured"));
	return -ENOTSUP;
}

static int check(const struct persist_input *input, struct diag *diag)
{
	_elevator_ struct elevator elevator = { 0 };
	_bootloader_ struct bootloader bootloader = { 0 };
	int error = elevator_judge(input, &elevator);

	if (!error)
		error = refuse_effect(input, &elevator, diag);
	if (!error)
		error = bootloader_detect(input->root, &bootloader);
	if (!error)
		error = refuse_loader(&bootloader, diag);
	if (!error && !elevator.argument)
		error = diag_set(
			diag, -ENOTSUP,
			_("the profile %s sets no scheduler that elevator= could name"),
			input->profile);
	return error;
}

/* What has to be said of an argument that is written all the same. */
static int add_notes(const struct elevator *elevator, struct strv *notes)
{
	_free_ char *note = NULL;
	int error = 0;

	if (!elevator->has_effect) {
		if (asprintf(&note, _("%s has no effect: %s"), elevator->argument,
			     elevator->why) < 0) {
			note = NULL;
			return -ENOMEM;
		}
		error = strv_add(notes, note);
	} else if (elevator->rule) {
		if (asprintf(&note, _("%s works through /%s, which reads it"),
			     elevator->argument, elevator->rule) < 0) {
			note = NULL;
			return -ENOMEM;
		}
		error = strv_add(notes, note);
	}
	if (!error && elevator->is_mixed)
		error = strv_add(
			notes,
			_("elevator= is one for all disks: those that want another "
			  "scheduler need --method udev as well"));
	return error;
}

/* --- files ------------------------------------------------------------------------------ */

static int add_edit(const struct root *root, const char *path,
		    enum boot_file_format format, const char *argument,
		    struct artefacts *ret, struct diag *diag)
{
	_root_file_ struct root_file file = { 0 };
	struct boot_file boot = { .format = format, .path = path };
	char *content = NULL;
	size_t len = 0;
	int error = root_read_file(root, path, &file);

	if (error) {
		diag_at_path(diag, path, 0);
		return diag_set(diag, error, "%s",
				error == -ELOOP
					? _("is a symbolic link, which is not followed")
					: strerror(-error));
	}
	boot.data = file.data;
	boot.len = file.len;
	error = boot_file_set(&boot, argument, &content, &len, diag);
	if (error) {
		diag_hint(diag, _("the file is left as it is; add %s by hand"), argument);
		return error;
	}
	return artefacts_add_edit(ret, "grub", path, format, argument, content, len,
				  file.mode);
}

/* Does it name an elevator already? Then that has to change, wherever it stands. */
static bool has_elevator(const struct root *root, const char *path)
{
	_boot_arguments_ struct boot_arguments found = { 0 };
	_root_file_ struct root_file file = { 0 };

	if (root_read_file(root, path, &file))
		return false;
	const struct boot_file boot = { BOOT_FILE_DEFAULTS, path, file.data, file.len };

	return !boot_file_find(&boot, ELEVATOR_NAME, &found, NULL) && found.count;
}

/* Drop-ins of others that name one. */
static int edit_drop_ins(const struct root *root, const char *argument,
			 struct artefacts *ret, struct diag *diag)
{
	_strv_ struct strv paths = { 0 };
	int error = root_list_files(root, PATH_GRUB_DROP_INS, ".cfg", &paths);

	for (size_t i = 0; !error && i < paths.count; i++) {
		const char *path = paths.items[i];

		if (strcmp(path, PLACE_DROP_IN) && has_elevator(root, path))
			error = add_edit(root, path, BOOT_FILE_DEFAULTS, argument, ret,
					 diag);
	}
	return error;
}

static int add_drop_in(const struct persist_input *input, const char *argument,
		       struct artefacts *ret)
{
	_text_ struct text body = { 0 };

	text_addf(&body, BOOT_DEFAULTS_VARIABLE "=\"$" BOOT_DEFAULTS_VARIABLE " %s\"\n",
		  argument);
	return body.error ? body.error
			  : artefacts_add_file(ret, "grub", PLACE_DROP_IN, input->profile,
					       body.data);
}

static int add_defaults(const struct persist_input *input,
			const struct bootloader *bootloader, const char *argument,
			struct artefacts *ret, struct diag *diag)
{
	size_t before = ret->count;
	int error = 0;

	if (bootloader->reads_drop_ins) {
		error = edit_drop_ins(input->root, argument, ret, diag);
		if (error)
			return error;
	}
	if (has_elevator(input->root, PATH_GRUB_DEFAULTS))
		error = add_edit(input->root, PATH_GRUB_DEFAULTS, BOOT_FILE_DEFAULTS,
				 argument, ret, diag);
	if (error || ret->count > before)
		return error;
	if (bootloader->reads_drop_ins)
		return add_drop_in(input, argument, ret);
	return add_edit(input->root, PATH_GRUB_DEFAULTS, BOOT_FILE_DEFAULTS, argument,
			ret, diag);
}

static int add_grubby(const struct bootloader *bootloader, const char *argument,
		      struct artefacts *ret)
{
	_free_ char *words = NULL;

	if (asprintf(&words, "--args=%s", argument) < 0) {
		words = NULL;
		return -ENOMEM;
	}
	return artefacts_add_command(ret, (const char *[]){ bootloader->grubby,
							    "--update-kernel=ALL", words,
							    NULL });
}

/* Entries: grubby where it runs, else the files themselves. */
static int add_entries(const struct persist_input *input,
		       const struct bootloader *bootloader, const char *argument,
		       struct artefacts *ret, struct diag *diag)
{
	int error = 0;

	if (bootloader->grubby && root_get_kind(input->root) == ROOT_HOST)
		return add_grubby(bootloader, argument, ret);
	for (size_t i = 0; !error && i < bootloader->entries.count; i++)
		error = add_edit(input->root, bootloader->entries.items[i],
				 BOOT_FILE_ENTRY, argument, ret, diag);
	if (!error && bootloader->has_kernel_cmdline)
		error = add_edit(input->root, PATH_KERNEL_CMDLINE, BOOT_FILE_CMDLINE,
				 argument, ret, diag);
	return error;
}

static int add_regenerate(const struct bootloader *bootloader, struct artefacts *ret)
{
	const char *argv[8] = { NULL };

	if (!bootloader->regenerate.count)
		return strv_add(&ret->notes,
				_("the command that makes grub.cfg was not found: run "
				  "your distribution's"));
	for (size_t i = 0; i < bootloader->regenerate.count && i < ARRAY_SIZE(argv) - 1;
	     i++)
		argv[i] = bootloader->regenerate.items[i];
	return artefacts_add_command(ret, argv);
}

static int render(const struct persist_input *input, struct artefacts *ret,
		  struct diag *diag)
{
	_elevator_ struct elevator elevator = { 0 };
	_bootloader_ struct bootloader bootloader = { 0 };
	int error = elevator_judge(input, &elevator);

	if (!error)
		error = bootloader_detect(input->root, &bootloader);
	if (!error)
		error = add_notes(&elevator, &ret->notes);
	if (error)
		return error;
	if (bootloader.kind == BOOTLOADER_LEGACY)
		return add_edit(input->root, bootloader.menu_lst, BOOT_FILE_MENU_LST,
				elevator.argument, ret, diag);
	error = add_defaults(input, &bootloader, elevator.argument, ret, diag);
	if (!error && bootloader.entries.count)
		return add_entries(input, &bootloader, elevator.argument, ret, diag);
	return error ? error : add_regenerate(&bootloader, ret);
}

static int generate(const struct persist_input *input, struct text *out,
		    struct strv *notes, struct diag *diag)
{
	_elevator_ struct elevator elevator = { 0 };
	int error = elevator_judge(input, &elevator);

	if (!error)
		error = refuse_effect(input, &elevator, diag);
	if (!error && !elevator.argument)
		error = diag_set(
			diag, -ENOTSUP,
			_("the profile %s sets no scheduler that elevator= could name"),
			input->profile);
	if (!error)
		error = add_notes(&elevator, notes);
	if (error)
		return error;
	text_addf(out, BOOT_DEFAULTS_VARIABLE "=\"$" BOOT_DEFAULTS_VARIABLE " %s\"\n",
		  elevator.argument);
	return out->error;
}

/* --- undo on a running system ----------------------------------------------------------- */

static int run_noted(const struct strv *argv, struct strv *notes)
{
	_free_ char *note = NULL;
	int status = 0, error = run_command(argv, &status);

	if (!error || error == -ENOMEM)
		return error;
	if (asprintf(&note, _("%s failed: run it by hand"), argv->items[0]) < 0) {
		note = NULL;
		return -ENOMEM;
	}
	return strv_add(notes, note);
}

static int remove_with_grubby(const char *grubby, const char *argument,
			      struct strv *notes)
{
	_strv_ struct strv argv = { 0 };
	_free_ char *words = NULL;
	int error;

	if (asprintf(&words, "--remove-args=%s", argument) < 0) {
		words = NULL;
		return -ENOMEM;
	}
	error = strv_add(&argv, grubby);
	if (!error)
		error = strv_add(&argv, "--update-kernel=ALL");
	if (!error)
		error = strv_add(&argv, words);
	return error ? error : run_noted(&argv, notes);
}

static int after_remove(const struct root *root, const struct manifest *known,
			struct strv *notes)
{
	_bootloader_ struct bootloader bootloader = { 0 };
	const char *argument = NULL;
	int error = bootloader_detect(root, &bootloader);

	for (size_t i = 0; i < known->count; i++)
		if (known->items[i].argument)
			argument = known->items[i].argument;
	if (error || bootloader.kind != BOOTLOADER_GRUB)
		return error;
	if (bootloader.entries.count && bootloader.grubby && argument)
		return remove_with_grubby(bootloader.grubby, argument, notes);
	return bootloader.regenerate.count ? run_noted(&bootloader.regenerate, notes) : 0;
}

const struct persist_backend backend_grub = {
	.name = "grub",
	.summary = N_("elevator= on the kernel's command line, for kernels that heed it"),
	.check = check,
	.render = render,
	.generate = generate,
	.after_remove = after_remove,
};
