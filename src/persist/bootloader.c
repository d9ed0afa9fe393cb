// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Recognising the boot loader. Sources: facts on elevator= and boot loaders in the field;
 * GRUB puts BOOT_IMAGE= before the arguments of every kernel that it boots, so a command
 * line without it came another way (GRUB legacy does not, but has its menu file).
 */
#include "persist/bootloader.h"

#include <errno.h>
#include <string.h>

#include "persist/run.h"
#include "persist/shell-scan.h"
#include "sysfs/paths.h"

/* Distributions by the tool that they ship, for trees in which it cannot be seen. */
static const struct {
	const char *id, *tool;
} families[] = {
	{ "debian", "update-grub" },       { "ubuntu", "update-grub" },
	{ "deepin", "update-grub" },       { "uos", "update-grub" },
	{ "rhel", "grub2-mkconfig" },      { "fedora", "grub2-mkconfig" },
	{ "centos", "grub2-mkconfig" },    { "kylin", "grub2-mkconfig" },
	{ "openeuler", "grub2-mkconfig" }, { "anolis", "grub2-mkconfig" },
	{ "suse", "grub2-mkconfig" },      { "opensuse", "grub2-mkconfig" },
	{ "sles", "grub2-mkconfig" },      { "arch", "grub-mkconfig" },
};

/* A grub.cfg on the EFI partition that only leads to the real one is this small. */
#define STUB_MAX 2048

void bootloader_done(struct bootloader *bootloader)
{
	free(bootloader->id);
	free(bootloader->id_like);
	free(bootloader->menu_lst);
	free(bootloader->grubby);
	strv_done(&bootloader->entries);
	strv_done(&bootloader->regenerate);
	*bootloader = (struct bootloader){ 0 };
}

/* -ENOMEM, or 0 with *ret NULL when there is none. */
static int read_optional(const struct root *root, const char *path, char **ret)
{
	int error = root_read(root, path, ret);

	return error == -ENOMEM ? error : 0;
}

/* --- os-release ------------------------------------------------------------------------- */

static int take_word(const struct arg_text *value, char **ret)
{
	_text_ struct text text = { 0 };

	free(*ret);
	*ret = NULL;
	for (size_t i = 0; i < value->unit_count; i++)
		text_add_bytes(&text, &value->units[i].c, 1);
	return text_take(&text, ret);
}

static int read_os_release(const struct root *root, struct bootloader *ret)
{
	static const char *const names[] = { "ID", "ID_LIKE", NULL };
	_shell_assignments_ struct shell_assignments found = { 0 };
	_free_ char *text = NULL;
	int error = read_optional(root, PATH_OS_RELEASE_ETC, &text);

	if (!error && !text)
		error = read_optional(root, PATH_OS_RELEASE_USR, &text);
	if (error || !text ||
	    shell_scan(PATH_OS_RELEASE_ETC, text, strlen(text), names, &found, NULL))
		return error;
	for (size_t i = 0; !error && i < found.count; i++)
		error = take_word(&found.items[i].value, strcmp(found.items[i].name, "ID")
								 ? &ret->id_like
								 : &ret->id);
	return error;
}

bool bootloader_is_like(const struct bootloader *bootloader, const char *id)
{
	_strv_ struct strv words = { 0 };

	if (bootloader->id && strv_split(&words, bootloader->id, " "))
		return false;
	if (bootloader->id_like && strv_split(&words, bootloader->id_like, " "))
		return false;
	for (size_t i = 0; i < words.count; i++)
		if (text_glob_match(id, words.items[i]))
			return true;
	return false;
}

/* --- the command ------------------------------------------------------------------------ */

static bool is_stub(const char *text)
{
	return strlen(text) < STUB_MAX && strstr(text, "configfile");
}

/* The vendor's folder on the EFI partition that holds a whole configuration. */
static int find_efi_config(const struct root *root, char **ret)
{
	_strv_ struct strv vendors = { 0 };

	if (!root_exists(root, PATH_EFI) || root_list(root, PATH_EFI_VENDORS, &vendors))
		return 0;
	for (size_t i = 0; i < vendors.count; i++) {
		_free_ char *path = NULL, *text = NULL;
		int error;

		if (asprintf(&path, PATH_EFI_VENDORS "/%s/grub.cfg", vendors.items[i]) <
		    0) {
			path = NULL;
			return -ENOMEM;
		}
		error = read_optional(root, path, &text);
		if (error)
			return error;
		if (text && !is_stub(text)) {
			*ret = TAKE_PTR(path);
			return 0;
		}
	}
	return 0;
}

static int add_output(const struct root *root, struct bootloader *ret,
		      const char *fallback)
{
	_free_ char *config = NULL, *path = NULL;
	bool is_suse =
		bootloader_is_like(ret, "*suse*") || bootloader_is_like(ret, "sle*");
	int error = is_suse ? 0 : find_efi_config(root, &config);

	if (error)
		return error;
	if (asprintf(&path, "/%s", config ? config : fallback) < 0) {
		path = NULL;
		return -ENOMEM;
	}
	error = strv_add(&ret->regenerate, "-o");
	return error ? error : strv_add(&ret->regenerate, path);
}

static const char *guess_tool(const struct bootloader *bootloader)
{
	/* its desktop edition says ID_LIKE=debian */
	if (bootloader_is_like(bootloader, "debian"))
		return "update-grub";
	for (size_t i = 0; i < ARRAY_SIZE(families); i++)
		if (bootloader_is_like(bootloader, families[i].id))
			return families[i].tool;
	return NULL;
}

static int find_regenerate(const struct root *root, struct bootloader *ret)
{
	static const char *const tools[] = { "update-grub", "grub2-mkconfig",
					     "grub-mkconfig" };
	_free_ char *program = NULL;
	const char *tool = NULL;
	int error = -ENOENT;

	for (size_t i = 0; error == -ENOENT && i < ARRAY_SIZE(tools); i++) {
		error = run_find(root, tools[i], &program);
		tool = tools[i];
	}
	if (error == -ENOENT)
		tool = guess_tool(ret);
	else if (error)
		return error;
	if (!tool)
		return 0;
	error = strv_add(&ret->regenerate, program ? program : tool);
	if (error || !strcmp(tool, "update-grub"))
		return error;
	return add_output(root, ret,
			  strcmp(tool, "grub-mkconfig") ? PATH_GRUB2_CONFIG
							: PATH_GRUB_CONFIG);
}

/* --- files ------------------------------------------------------------------------------ */

static int find_menu_lst(const struct root *root, struct bootloader *ret)
{
	static const char *const names[] = PATHS_MENU_LST;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		_root_file_ struct root_file file = { 0 };
		int error = root_read_file(root, names[i], &file);

		if (error == -ENOMEM)
			return error;
		if (error) /* menu.lst may be a link to grub.conf */
			continue;
		ret->menu_lst = strdup(names[i]);
		return ret->menu_lst ? 0 : -ENOMEM;
	}
	return 0;
}

/* The script that reads them says so; else Debian's and its children's do. */
static int find_drop_ins(const struct root *root, struct bootloader *ret)
{
	static const char *const tools[] = { "grub-mkconfig", "grub2-mkconfig" };

	for (size_t i = 0; i < ARRAY_SIZE(tools); i++) {
		_free_ char *program = NULL, *text = NULL;
		int error = run_find(root, tools[i], &program);

		if (!error)
			error = read_optional(root, program + 1, &text);
		if (error == -ENOMEM)
			return error;
		if (text) {
			ret->reads_drop_ins = strstr(text, "default/grub.d/") != NULL;
			return 0;
		}
	}
	ret->reads_drop_ins =
		bootloader_is_like(ret, "debian") || bootloader_is_like(ret, "ubuntu");
	return 0;
}

/* Entries count when GRUB is told to read them, or nothing but them is there. */
static bool reads_entries(const struct root *root)
{
	static const char *const names[] = { "GRUB_ENABLE_BLSCFG", NULL };
	_shell_assignments_ struct shell_assignments found = { 0 };
	_free_ char *text = NULL, *value = NULL;

	if (root_read(root, PATH_GRUB_DEFAULTS, &text) ||
	    shell_scan(PATH_GRUB_DEFAULTS, text, strlen(text), names, &found, NULL) ||
	    !found.count)
		return false;
	return !take_word(&found.items[found.count - 1].value, &value) &&
	       text_equal(value, "true");
}

static int find_entries(const struct root *root, struct bootloader *ret)
{
	if (!reads_entries(root))
		return 0;
	return root_list_files(root, PATH_BOOT_ENTRIES, ".conf", &ret->entries);
}

/* Was the running kernel booted by something that passes BOOT_IMAGE=? True when there is
   no running kernel to ask. */
static int is_booted_by_loader(const struct root *root, bool *ret)
{
	_free_ char *cmdline = NULL;
	int error = read_optional(root, PATH_CMDLINE, &cmdline);

	*ret = !cmdline || strstr(cmdline, "BOOT_IMAGE=");
	return error;
}

static int find_kind(const struct root *root, struct bootloader *ret)
{
	bool has_grub, is_booted;
	int error = is_booted_by_loader(root, &is_booted);

	if (error)
		return error;
	ret->has_defaults = root_exists(root, PATH_GRUB_DEFAULTS);
	ret->has_kernel_cmdline = root_exists(root, PATH_KERNEL_CMDLINE);
	has_grub = ret->has_defaults || root_exists(root, PATH_GRUB2_CONFIG) ||
		   root_exists(root, PATH_GRUB_CONFIG);
	if (has_grub)
		ret->kind = is_booted ? BOOTLOADER_GRUB : BOOTLOADER_OTHER;
	else if (ret->menu_lst)
		ret->kind = BOOTLOADER_LEGACY;
	return 0;
}

int bootloader_detect(const struct root *root, struct bootloader *ret)
{
	_bootloader_ struct bootloader found = { 0 };
	int error = read_os_release(root, &found);

	if (!error)
		error = find_menu_lst(root, &found);
	if (!error)
		error = find_kind(root, &found);
	if (!error)
		error = find_drop_ins(root, &found);
	if (!error)
		error = find_entries(root, &found);
	if (!error)
		error = find_regenerate(root, &found);
	if (!error && run_find(root, "grubby", &found.grubby) == -ENOMEM)
		error = -ENOMEM;
	if (error)
		return error;
	*ret = found;
	found = (struct bootloader){ 0 };
	return 0;
}
