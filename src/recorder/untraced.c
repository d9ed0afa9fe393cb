// SPDX-License-Identifier: GPL-2.0-or-later
/* Without libtracefs there is no instance, and nothing that would ask for its events. */
#include "util/feature.h"

#if !HAVE_TRACEFS

#include <errno.h>

#include "recorder/recorder-internal.h"
#include "util/i18n.h"

int recorder_remove_stale(struct diag *diag)
{
	(void)diag;
	return 0;
}

int instance_new(const struct recorder_options *options,
		 const struct disk_numbers *numbers, struct format *format,
		 struct instance **ret, struct diag *diag)
{
	(void)options;
	(void)numbers;
	(void)format;
	(void)ret;
	return diag_set(
		diag, -EOPNOTSUPP,
		_("this iosched-tune was built without libtracefs (1.3 or later)"));
}

void instance_free(struct instance *instance)
{
	(void)instance;
}

int instance_switch(struct instance *instance, bool is_on)
{
	(void)instance;
	(void)is_on;
	return -EOPNOTSUPP;
}

int instance_read(struct instance *instance, unsigned max)
{
	(void)instance;
	(void)max;
	return -EOPNOTSUPP;
}

void instance_end_reading(struct instance *instance)
{
	(void)instance;
}

bool instance_next(struct instance *instance, struct page_event *ret)
{
	(void)instance;
	(void)ret;
	return false;
}

uint64_t instance_count_lost(const struct instance *instance)
{
	(void)instance;
	return 0;
}

int format_new(const struct disk_numbers *numbers, process_namer *find_name, void *context,
	       struct format **ret)
{
	(void)numbers;
	(void)find_name;
	(void)context;
	*ret = NULL;
	return 0;
}

void format_free(struct format *format)
{
	(void)format;
}

int format_add(struct format *format, const struct page_event *event, struct text *ret)
{
	(void)format;
	(void)event;
	(void)ret;
	return -EOPNOTSUPP;
}

uint64_t format_count(const struct format *format)
{
	(void)format;
	return 0;
}

#endif /* !HAVE_TRACEFS */
