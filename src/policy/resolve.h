/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The inside of policy_resolve(), for this folder only: one device at a time, its
 * scheduler first, since that decides which other values there can be.
 */
#ifndef IOSCHED_POLICY_RESOLVE_H
#define IOSCHED_POLICY_RESOLVE_H

#include "device/host.h"
#include "policy/policy.h"

/* One --set, and whether any device took it. */
struct resolve_set {
	const struct policy_set *set;
	bool is_taken;
	struct diag refusal; /* the first reason why a device did not, best of one with a
				queue of its own */
	bool is_refused_by_queue;
};

/* What is the same for all devices. */
struct resolver {
	const struct device_list *devices;
	const struct policy_request *request;
	const struct host *host; /* NULL: nothing known */
	struct resolve_set *sets;
	size_t set_count;
	bool *is_named;     /* by index in devices */
	bool *is_asked;     /* the same, but only those the person named, not the disks below */
	bool has_names;
	/* By index of scheduler_get(): a device on which it is active, to see which
	   attributes it has on this kernel. */
	const struct device *const *samples;
};

/* A rule that fits, with where it comes from. */
struct layer_rule {
	const struct profile_rule *rule;
	enum policy_origin origin;
	const char *path; /* of its file */
};

struct layers {
	struct layer_rule *items;
	size_t count;
	struct layer_rule left_by; /* the rule that ends the list, rule NULL: none does */
};

/* One device on its way through. */
struct resolving {
	struct resolver *all;
	struct policy_device *target;
	const struct device *device;
	bool is_named, is_asked;
	bool is_reached; /* by a --set that names no devices of its own */
	struct layers layers;
	const char *scheduler; /* that will be active; NULL: none, or not known */
	const struct tunable **decided; /* a lower layer has no say any more */
	size_t decided_count;
	bool is_depth_pass; /* nr_requests before all else: it bounds async_depth */
};

/* Fills resolving->layers. */
int resolve_find_layers(struct resolving *resolving);
/* Whether this --set is for this device. */
bool resolve_is_for(const struct resolving *resolving, const struct policy_set *set);
/* NULL without a profile. */
const char *resolve_profile_name(const struct resolving *resolving);
/* The state of a device whose values are complete, with the reason when it has none. */
int resolve_explain(struct resolving *resolving);

/* Text is translated already. -ENOMEM. */
int resolve_add_note(struct resolving *resolving, const char *format, ...) _printf_(2, 3);
/* "database.json:12" */
int resolve_spell_source(const struct layer_rule *layer, unsigned line, char **ret);
/* Records why a --set cannot be; an error only for a device that was asked for by name. */
int resolve_refuse_set(struct resolving *resolving, struct resolve_set *set, int error,
		       const char *why, struct diag *diag);
/* Takes `source`; `why` is copied. The scheduler goes to the front. */
int resolve_add_value(struct resolving *resolving, const struct tunable *tunable,
		      const char *value, enum policy_origin origin, char *source,
		      const char *why);

/* The scheduler of the device, into the policy and resolving->scheduler. */
int resolve_scheduler(struct resolving *resolving, struct diag *diag);
/* Everything else. */
int resolve_values(struct resolving *resolving, struct diag *diag);
/* Whether the kernel has this attribute here, once resolving->scheduler is active. */
bool resolve_has_attribute(const struct resolving *resolving, const struct tunable *tunable);
/* -EINVAL with a diag: no such key, or never a value of it, whatever the device. */
int resolve_check_set(const struct policy_set *set, struct diag *diag);

#endif
