// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Errors as the person sees them.
 */
#include "cmd/common.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "util/i18n.h"
#include "util/log.h"
#include "util/suggest.h"

static bool is_denied(int error)
{
	return error == -EACCES || error == -EPERM || error == -EROFS;
}

int cmd_fail(const struct cmd_context *context, struct diag *diag, int error)
{
	diag_set(diag, error, "%s", strerror(-error));
	if ((error == -EACCES || error == -EPERM) && geteuid() != 0)
		diag_hint(diag, _("this needs root: try it with sudo"));
	if (error == -EROFS && root_get_kind(context->root) == ROOT_SNAPSHOT)
		diag_hint(diag, _("'%s' is a snapshot: it can be read, not changed"),
			  root_get_name(context->root));
	log_diag(diag);
	return is_denied(error) ? EXIT_STATUS_DENIED : EXIT_STATUS_FAILED;
}

int cmd_fail_usage(const struct verb *verb, struct diag *diag)
{
	if (verb)
		diag_hint(diag, _("see 'iosched-tune %s --help'"), verb->name);
	else
		diag_hint(diag, _("see 'iosched-tune --help'"));
	log_diag(diag);
	return EXIT_STATUS_USAGE;
}

int cmd_unknown_verb(const char *name)
{
	struct suggestion suggestion = suggestion_for(name);
	struct diag diag = { 0 };
	const struct verb *verb;

	for (size_t i = 0; (verb = verb_get(i)); i++)
		suggestion_offer(&suggestion, verb->name);
	diag_set(&diag, -EINVAL, _("unknown verb '%s'"), name);
	if (suggestion.nearest)
		diag_hint(&diag, _("did you mean '%s'?"), suggestion.nearest);
	return cmd_fail_usage(NULL, &diag);
}
