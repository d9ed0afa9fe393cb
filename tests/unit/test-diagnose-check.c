// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Where the checks draw their lines. Whole hosts are in tests/cli/diagnose.sh.
 */
#include "diagnose-fixture.h"

static void test_health(void **state)
{
	struct scene scene = scene_new();
	struct smart smart = { .state = SMART_NO_TOOL };

	(void)state;
	scene.input.smart = &smart;
	assert_true(scene_finds(&scene, diagnose_health, "smart", FINDING_UNKNOWN));
	smart = (struct smart){ .state = SMART_TIMEOUT };
	assert_true(scene_finds(&scene, diagnose_health, "smart", FINDING_WARN));
	smart = (struct smart){ .state = SMART_KNOWN, .is_passed = 1, .temperature_c = 60 };
	assert_true(scene_finds(&scene, diagnose_health, "hot", FINDING_WARN));
	scene.device->class = CLASS_NVME;
	assert_false(scene_finds(&scene, diagnose_health, "hot", FINDING_WARN));
	smart.critical_warning = 2;
	assert_true(scene_finds(&scene, diagnose_health, "critical-warning", FINDING_BAD));
	smart.critical_warning = -1;
	smart.used_percent = 100;
	assert_true(scene_finds(&scene, diagnose_health, "worn-out", FINDING_WARN));
	test_write(scene.dir, "sys/block/sda/device/state", "offline\n");
	assert_true(scene_finds(&scene, diagnose_health, "device-state", FINDING_BAD));
	test_write(scene.dir, "sys/block/sda/device/iotmo_cnt", "0x2\n");
	assert_true(scene_finds(&scene, diagnose_health, "timeouts", FINDING_BAD));
	test_write(scene.dir, "sys/block/sda/device/ioerr_cnt", "0x14\n");
	test_write(scene.dir, "sys/block/sda/device/iodone_cnt", "0x4000\n");
	assert_true(scene_finds(&scene, diagnose_health, "command-errors", FINDING_WARN));
	test_write(scene.dir, "sys/block/sda/device/ioerr_cnt", "0x13\n");
	assert_false(scene_finds(&scene, diagnose_health, "command-errors", FINDING_WARN));
	test_write(scene.dir, "sys/block/sda/device/pre_eol_info", "0x03\n");
	assert_true(scene_finds(&scene, diagnose_health, "worn-out", FINDING_BAD));
	test_write(scene.dir, "sys/block/sda/md/sync_action", "resync\n");
	assert_true(scene_finds(&scene, diagnose_health, "array-busy", FINDING_WARN));
	scene_done(&scene);
}

static void test_alignment(void **state)
{
	struct scene scene = scene_new();

	(void)state;
	test_write(scene.dir, "sys/block/sda/sda1/start", "63\n");
	test_write(scene.dir, "sys/block/sda/sda1/size", "1000\n");
	assert_false(scene_finds(&scene, diagnose_alignment, "aligned", FINDING_OK));
	test_write(scene.dir, "sys/block/sda/sda1/size", "1000000\n");
	/* blocks of 512 bytes begin everywhere */
	assert_true(scene_finds(&scene, diagnose_alignment, "aligned", FINDING_OK));
	test_write(scene.dir, "sys/block/sda/alignment_offset", "-1\n");
	assert_true(scene_finds(&scene, diagnose_alignment, "misaligned", FINDING_BAD));
	scene_done(&scene);
}

static void set_mount(struct scene *scene, struct device_mount *mount, const char *fstype,
		      const char *options)
{
	static char target[] = "/srv", source[] = "sda1";

	*mount = (struct device_mount){ .source_name = source,
					.target = target,
					.fstype = (char *)(uintptr_t)fstype,
					.options = (char *)(uintptr_t)options };
	scene->device->mounts = mount;
	scene->device->mount_count = 1;
}

static void test_mounts(void **state)
{
	static const struct {
		const char *fstype, *options, *symptom;
		enum finding_level level;
	} rows[] = {
		{ "ext4", "rw,relatime", "mounts", FINDING_OK },
		{ "ext4", "rw,noatime,sync", "sync-mount", FINDING_BAD },
		{ "ext4", "rw,noatime,dirsync", "sync-mount", FINDING_WARN },
		{ "ext3", "rw,relatime,barrier=0", "no-barrier", FINDING_WARN },
		{ "xfs", "rw,noatime,nobarrier", "no-barrier", FINDING_WARN },
		{ "ext4", "rw,relatime,data=journal", "data-journal", FINDING_WARN },
		{ "xfs", "rw,strictatime", "atime", FINDING_WARN },
		{ "ext4", "rw", "atime", FINDING_WARN },
		{ "ext4", "ro", "mounts", FINDING_OK },
		{ "ext4", "rw,relatime,discard", "mounts", FINDING_OK },
		/* a word within a word */
		{ "xfs", "rw,noatime,async,nosync", "mounts", FINDING_OK },
	};
	struct scene scene = scene_new();
	struct device_mount mount;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		set_mount(&scene, &mount, rows[i].fstype, rows[i].options);
		assert_true(scene_finds(&scene, diagnose_mounts, rows[i].symptom,
					rows[i].level));
	}
	scene.device->class = CLASS_SSD;
	set_mount(&scene, &mount, "ext4", "rw,relatime,discard");
	assert_true(scene_finds(&scene, diagnose_mounts, "online-discard", FINDING_WARN));
	set_mount(&scene, &mount, "btrfs", "rw,relatime,discard=async");
	assert_true(scene_finds(&scene, diagnose_mounts, "mounts", FINDING_OK));
	scene_done(&scene);
}

static void expect_figures(struct scene *scene, const char *text)
{
	struct diagnosis found = { 0 };
	bool is_said = false;

	diagnose_load(&scene->input, &found);
	for (size_t i = 0; i < found.count; i++)
		is_said |= strstr(found.items[i].text, text) != NULL;
	diagnosis_done(&found);
	assert_true(is_said);
}

/* Bursts: many at once for a part of a per cent of the time. */
static void test_busy_and_under_way_agree(void **state)
{
	struct scene scene = scene_new();
	struct device_load load = { .seconds = 10, .queue = 0.4, .busy_percent = 0.4,
				    .busy_queue = 100 };

	(void)state;
	scene.input.load = &load;
	load.write = (struct device_flow){ .requests_s = 100, .await_ms = 4 };
	expect_figures(&scene, "0.4 % busy, with 100.0 under way then");
	load.busy_percent = 0;
	load.busy_queue = 0;
	expect_figures(&scene, "less than 0.1 % busy");
	load.busy_percent = 60;
	load.busy_queue = 2;
	expect_figures(&scene, "60 % busy, with 2.0 under way then");
	scene_done(&scene);
}

static void test_load(void **state)
{
	struct scene scene = scene_new();
	struct device_load load = { .seconds = 10 };

	(void)state;
	assert_true(scene_finds(&scene, diagnose_load, "figures", FINDING_UNKNOWN));
	scene.input.load = &load;
	assert_true(scene_finds(&scene, diagnose_load, "idle", FINDING_OK));
	load.busy_percent = 100;
	load.in_flight = 1;
	assert_true(scene_finds(&scene, diagnose_load, "hung", FINDING_BAD));
	load.read = (struct device_flow){ .requests_s = 100, .await_ms = 20 };
	assert_false(scene_finds(&scene, diagnose_load, "saturated", FINDING_BAD));
	load.read.await_ms = 200;
	assert_true(scene_finds(&scene, diagnose_load, "saturated", FINDING_BAD));
	load.busy_percent = 20;
	assert_true(scene_finds(&scene, diagnose_load, "slow-not-busy", FINDING_BAD));
	load.is_since_boot = true;
	assert_false(scene_finds(&scene, diagnose_load, "slow-not-busy", FINDING_BAD));
	load.write = (struct device_flow){ .requests_s = 50, .await_ms = 10 };
	assert_true(scene_finds(&scene, diagnose_load, "reads-starve", FINDING_WARN));
	load.flush = (struct device_flow){ .requests_s = 5, .await_ms = 50 };
	assert_true(scene_finds(&scene, diagnose_load, "flush-bound", FINDING_WARN));
	/* full, or only busy: that depends on what it is */
	scene.device->class = CLASS_NVME;
	load = (struct device_load){ .seconds = 1, .busy_percent = 100 };
	load.read = (struct device_flow){ .requests_s = 90000, .await_ms = 0.3 };
	assert_true(scene_finds(&scene, diagnose_load, "busy-not-full", FINDING_OK));
	load.read.await_ms = 9;
	assert_true(scene_finds(&scene, diagnose_load, "saturated", FINDING_BAD));
	scene_done(&scene);
}

static void test_pattern(void **state)
{
	const struct pattern pattern = { .requests = 100,
					 .reads = 90,
					 .random = 80,
					 .sync = 95,
					 .mean_kib = 8 };
	struct scene scene = scene_new();

	(void)state;
	assert_false(scene_finds(&scene, diagnose_pattern, "pattern", FINDING_OK));
	scene.input.pattern = &pattern;
	assert_true(scene_finds(&scene, diagnose_pattern, "pattern", FINDING_OK));
	assert_true(scene_finds(&scene, diagnose_pattern, "seek-bound", FINDING_WARN));
	scene.device->class = CLASS_SSD;
	assert_false(scene_finds(&scene, diagnose_pattern, "seek-bound", FINDING_WARN));
	scene_done(&scene);
}

static void set_value(struct device_value *value, const char *file, const char *text)
{
	*value = (struct device_value){ .tunable = tunable_find_queue(file) };
	snprintf(value->text, sizeof(value->text), "%s", text);
}

static void test_queue(void **state)
{
	struct scene scene = scene_new();
	struct device_load load = { .seconds = 1, .queue = 15 };
	struct device_value values[4];

	(void)state;
	set_value(&values[0], "nr_requests", "16");
	set_value(&values[1], "read_ahead_kb", "8192");
	set_value(&values[2], "nomerges", "2");
	set_value(&values[3], "iostats", "0");
	scene.device->values = values;
	scene.device->value_count = ARRAY_SIZE(values);
	scene.device->driver_tags = 32;
	scene.input.load = &load;
	assert_int_equal(choice_parse("[mq-deadline] none", &scene.device->scheduler), 0);
	assert_true(scene_finds(&scene, diagnose_queue, "shallow-queue", FINDING_WARN));
	assert_true(scene_finds(&scene, diagnose_queue, "queue-full", FINDING_WARN));
	assert_true(scene_finds(&scene, diagnose_queue, "large-readahead", FINDING_WARN));
	assert_true(scene_finds(&scene, diagnose_queue, "no-merges", FINDING_WARN));
	assert_true(scene_finds(&scene, diagnose_queue, "no-statistics", FINDING_WARN));
	scene.device->hw_queues = 4;
	assert_false(scene_finds(&scene, diagnose_queue, "queue-full", FINDING_WARN));
	assert_int_equal(choice_parse("[none] mq-deadline", &scene.device->scheduler), 0);
	assert_true(scene_finds(&scene, diagnose_queue, "depth", FINDING_OK));
	scene_done(&scene);
}

static void test_interrupts(void **state)
{
	struct scene scene = scene_new();
	struct device_value value;

	(void)state;
	set_value(&value, "rq_affinity", "0");
	scene.device->values = &value;
	scene.device->value_count = 1;
	test_write(scene.dir, "sys/irq", "9\n");
	test_write(scene.dir, "proc/interrupts", "  CPU0 CPU1\n 9: 5 5 IO-APIC x\n");
	assert_true(scene_finds(&scene, diagnose_interrupts, "no-affinity", FINDING_WARN));
	set_value(&value, "rq_affinity", "1");
	assert_true(scene_finds(&scene, diagnose_interrupts, "interrupts", FINDING_OK));
	scene_done(&scene);
}

static void test_layers_and_scheduler(void **state)
{
	static char guest[] = "kvm", managed[] = "host-managed";
	struct scene scene = scene_new();

	(void)state;
	assert_int_equal(choice_parse("[none] bfq", &scene.device->scheduler), 0);
	assert_true(scene_finds(&scene, diagnose_scheduler, "unsorted-disk", FINDING_BAD));
	scene.device->class = CLASS_VIRTUAL;
	assert_true(scene_finds(&scene, diagnose_layers, "guest", FINDING_OK));
	assert_int_equal(choice_parse("none [bfq]", &scene.device->scheduler), 0);
	assert_true(scene_finds(&scene, diagnose_layers, "scheduled-twice", FINDING_WARN));
	test_write(scene.dir, "proc/stat", "cpu  10 0 0 70 0 0 0 20 0 0\n");
	assert_false(scene_finds(&scene, diagnose_layers, "stolen-processor", FINDING_WARN));
	scene.host->virtualisation = guest;
	assert_true(scene_finds(&scene, diagnose_layers, "stolen-processor", FINDING_WARN));
	snprintf(scene.device->zoned, sizeof(scene.device->zoned), "%s", managed);
	scene.host->kernel = (struct kernel_version){ 6, 1, 0 };
	assert_true(scene_finds(&scene, diagnose_scheduler, "zoned-without-order",
				FINDING_BAD));
	scene.host->kernel = (struct kernel_version){ 6, 12, 0 };
	assert_false(scene_finds(&scene, diagnose_scheduler, "zoned-without-order",
				 FINDING_BAD));
	scene.device->class = CLASS_NVME;
	assert_true(scene_finds(&scene, diagnose_scheduler, "costly-scheduler",
				FINDING_WARN));
	scene_done(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_health),	    cmocka_unit_test(test_alignment),
		cmocka_unit_test(test_mounts),	    cmocka_unit_test(test_load), cmocka_unit_test(test_busy_and_under_way_agree),
		cmocka_unit_test(test_pattern),	    cmocka_unit_test(test_queue),
		cmocka_unit_test(test_interrupts),  cmocka_unit_test(test_layers_and_scheduler),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
