// SPDX-License-Identifier: GPL-2.0-or-later
/* Values of fio job files: numbers with fio's suffixes, lists by direction. */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "sim/workload/fio-file.h"
#include "util/i18n.h"
#include "util/number.h"

int fio_refuse(struct fio_context *context, int error, const char *format, ...)
{
	char text[400];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	diag_set(context->diag, error, "%s", text);
	diag_at(context->diag, context->file, context->line);
	return error;
}

void fio_note(const struct fio_context *context, unsigned line, const char *key,
	      const char *why)
{
	if (context->options->on_note)
		context->options->on_note(context->options->context, line, key, why);
}

static int refuse_value(struct fio_context *context, const char *text)
{
	return fio_refuse(context, -EINVAL, _("%s: '%.60s' is not a value of it"),
			  context->key, text);
}

/* What fio would compute: said clearly, as it looks like a value. */
static int check_expression(struct fio_context *context, const char *text)
{
	if (*text != '(' && !strchr(text, '$'))
		return 0;
	return fio_refuse(context, -ENOTSUP,
			  _("%s: expressions and variables are not computed: '%.60s'"),
			  context->key, text);
}

/* Digits, or 0x and hexadecimal ones; *text is behind them then. */
static int parse_digits(const char **text, uint64_t *ret)
{
	const char *p = *text;
	bool is_hex = p[0] == '0' && (p[1] == 'x' || p[1] == 'X');
	unsigned base = is_hex ? 16 : 10, digit;
	uint64_t value = 0;
	const char *begin;

	p += is_hex ? 2 : 0;
	for (begin = p; is_hex ? isxdigit((unsigned char)*p) : isdigit((unsigned char)*p);
	     p++) {
		digit = isdigit((unsigned char)*p)
				? (unsigned)(*p - '0')
				: (unsigned)(tolower((unsigned char)*p) - 'a' + 10);
		if (__builtin_mul_overflow(value, (uint64_t)base, &value) ||
		    __builtin_add_overflow(value, (uint64_t)digit, &value))
			return -ERANGE;
	}
	if (p == begin)
		return -EINVAL;
	*text = p;
	*ret = value;
	return 0;
}

/* 0 for a suffix that is none. */
static uint64_t find_size_factor(const char *suffix, unsigned kb_base)
{
	static const char letters[] = "kmgtp";
	const char *letter;
	uint64_t factor = 1, base = kb_base;

	if (!*suffix || !strcasecmp(suffix, "b"))
		return 1;
	letter = strchr(letters, tolower((unsigned char)*suffix));
	if (!letter)
		return 0;
	/* fio's 4kib are 4000 bytes, unless it is told to count as everybody does. */
	if (!strcasecmp(suffix + 1, "ib"))
		base = kb_base == 1000 ? 1024 : 1000;
	else if (suffix[1] && strcasecmp(suffix + 1, "b") && strcasecmp(suffix + 1, "i"))
		return 0;
	for (const char *p = letters; p <= letter; p++)
		factor *= base;
	return factor;
}

static int parse_scaled(struct fio_context *context, const char *text, uint64_t *ret,
			bool *ret_is_percent)
{
	const char *p = text;
	uint64_t value, factor;
	int r = check_expression(context, text);

	if (r)
		return r;
	if (parse_digits(&p, &value))
		return refuse_value(context, text);
	if (ret_is_percent && !strcmp(p, "%")) {
		*ret = value;
		*ret_is_percent = true;
		return 0;
	}
	if (*p == 'z' && !p[1])
		return fio_refuse(context, -ENOTSUP, _("%s: sizes in zones are not supported"),
				  context->key);
	factor = find_size_factor(p, context->kb_base);
	if (!factor || __builtin_mul_overflow(value, factor, &value) || value > INT64_MAX)
		return refuse_value(context, text);
	*ret = value;
	if (ret_is_percent)
		*ret_is_percent = false;
	return 0;
}

int fio_parse_bytes(struct fio_context *context, const char *text, uint64_t *ret)
{
	return parse_scaled(context, text, ret, NULL);
}

int fio_parse_signed_bytes(struct fio_context *context, const char *text, int64_t *ret)
{
	bool is_negative = *text == '-';
	uint64_t value;
	int r = parse_scaled(context, text + (is_negative || *text == '+'), &value, NULL);

	if (r)
		return r;
	*ret = is_negative ? -(int64_t)value : (int64_t)value;
	return 0;
}

int fio_parse_size(struct fio_context *context, const char *text, struct fio_size *ret)
{
	struct fio_size size = { .is_set = true };
	uint64_t value;
	int r = parse_scaled(context, text, &value, &size.is_percent);

	if (r)
		return r;
	if (size.is_percent && value > 100)
		return refuse_value(context, text);
	if (size.is_percent)
		size.percent = (double)value;
	else
		size.bytes = value;
	*ret = size;
	return 0;
}

int fio_parse_time(struct fio_context *context, const char *text, uint64_t scale_ns,
		   uint64_t *ret_ns)
{
	static const struct {
		const char *suffix;
		uint64_t ns;
	} suffixes[] = {
		{ "us", 1000 },       { "usec", 1000 },
		{ "ms", 1000000 },    { "msec", 1000000 },
		{ "s", 1000000000 },  { "m", UINT64_C(60000000000) },
		{ "h", UINT64_C(3600000000000) }, { "d", UINT64_C(86400000000000) },
	};
	const char *p = text;
	uint64_t value;
	int r = check_expression(context, text);

	if (r)
		return r;
	if (parse_digits(&p, &value))
		return refuse_value(context, text);
	for (size_t i = 0; *p && i < ARRAY_SIZE(suffixes); i++) {
		if (!strcasecmp(p, suffixes[i].suffix)) {
			scale_ns = suffixes[i].ns;
			p = "";
		}
	}
	if (*p || __builtin_mul_overflow(value, scale_ns, &value) || value > INT64_MAX)
		return refuse_value(context, text);
	*ret_ns = value;
	return 0;
}

int fio_parse_count(struct fio_context *context, const char *text, uint64_t min,
		    uint64_t max, uint64_t *ret)
{
	uint64_t value;
	int r = fio_parse_bytes(context, text, &value);

	if (r)
		return r;
	if (value < min || value > max)
		return fio_refuse(context, -EINVAL, _("%s: %llu is not between %llu and %llu"),
				  context->key, (unsigned long long)value,
				  (unsigned long long)min, (unsigned long long)max);
	*ret = value;
	return 0;
}

int fio_parse_real(struct fio_context *context, const char *text, double *ret)
{
	const char *p = text;
	double value = 0.0, scale = 1.0;
	uint64_t whole = 0;
	int r = check_expression(context, text);

	if (r)
		return r;
	if (*p != '.' && parse_digits(&p, &whole))
		return refuse_value(context, text);
	value = (double)whole;
	if (*p == '.') {
		if (!isdigit((unsigned char)*++p))
			return refuse_value(context, text);
		for (; isdigit((unsigned char)*p); p++)
			value += (*p - '0') * (scale /= 10.0);
	}
	if (*p)
		return refuse_value(context, text);
	*ret = value;
	return 0;
}

/* fio takes any number; without a value a switch is on. */
int fio_parse_bool(struct fio_context *context, const char *text, bool *ret)
{
	uint64_t value = 1;
	int r = *text ? fio_parse_bytes(context, text, &value) : 0;

	if (r)
		return r;
	*ret = value != 0;
	return 0;
}

int fio_split_ops(struct fio_context *context, const char *text,
		  char ret[JOB_OPS][FIO_NAME_MAX])
{
	unsigned op = 0;
	size_t len;

	for (;; text += len + 1) {
		len = strcspn(text, ",");
		if (op == JOB_OPS || len >= FIO_NAME_MAX)
			return refuse_value(context, text);
		memcpy(ret[op], text, len);
		ret[op++][len] = '\0';
		if (!text[len])
			break;
	}
	for (; op < JOB_OPS; op++)
		memcpy(ret[op], ret[op - 1], FIO_NAME_MAX);
	return 0;
}
