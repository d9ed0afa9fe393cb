/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * anticipatory's wait: whether it pays to keep the device free for the process that read
 * last, and what ends the wait.
 */
#include "sim/elevators/anticipatory.h"

/* Longest think time that is remembered: a 50th of a second. */
#define THINK_MAX_PART 50
/* How near a request must be to be as good as the process' own; doubled for every
 * millisecond that the wait has lasted, up to so many times antic_expire. */
#define CLOSE_SECTORS 8192
#define CLOSE_WAITS   20
/* A single long seek counts no further beyond the mean than this; less once several are
 * known. */
#define SEEK_OUTLIER_FEW  (2 * 1024 * 1024)
#define SEEK_OUTLIER_MANY (2 * 1024 * 64)
#define SEEKS_FEW         60
/* Chances are in 1/256; above one half of certain nobody waits. */
#define CERTAIN 256

/* --- what is known of processes ------------------------------------------------------- */

static void raise_chance(unsigned *chance)
{
	*chance = (7 * *chance + CERTAIN) / 8;
}

static void lower_chance(unsigned *chance)
{
	*chance = 7 * *chance / 8;
}

static void learn_think_time(struct as_data *as, struct as_process *process, uint64_t ticks)
{
	/* It came back. */
	if (process->think_ticks.weight == 0) {
		as->new_think_total = (7 * as->new_think_total + 256 * ticks) / 8;
		as->new_think_mean = as->new_think_total / 256;
		lower_chance(&as->exit_chance);
	}
	decaying_mean_add(&process->think_ticks, ticks);
}

static void learn_seek(struct as_data *as, struct as_process *process, uint64_t sectors)
{
	struct decaying_mean *seek = &process->seek_sectors;
	uint64_t most = seek->mean * 4 +
			(seek->weight <= SEEKS_FEW ? SEEK_OUTLIER_FEW : SEEK_OUTLIER_MANY);

	if (sectors > most)
		sectors = most;
	if (seek->weight == 0) {
		as->new_seek_total = (7 * as->new_seek_total + 256 * sectors) / 8;
		as->new_seek_mean = as->new_seek_total / 256;
	}
	decaying_mean_add(seek, sectors);
}

void as_learn(struct sim_queue *queue, struct as_process *process,
	      const struct sim_request *rq)
{
	struct as_data *as = as_data_of(queue);
	uint64_t most = queue->hz / THINK_MAX_PART, ticks = 0;

	if (!as_is_sync(rq))
		return;
	if (process->has_begun) {
		if (process->has_ended && process->queued == 0)
			ticks = sim_queue_jiffies(queue) - process->last_end_ticks;
		if (ticks >= most)
			ticks = most ? most - 1 : 0;
		learn_think_time(as, process, ticks);
		learn_seek(as, process, seek_distance(process->last_end_sector, rq->sector));
	}
	process->last_end_sector = sim_request_end(rq);
	process->has_begun = true;
}

/* --- what ends a wait ----------------------------------------------------------------- */

static uint64_t waited_ticks(struct sim_queue *queue)
{
	return sim_queue_jiffies(queue) - as_data_of(queue)->wait_begin_ticks;
}

/* A request of another process, as near as the next one of this would be. */
static bool is_close(struct sim_queue *queue, const struct sim_request *rq)
{
	const struct as_data *as = as_data_of(queue);
	const struct decaying_mean *seek = &as->process->seek_sectors;
	uint64_t last = as->head_sector[as->is_sync_batch], near = CLOSE_SECTORS, waited_ms = 0;

	if (as->wait != AS_OFF && as->process_is_done)
		waited_ms = waited_ticks(queue) * 1000 / queue->hz;
	if (waited_ms > CLOSE_WAITS * as->antic_ticks || waited_ms >= 40)
		return true;
	near <<= waited_ms;
	if (last <= rq->sector + near / 2 && rq->sector <= last + near)
		return true;
	return seek_distance(rq->sector, last) <
	       (seek->weight == 0 ? as->new_seek_mean : seek->mean);
}

/* Why there is no point in waiting (any longer); SIM_REASON_NONE: there is. */
static enum sim_reason why_not_wait(struct sim_queue *queue, struct sim_request *rq)
{
	struct as_data *as = as_data_of(queue);
	struct as_process *process = as->process;
	bool is_new = process->think_ticks.weight == 0;

	if (rq && as_process_of(as, rq) == process)
		return SIM_REASON_ANTIC_SAME;
	if (as->process_is_done && waited_ticks(queue) >= as->antic_ticks)
		return SIM_REASON_ANTIC_TIMEOUT;
	if (process->queued > 0)
		return SIM_REASON_ANTIC_QUEUED;
	if (rq && as_is_sync(rq) && is_close(queue, rq)) {
		/* Two processes that work on one thing: the other's request counts as this
		   one's, and whoever is gone leaves somebody near by. */
		if (is_new)
			lower_chance(&as->exit_alone_chance);
		as_learn(queue, process, rq);
		return SIM_REASON_ANTIC_CLOSE;
	}
	if ((is_new ? as->new_think_mean : process->think_ticks.mean) > as->antic_ticks)
		return SIM_REASON_ANTIC_THINK;
	if (is_new && as->exit_chance * as->exit_alone_chance > CERTAIN / 2 * CERTAIN)
		return SIM_REASON_ANTIC_EXIT;
	return SIM_REASON_NONE;
}

bool as_should_wait(struct sim_queue *queue, struct sim_request *rq)
{
	struct as_data *as = as_data_of(queue);
	enum sim_reason why;

	/* Seeks cost nothing; a write was last; it was waited just now. */
	if (queue->is_nonrotational || !as->process || as->wait == AS_OVER)
		return false;
	why = why_not_wait(queue, rq);
	as->end_reason = (uint8_t)why;
	return why == SIM_REASON_NONE;
}

/* --- the wait ------------------------------------------------------------------------- */

static void wait_for_next(struct sim_queue *queue)
{
	struct as_data *as = as_data_of(queue);

	as->wait = AS_WAIT_NEXT;
	queue->elevator_timer_ns =
		sim_queue_jiffies_to_ns(queue, as->wait_begin_ticks + as->antic_ticks);
}

void as_begin_wait(struct sim_queue *queue)
{
	struct as_data *as = as_data_of(queue);

	if (as->process_is_done)
		wait_for_next(queue);
	else
		as->wait = AS_WAIT_END;
}

static void end_wait(struct sim_queue *queue, enum sim_reason why)
{
	struct as_data *as = as_data_of(queue);

	queue->elevator_timer_ns = SIM_NEVER;
	as->wait = AS_OVER;
	as->end_reason = (uint8_t)why;
}

void as_arrived(struct sim_queue *queue, struct sim_request *rq)
{
	enum sim_reason why;

	if (!as_is_waiting(as_data_of(queue)))
		return;
	why = why_not_wait(queue, rq);
	if (why != SIM_REASON_NONE)
		end_wait(queue, why);
}

void as_follow(struct sim_queue *queue, struct as_process *process)
{
	struct as_data *as = as_data_of(queue);

	if (process)
		process_entry_hold(&process->entry);
	if (as->process)
		process_entry_release(&as->processes, &as->process->entry);
	as->process = process;
	as->process_is_done = false;
	as->wait = AS_OFF;
	as->end_reason = SIM_REASON_NONE;
	queue->elevator_timer_ns = SIM_NEVER;
}

void as_completed(struct sim_queue *queue, struct as_process *process, bool is_sync)
{
	struct as_data *as = as_data_of(queue);

	if (is_sync) {
		process->has_ended = true;
		process->last_end_ticks = sim_queue_jiffies(queue);
	}
	if (process != as->process)
		return;
	as->wait_begin_ticks = sim_queue_jiffies(queue);
	as->process_is_done = true;
	if (as->wait == AS_WAIT_END)
		wait_for_next(queue);
}

void as_timer(struct sim_queue *queue)
{
	struct as_data *as = as_data_of(queue);
	struct as_process *process = as->process;

	queue->elevator_timer_ns = SIM_NEVER;
	if (!as_is_waiting(as))
		return;
	end_wait(queue, SIM_REASON_ANTIC_TIMEOUT);
	/* Its first request may have been its last. */
	if (process->think_ticks.weight == 0) {
		raise_chance(&as->exit_chance);
		raise_chance(&as->exit_alone_chance);
	}
	if (queue->on_run_wanted)
		queue->on_run_wanted(queue->context, &queue->hctxs[0]);
}
