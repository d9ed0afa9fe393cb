// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * bfq against recordings: it chooses as the kernel did, it follows what it would not have
 * chosen, and it does not see the answer: recordings in which requests were exchanged are
 * found out.
 */
#include <fcntl.h>
#include <stdlib.h>

#include "bfq-fixture.h"
#include "trace-fixture.h"

#include "sim/replay.h"
#include "sim/workload/trace-stream.h"

static struct replay_result replay_reader(struct trace_reader *reader)
{
	const struct replay_options options = { 0 };
	struct replay_result result = { 0 };
	struct diag diag = { 0 };

	if (replay_run(reader, &options, &result, &diag))
		fail_msg("%s", diag.text);
	trace_reader_free(reader);
	return result;
}

/* Slots that end at a tick may end a tick earlier or later: that leaves a few. */
static void test_recordings(void **state)
{
	static const struct {
		const char *path;
		unsigned decisions, differ;
	} rows[] = {
		{ "5.10/nb0.bfq.two", 680, 0 },
		{ "5.10/nb0.bfq.seq2", 700, 1 },
		{ "6.12/nb0.bfq.two", 700, 0 },
		{ "7.2/nb0.bfq.seq2", 990, 0 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct trace_reader *reader = NULL;
		struct replay_result result;
		struct diag diag = { 0 };
		char path[256];

		snprintf(path, sizeof(path), "tests/fixtures/replay/%s.txt.xz",
			 rows[i].path);
		if (trace_reader_open(path, TRACE_STRICT, &reader, &diag))
			fail_msg("%s: %s", path, diag.text);
		result = replay_reader(reader);
		if (result.decisions < rows[i].decisions || result.unknown ||
		    result.decisions - result.equal > rows[i].differ)
			fail_msg("%s: %d of %d decisions", path, (int)result.equal,
				 (int)result.decisions);
	}
}

/* --- exchanged requests -------------------------------------------------------------- */

#define TEXT_MAX  1000000
#define LINES_MAX 6000

struct text {
	char *lines[LINES_MAX];
	size_t count;
	char *bytes;
};

static void read_text(const char *path, struct text *text)
{
	struct trace_stream *stream = NULL;
	struct diag diag = { 0 };
	size_t len = 0;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	assert_true(fd >= 0);
	if (trace_stream_open(fd, &stream, &diag))
		fail_msg("%s: %s", path, diag.text);
	text->bytes = calloc(1, TEXT_MAX);
	assert_non_null(text->bytes);
	while (trace_stream_fill(stream, 1, &diag) == 0 &&
	       trace_stream_available(stream)) {
		size_t got = trace_stream_available(stream);

		assert_true(len + got < TEXT_MAX);
		memcpy(text->bytes + len, stream->cursor, got);
		stream->cursor += got;
		len += got;
	}
	trace_stream_free(stream);
	text->count = 0;
	for (char *line = text->bytes; *line; text->count++) {
		char *end = strchr(line, '\n');

		assert_non_null(end);
		assert_true(text->count < LINES_MAX);
		*end = '\0';
		text->lines[text->count] = line;
		line = end + 1;
	}
}

/* "block_rq_issue: 252,0 R 4096 () 1000 + 8": where " 1000 + 8 ..." begins; NULL: another. */
static char *tail_of(char *line, const char *event)
{
	char *at = strstr(line, event), *tail = at ? strstr(at, ") ") : NULL;

	return tail ? tail + 1 : NULL;
}

static bool is_same(const char *a, const char *b)
{
	size_t len = strcspn(a + 1, " ") + 1;

	return strncmp(a, b, len) == 0 && b[len] == ' ';
}

/* The n-th issue at or after a line; its completion; whether it waits already there. */
static size_t find_event(const struct text *text, size_t from, const char *event,
			 const char *tail)
{
	for (size_t i = from; i < text->count; i++) {
		char *found = tail_of(text->lines[i], event);

		if (found && (!tail || is_same(tail, found)))
			return i;
	}
	return text->count;
}

/* The tails of both are of the same length in these lines, or nothing is done. */
static bool exchange(char *a, char *b)
{
	size_t len = strcspn(a + 1, " ") + 1;
	char kept[32];

	if (len >= sizeof(kept) || strcspn(b + 1, " ") + 1 != len)
		return false;
	memcpy(kept, a, len);
	memcpy(a, b, len);
	memcpy(b, kept, len);
	return true;
}

/*
 * Exchanges, now and then, a request that was issued with the one after it, which waited
 * already. Both are reads, so that nothing but the sector tells them apart.
 */
static unsigned tamper(struct text *text)
{
	unsigned count = 0;

	for (size_t i = find_event(text, 0, "block_rq_issue: 252,0 R", NULL);
	     i < text->count;
	     i = find_event(text, i + 100, "block_rq_issue: 252,0 R", NULL)) {
		size_t next = find_event(text, i + 1, "block_rq_issue:", NULL);
		size_t done, next_done, inserted;
		char *tail, *next_tail;

		if (next == text->count || !strstr(text->lines[next], "252,0 R"))
			continue;
		tail = tail_of(text->lines[i], "block_rq_issue:");
		next_tail = tail_of(text->lines[next], "block_rq_issue:");
		done = find_event(text, i, "block_rq_complete:", tail);
		next_done = find_event(text, next, "block_rq_complete:", next_tail);
		inserted = find_event(text, 0, "block_rq_insert:", next_tail);
		if (done >= next || next_done == text->count || inserted >= i ||
		    !exchange(tail, next_tail))
			continue;
		exchange(tail_of(text->lines[done], "block_rq_complete:"),
			 tail_of(text->lines[next_done], "block_rq_complete:"));
		count++;
	}
	return count;
}

static void test_tampered(void **state)
{
	static const char *const paths[] = {
		"tests/fixtures/replay/5.10/nb0.bfq.two.txt.xz",
		"tests/fixtures/replay/6.12/nb0.bfq.two.txt.xz",
		"tests/fixtures/replay/7.2/nb0.bfq.seq2.txt.xz",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(paths); i++) {
		struct text text;
		struct replay_result result;
		unsigned count, differ;
		size_t len;

		read_text(paths[i], &text);
		count = tamper(&text);
		assert_in_range(count, 20, 60);
		for (size_t l = 0; l < text.count; l++)
			text.lines[l][strlen(text.lines[l])] = '\n';
		len = strlen(text.bytes);
		result = replay_reader(fixture_open_bytes(text.bytes, len, TRACE_STRICT));
		differ = (unsigned)(result.decisions - result.equal);
		/* Each is found out, most in both of its places, and hardly more. */
		assert_in_range(differ, count, 3 * count);
		assert_int_equal(result.unknown, 0);
		free(text.bytes);
	}
}

/* --- the hooks ----------------------------------------------------------------------- */

/* What was taken and given back is taken again, and everything after it the same. */
static void test_undo(void **state)
{
	struct sim_queue *queue = bfq_fixture(6, 12, 4, false, NULL, 0);
	struct sim_hctx *hctx = &queue->hctxs[0];
	struct sim_request *first, *second;
	struct bfq_state before;

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		bfq_submit(queue, 1, 'R', 1000 + i * 5000, 8);
		bfq_submit(queue, 2, 'R', 800000 + i * 5000, 8);
	}
	before = bfq_of(queue)->state;
	first = queue->ops->dispatch_request(hctx);
	assert_non_null(first);
	second = queue->ops->dispatch_request(hctx);
	assert_non_null(second);
	assert_int_equal(bfq_of(queue)->in_driver, 2);
	assert_int_equal(queue->ops->undo_dispatch(hctx, second), 0);
	assert_int_equal(queue->ops->undo_dispatch(hctx, first), 0);
	bfq_of(queue)->state = before;
	assert_int_equal(bfq_of(queue)->in_driver, 0);
	assert_int_equal(bfq_of(queue)->queued, 6);
	assert_ptr_equal(queue->ops->dispatch_request(hctx), first);
	assert_ptr_equal(queue->ops->dispatch_request(hctx), second);
	sim_queue_free(queue);
}

/* The kernel took another process's request: it has the device from then on. */
static void test_force(void **state)
{
	struct sim_queue *queue = bfq_fixture(6, 12, 4, false, NULL, 0);
	struct sim_hctx *hctx = &queue->hctxs[0];
	struct sim_request *other, *rq;

	(void)state;
	for (unsigned i = 0; i < 3; i++)
		bfq_submit(queue, 1, 'R', 1000 + i * 8, 8);
	rq = bfq_take(queue);
	assert_int_equal(rq ? rq->pid : 0, 1);
	other = bfq_submit(queue, 2, 'R', 800000, 8);
	bfq_submit(queue, 2, 'R', 800008, 8);
	bfq_requeue(bfq_of(queue), bfq_sync_queue(queue, 2), false);
	queue->ops->force_dispatch(hctx, other);
	queue->waiting--;
	assert_ptr_equal(bfq_of(queue)->in_service, bfq_sync_queue(queue, 2));
	rq = bfq_take(queue);
	assert_int_equal(rq ? rq->pid : 0, 2);
	sim_queue_free(queue);
}

/* can_dispatch says what dispatch_request would do, in the states that come up. */
static void test_can_dispatch(void **state)
{
	struct sim_queue *queue = bfq_fixture(6, 12, 4, false, NULL, 0);
	struct sim_hctx *hctx = &queue->hctxs[0];
	struct sim_request *flying[8];
	unsigned count = 0, given = 0, kept = 0, wrong = 0;
	uint64_t random = 11;

	(void)state;
	for (unsigned i = 0; i < 40000; i++) {
		random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
		queue->now_ns += (random >> 40) % (2 * MS);
		if (queue->elevator_timer_ns <= queue->now_ns)
			queue->ops->timer(queue);
		if ((random >> 60) < 6) {
			if (queue->waiting < 40)
				bfq_submit(queue, (random >> 33) % 5,
					   (random >> 36) % 4 ? 'R' : 'W',
					   (random >> 20) % 100000 * 8, 8);
		} else if ((random >> 60) < 11 && count > 0) {
			bfq_done(queue, flying[--count]);
		} else if (count < 4) {
			bool can = queue->ops->can_dispatch(hctx);
			struct sim_request *rq = bfq_take(queue);

			assert_true(can || !rq);
			wrong += can && !rq;
			given += rq != NULL;
			kept += !rq && queue->waiting > 0;
			if (rq)
				flying[count++] = rq;
		}
	}
	/* Both happened: something went, and something waited because of idling. */
	assert_true(given > 1000 && kept > 100);
	assert_true(wrong < 5);
	sim_queue_free(queue);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_recordings),   cmocka_unit_test(test_tampered),
		cmocka_unit_test(test_undo),         cmocka_unit_test(test_force),
		cmocka_unit_test(test_can_dispatch),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
