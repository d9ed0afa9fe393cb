// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The running systemd over sd-bus. Source: org.freedesktop.systemd1(5).
 */
#include "persist/systemd-bus.h"

#include <errno.h>

#include "persist/run.h"
#include "util/feature.h"

#if HAVE_SDBUS
#include <systemd/sd-bus.h>
#endif

/* systemctl VERB [UNIT] */
static int run_systemctl(const struct root *root, const char *verb, const char *unit)
{
	_strv_ struct strv argv = { 0 };
	_free_ char *program = NULL;
	int status, error = run_find(root, "systemctl", &program);

	if (!error)
		error = strv_add(&argv, program);
	if (!error)
		error = strv_add(&argv, verb);
	if (!error && unit)
		error = strv_add(&argv, unit);
	return error ? error : run_command(&argv, &status);
}

#if HAVE_SDBUS
#define SERVICE   "org.freedesktop.systemd1"
#define OBJECT    "/org/freedesktop/systemd1"
#define INTERFACE "org.freedesktop.systemd1.Manager"

/* The manager answers within this, or is not asked for anything any more. */
#define TIMEOUT_US (30u * 1000 * 1000)

DEFINE_CLEANUP(sd_bus *, sd_bus_flush_close_unref)
DEFINE_CLEANUP(sd_bus_message *, sd_bus_message_unref)

/* With a NULL unit the method takes no arguments. */
static int call(const char *method, const char *unit, bool is_enable)
{
	_cleanup_(cleanup_sd_bus_flush_close_unref) sd_bus *bus = NULL;
	_cleanup_(cleanup_sd_bus_message_unref) sd_bus_message *message = NULL;
	int error = sd_bus_open_system(&bus);

	if (error >= 0)
		error = sd_bus_message_new_method_call(bus, &message, SERVICE, OBJECT,
						       INTERFACE, method);
	if (error >= 0 && unit)
		error = sd_bus_message_append(message, "as", 1, unit);
	if (error >= 0 && unit) /* not only until the next boot */
		error = sd_bus_message_append(message, "b", 0);
	if (error >= 0 && unit &&
	    is_enable) /* links that stand in the way are not ours */
		error = sd_bus_message_append(message, "b", 0);
	if (error >= 0)
		error = sd_bus_call(bus, message, TIMEOUT_US, NULL, NULL);
	return error < 0 ? error : 0;
}

int systemd_bus_reload(const struct root *root)
{
	(void)root;
	return call("Reload", NULL, false);
}

int systemd_bus_enable(const struct root *root, const char *unit)
{
	(void)root;
	return call("EnableUnitFiles", unit, true);
}

int systemd_bus_disable(const struct root *root, const char *unit)
{
	(void)root;
	return call("DisableUnitFiles", unit, false);
}
#else
int systemd_bus_reload(const struct root *root)
{
	return run_systemctl(root, "daemon-reload", NULL);
}

int systemd_bus_enable(const struct root *root, const char *unit)
{
	return run_systemctl(root, "enable", unit);
}

int systemd_bus_disable(const struct root *root, const char *unit)
{
	return run_systemctl(root, "disable", unit);
}
#endif

/* systemctl waits for the job, which takes more than one call over the bus. */
int systemd_start(const struct root *root, const char *unit)
{
	return run_systemctl(root, "start", unit);
}

int systemd_stop(const struct root *root, const char *unit)
{
	return run_systemctl(root, "stop", unit);
}
