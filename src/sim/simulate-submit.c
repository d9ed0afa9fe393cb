/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Submission: I/Os of one process at one instant are one plug, neighbours merge, and what
 * finds no scheduler tag waits for one in its order.
 */
#include "sim/simulate-internal.h"

#include <errno.h>

/* Requests of a plug (facts on plugging: 32, before 5.16 16; 64 with several queues). */
#define PLUG_MAX           32
#define PLUG_MAX_OLD       16
#define PLUG_MAX_QUEUES    64
#define PLUG_FLUSH_SECTORS 256 /* 128 KiB */

/* --- issuing ------------------------------------------------------------------------ */

/* A policy that sends the head to an edge makes its way longer than the medium knows. */
static void count_detour(struct sim_device *device, const struct sim_request *rq)
{
	uint64_t from = device->head_sector;
	uint64_t straight = from > rq->sector ? from - rq->sector : rq->sector - from;

	device->media.stats.travel_sectors +=
		sim_queue_travel(device->queue, from, rq) - straight;
	device->head_sector = sim_request_end(rq);
}

int simulate_issue(struct sim_device *device, struct sim_request *rq, unsigned waiting)
{
	struct simulation *sim = device->sim;
	struct sim_queue *queue = device->queue;

	sim->result->requests++;
	if (rq->fifo_jiffies && sim_queue_jiffies(queue) > rq->fifo_jiffies)
		sim->result->expired++;
	if (sim->options->on_dispatch) {
		const struct simulate_dispatch dispatch = {
			.number = sim->result->requests,
			.time_ns = queue->now_ns,
			.op = rq->op,
			.sector = rq->sector,
			.sectors = rq->sectors,
			.class = rq->class,
			.reason = rq->reason,
			.waiting = waiting,
			.device = device->index,
		};

		sim->options->on_dispatch(sim->options->context, &dispatch);
	}
	if (queue->ops->head_path)
		count_detour(device, rq);
	return device->media.ops->submit(&device->media, rq, sim->at_ns);
}

/* Issues all that may be issued, on this hardware queue and on those it gave work to. */
int simulate_run_hctx(struct sim_device *device, struct sim_hctx *hctx)
{
	struct simulation *sim = device->sim;
	struct sim_queue *queue = device->queue;
	struct sim_request *rq;
	bool any;
	int r;

	if (sim->is_held)
		return 0;
	sim_hctx_run(hctx, true);
	do {
		any = false;
		for (unsigned i = sim_queue_next_running(queue, 0); i < queue->hw_queues;
		     i = sim_queue_next_running(queue, i + 1)) {
			struct sim_hctx *each = &queue->hctxs[i];

			while ((rq = sim_hctx_next(each))) {
				if (sim->has_processors)
					simulate_charge_lock(device,
							     sim->cost->dispatch_lock_ns);
				r = simulate_issue(device, rq,
						   queue->waiting + each->dispatch_count);
				if (r < 0)
					return r;
				sim_hctx_issue(each);
				any = true;
			}
		}
	} while (any && queue->hw_queues > 1);
	return 0;
}

/* --- the plug ----------------------------------------------------------------------- */

static int issue_plug_directly(struct sim_device *device)
{
	bool newest_first = device->queue->kernel.has[SIM_PLUG_REVERSED];
	unsigned waiting = device->plugged;
	int r = 0;

	device->plugged = 0;
	while (!sim_list_is_empty(&device->plug) && r == 0) {
		struct sim_link *link = newest_first ? device->plug.prev :
						       device->plug.next;
		struct sim_request *rq = sim_request_of(link);

		sim_list_remove(link);
		rq->reason = SIM_REASON_DIRECT;
		sim_hctx_issue_directly(sim_hctx_of(device->queue, rq), rq);
		r = simulate_issue(device, rq, waiting--);
	}
	return r;
}

/*
 * Up to 6.4 the scheduler does not see what has to be flushed before or after, and never a
 * flush itself.
 */
static bool bypasses_scheduler(const struct sim_device *device, const struct sim_request *rq)
{
	if (rq->op == SIM_FLUSH)
		return true;
	return (rq->flags & (SIM_REQUEST_FUA | SIM_REQUEST_PREFLUSH)) &&
	       !device->queue->kernel.has[SIM_FUA_IS_SCHEDULED];
}

/* Legacy queues count synchronous and other requests apart. */
static struct tag_map *map_of(const struct sim_device *device, enum sim_op op, unsigned flags,
			      unsigned hctx)
{
	bool is_apart = device->queue->ops->kind == QUEUE_LEGACY &&
			!sim_request_is_sync(op, flags);

	return &device->tags[hctx].maps[is_apart];
}

void simulate_free_tag(struct sim_device *device, const struct sim_request *rq)
{
	tag_map_give(map_of(device, rq->op, rq->flags, rq->hctx), rq->cpu, rq->tag);
}

static int insert_plug(struct sim_device *device)
{
	int r = 0;

	while (!sim_list_is_empty(&device->plug) && r == 0) {
		struct sim_request *rq = sim_request_of(device->plug.next), *into;

		sim_list_remove(&rq->link);
		if (bypasses_scheduler(device, rq)) {
			sim_queue_bypass(device->queue, rq);
			continue;
		}
		if (device->sim->has_processors)
			simulate_charge_lock(device, device->sim->cost->insert_lock_ns);
		r = sim_merge_insert(device->queue, rq, &into);
		if (r < 0)
			return r;
		if (!into)
			r = sim_queue_insert(device->queue, rq);
	}
	return r;
}

int simulate_flush_plug(struct sim_device *device)
{
	const struct sim_request *first;
	unsigned hctx_index;
	int r;

	if (!device->plugged)
		return 0;
	first = sim_request_of(device->plug.next);
	hctx_index = first->hctx;
	if (device->is_none && !device->sim->is_held &&
	    !device->queue->hctxs[hctx_index].busy && device->queue->waiting == 0 &&
	    device->queue->hctxs[hctx_index].dispatch_count == 0)
		return issue_plug_directly(device);
	device->plugged = 0;
	r = insert_plug(device);
	return r < 0 ? r : simulate_run_hctx(device, &device->queue->hctxs[hctx_index]);
}

static unsigned plug_max(const struct sim_device *device)
{
	if (!device->queue->kernel.has[SIM_PLUG_HOLDS_32])
		return PLUG_MAX_OLD;
	return device->queue->hw_queues > 1 ? PLUG_MAX_QUEUES : PLUG_MAX;
}

/* The plugged request that the bio touches. */
static struct sim_request *find_on_plug(struct sim_device *device, const struct sim_bio *bio,
					enum sim_merge *ret)
{
	struct sim_link *link = device->plug.prev;

	for (; link != &device->plug; link = link->prev) {
		struct sim_request *rq = sim_request_of(link);

		*ret = sim_request_merge_kind(rq, bio->op, bio->sector, bio->sectors);
		if (*ret != SIM_MERGE_NONE && rq->class == bio->class &&
		    rq->sectors + bio->sectors <= SIM_MERGE_SECTORS_MAX)
			return rq;
		if (device->queue->kernel.has[SIM_PLUG_MERGES_LAST])
			break;
	}
	return NULL;
}

/* --- bios --------------------------------------------------------------------------- */

static void chain_io(struct sim_request *rq, struct sim_io *io)
{
	io->next = NULL;
	if (rq->ios)
		rq->ios_tail->next = io;
	else
		rq->ios = io;
	rq->ios_tail = io;
}

static unsigned tag_limit(const struct sim_device *device, const struct sim_bio *bio)
{
	struct sim_queue *queue = device->queue;

	if (device->is_none || !queue->ops->limit_depth)
		return queue->nr_requests;
	return queue->ops->limit_depth(queue, bio);
}

/* *ret: the request that has the bio now, NULL when none can take it. */
static int join(struct sim_device *device, const struct sim_bio *bio,
		struct sim_request **ret)
{
	enum sim_merge merge = SIM_MERGE_NONE;

	*ret = NULL;
	if (bio->op == SIM_FLUSH)
		return 0;
	/* Others do not see the process' plug. */
	if (device->plug_pid == bio->pid)
		*ret = find_on_plug(device, bio, &merge);
	if (*ret)
		return sim_merge_grow(device->queue, *ret, merge, bio->sectors);
	return sim_merge_bio(device->queue, bio, ret);
}

static struct sim_request *make_request(struct sim_device *device, const struct sim_bio *bio,
					unsigned hctx)
{
	struct sim_request *rq =
		sim_request_new(device->queue, bio->op, bio->sector, bio->sectors);

	if (!rq)
		return NULL;
	rq->flags = (uint8_t)bio->flags;
	rq->class = bio->class;
	rq->level = bio->level;
	rq->cpu = (uint16_t)bio->cpu;
	rq->hctx = (uint16_t)hctx;
	rq->pid = bio->pid;
	rq->owner = device;
	return rq;
}

/* 1: it joined a request or has one of its own; 0: no tag. */
static int place_bio(struct sim_device *device, const struct sim_bio *bio, struct sim_io *io,
		     unsigned limit)
{
	unsigned hctx = sim_hctx_index(device->queue, bio->cpu);
	struct tag_map *map = map_of(device, bio->op, bio->flags, hctx);
	struct sim_request *rq;
	int r = join(device, bio, &rq), tag;

	if (r < 0)
		return r;
	if (rq) {
		chain_io(rq, io);
		return 1;
	}
	tag = tag_map_take(map, bio->cpu, limit);
	if (tag < 0)
		return 0;
	rq = make_request(device, bio, hctx);
	if (!rq)
		return -ENOMEM;
	rq->tag = (uint16_t)tag;
	chain_io(rq, io);
	if (device->plugged > 0 &&
	    (device->plug_pid != bio->pid || device->plugged >= plug_max(device) ||
	     sim_request_of(device->plug.next)->hctx != hctx)) {
		r = simulate_flush_plug(device);
		if (r < 0)
			return r;
	}
	sim_list_add_tail(&device->plug, &rq->link);
	device->plug_pid = bio->pid;
	device->plugged++;
	r = rq->sectors >= PLUG_FLUSH_SECTORS ? simulate_flush_plug(device) : 0;
	return r < 0 ? r : 1;
}

/* Of a limit: legacy queues count in which of two parts instead. */
static unsigned line_key(const struct sim_queue *queue, const struct sim_bio *bio, unsigned limit)
{
	return queue->ops->kind == QUEUE_LEGACY ? sim_request_is_sync(bio->op, bio->flags) : limit;
}

/*
 * Where those wait who may have the same part of the tags. Others are not held up by them: who
 * asks takes a tag that it may have, whoever sleeps for one that it may not. NULL: nobody waits
 * for that part yet.
 */
static struct sim_tag_line *find_line(struct sim_device *device, const struct sim_bio *bio,
				      unsigned limit)
{
	struct sim_tags *tags;
	unsigned key;

	if (!device->sim->backlog_count)
		return NULL;
	tags = &device->tags[sim_hctx_index(device->queue, bio->cpu)];
	key = line_key(device->queue, bio, limit);
	for (unsigned i = 0; i < SIM_TAG_LINES_MAX; i++) {
		struct sim_tag_line *line = &tags->lines[i];

		if (line->limit == key && !sim_list_is_empty(&line->waiting))
			return line;
	}
	return NULL;
}

static struct sim_tag_line *get_line(struct sim_device *device, const struct sim_bio *bio,
				     unsigned limit)
{
	struct sim_tags *tags = &device->tags[sim_hctx_index(device->queue, bio->cpu)];
	struct sim_tag_line *line = find_line(device, bio, limit);

	for (unsigned i = 0; i < SIM_TAG_LINES_MAX && !line; i++) {
		if (sim_list_is_empty(&tags->lines[i].waiting))
			line = &tags->lines[i];
	}
	/* More kinds than lines: each still asks for its own part. */
	if (!line)
		return &tags->lines[SIM_TAG_LINES_MAX - 1];
	line->limit = line_key(device->queue, bio, limit);
	return line;
}

/* A job whose workers all wait has it in a list of its own. */
static int wait_for_tag(struct sim_device *device, const struct sim_bio *bio,
			struct sim_io *io, unsigned limit)
{
	struct waiting_io *waiting = pool_take(&device->sim->waiting);
	struct running_job *owner = io->owner;

	if (!waiting)
		return -ENOMEM;
	*waiting = (struct waiting_io){
		.io = io, .device = device, .bio = *bio, .limit = limit,
	};
	if (owner && owner->workers && owner->workers_busy == owner->workers) {
		sim_list_add_tail(&owner->unattended, &waiting->link);
		return 0;
	}
	if (owner && owner->workers)
		owner->workers_busy++;
	sim_list_add_tail(&get_line(device, bio, limit)->waiting, &waiting->link);
	device->sim->backlog_count++;
	return 0;
}

int simulate_submit(struct sim_device *device, const struct sim_bio *bio, struct sim_io *io)
{
	unsigned limit = tag_limit(device, bio);
	/* Who waits longer for the same goes first. */
	int r = find_line(device, bio, limit) ? 0 : place_bio(device, bio, io, limit);

	return r ? r : wait_for_tag(device, bio, io, limit);
}

/* The worker that has no more to wait for takes the job's next I/O. 1: that has a tag. */
static int attend_one(struct simulation *sim, struct running_job *owner)
{
	struct waiting_io *waiting = SIM_ENTRY(owner->unattended.next, struct waiting_io, link);
	struct sim_device *device = waiting->device;
	struct sim_bio bio = waiting->bio;
	struct sim_io *io = waiting->io;
	int r;

	sim_list_remove(&waiting->link);
	pool_give(&sim->waiting, waiting);
	r = simulate_submit(device, &bio, io);
	if (r <= 0)
		return r;
	r = simulate_flush_plug(device);
	return r < 0 ? r : 1;
}

/* One that finds a tag leaves the worker to the next. */
static int attend_next(struct simulation *sim, struct running_job *owner)
{
	int r = 1;

	owner->workers_busy--;
	while (r > 0 && !sim_list_is_empty(&owner->unattended))
		r = attend_one(sim, owner);
	return r < 0 ? r : 0;
}

static struct waiting_io *first_of(const struct sim_tag_line *line)
{
	return SIM_ENTRY(line->waiting.next, struct waiting_io, link);
}

/* 1: it has a tag and waits no more; 0: there is none for it. */
static int retry(struct sim_device *device, struct waiting_io *waiting)
{
	struct simulation *sim = device->sim;
	struct running_job *owner = waiting->io->owner;
	int r = place_bio(device, &waiting->bio, waiting->io, waiting->limit);

	if (r <= 0)
		return r;
	sim_list_remove(&waiting->link);
	sim->backlog_count--;
	pool_give(&sim->waiting, waiting);
	r = owner ? simulate_job_unblocked(sim, owner) : 0;
	if (r == 0 && owner && owner->workers)
		r = attend_next(sim, owner);
	return r < 0 ? r : 1;
}

/* The line of who waits longest, of those that are not marked as held back. */
static unsigned longest_wait(const struct sim_tags *tags, unsigned held_back)
{
	unsigned longest = SIM_TAG_LINES_MAX;

	for (unsigned i = 0; i < SIM_TAG_LINES_MAX; i++) {
		const struct sim_tag_line *line = &tags->lines[i];

		if ((held_back & 1u << i) || sim_list_is_empty(&line->waiting))
			continue;
		if (longest == SIM_TAG_LINES_MAX ||
		    first_of(line)->io->arrival_ns < first_of(&tags->lines[longest])->io->arrival_ns)
			longest = i;
	}
	return longest;
}

/* Who waits longest is first; one for whom there is none holds back only its own line. */
int simulate_retry_backlog(struct sim_device *device, struct sim_tags *tags)
{
	unsigned held_back = 0, index;
	int r = 0;

	while (r >= 0 && (index = longest_wait(tags, held_back)) < SIM_TAG_LINES_MAX) {
		r = retry(device, first_of(&tags->lines[index]));
		if (r == 0)
			held_back |= 1u << index;
	}
	return r < 0 ? r : simulate_flush_plug(device);
}
