/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz_units: every parser of quantities on arbitrary text; printed sizes must parse again. */
#include "fuzz.h"

#include "base/units.h"

#include <assert.h>
#include <string.h>

/* A failure always says where, and inside the text. */
#define CHECK_BAD(text, bad, call)                                                                 \
	do {                                                                                       \
		bad = NULL;                                                                        \
		if ((call) < 0)                                                                    \
			assert(bad >= text && bad <= text + strlen(text));                         \
	} while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	char text[256];
	char printed[UNITS_TEXT_LEN];
	const char *bad = NULL;
	uint64_t value = 0;
	double number = 0;

	if (len >= sizeof(text))
		return 0;
	if (len > 0)
		memcpy(text, data, len);
	text[len] = '\0';

	CHECK_BAD(text, bad, units_parse_u64(text, &value, &bad));
	CHECK_BAD(text, bad, units_parse_rate(text, 1000, &value, &bad));
	CHECK_BAD(text, bad, units_parse_duration_ns(text, &value, &bad));
	units_print_duration_ns(value, printed, sizeof(printed));
	CHECK_BAD(text, bad, units_parse_share(text, &number, &bad));
	units_print_percent(number, printed, sizeof(printed));
	CHECK_BAD(text, bad, units_parse_double(text, &number, &bad));
	units_print_count(number, printed, sizeof(printed));
	if (units_parse_size(text, 1024, &value, &bad) == 0 && value < (UINT64_MAX >> 1)) {
		units_print_bytes(value, printed, sizeof(printed));
		assert(units_parse_size(printed, 1000, &value, &bad) == 0);
	}
	return 0;
}
