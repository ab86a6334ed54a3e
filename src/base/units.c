/* SPDX-License-Identifier: GPL-2.0-or-later */
/* units: parse and print quantities in regio's own grammar. fio's grammar is left to src/job. */
#include "base/units.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define FRACTION_DIGITS 18 /* 10^18 still fits uint64_t; later digits cannot change the result */

/* whole + fraction / scale, all exact. */
struct decimal {
	uint64_t whole;
	uint64_t fraction;
	uint64_t scale;
};

static int units_fail(int ret, const char *bad, const char **ret_bad)
{
	if (ret_bad)
		*ret_bad = bad;
	return ret;
}

/* Reads DIGITS[.DIGITS]; *ret_end is where it stopped. -EINVAL leaves *ret_end at the culprit. */
static int decimal_parse(const char *text, struct decimal *ret_value, const char **ret_end)
{
	struct decimal value = { .scale = 1 };
	const char *pos = text;
	bool is_too_large = false;

	*ret_end = pos;
	if (!isdigit((unsigned char)*pos))
		return -EINVAL;
	for (; isdigit((unsigned char)*pos); pos++)
		is_too_large |=
			__builtin_mul_overflow(value.whole, 10u, &value.whole) ||
			__builtin_add_overflow(value.whole, (uint64_t)(*pos - '0'), &value.whole);
	if (*pos == '.') {
		const char *first = ++pos;

		for (; isdigit((unsigned char)*pos); pos++) {
			if (pos - first >= FRACTION_DIGITS)
				continue;
			value.fraction = value.fraction * 10 + (uint64_t)(*pos - '0');
			value.scale *= 10;
		}
		*ret_end = pos;
		if (pos == first)
			return -EINVAL;
	}
	*ret_end = pos;
	if (is_too_large)
		return -ERANGE;
	*ret_value = value;
	return 0;
}

/* value * factor, rounded to the nearest whole, halves up. */
static int decimal_scale(const struct decimal *value, uint64_t factor, uint64_t *ret_product)
{
	long double part; /* below 2^60, so 64 bits of mantissa round it well */
	uint64_t product;

	if (__builtin_mul_overflow(value->whole, factor, &product))
		return -ERANGE;
	part = (long double)value->fraction / (long double)value->scale * (long double)factor;
	if (__builtin_add_overflow(product, (uint64_t)(part + 0.5L), &product))
		return -ERANGE;
	*ret_product = product;
	return 0;
}

static int letter_lower(char c)
{
	return tolower((unsigned char)c);
}

/* Reads as much as is a unit of size; returns where that ends. */
static const char *size_unit_parse(const char *unit, unsigned kb_base, uint64_t *ret_factor)
{
	static const char prefixes[] = "kmgtpe";
	const char *prefix = *unit ? strchr(prefixes, letter_lower(*unit)) : NULL;
	const char *pos = prefix ? unit + 1 : unit;
	uint64_t base = kb_base;
	uint64_t factor = 1;

	if (prefix && letter_lower(*pos) == 'i') {
		base = 1024;
		pos++;
	} else if (prefix && letter_lower(*pos) == 'b') {
		base = 1000;
	}
	for (const char *step = prefixes; prefix && step <= prefix; step++)
		factor *= base;
	*ret_factor = factor;
	return letter_lower(*pos) == 'b' ? pos + 1 : pos;
}

static int size_parse(const char *text, unsigned kb_base, const char *suffix, uint64_t *ret_bytes,
		      const char **ret_bad)
{
	struct decimal value;
	const char *end;
	uint64_t factor;
	int ret = decimal_parse(text, &value, &end);

	if (ret == -EINVAL)
		return units_fail(ret, end, ret_bad);
	end = size_unit_parse(end, kb_base, &factor);
	if (suffix && strcasecmp(end, suffix) == 0)
		end += strlen(suffix);
	if (*end)
		return units_fail(-EINVAL, end, ret_bad);
	if (ret == 0)
		ret = decimal_scale(&value, factor, ret_bytes);
	return ret < 0 ? units_fail(ret, text, ret_bad) : 0;
}

int units_parse_size(const char *text, unsigned kb_base, uint64_t *ret_bytes, const char **ret_bad)
{
	return size_parse(text, kb_base, NULL, ret_bytes, ret_bad);
}

int units_parse_rate(const char *text, unsigned kb_base, uint64_t *ret_bytes_per_sec,
		     const char **ret_bad)
{
	return size_parse(text, kb_base, "/s", ret_bytes_per_sec, ret_bad);
}

int units_parse_duration_ns(const char *text, uint64_t *ret_ns, const char **ret_bad)
{
	static const struct {
		const char *name;
		uint64_t ns;
	} units[] = {
		{ "ns", 1 },	      { "us", NS_PER_US }, { "ms", NS_PER_MS },
		{ "s", NS_PER_S },    { "m", NS_PER_MIN }, { "min", NS_PER_MIN },
		{ "h", NS_PER_HOUR }, { "d", NS_PER_DAY },
	};
	struct decimal value;
	const char *end;
	int ret = decimal_parse(text, &value, &end);

	if (ret == -EINVAL)
		return units_fail(ret, end, ret_bad);
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (strcmp(end, units[i].name) != 0)
			continue;
		if (ret == 0)
			ret = decimal_scale(&value, units[i].ns, ret_ns);
		return ret < 0 ? units_fail(ret, text, ret_bad) : 0;
	}
	if (*end || ret < 0 || value.whole || value.fraction)
		return units_fail(-EINVAL, end, ret_bad);
	*ret_ns = 0;
	return 0;
}

int units_parse_share(const char *text, double *ret_share, const char **ret_bad)
{
	struct decimal value;
	const char *end;
	double number;
	int ret = decimal_parse(text, &value, &end);

	if (ret < 0)
		return units_fail(ret, ret == -EINVAL ? end : text, ret_bad);
	if (*end && strcmp(end, "%") != 0)
		return units_fail(-EINVAL, end, ret_bad);
	number = (double)value.whole + (double)value.fraction / (double)value.scale;
	if (!*end && number > 1.0)
		return units_fail(-ERANGE, text, ret_bad);
	*ret_share = *end ? number / 100.0 : number;
	return 0;
}

int units_parse_u64(const char *text, uint64_t *ret_value, const char **ret_bad)
{
	const char *pos = text;
	uint64_t value = 0;
	bool is_too_large = false;

	for (; isdigit((unsigned char)*pos); pos++)
		is_too_large |= __builtin_mul_overflow(value, 10u, &value) ||
				__builtin_add_overflow(value, (uint64_t)(*pos - '0'), &value);
	if (pos == text || *pos)
		return units_fail(-EINVAL, pos, ret_bad);
	if (is_too_large)
		return units_fail(-ERANGE, text, ret_bad);
	*ret_value = value;
	return 0;
}

/* Where the longest decimal floating-point number at text ends; *ret_is_whole_text says whether
 * that is all of it. */
static const char *double_end(const char *text)
{
	const char *pos = text + (*text == '-' || *text == '+');
	size_t nr_digits = strspn(pos, "0123456789");

	if (nr_digits == 0)
		return pos;
	pos += nr_digits;
	if (*pos == '.') {
		nr_digits = strspn(pos + 1, "0123456789");
		if (nr_digits == 0)
			return pos + 1;
		pos += 1 + nr_digits;
	}
	if (*pos == 'e' || *pos == 'E') {
		const char *exponent = pos + 1 + (pos[1] == '-' || pos[1] == '+');

		nr_digits = strspn(exponent, "0123456789");
		if (nr_digits == 0)
			return pos;
		pos = exponent + nr_digits;
	}
	return pos;
}

int units_parse_double(const char *text, double *ret_value, const char **ret_bad)
{
	const char *end = double_end(text);
	double value;

	if (*end || end == text || !isdigit((unsigned char)end[-1]))
		return units_fail(-EINVAL, end, ret_bad);
	value = strtod(text, NULL); /* regio never leaves the C locale */
	if (!isfinite(value))
		return units_fail(-ERANGE, text, ret_bad);
	*ret_value = value;
	return 0;
}

/* Three significant digits without trailing zeros; 1000..1023 (KiB before MiB) stay whole. */
static void number_print(double value, const char *unit, char *buf, size_t len)
{
	char digits[UNITS_TEXT_LEN];
	int nr_decimals = 0;

	if (value < 9.995)
		nr_decimals = 2;
	else if (value < 99.95)
		nr_decimals = 1;
	(void)snprintf(digits, sizeof(digits), "%.*f", nr_decimals, value);
	if (nr_decimals > 0) {
		size_t end = strlen(digits);

		while (digits[end - 1] == '0')
			end--;
		if (digits[end - 1] == '.')
			end--;
		digits[end] = '\0';
	}
	(void)snprintf(buf, len, "%s%s", digits, unit);
}

/* Divides by base while the rounded value would not stay below it. */
static void scaled_print(double value, double base, const char *const *units, char *buf, size_t len)
{
	size_t step = 0;

	while (units[step + 1] && value >= base - 0.5) {
		value /= base;
		step++;
	}
	number_print(value, units[step], buf, len);
}

char *units_print_bytes(uint64_t bytes, char *buf, size_t len)
{
	static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB", NULL };

	scaled_print((double)bytes, 1024.0, units, buf, len);
	return buf;
}

char *units_print_rate(double bytes_per_sec, char *buf, size_t len)
{
	static const char *const units[] = { "B/s",   "KiB/s", "MiB/s", "GiB/s",
					     "TiB/s", "PiB/s", "EiB/s", NULL };

	scaled_print(bytes_per_sec, 1024.0, units, buf, len);
	return buf;
}

char *units_print_count(double count, char *buf, size_t len)
{
	static const char *const units[] = { "", "k", "M", "G", "T", "P", NULL };

	scaled_print(count, 1000.0, units, buf, len);
	return buf;
}

char *units_print_duration_ns(uint64_t ns, char *buf, size_t len)
{
	static const char *const units[] = { "ns", "us", "ms", "s", NULL };
	unsigned long long seconds = ns / NS_PER_S + (ns % NS_PER_S >= NS_PER_S / 2);

	if (seconds < 60)
		scaled_print((double)ns, 1000.0, units, buf, len);
	else if (seconds < 3600)
		(void)snprintf(buf, len, "%llum%02llus", seconds / 60, seconds % 60);
	else if (seconds < 86400)
		(void)snprintf(buf, len, "%lluh%02llum", seconds / 3600, seconds / 60 % 60);
	else
		(void)snprintf(buf, len, "%llud%02lluh", seconds / 86400, seconds / 3600 % 24);
	return buf;
}

char *units_print_percent(double share, char *buf, size_t len)
{
	if (share < 0) {
		(void)snprintf(buf, len, "-");
		number_print(-share * 100.0, "%", buf + 1, len - 1);
	} else {
		number_print(share * 100.0, "%", buf, len);
	}
	return buf;
}
