/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading a profile's JSON, for the files of this folder only. Every function gives 0, or
 * -EINVAL, -ERANGE … after it recorded file, line and key, or -ENOMEM.
 *
 * The format. A text is a string, or an object with a string for each language
 * ({"en": …, "zh_CN": …}).
 *
 *	{
 *	  "name": "database",        letters, digits, '-' and '_'
 *	  "summary": text,
 *	  "inherits": "balanced",    its rules come after these
 *	  "rules": [ {
 *	    "match": {               all must hold; {} or absent: every device
 *	      "class", "transport", "model", "vendor", "wwn", "serial", "by-path",
 *	      "by-id", "filesystem", "role", "virtualisation":
 *	                             a string or a list of which one must hold
 *	      "size": { "min": "1T", "max": "4T" },
 *	      "rotational", "hidden", "removable": true or false
 *	    },
 *	    "scheduler": name | list of names in order of preference | "keep",
 *	    "iosched": { "mq-deadline": { "read_expire": value, … }, … },
 *	    "queue": { "read_ahead_kb": value, … },
 *	    "why": text | { "scheduler": text, "read_expire": text, … }
 *	  }, … ]
 *	}
 *
 * A value is a number in the attribute's unit, a string with a unit ("100ms"), true or
 * false, or { "value": one of these, "why": text }. "$schema" is accepted and ignored.
 *
 * A file of devices.d holds { "devices": [ rule, … ] }; each match there names at least
 * one of wwn, serial, by-path, by-id and model, and the rule may set "class".
 */
#ifndef IOSCHED_POLICY_PROFILE_READER_H
#define IOSCHED_POLICY_PROFILE_READER_H

#include <jansson.h>

#include "policy/profile.h"
#include "util/json.h"

struct reader {
	const struct json_document *document;
	struct diag *diag; /* may be NULL */
	/* NULL: the first mistake ends the reading. Otherwise they go here, and `diag` is
	   not NULL. */
	struct profile_mistakes *mistakes;
};

/* The keys that an object may have; the schema is checked against them. */
struct reader_keys {
	const char *const *names;
	size_t count;
};
extern const struct reader_keys profile_keys_top;
extern const struct reader_keys profile_keys_rule;
extern const struct reader_keys profile_keys_match;
extern const struct reader_keys profile_keys_value;
extern const struct reader_keys profile_roles;

/* Longest text, and longest string of a match. */
#define READER_TEXT_MAX 2000
#define READER_WORD_MAX 255
#define READER_LIST_MAX 64

/* Records the message at the line of `key` in `object` and returns `error`. */
int reader_fail(const struct reader *reader, const json_t *object, const char *key,
		int error, const char *format, ...) _printf_(5, 6);
/* Adds the line to what a lower layer recorded, and returns `error`. */
int reader_at(const struct reader *reader, const json_t *object, const char *key,
	      int error);

/*
 * After a part on which no other depends: 0 when the reading goes on, with the mistake kept
 * and the diag free for the next one. Otherwise the error, of which -ENOMEM always is one.
 */
int reader_go_on(const struct reader *reader, int error);
/* How many there have been: whether something that was read meanwhile is whole. */
size_t reader_count_mistakes(const struct reader *reader);
/* The same of a diag, for what has no reader. */
void profile_mistakes_add(struct profile_mistakes *mistakes, const struct diag *diag);

/* Refuses keys that are not listed, with the nearest one that is. */
int reader_check_keys(const struct reader *reader, const json_t *object,
		      const struct reader_keys *keys);
/* The member when it is there (NULL when not); another type is an error. */
int reader_get_object(const struct reader *reader, const json_t *object, const char *key,
		      const json_t **ret);
int reader_get_word(const struct reader *reader, const json_t *object, const char *key,
		    const char **ret);
int reader_get_words(const struct reader *reader, const json_t *object, const char *key,
		     struct strv *ret);
/* In the language of the locale, else English, else the first; NULL when absent. */
int reader_get_text(const struct reader *reader, const json_t *object, const char *key,
		    char **ret);
/* -1 when absent. */
int reader_get_bool(const struct reader *reader, const json_t *object, const char *key,
		    int *ret);
bool reader_is_text(const json_t *value);
/* Of a text in several languages that for a locale such as "zh_CN.UTF-8": "zh_CN", then
   "zh", "en", the first. Borrows. */
const char *reader_choose_language(const json_t *texts, const char *locale);

/* --- the parts of a profile --- */

void profile_match_done(struct profile_match *match);
void profile_rule_done(struct profile_rule *rule);

/* `rule` is the object that holds "match". */
int profile_read_match(const struct reader *reader, const json_t *rule,
		       struct profile_match *ret, bool *ret_is_empty);
/* The settings of "iosched" and "queue" with their reasons. */
int profile_read_settings(const struct reader *reader, const json_t *rule,
			  struct profile_rule *target);
int profile_read_rule(const struct reader *reader, const json_t *rule,
		      const struct reader_keys *keys, struct profile_rule *ret);
/* A list of rules below `key`. */
int profile_read_rules(const struct reader *reader, const json_t *object, const char *key,
		       const struct reader_keys *keys, struct profile_rule **ret,
		       size_t *ret_count);
/* Everything but the parent. */
int profile_read(const char *data, size_t len, const char *path, struct profile **ret,
		 struct diag *diag);
/* With mistakes that are no reason to stop, the profile is not whole: it may have no name,
   and its wrong rules are empty. NULL: as profile_read(). */
int profile_read_on(const char *data, size_t len, const char *path,
		    struct profile_mistakes *mistakes, struct profile **ret,
		    struct diag *diag);

/* --- where profiles are --- */

/* Calls visit() for each place in which a profile of this name could be, in order of
   precedence: `dir` NULL means /etc below the root. Stops at a non-zero return. */
typedef int (*profile_visit_fn)(const char *dir, void *userdata);
int profile_each_place(const char *search, profile_visit_fn visit, void *userdata);
bool profile_is_name(const char *name);

#endif
