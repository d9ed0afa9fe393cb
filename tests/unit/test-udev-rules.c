// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Details of the generated udev rules: every attribute, every condition, overrides, what
 * is left alone, what is refused, and text that cannot break out.
 */
#include "test.h"

#include <dirent.h>

#include "udev-policy.h"

/* --- one profile on one host ------------------------------------------------------------ */

struct setting {
	struct root *root;
	struct policy_overrides *overrides;
	struct device_list *devices;
	struct profile *profile;
	struct policy_request request;
	struct strv left;
	char *rules, *dir;
};

/* `host`: a fixture's name, or the text of a snapshot. */
static struct setting open_setting(const char *host, const char *json)
{
	struct setting setting = { .dir = test_scratch_new() };
	const struct device_override *classes;
	struct diag diag = { 0 };
	size_t count;
	char path[4096];

	if (strchr(host, '\n')) {
		test_write(setting.dir, "host", host);
		snprintf(path, sizeof(path), "%s/host", setting.dir);
	} else {
		snprintf(path, sizeof(path), HOSTS "/%s", host);
	}
	assert_int_equal(root_open(path, &setting.root, &diag), 0);
	if (policy_overrides_load(setting.root, &setting.overrides, &diag))
		fail_msg("%s:%u: %s", diag.where, diag.line, diag.text);
	classes = policy_overrides_classes(setting.overrides, &count);
	assert_int_equal(device_scan(setting.root, SCAN_ALL, classes, count,
				     &setting.devices, &diag),
			 0);
	if (profile_parse(NULL, PROFILES, json, strlen(json), "p.json", &setting.profile,
			  &diag))
		fail_msg("%s:%u: %s", diag.where, diag.line, diag.text);
	setting.request = (struct policy_request){ .profile = setting.profile,
						   .overrides = setting.overrides };
	setting.rules = render(&setting.request, NULL, &setting.left);
	return setting;
}

static void close_setting(struct setting *setting)
{
	free(setting->rules);
	strv_done(&setting->left);
	profile_free(setting->profile);
	device_list_free(setting->devices);
	policy_overrides_free(setting->overrides);
	root_free(setting->root);
	test_scratch_done(setting->dir);
}

static struct eval *new_eval(struct setting *setting, const char *name,
			     const char *devtype)
{
	struct eval *eval = calloc(1, sizeof(*eval));

	assert_non_null(eval);
	eval->root = setting->root;
	eval->device = device_find_by_name(setting->devices, name);
	assert_non_null(eval->device);
	eval->host = setting->devices->host;
	eval->devices = setting->devices;
	eval->devtype = devtype;
	return eval;
}

static struct eval *run_rules(struct setting *setting, const char *name,
			      const char *devtype)
{
	struct eval *eval = new_eval(setting, name, devtype);

	eval_run(eval, setting->rules);
	return eval;
}

/* What is written to one attribute of a device; "" for nothing. */
static void assert_written(struct setting *setting, const char *device, const char *file,
			   const char *expected)
{
	struct eval *eval = run_rules(setting, device, "disk");
	const char *have = eval_get(eval->written, eval->written_count, file);

	if (strcmp(have ? have : "", expected))
		fail_msg("%s: %s = %s, not %s", device, file, have ? have : "(nothing)",
			 expected);
	free(eval);
}

/* Every attribute that a profile may set, on a host with many kinds of disk. */
static void test_all_attributes(void **state)
{
	static const char json[] =
		"{\"name\":\"p\",\"summary\":\"s\",\"rules\":["
		"{\"match\":{\"class\":[\"hdd\",\"usb\",\"virtual\"]},\"scheduler\":["
		"\"bfq\",\"mq-deadline\"],"
		"\"iosched\":{\"bfq\":{\"fifo_expire_sync\":99,\"back_seek_penalty\":3,"
		"\"strict_guarantees\":1,\"slice_idle_us\":500,\"low_latency\":0},"
		"\"mq-deadline\":{\"read_expire\":\"50ms\",\"write_expire\":700,\"writes_"
		"starved\":3,"
		"\"front_merges\":0,\"fifo_batch\":4,\"prio_aging_expire\":500,\"async_"
		"depth\":32},"
		"\"cfq\":{\"slice_idle\":0}},"
		"\"queue\":{\"nr_requests\":128,\"read_ahead_kb\":\"1M\",\"max_sectors_"
		"kb\":128,"
		"\"nomerges\":1,\"rq_affinity\":2,\"iostats\":0,\"add_random\":0,\"io_"
		"timeout\":\"20s\","
		"\"wbt_lat_usec\":1000},\"why\":\"w\"},"
		"{\"scheduler\":[\"kyber\",\"none\"],\"iosched\":{\"kyber\":{\"read_lat_"
		"nsec\":1000}},"
		"\"queue\":{\"read_ahead_kb\":64,\"max_sectors_kb\":64,\"wbt_lat_usec\":"
		"0},\"why\":\"w\"}]}";
	struct count count = { 0 };
	DIR *dir = opendir(HOSTS);

	(void)state;
	assert_non_null(dir);
	for (struct dirent *entry; (entry = readdir(dir));) {
		struct setting setting;

		if (!text_ends_with(entry->d_name, ".txt"))
			continue;
		setting = open_setting(entry->d_name, json);
		check_policy(entry->d_name, "all attributes", setting.root,
			     setting.devices, &setting.request, &count);
		close_setting(&setting);
	}
	closedir(dir);
	print_message(
		"all attributes: %u devices, %u values equal, 0 different, %u writes\n",
		count.devices, count.values, count.written);
	assert_true(count.values >= 200);
}

#define DISK(name, path, number)                                                         \
	"/sys/block/" name " -> ../devices/" path "/block/" name "\n"                    \
	"/sys/devices/" path "/block/" name "/dev = " number "\n"                        \
	"/sys/devices/" path "/block/" name "/removable = 0\n"                           \
	"/sys/devices/" path "/block/" name "/queue/rotational = 1\n"                    \
	"/sys/devices/" path "/block/" name "/queue/nr_requests := 256\n"                \
	"/sys/devices/" path "/block/" name                                              \
	"/queue/scheduler := [none] mq-deadline kyber\n"
#define TWO_DISKS                                                                        \
	"# iosched-tune snapshot 1\n/proc/sys/kernel/osrelease = 6.1.0\n" DISK(          \
		"sda", "pci0/ata1/host0/t/0:0:0:0",                                      \
		"8:0") "/sys/devices/pci0/ata1/host0/t/0:0:0:0/block/sda/size = "        \
		       "2000000\n"                                                       \
		       "/sys/devices/pci0/ata1/host0/t/0:0:0:0/block/sda/device/vendor " \
		       "= ATA\n"                                                         \
		       "/sys/devices/pci0/ata1/host0/t/0:0:0:0/block/sda/device/model "  \
		       "= Fast Disk 100\n"                                               \
		       "/run/udev/data/b8:0 = "                                          \
		       "I:1\\nE:ID_SERIAL_SHORT=S\\nE:ID_WWN=0x5000c5001\\n"             \
		       "E:ID_MODEL=Fast_Disk_100_GB_Edition\\nE:ID_MODEL_ENC="           \
		       "Fast\\\\x20Disk\\\\x20100\\\\x20GB\\\\x20Edition\\n"             \
		       "S:disk/by-id/ata-Fast_Disk_S\\nS:disk/by-path/"                  \
		       "pci-0-ata-1\\nE:ID_PATH=pci-0-ata-1\n" DISK(                     \
			       "sdb", "pci0/ata2/host1/t/1:0:0:0",                       \
			       "8:16") "/sys/devices/pci0/ata2/host1/t/1:0:0:0/block/"   \
				       "sdb/size = 4000000\n"                            \
				       "/sys/devices/pci0/ata2/host1/t/1:0:0:0/block/"   \
				       "sdb/device/vendor = ATA\n"                       \
				       "/sys/devices/pci0/ata2/host1/t/1:0:0:0/block/"   \
				       "sdb/device/model = Slow Disk\n"                  \
				       "/run/udev/data/b8:16 = "                         \
				       "I:1\\nE:ID_SERIAL_SHORT=T\\nE:ID_WWN="           \
				       "0x5000c5002\n"

/* Each condition takes sda and leaves sdb, in the policy and in the rules. */
static void test_conditions(void **state)
{
	static const char *const conditions[] = {
		"\"model\":\"fast disk*\"",
		"\"model\":[\"x\",\"*100 gb*\"]",
		"\"wwn\":\"naa.5000c5001\"",
		"\"wwn\":\"5000C5001\"",
		"\"wwn\":\"*001\"",
		"\"serial\":\"s\"",
		"\"by-id\":\"ata-fast*\"",
		"\"by-id\":\"/dev/disk/by-id/ata-Fast_Disk_S\"",
		"\"by-path\":\"pci-0-ata-1\"",
		"\"size\":{\"max\":\"1500000K\"}",
		"\"size\":{\"min\":1000,\"max\":1024000000}",
		"\"vendor\":\"ata\",\"serial\":[\"S\",\"Q\"]",
		"\"transport\":\"sata\",\"model\":\"F*\"",
		"\"rotational\":true,\"removable\":false,\"serial\":\"S\"",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(conditions); i++) {
		struct count count = { 0 };
		struct setting setting;
		char json[512];

		snprintf(json, sizeof(json),
			 "{\"name\":\"p\",\"summary\":\"s\",\"rules\":[{\"match\":{%s},"
			 "\"scheduler\":\"kyber\","
			 "\"why\":\"w\"}]}",
			 conditions[i]);
		setting = open_setting(TWO_DISKS, json);
		check_policy("two disks", conditions[i], setting.root, setting.devices,
			     &setting.request, &count);
		if (count.values != 1)
			fail_msg("%s: the policy fits %u disks", conditions[i],
				 count.values);
		assert_written(&setting, "sda", "queue/scheduler", "kyber");
		assert_written(&setting, "sdb", "queue/scheduler", "");
		close_setting(&setting);
	}
}

/* Overrides come first, the last file before the others; a class may be set by hand. */
static void test_overrides(void **state)
{
	static const char host[] = TWO_DISKS
		"/etc/iosched-tune/devices.d/10-a.json = {\"devices\":["
		"{\"match\":{\"serial\":\"S\"},\"scheduler\":\"mq-deadline\",\"queue\":{"
		"\"nr_requests\":64},\"why\":\"w\"},"
		"{\"match\":{\"serial\":\"T\"},\"class\":\"nvme\",\"why\":\"w\"}]}\n"
		"/etc/iosched-tune/devices.d/20-b.json = {\"devices\":["
		"{\"match\":{\"by-path\":\"pci-0-ata-1\"},\"queue\":{\"nr_requests\":32},"
		"\"why\":\"w\"}]}\n";
	struct count count = { 0 };
	struct setting setting = open_setting(
		host, "{\"name\":\"p\",\"summary\":\"s\",\"rules\":["
		      "{\"match\":{\"class\":\"hdd\"},\"scheduler\":\"kyber\",\"queue\":{"
		      "\"nr_requests\":128},\"why\":\"w\"},"
		      "{\"match\":{\"class\":\"nvme\"},\"queue\":{\"nr_requests\":16},"
		      "\"why\":\"w\"}]}");

	(void)state;
	check_policy("two disks", "overrides", setting.root, setting.devices,
		     &setting.request, &count);
	assert_int_equal(count.values, 3);
	assert_written(&setting, "sda", "queue/scheduler", "mq-deadline");
	assert_written(&setting, "sda", "queue/nr_requests", "32");
	assert_written(&setting, "sdb", "queue/scheduler", "");
	assert_written(&setting, "sdb", "queue/nr_requests", "16");
	close_setting(&setting);
}

/* Partitions have no queue; what is right already is not written (user problems 1, 9). */
static void test_whole_disks_and_no_needless_write(void **state)
{
	struct setting setting = open_setting(
		TWO_DISKS,
		"{\"name\":\"p\",\"summary\":\"s\",\"rules\":[{\"scheduler\":\"none\","
		"\"queue\":{\"nr_requests\":256},\"why\":\"w\"}]}");
	struct eval *eval = run_rules(&setting, "sda", "partition");

	(void)state;
	assert_int_equal(eval->written_count, 0);
	free(eval);
	eval = run_rules(&setting, "sda", "disk");
	assert_string_equal(eval_get(eval->env, eval->env_count, ".IOSCHED_SCHEDULER"),
			    "none");
	assert_int_equal(eval->written_count, 0);
	close_setting(&setting);
	free(eval);
	setting = open_setting(
		TWO_DISKS,
		"{\"name\":\"p\",\"summary\":\"s\",\"rules\":[{\"scheduler\":\"kyber\","
		"\"queue\":{\"nr_requests\":64},\"why\":\"w\"}]}");
	eval = run_rules(&setting, "sda", "partition");
	assert_int_equal(eval->written_count, 0);
	free(eval);
	eval = run_rules(&setting, "sda", "disk");
	assert_int_equal(eval->written_count, 2);
	assert_string_equal(eval->written[0].key, "queue/scheduler"); /* first */
	free(eval);
	close_setting(&setting);
}

/* Refused for a moment: one more event, and no more than five (Linux 6.18 on). */
static void test_busy(void **state)
{
	static const char *const attributes[] = { "queue/scheduler",
						  "queue/nr_requests" };
	struct setting setting = open_setting(
		TWO_DISKS,
		"{\"name\":\"p\",\"summary\":\"s\",\"rules\":[{\"scheduler\":\"kyber\","
		"\"queue\":{\"nr_requests\":64},\"why\":\"w\"}]}");

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(attributes); i++) {
		for (int tries = 0; tries <= 5; tries++) {
			struct eval *eval = new_eval(&setting, "sda", "disk");
			char before[16] = "", after[16];

			if (tries)
				snprintf(before, sizeof(before), "%d", tries);
			snprintf(after, sizeof(after), "%d", tries < 5 ? tries + 1 : 5);
			eval->busy = attributes[i];
			eval_set(eval->env, &eval->env_count, "IOSCHED_TUNE_RETRY",
				 before);
			eval_run(eval, setting.rules);
			assert_int_equal(eval->events, tries < 5);
			assert_string_equal(eval_get(eval->env, eval->env_count,
						     "IOSCHED_TUNE_RETRY"),
					    after);
			free(eval);
		}
	}
	struct eval *eval = run_rules(&setting, "sda", "disk");

	assert_int_equal(eval->events, 0);
	assert_string_equal(eval_get(eval->env, eval->env_count, "IOSCHED_TUNE_RETRY"),
			    "");
	free(eval);
	close_setting(&setting);
}

/* A module is loaded only when it is wanted and not offered (user problem 12). */
static void test_modules(void **state)
{
	static const char json[] =
		"{\"name\":\"p\",\"summary\":\"s\",\"rules\":[{\"match\":{\"serial\":"
		"\"S\"},\"scheduler\":[\"bfq\",\"kyber\"],\"why\":\"w\"}]}";
	struct setting setting = open_setting(
		TWO_DISKS "/lib/modules/6.1.0/modules.dep = kernel/block/bfq.ko:\n",
		json);
	struct eval *eval = run_rules(&setting, "sda", "disk");

	(void)state;
	assert_int_equal(eval->module_loads, 1);
	assert_string_equal(
		eval_get(eval->written, eval->written_count, "queue/scheduler"), "bfq");
	free(eval);
	eval = run_rules(&setting, "sdb", "disk");
	assert_int_equal(eval->module_loads, 0);
	free(eval);
	close_setting(&setting);
	setting =
		open_setting(TWO_DISKS, json); /* no such module: the next of the list */
	assert_written(&setting, "sda", "queue/scheduler", "kyber");
	close_setting(&setting);
}

/* Hidden paths are left to the unit that their head asks for (user problem 4). */
static void test_hidden_paths(void **state)
{
	struct setting setting = open_setting(
		"linux-7.2-nvme-multipath.txt",
		"{\"name\":\"p\",\"summary\":\"s\",\"rules\":[{\"match\":{\"class\":["
		"\"nvme\",\"nvme-path\"]},"
		"\"scheduler\":\"kyber\",\"why\":\"w\"},{\"match\":{\"role\":\"root\"},"
		"\"scheduler\":\"none\",\"why\":\"w\"}]}");
	struct strv left = { 0 };
	struct eval *eval;

	(void)state;
	assert_int_equal(setting.left.count, 2);
	assert_non_null(strstr(setting.left.items[0], "p.json:1: hidden paths"));
	assert_null(strstr(setting.rules, "SYSTEMD_WANTS"));
	free(setting.rules);
	setting.rules = render(&setting.request, "iosched-tune@", &left);
	assert_int_equal(left.count, 1);
	assert_non_null(strstr(left.items[0], "what a disk is used for"));
	eval = run_rules(&setting, "nvme0n1", "disk");
	assert_string_equal(eval_get(eval->env, eval->env_count, "SYSTEMD_WANTS"),
			    "iosched-tune@%k.service");
	assert_int_equal(eval->written_count, 0);
	free(eval);
	strv_done(&left);
	close_setting(&setting);
}

/* Where it is known that there are none, nothing is said of them. */
static void test_no_hidden_paths_here(void **state)
{
	struct setting setting = open_setting(
		"linux-6.1-stack.txt",
		"{\"name\":\"p\",\"summary\":\"s\",\"rules\":[{\"match\":{\"class\":["
		"\"nvme\",\"nvme-path\"]},\"scheduler\":\"kyber\",\"why\":\"w\"},"
		"{\"match\":{\"class\":\"nvme-path\"},\"scheduler\":\"kyber\",\"why\":\"w\"},"
		"{\"match\":{\"hidden\":true},\"scheduler\":\"none\",\"why\":\"w\"},"
		"{\"match\":{\"role\":\"root\"},\"scheduler\":\"none\",\"why\":\"w\"}]}");
	struct udev_input input = { .policy = &setting.request, .is_without_hidden = true };
	struct strv left = { 0 };
	struct text rules = { 0 };

	(void)state;
	assert_int_equal(setting.left.count, 4);
	assert_int_equal(udev_render(&input, &rules, &left), 0);
	assert_int_equal(left.count, 1);
	assert_non_null(strstr(left.items[0], "what a disk is used for"));
	/* only said, or not: the rules are the same */
	assert_string_equal(rules.data, setting.rules);
	text_done(&rules);
	strv_done(&left);
	close_setting(&setting);
}

/* An event of the controller nvme1: the unit that it starts, NULL for none. */
static const char *find_unit(struct setting *setting, const char *action,
			     const char *nvme_event, const char *release, bool has_head)
{
	static char wants[512];
	char name[] = "nvme1", path[] = "sys/devices/nvme/nvme1", text[64];
	struct device controller = { .name = name, .sys_name = name, .sys_path = path };
	struct host host = { .release = text };
	struct eval *eval = new_eval(setting, "nvme0n1", "disk");
	const char *found;

	snprintf(text, sizeof(text), "%s", release);
	eval->device = &controller;
	eval->host = &host;
	eval->action = action;
	eval->subsystem = "nvme";
	eval_set(eval->env, &eval->env_count, "NVME_EVENT", nvme_event);
	if (has_head)
		eval_set(eval->env, &eval->env_count, "/run/udev/tags/iosched_tune_head",
			 "set");
	eval_run(eval, setting->rules);
	assert_int_equal(eval->written_count, 0);
	found = eval_get(eval->env, eval->env_count, "SYSTEMD_WANTS");
	if (found)
		snprintf(wants, sizeof(wants), "%s", found);
	free(eval);
	return found ? wants : NULL;
}

/*
 * A path that comes when its head is there already has no event, its controller has: when
 * it has connected, and before Linux 5.18 only when it appears. A machine without heads
 * runs nothing (user problem 4).
 */
static void test_later_paths(void **state)
{
	static const char unit[] = "iosched-tune@%k.service";
	struct setting setting = open_setting(
		"linux-7.2-nvme-multipath.txt",
		"{\"name\":\"p\",\"summary\":\"s\",\"rules\":[{\"match\":{\"class\":["
		"\"nvme\",\"nvme-path\"]},\"scheduler\":\"kyber\",\"why\":\"w\"}]}");
	struct eval *eval;

	(void)state;
	assert_null(strstr(setting.rules, "iosched_tune_head")); /* no unit, no tag */
	free(setting.rules);
	setting.rules = render(&setting.request, "iosched-tune@", &setting.left);
	eval = run_rules(&setting, "nvme0n1", "disk");
	assert_non_null(
		eval_get(eval->env, eval->env_count, "/run/udev/tags/iosched_tune_head"));
	free(eval);
	eval = new_eval(&setting, "nvme0n1", "disk");
	eval->action = "change"; /* a tag holds for one event */
	eval_run(eval, setting.rules);
	assert_non_null(
		eval_get(eval->env, eval->env_count, "/run/udev/tags/iosched_tune_head"));
	assert_null(eval_get(eval->env, eval->env_count, "SYSTEMD_WANTS"));
	free(eval);

	assert_string_equal(
		find_unit(&setting, "change", "connected", "6.1.0-28-amd64", true), unit);
	assert_null(find_unit(&setting, "change", "connected", "6.1.0-28-amd64", false));
	assert_null(find_unit(&setting, "change", "", "6.1.0-28-amd64", true));
	assert_null(find_unit(&setting, "remove", "connected", "6.1.0-28-amd64", true));
	assert_null(find_unit(&setting, "add", "", "6.1.0-28-amd64", true));
	assert_null(find_unit(&setting, "add", "", "5.18.0", true));
	assert_string_equal(find_unit(&setting, "add", "", "5.17.1", true), unit);
	assert_string_equal(find_unit(&setting, "add", "", "5.10.0-33-amd64", true),
			    unit);
	assert_string_equal(find_unit(&setting, "add", "", "5.4.0", true), unit);
	assert_string_equal(find_unit(&setting, "add", "", "4.18.0-553.el8", true), unit);
	assert_null(find_unit(&setting, "add", "", "5.10.0-33-amd64", false));
	close_setting(&setting);
}

/* udevadm verify dislikes a label that nothing jumps to. */
static void test_labels_are_used(void **state)
{
	static const char *const profiles[] = {
		"{\"name\":\"p\",\"summary\":\"s\",\"rules\":[{\"scheduler\":\"none\","
		"\"why\":\"w\"}]}",
		"{\"name\":\"p\",\"summary\":\"s\",\"rules\":[{\"match\":{\"class\":"
		"\"hdd\"},"
		"\"scheduler\":\"keep\",\"why\":\"w\"}]}",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(profiles); i++) {
		struct setting setting = open_setting(TWO_DISKS, profiles[i]);

		for (const char *p = setting.rules; (p = strstr(p, "LABEL=\"")); p++) {
			char jump[128];
			size_t len = strcspn(p + 7, "\"");

			snprintf(jump, sizeof(jump), "GOTO=\"%.*s\"", (int)len, p + 7);
			if (!strstr(setting.rules, jump))
				fail_msg("no %s", jump);
		}
		close_setting(&setting);
	}
}

/* Names from a profile cannot end the quotes or the line that they stand in. */
static void test_nothing_breaks_out(void **state)
{
	struct setting setting = open_setting(
		TWO_DISKS, "{\"name\":\"p\",\"summary\":\"s\",\"rules\":[{\"match\":{"
			   "\"model\":\"a\\\", RUN+=\\\"/bin/sh\","
			   "\"serial\":[\"x\\nKERNEL==\\\"*\\\", "
			   "RUN+=\\\"/bin/sh\\\"\",\"|*\",\"$attr{x}%k\"],"
			   "\"by-id\":\"\\\\\\\"q\"},\"scheduler\":\"kyber\",\"why\":"
			   "\"w\\n\\\"RUN\\\"\\\\\"}]}");
	unsigned quotes = 0;

	(void)state;
	for (const char *line = setting.rules; *line;) {
		size_t len = strcspn(line, "\n");

		assert_false(len > 4 && !strncmp(line, "RUN+", 4));
		assert_false(len && line[len - 1] == '\\');
		for (size_t i = 0; *line != '#' && i < len; i++)
			quotes += line[i] == '"';
		assert_true(quotes % 2 == 0);
		line += len + (line[len] == '\n');
	}
	assert_null(strstr(setting.rules, "\"|\""));
	assert_written(&setting, "sda", "queue/scheduler", "");
	close_setting(&setting);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_attributes),
		cmocka_unit_test(test_conditions),
		cmocka_unit_test(test_overrides),
		cmocka_unit_test(test_whole_disks_and_no_needless_write),
		cmocka_unit_test(test_busy),
		cmocka_unit_test(test_modules),
		cmocka_unit_test(test_hidden_paths),
		cmocka_unit_test(test_no_hidden_paths_here),
		cmocka_unit_test(test_later_paths),
		cmocka_unit_test(test_labels_are_used),
		cmocka_unit_test(test_nothing_breaks_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
