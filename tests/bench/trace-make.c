// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes a made-up trace of any length to stdout, for the measurements of the readers:
 *
 *     trace-make FORMAT RECORDS
 *
 * A record a line or a binary record; random places, times that ascend by 10 us.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/cleanup.h"
#include "util/number.h"

struct request {
	uint64_t number, time_us, sector;
	unsigned sectors;
	bool is_write;
};

static void print_ftrace(const struct request *r)
{
	const char *letters = r->is_write ? "WS" : "R";
	uint64_t s = r->time_us / 1000000, us = r->time_us % 1000000;

	switch (r->number % 3) {
	case 0:
		printf("             fio-640     [000] ...1. %5" PRIu64 ".%06" PRIu64
		       ": block_rq_insert: 252,0 %s %u () %" PRIu64
		       " + %u be,0,4 [fio]\n",
		       s, us, letters, r->sectors * 512, r->sector, r->sectors);
		break;
	case 1:
		printf("    kworker/0:1H-44      [000] ..... %5" PRIu64 ".%06" PRIu64
		       ": block_rq_issue: 252,0 %s %u () %" PRIu64
		       " + %u be,0,4 [kworker/0:1H]\n",
		       s, us, letters, r->sectors * 512, r->sector, r->sectors);
		break;
	default:
		printf("          <idle>-0       [000] d.h1. %5" PRIu64 ".%06" PRIu64
		       ": block_rq_complete: 252,0 %s () %" PRIu64 " + %u be,0,4 [0]\n",
		       s, us, letters, r->sector, r->sectors);
	}
}

static void print_blkparse(const struct request *r)
{
	printf("252,0    0 %8" PRIu64 " %5" PRIu64 ".%09" PRIu64 " %5u  %c %3s %" PRIu64
	       " + %u [fio]\n",
	       r->number, r->time_us / 1000000, r->time_us % 1000000 * 1000, 640u,
	       "QGID"[r->number % 4], r -> is_write ? "WS" : "R", r->sector, r->sectors);
}

static void print_iolog_v2(const struct request *r)
{
	printf("/dev/sdb %s %" PRIu64 " %u\n", r->is_write ? "write" : "read",
	       r->sector * 512, r->sectors * 512);
}

static void print_iolog_v3(const struct request *r)
{
	printf("%" PRIu64 " /dev/sdb %s %" PRIu64 " %u\n", r->time_us,
	       r->is_write ? "write" : "read", r->sector * 512, r->sectors * 512);
}

static void print_biosnoop(const struct request *r)
{
	printf("%-11.6f %-14s %-7u %-7s %-2s %-10" PRIu64 " %-7u %7.2f\n",
	       (double)r->time_us / 1e6, "fio", 640u, "sda", r->is_write ? "W" : "R",
	       r->sector, r->sectors * 512, 0.5);
}

static void print_msr(const struct request *r)
{
	printf("%" PRIu64 ",hm,1,%s,%" PRIu64 ",%u,%u\n",
	       128166372003061629 + r->time_us * 10, r->is_write ? "Write" : "Read",
	       r->sector * 512, r->sectors * 512, 5000u);
}

static void print_alibaba(const struct request *r)
{
	printf("419,%c,%" PRIu64 ",%u,%" PRIu64 "\n", "RW"[r->is_write],
	       r -> sector * 512, r -> sectors * 512, 1577808144360767 + r -> time_us);
}

static void print_tencent(const struct request *r)
{
	printf("%" PRIu64 ",%" PRIu64 ",%u,%d,1063\n", 1538323200 + r->time_us / 1000000,
	       r->sector, r->sectors, r->is_write);
}

static void print_spc(const struct request *r)
{
	printf("0,%" PRIu64 ",%u,%c,%" PRIu64 ".%06" PRIu64 "\n", r->sector,
	       r->sectors * 512, "rw"[r->is_write], r -> time_us / 1000000,
	       r -> time_us % 1000000);
}

static void print_blkreplay(const struct request *r)
{
	printf("%7" PRIu64 ".%09" PRIu64 " ; %12" PRIu64 " ; %4u ; %c ; 0.0 ; 0.0\n",
	       r->time_us / 1000000, r->time_us % 1000000 * 1000, r->sector, r->sectors,
	       "RW"[r->is_write]);
}

/* Queue, issue and complete in turns; layout as in linux/blktrace_api.h. */
static void write_blktrace(const struct request *r, unsigned version)
{
	static const uint32_t actions[] = { 1u << 20 | 1, 1u << 22 | 7, 1u << 23 | 8 };
	uint32_t action = actions[r->number % 3] | (r->is_write ? 10u : 1u) << 16;
	uint32_t words[16] = { 0x65617400u | version, (uint32_t)r->number + 1 };
	uint64_t time_ns = r->time_us * 1000;

	memcpy(words + 2, &time_ns, 8);
	memcpy(words + 4, &r->sector, 8);
	words[6] = r->sectors * 512;
	if (version == 8) {
		words[7] = 640;
		words[8] = action; /* and nothing in words[9]: the upper half */
		words[10] = 8u << 20;
	} else {
		words[7] = action;
		words[8] = 640;
		words[9] = 8u << 20;
	}
	fwrite(words, version == 8 ? 64 : 48, 1, stdout);
}

static void write_blktrace_v7(const struct request *r)
{
	write_blktrace(r, 7);
}

static void write_blktrace_v8(const struct request *r)
{
	write_blktrace(r, 8);
}

static const struct {
	const char *format, *title;
	void (*write)(const struct request *r);
} formats[] = {
	{ "blktrace-v7", "", write_blktrace_v7 },
	{ "blktrace-v8", "", write_blktrace_v8 },
	{ "ftrace", "# tracer: nop\n", print_ftrace },
	{ "blkparse", "", print_blkparse },
	{ "fio-iolog-v2", "fio version 2 iolog\n", print_iolog_v2 },
	{ "fio-iolog-v3", "fio version 3 iolog\n", print_iolog_v3 },
	{ "biosnoop", "", print_biosnoop },
	{ "msr", "", print_msr },
	{ "alibaba", "", print_alibaba },
	{ "tencent", "", print_tencent },
	{ "spc", "", print_spc },
	{ "blkreplay", "", print_blkreplay },
};

static void make(size_t index, uint64_t count)
{
	uint64_t seed = 1;

	fputs(formats[index].title, stdout);
	for (uint64_t i = 0; i < count && !ferror(stdout); i++) {
		struct request r = { .number = i, .time_us = i * 10 };

		seed = seed * 6364136223846793005u + 1442695040888963407u;
		r.sector = (seed >> 36) * 8;
		r.sectors = 8u << (seed >> 33 & 3);
		r.is_write = seed >> 35 & 1;
		formats[index].write(&r);
	}
}

int main(int argc, char **argv)
{
	uint64_t count;

	if (argc != 3 || number_parse_u64(argv[2], &count) < 0) {
		fprintf(stderr, "usage: trace-make FORMAT RECORDS\n");
		return 2;
	}
	for (size_t i = 0; i < ARRAY_SIZE(formats); i++) {
		if (strcmp(argv[1], formats[i].format))
			continue;
		setvbuf(stdout, NULL, _IOFBF, 1 << 16);
		make(i, count);
		return fflush(stdout) || ferror(stdout);
	}
	fprintf(stderr, "trace-make: there is no format %s\n", argv[1]);
	return 2;
}
