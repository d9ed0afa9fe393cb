/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What this build has. The Makefile looks for each library, new enough for what is called
 * (FEATURES there), and passes HAVE_X as 0 or 1; nobody else asks for a version. Without
 * one the program does the same by other means, or says what it was built without.
 */
#ifndef IOSCHED_UTIL_FEATURE_H
#define IOSCHED_UTIL_FEATURE_H

/* libsmartcols of util-linux 2.29; else tables are laid out by report/table-plain.c */
#ifndef HAVE_SMARTCOLS
#define HAVE_SMARTCOLS 1
#endif

/* libmount of util-linux 2.24, which counts references */
#ifndef HAVE_MOUNT_REFERENCES
#define HAVE_MOUNT_REFERENCES 1
#endif

/* libsystemd's journal; else the audit trail goes to the log file */
#ifndef HAVE_JOURNAL
#define HAVE_JOURNAL 1
#endif

/* sd-bus as of systemd 222; else systemctl is run */
#ifndef HAVE_SDBUS
#define HAVE_SDBUS 1
#endif

/* else traces compressed so are refused */
#ifndef HAVE_ZSTD
#define HAVE_ZSTD 1
#endif

/* libtracefs of 1.3; else capture says what it was built without */
#ifndef HAVE_TRACEFS
#define HAVE_TRACEFS 1
#endif

#endif
