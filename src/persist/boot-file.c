// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Kernel arguments in boot loader configuration. Each format only says where arguments
 * are (its slots); finding, setting and removing one is the same for all.
 */
#include "persist/boot-file.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "persist/boot-slot.h"
#include "util/i18n.h"

/* A line that is only ours ends in this; it goes as a whole. */
#define OWN_LINE_MARK " # iosched-tune"

static int find_slots(const struct boot_file *file, struct boot_slots *ret,
		      struct diag *diag)
{
	if (file->len > BOOT_FILE_SIZE_MAX) {
		diag_at_path(diag, file->path, 0);
		return diag_set(diag, -EFBIG, _("larger than any boot configuration"));
	}
	return boot_slots_find(file, ret, diag);
}

static size_t name_length(const char *argument)
{
	return strcspn(argument, "=");
}

/* The arguments of that name in one slot. */
static int find_tokens(const struct boot_file *file, const struct boot_slot *slot,
		       const char *argument, struct arg_token **ret, size_t *ret_count,
		       struct diag *diag)
{
	_free_ char *name = strndup(argument, name_length(argument));
	int error;

	if (!name)
		return -ENOMEM;
	error = arg_text_find(&slot->text, name, ret, ret_count);
	if (error == -EINVAL) {
		diag_at_path(diag, file->path, slot->line);
		return diag_set(diag, error,
				_("a quote among the kernel arguments is never closed"));
	}
	return error;
}

/* Changes what is there; *ret_found says whether there was one. */
static int set_in_slot(const struct boot_file *file, const struct boot_slot *slot,
		       const char *argument, struct edits *edits, bool *ret_found,
		       struct diag *diag)
{
	_free_ struct arg_token *tokens = NULL;
	size_t count;
	int error = find_tokens(file, slot, argument, &tokens, &count, diag);

	if (error)
		return error;
	for (size_t i = 0; i < count; i++) {
		*ret_found = true;
		if (!arg_token_equals(&slot->text, &tokens[i], argument))
			arg_text_replace(&slot->text, &tokens[i], argument, edits);
	}
	return 0;
}

/* One group of slots is one kernel's command line: it gets the argument once. */
static int set_in_group(const struct boot_file *file, const struct boot_slots *slots,
			size_t first, size_t end, const char *argument,
			struct edits *edits, struct diag *diag)
{
	const struct boot_slot *target = NULL;
	bool is_found = false;

	for (size_t i = first; i < end; i++) {
		int error = set_in_slot(file, &slots->items[i], argument, edits,
					&is_found, diag);

		if (error)
			return error;
		if (slots->items[i].is_target)
			target = &slots->items[i];
	}
	if (!is_found && target)
		arg_text_insert(&target->text, argument, edits);
	return is_found || target ? 0 : -ENOENT;
}

static bool uses_crlf(const struct boot_file *file)
{
	const char *end = memchr(file->data, '\n', file->len);

	return end && end > file->data && end[-1] == '\r';
}

/* No assignment to add it to: a line of its own at the end. */
static int add_own_line(const struct boot_file *file, const char *argument,
			struct edits *edits)
{
	const char *end_of_line = uses_crlf(file) ? "\r\n" : "\n";
	bool is_terminated = !file->len || file->data[file->len - 1] == '\n';
	_free_ char *line = NULL;

	if (asprintf(&line, "%s%s=\"%s\"%s%s", is_terminated ? "" : end_of_line,
		     BOOT_DEFAULTS_VARIABLE, argument, OWN_LINE_MARK,
		     is_terminated ? end_of_line : "") < 0) {
		line = NULL;
		return -ENOMEM;
	}
	edits_add(edits, file->len, 0, line);
	return 0;
}

static int check_argument(const char *argument)
{
	for (const char *p = argument; *p; p++)
		if (!isalnum((unsigned char)*p) && !strchr("._=-", *p))
			return -EINVAL;
	return *argument ? 0 : -EINVAL;
}

int boot_file_set(const struct boot_file *file, const char *argument, char **ret,
		  size_t *ret_len, struct diag *diag)
{
	_boot_slots_ struct boot_slots slots = { 0 };
	_edits_ struct edits edits = { 0 };
	bool has_target = false;
	int error = check_argument(argument);

	if (!error)
		error = find_slots(file, &slots, diag);
	for (size_t first = 0, end; !error && first < slots.count; first = end) {
		for (end = first + 1; end < slots.count; end++)
			if (slots.items[end].group != slots.items[first].group)
				break;
		error = set_in_group(file, &slots, first, end, argument, &edits, diag);
		has_target = has_target || !error;
		if (error == -ENOENT)
			error = 0;
	}
	if (!error && !has_target) {
		if (file->format != BOOT_FILE_DEFAULTS) {
			diag_at_path(diag, file->path, 0);
			return diag_set(diag, -ENOENT,
					_("no line of this file takes kernel arguments"));
		}
		error = add_own_line(file, argument, &edits);
	}
	return error ? error : edits_apply(&edits, file->data, file->len, ret, ret_len);
}

/* Our own line: from the line end before it, if the file had none, to its own end. */
static bool find_own_line(const struct boot_file *file, const struct boot_slot *slot,
			  size_t *ret_at, size_t *ret_len)
{
	const char *data = file->data;
	size_t mark = strlen(OWN_LINE_MARK), begin = slot->text.at, end = slot->text.end;

	if (file->format != BOOT_FILE_DEFAULTS || file->len - end < mark ||
	    memcmp(data + end, OWN_LINE_MARK, mark))
		return false;
	while (begin && data[begin - 1] != '\n')
		begin--;
	end += mark;
	if (end == file->len) {
		if (begin)
			begin--;
		/* the line end before it was put there by add_own_line(), which took the
		   kind that the file begins with */
		if (begin && data[begin - 1] == '\r' && memchr(data, '\n', begin) &&
		    uses_crlf(file))
			begin--;
	} else {
		end += data[end] == '\r';
		if (end >= file->len || data[end] != '\n')
			return false;
		end++;
	}
	*ret_at = begin;
	*ret_len = end - begin;
	return true;
}

/* What one slot had before; nothing when it is not the same kind of place any more. */
static int find_before(const struct boot_file *original, const struct boot_slots *slots,
		       size_t index, const char *argument, struct arg_token **ret,
		       size_t *ret_count, struct diag *diag)
{
	*ret_count = 0;
	if (index >= slots->count)
		return 0;
	return find_tokens(original, &slots->items[index], argument, ret, ret_count,
			   diag);
}

static int put_before(const struct boot_slot *slot, const struct arg_token *token,
		      const struct boot_slot *before,
		      const struct arg_token *before_token, struct edits *edits)
{
	_free_ char *text = NULL;
	int error = arg_token_format(&before->text, before_token, &text);

	if (!error)
		arg_text_replace(&slot->text, token, text, edits);
	return error;
}

static void remove_token(const struct boot_file *file, const struct boot_slot *slot,
			 const struct arg_token *token, struct edits *edits)
{
	size_t at, len;

	if (token->first == 0 && token->last + 1 == slot->text.unit_count &&
	    find_own_line(file, slot, &at, &len))
		edits_add(edits, at, len, NULL);
	else
		arg_text_remove(&slot->text, token, edits);
}

/* A slot that had as many arguments of the name before gets their values back. */
static int unset_in_slot(const struct boot_file *file, const struct boot_slot *slot,
			 const struct boot_slot *before, const struct arg_token *old,
			 size_t old_count, const char *argument, struct edits *edits,
			 struct diag *diag)
{
	_free_ struct arg_token *tokens = NULL;
	size_t count;
	int error = find_tokens(file, slot, argument, &tokens, &count, diag);

	for (size_t i = 0; !error && i < count; i++) {
		if (!arg_token_equals(&slot->text, &tokens[i], argument))
			continue;
		if (old_count == count)
			error = put_before(slot, &tokens[i], before, &old[i], edits);
		else
			remove_token(file, slot, &tokens[i], edits);
	}
	return error;
}

/* Nothing happened to the file since: then the original is what to go back to. */
static bool is_as_we_set_it(const struct boot_file *file, const char *argument,
			    const struct boot_file *original)
{
	_free_ char *set = NULL;
	size_t len;

	return boot_file_set(original, argument, &set, &len, NULL) == 0 &&
	       len == file->len && !memcmp(set, file->data, len);
}

int boot_file_unset(const struct boot_file *file, const char *argument,
		    const struct boot_file *original, char **ret, size_t *ret_len,
		    struct diag *diag)
{
	_boot_slots_ struct boot_slots slots = { 0 }, before = { 0 };
	_edits_ struct edits edits = { 0 };
	int error;

	if (original && is_as_we_set_it(file, argument, original))
		return edits_apply(&edits, original->data, original->len, ret, ret_len);
	error = find_slots(file, &slots, diag);
	if (!error && original)
		error = find_slots(original, &before, diag);
	if (!error && before.count != slots.count)
		boot_slots_done(&before);
	for (size_t i = 0; !error && i < slots.count; i++) {
		_free_ struct arg_token *old = NULL;
		size_t old_count;

		error = find_before(original, &before, i, argument, &old, &old_count,
				    diag);
		if (!error)
			error = unset_in_slot(file, &slots.items[i],
					      before.count ? &before.items[i] : NULL, old,
					      old_count, argument, &edits, diag);
	}
	return error ? error : edits_apply(&edits, file->data, file->len, ret, ret_len);
}

void boot_arguments_done(struct boot_arguments *arguments)
{
	for (size_t i = 0; i < arguments->count; i++)
		free(arguments->items[i].text);
	free(arguments->items);
	*arguments = (struct boot_arguments){ 0 };
}

static int add_argument(struct boot_arguments *arguments, const struct boot_slot *slot,
			const struct arg_token *token)
{
	struct boot_argument *items =
		reallocarray(arguments->items, arguments->count + 1, sizeof(*items));
	char *text;
	int error;

	if (!items)
		return -ENOMEM;
	arguments->items = items;
	error = arg_token_format(&slot->text, token, &text);
	if (!error)
		items[arguments->count++] =
			(struct boot_argument){ .text = text, .line = slot->line };
	return error;
}

int boot_file_find(const struct boot_file *file, const char *name,
		   struct boot_arguments *ret, struct diag *diag)
{
	_boot_slots_ struct boot_slots slots = { 0 };
	_boot_arguments_ struct boot_arguments found = { 0 };
	int error = find_slots(file, &slots, diag);

	for (size_t i = 0; !error && i < slots.count; i++) {
		_free_ struct arg_token *tokens = NULL;
		size_t count = 0;

		error = find_tokens(file, &slots.items[i], name, &tokens, &count, diag);
		for (size_t t = 0; !error && t < count; t++)
			error = add_argument(&found, &slots.items[i], &tokens[t]);
	}
	if (error)
		return error;
	*ret = found;
	found = (struct boot_arguments){ 0 };
	return 0;
}
