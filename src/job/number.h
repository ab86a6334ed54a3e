/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_JOB_NUMBER_H
#define REGIO_JOB_NUMBER_H

/*
 * The numbers of fio job files: whole, decimal or 0x hexadecimal, with a suffix whose case does
 * not matter. Unlike fio, what is not understood is refused, and what fio would read as
 * something surprising is read as it looks and gets a note.
 *
 * Parsers return 0 or -ERR_INPUT with a message that quotes the text; *ret is written only on
 * success.
 */

#include <stdbool.h>
#include <stdint.h>

#include "model/trap.h"

struct arena;
struct err;

struct number_reader {
	struct arena *arena; /* owns the notes */
	unsigned kb_base;    /* 1024 or 1000: what k means */
	bool is_fio;	     /* read everything as fio does */
	const char *note;    /* set where fio reads the same text differently */
	enum trap_id trap;   /* that the note is about */
};

/* Sets the note. */
__attribute__((format(printf, 3, 4))) void number_note(struct number_reader *reader,
						       enum trap_id trap, const char *format, ...);

/* 4096 4k 1m 0x1000. KiB, MiB .. are powers of 1024 whatever kb_base is. */
int number_parse_size(struct number_reader *reader, const char *text, uint64_t *ret_bytes,
		      struct err *err);

/* As a size, for counts: iodepth=1k is 1024. */
int number_parse_count(struct number_reader *reader, const char *text, uint64_t *ret_count,
		       struct err *err);

/* us ms s m h d and their long forms; a plain number counts in unit_ns. */
int number_parse_time(struct number_reader *reader, const char *text, uint64_t unit_ns,
		      uint64_t *ret_ns, struct err *err);

/* "a-b" or "a:b", exchanged if they are the wrong way round. */
int number_parse_size_range(struct number_reader *reader, const char *text, uint64_t *ret_min,
			    uint64_t *ret_max, struct err *err);

/* As the size range, or one time for both ends. */
int number_parse_time_range(struct number_reader *reader, const char *text, uint64_t unit_ns,
			    uint64_t *ret_min_ns, uint64_t *ret_max_ns, struct err *err);

/*
 * Text of the user made fit for a message: control characters replaced by '?', cut to what a
 * line can hold. Returns short_text->buf.
 */
struct short_text {
	char buf[80];
};

const char *short_text(const char *text, struct short_text *ret_short);

#endif
