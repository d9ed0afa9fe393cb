/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The ways to make a policy last: one row each. A backend looks at the root and renders
 * artefacts; it writes nothing. What has to happen on a running system before and after
 * the files change is its own as well.
 */
#ifndef IOSCHED_PERSIST_BACKEND_H
#define IOSCHED_PERSIST_BACKEND_H

#include "persist/artefact.h"
#include "persist/manifest.h"
#include "policy/policy.h"
#include "sysfs/root.h"
#include "util/diag.h"

struct persist_input {
	const struct root *root;
	const struct policy_request *policy;
	const struct policy *resolved;     /* of the devices that are here */
	const struct device_list *devices; /* count 0: a tree without sysfs */
	const char *profile;               /* as `apply --profile` shall be given it */
	const char *program;               /* absolute */
	bool is_forced;
	bool has_instances; /* udev rules may ask for iosched-tune@.service */
};

struct persist_backend {
	const char *name;
	const char *summary; /* N_() */
	/* 0 when it works in this root; -ENOTSUP with the reason and the better way. */
	int (*check)(const struct persist_input *input, struct diag *diag);
	int (*render)(const struct persist_input *input, struct artefacts *ret,
		      struct diag *diag);
	/* The same as one text for stdout, as far as this needs no files of the root. */
	int (*generate)(const struct persist_input *input, struct text *out,
			struct strv *notes, struct diag *diag);
	/* Running system only; NULL: nothing to do. What fails is a note. */
	int (*activate)(const struct persist_input *input, struct strv *notes);
	int (*before_remove)(const struct root *root, const struct manifest *known,
			     struct strv *notes);
	int (*after_remove)(const struct root *root, const struct manifest *known,
			    struct strv *notes);
};

extern const struct persist_backend backend_udev, backend_systemd, backend_grub;

const struct persist_backend *backend_get(size_t index); /* NULL past the end */
const struct persist_backend *backend_find(const char *name);

/*
 * The backends for `methods` (names, or "auto"; empty: auto). auto: udev, or systemd where
 * there is no udev; both where udev cannot reach everything. At most BACKEND_MAX of them.
 * -ENOTSUP with diag when none works here, or another tree is none of a system.
 */
#define BACKEND_MAX 3
int backend_choose(const struct persist_input *input, const struct strv *methods,
		   const struct persist_backend **ret, size_t *ret_count,
		   struct diag *diag);

/* Is this root the inside of a container? Its devices are the host's business. */
bool backend_is_container(const struct root *root);
bool backend_has_udev(const struct root *root);
bool backend_has_systemd(const struct root *root);

#endif
