// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The table of columns. Names that lsblk has mean what they mean there.
 */
#include "report/column.h"

#include <string.h>

#include "sysfs/paths.h"
#include "util/i18n.h"

#define SECTOR_SIZE 512u

static void render_path(const struct column_row *row, struct cell *ret)
{
	if (device_has_node(row->device))
		cell_set_format(ret, "/%s/%s", PATH_DEV, row->device->name);
}

static void render_numbers(const struct column_row *row, struct cell *ret)
{
	if (device_has_node(row->device))
		cell_set_format(ret, "%u:%u", row->device->major, row->device->minor);
}

static void render_size(const struct column_row *row, struct cell *ret)
{
	cell_set_bytes(ret, row->device->size_sectors * SECTOR_SIZE);
}

static void render_class(const struct column_row *row, struct cell *ret)
{
	cell_set_string(ret, device_class_name(row->device->class));
}

static void render_confidence(const struct column_row *row, struct cell *ret)
{
	cell_set_word(ret, device_confidence_name(row->device->confidence));
}

static void render_rotational(const struct column_row *row, struct cell *ret)
{
	if (row->device->rotational >= 0)
		cell_set_bool(ret, row->device->rotational > 0);
}

static void render_diskseq(const struct column_row *row, struct cell *ret)
{
	if (row->device->diskseq)
		cell_set_number(ret, (int64_t)row->device->diskseq);
}

static void render_scheduler(const struct column_row *row, struct cell *ret)
{
	cell_set_string(ret, choice_active(&row->device->scheduler));
}

static void render_available(const struct column_row *row, struct cell *ret)
{
	const struct choice *choice = &row->device->scheduler;

	for (size_t i = 0; i < choice->count; i++)
		cell_add_item(ret, choice->names[i]);
}

static void render_level(const struct column_row *row, struct cell *ret)
{
	static const char *const names[] = {
		[LEVEL_OWN] = N_("own"), [LEVEL_BELOW] = N_("below"), [LEVEL_NONE] = N_("none")
	};

	cell_set_word(ret, names[row->device->level]);
}

static void render_mounts(const struct column_row *row, struct cell *ret)
{
	const struct device *device = row->device;

	for (size_t i = 0; i < device->mount_count; i++)
		cell_add_item(ret, device->mounts[i].target ? device->mounts[i].target
							    : "[SWAP]");
}

static void render_wanted(const struct column_row *row, struct cell *ret)
{
	const struct policy_device *policy = row->policy;

	if (policy && policy->state == POLICY_SET && policy->value_count &&
	    policy->values[0].tunable == tunable_scheduler())
		cell_set_string(ret, policy->values[0].value);
}

static void render_origin(const struct column_row *row, struct cell *ret)
{
	const struct policy_device *policy = row->policy;

	if (policy && policy->state == POLICY_SET && policy->value_count)
		cell_set_string(ret, policy->values[0].source);
}

static void render_state(const struct column_row *row, struct cell *ret)
{
	cell_set_word(ret, column_state(row));
}

static void render_reason(const struct column_row *row, struct cell *ret)
{
	const char *reason = NULL;

	if (row->policy)
		reason = row->policy->reason;
	if (!reason && row->plan)
		reason = row->plan->reason;
	cell_set_string(ret, reason);
}

static void render_changes(const struct column_row *row, struct cell *ret)
{
	if (row->plan)
		cell_set_number(ret, (int64_t)plan_device_count_writes(row->plan));
}

#define FIELD(kind, member) .field = kind, .offset = offsetof(struct device, member)

/* clang-format off: one row a line or two */
static const struct column columns[] = {
	{ N_("NAME"), NULL, "name", N_("name of the device"), .align = TABLE_TREE,
	  FIELD(FIELD_STRING, name) },
	{ N_("KNAME"), NULL, "kname", N_("name as sysfs spells it"),
	  FIELD(FIELD_STRING, sys_name) },
	{ N_("PATH"), NULL, "path", N_("path of the device node"), SCAN_BASICS,
	  .render = render_path },
	{ N_("MAJ:MIN"), NULL, "maj:min", N_("device number"), SCAN_BASICS,
	  .render = render_numbers },
	{ N_("SIZE"), NULL, "size", N_("size"), SCAN_BASICS, .align = TABLE_RIGHT,
	  .render = render_size },
	{ N_("RO"), NULL, "ro", N_("read-only"), SCAN_BASICS, .align = TABLE_RIGHT,
	  FIELD(FIELD_BOOL, is_read_only) },
	{ N_("RM"), NULL, "rm", N_("removable"), SCAN_BASICS, .align = TABLE_RIGHT,
	  FIELD(FIELD_BOOL, is_removable) },
	{ N_("HIDDEN"), NULL, "hidden", N_("hidden: a path of NVMe multipath"), SCAN_BASICS,
	  .align = TABLE_RIGHT, FIELD(FIELD_BOOL, is_hidden) },
	{ N_("DISK-SEQ"), NULL, "disk-seq", N_("sequence number of the disk"), SCAN_BASICS,
	  .align = TABLE_RIGHT, .render = render_diskseq },

	{ N_("CLASS"), NULL, "class", N_("what kind of device it is"), SCAN_CLASS,
	  .render = render_class },
	{ N_("CONFIDENCE"), NULL, "confidence", N_("how sure the class is"), SCAN_CLASS,
	  .render = render_confidence },
	{ N_("EVIDENCE"), NULL, "evidence", N_("facts that the class rests on"), SCAN_CLASS,
	  .align = TABLE_CUT, FIELD(FIELD_LIST, evidence) },
	{ N_("TRANSPORT"), "TRAN", "transport", N_("how it is attached"), SCAN_IDENTITY,
	  FIELD(FIELD_STRING, transport) },
	{ N_("MODEL"), NULL, "model", N_("model"), SCAN_IDENTITY, .align = TABLE_CUT,
	  FIELD(FIELD_STRING, model) },
	{ N_("VENDOR"), NULL, "vendor", N_("vendor"), SCAN_IDENTITY, .align = TABLE_CUT,
	  FIELD(FIELD_STRING, vendor) },
	{ N_("SERIAL"), NULL, "serial", N_("serial number"), SCAN_IDENTITY,
	  FIELD(FIELD_STRING, serial) },
	{ N_("WWN"), NULL, "wwn", N_("world-wide name"), SCAN_IDENTITY,
	  FIELD(FIELD_STRING, wwn) },
	{ N_("REV"), NULL, "rev", N_("firmware revision"), SCAN_IDENTITY,
	  FIELD(FIELD_STRING, revision) },
	{ N_("DRIVER"), NULL, "driver", N_("kernel driver"), SCAN_IDENTITY,
	  FIELD(FIELD_STRING, driver) },

	{ N_("ROTA"), NULL, "rota", N_("the driver says that it spins"), .align = TABLE_RIGHT,
	  .render = render_rotational },
	{ N_("ZONED"), NULL, "zoned", N_("zone model"), SCAN_BASICS,
	  FIELD(FIELD_CHARS, zoned) },
	{ N_("HWQ"), NULL, "hwq", N_("hardware queues"), SCAN_HWQUEUES, .align = TABLE_RIGHT,
	  FIELD(FIELD_COUNT, hw_queues) },
	{ N_("RQ-SIZE"), NULL, "rq-size", N_("requests that may wait (nr_requests)"),
	  SCAN_NR_REQUESTS, .align = TABLE_RIGHT, .file = "nr_requests" },
	{ N_("RA"), NULL, "ra", N_("readahead in KiB"), SCAN_QUEUE, .align = TABLE_RIGHT,
	  .file = "read_ahead_kb" },
	{ N_("SCHED"), NULL, "sched", N_("scheduler in force"), SCAN_SCHEDULER,
	  .render = render_scheduler },
	{ N_("AVAILABLE"), NULL, "available", N_("schedulers that the queue offers"),
	  SCAN_SCHEDULER, .render = render_available },
	{ N_("WANTED"), NULL, "wanted", N_("scheduler that the profile wants"), 0, true,
	  .render = render_wanted },
	{ N_("ORIGIN"), NULL, "origin", N_("file and line that want it"), 0, true,
	  .render = render_origin },
	{ N_("STATE"), NULL, "state",
	  N_("in-force, drift, blocked, left-alone, below (in the devices below), none"),
	  0, true, .render = render_state },
	{ N_("REASON"), NULL, "reason", N_("why it is left alone or blocked"), 0, true,
	  .align = TABLE_CUT, .render = render_reason },
	{ N_("CHANGES"), NULL, "changes", N_("writes that apply would make"), 0, true,
	  .align = TABLE_RIGHT, .render = render_changes },
	{ N_("INFLIGHT-R"), NULL, "inflight-reads", N_("reads in flight"), SCAN_INFLIGHT,
	  .align = TABLE_RIGHT, FIELD(FIELD_U64, inflight_reads) },
	{ N_("INFLIGHT-W"), NULL, "inflight-writes", N_("writes in flight"), SCAN_INFLIGHT,
	  .align = TABLE_RIGHT, FIELD(FIELD_U64, inflight_writes) },

	{ N_("LEVEL"), NULL, "level", N_("where its scheduler is: own, below, none"),
	  SCAN_STACK, .render = render_level },
	{ N_("OWNERS"), NULL, "owners", N_("devices below that own the scheduler"),
	  SCAN_STACK, FIELD(FIELD_LIST, owners) },
	{ N_("SLAVES"), NULL, "slaves", N_("devices below"), SCAN_STACK,
	  FIELD(FIELD_LIST, slaves) },
	{ N_("HOLDERS"), NULL, "holders", N_("devices above"), SCAN_STACK,
	  FIELD(FIELD_LIST, holders) },
	{ N_("PATHS"), NULL, "paths", N_("paths of a multipath device"), SCAN_STACK,
	  FIELD(FIELD_LIST, paths) },
	{ N_("HEAD"), NULL, "head", N_("multipath device that it is a path of"), SCAN_STACK,
	  FIELD(FIELD_STRING, head) },
	{ N_("DM-NAME"), NULL, "dm-name", N_("name of a mapped device"), SCAN_STACK,
	  FIELD(FIELD_STRING, dm_name) },
	{ N_("LOOP-FILE"), NULL, "loop-file", N_("file behind a loop device"), SCAN_STACK,
	  .align = TABLE_CUT, FIELD(FIELD_STRING, loop_file) },
	{ N_("FSTYPE"), NULL, "fstype", N_("file system on the whole disk"), SCAN_CONTENT,
	  FIELD(FIELD_STRING, content.fs_type) },
	{ N_("PTTYPE"), NULL, "pttype", N_("partition table"), SCAN_CONTENT,
	  FIELD(FIELD_STRING, content.table_type) },
	{ N_("MOUNTPOINTS"), NULL, "mountpoints",
	  N_("where it, its partitions and what is above are mounted"), SCAN_MOUNTS,
	  .align = TABLE_CUT, .render = render_mounts },

	{ N_("MIN-IO"), NULL, "min-io", N_("minimum I/O size"), SCAN_QUEUE_ALL,
	  .align = TABLE_RIGHT, .file = "minimum_io_size" },
	{ N_("OPT-IO"), NULL, "opt-io", N_("optimal I/O size"), SCAN_QUEUE_ALL,
	  .align = TABLE_RIGHT, .file = "optimal_io_size" },
	{ N_("PHY-SEC"), NULL, "phy-sec", N_("physical sector size"), SCAN_QUEUE_ALL,
	  .align = TABLE_RIGHT, .file = "physical_block_size" },
	{ N_("LOG-SEC"), NULL, "log-sec", N_("logical sector size"), SCAN_QUEUE_ALL,
	  .align = TABLE_RIGHT, .file = "logical_block_size" },
	{ N_("DISC-GRAN"), NULL, "disc-gran", N_("discard granularity"), SCAN_QUEUE_ALL,
	  .align = TABLE_RIGHT, .file = "discard_granularity" },
	{ N_("DISC-MAX"), NULL, "disc-max", N_("largest discard"), SCAN_QUEUE_ALL,
	  .align = TABLE_RIGHT, .file = "discard_max_bytes" },
	{ N_("WSAME"), NULL, "wsame", N_("largest write-same"), SCAN_QUEUE_ALL,
	  .align = TABLE_RIGHT, .file = "write_same_max_bytes" },
	{ N_("RAND"), NULL, "rand", N_("feeds the entropy pool"), SCAN_QUEUE,
	  .align = TABLE_RIGHT, .file = "add_random" },
	{ N_("DAX"), NULL, "dax", N_("memory of the device can be mapped"), SCAN_QUEUE_ALL,
	  .align = TABLE_RIGHT, .file = "dax" },
};
/* clang-format on */

const struct column *column_get(size_t index)
{
	return index < ARRAY_SIZE(columns) ? &columns[index] : NULL;
}

const char *column_state(const struct column_row *row)
{
	if (!row->policy)
		return NULL;
	switch (row->policy->state) {
	case POLICY_LEFT:
		return N_("left-alone");
	case POLICY_BELOW:
		return N_("below");
	case POLICY_NONE:
		return N_("none");
	case POLICY_SET:
		break;
	}
	if (!row->plan)
		return NULL;
	switch (row->plan->state) {
	case PLAN_CHANGE:
		return N_("drift");
	case PLAN_BLOCKED:
		return N_("blocked");
	case PLAN_SKIPPED:
		return N_("left-alone");
	case PLAN_IN_FORCE:
		break;
	}
	return N_("in-force");
}
