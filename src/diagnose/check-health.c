// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Is the disk well? What it says itself (smartctl), and what the kernel counted.
 */
#include "diagnose/diagnose.h"

#include <string.h>

#include "util/i18n.h"

/* Where makers of disks and of flash drives set their limits. */
#define HDD_HOT_C  60
#define SSD_HOT_C  70
#define NVME_HOT_C 80
/* Flash that has so little left is to be replaced in time. */
#define WEAR_LEFT_LOW 10
/* A few refusals while a disk is set up are no errors: drives are asked for pages that
   they do not have. */
#define ERROR_FLOOR 20

static const char replace_it[] =
	N_("copy the data off, then replace the drive: no scheduler helps here");
static const char look_at_log[] = N_("look for the device in the kernel log (dmesg)");

static void check_ata(const struct smart *smart, const struct device *device,
		      struct diagnosis *out)
{
	if (smart->pending > 0)
		finding_add(out, FINDING_BAD, "pending-sectors", replace_it,
			    _("%lld sectors cannot be read and wait to be written anew; "
			      "each read of one takes seconds"),
			    (long long)smart->pending);
	if (smart->uncorrectable > 0)
		finding_add(out, FINDING_BAD, "uncorrectable-sectors", replace_it,
			    _("%lld sectors are beyond correction"),
			    (long long)smart->uncorrectable);
	if (smart->reallocated > 0)
		finding_add(out, FINDING_WARN, "reallocated-sectors",
			    N_("watch whether it grows; then replace the drive"),
			    _("%lld sectors were replaced by spare ones"),
			    (long long)smart->reallocated);
	if (smart->crc_errors > 0)
		finding_add(out, FINDING_WARN, "cable-errors",
			    N_("when it grows, change the cable or the slot"),
			    _("%lld transfers were broken between drive and controller"),
			    (long long)smart->crc_errors);
	if (device->class == CLASS_SSD && smart->wear_left_percent >= 0 &&
	    smart->wear_left_percent <= WEAR_LEFT_LOW)
		finding_add(out, FINDING_WARN, "worn-out", N_("plan the replacement"),
			    _("%lld %% of the flash's life is left"),
			    (long long)smart->wear_left_percent);
}

/* NVM Express base specification, SMART / Health Information log. */
static void check_critical_warning(const struct smart *smart, struct diagnosis *out)
{
	static const char *const bits[] = {
		N_("the spare blocks are used up"),
		N_("it is too hot, or too cold"),
		N_("its media or its inside are failing"),
		N_("it has become read-only"),
		N_("the backup of its volatile memory has failed"),
	};

	for (size_t i = 0; i < ARRAY_SIZE(bits); i++)
		if (smart->critical_warning > 0 && smart->critical_warning >> i & 1)
			finding_add(out, FINDING_BAD, "critical-warning",
				    i == 1 ? N_("cool it: a hot drive slows itself down")
					   : replace_it,
				    _("the drive warns (critical warning 0x%02llx): %s"),
				    (unsigned long long)smart->critical_warning,
				    _(bits[i]));
}

static void check_nvme(const struct smart *smart, struct diagnosis *out)
{
	check_critical_warning(smart, out);
	if (smart->media_errors > 0)
		finding_add(out, FINDING_WARN, "media-errors",
			    N_("watch whether it grows; then replace the drive"),
			    _("%lld blocks could not be read or written"),
			    (long long)smart->media_errors);
	if (smart->used_percent >= 100)
		finding_add(out, FINDING_WARN, "worn-out", N_("plan the replacement"),
			    _("%lld %% of the flash's rated life is used"),
			    (long long)smart->used_percent);
}

static void check_temperature(const struct smart *smart, const struct device *device,
			      struct diagnosis *out)
{
	int64_t limit = device->class == CLASS_HDD || device->class == CLASS_SMR_HDD
				? HDD_HOT_C
			: device->class == CLASS_SSD ? SSD_HOT_C
						     : NVME_HOT_C;

	if (smart->temperature_c >= limit)
		finding_add(out, FINDING_WARN, "hot",
			    N_("cool it: a hot drive slows itself down"),
			    _("it is %lld degrees Celsius hot"),
			    (long long)smart->temperature_c);
}

static void say_unknown(enum smart_state state, struct diagnosis *out)
{
	static const struct {
		const char *text, *advice;
	} words[] = {
		[SMART_NO_TOOL] = { N_("there is no smartctl to ask the drive with"),
				    N_("install the package smartmontools") },
		[SMART_DENIED] = { N_("only root may ask the drive"),
				   N_("run it as root") },
		[SMART_ASLEEP] = { N_("the drive sleeps, and was not woken"), NULL },
		[SMART_TIMEOUT] = { N_("the drive did not answer smartctl in time"),
				    look_at_log },
		[SMART_NOT_ASKED] = { N_("the snapshot does not say what smartctl says"),
				      N_("take it with 'iosched-tune snapshot "
					 "--seconds 10', as root") },
		[SMART_NO_ANSWER] = { N_("the drive, or the bridge before it, tells "
					 "nothing of its health"), NULL },
	};
	enum finding_level level = state == SMART_TIMEOUT ? FINDING_WARN : FINDING_UNKNOWN;

	if (state < ARRAY_SIZE(words) && words[state].text)
		finding_add(out, level, "smart", words[state].advice, "%s",
			    _(words[state].text));
}

static void check_smart(const struct diagnose_input *input, struct diagnosis *out)
{
	const struct smart *smart = input->smart;

	if (!smart || smart->state != SMART_KNOWN) {
		say_unknown(smart ? smart->state : SMART_NOT_FOR, out);
		return;
	}
	if (!smart->is_passed)
		finding_add(out, FINDING_BAD, "failing", replace_it,
			    _("the drive itself says that it is failing"));
	check_ata(smart, input->device, out);
	check_nvme(smart, out);
	check_temperature(smart, input->device, out);
}

/* What the state file of a SCSI device or an NVMe controller reads when all is well. */
static void check_state(const struct diagnose_input *input, struct diagnosis *out)
{
	_free_ char *state = diagnose_read_text(input, "device/state");

	if (state && *state && strcmp(state, "running") != 0 && strcmp(state, "live") != 0)
		finding_add(out, FINDING_BAD, "device-state", look_at_log,
			    _("the kernel has the device as '%s'"), state);
}

static void check_counters(const struct diagnose_input *input, struct diagnosis *out)
{
	uint64_t errors, done, timeouts;

	if (diagnose_read_number(input, "device/iotmo_cnt", &timeouts) && timeouts)
		finding_add(out, FINDING_BAD, "timeouts", look_at_log,
			    _("%llu commands got no answer in time; each held up the "
			      "others for half a minute"),
			    (unsigned long long)timeouts);
	if (!diagnose_read_number(input, "device/ioerr_cnt", &errors) ||
	    errors < ERROR_FLOOR ||
	    !diagnose_read_number(input, "device/iodone_cnt", &done) || !done)
		return;
	/* One in a thousand is felt, one in a hundred is a fault. */
	if (errors * 1000 >= done)
		finding_add(out, errors * 100 >= done ? FINDING_BAD : FINDING_WARN,
			    "command-errors", look_at_log,
			    _("%llu of %llu commands ended in an error"),
			    (unsigned long long)errors, (unsigned long long)done);
}

/* eMMC 5.0: "0x01 0x0a", tenths of the life that are used; pre_eol_info 1 to 3. */
static void check_mmc(const struct diagnose_input *input, struct diagnosis *out)
{
	uint64_t end;

	if (diagnose_read_number(input, "device/pre_eol_info", &end) && end >= 2)
		finding_add(out, end >= 3 ? FINDING_BAD : FINDING_WARN, "worn-out",
			    N_("plan the replacement"),
			    _("the flash's reserve blocks are nearly used up"));
}

static void check_array(const struct diagnose_input *input, struct diagnosis *out)
{
	_free_ char *action = diagnose_read_text(input, "md/sync_action");
	uint64_t missing;

	if (diagnose_read_number(input, "md/degraded", &missing) && missing)
		finding_add(out, FINDING_BAD, "degraded",
			    N_("replace the missing disk; see /proc/mdstat"),
			    _("the array runs without %llu of its disks"),
			    (unsigned long long)missing);
	if (action && (!strcmp(action, "resync") || !strcmp(action, "recover") ||
		       !strcmp(action, "reshape") || !strcmp(action, "check")))
		finding_add(out, FINDING_WARN, "array-busy",
			    N_("wait for it, or lower sync_speed_max of the array"),
			    _("the array is at work for itself (%s), beside what is asked "
			      "of it"),
			    action);
}

void diagnose_health(const struct diagnose_input *input, struct diagnosis *out)
{
	size_t before = out->count;

	check_smart(input, out);
	check_state(input, out);
	check_counters(input, out);
	check_mmc(input, out);
	check_array(input, out);
	if (out->count > before)
		return;
	if (input->smart && input->smart->state == SMART_KNOWN)
		finding_add(out, FINDING_OK, "smart", NULL,
			    _("the drive finds nothing wrong with itself, the kernel "
			      "counted no errors"));
	else
		finding_add(out, FINDING_OK, "smart", NULL,
			    _("the kernel counted no errors"));
}
