/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_LOAD_LOG_WRITER_H
#define REGIO_LOAD_LOG_WRITER_H

/*
 * The thread that writes the logs of all jobs (write_bw_log and its like) while they run. It
 * empties the rings of the workers every few milliseconds and shares nothing else with them.
 */

#include <stddef.h>

struct clock;
struct err;
struct log_ring;
struct log_writer;
struct note_list;
struct plan;

/*
 * Creates the files, before anything is laid out or run: one that cannot be written is refused.
 * *ret_writer is NULL where no job logs anything.
 */
int log_writer_open(const struct plan *plan, const struct clock *clock,
		    struct log_writer **ret_writer, struct err *err);
/* The ring of a clone of the plan, NULL if it has none. The writer owns it. */
struct log_ring *log_writer_ring(const struct log_writer *writer, size_t clone);

int log_writer_start(struct log_writer *writer, struct err *err);
/* The workers were joined: writes what is left; notes on what is missing. */
void log_writer_stop(struct log_writer *writer, struct note_list *notes);
/* The run was refused after all: no empty logs stay behind. Accepts NULL. */
void log_writer_discard(struct log_writer *writer);
void log_writer_free(struct log_writer *writer); /* accepts NULL, and one that was not stopped */

#endif
