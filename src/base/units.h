/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_BASE_UNITS_H
#define REGIO_BASE_UNITS_H

#include <stddef.h>
#include <stdint.h>

#define NS_PER_US UINT64_C(1000)
#define NS_PER_MS UINT64_C(1000000)
#define NS_PER_S UINT64_C(1000000000)
#define NS_PER_MIN (60 * NS_PER_S)
#define NS_PER_HOUR (60 * NS_PER_MIN)
#define NS_PER_DAY (24 * NS_PER_HOUR)

/*
 * regio's own strict grammar of quantities: NUMBER UNIT with nothing before, between or after.
 * NUMBER is decimal digits with an optional fraction; no sign, no exponent, no hexadecimal. (The
 * number grammar of fio job files is another one and lives in src/job.)
 *
 * Parsers return 0, -EINVAL (not understood: *ret_bad points at the first offending character in
 * text, which may be its terminator) or -ERANGE (does not fit: *ret_bad points at text). Results
 * are written only on success; ret_bad may be NULL. Fractions of the smallest unit are rounded to
 * the nearest whole.
 */

/* Nothing, B: bytes. k M G T P E: powers of kb_base (1000 or 1024). KiB MiB .. or Ki Mi ..: of
 * 1024. kB MB ..: of 1000. The case of the letters does not matter. */
int units_parse_size(const char *text, unsigned kb_base, uint64_t *ret_bytes, const char **ret_bad);

/* A size, with or without "/s" after it. */
int units_parse_rate(const char *text, unsigned kb_base, uint64_t *ret_bytes_per_sec,
		     const char **ret_bad);

/* ns us ms s m (or min) h d. The unit is required, except for a plain 0. */
int units_parse_duration_ns(const char *text, uint64_t *ret_ns, const char **ret_bad);

/* "5%" and "0.05" both give 0.05. Without '%' more than 1 is -ERANGE: "5" could mean either. */
int units_parse_share(const char *text, double *ret_share, const char **ret_bad);

/* Decimal digits only. */
int units_parse_u64(const char *text, uint64_t *ret_value, const char **ret_bad);

/* Decimal with optional sign, fraction and exponent; finite. Independent of the locale. */
int units_parse_double(const char *text, double *ret_value, const char **ret_bad);

/*
 * Printers: at most 3 significant digits (whole numbers up to 1023 are printed whole), no
 * trailing zeros, no space. They write to buf (UNITS_TEXT_LEN always suffices) and return it.
 */
#define UNITS_TEXT_LEN 32

char *units_print_bytes(uint64_t bytes, char *buf, size_t len);	     /* 512B 4KiB 1.5GiB */
char *units_print_rate(double bytes_per_sec, char *buf, size_t len); /* 1.5GiB/s */
char *units_print_duration_ns(uint64_t ns, char *buf, size_t len);   /* 10us 4.56s 1m30s 2h05m */
char *units_print_count(double count, char *buf, size_t len);	     /* 950 307k 52.3M */
char *units_print_percent(double share, char *buf, size_t len);	     /* 0.0525 -> 5.25% */

#endif
