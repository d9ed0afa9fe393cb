// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The systemd units as text. Source: systemd.service(5), systemd.exec(5); the sandbox is
 * measured by `systemd-analyze security` in a test.
 */
#include "persist/systemd-unit.h"

#include <ctype.h>
#include <string.h>

#include "persist/udev-paths.h"

/* Disks are there once local file systems are mounted; what comes later asks for the unit
   again. Sysfs of a container is read-only, and not ours. */
static const char unit_section[] = "[Unit]\n"
				   "Description=%s\n"
				   "Documentation=man:iosched-tune(1)\n"
				   "DefaultDependencies=no\n"
				   "Conflicts=shutdown.target\n"
				   "After=local-fs.target systemd-udev-trigger.service\n"
				   "Before=%sshutdown.target\n"
				   "ConditionPathIsReadWrite=/sys\n"
				   "StartLimitIntervalSec=0\n"
				   "\n"
				   "[Service]\n"
				   "Type=oneshot\n";

/* It writes sysfs attributes, which belong to root (ProtectSystem= leaves /sys out), and
   reads disks for their content: no capability, no network, no new process, nothing else. modules.dep is read, so
   ProtectKernelModules= cannot hide it; the module calls are filtered. */
static const char sandbox[] =
	"TimeoutSec=5min\n"
	"StateDirectory=iosched-tune\n"
	"StateDirectoryMode=0700\n"
	"UMask=0077\n"
	"CapabilityBoundingSet=\n"
	"AmbientCapabilities=\n"
	"NoNewPrivileges=yes\n"
	"ProtectSystem=strict\n"
	"ProtectHome=read-only\n"
	"ProtectClock=yes\n"
	"ProtectControlGroups=yes\n"
	"ProtectHostname=yes\n"
	"ProtectKernelLogs=yes\n"
	"ProtectProc=invisible\n"
	"PrivateTmp=yes\n"
	"PrivateNetwork=yes\n"
	"PrivateMounts=yes\n"
	"IPAddressDeny=any\n"
	"RestrictAddressFamilies=AF_UNIX\n"
	"RestrictNamespaces=yes\n"
	"RestrictRealtime=yes\n"
	"RestrictSUIDSGID=yes\n"
	"LockPersonality=yes\n"
	"MemoryDenyWriteExecute=yes\n"
	"KeyringMode=private\n"
	"RemoveIPC=yes\n"
	"DevicePolicy=closed\n"
	"DeviceAllow=block-* r\n"
	"SystemCallArchitectures=native\n"
	"SystemCallFilter=@system-service\n"
	"SystemCallFilter=~@privileged @resources @module @mount @swap @clock "
	"@cpu-emulation @debug @obsolete @raw-io @reboot\n"
	"SystemCallErrorNumber=EPERM\n";

/* Seconds. At boot several units start at once, and one of them may wait out a disk that
   does not answer (30 s); together with that TimeoutSec= holds. */
#define LOCK_TIMEOUT "60"
/* Seconds in which a controller that has connected finds its namespaces. */
#define WAIT_PATHS "10"

static bool is_plain(char c)
{
	return isalnum((unsigned char)c) || (c && strchr("/._+=:@-", c));
}

void systemd_add_word(struct text *out, const char *word)
{
	bool needs_quotes = !*word;

	for (const char *p = word; *p; p++)
		needs_quotes |= !is_plain(*p);
	if (needs_quotes)
		text_add(out, "\"");
	for (const char *p = word; *p; p++) {
		unsigned char c = (unsigned char)*p;

		if (c < 0x20 || c == 0x7f)
			text_addf(out, "\\x%02x", c);
		else if (c == '"' || c == '\\')
			text_addf(out, "\\%c", c);
		else if (c == '%' || c == '$')
			text_addf(out, "%c%c", c, c);
		else
			text_add_bytes(out, p, 1);
	}
	if (needs_quotes)
		text_add(out, "\"");
}

static void add_command(struct text *out, const char *setting, const char *program,
			const char *profile, const char *device)
{
	text_addf(out, "%s=", setting);
	systemd_add_word(out, program);
	text_add(out, " --quiet apply --profile ");
	systemd_add_word(out, profile);
	text_add(out, " --lock-timeout " LOCK_TIMEOUT);
	if (device)
		text_addf(out, " --wait-paths " WAIT_PATHS " -- %s", device);
	text_add(out, "\n");
}

/*
 * systemd drops the wish to start a unit that is being started, so a disk that comes
 * while the first run has read the list already would be missed. A unit that is being
 * stopped is started again once it has stopped: the second run, after ExecStart=, finds
 * what came during the first, and what comes during the second asks for a new start.
 */
void systemd_add_unit(struct text *out, const char *program, const char *profile)
{
	text_addf(out, unit_section, "I/O scheduler policy", SYSTEMD_TARGET " ");
	add_command(out, "ExecStart", program, profile, NULL);
	add_command(out, "ExecStopPost", program, profile, NULL);
	text_add(out, sandbox);
	text_add(out, "\n[Install]\nWantedBy=" SYSTEMD_TARGET "\n");
}

void systemd_add_template(struct text *out, const char *program, const char *profile)
{
	text_addf(out, unit_section, "I/O scheduler policy of %i", "");
	add_command(out, "ExecStart", program, profile, "%i");
	text_add(out, sandbox);
}

/* dm and md get their disks after their first event. */
void systemd_add_rules(struct text *out)
{
	udev_add_controllers(out, SYSTEMD_INSTANCE);
	text_add(out, "ACTION!=\"add|change\", GOTO=\"iosched_tune_systemd_end\"\n"
		      "SUBSYSTEM!=\"block\", GOTO=\"iosched_tune_systemd_end\"\n"
		      "ENV{DEVTYPE}!=\"disk\", GOTO=\"iosched_tune_systemd_end\"\n");
	udev_add_heads(out, "DEVPATH==\"*/nvme-subsystem/*\"", SYSTEMD_INSTANCE);
	text_add(out, "\nACTION==\"change\", KERNEL!=\"dm-*|md*\", "
		      "GOTO=\"iosched_tune_systemd_end\"\n"
		      "KERNEL==\"loop*|ram*|zram*\", GOTO=\"iosched_tune_systemd_end\"\n"
		      "TEST==\"queue\", TAG+=\"systemd\", "
		      "ENV{SYSTEMD_WANTS}+=\"" SYSTEMD_UNIT "\"\n"
		      "LABEL=\"iosched_tune_systemd_end\"\n");
}
