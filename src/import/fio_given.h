/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_IMPORT_FIO_GIVEN_H
#define REGIO_IMPORT_FIO_GIVEN_H

/* From numbers of fio's machine-readable outputs to given metrics and notes. */

#include <stddef.h>

#include "import/fio_plausible.h"

struct given_list;
struct note_list;

#define FIO_GIVEN_NAME_LEN 160 /* of metrics that are built here; longer ones are left out */
/* A wrong counter seldom comes alone: only so many of one run are noted one by one. */
#define FIO_MAX_REFUSED 20

/* "prefix.rest" = value. The list has no such entry. */
void fio_given_set(struct given_list *given, const char *prefix, const char *rest, double value,
		   unsigned line);

/*
 * A rate that was printed in whole steps: the exact quotient of amount and time if it agrees with
 * what was printed. NAN = not printed.
 */
double fio_exact_rate(double printed, double step, double amount, double runtime_ms);

/* A time as notes tell it: "10m24s". */
#define FIO_TIME_LEN 32
const char *fio_time_text(double value_ns, char ret_text[static FIO_TIME_LEN]);

/* Notes about one run. */
struct fio_refusals {
	unsigned nr;
};
__attribute__((format(printf, 4, 5))) void fio_refuse(struct note_list *notes,
						      struct fio_refusals *refusals, unsigned line,
						      const char *format, ...);
/* Says how many more there were. */
void fio_refusals_finish(struct note_list *notes, const struct fio_refusals *refusals);

/* Where the numbers of one kind of latency go. */
struct fio_times_target {
	struct given_list *given;
	const char *prefix; /* "read.clat_ns" */
	const char *job;    /* its name, for notes */
	struct note_list *notes;
	struct fio_refusals *refusals;
};

/* Sets what can be true; the rest is noted. The percentiles ascend. runtime_ms: NAN = unknown. */
void fio_times_set(const struct fio_times_target *target, const struct fio_times *times,
		   double runtime_ms);

#endif
