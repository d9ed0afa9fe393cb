/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The entries of a snapshot while they are collected. Adding never fails visibly: the
 * first error stays in the capture and is asked for at the end.
 */
#ifndef IOSCHED_DEVICE_CAPTURE_INTERNAL_H
#define IOSCHED_DEVICE_CAPTURE_INTERNAL_H

#include <errno.h>

#include "device/redact.h"
#include "sysfs/root.h"
#include "sysfs/snapshot.h"

/* How serial numbers are taken out of a value. */
enum secrecy {
	SECRECY_KNOWN,   /* those that are known: an attribute of the kernel */
	SECRECY_FORM,    /* and what looks like one: text that names devices */
	SECRECY_WHOLE,   /* the value is one */
	SECRECY_DM_UUID, /* the value is one behind a prefix */
	SECRECY_UDEV,    /* lines of udev's database, by key */
};

struct capture_entry {
	char *path;
	enum snapshot_kind kind;
	char *value;
	int error;
	bool is_writable;
	enum secrecy secrecy;
};

struct capture {
	const struct root *root;
	bool with_serials;
	struct redactor redactor;
	struct capture_entry *items;
	size_t count, room;
	int error;
};

/* Formats and adds; the sticky error stands for -ENOMEM. */
#define CAPTURE_ADD(function, capture, ...)                                              \
	do {                                                                             \
		_free_ char *path_ = NULL;                                               \
		if (asprintf(&path_, __VA_ARGS__) < 0) {                                 \
			path_ = NULL;                                                    \
			(capture)->error = -ENOMEM;                                      \
		} else {                                                                 \
			function(capture, path_);                                        \
		}                                                                        \
	} while (0)

void capture_done(struct capture *capture);

/* The next line of `*text`, which is cut there; NULL at the end. */
char *capture_next_line(char **text);

void capture_add_value(struct capture *capture, const char *path, const char *value,
		       bool is_writable, enum secrecy secrecy);
/* What reading the path gives; nothing when it is not there. */
void capture_add_file(struct capture *capture, const char *path, enum secrecy secrecy);
/* Every attribute in a directory, not what is below; names in `skip` (NULL-terminated)
   are left out. A directory without any is recorded as such. */
void capture_add_attributes(struct capture *capture, const char *path,
			    const char *const *skip);
/* The link itself. */
void capture_add_link(struct capture *capture, const char *path);
/* Every link on the way to where the path ends, and the directory there. */
void capture_add_chain(struct capture *capture, const char *path);

/* --- capture-machine.c --- */

/* Kernel, hypervisor, modules, mounts, configuration, and the names below dev/. */
void capture_add_machine(struct capture *capture, const char *release);

/* --- capture-write.c --- */

/* Sorted, each path once, redacted unless the capture has serials. */
int capture_write(struct capture *capture, struct text *out);

#endif
