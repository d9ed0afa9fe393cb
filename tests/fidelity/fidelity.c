/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Replays recordings and prints, for each, how many decisions the engine makes as the
 * kernel did: "path scheduler issues decisions equal latency equal adjust equal extra
 * unknown", separated by tabs. With -v also the differences.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "sim/replay.h"

static void print_issue(void *context, const struct replay_issue *issue)
{
	if (!*(bool *)context || issue->is_equal || !issue->is_decision)
		return;
	printf("\tline %" PRIu64 ": recorded %c %" PRIu64 ", chosen %c %" PRIu64
	       " (%s), %u waiting\n",
	       issue->line, issue->recorded_dir, issue->recorded_sector,
	       issue->has_choice ? issue->chosen_dir : '-', issue->chosen_sector,
	       sim_reason_word(issue->reason), issue->waiting);
}

static void print_kyber(void *context, const struct replay_kyber *kyber)
{
	if (!*(bool *)context || kyber->is_equal)
		return;
	printf("\tline %" PRIu64 ": recorded %s %s p%u %u/%u samples=%u depth=%u, "
	       "chosen %s %s p%u %u/%u samples=%u depth=%u\n",
	       kyber->line, kyber->recorded.domain, kyber->recorded.type,
	       kyber->recorded.percentile, kyber->recorded.numerator,
	       kyber->recorded.denominator, kyber->recorded.samples, kyber->recorded.depth,
	       kyber->chosen.domain ? kyber->chosen.domain : "-",
	       kyber->chosen.type ? kyber->chosen.type : "-", kyber->chosen.percentile,
	       kyber->chosen.numerator, kyber->chosen.denominator, kyber->chosen.samples,
	       kyber->chosen.depth);
}

static int replay_file(const char *path, bool is_verbose)
{
	const struct replay_options options = {
		.on_issue = print_issue,
		.on_kyber = print_kyber,
		.context = &is_verbose,
	};
	_cleanup_(cleanup_trace_reader_free) struct trace_reader *reader = NULL;
	struct diag diag = { 0 };
	struct replay_result result;
	char message[1024];
	int r;

	r = trace_reader_open(path, TRACE_STRICT, &reader, &diag);
	if (r == 0)
		r = replay_run(reader, &options, &result, &diag);
	if (r < 0) {
		diag_format(&diag, message, sizeof(message));
		fprintf(stderr, "%s: %s\n", path, message);
		return r;
	}
	printf("%s\t%s\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64
	       "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\n",
	       path, result.scheduler, result.issues, result.decisions, result.equal,
	       result.latency_events, result.latency_equal, result.adjust_events,
	       result.adjust_equal, result.kyber_extra, result.unknown);
	return 0;
}

int main(int argc, char **argv)
{
	bool is_verbose = argc > 1 && strcmp(argv[1], "-v") == 0;
	int status = 0;

	for (int i = is_verbose ? 2 : 1; i < argc; i++) {
		if (replay_file(argv[i], is_verbose) < 0)
			status = 1;
	}
	return status;
}
