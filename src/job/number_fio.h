/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_JOB_NUMBER_FIO_H
#define REGIO_JOB_NUMBER_FIO_H

/*
 * Numbers as fio 3.3x understands them, for --fio-strict: the leading digits and as much of a
 * suffix as is known; the rest does not count. Of several sizes or times the last, of several
 * other numbers the first.
 *
 * 0, -EINVAL where there is no number, -ERANGE where it is too large.
 */

#include <stdint.h>

int number_fio_size(const char *text, unsigned kb_base, uint64_t *ret_bytes);
int number_fio_count(const char *text, unsigned kb_base, uint64_t *ret_count);
int number_fio_time(const char *text, uint64_t unit_ns, uint64_t *ret_ns);

#endif
