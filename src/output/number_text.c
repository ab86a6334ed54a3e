/* SPDX-License-Identifier: GPL-2.0-or-later */
/* number_text: numbers with units for people. fio's own rounding is in fio_number.c. */
#include "output/number_text.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define MAX_STEPS 7
#define HUGE_NUMBER 1e21

/* How a unit is scaled: from suffixes[i] to suffixes[i + 1] the number is divided by step. */
struct scale {
	const char *unit;
	double to_first; /* value in unit * to_first = value in suffixes[0] */
	double step;
	const char *suffixes[MAX_STEPS]; /* NULL-terminated unless full */
};

static const struct scale scales[] = {
	{ "1/s", 1, 1000, { "", "k", "M", "G", "T", "P", "E" } },
	{ "B/s", 1, 1024, { "B/s", "KiB/s", "MiB/s", "GiB/s", "TiB/s", "PiB/s", "EiB/s" } },
	{ "B", 1, 1024, { "B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" } },
	{ "ns", 1, 1000, { "ns", "us", "ms", "s" } },
	{ "us", 1e3, 1000, { "ns", "us", "ms", "s" } },
	{ "ms", 1e6, 1000, { "ns", "us", "ms", "s" } },
	{ "s", 1e9, 1000, { "ns", "us", "ms", "s" } },
};

static const struct scale *scale_find(const char *unit)
{
	for (size_t i = 0; i < sizeof(scales) / sizeof(scales[0]); i++) {
		if (!strcmp(scales[i].unit, unit))
			return &scales[i];
	}
	return NULL;
}

/* Decimals that make four significant digits of value, 0 to 3. */
static int decimals_for(double value)
{
	int decimals = 3;

	for (double limit = 9.9995; decimals > 0 && fabs(value) >= limit; limit *= 10)
		decimals--;
	return decimals;
}

static bool is_whole(double value)
{
	return value == floor(value) && fabs(value) < 1e15;
}

/* Digits; an exponent where they would not fit into the text. */
static void print_plain(double value, int decimals, const char *suffix, char buf[NUMBER_TEXT_LEN])
{
	if (fabs(value) < HUGE_NUMBER)
		(void)snprintf(buf, NUMBER_TEXT_LEN, "%.*f%.21s", decimals, value, suffix);
	else
		(void)snprintf(buf, NUMBER_TEXT_LEN, "%.4g%.21s", value, suffix);
}

static void print_scaled(double value, const struct scale *scale, char buf[NUMBER_TEXT_LEN])
{
	size_t i = 0;

	value *= scale->to_first;
	/* 999.96 of one unit would print as 1000 */
	while (i + 1 < MAX_STEPS && scale->suffixes[i + 1] &&
	       fabs(value) >= scale->step - (is_whole(value) && i == 0 ? 0 : 0.05)) {
		value /= scale->step;
		i++;
	}
	print_plain(value, i == 0 && is_whole(value) ? 0 : decimals_for(value), scale->suffixes[i],
		    buf);
}

char *number_text(double value, const char *unit, char buf[NUMBER_TEXT_LEN])
{
	const struct scale *scale = scale_find(unit);
	char suffix[NUMBER_TEXT_LEN];

	if (isnan(value)) {
		(void)snprintf(buf, NUMBER_TEXT_LEN, "-");
	} else if (!strcmp(unit, "%")) {
		print_plain(value, 2, "%", buf);
	} else if (scale) {
		print_scaled(value, scale, buf);
	} else {
		(void)snprintf(suffix, sizeof(suffix), "%s%.20s", *unit ? " " : "", unit);
		print_plain(value, is_whole(value) ? 0 : decimals_for(value), suffix, buf);
	}
	return buf;
}
