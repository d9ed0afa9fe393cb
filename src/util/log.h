/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Messages for the person, on stderr, one line each, "iosched-tune: " in front. stdout
 * is data and is never written here.
 */
#ifndef IOSCHED_UTIL_LOG_H
#define IOSCHED_UTIL_LOG_H

#include "util/cleanup.h"
#include "util/diag.h"

enum log_level {
	LOG_LEVEL_ERROR,   /* -q */
	LOG_LEVEL_WARNING,
	LOG_LEVEL_NOTICE,  /* default */
	LOG_LEVEL_INFO,    /* -v */
	LOG_LEVEL_DEBUG,   /* -vv */
};

void log_set_level(enum log_level level);
enum log_level log_get_level(void);

/* Text from devices or files must be passed through "%s"; it is made terminal-safe. */
void log_message(enum log_level level, const char *format, ...) _printf_(2, 3);

#define log_error(...)   log_message(LOG_LEVEL_ERROR, __VA_ARGS__)
#define log_warning(...) log_message(LOG_LEVEL_WARNING, __VA_ARGS__)
#define log_notice(...)  log_message(LOG_LEVEL_NOTICE, __VA_ARGS__)
#define log_info(...)    log_message(LOG_LEVEL_INFO, __VA_ARGS__)
#define log_debug(...)   log_message(LOG_LEVEL_DEBUG, __VA_ARGS__)

/* Prints the diag as an error: message, then the hint on a line of its own. */
void log_diag(const struct diag *diag);

#endif
