/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Making and releasing a request queue: sizes within what a kernel takes, a scheduler that
 * the version has, and its parameters from the catalogue.
 */
#include "sim/queue.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sim/tag-map.h"
#include "tunable/scheduler.h"
#include "tunable/tunable.h"
#include "util/i18n.h"
#include "util/suggest.h"
#include "util/text.h"

/* The depth up to which the default follows the driver's (facts on nr_requests). */
#define NR_REQUESTS_DEFAULT 128
#define LEGACY_NR_REQUESTS  128

static int check_range(const char *what, unsigned value, unsigned min, unsigned max,
		       struct diag *diag)
{
	if (value >= min && value <= max)
		return 0;
	return diag_set(diag, -ERANGE, _("%s = %u is out of range: %u to %u"), what, value,
			min, max);
}

static int check_sizes(const struct sim_queue_config *config, struct diag *diag)
{
	int r;

	r = check_range(_("hardware depth"), config->hw_depth, 1, SIM_HW_DEPTH_MAX, diag);
	if (r < 0)
		return r;
	r = check_range(_("hardware queues"), config->hw_queues, 1, SIM_HW_QUEUES_MAX, diag);
	if (r < 0)
		return r;
	r = check_range(_("processors"), config->cpus, 1, SIM_CPUS_MAX, diag);
	if (r < 0)
		return r;
	return check_range("HZ", config->hz, 1, SIM_HZ_MAX, diag);
}

static int complain_version(const struct sim_queue_config *config, const struct scheduler *row,
			    struct diag *diag)
{
	const struct kernel_version *kernel = &config->kernel;
	const struct scheduler *other = row->counterpart ? scheduler_find(row->counterpart) : NULL;

	diag_set(diag, -ENOTSUP, _("Linux %u.%u has no scheduler \"%s\""), kernel->major,
		 kernel->minor, row->name);
	if (other && kernel_version_is_within(*kernel, other->since, other->until))
		diag_hint(diag, _("in its place it has %s"), other->name);
	return -ENOTSUP;
}

static int find_scheduler(const struct sim_queue_config *config,
			  const struct sim_elevator_ops **ret, struct diag *diag)
{
	const struct scheduler *row = scheduler_find(config->scheduler);
	const struct sim_elevator_ops *ops;

	if (!row)
		row = scheduler_find_textbook(config->scheduler);
	if (!row)
		return diag_set(diag, -EINVAL, _("there is no scheduler \"%s\""),
				config->scheduler);
	if (!kernel_version_is_within(config->kernel, row->since, row->until))
		return complain_version(config, row, diag);
	ops = sim_elevator_find(config->scheduler);
	if (!ops)
		return diag_set(diag, -ENOTSUP, _("the engine has no scheduler \"%s\""),
				config->scheduler);
	*ret = ops;
	return 0;
}

static int64_t *parameter_place(struct sim_queue *queue, const struct sim_parameter *p)
{
	return (int64_t *)(void *)((char *)queue->elevator_data + p->offset);
}

static const struct sim_parameter *find_parameter(const struct sim_elevator_ops *ops,
						  const char *file)
{
	for (size_t i = 0; i < ops->parameter_count; i++) {
		if (strcmp(ops->parameters[i].file, file) == 0)
			return &ops->parameters[i];
	}
	return NULL;
}

/* The engine's own row, or that of the catalogue. */
static const struct tunable *row_of(const struct sim_elevator_ops *ops,
				    const struct sim_parameter *p)
{
	if (ops->parameter_rows)
		return &ops->parameter_rows[p - ops->parameters];
	return tunable_find_iosched(ops->name, p->file);
}

/* A parameter without a fixed default stays 0; the scheduler's init decides. */
static void set_defaults(struct sim_queue *queue)
{
	for (size_t i = 0; i < queue->ops->parameter_count; i++) {
		const struct sim_parameter *p = &queue->ops->parameters[i];
		const struct tunable *row = row_of(queue->ops, p);
		int64_t value = 0;

		assert(row);
		if (row->initial && number_parse_i64(row->initial, &value) < 0)
			value = 0;
		*parameter_place(queue, p) = value;
	}
}

/* Not of this version, or of none: then the nearest, else all that there are. */
static int complain_parameter(const struct sim_queue *queue, const char *file,
			      const struct tunable *row, struct diag *diag)
{
	const struct sim_elevator_ops *ops = queue->ops;
	const struct kernel_version *version = &queue->kernel.version;
	struct suggestion suggestion = suggestion_for(file);
	_text_ struct text list = { 0 };

	diag_set(diag, -ENOTSUP, _("%s of Linux %u.%u has no parameter \"%s\""), ops->name,
		 version->major, version->minor, file);
	if (row && kernel_version_compare(*version, row->since) < 0)
		diag_hint(diag, _("it came with Linux %u.%u"), row->since.major,
			  row->since.minor);
	else if (row)
		diag_hint(diag, _("it was there before Linux %u.%u"), row->until.major,
			  row->until.minor);
	for (size_t i = 0; i < ops->parameter_count; i++) {
		suggestion_offer(&suggestion, ops->parameters[i].file);
		text_addf(&list, "%s%s", i ? ", " : "", ops->parameters[i].file);
	}
	if (suggestion.nearest)
		diag_hint(diag, _("did you mean '%s'?"), suggestion.nearest);
	else if (list.data && !list.error)
		diag_hint(diag, _("there are: %s"), list.data);
	else
		diag_hint(diag, _("it has no parameters"));
	return -ENOTSUP;
}

static int apply_setting(struct sim_queue *queue, const struct sim_setting *setting,
			 struct diag *diag)
{
	const struct tunable_context context = {
		.kernel = queue->kernel.version,
		.scheduler = queue->ops->name,
	};
	const struct sim_parameter *p = find_parameter(queue->ops, setting->file);
	const struct tunable *row = p ? row_of(queue->ops, p) : NULL;
	char text[TUNABLE_VALUE_MAX];
	int64_t value;
	int r;

	if (!row ||
	    !kernel_version_is_within(queue->kernel.version, row->since, row->until))
		return complain_parameter(queue, setting->file, row, diag);
	r = tunable_check(row, setting->value, &context, text, diag);
	if (r < 0)
		return r;
	r = number_parse_i64(text, &value);
	if (r < 0)
		return diag_set(diag, r, _("%s cannot be \"%s\""), row->key, setting->value);
	*parameter_place(queue, p) = value;
	return 0;
}

static int choose_nr_requests(struct sim_queue *queue,
			      const struct sim_queue_config *config, struct diag *diag)
{
	bool has_scheduler_tags = strcmp(queue->ops->name, "none") != 0;
	unsigned max = has_scheduler_tags ? SIM_NR_REQUESTS_MAX : config->hw_depth;
	unsigned smaller = config->hw_depth < NR_REQUESTS_DEFAULT ? config->hw_depth :
								     NR_REQUESTS_DEFAULT;

	if (queue->ops->kind == QUEUE_LEGACY)
		queue->nr_requests = LEGACY_NR_REQUESTS;
	else
		queue->nr_requests = has_scheduler_tags ? 2 * smaller : config->hw_depth;
	if (!config->nr_requests)
		return 0;
	queue->nr_requests = config->nr_requests;
	return check_range("nr_requests", config->nr_requests, 1, max, diag);
}

static int init_hctxs(struct sim_queue *queue, const struct sim_queue_config *config)
{
	queue->hctxs = calloc(config->hw_queues, sizeof(queue->hctxs[0]));
	if (!queue->hctxs)
		return -ENOMEM;
	for (unsigned i = 0; i < config->hw_queues; i++) {
		struct sim_hctx *hctx = &queue->hctxs[i];

		hctx->queue = queue;
		hctx->index = i;
		hctx->depth = config->hw_depth;
		hctx->delayed_run_ns = SIM_NEVER;
		sim_list_init(&hctx->dispatch);
	}
	return 0;
}

static int init_elevator(struct sim_queue *queue, const struct sim_queue_config *config,
			 struct diag *diag)
{
	const struct sim_elevator_ops *ops = queue->ops;
	int r;

	queue->elevator_data = calloc(1, ops->data_size ? ops->data_size : 1);
	if (!queue->elevator_data)
		return -ENOMEM;
	set_defaults(queue);
	if (ops->adjust_defaults)
		ops->adjust_defaults(queue);
	for (size_t i = 0; i < config->setting_count; i++) {
		r = apply_setting(queue, &config->settings[i], diag);
		if (r < 0)
			return r;
	}
	return ops->init_sched ? ops->init_sched(queue) : 0;
}

int sim_queue_new(const struct sim_queue_config *config, struct sim_queue **ret,
		  struct diag *diag)
{
	_cleanup_(cleanup_sim_queue_free) struct sim_queue *queue = NULL;
	const struct sim_elevator_ops *ops = NULL;
	int r;

	r = check_sizes(config, diag);
	if (r < 0)
		return r;
	r = find_scheduler(config, &ops, diag);
	if (r < 0)
		return r;

	queue = calloc(1, sizeof(*queue));
	if (!queue)
		return diag_set(diag, -ENOMEM, _("out of memory"));
	sim_kernel_init(&queue->kernel, config->kernel);
	queue->ops = ops;
	queue->hw_queues = config->hw_queues;
	queue->cpus = config->cpus;
	queue->hz = config->hz;
	queue->tick_ns = UINT64_C(1000000000) / config->hz;
	queue->tick_phase_ns = config->tick_phase_ns % queue->tick_ns;
	queue->elevator_timer_ns = SIM_NEVER;
	queue->zone_sectors = config->zone_sectors;
	queue->capacity_sectors = config->capacity_sectors;
	queue->is_nonrotational = config->is_nonrotational;
	pool_init(&queue->requests, sizeof(struct sim_request));
	sector_pools_init(&queue->sector_pools);

	r = choose_nr_requests(queue, config, diag);
	if (r < 0)
		return r;
	r = init_hctxs(queue, config);
	if (r == 0)
		r = merge_hash_init(&queue->merge_hash);
	if (r == 0)
		r = init_elevator(queue, config, diag);
	if (r < 0)
		return diag_set(diag, r, _("cannot set up the queue"));
	*ret = TAKE_PTR(queue);
	return 0;
}

void sim_queue_free(struct sim_queue *queue)
{
	if (!queue)
		return;
	if (queue->elevator_data && queue->ops->exit_sched)
		queue->ops->exit_sched(queue);
	free(queue->elevator_data);
	merge_hash_done(&queue->merge_hash);
	sector_pools_done(&queue->sector_pools);
	pool_done(&queue->requests);
	free(queue->state_log);
	free(queue->hctxs);
	free(queue);
}

struct sim_request *sim_request_new(struct sim_queue *queue, enum sim_op op,
				    uint64_t sector, uint32_t sectors)
{
	struct sim_request *rq = pool_take(&queue->requests);

	if (!rq)
		return NULL;
	/* Field by field: compilers clear a structure of this size with a slow loop. */
	rq->sector = sector;
	rq->sectors = sectors;
	rq->op = (uint8_t)op;
	rq->dir = (uint8_t)sim_op_dir(op);
	rq->class = SIM_CLASS_BE;
	rq->state = SIM_STATE_NEW;
	rq->issue_ns = 0;
	rq->start_ns = queue->now_ns;
	rq->hctx = 0;
	rq->cpu = 0;
	rq->flags = 0;
	rq->domain = 0;
	rq->reason = SIM_REASON_NONE;
	rq->level = 0;
	rq->ios = NULL;
	rq->fifo_jiffies = 0;
	rq->leaf = NULL;
	rq->hash_next = NULL;
	rq->hash_link = NULL;
	rq->number = 0;
	rq->pid = 0;
	rq->token = 0;
	rq->has_token = false;
	rq->queue_index = 0;
	rq->ios_tail = NULL;
	rq->owner = NULL;
	return rq;
}

void sim_request_free(struct sim_queue *queue, struct sim_request *rq)
{
	pool_give(&queue->requests, rq);
}

unsigned sim_queue_least_limit(const struct sim_queue *queue)
{
	unsigned word = tag_map_word_bits(queue->nr_requests);

	if (queue->kernel.has[SIM_LIMIT_IS_OF_ALL])
		return 1;
	return (queue->nr_requests + word - 1) / word;
}
