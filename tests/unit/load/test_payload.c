/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_payload: data of writes. */
#include "load/payload.h"

#include "fixture.h"
#include "test.h"

static struct io_req write_of(void *buf, uint32_t len_bytes, uint64_t offset_bytes)
{
	return (struct io_req){
		.buf = buf, .len_bytes = len_bytes, .offset_bytes = offset_bytes, .dir = IO_WRITE
	};
}

static void test_no_two_sectors_are_alike(void **state)
{
	struct job job = fixture_job();
	struct payload payload;
	static char blocks[3][2048];
	struct io_req req;

	(void)state;
	payload_init(&payload, &job, 7);
	/* the same buffer at two offsets, and twice at one offset */
	for (unsigned i = 0; i < 3; i++) {
		req = write_of(blocks[i], sizeof(blocks[i]), i < 2 ? i * 2048 : 2048);
		assert_false(payload_prepare(&payload, &req));
	}
	for (size_t i = 0; i < 12; i++) {
		for (size_t k = 0; k < i; k++)
			assert_memory_not_equal(blocks[0] + i * 512, blocks[0] + k * 512, 512);
	}
}

static void test_stamp_stays_inside(void **state)
{
	char buf[520];

	(void)state;
	memset(buf, 'x', sizeof(buf));
	payload_stamp(buf, 520, 1, 2); /* 8 bytes of a second sector: no room for its stamp */
	for (unsigned i = 16; i < sizeof(buf); i++)
		assert_int_equal(buf[i], 'x');
	memset(buf, 'x', sizeof(buf));
	payload_stamp(buf, 8, 1, 2);
	assert_int_equal(buf[0], 'x');
}

static void test_modes(void **state)
{
	struct job job = fixture_job();
	struct payload payload;
	static char zeros[4096];
	static char buf[4096], again[4096];
	struct io_req req = write_of(buf, sizeof(buf), 4096);

	(void)state;
	job.zero_buffers = true;
	payload_init(&payload, &job, 7);
	assert_false(payload_prepare(&payload, &req));
	assert_memory_equal(buf, zeros, sizeof(buf));

	job.zero_buffers = false;
	job.refill_buffers = true;
	payload_init(&payload, &job, 7);
	assert_true(payload_prepare(&payload, &req)); /* takes long */
	memcpy(again, buf, sizeof(buf));
	assert_true(payload_prepare(&payload, &req));
	assert_memory_not_equal(buf, again, sizeof(buf));
	payload_init(&payload, &job, 7); /* the seed alone decides */
	assert_true(payload_prepare(&payload, &req));
	assert_memory_equal(buf, again, sizeof(buf));
}

/* Of each chunk the last part is zeros, the others are not. */
static void test_compressible(void **state)
{
	struct job job = fixture_job();
	struct payload payload;
	static unsigned char buf[4096];
	struct io_req req = write_of((char *)buf, sizeof(buf), 0);

	(void)state;
	job.buffer_compress_percent = 75;
	job.buffer_compress_chunk_bytes = 1024;
	payload_init(&payload, &job, 7);
	memset(buf, 'x', sizeof(buf));
	assert_true(payload_prepare(&payload, &req));
	for (unsigned chunk = 0; chunk < 4; chunk++) {
		unsigned nr_zeros = 0;

		for (unsigned i = 0; i < 256; i++)
			nr_zeros += buf[chunk * 1024 + i] == 0;
		assert_true(nr_zeros < 10);
		for (unsigned i = 256; i < 1024; i++)
			assert_int_equal(buf[chunk * 1024 + i], 0);
	}
	job.buffer_compress_percent = 100;
	payload_init(&payload, &job, 7);
	assert_true(payload_prepare(&payload, &req));
	for (unsigned i = 0; i < sizeof(buf); i++)
		assert_int_equal(buf[i], 0);
}

static void test_dedupe(void **state)
{
	struct job job = fixture_job();
	struct payload payload;
	static char buf[512], last[512];
	struct io_req req = write_of(buf, sizeof(buf), 0);
	unsigned nr_equal = 0;

	(void)state;
	job.dedupe_percent = 30;
	payload_init(&payload, &job, 7);
	for (unsigned i = 0; i < 10000; i++) {
		assert_true(payload_prepare(&payload, &req));
		nr_equal += memcmp(buf, last, sizeof(buf)) == 0;
		memcpy(last, buf, sizeof(buf));
	}
	assert_in_range(nr_equal, 2800, 3200);
}

static void test_no_scrambling(void **state)
{
	struct job job = fixture_job();
	struct payload payload;
	static char buf[512];
	struct io_req req = write_of(buf, sizeof(buf), 4096);

	(void)state;
	job.scramble_buffers = false;
	payload_init(&payload, &job, 7);
	memset(buf, 'x', sizeof(buf));
	assert_false(payload_prepare(&payload, &req));
	assert_int_equal(buf[0], 'x');
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_no_two_sectors_are_alike),
		cmocka_unit_test(test_stamp_stays_inside),
		cmocka_unit_test(test_modes),
		cmocka_unit_test(test_compressible),
		cmocka_unit_test(test_dedupe),
		cmocka_unit_test(test_no_scrambling),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
