// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The machine: kernel release, hypervisor, boot arguments, loadable scheduler modules.
 */
#include "device/host.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "device/scan-internal.h"
#include "sysfs/paths.h"

/* Who made the (virtual) machine, as DMI words it, and what that hypervisor is called
   here (the names that systemd-detect-virt prints). First match wins. */
static const struct {
	const char *file, *glob, *name;
} dmi_makers[] = {
	{ "product_name", "*KVM*", "kvm" },
	{ "sys_vendor", "QEMU*", "qemu" },
	{ "sys_vendor", "VMware*", "vmware" },
	{ "sys_vendor", "innotek GmbH*", "oracle" },
	{ "product_name", "VirtualBox*", "oracle" },
	{ "sys_vendor", "Xen*", "xen" },
	{ "bios_vendor", "Xen*", "xen" },
	{ "product_name", "Virtual Machine*", "microsoft" },
	{ "sys_vendor", "Amazon EC2*", "amazon" },
	{ "product_name", "Google Compute Engine*", "google" },
	{ "sys_vendor", "Parallels*", "parallels" },
	{ "sys_vendor", "BHYVE*", "bhyve" },
	{ "sys_vendor", "Alibaba Cloud*", "kvm" },
	{ "sys_vendor", "Tencent Cloud*", "kvm" },
	{ "product_name", "OpenStack*", "kvm" },
	{ "sys_vendor", "DigitalOcean*", "kvm" },
	{ "sys_vendor", "Hetzner*", "kvm" },
};

/* A file that may be missing: NULL then; only -ENOMEM is an error. */
static int read_optional(const struct root *root, const char *path, char **ret)
{
	int error = root_read(root, path, ret);

	return error == -ENOMEM ? error : 0;
}

static const char *find_dmi_maker(const struct root *root)
{
	for (size_t i = 0; i < ARRAY_SIZE(dmi_makers); i++) {
		_free_ char *value = NULL, *path = NULL;

		if (asprintf(&path, PATH_DMI "/%s", dmi_makers[i].file) < 0) {
			path = NULL;
			continue;
		}
		if (!root_read(root, path, &value) &&
		    text_glob_match(dmi_makers[i].glob, value))
			return dmi_makers[i].name;
	}
	return NULL;
}

/* Is `word` one of the words of the line that begins with "flags"? x86 only. */
static int cpuinfo_has_hypervisor(const char *cpuinfo)
{
	const char *line = strstr(cpuinfo, "flags");
	const char *end, *word;

	if (!line)
		return -ENODATA;
	end = strchrnul(line, '\n');
	for (word = line; (word = strstr(word, "hypervisor")) && word < end; word++)
		if (isspace((unsigned char)word[-1]) &&
		    (!word[10] || isspace((unsigned char)word[10])))
			return 1;
	return 0;
}

/*
 * Bare metal is only claimed when the processor says so: machines made of cloud vendors'
 * own hardware carry the same DMI words as their virtual ones.
 */
static int read_virtualisation(const struct root *root, char **ret)
{
	_free_ char *hypervisor = NULL, *cpuinfo = NULL;
	const char *name = NULL;
	int error, flag = -ENODATA;

	error = read_optional(root, PATH_HYPERVISOR_TYPE, &hypervisor);
	if (!error)
		error = read_optional(root, PATH_CPUINFO, &cpuinfo);
	if (error)
		return error;
	if (cpuinfo)
		flag = cpuinfo_has_hypervisor(cpuinfo);
	if (hypervisor && *hypervisor)
		name = hypervisor;
	else if (flag == 0)
		name = "none";
	else
		name = find_dmi_maker(root);
	if (!name && flag == 1)
		name = "vm-other";
	if (!name)
		return 0;
	*ret = strdup(name);
	return *ret ? 0 : -ENOMEM;
}

bool host_lists_module(const char *list, const char *module)
{
	size_t len = strlen(module);

	for (const char *p = list; (p = strstr(p, module)); p += len) {
		const char *end = p + len;

		if ((p == list || p[-1] == '/' || p[-1] == '\n') &&
		    text_starts_with(end, ".ko") && strchr(".:\n", end[3]))
			return true;
	}
	return false;
}

static int read_modules(const struct root *root, struct host *host)
{
	static const char *const files[] = { "modules.dep", "modules.builtin" };

	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		_free_ char *path = NULL, *list = NULL;
		int error;

		if (asprintf(&path, PATH_MODULES "/%s/%s", host->release, files[i]) < 0) {
			path = NULL;
			return -ENOMEM;
		}
		error = read_optional(root, path, &list);
		if (error)
			return error;
		for (size_t n = 0; list && scheduler_get(n); n++) {
			const char *module = scheduler_get(n)->module;

			if (!module || strv_contains(&host->modules, module) ||
			    !host_lists_module(list, module))
				continue;
			error = strv_add(&host->modules, module);
			if (error)
				return error;
		}
	}
	return 0;
}

int host_read(const struct root *root, struct host **ret, struct diag *diag)
{
	_cleanup_(cleanup_host_free) struct host *host = calloc(1, sizeof(*host));
	int error;

	if (!host)
		return diag_set(diag, -ENOMEM, "%s", strerror(ENOMEM));
	error = read_optional(root, PATH_OSRELEASE, &host->release);
	if (!error)
		error = read_optional(root, PATH_BOOT_ID, &host->boot_id);
	if (!error)
		error = read_optional(root, PATH_CMDLINE, &host->cmdline);
	if (!error)
		error = read_virtualisation(root, &host->virtualisation);
	/* A release is one path component; anything else is not used to build a path. */
	if (!error && host->release && *host->release && !strchr(host->release, '/')) {
		if (kernel_version_parse(host->release, &host->kernel))
			host->kernel = KERNEL_VERSION_NONE;
		error = read_modules(root, host);
	}
	if (error)
		return diag_set(diag, error, "%s", strerror(-error));
	*ret = TAKE_PTR(host);
	return 0;
}

void host_free(struct host *host)
{
	if (!host)
		return;
	free(host->release);
	free(host->virtualisation);
	free(host->boot_id);
	free(host->cmdline);
	strv_done(&host->modules);
	free(host);
}

bool host_can_load_scheduler(const struct host *host, const struct scheduler *scheduler)
{
	return !scheduler->module || strv_contains(&host->modules, scheduler->module);
}
