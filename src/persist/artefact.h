/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a backend renders: files of our own, edits of files that others own, links, and
 * the commands to run afterwards. Values; nothing is written here.
 *
 * A file of our own begins with two comment lines; the second one is a hash of all the
 * rest, by which a later run tells its own work from one that was changed by hand.
 */
#ifndef IOSCHED_PERSIST_ARTEFACT_H
#define IOSCHED_PERSIST_ARTEFACT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "persist/boot-file.h"
#include "util/text.h"

enum artefact_kind {
	ARTEFACT_FILE, /* our own */
	ARTEFACT_EDIT, /* of a boot loader's file: one argument */
	ARTEFACT_LINK,
	ARTEFACT_KIND_COUNT,
};
const char *artefact_kind_name(enum artefact_kind kind); /* "file", "edit", "link" */

struct artefact {
	enum artefact_kind kind;
	const char *backend; /* "udev"; static */
	char *path;          /* from the root */
	char *content;       /* FILE, EDIT: as it shall be */
	size_t len;
	mode_t mode;
	char *target;                 /* LINK */
	enum boot_file_format format; /* EDIT */
	char *argument;               /* EDIT: "elevator=deadline" */
};

/* A program to run on the live host once the files are there; argv[0] is its path. */
struct artefact_command {
	struct strv argv;
};

struct artefacts {
	struct artefact *items;
	size_t count;
	struct artefact_command *commands;
	size_t command_count;
	struct strv notes; /* for the person */
	struct strv left;  /* rules of the policy that this backend cannot express */
};

void artefacts_done(struct artefacts *artefacts);
#define _artefacts_ _cleanup_(artefacts_done)

/* `body` of a file of our own, without the two lines. 0644. Two backends may ask for the
   same file; it is added once. */
int artefacts_add_file(struct artefacts *artefacts, const char *backend, const char *path,
		       const char *profile, const char *body);
/* Takes `content` over. */
int artefacts_add_edit(struct artefacts *artefacts, const char *backend, const char *path,
		       enum boot_file_format format, const char *argument, char *content,
		       size_t len, mode_t mode);
int artefacts_add_link(struct artefacts *artefacts, const char *backend, const char *path,
		       const char *target);
/* Words up to NULL. */
int artefacts_add_command(struct artefacts *artefacts, const char *const *argv);

/* The two lines and the body. */
int artefact_seal(const char *profile, const char *body, char **ret);

enum artefact_seal {
	SEAL_NONE, /* not ours */
	SEAL_INTACT,
	SEAL_BROKEN, /* ours, and changed since */
};
enum artefact_seal artefact_check_seal(const char *data, size_t len);

/* FNV-1a, 64 bits: against accidents, not against malice. */
uint64_t artefact_hash(const char *data, size_t len);

#endif
