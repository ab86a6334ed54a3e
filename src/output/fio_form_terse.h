/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_OUTPUT_FIO_FORM_TERSE_H
#define REGIO_OUTPUT_FIO_FORM_TERSE_H

#include <stdio.h>

struct result;

#define FIO_FORM_TERSE_VERSION_MIN 2
#define FIO_FORM_TERSE_VERSION_MAX 5
#define FIO_FORM_TERSE_VERSION 3 /* fio's default */

/* A line for each entry of the report, fields separated by ';', as --terse-version of fio. */
void fio_form_terse_write(const struct result *result, unsigned version, FILE *to);

#endif
