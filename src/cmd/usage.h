/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Help texts, made from the tables of verbs and options.
 */
#ifndef IOSCHED_CMD_USAGE_H
#define IOSCHED_CMD_USAGE_H

#include <stdio.h>

#include "cmd/verb.h"

/* The program as a whole: what it is, its verbs, the globals. */
void usage_print_program(FILE *stream, unsigned width);
void usage_print_verb(FILE *stream, const struct verb *verb, unsigned width);

#endif
