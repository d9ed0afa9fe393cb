/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Translation marks. Every text for people goes through _() where it is printed, or is
 * marked with N_() in a table and passed through _() when it is shown. Names of
 * attributes, schedulers and JSON keys are never translated.
 */
#ifndef IOSCHED_UTIL_I18N_H
#define IOSCHED_UTIL_I18N_H

#include <libintl.h>

#define _(text)                gettext(text)
#define N_(text)               (text)
#define P_(one, many, count)   ngettext(one, many, count)

#endif
