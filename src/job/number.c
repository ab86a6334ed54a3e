/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the numbers of job files: sizes, counts, times and ranges of them. */
#include "job/number.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "base/units.h"
#include "job/number_expr.h"
#include "job/number_fio.h"

static bool is_control(char c)
{
	return (unsigned char)c < 0x20 || c == 0x7f;
}

static bool is_utf8_continuation(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

const char *short_text(const char *text, struct short_text *ret_short)
{
	static const char mark[] = "...";
	char *buf = ret_short->buf;
	const size_t max_len = sizeof(ret_short->buf) - sizeof(mark);
	size_t len = strnlen(text, sizeof(ret_short->buf));
	bool is_cut = len == sizeof(ret_short->buf);

	if (is_cut) {
		len = max_len;
		while (len > 0 && is_utf8_continuation(text[len]))
			len--;
	}
	for (size_t i = 0; i < len; i++)
		buf[i] = text[i];
	buf[len] = '\0';
	for (char *pos = buf; *pos; pos++) {
		if (is_control(*pos))
			*pos = '?';
	}
	if (is_cut)
		memcpy(buf + len, mark, sizeof(mark));
	return buf;
}

void number_note(struct number_reader *reader, enum trap_id trap, const char *format, ...)
{
	CLEANUP(strbuf) struct strbuf text = STRBUF_INIT;
	va_list args;

	va_start(args, format);
	strbuf_vprintf(&text, format, args);
	va_end(args);
	reader->note = arena_strdup(reader->arena, strbuf_str(&text));
	reader->trap = trap;
}

static char lower(char c)
{
	return (char)tolower((unsigned char)c);
}

/* Value of a digit, at least base if it is none of that base. */
static unsigned digit_value(char c, unsigned base)
{
	static const char digits[] = "0123456789abcdef";
	const char *found = c ? strchr(digits, lower(c)) : NULL;

	return found ? (unsigned)(found - digits) : base;
}

/* Decimal digits, or 0x digits without suffix. *ret_end is after the last one; -EINVAL when there
 * are none, -ERANGE if they are more than 64 bits. */
static int digits_parse(const char *text, uint64_t *ret_value, const char **ret_end)
{
	const bool is_hex = text[0] == '0' && lower(text[1]) == 'x';
	const unsigned base = is_hex ? 16 : 10;
	const char *first = is_hex ? text + 2 : text;
	const char *pos = first;
	bool is_too_large = false;
	uint64_t value = 0;

	for (; digit_value(*pos, base) < base; pos++)
		is_too_large |= __builtin_mul_overflow(value, base, &value) ||
				__builtin_add_overflow(value, digit_value(*pos, base), &value);
	*ret_end = pos;
	if (pos == first || (is_hex && *pos))
		return -EINVAL;
	if (is_too_large)
		return -ERANGE;
	*ret_value = value;
	return 0;
}

static uint64_t power(uint64_t base, unsigned exponent)
{
	uint64_t product = 1;

	while (exponent-- > 0)
		product *= base;
	return product;
}

/*
 * The factor of a size suffix, and the one fio uses: fio exchanges the two families, so that
 * with kb_base=1024 its MiB is 10^6. False if it is no suffix.
 */
static bool size_suffix_parse(const char *suffix, unsigned kb_base, uint64_t *ret_factor,
			      uint64_t *ret_fio_factor)
{
	static const char prefixes[] = "kmgtp";
	const char *pos = suffix;
	const char *prefix = *pos ? strchr(prefixes, lower(*pos)) : NULL;
	unsigned exponent = 0;
	bool has_i = false;
	bool has_b;

	if (prefix) {
		exponent = (unsigned)(prefix - prefixes) + 1;
		pos++;
		has_i = lower(*pos) == 'i';
		pos += has_i;
	}
	has_b = lower(*pos) == 'b';
	pos += has_b;
	*ret_factor = power(has_i ? 1024 : kb_base, exponent);
	*ret_fio_factor = *ret_factor;
	if (has_i && !has_b)
		*ret_fio_factor = power(kb_base, exponent);
	if (has_i && has_b)
		*ret_fio_factor = power(kb_base == 1024 ? 1000 : 1024, exponent);
	return *pos == '\0';
}

/* The message for text that is no `what`, with the reason where it is a known trap. */
static int number_refuse(const char *text, const char *what, struct err *err)
{
	struct short_text quoted;

	(void)short_text(text, &quoted);
	if (isdigit((unsigned char)text[0]) && text[strspn(text, "0123456789")] == '.')
		return err_set(err, ERR_INPUT, "'%s' is not a %s: it must be a whole number",
			       quoted.buf, what);
	if (strchr(text, ','))
		return err_set(err, ERR_INPUT, "'%s' is not a %s: only one is expected", quoted.buf,
			       what);
	return err_set(err, ERR_INPUT, "'%s' is not a %s", quoted.buf, what);
}

static int number_too_large(const char *text, struct err *err)
{
	struct short_text quoted;

	return err_set(err, ERR_INPUT, "'%s' is too large", short_text(text, &quoted));
}

/* What fio's reading came to. */
static int fio_result(int ret, const char *text, const char *what, struct err *err)
{
	if (ret == 0)
		return 0;
	return ret == -ERANGE ? number_too_large(text, err) : number_refuse(text, what, err);
}

static bool size_factor(const void *arg, const char *suffix, long double *ret_factor)
{
	uint64_t factor, unused;

	if (!size_suffix_parse(suffix, *(const unsigned *)arg, &factor, &unused))
		return false;
	*ret_factor = (long double)factor;
	return true;
}

typedef int (*fio_parse)(const char *text, unsigned kb_base, uint64_t *ret_value);

/* What no trap is about. */
static int plain_size_parse(struct number_reader *reader, const char *text, const char *what,
			    uint64_t *ret_value, struct err *err)
{
	struct short_text quoted;
	const char *suffix;
	uint64_t digits = 0;
	uint64_t factor;
	uint64_t fio_factor;
	uint64_t value;
	int ret = digits_parse(text, &digits, &suffix);

	if (ret != -EINVAL && (!strcmp(suffix, "z") || !strcmp(suffix, "Z")))
		return err_set(err, ERR_INPUT, "'%s': this size cannot be given in zones",
			       short_text(text, &quoted));
	if (ret == -EINVAL || !size_suffix_parse(suffix, reader->kb_base, &factor, &fio_factor))
		return number_refuse(text, what, err);
	if (ret < 0 || __builtin_mul_overflow(digits, factor, &value))
		return number_too_large(text, err);
	if (factor != fio_factor)
		number_note(reader, TRAP_BINARY_UNIT,
			    "'%s' is %" PRIu64 " bytes here; fio takes it as %" PRIu64,
			    short_text(text, &quoted), value, digits * fio_factor);
	*ret_value = value;
	return 0;
}

static int size_parse(struct number_reader *reader, const char *text, const char *what,
		      fio_parse as_fio, uint64_t *ret_value, struct err *err)
{
	const struct number_expr_units units = {
		.factor = size_factor,
		.arg = &reader->kb_base,
		.unit = 1,
	};

	if (text[0] == '(')
		return number_expr_parse(reader, text, &units, ret_value, err);
	if (reader->is_fio)
		return fio_result(as_fio(text, reader->kb_base, ret_value), text, what, err);
	return plain_size_parse(reader, text, what, ret_value, err);
}

int number_parse_size(struct number_reader *reader, const char *text, uint64_t *ret_bytes,
		      struct err *err)
{
	return size_parse(reader, text, "size", number_fio_size, ret_bytes, err);
}

int number_parse_count(struct number_reader *reader, const char *text, uint64_t *ret_count,
		       struct err *err)
{
	return size_parse(reader, text, "number", number_fio_count, ret_count, err);
}

struct time_unit {
	const char *names; /* separated by blanks */
	uint64_t ns;
	bool is_fio; /* fio knows it; it counts others as microseconds */
};

static const struct time_unit time_units[] = {
	{ "us usec usecs", NS_PER_US, true },
	{ "ms msec msecs", NS_PER_MS, true },
	{ "s", NS_PER_S, true },
	{ "m", NS_PER_MIN, true },
	{ "h", NS_PER_HOUR, true },
	{ "d", NS_PER_DAY, true },
	{ "ns nsec nsecs", 1, false },
	{ "sec secs second seconds", NS_PER_S, false },
	{ "min mins minute minutes", NS_PER_MIN, false },
	{ "hour hours", NS_PER_HOUR, false },
	{ "day days", NS_PER_DAY, false },
};

/* True if word is one of the words of a blank-separated list; case does not matter. */
static bool word_is_in(const char *names, const char *word)
{
	const size_t len = strlen(word);

	for (const char *pos = names; *pos;) {
		size_t name_len = strcspn(pos, " ");

		if (name_len == len && !strncasecmp(pos, word, len))
			return true;
		pos += name_len;
		pos += strspn(pos, " ");
	}
	return false;
}

static const struct time_unit *time_unit_find(const char *suffix)
{
	for (size_t i = 0; i < sizeof(time_units) / sizeof(time_units[0]); i++) {
		if (word_is_in(time_units[i].names, suffix))
			return &time_units[i];
	}
	return NULL;
}

/* In units of what a plain number counts. */
static bool time_factor(const void *arg, const char *suffix, long double *ret_factor)
{
	const struct time_unit *unit = time_unit_find(suffix);

	if (unit)
		*ret_factor = (long double)unit->ns / (long double)*(const uint64_t *)arg;
	return unit != NULL;
}

int number_parse_time(struct number_reader *reader, const char *text, uint64_t unit_ns,
		      uint64_t *ret_ns, struct err *err)
{
	const struct time_unit *unit = NULL;
	struct short_text quoted;
	const char *suffix;
	uint64_t digits = 0;
	uint64_t ns;
	int ret;

	if (text[0] == '(')
		return number_expr_parse(reader, text,
					 &(struct number_expr_units){ .factor = time_factor,
								      .arg = &unit_ns,
								      .unit = unit_ns },
					 ret_ns, err);
	if (reader->is_fio)
		return fio_result(number_fio_time(text, unit_ns, ret_ns), text, "time", err);
	ret = digits_parse(text, &digits, &suffix);
	if (ret != -EINVAL && *suffix)
		unit = time_unit_find(suffix);
	if (ret == -EINVAL || (*suffix && !unit))
		return number_refuse(text, "time", err);
	if (ret < 0 || __builtin_mul_overflow(digits, unit ? unit->ns : unit_ns, &ns))
		return number_too_large(text, err);
	if (unit && unit_ns == NS_PER_MS)
		number_note(reader, TRAP_TIME_WORD,
			    "'%s' is taken as written; fio knows no units of time here",
			    short_text(text, &quoted));
	else if (unit ? !unit->is_fio : lower(text[1]) == 'x')
		number_note(reader, TRAP_TIME_WORD,
			    "'%s' is taken as written; fio reads it as %" PRIu64 " us",
			    short_text(text, &quoted), digits);
	*ret_ns = ns;
	return 0;
}

/* Cuts "a-b" or "a:b" in two copies; false without a separator. */
static bool range_split(struct arena *arena, const char *text, const char **ret_first,
			const char **ret_second)
{
	const char *separator = strchr(text, '-');

	if (!separator)
		separator = strchr(text, ':');
	if (!separator)
		return false;
	*ret_first = arena_strndup(arena, text, (size_t)(separator - text));
	*ret_second = arena_strdup(arena, separator + 1);
	return true;
}

static void range_store(struct number_reader *reader, const char *text, uint64_t first,
			uint64_t second, uint64_t *ret_min, uint64_t *ret_max)
{
	struct short_text quoted;

	if (first > second && !reader->is_fio)
		number_note(reader, TRAP_REVERSED_RANGE, "'%s': the ends are exchanged",
			    short_text(text, &quoted));
	*ret_min = first < second ? first : second;
	*ret_max = first < second ? second : first;
}

int number_parse_size_range(struct number_reader *reader, const char *text, uint64_t *ret_min,
			    uint64_t *ret_max, struct err *err)
{
	struct short_text quoted;
	const char *first;
	const char *second;
	uint64_t low = 0;
	uint64_t high = 0;
	int ret;

	if (!range_split(reader->arena, text, &first, &second))
		return err_set(err, ERR_INPUT, "'%s' is not a range of sizes such as 4k-64k",
			       short_text(text, &quoted));
	ret = number_parse_size(reader, first, &low, err);
	if (ret == 0)
		ret = number_parse_size(reader, second, &high, err);
	if (ret < 0)
		return ret;
	range_store(reader, text, low, high, ret_min, ret_max);
	return 0;
}

int number_parse_time_range(struct number_reader *reader, const char *text, uint64_t unit_ns,
			    uint64_t *ret_min_ns, uint64_t *ret_max_ns, struct err *err)
{
	const char *first;
	const char *second;
	uint64_t low = 0;
	uint64_t high = 0;
	int ret;

	if (!range_split(reader->arena, text, &first, &second))
		first = second = text;
	ret = number_parse_time(reader, first, unit_ns, &low, err);
	if (ret == 0)
		ret = number_parse_time(reader, second, unit_ns, &high, err);
	if (ret < 0)
		return ret;
	range_store(reader, text, low, high, ret_min_ns, ret_max_ns);
	return 0;
}
