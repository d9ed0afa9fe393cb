// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reading interrupts: sysfs says which are the device's, procfs what they do.
 */
#include "diagnose/interrupts.h"

#include <errno.h>
#include <string.h>

#include "sysfs/paths.h"
#include "util/number.h"

/* Beyond any machine; a made-up list could be endless. */
#define CPU_MAX 8192

void interrupts_done(struct interrupts *interrupts)
{
	free(interrupts->bus_path);
	*interrupts = (struct interrupts){ 0 };
}

static char *read_below(const struct root *root, const char *folder, const char *file)
{
	_free_ char *path = NULL;
	char *text = NULL;

	if (asprintf(&path, "%s/%s", folder, file) < 0) {
		path = NULL;
		return NULL;
	}
	return root_read(root, path, &text) ? NULL : text;
}

static int list_of(const struct root *root, const char *folder, struct strv *ret)
{
	_free_ char *path = NULL, *line = NULL;

	if (asprintf(&path, "%s/msi_irqs", folder) < 0) {
		path = NULL;
		return -ENOMEM;
	}
	if (!root_list(root, path, ret) && ret->count)
		return 0;
	/* One wire: 0 stands for none. */
	line = read_below(root, folder, "irq");
	return line && strcmp(line, "0") != 0 ? strv_add(ret, line) : 0;
}

int interrupts_list(const struct root *root, const struct device *device, char **ret_path,
		    struct strv *ret_numbers)
{
	_free_ char *path = strdup(device->sys_path);
	char *slash;
	int error = 0;

	if (!path)
		return -ENOMEM;
	while (!error && !ret_numbers->count && (slash = strrchr(path, '/'))) {
		*slash = '\0';
		error = list_of(root, path, ret_numbers);
	}
	if (!error && ret_numbers->count)
		*ret_path = TAKE_PTR(path);
	return error;
}

/* One "3" or "4-7" of a list; moves *p behind it. */
static bool take_range(const char **p, unsigned *low, unsigned *high)
{
	unsigned values[2] = { 0 };

	for (size_t i = 0; i < 2; i++) {
		if (**p < '0' || **p > '9')
			return false;
		for (; **p >= '0' && **p <= '9'; ++*p)
			if (values[i] < CPU_MAX)
				values[i] = values[i] * 10 + (unsigned)(**p - '0');
		if (i || **p != '-') {
			values[1] = i ? values[1] : values[0];
			break;
		}
		++*p;
	}
	*p += **p == ',';
	*low = values[0];
	*high = values[1];
	return true;
}

bool cpu_lists_meet(const char *a, const char *b)
{
	unsigned low, high, other_low, other_high;

	while (take_range(&a, &low, &high))
		for (const char *p = b; take_range(&p, &other_low, &other_high);)
			if (low <= other_high && other_low <= high)
				return true;
	return false;
}

/* "  45:   123   0  …  PCI-MSI 524288-edge  nvme0q1": the counts go into `sums`. */
static void add_line(const char *line, const struct strv *numbers, uint64_t *sums,
		     size_t cpus)
{
	_strv_ struct strv words = { 0 };
	size_t len;

	if (strv_split(&words, line, " \t") || words.count < 2)
		return;
	len = strlen(words.items[0]);
	if (len < 2 || words.items[0][len - 1] != ':')
		return;
	words.items[0][len - 1] = '\0';
	if (!strv_contains(numbers, words.items[0]))
		return;
	for (size_t i = 0; i < cpus && i + 1 < words.count; i++) {
		uint64_t value;

		if (number_parse_u64(words.items[i + 1], &value))
			break;
		sums[i] += value;
	}
}

static int count_interrupts(const struct root *root, const struct strv *numbers,
			    struct interrupts *ret)
{
	_free_ char *text = NULL;
	_free_ uint64_t *sums = NULL;
	_strv_ struct strv lines = { 0 }, titles = { 0 };
	int error = root_read(root, PATH_INTERRUPTS, &text);

	if (error)
		return error == -ENOMEM ? error : 0;
	if (strv_split(&lines, text, "\n"))
		return -ENOMEM;
	if (!lines.count || strv_split(&titles, lines.items[0], " \t"))
		return 0;
	ret->cpus = titles.count < CPU_MAX ? titles.count : CPU_MAX;
	sums = calloc(ret->cpus + 1, sizeof(*sums));
	if (!sums)
		return -ENOMEM;
	for (size_t i = 1; i < lines.count; i++)
		add_line(lines.items[i], numbers, sums, ret->cpus);
	for (size_t i = 0; i < ret->cpus; i++) {
		ret->total += sums[i];
		if (sums[i] <= ret->busiest)
			continue;
		ret->busiest = sums[i];
		ret->busiest_cpu = (unsigned)i;
	}
	for (size_t i = 0; i < ret->cpus; i++)
		ret->used_cpus += sums[i] && sums[i] * 100 >= ret->total;
	return 0;
}

static bool is_all_remote(const struct root *root, const struct strv *numbers,
			  const char *local)
{
	size_t known = 0;

	for (size_t i = 0; i < numbers->count; i++) {
		_free_ char *folder = NULL, *list = NULL;

		if (asprintf(&folder, PATH_IRQ "/%s", numbers->items[i]) < 0) {
			folder = NULL;
			return false;
		}
		list = read_below(root, folder, "effective_affinity_list");
		if (!list || !*list) {
			free(list);
			list = read_below(root, folder, "smp_affinity_list");
		}
		if (!list || !*list)
			continue;
		known++;
		if (cpu_lists_meet(list, local))
			return false;
	}
	return known > 0;
}

static bool has_irqbalance(const struct root *root)
{
	static const char *const paths[] = PATHS_IRQBALANCE;

	for (size_t i = 0; i < ARRAY_SIZE(paths); i++)
		if (root_exists(root, paths[i]))
			return true;
	return false;
}

int interrupts_read(const struct root *root, const struct device *device,
		    struct interrupts *ret)
{
	struct interrupts found = { .numa_node = -1 };
	_strv_ struct strv numbers = { 0 };
	_free_ char *node = NULL, *local = NULL;
	int64_t value;
	int error = interrupts_list(root, device, &found.bus_path, &numbers);

	if (!error && numbers.count)
		error = count_interrupts(root, &numbers, &found);
	if (error) {
		interrupts_done(&found);
		return error;
	}
	found.count = numbers.count;
	found.has_irqbalance = has_irqbalance(root);
	if (found.bus_path) {
		node = read_below(root, found.bus_path, "numa_node");
		local = read_below(root, found.bus_path, "local_cpulist");
	}
	if (node && !number_parse_range(node, 0, CPU_MAX, &value))
		found.numa_node = (int)value;
	if (found.numa_node >= 0 && local && *local)
		found.is_all_remote = is_all_remote(root, &numbers, local);
	*ret = found;
	return 0;
}
