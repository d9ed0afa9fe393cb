// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Fuzzer: media as JSON files. A refusal must say something; what is accepted must come
 * back the same when it is written and read again, and must do some requests: each once,
 * none before it was issued, within a bounded number of events.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sim/media/media.h"

#define REQUESTS   64
#define EVENTS_MAX 200000

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int condition)
{
	if (!condition)
		abort();
}

static void check_there_and_back(const struct sim_medium *medium)
{
	struct sim_medium again;
	struct diag diag = { 0 };
	char *first, *second;

	require(sim_medium_to_json(medium, &first) == 0);
	require(sim_medium_parse(first, strlen(first), "again.json", &again, &diag) == 0);
	require(sim_medium_to_json(&again, &second) == 0);
	require(strcmp(first, second) == 0);
	free(first);
	free(second);
}

static void fill_request(struct sim_request *rq, unsigned i, uint64_t capacity)
{
	static const enum sim_op ops[] = { SIM_READ,  SIM_WRITE,   SIM_WRITE, SIM_READ,
					   SIM_FLUSH, SIM_DISCARD, SIM_WRITE, SIM_OTHER };
	uint64_t sector = (i * UINT64_C(0x9e3779b97f4a7c15)) % (capacity - 256);

	*rq = (struct sim_request){
		.op = ops[i % 8],
		.dir = ops[i % 8] == SIM_WRITE ? SIM_DIR_WRITE : SIM_DIR_READ,
		.sector = i % 3 ? sector : i * 8,
		.sectors = i % 5 ? 8 : 256,
		.flags = i % 11 == 6 ? SIM_REQUEST_FUA : i % 13 == 1 ? SIM_REQUEST_PREFLUSH : 0,
		.issue_ns = i * 1000,
	};
}

static void check_requests(const struct sim_medium *medium)
{
	static struct sim_request requests[REQUESTS];
	bool is_done[REQUESTS] = { false };
	unsigned done = 0, events_seen = 0;
	struct event_queue events;
	struct sim_media media;
	struct diag diag = { 0 };
	uint64_t last_ns = 0;

	event_queue_init(&events);
	require(sim_media_init(&media, medium, 1, &events, &diag) == 0);
	for (unsigned i = 0; i < REQUESTS; i++) {
		fill_request(&requests[i], i, medium->capacity_sectors);
		require(media.ops->submit(&media, &requests[i], requests[i].issue_ns) == 0);
	}
	while (events.count && done < REQUESTS) {
		struct sim_event event;

		event_queue_pop(&events, &event);
		require(++events_seen < EVENTS_MAX);
		require(event.time_ns >= last_ns);
		last_ns = event.time_ns;
		if (event.kind == SIM_EVENT_MEDIA) {
			require(media.ops->event(&media, event.object, event.time_ns) == 0);
		} else {
			struct sim_request *rq = event.object;

			require(!is_done[rq - requests] && event.time_ns >= rq->issue_ns);
			is_done[rq - requests] = true;
			done++;
			require(sim_media_completed(&media, event.time_ns) == 0);
		}
	}
	require(done == REQUESTS);
	sim_media_done(&media);
	event_queue_done(&events);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sim_medium medium;
	struct diag diag = { 0 };
	int r = sim_medium_parse((const char *)data, size, "fuzz.json", &medium, &diag);

	require(r ? diag.error == r && diag.text[0] : 1);
	if (r)
		return 0;
	check_there_and_back(&medium);
	check_requests(&medium);
	return 0;
}
