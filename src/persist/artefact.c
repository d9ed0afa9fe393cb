// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a backend renders.
 */
#include "persist/artefact.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#define SEAL_TITLE "# Written by iosched-tune"
#define SEAL_HASH  "# iosched-tune-hash: "
#define HASH_LEN   16

const char *artefact_kind_name(enum artefact_kind kind)
{
	static const char *const names[ARTEFACT_KIND_COUNT] = {
		[ARTEFACT_FILE] = "file",
		[ARTEFACT_EDIT] = "edit",
		[ARTEFACT_LINK] = "link",
	};

	return names[kind];
}

static void artefact_done(struct artefact *artefact)
{
	free(artefact->path);
	free(artefact->content);
	free(artefact->target);
	free(artefact->argument);
}

void artefacts_done(struct artefacts *artefacts)
{
	for (size_t i = 0; i < artefacts->count; i++)
		artefact_done(&artefacts->items[i]);
	for (size_t i = 0; i < artefacts->command_count; i++)
		strv_done(&artefacts->commands[i].argv);
	free(artefacts->items);
	free(artefacts->commands);
	strv_done(&artefacts->notes);
	strv_done(&artefacts->left);
	*artefacts = (struct artefacts){ 0 };
}

/* Takes what `artefact` owns, also on failure. */
static int add(struct artefacts *artefacts, struct artefact *artefact)
{
	struct artefact *items =
		reallocarray(artefacts->items, artefacts->count + 1, sizeof(*items));

	if (items)
		artefacts->items = items;
	if (!items || !artefact->path) {
		artefact_done(artefact);
		return -ENOMEM;
	}
	items[artefacts->count++] = *artefact;
	return 0;
}

int artefacts_add_file(struct artefacts *artefacts, const char *backend, const char *path,
		       const char *profile, const char *body)
{
	struct artefact artefact = { .kind = ARTEFACT_FILE,
				     .backend = backend,
				     .mode = 0644 };
	int error = artefact_seal(profile, body, &artefact.content);

	if (error)
		return error;
	artefact.len = strlen(artefact.content);
	artefact.path = strdup(path);
	return add(artefacts, &artefact);
}

int artefacts_add_edit(struct artefacts *artefacts, const char *backend, const char *path,
		       enum boot_file_format format, const char *argument, char *content,
		       size_t len, mode_t mode)
{
	struct artefact artefact = {
		.kind = ARTEFACT_EDIT,
		.backend = backend,
		.path = strdup(path),
		.content = content,
		.len = len,
		.mode = mode,
		.format = format,
		.argument = strdup(argument),
	};

	if (!artefact.argument) {
		artefact_done(&artefact);
		return -ENOMEM;
	}
	return add(artefacts, &artefact);
}

int artefacts_add_link(struct artefacts *artefacts, const char *backend, const char *path,
		       const char *target)
{
	struct artefact artefact = {
		.kind = ARTEFACT_LINK,
		.backend = backend,
		.path = strdup(path),
		.target = strdup(target),
	};

	if (!artefact.target) {
		artefact_done(&artefact);
		return -ENOMEM;
	}
	return add(artefacts, &artefact);
}

int artefacts_add_command(struct artefacts *artefacts, const char *const *argv)
{
	struct artefact_command *commands = reallocarray(
		artefacts->commands, artefacts->command_count + 1, sizeof(*commands));
	int error = 0;

	if (!commands)
		return -ENOMEM;
	artefacts->commands = commands;
	commands += artefacts->command_count++;
	*commands = (struct artefact_command){ 0 };
	for (size_t i = 0; !error && argv[i]; i++)
		error = strv_add(&commands->argv, argv[i]);
	return error;
}

uint64_t artefact_hash(const char *data, size_t len)
{
	uint64_t hash = 0xcbf29ce484222325u; /* offset and prime: RFC 9923, FNV-1a 64 */

	for (size_t i = 0; i < len; i++)
		hash = (hash ^ (unsigned char)data[i]) * 0x100000001b3u;
	return hash;
}

/* The hash covers the first line and the body: all but its own line. */
static uint64_t hash_parts(const char *title, size_t title_len, const char *body,
			   size_t body_len)
{
	return artefact_hash(title, title_len) * 31 ^ artefact_hash(body, body_len);
}

int artefact_seal(const char *profile, const char *body, char **ret)
{
	_text_ struct text title = { 0 }, whole = { 0 };

	text_add(&title, SEAL_TITLE " for the profile ");
	for (const char *p = profile; *p; p++)
		text_add_bytes(&title, (unsigned char)*p < 0x20 || *p == '\\' ? "?" : p,
			       1);
	text_add(&title, ".\n");
	if (title.error)
		return title.error;
	text_add(&whole, title.data);
	text_addf(&whole, SEAL_HASH "%016" PRIx64 "\n",
		  hash_parts(title.data, title.len, body, strlen(body)));
	text_add(&whole, body);
	return text_take(&whole, ret);
}

enum artefact_seal artefact_check_seal(const char *data, size_t len)
{
	const size_t mark = strlen(SEAL_HASH), title_mark = strlen(SEAL_TITLE);
	const char *line, *body, *end = data + len;
	char expected[HASH_LEN + 1];

	if (len < title_mark || memcmp(data, SEAL_TITLE, title_mark))
		return SEAL_NONE;
	line = memchr(data, '\n', len);
	if (!line)
		return SEAL_BROKEN;
	line++;
	if ((size_t)(end - line) < mark + HASH_LEN + 1 || memcmp(line, SEAL_HASH, mark) ||
	    line[mark + HASH_LEN] != '\n')
		return SEAL_BROKEN;
	body = line + mark + HASH_LEN + 1;
	snprintf(expected, sizeof(expected), "%016" PRIx64,
		 hash_parts(data, (size_t)(line - data), body, (size_t)(end - body)));
	return memcmp(expected, line + mark, HASH_LEN) ? SEAL_BROKEN : SEAL_INTACT;
}
