/* SPDX-License-Identifier: GPL-2.0-or-later */
/* write_range: writes in any order, parts of pages, and a range that is used up. */
#include "load/write_range.h"

#include "engine/engine.h"
#include "test.h"

static void add(struct write_range *range, uint64_t offset_bytes, uint32_t len_bytes)
{
	const struct io_req req = { .offset_bytes = offset_bytes, .len_bytes = len_bytes };

	write_range_add(range, &req);
}

static void test_ranges(void **state)
{
	struct write_range range = { .end_bytes = 0 };
	struct io_req req = { .dir = IO_SYNC };

	(void)state;
	add(&range, 5000, 100);
	add(&range, 20000, 512);
	add(&range, 8192, 4096);
	write_range_take(&range, 2, &req);
	assert_int_equal(req.range_flags, 2);
	assert_int_equal(req.offset_bytes, 4096);
	assert_int_equal(req.range_pages, 5); /* 4096 .. 20512 */
	add(&range, 1 << 20, 4096);
	write_range_take(&range, 7, &req);
	assert_int_equal(req.offset_bytes, 1 << 20);
	assert_int_equal(req.range_pages, 1);
}

static void test_huge(void **state)
{
	struct write_range range = { .end_bytes = 0 };
	struct io_req req = { .dir = IO_SYNC };

	(void)state;
	add(&range, 0, 4096);
	add(&range, UINT64_C(1) << 50, 4096);
	write_range_take(&range, 2, &req);
	assert_int_equal(req.offset_bytes, 0);
	assert_int_equal(req.range_pages, 0); /* all that follow */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ranges),
		cmocka_unit_test(test_huge),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
