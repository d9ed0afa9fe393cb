// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The pages of events that the kernel fills for each processor, and their events in the
 * order of time. An event is given when the reading after the one that showed a later event
 * is over: by then every processor had the time to finish what it had begun to write.
 */
#include "util/feature.h"

#if HAVE_TRACEFS

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <kbuffer.h>

#include "recorder/recorder-internal.h"
#include "util/number.h"

/* Of the length of a page's data; the two bits above say that events were lost. */
#define COMMIT_MASK UINT64_C(0x07ffffff)

/* A larger one is none. */
#define PAGE_SIZE_MAX (16 * 1024 * 1024)

struct page {
	struct page *next;
	_Alignas(8) unsigned char data[];
};

struct cpu_pages {
	struct kbuffer *kbuffer;
	struct page *first, *last;
	const void *event; /* the next one; NULL: there is none */
	unsigned long long time_ns;
	int lost;
};

struct pages {
	struct cpu_pages *cpus;
	unsigned cpu_count;
	size_t page_size;
	unsigned commit_size;
	struct page *unused;
	struct cpu_pages *taken; /* its event was given last */
	uint64_t newest_ns;      /* when the newest page read began */
	uint64_t before_ns;      /* ... of the reading before */
	uint64_t limit_ns;       /* later events are not given yet */
};

/* --- their shape --------------------------------------------------------------------------- */

/* "field: char data;\toffset:16;\tsize:4080;": a number of the field's line. */
static int read_shape(const char *description, const char *field, const char *key,
		      int64_t *ret)
{
	const char *line = strstr(description, field), *at;
	_free_ char *value = NULL;

	at = line ? strstr(line, key) : NULL;
	if (!at || memchr(line, '\n', (size_t)(at - line)))
		return -EBADMSG;
	at += strlen(key);
	value = strndup(at, strcspn(at, ";"));
	if (!value)
		return -ENOMEM;
	return number_parse_range(value, 0, PAGE_SIZE_MAX, ret) ? -EBADMSG : 0;
}

int page_shape_parse(const char *description, struct page_shape *ret)
{
	int64_t offset, size, commit;
	int error = read_shape(description, " data;", "offset:", &offset);

	if (!error)
		error = read_shape(description, " data;", "size:", &size);
	if (!error)
		error = read_shape(description, " commit;", "size:", &commit);
	if (!error)
		*ret = (struct page_shape){ .size = (size_t)(offset + size),
					    .commit_size = (unsigned)commit };
	return error;
}

int pages_new(unsigned cpus, const struct page_shape *shape, struct pages **ret)
{
	_cleanup_(cleanup_pages_free) struct pages *pages = calloc(1, sizeof(*pages));

	if ((shape->commit_size != 4 && shape->commit_size != 8) ||
	    shape->size <= sizeof(uint64_t) + shape->commit_size)
		return -EBADMSG;
	if (!pages)
		return -ENOMEM;
	pages->page_size = shape->size;
	pages->commit_size = shape->commit_size;
	pages->cpus = calloc(cpus, sizeof(pages->cpus[0]));
	if (!pages->cpus)
		return -ENOMEM;
	pages->cpu_count = cpus;
	for (unsigned i = 0; i < cpus; i++) {
		pages->cpus[i].kbuffer = kbuffer_alloc(
			shape->commit_size == 8 ? KBUFFER_LSIZE_8 : KBUFFER_LSIZE_4,
			KBUFFER_ENDIAN_SAME_AS_HOST);
		if (!pages->cpus[i].kbuffer)
			return -ENOMEM;
	}
	*ret = TAKE_PTR(pages);
	return 0;
}

static void free_list(struct page *page)
{
	while (page) {
		struct page *next = page->next;

		free(page);
		page = next;
	}
}

void pages_free(struct pages *pages)
{
	if (!pages)
		return;
	for (unsigned i = 0; i < pages->cpu_count; i++) {
		kbuffer_free(pages->cpus[i].kbuffer);
		free_list(pages->cpus[i].first);
	}
	free_list(pages->unused);
	free(pages->cpus);
	free(pages);
}

/* --- reading ------------------------------------------------------------------------------ */

static struct page *take_page(struct pages *pages)
{
	struct page *page = pages->unused;

	if (page)
		pages->unused = page->next;
	else
		page = malloc(sizeof(*page) + pages->page_size);
	return page;
}

static void give_page(struct pages *pages, struct page *page)
{
	page->next = pages->unused;
	pages->unused = page;
}

/* The page's first event, or that of the next page that has one. */
static void load(struct pages *pages, struct cpu_pages *cpu)
{
	cpu->event = NULL;
	while (cpu->first) {
		struct page *done = cpu->first;

		if (kbuffer_load_subbuffer(cpu->kbuffer, done->data) == 0) {
			cpu->event = kbuffer_read_event(cpu->kbuffer, &cpu->time_ns);
			cpu->lost = kbuffer_missed_events(cpu->kbuffer);
		}
		if (cpu->event)
			return;
		cpu->first = done->next;
		give_page(pages, done);
	}
	cpu->last = NULL;
}

/* Whether the length that the page gives for its data is within it. */
static bool is_whole(const struct pages *pages, const struct page *page)
{
	const unsigned char *at = page->data + sizeof(uint64_t);
	uint64_t commit64;
	uint32_t commit32;

	if (pages->commit_size == sizeof(commit32)) {
		memcpy(&commit32, at, sizeof(commit32));
		commit64 = commit32;
	} else {
		memcpy(&commit64, at, sizeof(commit64));
	}
	return (commit64 & COMMIT_MASK) <=
	       pages->page_size - sizeof(uint64_t) - pages->commit_size;
}

static void append(struct pages *pages, struct cpu_pages *cpu, struct page *page)
{
	uint64_t time_ns;

	memcpy(&time_ns, page->data, sizeof(time_ns));
	if (time_ns > pages->newest_ns)
		pages->newest_ns = time_ns;
	page->next = NULL;
	if (cpu->last)
		cpu->last->next = page;
	else
		cpu->first = page;
	cpu->last = page;
	if (!cpu->event)
		load(pages, cpu);
}

int pages_read(struct pages *pages, unsigned cpu, int fd, unsigned max)
{
	unsigned count = 0;

	while (count < max) {
		struct page *page = take_page(pages);
		ssize_t n;

		if (!page)
			return -ENOMEM;
		n = read(fd, page->data, pages->page_size);
		if (n == (ssize_t)pages->page_size && is_whole(pages, page)) {
			append(pages, &pages->cpus[cpu], page);
			count++;
			continue;
		}
		give_page(pages, page);
		if (n < 0 && errno == EINTR)
			continue;
		if (n > 0)
			return -EBADMSG;
		return n < 0 && errno != EAGAIN ? -errno : (int)count;
	}
	return (int)count;
}

void pages_end_reading(struct pages *pages, bool is_all)
{
	pages->limit_ns = is_all ? UINT64_MAX : pages->before_ns;
	pages->before_ns = pages->newest_ns;
}

/* --- events ------------------------------------------------------------------------------- */

/* Past the event that was given last: only now, for it lies in its page. */
static void go_on(struct pages *pages)
{
	struct cpu_pages *cpu = pages->taken;
	struct page *done;

	pages->taken = NULL;
	cpu->event = kbuffer_next_event(cpu->kbuffer, &cpu->time_ns);
	cpu->lost = 0;
	if (cpu->event)
		return;
	done = cpu->first;
	cpu->first = done->next;
	give_page(pages, done);
	load(pages, cpu);
}

bool pages_next(struct pages *pages, struct page_event *ret)
{
	struct cpu_pages *next = NULL;

	if (pages->taken)
		go_on(pages);
	for (unsigned i = 0; i < pages->cpu_count; i++) {
		struct cpu_pages *cpu = &pages->cpus[i];

		if (cpu->event && cpu->time_ns <= pages->limit_ns &&
		    (!next || cpu->time_ns < next->time_ns))
			next = cpu;
	}
	if (!next)
		return false;
	pages->taken = next;
	*ret = (struct page_event){
		.cpu = (unsigned)(next - pages->cpus),
		.time_ns = next->time_ns,
		.data = next->event,
		.len = (size_t)kbuffer_event_size(next->kbuffer),
		.lost = next->lost,
	};
	return true;
}

#endif /* HAVE_TRACEFS */
