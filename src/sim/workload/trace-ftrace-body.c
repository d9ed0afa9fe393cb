// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The bodies of the tracepoints, as the kernel formats them:
 *
 *     maj,min RWBS bytes (cmd) sector + n [prio] [comm]       insert, issue, merge
 *     maj,min RWBS (cmd) sector + n [prio] [error]            complete, requeue
 *     maj,min RWBS sector + n [comm]                          bio events, getrq
 *     [comm]                                                  plug
 *     [comm] requests                                         unplug
 *     maj,min DOMAIN TYPE pNN num/den samples=N               kyber_latency
 *     maj,min DOMAIN depth                                    kyber_adjust
 *     maj,min DOMAIN                                          kyber_throttled
 *
 * prio is class,hint,level, from 6.12 on; perf 6.1 prints the class as a hexadecimal
 * number.
 */
#include <string.h>

#include "sim/workload/trace-ftrace.h"
#include "sim/workload/trace-rwbs.h"
#include "sim/workload/trace-scan.h"
#include "util/cleanup.h"
#include "util/i18n.h"

/* --- parts of a body -------------------------------------------------------------- */

static bool scan_device(const char **p, const char *end, uint32_t *ret)
{
	const char *q = *p;
	uint32_t major, minor;

	if (!trace_scan_u32(&q, end, &major) || !trace_scan_char(&q, end, ',') ||
	    !trace_scan_u32(&q, end, &minor) || major >= 1u << 12 || minor >= 1u << 20)
		return false;
	*p = q;
	*ret = major << 20 | minor;
	return true;
}

static bool parse_device_and_rwbs(const char **p, const char *end,
				  struct trace_record *ret, const char **ret_why)
{
	const char *letters;

	*ret_why = N_("the device is not major,minor");
	if (!scan_device(p, end, &ret->device) || !trace_scan_char(p, end, ' '))
		return false;
	letters = *p;
	while (*p < end && **p != ' ')
		(*p)++;
	*ret_why = N_("the operation letters are not known");
	return trace_rwbs_parse(letters, *p, ret) && trace_scan_char(p, end, ' ');
}

/* "sector + n " */
static bool parse_extent(const char **p, const char *end, struct trace_record *ret,
			 const char **ret_why)
{
	*ret_why = N_("\"sector + length\" is missing, or too large a number");
	if (!trace_scan_u64(p, end, &ret->sector) || !trace_scan_text(p, end, " + ") ||
	    !trace_scan_u32(p, end, &ret->sectors) || !trace_scan_char(p, end, ' '))
		return false;
	*ret_why = N_("the end of the request lies beyond 2^64 sectors");
	return ret->sector + ret->sectors >= ret->sector;
}

static bool scan_hex_digit(const char **p, const char *end, unsigned *ret)
{
	if (!trace_scan_text(p, end, "0x") || *p >= end || **p < '0' || **p > '7')
		return false;
	*ret = (unsigned)(*(*p)++ - '0');
	return true;
}

static bool scan_class(const char **p, const char *end, enum trace_prio_class *ret)
{
	static const struct {
		const char *name;
		enum trace_prio_class value;
	} classes[] = {
		{ "be,", TRACE_PRIO_BE },        { "rt,", TRACE_PRIO_RT },
		{ "idle,", TRACE_PRIO_IDLE },    { "none,", TRACE_PRIO_NONE },
		{ "invalid,", TRACE_PRIO_NONE },
	};
	unsigned number;

	for (size_t i = 0; i < ARRAY_SIZE(classes); i++) {
		if (trace_scan_text(p, end, classes[i].name)) {
			*ret = classes[i].value;
			return true;
		}
	}
	if (!scan_hex_digit(p, end, &number) || !trace_scan_char(p, end, ','))
		return false;
	*ret = number <= TRACE_PRIO_IDLE ? (enum trace_prio_class)number
					 : TRACE_PRIO_NONE;
	return true;
}

/* "class,hint,level " where it is printed. */
static bool parse_priority(const char **p, const char *end, struct trace_record *ret,
			   const char **ret_why)
{
	uint32_t hint, level;

	if (*p < end && **p == '[')
		return true;
	*ret_why = N_("the priority is not class,hint,level");
	if (!scan_class(p, end, &ret->prio_class) || !trace_scan_u32(p, end, &hint) ||
	    !trace_scan_char(p, end, ',') || !trace_scan_u32(p, end, &level) ||
	    !trace_scan_char(p, end, ' ') || hint > 1023 || level > 7)
		return false;
	ret->prio_hint = hint <= UINT8_MAX ? (uint8_t)hint : UINT8_MAX;
	ret->prio_level = (uint8_t)level;
	return true;
}

/* "[comm]" up to the last bracket: a comm may hold any character. */
static bool parse_comm(const char **p, const char *end, struct trace_record *ret,
		       const char **ret_why)
{
	const char *close;

	*ret_why = N_("[command] is missing or not whole");
	if (!trace_scan_char(p, end, '['))
		return false;
	close = memrchr(*p, ']', (size_t)(end - *p));
	if (!close)
		return false;
	trace_copy_text(ret->comm, sizeof(ret->comm), *p, close);
	*p = close + 1;
	return true;
}

static bool parse_error(const char *p, const char *end, struct trace_record *ret,
			const char **ret_why)
{
	bool is_negative;
	uint32_t number;

	*ret_why = N_("the line ends before [error]");
	if (!trace_scan_char(&p, end, '['))
		return false;
	is_negative = trace_scan_char(&p, end, '-');
	if (!trace_scan_u32(&p, end, &number) || !trace_scan_char(&p, end, ']') ||
	    p != end || number > INT32_MAX)
		return false;
	ret->error = is_negative ? -(int)number : (int)number;
	return true;
}

/* "(cmd) ": the bytes of a command that was passed through. */
static bool skip_command(const char **p, const char *end, const char **ret_why)
{
	const char *close;

	*ret_why = N_("the line ends before (command)");
	if (!trace_scan_char(p, end, '('))
		return false;
	close = memchr(*p, ')', (size_t)(end - *p));
	if (!close)
		return false;
	*p = close + 1;
	return trace_scan_char(p, end, ' ');
}

/* --- bodies ----------------------------------------------------------------------- */

static bool parse_request(const char *p, const char *end, struct trace_record *ret,
			  const char **ret_why)
{
	if (!parse_device_and_rwbs(&p, end, ret, ret_why))
		return false;
	*ret_why = N_("the number of bytes is missing or too large");
	if (!trace_scan_u64(&p, end, &ret->bytes) || ret->bytes > UINT32_MAX ||
	    !trace_scan_char(&p, end, ' ') || !skip_command(&p, end, ret_why) ||
	    !parse_extent(&p, end, ret, ret_why) ||
	    !parse_priority(&p, end, ret, ret_why) ||
	    !parse_comm(&p, end, ret, ret_why) || p != end)
		return false;
	/* old kernels (3.13 for one) print bytes only for commands passed through */
	if (!ret->bytes)
		ret->bytes = (uint64_t)ret->sectors * 512;
	return true;
}

static bool parse_completion(const char *p, const char *end, struct trace_record *ret,
			     const char **ret_why)
{
	if (!parse_device_and_rwbs(&p, end, ret, ret_why) ||
	    !skip_command(&p, end, ret_why) || !parse_extent(&p, end, ret, ret_why) ||
	    !parse_priority(&p, end, ret, ret_why) || !parse_error(p, end, ret, ret_why))
		return false;
	ret->bytes = (uint64_t)ret->sectors * 512;
	return true;
}

static bool parse_bio(const char *p, const char *end, struct trace_record *ret,
		      const char **ret_why)
{
	if (!parse_device_and_rwbs(&p, end, ret, ret_why) ||
	    !parse_extent(&p, end, ret, ret_why) || !parse_comm(&p, end, ret, ret_why) ||
	    p != end)
		return false;
	ret->bytes = (uint64_t)ret->sectors * 512;
	return true;
}

static bool parse_plug(const char *p, const char *end, struct trace_record *ret,
		       const char **ret_why)
{
	ret->op = TRACE_OTHER;
	return parse_comm(&p, end, ret, ret_why) && p == end;
}

static bool parse_unplug(const char *p, const char *end, struct trace_record *ret,
			 const char **ret_why)
{
	uint32_t count;

	ret->op = TRACE_OTHER;
	if (!parse_comm(&p, end, ret, ret_why))
		return false;
	*ret_why = N_("the number of requests is missing or too large");
	if (!trace_scan_char(&p, end, ' ') || !trace_scan_u32(&p, end, &count) ||
	    p != end)
		return false;
	ret->count = count;
	return true;
}

static bool scan_word(const char **p, const char *end, char *buf, size_t size)
{
	const char *word = *p;

	while (*p < end && **p != ' ')
		(*p)++;
	if (*p == word || (size_t)(*p - word) >= size)
		return false;
	trace_copy_text(buf, size, word, *p);
	return true;
}

static bool parse_domain(const char **p, const char *end, struct trace_record *ret,
			 const char **ret_why)
{
	static const struct {
		const char *name;
		enum trace_op op;
	} domains[] = {
		{ "READ", TRACE_READ },
		{ "WRITE", TRACE_WRITE },
		{ "DISCARD", TRACE_DISCARD },
		{ "OTHER", TRACE_OTHER },
	};

	*ret_why = N_("the device is not major,minor");
	if (!scan_device(p, end, &ret->device) || !trace_scan_char(p, end, ' '))
		return false;
	*ret_why = N_("the domain is not READ, WRITE, DISCARD or OTHER");
	if (!scan_word(p, end, ret->kyber.domain, sizeof(ret->kyber.domain)))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(domains); i++) {
		if (!strcmp(ret->kyber.domain, domains[i].name)) {
			ret->op = domains[i].op;
			return true;
		}
	}
	return false;
}

static bool parse_kyber_latency(const char *p, const char *end, struct trace_record *ret,
				const char **ret_why)
{
	struct trace_kyber *kyber = &ret->kyber;

	if (!parse_domain(&p, end, ret, ret_why))
		return false;
	*ret_why = N_("the latency is not \"type pNN n/n samples=N\"");
	return trace_scan_char(&p, end, ' ') &&
	       scan_word(&p, end, kyber->type, sizeof(kyber->type)) &&
	       trace_scan_text(&p, end, " p") &&
	       trace_scan_u32(&p, end, &kyber->percentile) &&
	       trace_scan_char(&p, end, ' ') &&
	       trace_scan_u32(&p, end, &kyber->numerator) &&
	       trace_scan_char(&p, end, '/') &&
	       trace_scan_u32(&p, end, &kyber->denominator) &&
	       trace_scan_text(&p, end, " samples=") &&
	       trace_scan_u32(&p, end, &kyber->samples) && p == end;
}

static bool parse_kyber_adjust(const char *p, const char *end, struct trace_record *ret,
			       const char **ret_why)
{
	if (!parse_domain(&p, end, ret, ret_why))
		return false;
	*ret_why = N_("the depth is missing or too large");
	return trace_scan_char(&p, end, ' ') &&
	       trace_scan_u32(&p, end, &ret->kyber.depth) && p == end;
}

static bool parse_kyber_throttled(const char *p, const char *end,
				  struct trace_record *ret, const char **ret_why)
{
	return parse_domain(&p, end, ret, ret_why) && p == end;
}

/* --- table ------------------------------------------------------------------------ */

/* clang-format off */
#define EVENT(name, action, parse) { name, sizeof(name) - 1, action, parse }
/* clang-format on */

static const struct ftrace_event events[] = {
	EVENT("block_rq_issue", TRACE_RQ_ISSUE, parse_request),
	EVENT("block_rq_complete", TRACE_RQ_COMPLETE, parse_completion),
	EVENT("block_rq_insert", TRACE_RQ_INSERT, parse_request),
	EVENT("block_bio_queue", TRACE_BIO_QUEUE, parse_bio),
	EVENT("block_getrq", TRACE_GETRQ, parse_bio),
	EVENT("block_plug", TRACE_PLUG, parse_plug),
	EVENT("block_unplug", TRACE_UNPLUG, parse_unplug),
	EVENT("block_bio_backmerge", TRACE_BIO_BACKMERGE, parse_bio),
	EVENT("block_bio_frontmerge", TRACE_BIO_FRONTMERGE, parse_bio),
	EVENT("block_rq_merge", TRACE_RQ_MERGE, parse_request),
	EVENT("block_rq_requeue", TRACE_RQ_REQUEUE, parse_completion),
	EVENT("kyber_latency", TRACE_KYBER_LATENCY, parse_kyber_latency),
	EVENT("kyber_adjust", TRACE_KYBER_ADJUST, parse_kyber_adjust),
	EVENT("kyber_throttled", TRACE_KYBER_THROTTLED, parse_kyber_throttled),
};

const struct ftrace_event *ftrace_event_find(const char *name, size_t len)
{
	for (size_t i = 0; i < ARRAY_SIZE(events); i++)
		if (events[i].len == len && !memcmp(events[i].name, name, len))
			return &events[i];
	return NULL;
}
