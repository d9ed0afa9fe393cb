// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Where the files of fio jobs lie. A job's filename is a device, several devices, or a
 * file; without one each instance has a file of its own. Files are laid out one behind
 * the other on the first device, in the order in which the jobs come.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/workload/fio-file.h"
#include "util/cleanup.h"
#include "util/i18n.h"
#include "util/text.h"

#define SECTOR          512u
#define FILE_ALIGN      8u /* a page */
#define FIO_DEVICES_MAX 64u

struct extent {
	const char *name;  /* NULL: each instance of one job has its own */
	uint64_t sectors;  /* of one file */
	uint64_t copies;
	uint64_t begin;
};

struct place {
	unsigned devices;  /* that it goes round; 0: files */
	unsigned device;   /* when it is one */
	size_t extent;
};

struct layout {
	struct fio_context *context;
	struct strv devices; /* names, in the order of their numbers */
	struct place *places; /* one a job */
	struct extent *extents;
	size_t extent_count;
};

static void layout_done(struct layout *layout)
{
	strv_done(&layout->devices);
	free(layout->places);
	free(layout->extents);
}

static int no_memory(struct layout *layout)
{
	return fio_refuse(layout->context, -ENOMEM, _("out of memory"));
}

/* --- names -------------------------------------------------------------------------------- */

static bool is_device(const char *name)
{
	return *name == '/' && text_starts_with(name + 1, "dev/");
}

/* "a:b": at colons that no backslash protects. */
static int split_names(const char *names, struct strv *ret)
{
	char name[FIO_NAME_MAX * 4];
	size_t len = 0;
	int r = 0;

	for (;; names++) {
		if (*names == '\\' && names[1] == ':') {
			name[len++] = *++names;
			continue;
		}
		if (*names && *names != ':') {
			name[len++] = *names;
			continue;
		}
		if (len)
			r = strv_add_len(ret, name, len);
		len = 0;
		if (r || !*names)
			return r;
	}
}

static int number_device(struct layout *layout, const char *name, unsigned *ret)
{
	size_t i = 0;

	while (i < layout->devices.count && strcmp(layout->devices.items[i], name))
		i++;
	if (i == layout->devices.count) {
		if (i == FIO_DEVICES_MAX)
			return fio_refuse(layout->context, -E2BIG, _("more than %u devices"),
					  FIO_DEVICES_MAX);
		if (strv_add(&layout->devices, name))
			return no_memory(layout);
	}
	*ret = (unsigned)i;
	return 0;
}

static int find_devices(struct layout *layout, const struct strv *names, struct place *place)
{
	unsigned distinct = 0;
	uint64_t seen = 0;
	int r;

	for (size_t i = 0; i < names->count; i++) {
		if (!is_device(names->items[i]))
			return fio_refuse(layout->context, -ENOTSUP,
					  _("a job on files and devices at once"));
		r = number_device(layout, names->items[i], &place->device);
		if (r)
			return r;
		distinct += !(seen >> place->device & 1);
		seen |= UINT64_C(1) << place->device;
	}
	place->devices = distinct;
	return 0;
}

static int check_several(struct layout *layout, const struct job_spec *spec, uint64_t files)
{
	if (files <= 1 || (spec->pattern == JOB_RANDOM && spec->sequential_run <= 1))
		return 0;
	return fio_refuse(layout->context, -ENOTSUP,
			  _("several files are only simulated where offsets are random; "
			    "give each its own section"));
}

static size_t find_extent(struct layout *layout, const char *name)
{
	size_t i = 0;

	while (name && i < layout->extent_count &&
	       (!layout->extents[i].name || strcmp(layout->extents[i].name, name)))
		i++;
	if (!name)
		i = layout->extent_count;
	if (i == layout->extent_count)
		layout->extents[layout->extent_count++] = (struct extent){ .name = name };
	return i;
}

static int find_place(struct layout *layout, const struct fio_job *job,
		      const struct job_spec *spec, struct place *place)
{
	_strv_ struct strv names = { 0 };
	int r;

	if (split_names(job->filename, &names))
		return no_memory(layout);
	if (names.count && is_device(names.items[0]))
		return find_devices(layout, &names, place);
	r = check_several(layout, spec, names.count > 1 ? names.count : job->nrfiles);
	if (!r)
		place->extent = find_extent(layout, names.count ? job->filename : NULL);
	return r;
}

/* --- sizes -------------------------------------------------------------------------------- */

/* In sectors; 0 where it is not set. */
static uint64_t to_sectors(const struct fio_size *size, uint64_t whole)
{
	if (size->is_percent)
		return (uint64_t)((double)whole * size->percent / 100.0);
	return size->bytes && size->bytes < SECTOR ? 1 : size->bytes / SECTOR;
}

/* Its files, from there on the device. */
static int too_large(struct layout *layout, const struct job_spec *spec, uint64_t begin_sectors,
		     uint64_t size_sectors)
{
	struct fio_context *context = layout->context;
	int r = job_fail_room(spec, begin_sectors, size_sectors,
			      context->options->capacity_sectors, context->diag);

	diag_at(context->diag, context->file, context->line);
	return r;
}

/* How far one instance is behind the one before, all of them together. */
static bool spread_overflows(const struct job_spec *spec, uint64_t *sectors)
{
	uint64_t spread;

	return __builtin_mul_overflow(spec->offset_increment_sectors,
				      (uint64_t)spec->numjobs - 1, &spread) ||
	       __builtin_add_overflow(*sectors, spread, sectors);
}

/* The range within a file, and how long that must be. */
static int measure_file(struct layout *layout, const struct fio_job *job,
			struct job_spec *spec, struct extent *extent)
{
	uint64_t whole = to_sectors(&job->filesize, layout->context->options->capacity_sectors);
	uint64_t sectors;

	if ((job->size.is_percent || job->offset.is_percent ||
	     job->offset_increment.is_percent) && !whole)
		return fio_refuse(layout->context, -EINVAL,
				  _("per cent of a file need filesize"));
	spec->offset_sectors = to_sectors(&job->offset, whole);
	spec->offset_increment_sectors = to_sectors(&job->offset_increment, whole);
	spec->size_sectors = to_sectors(&job->size, whole);
	if (!spec->size_sectors && whole > spec->offset_sectors)
		spec->size_sectors = whole - spec->offset_sectors;
	if (!spec->size_sectors)
		return fio_refuse(layout->context, -EINVAL,
				  _("a job on a file needs size, or filename with a device"));
	if (__builtin_add_overflow(spec->offset_sectors, spec->size_sectors, &sectors) ||
	    spread_overflows(spec, &sectors) || sectors > UINT64_MAX - FILE_ALIGN)
		return too_large(layout, spec, 0, UINT64_MAX);
	if (sectors < whole)
		sectors = whole;
	sectors = (sectors + FILE_ALIGN - 1) / FILE_ALIGN * FILE_ALIGN;
	if (sectors > extent->sectors)
		extent->sectors = sectors;
	extent->copies = extent->name ? 1 : spec->numjobs;
	return 0;
}

static int measure_device(struct layout *layout, const struct fio_job *job,
			  const struct place *place, struct job_spec *spec)
{
	uint64_t whole = layout->context->options->capacity_sectors;

	if (place->devices > 1 && place->devices != layout->devices.count)
		return fio_refuse(layout->context, -ENOTSUP,
				  _("a job goes to one device or round all of them"));
	spec->offset_sectors = to_sectors(&job->offset, whole);
	spec->offset_increment_sectors = to_sectors(&job->offset_increment, whole);
	spec->size_sectors = to_sectors(&job->size, whole);
	if (place->devices > 1 && !job->size.is_percent)
		spec->size_sectors /= place->devices;
	if (job->size.is_percent && spec->offset_sectors < whole &&
	    spec->size_sectors > whole - spec->offset_sectors)
		spec->size_sectors = whole - spec->offset_sectors;
	spec->device = place->devices > 1 ? 0 : place->device;
	spec->spreads_devices = place->devices > 1;
	return 0;
}

/* The last job of those whose files these are: it has made them so long. */
static size_t owner_of(const struct layout *layout, size_t extent, size_t count)
{
	size_t owner = 0;

	for (size_t i = 0; i < count; i++)
		if (!layout->places[i].devices && layout->places[i].extent == extent)
			owner = i;
	return owner;
}

/* One behind the other. */
static int place_extents(struct layout *layout, const struct fio_job *jobs,
			 const struct job_spec *specs, size_t count)
{
	uint64_t at = 0, all;

	for (size_t i = 0; i < layout->extent_count; i++) {
		struct extent *extent = &layout->extents[i];

		extent->begin = at;
		if (__builtin_mul_overflow(extent->sectors, extent->copies, &all))
			all = UINT64_MAX;
		if (__builtin_add_overflow(at, all, &at) ||
		    at > layout->context->options->capacity_sectors) {
			size_t owner = owner_of(layout, i, count);

			layout->context->line = jobs[owner].line;
			return too_large(layout, &specs[owner], extent->begin, all);
		}
	}
	return 0;
}

/* What it does in all, where that is not its range once. */
static int set_total(struct layout *layout, const struct fio_job *job,
		     const struct place *place, struct job_spec *spec)
{
	uint64_t capacity = layout->context->options->capacity_sectors, total, size;

	size = spec->size_sectors;
	if (!size && spec->offset_sectors < capacity)
		size = capacity - spec->offset_sectors;
	if (place->devices > 1 && __builtin_mul_overflow(size, place->devices, &size))
		return too_large(layout, spec, 0, UINT64_MAX);
	total = job->io_size.is_set ? to_sectors(&job->io_size, size) : size;
	if (__builtin_mul_overflow(total, job->loops, &total))
		total = UINT64_MAX;
	/* A count of I/Os that was turned into bytes is the smaller limit, if it is. */
	if (spec->total_sectors && spec->total_sectors < total)
		return 0;
	spec->total_sectors = job->loops > 1 || job->io_size.is_set || place->devices > 1
				      ? total
				      : 0;
	return 0;
}

/* A window that is larger than the file ends with it. */
static void limit_sizes(const struct fio_job *job, struct job_spec *spec)
{
	for (enum sim_op op = SIM_READ; op < JOB_OPS && !job->direct; op++)
		if (spec->size_count[op] == 1 && spec->size_sectors >= FILE_ALIGN &&
		    spec->sizes[op][0].sectors > spec->size_sectors)
			job_spec_set_size(spec, op, (uint32_t)spec->size_sectors);
}

/* --- all ------------------------------------------------------------------------------------ */

static int measure(struct layout *layout, const struct fio_job *jobs, struct job_spec *specs,
		   size_t count)
{
	int r = 0;

	for (size_t i = 0; i < count && !r; i++) {
		layout->context->line = jobs[i].line;
		r = find_place(layout, &jobs[i], &specs[i], &layout->places[i]);
	}
	for (size_t i = 0; i < count && !r; i++) {
		const struct place *place = &layout->places[i];

		layout->context->line = jobs[i].line;
		r = place->devices ? measure_device(layout, &jobs[i], place, &specs[i])
				   : measure_file(layout, &jobs[i], &specs[i],
						  &layout->extents[place->extent]);
	}
	return r ? r : place_extents(layout, jobs, specs, count);
}

int fio_layout(struct fio_context *context, const struct fio_job *jobs,
	       struct job_spec *specs, size_t count, unsigned *ret_devices)
{
	_cleanup_(layout_done) struct layout layout = { .context = context };
	int r;

	layout.places = calloc(count, sizeof(layout.places[0]));
	layout.extents = calloc(count, sizeof(layout.extents[0]));
	if (!layout.places || !layout.extents)
		return no_memory(&layout);
	r = measure(&layout, jobs, specs, count);
	for (size_t i = 0; i < count && !r; i++) {
		const struct place *place = &layout.places[i];

		context->line = jobs[i].line;
		if (!place->devices) {
			const struct extent *extent = &layout.extents[place->extent];

			specs[i].offset_sectors += extent->begin;
			if (!extent->name)
				specs[i].offset_increment_sectors += extent->sectors;
		}
		limit_sizes(&jobs[i], &specs[i]);
		r = set_total(&layout, &jobs[i], place, &specs[i]);
	}
	if (!r)
		*ret_devices = layout.devices.count ? (unsigned)layout.devices.count : 1;
	return r;
}
