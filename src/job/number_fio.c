/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers read as fio reads them, surprises included. */
#include "job/number_fio.h"

#include <ctype.h>
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/units.h"

#define SEPARATORS ",:-"
#define DIGITS "0123456789"

/* What stands behind the last separator: a sign is one, too. */
static const char *last_value(const char *text)
{
	const char *value = text;

	for (const char *pos = text; *pos; pos++) {
		if (strchr(SEPARATORS, *pos))
			value = pos + 1;
	}
	return value;
}

/* Blanks and a plus sign may stand before the digits; those of 0x are hexadecimal. */
static int leading_number(const char *text, uint64_t *ret_value)
{
	const char *first = text + strspn(text, " \t+");
	const int base = first[0] == '0' && tolower((unsigned char)first[1]) == 'x' ? 16 : 10;

	if (!isdigit((unsigned char)*first))
		return -EINVAL;
	errno = 0;
	*ret_value = strtoull(first, NULL, base);
	return errno || *ret_value > INT64_MAX ? -ERANGE : 0;
}

static uint64_t size_factor(const char *suffix, unsigned kb_base)
{
	static const char prefixes[] = "kmgtp";
	const char *prefix = *suffix ? strchr(prefixes, tolower((unsigned char)*suffix)) : NULL;
	const uint64_t other_base = kb_base == 1024 ? 1000 : 1024;
	uint64_t base = kb_base;
	uint64_t factor = 1;

	if (!prefix)
		return 1;
	if (!strncasecmp(suffix + 1, "ib", 2))
		base = other_base;
	for (ptrdiff_t i = 0; i <= prefix - prefixes; i++)
		factor *= base;
	return factor;
}

/* The suffix is looked for behind digits that stand at the very start. */
int number_fio_count(const char *text, unsigned kb_base, uint64_t *ret_count)
{
	const uint64_t factor = size_factor(text + strspn(text, DIGITS), kb_base);
	uint64_t digits;
	int ret = leading_number(text, &digits);

	if (ret < 0)
		return ret;
	return __builtin_mul_overflow(digits, factor, ret_count) ? -ERANGE : 0;
}

int number_fio_size(const char *text, unsigned kb_base, uint64_t *ret_bytes)
{
	return number_fio_count(last_value(text), kb_base, ret_bytes);
}

/* Units only of what counts in something else than ms: there "1ms" is a mebi of them. */
static uint64_t time_factor_ns(const char *suffix, uint64_t unit_ns)
{
	static const struct {
		const char *name;
		size_t len; /* of the suffix that has to be equal; 0: all of it */
		uint64_t ns;
	} units[] = {
		{ "us", 2, NS_PER_US },
		{ "ms", 2, NS_PER_MS },
		{ "s", 0, 1000 * NS_PER_MS },
		{ "m", 0, 60 * 1000 * NS_PER_MS },
		{ "h", 0, 60 * 60 * 1000 * NS_PER_MS },
		{ "d", 0, 24 * 60 * 60 * 1000 * NS_PER_MS },
	};

	if (!isalpha((unsigned char)*suffix))
		return unit_ns;
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (units[i].len ? !strncasecmp(suffix, units[i].name, units[i].len)
				 : !strcasecmp(suffix, units[i].name))
			return units[i].ns;
	}
	return NS_PER_US;
}

int number_fio_time(const char *text, uint64_t unit_ns, uint64_t *ret_ns)
{
	const char *value = last_value(text);
	const char *suffix = value + strspn(value, DIGITS);
	uint64_t factor_ns = time_factor_ns(suffix, unit_ns);
	uint64_t digits;
	int ret = leading_number(value, &digits);

	if (ret < 0)
		return ret;
	if (unit_ns == NS_PER_MS &&
	    __builtin_mul_overflow(NS_PER_MS, size_factor(suffix, 1024), &factor_ns))
		return -ERANGE;
	return __builtin_mul_overflow(digits, factor_ns, ret_ns) ? -ERANGE : 0;
}
