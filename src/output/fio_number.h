/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_OUTPUT_FIO_NUMBER_H
#define REGIO_OUTPUT_FIO_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/* Numbers as fio's normal text has them: "27.2MiB/s", "1024KiB", "3306k". */

enum fio_unit {
	FIO_UNIT_NONE,
	FIO_UNIT_BYTE,
	FIO_UNIT_BYTE_PER_SEC,
	FIO_UNIT_BIT_PER_SEC, /* of a value in bytes */
};

enum fio_prefix {
	FIO_PREFIX_SI,	/* k M G .., steps of 1000 */
	FIO_PREFIX_IEC, /* Ki Mi Gi .., steps of 1024 */
};

#define FIO_DIGITS 4	     /* of most numbers */
#define FIO_LATENCY_DIGITS 6 /* of the minimum and maximum of latencies */

#define FIO_NUMBER_LEN 32

/* At most `digits` digits (4 to 10), the decimal point not counted. Returns buf. */
char *fio_number_text(uint64_t value, unsigned digits, enum fio_prefix prefix, enum fio_unit unit,
		      char buf[FIO_NUMBER_LEN]);

/* The prefixes that kb_base= stands for, and the other ones. */
static inline enum fio_prefix fio_prefix_of(unsigned kb_base)
{
	return kb_base == 1000 ? FIO_PREFIX_SI : FIO_PREFIX_IEC;
}

static inline enum fio_prefix fio_prefix_other(enum fio_prefix prefix)
{
	return prefix == FIO_PREFIX_SI ? FIO_PREFIX_IEC : FIO_PREFIX_SI;
}

#endif
