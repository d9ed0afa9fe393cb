/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Why a request was chosen. Every dispatch carries one; --explain prints the text, the
 * dispatch log the word.
 */
#ifndef IOSCHED_SIM_REASON_H
#define IOSCHED_SIM_REASON_H

enum sim_reason {
	SIM_REASON_NONE,
	SIM_REASON_DIRECT,
	SIM_REASON_FIFO,
	SIM_REASON_ROUND_ROBIN,
	SIM_REASON_AT_HEAD,
	SIM_REASON_BYPASS,
	SIM_REASON_BATCH,
	SIM_REASON_SORTED_READ,
	SIM_REASON_EXPIRED_READ,
	SIM_REASON_OLDEST_READ,
	SIM_REASON_SORTED_WRITE,
	SIM_REASON_EXPIRED_WRITE,
	SIM_REASON_OLDEST_WRITE,
	SIM_REASON_STARVED_SORTED,
	SIM_REASON_STARVED_EXPIRED,
	SIM_REASON_STARVED_OLDEST,
	SIM_REASON_AGED,
	SIM_REASON_DOMAIN_BATCH,
	SIM_REASON_DOMAIN_NEXT,
	SIM_REASONS,
};

/* "starved-sorted" */
const char *sim_reason_word(enum sim_reason reason);
/* A line for people, translated. */
const char *sim_reason_text(enum sim_reason reason);

#endif
