/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The format of a tracepoint, and a record of any length read by it. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "fuzz.h"
#include "monitor/tracepoint_format.h"

static void read_record(const struct tracepoint_field *field)
{
	for (size_t len = 0; len <= 64; len += 4) {
		CLEANUP(free) unsigned char *raw = xmalloc(len + 1);
		uint64_t value = 0;

		memset(raw, 0xa5, len);
		if (tracepoint_read_number(raw, len, field, &value) &&
		    (field->offset + (uint64_t)field->size > len || (value & 0xff) != 0xa5))
			abort();
		if (tracepoint_has_char(raw, len, field, '\xa5') &&
		    field->offset + (uint64_t)field->size > len)
			abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	static const char *const names[] = { "dev", "sector", "nr_sector", "rwbs", "" };
	CLEANUP(free) char *copy = xmalloc(len + 1);

	if (len)
		memcpy(copy, data, len);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct tracepoint_field field;

		if (tracepoint_find_field(copy, len, names[i], &field))
			read_record(&field);
	}
	return 0;
}
