/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A device model: takes what the queue issues and says when it is done, by pushing an
 * event. Adding one is a file here and a row in media.c. What a model keeps for itself (a
 * head position, an internal queue) is its `data`.
 *
 * A *medium* is a model with its parameters and the limits that the kernel sees: what a
 * preset ("hdd-7200", "sata-ssd", "nvme" ...) or a person's JSON file says.
 */
#ifndef IOSCHED_SIM_MEDIA_MEDIA_H
#define IOSCHED_SIM_MEDIA_MEDIA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/event-queue.h"
#include "sim/random.h"
#include "sim/request.h"
#include "util/diag.h"

enum sim_event_kind {
	SIM_EVENT_COMPLETE, /* object: the request */
	SIM_EVENT_JOB,      /* object: a job that may submit */
	/* The model's own, see sim_media_wake(); object: as it was pushed. With several
	   devices, the n-th has this and n more. */
	SIM_EVENT_MEDIA,
};

/* --- a model ------------------------------------------------------------------------ */

/* A parameter of a model: a row says everything about it. */
struct sim_media_parameter {
	const char *key;    /* of the JSON file: "rpm", "read_us" */
	const char *unit;   /* as printed: "1/min", "us", "MiB"; "" for a count or a ratio */
	double min, max;
	double initial;
	const char *source; /* where the initial value comes from */
	const char *help;   /* N_() */
	bool is_whole;      /* a count: no fractions */
	/* The value is the index of one of these, NULL at the end; NULL: it is a number. */
	const char *const *words;
};

#define SIM_MEDIUM_VALUES_MAX 48

struct sim_medium {
	char name[64];
	const char *class;  /* the device class it stands for: "hdd", "nvme" ... */
	const struct sim_media_ops *ops;
	double values[SIM_MEDIUM_VALUES_MAX]; /* by the rows of ops->parameters */
	uint64_t capacity_sectors; /* 512 B */
	unsigned hw_queues;        /* hardware queues */
	unsigned hw_depth;         /* driver tags of each */
	bool is_rotational;        /* as queue/rotational says */
	uint32_t zone_sectors;     /* 0: not zoned */
	bool is_host_managed;      /* zoned, and refuses writes off the write pointer */
};

struct sim_media_stats {
	uint64_t travel_sectors; /* of the head, in sectors of distance; 0 without one */
	uint64_t seeks;          /* movements of the head */
	uint64_t cache_hits;     /* answered by the device's cache */
	uint64_t busy_ns;        /* at least one request was with the device */
	uint64_t stalls;         /* pauses for collection of garbage, cleaning, erasing */
	uint64_t zone_errors;    /* writes refused: not at the zone's write pointer */
	uint64_t zone_detours;   /* writes taken elsewhere for the same reason */
	/* What the host wrote, and what the medium had to write for it. */
	uint64_t written_sectors, programmed_sectors;
};

struct sim_media;

struct sim_media_ops {
	const char *name;    /* of the JSON file's "model" */
	const char *summary; /* N_() */
	const struct sim_media_parameter *parameters;
	size_t parameter_count;
	bool has_zones; /* a medium of this model may have them */
	/* Heads move for its requests, whatever queue/rotational says; NULL: never. */
	bool (*has_arm)(const struct sim_medium *medium);
	/* Bytes of `data`, zeroed before init. */
	size_t data_size;
	/* Values are within their ranges; -EINVAL for what contradicts itself. */
	int (*init)(struct sim_media *media, struct diag *diag);
	void (*done)(struct sim_media *media);
	/*
	 * Begins the request, which lies on the device; pushes its SIM_EVENT_COMPLETE now or later. `at_ns` is when
	 * the device sees it: not before the event that is being handled, and a little
	 * later while a processor is still busy with it. 0, -ENOMEM.
	 */
	int (*submit)(struct sim_media *media, struct sim_request *rq, uint64_t at_ns);
	/* A request is done: its event was taken at `now_ns`. NULL: nothing to do then. */
	int (*completed)(struct sim_media *media, uint64_t now_ns);
	/* What sim_media_wake() asked for; may be NULL. */
	int (*event)(struct sim_media *media, void *object, uint64_t now_ns);
};

struct sim_media {
	const struct sim_media_ops *ops;
	struct event_queue *events;
	unsigned event_kind; /* of its own events */
	struct sim_random random;
	struct sim_medium medium;
	struct sim_media_stats stats;
	uint64_t busy_until_ns; /* as far as busy_ns has been counted */
	void *data;
};

/* The model's rows; NULL past the end, or without such a name. */
const struct sim_media_ops *sim_media_get(size_t index);
const struct sim_media_ops *sim_media_find(const char *name);

/* A device of this medium. -ENOMEM; -EINVAL with a diag. */
int sim_media_init(struct sim_media *media, const struct sim_medium *medium, uint64_t seed,
		   struct event_queue *events, struct diag *diag);
void sim_media_done(struct sim_media *media);

/* To be called for each SIM_EVENT_COMPLETE that was taken from the queue. 0, -ENOMEM. */
static inline int sim_media_completed(struct sim_media *media, uint64_t now_ns)
{
	return media->ops->completed ? media->ops->completed(media, now_ns) : 0;
}

/* ops->event() is called at `time_ns`. Not from init. 0, -ENOMEM. */
static inline int sim_media_wake(struct sim_media *media, uint64_t time_ns, void *object)
{
	return event_queue_push(media->events, time_ns, media->event_kind, object);
}

/* --- media with their parameters ---------------------------------------------------- */

struct sim_medium_preset {
	const char *name;    /* "hdd-7200" */
	const char *summary; /* N_() */
	const char *source;  /* N_(): where its values come from */
};

/* NULL past the end. */
const struct sim_medium_preset *sim_medium_preset(size_t index);

/* The preset of this name, or the one for this device class. -ENOENT. */
int sim_medium_find(const char *name, struct sim_medium *ret);
int sim_medium_for_class(const char *class, struct sim_medium *ret);

/* The class by this name, as long as the program runs; NULL: there is none. */
const char *sim_medium_class(const char *name);
/* A request takes milliseconds: heads have to go there. */
bool sim_medium_has_arm(const struct sim_medium *medium);
/* A medium of the model's initial values. */
void sim_medium_of_model(const struct sim_media_ops *ops, struct sim_medium *ret);
/* The row of the model's parameter, -ENOENT. */
int sim_media_parameter(const struct sim_media_ops *ops, const char *key);

/*
 * A JSON object: "model" or "preset", "name", "class", "capacity", "hw_queues",
 * "hw_depth", "rotational", "zone_size", "host_managed" and the model's parameters; what is
 * not said is the preset's, or the model's initial value. Unknown keys, wrong types, values
 * out of range and parameters that contradict each other are -EINVAL with name and line.
 */
int sim_medium_parse(const char *json, size_t len, const char *name, struct sim_medium *ret,
		     struct diag *diag);
/* The same medium as such an object; to be freed. -ENOMEM. */
int sim_medium_to_json(const struct sim_medium *medium, char **ret);

/* --- the null device ---------------------------------------------------------------- */

/* Every request takes `service_ns`, as many at once as there are driver tags. */
void sim_medium_null(struct sim_medium *ret, uint64_t service_ns);

#endif
