/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_VERIFY_BLOCK_H
#define REGIO_VERIFY_BLOCK_H

/*
 * A block is one verify_interval of an I/O: random data or a pattern, and in front of it (or at
 * verify_offset) a header that says what belongs there. On disk it has the form of fio 3.33, so
 * that each can check what the other wrote. Pure functions: no I/O, no memory of their own.
 *
 *	 0 u16 magic 0xacca   8 u64 seed of the data   24 u32 s, u32 ns	  36 u32 crc32c of
 *	 2 u16 method        16 u64 offset in the file 32 u16 thread, 1.. 40 sum of the data,
 *	 4 u32 length				       34 u16 number of the write, low half
 *
 * All little-endian; 36 covers 0..35, and the sum what follows it. regio stores no times: where
 * the sum is weak (struct sum_method) 24 has the first 8 bytes of the real digest, and thread has
 * its top bit set to say so.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pattern;
struct sum_method;

#define BLOCK_MAGIC 0xacca
#define BLOCK_HEADER_BYTES 40

struct block_format {
	const struct sum_method *method;
	const struct pattern *pattern; /* NULL: random data */
	uint32_t header_at;	       /* verify_offset */
};

/* Which write it is. */
struct block_id {
	uint64_t offset_bytes; /* in the file */
	uint64_t seed;
	uint32_t number; /* of the write; the header keeps 16 bits */
	uint16_t thread; /* from 1 */
};

/* Header and sum. */
size_t block_overhead_bytes(const struct block_format *format);

/* Content of an I/O, without headers: same seed, same data. offset_bytes is that of the I/O. */
void block_fill(const struct block_format *format, void *data, size_t len, uint64_t seed,
		uint64_t offset_bytes);
/* Puts the header on a block that is filled. */
void block_seal(const struct block_format *format, void *data, uint32_t len,
		const struct block_id *id);

enum block_fault {
	BLOCK_GOOD,
	BLOCK_BAD_MAGIC,
	BLOCK_BAD_LENGTH,
	BLOCK_BAD_OFFSET,
	BLOCK_BAD_NUMBER, /* not the newest write */
	BLOCK_BAD_HEADER, /* its own checksum */
	BLOCK_BAD_SUM,
	BLOCK_BAD_DIGEST, /* of a weak sum */
	BLOCK_BAD_PATTERN,
	BLOCK_NOT_ZERO, /* was trimmed */
	BLOCK_CUT,	/* the file ends within it */
};

struct block_expectation {
	uint64_t offset_bytes;
	uint64_t io_offset_bytes; /* of the I/O it was written with: patterns begin there */
	uint32_t number;
	uint16_t thread;	/* writer of `number` */
	bool has_number;	/* it is known */
	bool may_be_of_another; /* blocks of other threads are as good, whatever their number */
};

#define BLOCK_TEXT_BYTES 300

struct block_verdict {
	enum block_fault fault;
	uint64_t seed; /* as found, for what should be there */
	uint32_t number;
	uint16_t thread;
	char text[BLOCK_TEXT_BYTES]; /* "crc32c: expected 1a2b, received 3c4d" */
};

/* Moves the header within data where header_at is not 0. Writes *ret_verdict only if not good. */
bool block_check(const struct block_format *format, void *data, uint32_t len,
		 const struct block_expectation *expectation, struct block_verdict *ret_verdict);
bool block_check_zero(const void *data, size_t len, struct block_verdict *ret_verdict);

/* "bad header offset" .. */
const char *block_fault_name(enum block_fault fault);
/* True if the header is at fault and not the data. */
bool block_fault_is_header(enum block_fault fault);

#endif
