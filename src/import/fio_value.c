/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fio_value: keys and numbers in a line of fio's normal output. */
#include "import/fio_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_DIGITS 40 /* no number of fio's is longer */

const char *fio_key(const char *text, const char *key)
{
	size_t len = strlen(key);

	for (const char *at = text; (at = strstr(at, key)); at++) {
		if (at > text && !strchr(" ,;:(", at[-1]))
			continue;
		if (at[len] == '=')
			return at + len + 1 + strspn(at + len + 1, " ");
	}
	return NULL;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Not strtod: no exponent, no "inf", no locale. */
bool fio_number(const char **text, double *ret_value)
{
	const char *at = *text;
	bool is_negative = *at == '-';
	double value = 0, scale = 1;
	size_t nr = 0;

	at += is_negative;
	for (; is_digit(*at); at++, nr++)
		value = value * 10 + (*at - '0');
	if (nr == 0)
		return false;
	if (*at == '.' && is_digit(at[1])) {
		for (at++; is_digit(*at); at++, nr++) {
			value = value * 10 + (*at - '0');
			scale *= 10;
		}
	}
	if (nr > MAX_DIGITS)
		return false;
	*text = at;
	*ret_value = (is_negative ? -value : value) / scale;
	return true;
}

/* 0 for k, 1 for M ..; -1 if it is no prefix. */
static int prefix_rank(char c)
{
	static const char prefixes[] = "kMGTPE";
	const char *found = c ? strchr(prefixes, c == 'K' ? 'k' : c) : NULL;

	return found ? (int)(found - prefixes) : -1;
}

bool fio_count(const char **text, double *ret_value)
{
	double value;
	int rank;

	if (!fio_number(text, &value))
		return false;
	rank = prefix_rank(**text);
	if (rank >= 0) {
		(*text)++;
		value *= pow(1000, rank + 1);
	}
	*ret_value = value;
	return true;
}

/* Number of digits after the point of the number at text. */
static int nr_decimals(const char *text)
{
	const char *point = text + strspn(text, "-0123456789");

	return *point == '.' ? (int)strspn(point + 1, "0123456789") : 0;
}

double fio_count_step(const char *text)
{
	const char *end = text;
	double step = pow(10, -nr_decimals(text));
	double value;
	int rank;

	if (!fio_number(&end, &value))
		return 0;
	rank = prefix_rank(*end);
	return rank < 0 ? step : step * pow(1000, rank + 1);
}

bool fio_bytes(const char **text, bool is_old, double *ret_bytes, double *ret_step)
{
	const char *at = *text;
	double factor = pow(10, -nr_decimals(at));
	double value, scale = 1;
	int rank;

	if (!fio_number(&at, &value))
		return false;
	rank = prefix_rank(*at);
	if (rank >= 0) {
		bool is_iec = at[1] == 'i';

		at += is_iec ? 2 : 1;
		/* Its list of prefixes had no T until 2.16. */
		if (is_old && rank > 3)
			rank--;
		scale = pow(is_iec || is_old ? 1024 : 1000, rank + 1);
	}
	if (!strncmp(at, "bit", 3)) {
		at += 3;
		scale /= 8;
	} else if (*at == 'B') {
		at++;
	}
	*text = at;
	*ret_bytes = value * scale;
	*ret_step = factor * scale;
	return true;
}

double fio_unit_ns(const char *text)
{
	static const struct {
		const char *name;
		double ns;
	} units[] = { { "(nsec)", 1 }, { "(usec)", 1e3 }, { "(msec)", 1e6 }, { "(sec)", 1e9 } };

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (strstr(text, units[i].name))
			return units[i].ns;
	}
	return 0;
}
