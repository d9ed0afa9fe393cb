// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Do partitions begin where the disk's own blocks begin? If not, a write of one block is
 * a read and a write of two.
 */
#include "diagnose/diagnose.h"

#include <string.h>

#include "util/i18n.h"
#include "util/number.h"

/* Smaller ones hold boot loaders. */
#define PARTITION_MIN_SECTORS 8192 /* 4 MiB */
/* A larger optimum is a controller's way to say nothing. */
#define OPTIMAL_MAX (16u << 20)

static bool read_below(const struct diagnose_input *input, const char *partition,
		       const char *file, uint64_t *ret)
{
	_free_ char *name = NULL;

	if (asprintf(&name, "%s/%s", partition, file) < 0) {
		name = NULL;
		return false;
	}
	return diagnose_read_number(input, name, ret);
}

struct limits {
	uint64_t physical, optimal; /* bytes; optimal 0: none that means something */
	uint64_t offset;	    /* of the disk's first block */
};

static struct limits get_limits(const struct diagnose_input *input)
{
	struct limits limits = { .physical = 512 };

	diagnose_get_value(input->device, "physical_block_size", &limits.physical);
	diagnose_get_value(input->device, "optimal_io_size", &limits.optimal);
	diagnose_read_number(input, "alignment_offset", &limits.offset);
	if (!limits.physical)
		limits.physical = 512;
	if (limits.optimal > OPTIMAL_MAX || limits.optimal % limits.physical)
		limits.optimal = 0;
	return limits;
}

static bool check_partition(const struct diagnose_input *input, const char *partition,
			    const struct limits *limits, struct diagnosis *out)
{
	uint64_t start, size;
	uint64_t begin;

	if (!read_below(input, partition, "start", &start) ||
	    !read_below(input, partition, "size", &size) || size < PARTITION_MIN_SECTORS)
		return false;
	begin = start * 512 - limits->offset;
	if (begin % limits->physical)
		finding_add(out, FINDING_BAD, "misaligned",
			    N_("move the partition to a multiple of 1 MiB: back up, "
			       "partition anew, restore"),
			    _("%s begins at sector %llu, inside a block of %llu bytes: "
			      "small writes become read, change and write"),
			    partition, (unsigned long long)start,
			    (unsigned long long)limits->physical);
	else if (limits->optimal && begin % limits->optimal)
		finding_add(out, FINDING_WARN, "off-stripe",
			    N_("begin partitions at a multiple of the stripe"),
			    _("%s begins at sector %llu, inside a stripe of %llu KiB: "
			      "whole stripes are written in two parts"),
			    partition, (unsigned long long)start,
			    (unsigned long long)limits->optimal / 1024);
	return true;
}

void diagnose_alignment(const struct diagnose_input *input, struct diagnosis *out)
{
	struct limits limits = get_limits(input);
	_strv_ struct strv names = { 0 };
	size_t before = out->count, count = 0;
	_free_ char *offset = diagnose_read_text(input, "alignment_offset");

	if (root_list(input->root, input->device->sys_path, &names))
		return;
	for (size_t i = 0; i < names.count; i++)
		if (text_starts_with(names.items[i], input->device->sys_name))
			count += check_partition(input, names.items[i], &limits, out);
	/* -1: what lies below does not fit together (device-mapper says so) */
	if (offset && !strcmp(offset, "-1"))
		finding_add(out, FINDING_BAD, "misaligned",
			    N_("build the volume anew on aligned partitions"),
			    _("the blocks below it do not lie where its own begin"));
	if (out->count == before && count)
		finding_add(out, FINDING_OK, "aligned", NULL,
			    P_("%zu partition begins on a block of %llu bytes",
			       "%zu partitions begin on blocks of %llu bytes", count),
			    count, (unsigned long long)limits.physical);
}
