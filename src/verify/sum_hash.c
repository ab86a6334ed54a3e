/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sum_hash: the hash functions, which are Nettle's and libxxhash's, in the forms fio stores. */
#include "verify/sum.h"

#include <nettle/md5.h>
#include <nettle/nettle-meta.h>
#include <nettle/sha1.h>
#include <nettle/sha2.h>
#include <nettle/sha3.h>
#include <string.h>
#include <xxhash.h>

#define XXHASH_SEED 1
#define LENGTH_AT 56 /* in the last block of SHA-256 */

union hash_context {
	struct md5_ctx md5;
	struct sha1_ctx sha1;
	struct sha512_ctx sha512;
	struct sha3_224_ctx sha3_224;
	struct sha3_256_ctx sha3_256;
	struct sha3_384_ctx sha3_384;
	struct sha3_512_ctx sha3_512;
};

static void digest_by(const struct nettle_hash *hash, const void *data, size_t len,
		      unsigned char *ret_digest)
{
	union hash_context context;

	hash->init(&context);
	hash->update(&context, len, data);
	hash->digest(&context, hash->digest_size, ret_digest);
}

void sum_md5(const void *data, size_t len, unsigned char *ret_sum)
{
	digest_by(&nettle_md5, data, len, ret_sum);
}

/* The five words of the state, each little-endian: the digest has them big-endian. */
void sum_sha1(const void *data, size_t len, unsigned char *ret_sum)
{
	unsigned char digest[SHA1_DIGEST_SIZE];

	digest_by(&nettle_sha1, data, len, digest);
	for (size_t i = 0; i < sizeof(digest); i++)
		ret_sum[i] = digest[i / 4 * 4 + 3 - i % 4];
}

void sum_sha512(const void *data, size_t len, unsigned char *ret_digest)
{
	digest_by(&nettle_sha512, data, len, ret_digest);
}

/*
 * SHA-256 whose padding has the number of bits little-endian. What is stored is the last block that
 * goes into it, over whose begin the lowest byte of each word of the result is laid.
 */
void sum_sha256(const void *data, size_t len, unsigned char *ret_sum)
{
	unsigned char padding[2 * SHA256_BLOCK_SIZE] = { 0x80 };
	size_t left = len % SHA256_BLOCK_SIZE;
	size_t padding_bytes = (left < LENGTH_AT ? SHA256_BLOCK_SIZE : sizeof(padding)) - left;
	struct sha256_ctx context;

	sum_store(padding + padding_bytes - sizeof(uint64_t), (uint64_t)len * 8, sizeof(uint64_t));
	sha256_init(&context);
	sha256_update(&context, len, data);
	sha256_update(&context, padding_bytes, padding);
	memset(ret_sum, 0, SHA256_BLOCK_SIZE);
	if (left < LENGTH_AT) {
		memcpy(ret_sum, (const unsigned char *)data + len - left, left);
		ret_sum[left] = 0x80;
	}
	sum_store(ret_sum + LENGTH_AT, (uint64_t)len * 8, sizeof(uint64_t));
	for (size_t i = 0; i < sizeof(context.state) / sizeof(context.state[0]); i++)
		ret_sum[i] = (unsigned char)context.state[i];
}

/* The working buffer before padding: the first block of the data under what is left at the end. */
void sum_sha512_tail(const void *data, size_t len, unsigned char *ret_sum)
{
	size_t left = len % SHA512_BLOCK_SIZE;

	if (len < SHA512_BLOCK_SIZE)
		memset(ret_sum, 0, SHA512_BLOCK_SIZE);
	else
		memcpy(ret_sum, data, SHA512_BLOCK_SIZE);
	memcpy(ret_sum, (const unsigned char *)data + len - left, left);
}

void sum_sha3_224(const void *data, size_t len, unsigned char *ret_sum)
{
	digest_by(&nettle_sha3_224, data, len, ret_sum);
}

void sum_sha3_256(const void *data, size_t len, unsigned char *ret_sum)
{
	digest_by(&nettle_sha3_256, data, len, ret_sum);
}

void sum_sha3_384(const void *data, size_t len, unsigned char *ret_sum)
{
	digest_by(&nettle_sha3_384, data, len, ret_sum);
}

void sum_sha3_512(const void *data, size_t len, unsigned char *ret_sum)
{
	digest_by(&nettle_sha3_512, data, len, ret_sum);
}

void sum_xxhash(const void *data, size_t len, unsigned char *ret_sum)
{
	sum_store(ret_sum, XXH32(data, len, XXHASH_SEED), 4);
}
