/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lkp_round: decimal halves as Ruby rounds them. */
#include "stats/lkp_round.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/*
 * The short cut of Gay 1990, "Correctly rounded binary-decimal and decimal-binary conversions":
 * digits are made in floating point, with a bound of the error. Ruby takes a remainder within
 * that bound of a half for a half. Sizes beyond this table are left to printf.
 */
static const double tens[] = { 1e0, 1e1, 1e2,  1e3,  1e4,  1e5,	 1e6,  1e7,
			       1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15 };

#define MAX_DIGITS 14
#define MAX_EXPONENT 15
#define ERROR_STEPS 2.0
#define ERROR_BASE 7.0

struct scaled {
	double mantissa; /* 1 <= mantissa < 10 */
	int exponent;	 /* decimal */
	double steps;	 /* roundings that it took */
};

/* First guess of floor(log10(value)): right, or one too large below 1. */
static int guess_exponent(double value)
{
	int binary;
	double mantissa = 2.0 * frexp(value, &binary);
	/* Tangent of log10 at 1.5, so that it is never too small. */
	double guess = (mantissa - 1.5) * 0.289529654602168 + 0.1760912590558 +
		       (binary - 1) * 0.301029995663981;

	return (int)floor(guess);
}

static struct scaled scale(double value)
{
	struct scaled scaled = { .exponent = guess_exponent(value), .steps = ERROR_STEPS };

	if (abs(scaled.exponent) > MAX_EXPONENT)
		return scaled;
	if (scaled.exponent >= 0) {
		if (value < tens[scaled.exponent])
			scaled.exponent--;
	}
	if (scaled.exponent >= 0)
		scaled.mantissa = value / tens[scaled.exponent];
	else
		scaled.mantissa = value * tens[-scaled.exponent];
	if (scaled.mantissa < 1.0) {
		scaled.mantissa *= 10.0;
		scaled.exponent--;
		scaled.steps++;
	}
	return scaled;
}

/* Whether nr_digits of the number leave a half; then they, rounded to even, as an integer. */
static bool digits_of_half(const struct scaled *scaled, int nr_digits, uint64_t *ret_digits)
{
	double rest = scaled->mantissa;
	double bound = (scaled->steps * rest + ERROR_BASE) * DBL_EPSILON * tens[nr_digits - 1];
	uint64_t digits = 0;

	for (int i = 1;; i++) {
		int digit = (int)rest;

		rest -= digit;
		digits = 10 * digits + (uint64_t)digit;
		if (i == nr_digits)
			break;
		if (rest == 0.0)
			return false;
		rest *= 10.0;
	}
	if (fabs(rest - 0.5) > bound)
		return false;
	*ret_digits = digits + digits % 2;
	return true;
}

static double round_half(double value, const struct scaled *scaled, int nr_digits)
{
	char text[48];
	uint64_t digits;

	if (nr_digits < 1 || nr_digits > MAX_DIGITS || scaled->mantissa == 0.0 ||
	    !digits_of_half(scaled, nr_digits, &digits))
		return value;
	snprintf(text, sizeof(text), "%llue%d", (unsigned long long)digits,
		 scaled->exponent - nr_digits + 1);
	return copysign(strtod(text, NULL), value);
}

double lkp_round_decimals(double value, int nr_decimals)
{
	struct scaled scaled;

	if (value == 0.0 || !isfinite(value))
		return value;
	scaled = scale(fabs(value));
	return round_half(value, &scaled, scaled.exponent + 1 + nr_decimals);
}

double lkp_round_digits(double value, int nr_digits)
{
	struct scaled scaled;

	if (value == 0.0 || !isfinite(value))
		return value;
	scaled = scale(fabs(value));
	return round_half(value, &scaled, nr_digits);
}
