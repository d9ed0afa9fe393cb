/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Profiles: one JSON file, one policy. The format is described in
 * iosched-tune-profile(5) and profiles/schema.json. Reading checks everything: unknown
 * keys, types, ranges, scheduler and class names, and names file, line and key.
 */
#ifndef IOSCHED_POLICY_PROFILE_H
#define IOSCHED_POLICY_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "device/device.h"
#include "sysfs/root.h"
#include "tunable/tunable.h"
#include "util/text.h"

#define PROFILE_SIZE_MAX    (1024u * 1024) /* bytes of one file */
#define PROFILE_INHERIT_MAX 8              /* length of a chain */
#define PROFILE_RULE_MAX    256

/*
 * All given conditions must hold; within a list, one of them. Texts are globs that ignore
 * case, compared with all of the device's text; a condition on something that is not
 * known of a device does not hold.
 */
struct profile_match {
	unsigned classes; /* bit 1 << enum device_class; 0: any */
	struct strv transports, models, vendors, wwns, serials;
	struct strv by_paths, by_ids; /* last component of the link in /dev/disk */
	struct strv filesystems;     /* of anything mounted from it, or on it */
	struct strv roles;           /* "root", "boot", "swap", "data" (any other mount) */
	struct strv virtualisations; /* of the host; "none": bare metal */
	uint64_t min_size_bytes, max_size_bytes; /* inclusive; 0: open */
	int rotational; /* -1: any */
	int hidden, removable; /* -1: any */
};

struct profile_setting {
	const struct tunable *tunable;
	char value[TUNABLE_VALUE_MAX]; /* as sysfs takes it */
	char *why; /* NULL: the rule's */
	unsigned line;
};

struct profile_rule {
	struct profile_match match;
	bool is_match_empty;
	struct strv schedulers; /* in order of preference; empty: this rule sets none */
	bool keeps_scheduler; /* "scheduler": "keep": later rules set none either */
	bool leave_alone; /* "keep" and nothing else: later rules set nothing at all */
	char *scheduler_why;
	unsigned scheduler_line;
	struct profile_setting *settings; /* iosched and queue */
	size_t setting_count;
	char *why;
	unsigned line;
};

struct profile {
	char *name;
	char *path;    /* where it was read from */
	char *summary; /* in the language of the locale where there is one */
	char *inherits; /* NULL */
	unsigned inherits_line; /* of the file; 0 without it */
	char *workload; /* what `simulate` tries it with; NULL: not said here */
	struct profile_rule *rules;
	size_t rule_count;
	struct profile *parent; /* owned; NULL at the end of the chain */
};

void profile_free(struct profile *profile);
DEFINE_CLEANUP(struct profile *, profile_free)

/*
 * `name_or_file`: with a slash or ending in ".json" a file of this host; otherwise a name
 * looked for in /etc/iosched-tune/profiles below the root, then in `search`
 * (colon-separated directories of this host: installed or beside the source tree; NULL:
 * none). A parent is looked for in the same way, but never in a file that is in the
 * chain already: /etc may hold a "database" that inherits from the shipped "database".
 * -ENOENT with the names that exist in the diag's hint; -EINVAL with file, line and key;
 * -EFBIG; -ELOOP for inheritance. A NULL root has no /etc.
 */
bool profile_is_file(const char *name_or_file);
int profile_load(const struct root *root, const char *search, const char *name_or_file,
		 struct profile **ret, struct diag *diag);
/* From memory: for tests, fuzzing and `profile check -`. Parents are loaded as above. A
   file that is found by its name must hold that name; here any name will do. */
int profile_parse(const struct root *root, const char *search, const char *data,
		  size_t len, const char *path, struct profile **ret, struct diag *diag);

/* Further ones are only counted: somebody has to read them. */
#define PROFILE_MISTAKE_MAX 20

struct profile_mistakes {
	struct diag items[PROFILE_MISTAKE_MAX]; /* in the order of their lines */
	size_t count;
	size_t more; /* beyond those */
};

/*
 * As profile_load() and profile_parse(), but going on behind a mistake: all that can be
 * found independently of each other, here and in the parents. 0 and *ret, or with at least
 * one of them the error of the first; -ENOMEM.
 */
int profile_check(const struct root *root, const char *search, const char *name_or_file,
		  struct profile **ret, struct profile_mistakes *ret_mistakes);
int profile_check_text(const struct root *root, const char *search, const char *data,
		       size_t len, const char *path, struct profile **ret,
		       struct profile_mistakes *ret_mistakes);

/*
 * What a scan has to find out (enum scan_need) beyond class and identity before the rules
 * of this profile and its parents can be matched. Reading what is on a disk costs more
 * than all its attributes. NULL: nothing.
 */
unsigned profile_get_needs(const struct profile *profile);
unsigned profile_rules_get_needs(const struct profile_rule *rules, size_t count);

/* Its own, else that of the nearest parent; NULL: none says one. Borrowed. */
const char *profile_get_workload(const struct profile *profile);

struct profile_entry {
	char *name; /* of the file, without .json */
	char *path;
	char *summary; /* NULL when the file is broken; then `error` says why */
	char *error;
	bool is_shadowed; /* another of the same name comes first */
};
/* Sorted by name; of one name the one that counts comes first. schema.json is no profile. */
int profile_list(const struct root *root, const char *search, struct profile_entry **ret,
		 size_t *ret_count, struct diag *diag);
void profile_entries_free(struct profile_entry *entries, size_t count);

/*
 * The directories for `search`: $IOSCHED_TUNE_PROFILES if set, else the one beside the
 * executable's source tree (build/iosched-tune -> profiles/), else the installed one.
 */
int profile_default_search(char **ret);

#endif
