// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Replays every recording below a folder and prints, for each kernel, scheduler and
 * workload, how many decisions the engine makes as the kernel did.
 *
 *     fidelity [-v] DIRECTORY|FILE...
 *
 * Exit status 1 when a kernel and scheduler together fall below the bar: 99.9 % of the
 * decisions, and for kyber every kyber_latency and kyber_adjust event; 95 % for bfq, whose
 * slots end at ticks and timers that a recording does not show. Recordings of schedulers
 * that the engine does not have are counted and left out.
 */
#include <errno.h>
#include <fts.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/replay.h"
#include "util/text.h"

#define GROUPS_MAX   64
#define BAR_PERCENT  99.9
#define BAR_BFQ      95.0
#define FOLDERS_MAX  64

struct group {
	char kernel[16], scheduler[32];
	struct replay_result sum;
};

struct run {
	struct group groups[GROUPS_MAX];
	size_t group_count, files, left_out, failed;
	bool is_verbose;
};

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 100.0;
}

static void print_issue(void *context, const struct replay_issue *issue)
{
	const struct run *run = context;

	if (!run->is_verbose || issue->is_equal || !issue->is_decision)
		return;
	printf("    line %" PRIu64 ": recorded %c %" PRIu64 ", chosen %c %" PRIu64
	       " (%s), %u waiting\n",
	       issue->line, issue->recorded_dir, issue->recorded_sector,
	       issue->has_choice ? issue->chosen_dir : '-', issue->chosen_sector,
	       sim_reason_word(issue->reason), issue->waiting);
}

static void print_kyber(void *context, const struct replay_kyber *kyber)
{
	const struct run *run = context;

	if (!run->is_verbose || kyber->is_equal)
		return;
	printf("    line %" PRIu64 ": recorded %s %s %u/%u samples=%u depth=%u, computed "
	       "%s %s %u/%u samples=%u depth=%u\n",
	       kyber->line, kyber->recorded.domain, kyber->recorded.type,
	       kyber->recorded.numerator, kyber->recorded.denominator,
	       kyber->recorded.samples, kyber->recorded.depth,
	       kyber->chosen.domain ? kyber->chosen.domain : "-",
	       kyber->chosen.type ? kyber->chosen.type : "-", kyber->chosen.numerator,
	       kyber->chosen.denominator, kyber->chosen.samples, kyber->chosen.depth);
}

static void print_row(const char *kernel, const char *scheduler, const char *workload,
		      const struct replay_result *result)
{
	printf("%-6s %-12s %-24s %9" PRIu64 " %9" PRIu64 " %8.3f", kernel, scheduler,
	       workload, result->decisions, result->equal,
	       percent(result->equal, result->decisions));
	if (strcmp(scheduler, "kyber") == 0)
		printf("  latency %" PRIu64 "/%" PRIu64 "  adjust %" PRIu64 "/%" PRIu64,
		       result->latency_equal, result->latency_events,
		       result->adjust_equal, result->adjust_events);
	if (result->unknown)
		printf("  unknown %" PRIu64, result->unknown);
	printf("\n");
}

static void add_to_group(struct run *run, const char *kernel,
			 const struct replay_result *result)
{
	struct group *group = run->groups;
	size_t i = 0;

	while (i < run->group_count && (strcmp(group[i].kernel, kernel) != 0 ||
					strcmp(group[i].scheduler, result->scheduler) != 0))
		i++;
	if (i == GROUPS_MAX)
		return;
	if (i == run->group_count) {
		snprintf(group[i].kernel, sizeof(group[i].kernel), "%s", kernel);
		snprintf(group[i].scheduler, sizeof(group[i].scheduler), "%s",
			 result->scheduler);
		run->group_count++;
	}
	group[i].sum.decisions += result->decisions;
	group[i].sum.equal += result->equal;
	group[i].sum.latency_events += result->latency_events;
	group[i].sum.latency_equal += result->latency_equal;
	group[i].sum.adjust_events += result->adjust_events;
	group[i].sum.adjust_equal += result->adjust_equal;
}

/* "nb2.kyber.tight.txt.xz" without the scheduler and the endings: "nb2 tight". */
static void name_workload(const char *path, const char *scheduler, char *buf, size_t size)
{
	const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
	const char *middle = strstr(name, scheduler);
	size_t len = middle ? strcspn(middle + strlen(scheduler) + 1, ".") : 0;

	if (middle && middle > name)
		snprintf(buf, size, "%.*s %.*s", (int)(middle - name - 1), name, (int)len,
			 middle + strlen(scheduler) + 1);
	else
		snprintf(buf, size, "%s", name);
}

static void replay_file(struct run *run, const char *path)
{
	const struct replay_options options = {
		.on_issue = print_issue,
		.on_kyber = print_kyber,
		.context = run,
	};
	_cleanup_(cleanup_trace_reader_free) struct trace_reader *reader = NULL;
	struct replay_result result;
	struct diag diag = { 0 };
	char message[1024], kernel[16], workload[64];
	int error;

	error = trace_reader_open(path, TRACE_STRICT, &reader, &diag);
	if (error == 0 && !sim_elevator_find(trace_reader_header(reader)->scheduler)) {
		run->left_out++;
		return;
	}
	if (error == 0)
		error = replay_run(reader, &options, &result, &diag);
	if (error < 0) {
		diag_format(&diag, message, sizeof(message));
		fprintf(stderr, "%s: %s\n", path, message);
		run->failed++;
		return;
	}
	snprintf(kernel, sizeof(kernel), "%u.%u", result.kernel.major, result.kernel.minor);
	name_workload(path, result.scheduler, workload, sizeof(workload));
	print_row(kernel, result.scheduler, workload, &result);
	add_to_group(run, kernel, &result);
	run->files++;
}

static int compare_names(const FTSENT **a, const FTSENT **b)
{
	return text_compare_natural((*a)->fts_name, (*b)->fts_name);
}

static bool group_passes(const struct group *group)
{
	const struct replay_result *sum = &group->sum;
	double bar = strcmp(group->scheduler, "bfq") == 0 ? BAR_BFQ : BAR_PERCENT;

	return percent(sum->equal, sum->decisions) >= bar &&
	       sum->latency_equal == sum->latency_events &&
	       sum->adjust_equal == sum->adjust_events;
}

int main(int argc, char **argv)
{
	struct run *run = calloc(1, sizeof(*run));
	char *folders[FOLDERS_MAX + 1] = { 0 };
	size_t count = 0;
	int status = 0;
	FTS *tree;
	FTSENT *entry;

	if (!run)
		return 1;
	for (int i = 1; i < argc && count < FOLDERS_MAX; i++) {
		if (strcmp(argv[i], "-v") == 0)
			run->is_verbose = true;
		else
			folders[count++] = argv[i];
	}
	tree = count ? fts_open(folders, FTS_PHYSICAL | FTS_NOCHDIR, compare_names) : NULL;
	if (!tree) {
		fprintf(stderr, "usage: fidelity [-v] DIRECTORY|FILE...\n");
		free(run);
		return 2;
	}
	printf("KERNEL SCHEDULER    WORKLOAD                 DECISIONS     EQUAL  PERCENT\n");
	while ((entry = fts_read(tree))) {
		if (entry->fts_info == FTS_F && strstr(entry->fts_name, ".txt"))
			replay_file(run, entry->fts_path);
	}
	fts_close(tree);

	printf("\n");
	for (size_t i = 0; i < run->group_count; i++) {
		struct group *group = &run->groups[i];

		print_row(group->kernel, group->scheduler,
			  group_passes(group) ? "all: passes" : "all: BELOW THE BAR",
			  &group->sum);
		status |= !group_passes(group);
	}
	printf("%zu recordings, %zu of schedulers that the engine does not have, %zu failed\n",
	       run->files, run->left_out, run->failed);
	status |= run->failed > 0 || run->files == 0;
	free(run);
	return status;
}
