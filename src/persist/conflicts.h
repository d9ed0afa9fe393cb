/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who else sets schedulers and queues on this system: other managers, rules, units,
 * scripts and boot arguments, by file and line. Found by reading, nothing is run.
 */
#ifndef IOSCHED_PERSIST_CONFLICTS_H
#define IOSCHED_PERSIST_CONFLICTS_H

#include <stdbool.h>

#include "sysfs/root.h"
#include "util/text.h"

struct conflict {
	const char *owner;  /* "tuned", "udev rule" …: static, not translated */
	char *path;         /* from the root */
	unsigned line;      /* 0: the file as a whole */
	char *text;         /* the line */
	const char *advice; /* N_(); static */
	bool comes_later;   /* a udev rule that is read after ours, and wins */
	bool is_stale;      /* a boot argument that nobody reads any more: it sets nothing */
};

struct conflicts {
	struct conflict *items;
	size_t count;
};

void conflicts_done(struct conflicts *conflicts);
#define _conflicts_ _cleanup_(conflicts_done)

/*
 * `rules_name`: of our own rules file, for comes_later. `argument`: elevator=… that we have
 * put on the command line ourselves, NULL when we have not. -ENOMEM only.
 */
int conflicts_find(const struct root *root, const char *rules_name, const char *argument,
		   struct conflicts *ret);

/* For the files of conflict-*.c. Trims the line; at most CONFLICT_MAX are kept. */
#define CONFLICT_MAX 1000
int conflicts_add(struct conflicts *conflicts, const char *owner, const char *path,
		  unsigned line, const char *text, size_t text_len, const char *advice);

typedef bool (*conflict_match)(const char *line, size_t len);
/* Every line of a file that `match` takes. A file that is not there has none. */
int conflicts_scan(const struct root *root, const char *path, const char *owner,
		   conflict_match match, const char *advice, struct conflicts *ret);

int conflicts_find_rules(const struct root *root, const char *rules_name,
			 struct conflicts *ret);
int conflicts_find_managers(const struct root *root, struct conflicts *ret);
int conflicts_find_arguments(const struct root *root, const char *argument,
			     struct conflicts *ret);

#endif
