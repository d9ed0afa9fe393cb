// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Errors as the person sees them.
 */
#include "cmd/common.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "policy/profile.h"
#include "util/i18n.h"
#include "util/log.h"
#include "util/number.h"
#include "util/suggest.h"
#include "util/text.h"
#include "util/wrap.h"

/* A day: longer than any device takes to give up. */
#define TIMEOUT_MAX_MS 86400000
/* Beyond a day a simulation or a measurement says nothing that an hour does not. */
#define TIME_MAX_NS    (UINT64_C(86400) * 1000000000)

static bool is_denied(int error)
{
	return error == -EACCES || error == -EPERM || error == -EROFS;
}

int cmd_fail(struct diag *diag, int error)
{
	diag_set(diag, error, "%s", strerror(-error));
	if ((error == -EACCES || error == -EPERM) && geteuid() != 0)
		diag_hint(diag, _("this needs root: try it with sudo"));
	log_diag(diag);
	return is_denied(error) ? EXIT_STATUS_DENIED : EXIT_STATUS_FAILED;
}

int cmd_check_writable(const struct cmd_context *context)
{
	struct diag diag = { 0 };

	if (root_get_kind(context->root) != ROOT_SNAPSHOT)
		return EXIT_STATUS_DONE;
	diag_set(&diag, -EROFS, _("a snapshot can be read, not changed"));
	diag_at(&diag, root_get_name(context->root), 0);
	diag_hint(&diag, _("--dry-run shows what would be written"));
	return cmd_fail(&diag, -EROFS);
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

int cmd_fail_request(const struct verb *verb, struct diag *diag, int error)
{
	bool is_usage = error == -EINVAL || error == -ERANGE || error == -ENOTSUP ||
			error == -E2BIG;

	return is_usage && diag->error ? cmd_fail_usage(verb, diag) : cmd_fail(diag, error);
}

int cmd_fail_device(struct diag *diag, int error)
{
	int status = cmd_fail(diag, error);

	return error == -ENODEV ? EXIT_STATUS_USAGE : status;
}

int cmd_fail_profile(const char *argument, struct diag *diag, int error)
{
	/* That a parent is not there stands in a file, and is a mistake in it. */
	bool is_usage = error == -EINVAL || error == -ERANGE || error == -E2BIG ||
			error == -ELOOP ||
			(error == -ENOENT && (diag->where[0] ? diag->line > 0 :
							       !profile_is_file(argument)));
	int status = cmd_fail(diag, error);

	return is_usage ? EXIT_STATUS_USAGE : status;
}

int cmd_unknown_verb(const char *name)
{
	struct suggestion suggestion = suggestion_for(name);
	struct diag diag = { 0 };
	const struct verb *verb;

	for (size_t i = 0; (verb = verb_get(i)); i++)
		if (!verb->is_hidden)
			suggestion_offer(&suggestion, verb->name);
	diag_set(&diag, -EINVAL, _("unknown verb '%s'"), name);
	if (suggestion.nearest)
		diag_hint(&diag, _("did you mean '%s'?"), suggestion.nearest);
	return cmd_fail_usage(NULL, &diag);
}

void cmd_say_waiting(pid_t holder, unsigned timeout_ms)
{
	if (holder > 0)
		log_notice(_("waiting for another run (process %ld), %u s at most"),
			   (long)holder, (timeout_ms + 999) / 1000);
	else
		log_notice(
			_("waiting for the last write of a run that was ended, %u s at "
			  "most"),
			(timeout_ms + 999) / 1000);
}

void cmd_hint_name(struct diag *diag, const char *typed, const struct strv *known,
		   const char *page)
{
	struct suggestion suggestion = suggestion_for(typed);
	_text_ struct text list = { 0 };

	for (size_t i = 0; i < known->count; i++) {
		suggestion_offer(&suggestion, known->items[i]);
		text_addf(&list, "%s%s", i ? ", " : "", known->items[i]);
	}
	if (suggestion.nearest)
		diag_hint(diag, _("did you mean '%s'? 'man %s' describes all of them"),
			  suggestion.nearest, page);
	else if (list.data && !list.error)
		diag_hint(diag, _("there are: %s"), list.data);
}

/* Narrower terminals are written as though they had this width. */
#define WIDTH_MIN 40

void cmd_terminal_size(unsigned *ret_width, unsigned *ret_lines)
{
	struct winsize size;
	bool is_known = !ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) && size.ws_col;

	*ret_width = !is_known		       ? WRAP_WIDTH_DEFAULT
		     : size.ws_col < WIDTH_MIN ? WIDTH_MIN
					       : size.ws_col;
	*ret_lines = is_known ? size.ws_row : 0;
}

bool cmd_has_escapes(int fd)
{
	const char *type = getenv("TERM");

	return isatty(fd) && !(type && strcmp(type, "dumb") == 0);
}

struct table_style cmd_table_style(const struct cmd_context *context)
{
	return (struct table_style){ .width = context->width,
				     .is_terminal = context->is_terminal,
				     .has_colour = context->has_colour };
}

int cmd_read_timeout(const struct verb *verb, const char *option, const char *text,
		     unsigned *ret_ms)
{
	struct diag diag = { 0 };
	uint64_t time_ns = 0, ms;

	if (!text)
		return EXIT_STATUS_DONE;
	/* A bare number is seconds. */
	ms = number_parse_duration(text, 1000000000, &time_ns) ? 0 : time_ns / 1000000;
	if (ms < 1 || ms > TIMEOUT_MAX_MS) {
		diag_set(&diag, -EINVAL,
			 _("--%s takes seconds from 1 to %d, or a time such as 500ms or 5m, not "
			   "'%s'"),
			 option, TIMEOUT_MAX_MS / 1000, text);
		return cmd_fail_usage(verb, &diag);
	}
	*ret_ms = (unsigned)ms;
	return EXIT_STATUS_DONE;
}

int cmd_read_time(const char *option, const char *text, uint64_t unit_ns, uint64_t *ret_ns,
		  struct diag *diag)
{
	uint64_t time_ns;

	if (!text)
		return 0;
	if (number_parse_duration(text, unit_ns, &time_ns) || time_ns > TIME_MAX_NS)
		return diag_set(diag, -EINVAL,
				_("--%s takes a time up to 24h, for instance 500us, 2ms, 10s or 5m"),
				option);
	*ret_ns = time_ns;
	return 0;
}
