/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A small udevd for tests: goes through a rules text for one device of a root, as
 * udev(7) says, and keeps what would be written. It knows the keys that generated rules
 * use and fails the test at any other.
 */
#ifndef IOSCHED_TESTS_UDEV_EVAL_H
#define IOSCHED_TESTS_UDEV_EVAL_H

#include "test.h"

#include <fnmatch.h>

#include "device/device.h"
#include "device/host.h"
#include "util/number.h"

#define EVAL_PAIR_MAX 256

struct eval_pair {
	char key[128], value[512];
};

struct eval {
	const struct root *root;
	const struct device *device;
	const struct host *host;
	const char *devtype;               /* NULL: disk */
	const char *action, *subsystem;    /* NULL: add, block */
	const char *busy;                  /* an attribute that refuses to be written */
	unsigned events;                   /* that the rules asked for */
	const struct device_list *devices; /* others show what a scheduler has here */
	struct eval_pair env[EVAL_PAIR_MAX], written[EVAL_PAIR_MAX];
	size_t env_count, written_count;
	unsigned module_loads;
};

static inline const char *eval_get(const struct eval_pair *pairs, size_t count,
				   const char *key)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(pairs[i].key, key))
			return pairs[i].value;
	return NULL;
}

static inline void eval_set(struct eval_pair *pairs, size_t *count, const char *key,
			    const char *value)
{
	size_t i = 0;

	while (i < *count && strcmp(pairs[i].key, key))
		i++;
	assert_true(i < EVAL_PAIR_MAX);
	snprintf(pairs[i].key, sizeof(pairs[i].key), "%.127s", key);
	snprintf(pairs[i].value, sizeof(pairs[i].value), "%.511s", value);
	*count += i == *count;
}

static inline bool eval_glob(const char *pattern, const char *value)
{
	char copy[8192], *next;

	assert_true(strlen(pattern) < sizeof(copy));
	memcpy(copy, pattern, strlen(pattern) + 1);
	for (char *part = copy; part; part = next) {
		next = strchr(part, '|');
		if (next)
			*next++ = '\0';
		if (fnmatch(part, value, 0) == 0)
			return true;
	}
	return false;
}

/* The scheduler that is active now, after what was written. */
static inline const char *eval_active(const struct eval *eval)
{
	const char *written =
		eval_get(eval->written, eval->written_count, "queue/scheduler");
	const char *active = choice_active(&eval->device->scheduler);

	return written ? written : active ? active : "";
}

/* A switch brings the attributes of the new scheduler, as far as this kernel has them. */
static inline bool eval_has_iosched(const struct eval *eval, const char *file)
{
	const struct tunable *tunable = tunable_find_iosched(eval_active(eval), file);

	for (size_t i = 0; i < eval->devices->count; i++) {
		const struct device *other = &eval->devices->items[i];
		char path[4096];

		if (!text_equal(choice_active(&other->scheduler), eval_active(eval)))
			continue;
		snprintf(path, sizeof(path), "%s/queue/iosched/%s", other->sys_path,
			 file);
		return root_exists(eval->root, path);
	}
	return tunable && (!eval->host || !eval->host->kernel.major ||
			   kernel_version_is_within(eval->host->kernel, tunable->since,
						    tunable->until));
}

/* NULL when the attribute is not there. `buf` of 4096 bytes. */
static inline const char *eval_attribute(const struct eval *eval, const char *name,
					 char *buf)
{
	static const char iosched[] = "queue/iosched/";
	const char *written = eval_get(eval->written, eval->written_count, name);
	bool is_switched =
		eval_get(eval->written, eval->written_count, "queue/scheduler");
	char path[4096], *value = NULL;

	if (!strcmp(name, "queue/../queue/scheduler") &&
	    eval_get(eval->written, eval->written_count, "queue/scheduler")) {
		snprintf(buf, 4096, "[%s]", eval_active(eval));
		return buf;
	}
	if (text_starts_with(name, "queue/../")) /* read again, under another name */
		return eval_attribute(eval, name + strlen("queue/../"), buf);
	if (written)
		return written;
	if (is_switched && text_starts_with(name, iosched))
		return eval_has_iosched(eval, name + strlen(iosched)) ? "?" : NULL;
	if (is_switched && !strcmp(name, "queue/nr_requests"))
		return "?"; /* reset by the switch */
	snprintf(path, sizeof(path), "%s/%s", eval->device->sys_path, name);
	if (root_read(eval->root, path, &value))
		return NULL;
	snprintf(buf, 4096, "%s", value);
	free(value);
	for (size_t len = strlen(buf); len && strchr(" \t\n", buf[len - 1]);)
		buf[--len] = '\0';
	return buf;
}

static inline bool eval_exists(const struct eval *eval, const char *name)
{
	char path[4096], buf[4096];

	if (text_starts_with(name, "/sys/module/") ||
	    text_starts_with(name, "/run/udev/tags/"))
		return eval_get(eval->env, eval->env_count, name) != NULL;
	assert_true(name[0] != '/');
	if (text_starts_with(name, "queue/iosched/"))
		return eval_attribute(eval, name, buf) != NULL;
	snprintf(path, sizeof(path), "%s/%s", eval->device->sys_path, name);
	return root_exists(eval->root, path);
}

/* Any ancestor in sysfs whose driver has that name. The fixtures lack the driver links of
   PCI devices: there the SCSI host's name stands for the driver, as on real machines. */
static inline bool eval_drivers(const struct eval *eval, const char *pattern)
{
	char path[4096];

	if (eval->device->host_driver && eval_glob(pattern, eval->device->host_driver))
		return true;
	snprintf(path, sizeof(path), "%s", eval->device->sys_path);
	for (char *slash; (slash = strrchr(path, '/')); *slash = '\0') {
		char file[4200], *target = NULL;
		bool matches;

		snprintf(file, sizeof(file), "%s/driver", path);
		if (root_read_link(eval->root, file, &target))
			continue;
		matches =
			eval_glob(pattern, strrchr(target, '/') ? strrchr(target, '/') + 1
								: target);
		free(target);
		if (matches)
			return true;
	}
	return false;
}

static inline bool eval_symlinks(const struct eval *eval, const char *pattern)
{
	for (size_t i = 0; i < eval->device->devlinks.count; i++)
		if (eval_glob(pattern, eval->device->devlinks.items[i] + strlen("/dev/")))
			return true;
	return false;
}

/* The builtin: the module is there afterwards if this kernel has it. */
static inline void eval_load_module(struct eval *eval, const char *command)
{
	const char *module = command + strlen("kmod load ");
	char path[128];

	assert_true(text_starts_with(command, "kmod load "));
	eval->module_loads++;
	if (!eval->host || !strv_contains(&eval->host->modules, module))
		return;
	snprintf(path, sizeof(path), "/sys/module/%.64s", module);
	for (char *p = path; *p; p++)
		if (*p == '-')
			*p = '_';
	eval_set(eval->env, &eval->env_count, path, "loaded");
}

static inline void eval_substitute(const struct eval *eval, const char *value, char *ret)
{
	size_t used = 0;

	while (*value) {
		char name[128], buf[4096];
		const char *end = strchr(value, '}'), *got = NULL;

		if (text_starts_with(value, "$attr{") ||
		    text_starts_with(value, "$env{")) {
			const char *begin = strchr(value, '{') + 1;

			assert_non_null(end);
			snprintf(name, sizeof(name), "%.*s", (int)(end - begin), begin);
			got = value[1] == 'a'
				      ? eval_attribute(eval, name, buf)
				      : eval_get(eval->env, eval->env_count, name);
			used += (size_t)snprintf(ret + used, 4096 - used, "%s",
						 got ? got : "");
			value = end + 1;
		} else {
			ret[used++] = *value++;
		}
	}
	ret[used] = '\0';
}

static inline bool eval_match(struct eval *eval, const char *key, const char *argument,
			      const char *value, bool *ret_is_there)
{
	char buf[4096], name[512];
	const char *have = NULL;

	*ret_is_there = true;
	if (!strcmp(key, "ACTION"))
		return eval_glob(value, eval->action ? eval->action : "add");
	if (!strcmp(key, "SUBSYSTEM"))
		return eval_glob(value, eval->subsystem ? eval->subsystem : "block");
	if (!strcmp(key, "KERNEL")) {
		snprintf(name, sizeof(name), "%s", eval->device->sys_name);
		for (char *p = name; *p; p++)
			if (*p == '!')
				*p = '/';
		return eval_glob(value, name);
	}
	if (!strcmp(key, "DEVPATH"))
		return eval_glob(value, eval->device->sys_path + strlen("sys"));
	if (!strcmp(key, "DRIVERS"))
		return eval_drivers(eval, value);
	if (!strcmp(key, "SYMLINK"))
		return eval_symlinks(eval, value);
	if (!strcmp(key, "TEST"))
		return eval_exists(eval, value);
	if (!strcmp(key, "ENV")) {
		have = eval_get(eval->env, eval->env_count, argument);
		return eval_glob(value, have ? have : "");
	}
	if (!strcmp(key, "ATTR")) {
		have = eval_attribute(eval, argument, buf);
		*ret_is_there = have != NULL;
		return have && eval_glob(value, have);
	}
	if (!strcmp(key, "SYSCTL")) {
		assert_string_equal(argument, "kernel/osrelease");
		return eval->host && eval->host->release &&
		       eval_glob(value, eval->host->release);
	}
	if (!strcmp(key, "CONST")) {
		have = eval->host ? eval->host->virtualisation : NULL;
		return have && eval_glob(value, have);
	}
	fail_msg("unknown key %s", key);
	return false;
}

static inline void eval_assign(struct eval *eval, const char *key, const char *argument,
			       const char *value)
{
	char text[4096];

	eval_substitute(eval, value, text);
	if (!strcmp(key, "ENV"))
		eval_set(eval->env, &eval->env_count, argument, text);
	else if (!strcmp(key, "ATTR") && !strcmp(argument, "uevent"))
		eval->events++;
	else if (!strcmp(key, "ATTR") && !text_equal(argument, eval->busy))
		eval_set(eval->written, &eval->written_count, argument, text);
	else if (!strcmp(key, "ATTR") ||
		 (!strcmp(key, "IMPORT") && !strcmp(argument, "db")))
		return; /* refused; nothing is in the database */
	else if (!strcmp(key, "IMPORT"))
		eval_load_module(eval, text);
	else if (!strcmp(key, "TAG")) {
		char path[4200];

		snprintf(path, sizeof(path), "/run/udev/tags/%s", text);
		eval_set(eval->env, &eval->env_count, path, "set");
	} else if (strcmp(key, "LABEL"))
		fail_msg("unknown assignment to %s", key);
}

/* One line; *ret_label is where it jumps to. False: a condition did not hold. */
static inline bool eval_line(struct eval *eval, const char *line, char *ret_label)
{
	*ret_label = '\0';
	while (*line) {
		char key[64], argument[128] = "", operator[4], value[8192];
		size_t len = strcspn(line, "{=!+ ");
		const char *end;

		snprintf(key, sizeof(key), "%.*s", (int)len, line);
		line += len;
		if (*line == '{') {
			end = strchr(line, '}');
			assert_non_null(end);
			snprintf(argument, sizeof(argument), "%.*s",
				 (int)(end - line - 1), line + 1);
			line = end + 1;
		}
		len = strcspn(line, "\"");
		assert_true(len && len < sizeof(operator));
		snprintf(operator, sizeof(operator), "%.*s", (int)len, line);
		line += len + 1;
		end = strchr(line, '"');
		assert_non_null(end);
		snprintf(value, sizeof(value), "%.*s", (int)(end - line), line);
		line = end + 1;
		line += strspn(line, ", ");
		if (!strcmp(operator, "==") || !strcmp(operator, "!=")) {
			bool is_there, matches = eval_match(eval, key, argument, value,
							    &is_there);

			/* an attribute that is not there fails either way */
			if (!is_there || matches != (operator[0] == '='))
				return false;
		} else if (!strcmp(key, "GOTO")) {
			snprintf(ret_label, 64, "%.63s", value);
		} else {
			eval_assign(eval, key, argument, value);
		}
	}
	return true;
}

static inline void eval_run(struct eval *eval, const char *rules)
{
	char wanted[64] = "", label[80];

	for (size_t i = 0; i < eval->device->udev_count; i++)
		eval_set(eval->env, &eval->env_count, eval->device->udev[i].key,
			 eval->device->udev[i].value);
	eval_set(eval->env, &eval->env_count, "DEVTYPE",
		 eval->devtype ? eval->devtype : "disk");
	while (*rules) {
		size_t len = strcspn(rules, "\n");
		char line[8192], next[64];

		assert_true(len < sizeof(line));
		snprintf(line, sizeof(line), "%.*s", (int)len, rules);
		rules += len + (rules[len] == '\n');
		if (!*line || *line == '#')
			continue;
		snprintf(label, sizeof(label), "LABEL=\"%s\"", wanted);
		if (*wanted && strcmp(line, label))
			continue;
		*wanted = '\0';
		if (eval_line(eval, line, next) && *next)
			snprintf(wanted, sizeof(wanted), "%s", next);
	}
	assert_string_equal(wanted, ""); /* every jump ends at a label further down */
}

#endif
