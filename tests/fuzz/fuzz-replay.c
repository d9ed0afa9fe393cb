// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * libFuzzer: recordings in any order. The first byte chooses kernel, scheduler and depth;
 * every three that follow are a record: what happened, to which sector, how much later and
 * by whom. What the engine makes of nonsense does not matter, but it must hold together.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "sim/replay.h"

#define RECORDS_MAX 400

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const kernels[] = { "4.19.0", "5.10.0", "5.15.0", "6.1.0", "6.12.0", "7.2.0" };
static const char *const schedulers[] = { "mq-deadline", "kyber", "none", "bfq" };
static const unsigned depths[] = { 1, 2, 8, 32 };

static const char *const events[] = {
	"block_bio_queue: 8,0 %s %u + %u [fio]\n",
	"block_getrq: 8,0 %s %u + %u [fio]\n",
	"block_bio_backmerge: 8,0 %s %u + %u [fio]\n",
	"block_bio_frontmerge: 8,0 %s %u + %u [fio]\n",
	"block_rq_insert: 8,0 %s 4096 () %u + %u be,0,4 [fio]\n",
	"block_rq_issue: 8,0 %s 4096 () %u + %u be,0,4 [fio]\n",
	"block_rq_complete: 8,0 %s () %u + %u be,0,4 [0]\n",
	"block_rq_merge: 8,0 %s 4096 () %u + %u be,0,4 [fio]\n",
	"block_rq_requeue: 8,0 %s () %u + %u be,0,4 [0]\n",
	"block_rq_insert: 8,0 %s 4096 () %u + %u rt,0,4 [fio]\n",
	"block_rq_insert: 8,0 %s 4096 () %u + %u idle,0,4 [fio]\n",
};

#define EVENTS (sizeof(events) / sizeof(events[0]))

static void write_record(FILE *file, const uint8_t *record, uint64_t *time_us)
{
	static const char *const ops[] = { "R", "WS", "D", "W" };
	static const char *const flags[] = { ".....", "d.h1.", "dNH1.", ".N..." };
	unsigned what = record[0] % (EVENTS + 4);
	unsigned pid = 1 + (record[2] & 3);

	*time_us += (uint64_t)(record[2] >> 2) * (record[2] >> 2) * 10;
	fprintf(file, " fio-%u [000] %s %llu.%06llu: ", pid, flags[record[2] & 3],
		(unsigned long long)(*time_us / 1000000),
		(unsigned long long)(*time_us % 1000000));
	if (what < EVENTS)
		fprintf(file, events[what], ops[record[0] >> 6], (record[1] & 31) * 8u,
			(1 + (record[1] >> 6)) * 8u);
	else if (what == EVENTS)
		fprintf(file, "block_plug: [fio]\n");
	else if (what == EVENTS + 1)
		fprintf(file, "block_unplug: [fio] %u\n", record[1]);
	else if (what == EVENTS + 2)
		fprintf(file, "kyber_latency: 8,0 READ total p99 8/4 samples=%u\n", record[1]);
	else
		fprintf(file, "kyber_adjust: 8,0 WRITE %u\n", record[1]);
}

static FILE *open_memory(void)
{
	int fd = memfd_create("recording", MFD_CLOEXEC);

	return fd < 0 ? NULL : fdopen(fd, "w+");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct replay_options options = { 0 };
	struct trace_reader *reader = NULL;
	struct replay_result result;
	struct diag diag = { 0 };
	uint64_t time_us = 1000000;
	FILE *file;
	int fd;

	if (size < 1)
		return 0;
	file = open_memory();
	if (!file)
		return 0;
	fprintf(file, "# kernel=%s hz=250 dev=8:0 hw_depth=%u sched=%s "
		      "completion_nsec=1000000\n",
		kernels[data[0] % 6], depths[data[0] >> 6], schedulers[data[0] / 6 % 4]);
	for (size_t i = 1; i + 3 <= size && i < RECORDS_MAX * 3; i += 3)
		write_record(file, &data[i], &time_us);
	fflush(file);
	fd = dup(fileno(file));
	fclose(file);
	if (fd < 0 || lseek(fd, 0, SEEK_SET) < 0)
		return 0;
	if (trace_reader_open_fd(fd, "recording", "ftrace", TRACE_SKIP_BROKEN, &reader,
				 &diag) == 0 &&
	    replay_run(reader, &options, &result, &diag) == 0 &&
	    (result.equal > result.decisions || result.decisions > result.issues))
		abort();
	trace_reader_free(reader);
	return 0;
}
