/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_OUTPUT_FIO_TEXT_H
#define REGIO_OUTPUT_FIO_TEXT_H

/* Parts of fio's normal text: output_fio_normal.c says in which order they stand. */

#include <stdio.h>

#include "output/fio_group.h"

struct fio_view;
struct result;

/* Text from job files and archives: control characters are printed as '?'. NULL prints nothing. */
void fio_text_plain(const char *text, FILE *to);

/* The block of one direction: rate, latencies, percentiles, samples. */
void fio_text_dir(const struct fio_view *view, enum fio_dir dir, const struct fio_group *group,
		  FILE *to);
/* "lat (usec)   : 2=0.01%, 4=.." */
void fio_text_lat_dist(const struct fio_view *view, FILE *to);
/* fsync and its like. */
void fio_text_sync(const struct fio_view *view, FILE *to);
/* Devices under the files, with the totals of what lies below a dm or md device. */
void fio_text_disks(const struct result *result, FILE *to);

#endif
