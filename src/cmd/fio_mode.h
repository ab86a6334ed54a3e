/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_CMD_FIO_MODE_H
#define REGIO_CMD_FIO_MODE_H

#define FIO_MODE_OPTION "under-the-name-of-fio" /* of run, told to nobody */

/*
 * What scripts ask fio on its command line, and regio under the name fio: the probes, and the
 * words that mean nothing here.
 */

#include <stdbool.h>

#include "base/args.h"

struct err;
struct job_set;

/* True if the program was started by that name. */
bool fio_mode_is_asked(const char *program);

/* regio in the place of fio: its options and precedence, no store, its exit status. */
int fio_mode_main(int argc, char *const *argv, struct err *err);

/*
 * --cmdhelp[=OPTION|all], --enghelp[=ENGINE[,OPTION]]: printed on stdout, then true. *ret is
 * negative if there is no such option or engine.
 */
bool fio_mode_answer(int argc, char *const *argv, int *ret, struct err *err);

/* The words without those options of fio that change nothing of a run here. -ERR_UNSUPPORTED for
 * those that would and cannot. */
int fio_mode_filter(int argc, char *const *argv, struct arg_list *ret_words, struct err *err);

/* The jobs as one command line. */
void fio_mode_show(const struct job_set *jobs);

#endif
