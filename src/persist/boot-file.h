/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Boot loader configuration that holds kernel arguments, edited one argument at a time:
 * quotes, comments, continuations, line ends and all other bytes stay as they were. Pure:
 * text in, text out. A file that cannot be understood gives an error and no text.
 */
#ifndef IOSCHED_PERSIST_BOOT_FILE_H
#define IOSCHED_PERSIST_BOOT_FILE_H

#include <stddef.h>

#include "util/diag.h"
#include "util/text.h"

enum boot_file_format {
	BOOT_FILE_DEFAULTS, /* /etc/default/grub: a shell script; GRUB_CMDLINE_LINUX */
	BOOT_FILE_MENU_LST, /* GRUB legacy: "kernel" lines, and Debian's "# kopt=" */
	BOOT_FILE_ENTRY,    /* Boot Loader Specification entry: the "options" lines */
	BOOT_FILE_CMDLINE,  /* /etc/kernel/cmdline: one line of arguments */
	BOOT_FILE_FORMAT_COUNT,
};

/* The variable that arguments go to; BOOT_DEFAULTS_VARIABLE "_DEFAULT" is searched too. */
#define BOOT_DEFAULTS_VARIABLE "GRUB_CMDLINE_LINUX"

#define BOOT_FILE_SIZE_MAX (1024u * 1024)

struct boot_file {
	enum boot_file_format format;
	const char *path; /* for the diag */
	const char *data;
	size_t len;
};

/*
 * Every place that the kernel's arguments come from has `argument` ("elevator=noop")
 * afterwards; those of the same name with another value are changed, otherwise it is
 * added at the end. Setting twice changes nothing. -EINVAL: not understood; -EFBIG;
 * -ENOENT: no place for an argument in this file (no kernel line, no options); -ENOMEM.
 */
int boot_file_set(const struct boot_file *file, const char *argument, char **ret,
		  size_t *ret_len, struct diag *diag);

/*
 * Undoes boot_file_set() to the byte. Where `original` (NULL: not known) had the argument
 * with another value, that value comes back. Other changes made since then stay.
 */
int boot_file_unset(const struct boot_file *file, const char *argument,
		    const struct boot_file *original, char **ret, size_t *ret_len,
		    struct diag *diag);

/* One argument as it stands in the file. */
struct boot_argument {
	char *text; /* "elevator=cfq" */
	unsigned line;
};

struct boot_arguments {
	struct boot_argument *items;
	size_t count;
};
void boot_arguments_done(struct boot_arguments *arguments);
#define _boot_arguments_ _cleanup_(boot_arguments_done)

/* All arguments of that name ("elevator") that reach a kernel. */
int boot_file_find(const struct boot_file *file, const char *name,
		   struct boot_arguments *ret, struct diag *diag);

#endif
