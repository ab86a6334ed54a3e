/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "../test.h"

#include "base/arena.h"
#include "base/rng.h"
#include "base/strbuf.h"
#include "stats/hist.h"
#include "store/sparse.h"

#include <string.h>

static void check_round_trip(const struct hist *hist)
{
	CLEANUP(strbuf) struct strbuf bytes = STRBUF_INIT;
	CLEANUP(free) struct hist *back = xcalloc(1, sizeof(*back));

	sparse_encode(hist, &bytes);
	assert_int_equal(sparse_decode(strbuf_str(&bytes), bytes.len, back), 0);
	assert_memory_equal(back, hist, sizeof(*back));
}

static void test_round_trip(void **state)
{
	CLEANUP(free) struct hist *hist = xcalloc(1, sizeof(*hist));
	struct rng rng;

	(void)state;
	rng_init(&rng, 1);
	check_round_trip(hist);
	hist->counts[0] = 1;
	hist->counts[HIST_NR_BUCKETS - 1] = UINT64_MAX;
	check_round_trip(hist);
	for (size_t i = 0; i < HIST_NR_BUCKETS; i++)
		hist->counts[i] = rng_next(&rng) >> rng_below(&rng, 64);
	check_round_trip(hist);
}

static void test_bytes_are_fixed(void **state)
{
	CLEANUP(free) struct hist *hist = xcalloc(1, sizeof(*hist));
	CLEANUP(strbuf) struct strbuf bytes = STRBUF_INIT;
	static const unsigned char want[] = { 0x05, 0x01, 0xc8, 0x01, 0x80, 0x01 };

	(void)state;
	hist->counts[5] = 1;
	hist->counts[205] = 128;
	sparse_encode(hist, &bytes);
	assert_int_equal(bytes.len, sizeof(want));
	assert_memory_equal(strbuf_str(&bytes), want, sizeof(want));
}

static void test_adds(void **state)
{
	CLEANUP(free) struct hist *hist = xcalloc(1, sizeof(*hist));
	static const unsigned char bytes[] = { 5, 7 };

	(void)state;
	hist->counts[5] = 1;
	assert_int_equal(sparse_decode(bytes, sizeof(bytes), hist), 0);
	assert_int_equal(hist->counts[5], 8);
}

static void test_refuses(void **state)
{
	CLEANUP(free) struct hist *hist = xcalloc(1, sizeof(*hist));
	static const struct {
		size_t len;
		unsigned char bytes[12];
	} bad[] = {
		{ 1, { 5 } },			/* no count */
		{ 2, { 5, 0x80 } },		/* count cut */
		{ 3, { 0xc0, 0x0e, 1 } },	/* bucket 1856 */
		{ 5, { 0xbf, 0x0e, 1, 1, 1 } }, /* 1855, then one more */
		{ 11, { 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2 } }, /* 2^64 */
		{ 12, { 0, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0 } },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(sparse_decode(bad[i].bytes, bad[i].len, hist), -1);
}

/* Any bytes: refused or read, without touching memory outside (for the sanitizer build). */
static void test_any_bytes(void **state)
{
	CLEANUP(free) struct hist *hist = xcalloc(1, sizeof(*hist));
	struct rng rng;

	(void)state;
	rng_init(&rng, 2);
	for (unsigned i = 0; i < 20000; i++) {
		unsigned char bytes[32];
		size_t len = (size_t)rng_below(&rng, sizeof(bytes) + 1);

		for (size_t k = 0; k < len; k++)
			bytes[k] = (unsigned char)(rng_next(&rng) >> 56);
		(void)sparse_decode(bytes, len, hist);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trip), cmocka_unit_test(test_bytes_are_fixed),
		cmocka_unit_test(test_adds),	   cmocka_unit_test(test_refuses),
		cmocka_unit_test(test_any_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
