/* SPDX-License-Identifier: GPL-2.0-or-later */
/* file_turns: the order in which files are served, and what follows a finished one. */
#include "load/file_turns.h"

#include <string.h>

#include "fixture.h"
#include "test.h"

static struct file_turns turns_of(const struct job *job, size_t nr_files)
{
	struct file_turns turns;
	struct rng rng;

	rng_init(&rng, 3);
	file_turns_init(&turns, job, nr_files, &rng);
	file_turns_begin_pass(&turns);
	return turns;
}

static void expect_turns(struct file_turns *turns, const char *files)
{
	for (; *files; files++)
		assert_int_equal(file_turns_next(turns), (size_t)(*files - '0'));
}

static void test_roundrobin(void **state)
{
	struct job job = fixture_job();
	struct file_turns turns = turns_of(&job, 4);

	(void)state;
	expect_turns(&turns, "01230123012");
	file_turns_finish(&turns); /* 2 */
	expect_turns(&turns, "301301");
	file_turns_finish(&turns);
	expect_turns(&turns, "3030");
	file_turns_finish(&turns);
	expect_turns(&turns, "33");
	file_turns_finish(&turns);
	assert_true(file_turns_next(&turns) == FILE_TURNS_NONE);
	file_turns_begin_pass(&turns);
	expect_turns(&turns, "01230");
	file_turns_release(&turns);
}

static void test_several_in_a_row(void **state)
{
	struct job job = fixture_job();
	struct file_turns turns;

	(void)state;
	job.file_service_ios = 3;
	turns = turns_of(&job, 2);
	expect_turns(&turns, "0001110");
	file_turns_finish(&turns);
	expect_turns(&turns, "1111");
	file_turns_release(&turns);
}

/* With openfiles the next file in line replaces a finished one. */
static void test_openfiles(void **state)
{
	struct job job = fixture_job();
	struct file_turns turns;

	(void)state;
	job.open_files = 2;
	turns = turns_of(&job, 4);
	expect_turns(&turns, "01010");
	file_turns_finish(&turns);
	expect_turns(&turns, "1212");
	file_turns_finish(&turns); /* 2 */
	expect_turns(&turns, "1313");
	file_turns_finish(&turns);
	expect_turns(&turns, "11");
	file_turns_release(&turns);
}

static void test_sequential(void **state)
{
	struct job job = fixture_job();
	struct file_turns turns;

	(void)state;
	job.file_service = FILE_SERVICE_SEQUENTIAL;
	turns = turns_of(&job, 3);
	expect_turns(&turns, "000");
	file_turns_finish(&turns);
	expect_turns(&turns, "11");
	file_turns_release(&turns);
}

static void test_drawn(void **state)
{
	struct job job = fixture_job();
	struct file_turns turns;
	unsigned counts[10] = { 0 };

	(void)state;
	job.file_service = FILE_SERVICE_RANDOM;
	turns = turns_of(&job, 10);
	for (unsigned i = 0; i < 10000; i++)
		counts[file_turns_next(&turns)]++;
	for (unsigned i = 0; i < 10; i++)
		assert_in_range(counts[i], 800, 1200);
	file_turns_release(&turns);

	job.file_service = FILE_SERVICE_DISTRIBUTION;
	job.file_distribution = (struct distribution){ .kind = DISTRIBUTION_ZIPF,
						       .parameter = 1.5,
						       .has_center = true };
	turns = turns_of(&job, 10);
	memset(counts, 0, sizeof(counts));
	for (unsigned i = 0; i < 10000; i++)
		counts[file_turns_next(&turns)]++;
	assert_in_range(counts[0], 4800, 5300); /* 1 / sum of k^-1.5 for k = 1..10 is 0.5017 */
	for (unsigned i = 0; i < 9; i++) {
		while (file_turns_next(&turns) != i)
			;
		file_turns_finish(&turns);
	}
	assert_int_equal(file_turns_next(&turns), 9);
	file_turns_release(&turns);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_roundrobin), cmocka_unit_test(test_several_in_a_row),
		cmocka_unit_test(test_openfiles),  cmocka_unit_test(test_sequential),
		cmocka_unit_test(test_drawn),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
