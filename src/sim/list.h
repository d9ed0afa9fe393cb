/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A doubly linked list through its members: no allocation, removal from the middle in
 * constant time. An empty list points to itself.
 */
#ifndef IOSCHED_SIM_LIST_H
#define IOSCHED_SIM_LIST_H

#include <stdbool.h>
#include <stddef.h>

struct sim_link {
	struct sim_link *next, *prev;
};

#define SIM_ENTRY(link, type, member) \
	((type *)(void *)((char *)(link) - offsetof(type, member)))

static inline void sim_list_init(struct sim_link *head)
{
	head->next = head;
	head->prev = head;
}

static inline bool sim_list_is_empty(const struct sim_link *head)
{
	return head->next == head;
}

static inline void sim_list_add_between(struct sim_link *link, struct sim_link *prev,
					struct sim_link *next)
{
	link->prev = prev;
	link->next = next;
	prev->next = link;
	next->prev = link;
}

static inline void sim_list_add_tail(struct sim_link *head, struct sim_link *link)
{
	sim_list_add_between(link, head->prev, head);
}

static inline void sim_list_add_head(struct sim_link *head, struct sim_link *link)
{
	sim_list_add_between(link, head, head->next);
}

/* Puts `link` in the place just before `at`. */
static inline void sim_list_add_before(struct sim_link *at, struct sim_link *link)
{
	sim_list_add_between(link, at->prev, at);
}

static inline void sim_list_remove(struct sim_link *link)
{
	link->prev->next = link->next;
	link->next->prev = link->prev;
}

/* Appends all of `from` to `to`; `from` is empty afterwards. */
static inline void sim_list_append(struct sim_link *to, struct sim_link *from)
{
	if (sim_list_is_empty(from))
		return;
	from->next->prev = to->prev;
	to->prev->next = from->next;
	from->prev->next = to;
	to->prev = from->prev;
	sim_list_init(from);
}

#endif
