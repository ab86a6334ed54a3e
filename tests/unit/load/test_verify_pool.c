/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_verify_pool: threads check the blocks of one clone; every wrong one is found, once. */
#include "load/verify_pool.h"

#include <string.h>

#include "base/err.h"
#include "engine/engine.h"
#include "load/plan.h"
#include "load/verify.h"
#include "model/job.h"
#include "test.h"

#define BLOCK 4096
#define NR_BLOCKS 500
#define EVERY_BAD 7

struct fixture {
	struct job job;
	struct engine_ops engine;
	struct file_entry entry;
	struct file_table table;
	struct region region;
	size_t file;
	struct clone_plan plan;
};

static struct verify *make_verify(struct fixture *fixture, unsigned nr_threads)
{
	struct verify_config config = { .max_bytes = BLOCK, .nr_slots = 1, .seed = 3 };

	*fixture = (struct fixture){
		.job = { .name = "job",
			 .rw = RW_WRITE,
			 .verify = VERIFY_CRC32C,
			 .verify_async = nr_threads,
			 .iodepth = 1 },
		.entry = { .path = "file" },
		.region = { 0, NR_BLOCKS * BLOCK },
	};
	for (int dir = 0; dir < IO_NR_DATA_DIRS; dir++)
		fixture->job.bs_min_bytes[dir] = fixture->job.bs_max_bytes[dir] = BLOCK;
	fixture->job.do_verify = true;
	fixture->table = (struct file_table){ .items = &fixture->entry, .nr = 1 };
	fixture->plan = (struct clone_plan){
		.job = &fixture->job,
		.engine = &fixture->engine,
		.files = &fixture->file,
		.regions = &fixture->region,
		.nr_files = 1,
	};
	config.plan = &fixture->plan;
	config.table = &fixture->table;
	return verify_create(&config, NULL);
}

static void check_blocks(unsigned nr_threads)
{
	static unsigned char block[BLOCK];
	struct fixture fixture;
	struct verify *verify = make_verify(&fixture, nr_threads);
	struct io_req req = { .buf = block, .len_bytes = BLOCK, .dir = IO_WRITE };

	assert_non_null(verify);
	for (size_t i = 0; i < NR_BLOCKS; i++) {
		struct verify_io io;

		req.offset_bytes = i * BLOCK;
		assert_true(verify_seal(verify, &req));
		io = verify->ios[0];
		verify_settle(verify, &io);
		block[2000] ^= i % EVERY_BAD == 0;
		verify_pool_put(verify->pool, &io, block, BLOCK);
		memset(block, 0, sizeof(block)); /* it has a copy */
	}
	verify_pool_wait(verify->pool);
	assert_int_equal(verify->reports.nr_failed, (NR_BLOCKS + EVERY_BAD - 1) / EVERY_BAD);
	assert_int_equal(verify->reports.nr_texts, VERIFY_MAX_REPORTS);
	assert_non_null(strstr(verify->reports.texts[0], "crc32c: verify failed at file file"));
	verify_free(verify);
}

static void test_one_thread(void **state)
{
	(void)state;
	check_blocks(1);
}

static void test_many_threads(void **state)
{
	(void)state;
	check_blocks(5);
}

/* Work is left when it ends: it is done first. */
static void test_free_at_once(void **state)
{
	static unsigned char block[BLOCK];
	const struct verify_io io = { .use = VERIFY_READING, .len_bytes = BLOCK };
	struct fixture fixture;
	struct verify *verify = make_verify(&fixture, 3);

	(void)state;
	for (int i = 0; i < 12; i++)
		verify_pool_put(verify->pool, &io, block, BLOCK);
	verify_pool_free(verify->pool);
	verify->pool = NULL;
	assert_int_equal(verify->reports.nr_failed, 0); /* never written: nothing to be right */
	verify_free(verify);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_thread),
		cmocka_unit_test(test_many_threads),
		cmocka_unit_test(test_free_at_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
