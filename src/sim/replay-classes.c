/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Priority classes where the trace does not print them (up to 6.1). The header's fio
 * arguments give each job's class, and fio forks its jobs in order: the n-th lowest process
 * number among fio's processes is the n-th job. Only used when there are as many
 * processes as jobs.
 */
#include <stdlib.h>
#include <string.h>

#include "sim/replay-internal.h"
#include "util/number.h"

#define LEVEL_NONE 4 /* whose process has no priority of its own */

struct fio_job {
	int64_t prio_class, level, jobs;
};

/* "--key=value" where the word begins; NULL for another key. */
static const char *value_of(const char *word, size_t len, const char *key)
{
	size_t key_len = strlen(key);

	if (len <= key_len + 1 || strncmp(word, key, key_len) != 0 || word[key_len] != '=')
		return NULL;
	return word + key_len + 1;
}

static void read_number(const char *word, size_t len, const char *key, int64_t max,
			int64_t *value)
{
	const char *text = value_of(word, len, key);
	char buf[16];
	size_t text_len;

	if (!text)
		return;
	text_len = len - (size_t)(text - word);
	if (text_len >= sizeof(buf))
		return;
	memcpy(buf, text, text_len);
	buf[text_len] = '\0';
	(void)number_parse_range(buf, 0, max, value);
}

/* What stands before the first --name holds for all jobs. */
static unsigned read_jobs(const char *fio, struct fio_job *jobs, unsigned room)
{
	struct fio_job common = { .jobs = 1 }, *at = &common;
	unsigned count = 0;

	while (*fio) {
		size_t len = strcspn(fio, " \t\n");

		if (value_of(fio, len, "--name")) {
			if (count == room)
				return 0;
			at = &jobs[count++];
			*at = common;
		}
		read_number(fio, len, "--prioclass", 3, &at->prio_class);
		read_number(fio, len, "--prio", 7, &at->level);
		read_number(fio, len, "--numjobs", 64, &at->jobs);
		fio += len;
		fio += strspn(fio, " \t\n");
	}
	return count;
}

static int compare_pids(const void *a, const void *b)
{
	const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

static unsigned find_pids(const struct trace_record *records, size_t count, uint32_t *pids,
			  unsigned room)
{
	unsigned found = 0;

	for (size_t i = 0; i < count; i++) {
		unsigned at = 0;

		if (records[i].action != TRACE_GETRQ || strcmp(records[i].comm, "fio") != 0)
			continue;
		while (at < found && pids[at] != records[i].pid)
			at++;
		if (at < found)
			continue;
		if (found == room)
			return 0;
		pids[found++] = records[i].pid;
	}
	qsort(pids, found, sizeof(pids[0]), compare_pids);
	return found;
}

void replay_classes_find(struct replay_classes *classes, const char *fio,
			 const struct trace_record *records, size_t count)
{
	struct fio_job jobs[64];
	uint32_t pids[ARRAY_SIZE(classes->rows)];
	unsigned job_count, pid_count, at = 0;
	int64_t processes = 0;

	*classes = (struct replay_classes){ 0 };
	if (!strstr(fio, "--prioclass"))
		return;
	job_count = read_jobs(fio, jobs, ARRAY_SIZE(jobs));
	pid_count = find_pids(records, count, pids, ARRAY_SIZE(pids));
	for (unsigned i = 0; i < job_count; i++)
		processes += jobs[i].jobs;
	if (pid_count == 0 || processes != pid_count)
		return;

	for (unsigned i = 0; i < job_count; i++) {
		for (int64_t j = 0; j < jobs[i].jobs; j++) {
			/* ioprio numbers: 1 RT, 2 BE, 3 IDLE; 0 is none, served as BE 4. */
			bool has_class = jobs[i].prio_class > 0;
			int64_t class = has_class ? jobs[i].prio_class - 1 : SIM_CLASS_BE;

			classes->rows[at] = (struct replay_class_row){
				.pid = pids[at],
				.class = (uint8_t)class,
				.level = (uint8_t)(has_class ? jobs[i].level : LEVEL_NONE),
			};
			at++;
		}
	}
	classes->count = at;
}
