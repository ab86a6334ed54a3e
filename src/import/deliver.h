/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_IMPORT_DELIVER_H
#define REGIO_IMPORT_DELIVER_H

/*
 * The way of results from importers to the sink. A result without any number waits until one with
 * numbers shows that the file is worth keeping: a table's head alone is no result. Every other one
 * waits for the next, which may be the same run in another form: then the richer form counts.
 */

struct err;
struct import_reader;

/* The text has ended: hands over what waits. */
int deliver_finish(struct import_reader *in, struct err *err);

/* The file holds nothing else: says where the first of them is and what is missing. */
int deliver_refuse_withheld(struct import_reader *in, struct err *err);

/* Frees what waits. */
void deliver_release(struct import_reader *in);

#endif
