/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fio_number: rounds and shortens whole numbers by the rules of fio, whose text others parse. */
#include "output/fio_number.h"

#include <stddef.h>
#include <stdio.h>

static unsigned nr_digits(uint64_t value)
{
	unsigned nr = 1;

	for (; value >= 10; value /= 10)
		nr++;
	return nr;
}

/*
 * Divides until the whole part fits. Where there is room for a point and decimals, they come from
 * the last remainder alone; what earlier steps cut off is lost, as in fio.
 */
char *fio_number_text(uint64_t value, unsigned digits, enum fio_prefix prefix, enum fio_unit unit,
		      char buf[FIO_NUMBER_LEN])
{
	static const char *const prefixes[][7] = {
		[FIO_PREFIX_SI] = { "", "k", "M", "G", "T", "P", "E" },
		[FIO_PREFIX_IEC] = { "", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei" },
	};
	static const char *const units[] = {
		[FIO_UNIT_NONE] = "",
		[FIO_UNIT_BYTE] = "B",
		[FIO_UNIT_BYTE_PER_SEC] = "B/s",
		[FIO_UNIT_BIT_PER_SEC] = "bit/s",
	};
	const unsigned step = prefix == FIO_PREFIX_IEC ? 1024 : 1000;
	unsigned remainder = 0, nr_steps = 0, room;
	char fraction[16]; /* "0.12" */

	if (unit == FIO_UNIT_BIT_PER_SEC && value <= UINT64_MAX / 8)
		value *= 8;

	while (nr_digits(value) > digits) {
		remainder = (unsigned)(value % step);
		value /= step;
		nr_steps++;
	}

	room = digits - nr_digits(value);
	if (nr_steps == 0 || room < 2) {
		value += remainder >= step / 2; /* nothing to round without a step */
		(void)snprintf(buf, FIO_NUMBER_LEN, "%llu%s%s", (unsigned long long)value,
			       prefixes[prefix][nr_steps], units[unit]);
		return buf;
	}
	(void)snprintf(fraction, sizeof(fraction), "%.*f", (int)room - 1,
		       (double)remainder / (double)step);
	value += fraction[0] == '1'; /* 9.999 -> 10.00 */
	(void)snprintf(buf, FIO_NUMBER_LEN, "%llu%s%s%s", (unsigned long long)value, fraction + 1,
		       prefixes[prefix][nr_steps], units[unit]);
	return buf;
}
