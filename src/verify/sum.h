/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_VERIFY_SUM_H
#define REGIO_VERIFY_SUM_H

/*
 * The methods of verify=: what each stores behind the header of a block. The forms are those that
 * fio 3.33 writes, found by comparing its files with the published algorithms. To add one: a
 * function and a row of the table in sum.c.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/job.h"

#define SUM_MAX_BYTES 128

struct sum_method {
	const char *name;
	uint16_t type; /* in the header */
	bool has_header;
	bool has_pattern; /* the content is compared with verify_pattern */
	/*
	 * What fio stores for sha512 is not a sum of all data, but of some of them a copy. digest
	 * gives the real one, of which the header has room for 8 bytes.
	 */
	void (*digest)(const void *data, size_t len, unsigned char *ret_digest);
	size_t sum_bytes; /* 0: none */
	void (*compute)(const void *data, size_t len, unsigned char *ret_sum);
};

/* The row of a method; not for VERIFY_NONE. */
const struct sum_method *sum_method(enum verify_method method);

/* The name of a type found in a header; NULL if there is none. */
const char *sum_type_name(uint16_t type);

/* The cyclic codes; none inverts anything at its end. Reflected: CRC-16/ARC, start 0. */
uint16_t sum_crc16(const void *data, size_t len);
/* CRC-7/MMC (JESD84-B51), x^7 + x^3 + 1, start 0. */
uint8_t sum_crc7(const void *data, size_t len);
/* 0x04c11db7, not reflected, start 0. */
uint32_t sum_crc32(const void *data, size_t len);
/* Castagnoli's, reflected, start ~0. */
uint32_t sum_crc32c(const void *data, size_t len);
uint32_t sum_crc32c_by_tables(const void *data, size_t len);
/* Jones' polynomial, reflected, start 0. */
uint64_t sum_crc64(const void *data, size_t len);

/* Little-endian, whatever the machine is. */
void sum_store(unsigned char *to, uint64_t value, size_t bytes);

/* The forms of the hash functions. */
void sum_md5(const void *data, size_t len, unsigned char *ret_sum);
void sum_sha1(const void *data, size_t len, unsigned char *ret_sum);
void sum_sha256(const void *data, size_t len, unsigned char *ret_sum);
void sum_sha512_tail(const void *data, size_t len, unsigned char *ret_sum);
void sum_sha512(const void *data, size_t len, unsigned char *ret_digest);
void sum_sha3_224(const void *data, size_t len, unsigned char *ret_sum);
void sum_sha3_256(const void *data, size_t len, unsigned char *ret_sum);
void sum_sha3_384(const void *data, size_t len, unsigned char *ret_sum);
void sum_sha3_512(const void *data, size_t len, unsigned char *ret_sum);
void sum_xxhash(const void *data, size_t len, unsigned char *ret_sum);

#endif
