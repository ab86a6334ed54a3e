/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The workloads of public regression reports (tests/data/jobs), as they were posted and scaled
 * down by options of the command line and by settings.
 */
#include "job/job_parse.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "model/job.h"
#include "test.h"

#define MAX_WORDS 16

static int parse_report(const char *name, const char *const *more_words, struct job_set *ret_set,
			struct err *err)
{
	CLEANUP(arena) struct arena arena = ARENA_INIT;
	const char *words[MAX_WORDS];
	struct job_parse_config config = { .words = words, .command_line_wins = true };

	words[config.nr_words++] =
		arena_printf(&arena, "%s/tests/data/jobs/%s", getenv("REGIO_SOURCE_ROOT"), name);
	for (; *more_words; more_words++)
		words[config.nr_words++] = *more_words;
	*ret_set = (struct job_set){ .nr = 0 };
	return job_parse(&config, ret_set, err);
}

static struct job_set parse_good_report(const char *name, const char *const *more_words)
{
	struct err err = { .code = 0 };
	struct job_set set;

	if (parse_report(name, more_words, &set, &err) < 0)
		fail_msg("%s", err.msg);
	return set;
}

static void test_multipath_seqwrite(void **state)
{
	static const char *const as_posted[] = { NULL };
	static const char *const scaled[] = { "--size=64m", "--runtime=2", "--numjobs=2", NULL };
	struct job_set set = parse_good_report("multipath-seqwrite.fio", as_posted);

	(void)state;
	assert_int_equal(set.nr, 2);
	assert_int_equal(set.nr_clones, 48);
	assert_string_equal(set.jobs[0].name, "job");
	assert_string_equal(set.jobs[1].name, "job");
	assert_string_equal(set.jobs[0].filename, "/dev/dm-0");
	assert_string_equal(set.jobs[1].filename, "/dev/dm-1");
	assert_int_equal(set.jobs[1].group_id, 0);
	assert_int_equal(set.jobs[1].first_clone, 24);
	assert_true(set.jobs[1].group_reporting);
	assert_int_equal(set.jobs[1].fsync_every, 1);
	assert_int_equal(set.jobs[1].bs_max_bytes[IO_WRITE], 128 << 10);
	assert_int_equal(set.jobs[1].runtime_ns, UINT64_C(600) * 1000000000);
	assert_int_equal(set.nr_warnings, 2); /* 24 writers on each device */
	job_set_release(&set);

	set = parse_good_report("multipath-seqwrite.fio", scaled);
	assert_int_equal(set.nr_clones, 4);
	assert_int_equal(set.jobs[1].size.bytes, 64 << 20);
	assert_int_equal(set.jobs[1].runtime_ns, UINT64_C(2) * 1000000000);
	job_set_release(&set);
}

static void test_raid0_randread(void **state)
{
	/* as posted, a single dash and an abbreviation included */
	static const char *const posted[] = { "--bs=4k",
					      "--iodepth=128",
					      "-rw=randread",
					      "--group_report",
					      "--ioscheduler=none",
					      "--numjobs=4",
					      NULL };
	struct job_set set = parse_good_report("raid0-two-volumes.fio", posted);

	(void)state;
	assert_int_equal(set.nr, 2);
	assert_int_equal(set.nr_clones, 8);
	assert_int_equal(set.jobs[0].rw, RW_READ | RW_RANDOM);
	assert_int_equal(set.jobs[0].iodepth, 128);
	assert_true(set.jobs[1].group_reporting);
	assert_string_equal(set.jobs[1].ioscheduler, "none");
	assert_int_equal(set.nr_warnings, 0);
	job_set_release(&set);
}

static void test_btrfs_randread(void **state)
{
	static const char *const scaled[] = { "--size=16m", "--io_size=16m", "--runtime=1",
					      "--filename=/tmp/file", NULL };
	struct job_set set = parse_good_report("btrfs-randread.fio", scaled);
	CLEANUP(arena) struct arena arena = ARENA_INIT;
	size_t nr;

	(void)state;
	assert_int_equal(set.nr, 1);
	assert_int_equal(set.nr_clones, 8);
	assert_int_equal(set.jobs[0].bs_min_bytes[IO_READ], 2 << 20);
	assert_int_equal(set.jobs[0].size.bytes, 16 << 20);
	assert_int_equal(set.jobs[0].fallocate, FALLOCATE_POSIX);
	assert_string_equal(job_file_names(&set.jobs[0], 7, &arena, &nr)[0], "/tmp/file");
	job_set_release(&set);
}

static void test_dmcache_randrw(void **state)
{
	static const char *const scaled[] = { "--size=8m", "--filename=/dev/loop0", NULL };
	struct job_set set = parse_good_report("dmcache-randrw.fio", scaled);
	CLEANUP(arena) struct arena arena = ARENA_INIT;
	size_t nr;

	(void)state;
	assert_int_equal(set.nr, 1);
	assert_int_equal(set.nr_clones, 4);
	assert_int_equal(set.jobs[0].rw, RW_READ | RW_WRITE | RW_RANDOM);
	assert_int_equal(set.jobs[0].rwmix_read_percent, 20);
	assert_int_equal(set.jobs[0].iodepth, 32);
	assert_false(set.jobs[0].randrepeat);
	assert_false(set.jobs[0].stonewall);
	assert_string_equal(job_file_names(&set.jobs[0], 0, &arena, &nr)[0], "/dev/loop0");
	job_set_release(&set);

	set = parse_good_report("dmcache-randrw-verify.fio", scaled);
	assert_int_equal(set.jobs[0].verify, VERIFY_META);
	assert_true(set.jobs[0].verify_fatal);
	assert_true(set.jobs[0].verify_dump);
	assert_true(set.jobs[0].do_verify);
	job_set_release(&set);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_multipath_seqwrite),
		cmocka_unit_test(test_raid0_randread),
		cmocka_unit_test(test_btrfs_randread),
		cmocka_unit_test(test_dmcache_randrw),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
