// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Heads, controllers and the unit that they ask for. Source: udev(7), systemd.device(5).
 */
#include "persist/udev-paths.h"

#include "sysfs/paths.h"
#include "util/cleanup.h"

/* udev keeps a folder for each tag that a device has: so the event of a controller can tell
   whether there is a head, without a program. */
#define HEAD_TAG "iosched_tune_head"

void udev_add_heads(struct text *out, const char *condition, const char *unit)
{
	text_addf(out,
		  "\n# The hidden paths below a multipath head.\n"
		  "%s, TAG+=\"" HEAD_TAG "\"\n"
		  "ACTION==\"add\", %s, TAG+=\"systemd\", "
		  "ENV{SYSTEMD_WANTS}+=\"%s%%k.service\"\n",
		  condition, condition, unit);
}

/* A controller says when it has connected since Linux 5.18; before, its first event is all
   that there is. */
void udev_add_controllers(struct text *out, const char *unit)
{
	static const char *const events[] = {
		"ACTION==\"change\", SUBSYSTEM==\"nvme\", ENV{NVME_EVENT}==\"connected\"",
		"ACTION==\"add\", SUBSYSTEM==\"nvme\", SYSCTL{kernel/osrelease}=="
		"\"4.*|5.[0-9].*|5.[0-9]-*|5.1[0-7].*|5.1[0-7]-*\"",
	};

	text_add(out, "# A controller that may bring a path to a head that is here.\n");
	for (size_t i = 0; i < ARRAY_SIZE(events); i++)
		text_addf(out,
			  "%s, TEST==\"/" PATH_UDEV_TAGS "/" HEAD_TAG "\", "
			  "TAG+=\"systemd\", ENV{SYSTEMD_WANTS}+=\"%s%%k.service\"\n",
			  events[i], unit);
}
