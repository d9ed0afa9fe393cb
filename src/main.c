// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Entry point: parses the command line by the tables, opens the root, calls the verb and
 * makes sure that what was printed has arrived.
 */
#include <errno.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/common.h"
#include "cmd/globals.h"
#include "cmd/usage.h"
#include "cmd/verb.h"
#include "policy/profile.h"
#include "sysfs/stdio.h"
#include "util/i18n.h"
#include "util/log.h"
#include "util/program.h"

static void set_log_level(const struct globals *globals)
{
	if (globals->is_quiet)
		log_set_level(LOG_LEVEL_ERROR);
	else if (globals->verbosity)
		log_set_level(globals->verbosity > 1 ? LOG_LEVEL_DEBUG : LOG_LEVEL_INFO);
}

static unsigned terminal_width(void)
{
	unsigned width, lines;

	cmd_terminal_size(&width, &lines);
	return width;
}

static struct cmd_context make_context(const struct globals *globals)
{
	const char *no_color = getenv("NO_COLOR"); /* https://no-color.org */
	bool is_terminal = isatty(STDOUT_FILENO);

	return (struct cmd_context){
		.is_json = globals->is_json,
		.is_terminal = is_terminal,
		.has_colour =
			cmd_has_escapes(STDOUT_FILENO) && !globals->no_color &&
			!(no_color && *no_color),
		.width = terminal_width(),
	};
}

static int print_version(void)
{
	puts("iosched-tune " IOSCHED_TUNE_VERSION);
	return EXIT_STATUS_DONE;
}

static int run_on_root(const struct verb *verb, const struct globals *globals,
		       const void *options, const char *const *arguments, size_t count)
{
	struct cmd_context context = make_context(globals);
	_cleanup_(cleanup_root_free) struct root *root = NULL;
	_free_ char *search = NULL;
	struct diag diag = { 0 };
	int error, status;

	error = root_open(globals->root, &root, &diag);
	if (!error)
		error = profile_default_search(&search);
	if (error)
		return cmd_fail(&diag, error);
	context.root = root;
	context.search = search;
	status = verb->run(&context, options, arguments, count);
	/* Where no scan has said so: what was printed may be half of it. */
	if (status != EXIT_STATUS_FAILED && root_check_shortage(root, &diag))
		status = cmd_fail(&diag, diag.error);
	return status;
}

/* argv[0] is the verb; `globals` holds what stood before it. */
static int run_verb(const struct verb *verb, struct globals *globals, int argc,
		    char **argv)
{
	_free_ const char **arguments = NULL;
	_free_ void *options = NULL;
	size_t global_count, count = 0;
	const struct option_spec *global_specs = globals_specs(&global_count);
	struct diag diag = { 0 };
	int error, status;

	options = calloc(1, verb->options_size ? verb->options_size : 1);
	if (!options) {
		log_error("%s", strerror(ENOMEM));
		return EXIT_STATUS_FAILED;
	}
	struct option_group groups[] = {
		{ verb->options, verb->option_count, options },
		{ global_specs, global_count, globals },
	};
	error = option_parse(groups, ARRAY_SIZE(groups), &verb->positional, argc, argv,
			     &arguments, &count, &diag);
	set_log_level(globals);
	if (globals->help) {
		usage_print_verb(stdout, verb, terminal_width());
		status = EXIT_STATUS_DONE;
	} else if (globals->version) {
		status = print_version();
	} else if (error) {
		diag_set(&diag, error, "%s", strerror(-error));
		status = cmd_fail_usage(verb, &diag);
	} else {
		status = run_on_root(verb, globals, options, arguments, count);
	}
	option_done(groups, 1);
	return status;
}

static int run(int argc, char **argv)
{
	_free_ const char **rest = NULL;
	struct globals globals = { 0 };
	size_t spec_count, count = 0;
	const struct option_spec *specs = globals_specs(&spec_count);
	struct option_group group = { specs, spec_count, &globals };
	struct diag diag = { 0 };
	const struct verb *verb;

	if (option_parse(&group, 1, NULL, argc, argv, &rest, &count, &diag))
		return cmd_fail_usage(NULL, &diag);
	set_log_level(&globals);
	if (globals.version)
		return print_version();
	if (!count) {
		usage_print_program(globals.help ? stdout : stderr, terminal_width());
		return globals.help ? EXIT_STATUS_DONE : EXIT_STATUS_USAGE;
	}
	verb = verb_find(rest[0]);
	if (!verb)
		return cmd_unknown_verb(rest[0]);
	return run_verb(verb, &globals, (int)count, argv + argc - count);
}

/* Why stdio could not write: it says so only at the moment, so the descriptor is asked. */
static int find_write_error(void)
{
	return write(STDOUT_FILENO, "\n", 1) < 0 ? errno : EIO;
}

/*
 * A report that did not arrive is a failure. A reader that has gone away (head, less) is
 * not one: it has seen what it wanted.
 */
static int flush_stdout(int status)
{
	int error = 0;

	if (fflush(stdout) || ferror(stdout))
		error = find_write_error();
	if (close(STDOUT_FILENO) && !error && errno != EBADF)
		error = errno;
	if (!error || error == EPIPE)
		return status;
	log_error(_("cannot write to the standard output: %s"), strerror(error));
	return status == EXIT_STATUS_DONE ? EXIT_STATUS_FAILED : status;
}

/* Translations: those built beside the program, else the installed ones. */
static void set_language(void)
{
	_free_ char *beside = NULL;

	setlocale(LC_ALL, "");
	/* Beside an installed one lies a program called "locale". */
	program_find("locale/zh_CN/..", &beside);
	bindtextdomain("iosched-tune", beside ? beside : LOCALE_DIR);
	textdomain("iosched-tune");
}

int main(int argc, char **argv)
{
	stdio_ensure();
	set_language();
	/* Whoever reads our output may stop: that must not end an apply half-way. */
	signal(SIGPIPE, SIG_IGN);
	/* Nor a limit on the size of files: the write fails, and is told as a full disk is. */
	signal(SIGXFSZ, SIG_IGN);
	return flush_stdout(run(argc, argv));
}
