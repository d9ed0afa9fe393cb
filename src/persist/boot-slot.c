// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Where the kernel arguments are in a boot loader's file. Sources: GRUB manual, "Simple
 * configuration" (GRUB_CMDLINE_LINUX comes before GRUB_CMDLINE_LINUX_DEFAULT, and the
 * kernel heeds the last of two arguments); GRUB legacy manual, "kernel" and "module";
 * Debian's update-grub ("# kopt="); the Boot Loader Specification ("options" may repeat).
 */
#include "persist/boot-slot.h"

#include <errno.h>
#include <string.h>

#include "persist/shell-scan.h"
#include "util/i18n.h"

static void slot_done(struct boot_slot *slot)
{
	arg_text_done(&slot->text);
}

void boot_slots_done(struct boot_slots *slots)
{
	for (size_t i = 0; i < slots->count; i++)
		slot_done(&slots->items[i]);
	free(slots->items);
	*slots = (struct boot_slots){ 0 };
}

/* Takes the slot over. */
static int add_slot(struct boot_slots *slots, struct boot_slot *slot)
{
	struct boot_slot *items =
		reallocarray(slots->items, slots->count + 1, sizeof(*items));

	if (!items)
		return -ENOMEM;
	slots->items = items;
	items[slots->count++] = *slot;
	*slot = (struct boot_slot){ 0 };
	return 0;
}

/* --- /etc/default/grub
 * ------------------------------------------------------------------ */

/* From the last assignment that starts afresh on, all count. */
static size_t find_first_effective(const struct shell_assignments *found,
				   const char *name)
{
	size_t first = 0;

	for (size_t i = 0; i < found->count; i++)
		if (!strcmp(found->items[i].name, name) && !found->items[i].is_append &&
		    !found->items[i].refers_to_itself)
			first = i;
	return first;
}

static int add_defaults(struct shell_assignments *found, const char *name, bool is_target,
			struct boot_slots *slots)
{
	size_t first = find_first_effective(found, name);
	int error = 0;

	for (size_t i = first; !error && i < found->count; i++) {
		_cleanup_(slot_done) struct boot_slot slot = { .is_target = is_target };

		if (strcmp(found->items[i].name, name))
			continue;
		slot.line = found->items[i].line;
		slot.text = found->items[i].value;
		found->items[i].value = (struct arg_text){ 0 };
		error = add_slot(slots, &slot);
	}
	return error;
}

static int find_defaults(const struct boot_file *file, struct boot_slots *ret,
			 struct diag *diag)
{
	static const char *const names[] = { BOOT_DEFAULTS_VARIABLE,
					     BOOT_DEFAULTS_VARIABLE "_DEFAULT", NULL };
	_shell_assignments_ struct shell_assignments found = { 0 };
	int error = shell_scan(file->path, file->data, file->len, names, &found, diag);

	if (error)
		return error;
	for (size_t i = 0; i < found.count; i++) {
		if (!found.items[i].is_conditional)
			continue;
		diag_at_path(diag, file->path, found.items[i].line);
		return diag_set(diag, -EINVAL, _("%s is set only under a condition here"),
				found.items[i].name);
	}
	for (size_t i = 0; !error && names[i]; i++)
		error = add_defaults(&found, names[i], i == 0, ret);
	return error;
}

/* --- files of lines
 * --------------------------------------------------------------------- */

struct line {
	const char *data;
	size_t at, end; /* without the line end */
	unsigned number;
};

static bool next_line(const struct boot_file *file, struct line *line)
{
	size_t at = line->data ? line->end : 0;
	const char *end;

	if (line->data) { /* over the line end that the last one stopped at */
		if (at < file->len && file->data[at] == '\r')
			at++;
		if (at < file->len && file->data[at] == '\n')
			at++;
	}
	if (at >= file->len)
		return false;
	end = memchr(file->data + at, '\n', file->len - at);
	line->data = file->data;
	line->at = at;
	line->end = end ? (size_t)(end - file->data) : file->len;
	if (line->end > at && file->data[line->end - 1] == '\r')
		line->end--;
	line->number++;
	return true;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* The line's first word is `word`: then *ret_at is behind it. */
static bool line_begins(const struct line *line, const char *word, size_t *ret_at)
{
	size_t at = line->at, len = strlen(word);

	while (at < line->end && is_blank(line->data[at]))
		at++;
	if (line->end - at < len || memcmp(line->data + at, word, len))
		return false;
	*ret_at = at + len;
	return *ret_at == line->end || is_blank(line->data[*ret_at]);
}

static bool line_holds(const struct line *line, size_t at, const char *text)
{
	return memmem(line->data + at, line->end - at, text, strlen(text));
}

static int add_line(struct boot_slots *slots, const struct line *line, size_t at,
		    size_t group)
{
	_cleanup_(slot_done) struct boot_slot slot = { .group = group,
						       .is_target = true,
						       .line = line->number };
	int error = arg_text_add_plain(&slot.text, line->data, at, line->end);

	return error ? error : add_slot(slots, &slot);
}

/* Debian's update-grub makes the kernel lines from "# kopt=…"; "## " is a comment on it.
 */
static bool is_kopt(const struct line *line, size_t *ret_at)
{
	static const char mark[] = "# kopt";
	size_t len = sizeof(mark) - 1, at = line->at + len;

	if (line->end - line->at < len || memcmp(line->data + line->at, mark, len))
		return false;
	while (at < line->end && line->data[at] != '=' && !is_blank(line->data[at]))
		at++; /* kopt_2_6 */
	if (at == line->end || line->data[at] != '=')
		return false;
	*ret_at = at + 1;
	return true;
}

/* A memory test or a hypervisor takes no Linux arguments; the hypervisor's Linux is the
   first "module" line after it. */
static int find_menu_lst(const struct boot_file *file, struct boot_slots *ret,
			 struct diag *diag)
{
	struct line line = { 0 };
	bool wants_module = false;
	int error = 0;

	(void)diag;
	while (!error && next_line(file, &line)) {
		size_t at;

		if (is_kopt(&line, &at) ||
		    (wants_module && line_begins(&line, "module", &at))) {
			wants_module = false;
			error = add_line(ret, &line, at, ret->count);
		} else if (line_begins(&line, "kernel", &at)) {
			wants_module = line_holds(&line, at, "xen") &&
				       line_holds(&line, at, ".gz");
			if (!wants_module && !line_holds(&line, at, "memtest"))
				error = add_line(ret, &line, at, ret->count);
		} else if (line_begins(&line, "title", &at)) {
			wants_module = false;
		}
	}
	return error;
}

static int find_entry(const struct boot_file *file, struct boot_slots *ret,
		      struct diag *diag)
{
	struct line line = { 0 };
	int error = 0;
	size_t at;

	(void)diag;
	while (!error && next_line(file, &line))
		if (line_begins(&line, "options", &at))
			error = add_line(ret, &line, at, 0);
	return error;
}

static int find_cmdline(const struct boot_file *file, struct boot_slots *ret,
			struct diag *diag)
{
	struct line line = { 0 };
	int error = 0;

	(void)diag;
	while (!error && next_line(file, &line)) {
		size_t at = line.at;

		while (at < line.end && is_blank(line.data[at]))
			at++;
		if (at < line.end && line.data[at] != '#')
			error = add_line(ret, &line, line.at, 0);
	}
	return error;
}

int boot_slots_find(const struct boot_file *file, struct boot_slots *ret,
		    struct diag *diag)
{
	static int (*const finders[BOOT_FILE_FORMAT_COUNT])(
		const struct boot_file *, struct boot_slots *, struct diag *) = {
		[BOOT_FILE_DEFAULTS] = find_defaults,
		[BOOT_FILE_MENU_LST] = find_menu_lst,
		[BOOT_FILE_ENTRY] = find_entry,
		[BOOT_FILE_CMDLINE] = find_cmdline,
	};

	if (memchr(file->data, '\0', file->len)) {
		diag_at_path(diag, file->path, 0);
		return diag_set(diag, -EINVAL,
				_("this is no text file: it holds NUL bytes"));
	}
	return finders[file->format](file, ret, diag);
}
