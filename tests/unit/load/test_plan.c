/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_plan: regions and amounts of the clones, and what is refused. */
#include "load/plan.h"

#include "base/err.h"
#include "fixture.h"
#include "model/note.h"
#include "test.h"

/* One job planned; everything is released by planned_release. */
struct planned {
	struct arena arena;
	struct note_list notes;
	struct plan plan;
	struct err err;
	int ret;
};

static void plan_one(struct planned *planned, const struct job *job, bool readonly)
{
	const struct job_set jobs = { .jobs = (struct job *)job, .nr = 1 };
	const struct plan_config config = {
		.jobs = &jobs,
		.arena = &planned->arena,
		.readonly = readonly,
		.notes = &planned->notes,
	};

	*planned = (struct planned){ .arena = ARENA_INIT };
	planned->ret = plan_make(&config, &planned->plan, &planned->err);
}

static void planned_release(struct planned *planned)
{
	plan_release(&planned->plan);
	arena_release(&planned->arena);
	note_list_release(&planned->notes);
}

static void assert_refused(const struct job *job, const char *text)
{
	struct planned planned;

	plan_one(&planned, job, false);
	assert_int_equal(planned.ret, -ERR_USAGE); /* the job stands in no file */
	if (!strstr(planned.err.msg, text))
		fail_msg("'%s' does not say '%s'", planned.err.msg, text);
	planned_release(&planned);
}

static void test_regions_of_clones_and_files(void **state)
{
	struct job job = fixture_job();
	struct planned planned;

	(void)state;
	job.nr_clones = 3;
	job.nr_files = 3;
	job.size.bytes = 100001;
	for (enum io_dir dir = IO_READ; dir < IO_NR_DATA_DIRS; dir++)
		job.bs_min_bytes[dir] = 1;
	job.offset.bytes = 8192;
	job.offset.is_set = true;
	job.offset_increment.bytes = 1000000;
	job.offset_increment.is_set = true;
	plan_one(&planned, &job, false);
	assert_int_equal(planned.ret, 0);
	assert_int_equal(planned.plan.nr, 3);
	assert_int_equal(planned.plan.files.nr, 9);
	for (unsigned clone = 0; clone < 3; clone++) {
		const struct clone_plan *plan = &planned.plan.clones[clone];

		assert_int_equal(plan->thread_number, clone);
		assert_int_equal(plan->nr_files, 3);
		for (unsigned file = 0; file < 3; file++) {
			assert_int_equal(plan->regions[file].start_bytes, 8192 + clone * 1000000);
			/* 100001 = 3 * 33333 + 2: whole blocks of the rest go to the first files */
			assert_int_equal(plan->regions[file].len_bytes, 33333 + (file < 2));
		}
		assert_int_equal(plan->limit_bytes, 100001);
		assert_false(plan->is_limit_wrapping);
	}
	planned_release(&planned);
}

static void test_io_size(void **state)
{
	struct job job = fixture_job();
	struct planned planned;

	(void)state;
	job.io_size.is_set = true;
	job.io_size.bytes = 12345;
	plan_one(&planned, &job, false);
	assert_int_equal(planned.plan.clones[0].limit_bytes, 12345);
	assert_true(planned.plan.clones[0].is_limit_wrapping);
	planned_release(&planned);

	job.io_size.bytes = 0;
	job.io_size.percent = 25;
	plan_one(&planned, &job, false);
	assert_int_equal(planned.plan.clones[0].limit_bytes, MIB / 4);
	planned_release(&planned);
}

static void test_sizes_of_an_existing_file(void **state)
{
	char *folder = fixture_folder();
	char *path = xasprintf("%s/file", folder);
	struct job job = fixture_job();
	struct planned planned;

	(void)state;
	fixture_write(path, 100000, 'x');
	job.ioengine = "psync";
	job.filename = path;
	job.size = (struct size_spec){ .is_set = false };

	/* all of it from the offset on */
	job.offset.bytes = 10000;
	plan_one(&planned, &job, false);
	assert_int_equal(planned.ret, 0);
	assert_int_equal(planned.plan.clones[0].regions[0].start_bytes, 10000);
	assert_int_equal(planned.plan.clones[0].regions[0].len_bytes, 90000);
	planned_release(&planned);

	/* shares: the offset up to a block, the size down to one */
	job.offset = (struct size_spec){ .percent = 33, .is_set = true };
	job.size = (struct size_spec){ .percent = 50, .is_set = true };
	plan_one(&planned, &job, false);
	assert_int_equal(planned.plan.clones[0].regions[0].start_bytes, 36864);
	assert_int_equal(planned.plan.clones[0].regions[0].len_bytes, 49152);
	planned_release(&planned);

	/* cut at the end */
	job.size.percent = 100;
	plan_one(&planned, &job, false);
	assert_int_equal(planned.plan.clones[0].regions[0].len_bytes, 100000 - 36864);
	planned_release(&planned);

	/* a file that is too short will be extended */
	job.offset = (struct size_spec){ .is_set = false };
	job.size = (struct size_spec){ .bytes = MIB, .is_set = true };
	plan_one(&planned, &job, false);
	assert_int_equal(planned.ret, 0);
	assert_int_equal(planned.plan.files.items[0].needed_bytes, MIB);
	assert_true(planned.plan.files.items[0].needs_content);
	planned_release(&planned);
	plan_one(&planned, &job, true);
	assert_int_equal(planned.ret, -ERR_UNSAFE);
	assert_non_null(
		strstr(planned.err.msg, "would have to be extended from 100000 to 1048576"));
	planned_release(&planned);

	free(path);
	fixture_remove_folder(folder);
}

static void test_needs(void **state)
{
	char *folder = fixture_folder();
	struct job job = fixture_job();
	struct planned planned;

	(void)state;
	job.ioengine = "psync";
	job.directory = folder;
	job.rw = RW_WRITE;
	plan_one(&planned, &job, false);
	assert_true(planned.plan.files.items[0].needs_file);
	assert_false(planned.plan.files.items[0].needs_content); /* only written */
	planned_release(&planned);

	job.ioengine = "mmap";
	plan_one(&planned, &job, false);
	assert_true(planned.plan.files.items[0].needs_content);
	planned_release(&planned);

	job.ioengine = "psync";
	job.rw = RW_READ | RW_WRITE;
	job.create_on_open = true;
	plan_one(&planned, &job, false);
	assert_false(planned.plan.files.items[0].needs_file);
	planned_release(&planned);

	plan_one(&planned, &job, true);
	assert_int_equal(planned.ret, -ERR_UNSAFE);
	planned_release(&planned);
	fixture_remove_folder(folder);
}

static void test_depth_of_engines(void **state)
{
	struct job job = fixture_job();
	char *folder = fixture_folder();
	struct planned planned;

	(void)state;
	fixture_set_depth(&job, 32);
	plan_one(&planned, &job, false); /* null */
	assert_int_equal(planned.plan.clones[0].iodepth, 32);
	assert_true(engine_is_async(planned.plan.clones[0].engine));
	assert_int_equal(planned.notes.nr, 0);
	planned_release(&planned);

	job.ioengine = "psync";
	job.directory = folder;
	plan_one(&planned, &job, false);
	assert_int_equal(planned.plan.clones[0].iodepth, 1);
	assert_int_equal(planned.notes.nr, 1);
	assert_int_equal(planned.notes.items[0].id, NOTE_SYNC_ENGINE_DEPTH);
	planned_release(&planned);

	fixture_set_depth(&job, 1);
	job.ioengine = "null";
	plan_one(&planned, &job, false);
	assert_false(engine_is_async(planned.plan.clones[0].engine));
	planned_release(&planned);
	fixture_remove_folder(folder);
}

static void test_refusals(void **state)
{
	char *folder = fixture_folder();
	char *file = xasprintf("%s/file", folder);
	struct job job = fixture_job();

	(void)state;
	job.ioengine = "psync";
	job.filename = folder;
	assert_refused(&job, "is a directory");

	job.filename = file;
	job.size = (struct size_spec){ .is_set = false };
	assert_refused(&job, "you need to specify size");
	job.size = (struct size_spec){ .percent = 10, .is_set = true };
	assert_refused(&job, "you need to specify size");
	fixture_write(file, 0, 'x');
	assert_refused(&job, "is empty");
	job.size = (struct size_spec){ .bytes = 4095, .is_set = true };
	assert_refused(&job, "size too small: 4095 bytes");
	job.size.bytes = INT64_MAX;
	job.offset.bytes = 4096;
	assert_refused(&job, "too large");
	job.size.bytes = 4096;
	job.offset_increment.bytes = UINT64_MAX;
	job.nr_clones = 2;
	assert_refused(&job, "offset of clone 1 does not fit");
	job.nr_clones = 1;
	job.offset = (struct size_spec){ .percent = 1, .is_set = true };
	assert_int_equal(unlink(file), 0);
	assert_refused(&job, "an offset is a percentage");

	job = fixture_job();
	job.ioengine = "psync";
	job.directory = file;
	{
		struct planned planned;

		plan_one(&planned, &job, false); /* directory= must be there */
		assert_int_equal(planned.ret, -ERR_SYSTEM);
		assert_non_null(strstr(planned.err.msg, file));
		planned_release(&planned);
	}
	fixture_write(file, 1, 'x');
	assert_refused(&job, "is not a folder");
	job.directory = NULL;
	job.ioengine = "nope";
	assert_refused(&job, "unknown engine 'nope'");
	free(file);
	fixture_remove_folder(folder);
}

static void test_direct_wants_whole_blocks(void **state)
{
	struct planned planned;
	struct job job = fixture_job();
	char *folder = fixture_folder();
	uint32_t block_bytes;

	(void)state;
	job.ioengine = "psync";
	job.directory = folder;
	job.direct = true;
	plan_one(&planned, &job, false);
	assert_int_equal(planned.ret, 0);
	block_bytes = planned.plan.files.items[0].direct_block_bytes;
	planned_release(&planned);
	if (block_bytes > 1) {
		fixture_set_bs(&job, block_bytes / 2, block_bytes / 2);
		assert_refused(&job, "is not a multiple of the logical block size");
		fixture_set_bs(&job, block_bytes, block_bytes);
		job.offset.bytes = block_bytes + 1;
		assert_refused(&job, "direct=1: offset");
		job.direct = false;
		plan_one(&planned, &job, false);
		assert_int_equal(planned.ret, 0);
		planned_release(&planned);
	}
	fixture_remove_folder(folder);
	if (block_bytes <= 1)
		test_skip("the temporary folder has no block device");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_regions_of_clones_and_files),
		cmocka_unit_test(test_io_size),
		cmocka_unit_test(test_sizes_of_an_existing_file),
		cmocka_unit_test(test_needs),
		cmocka_unit_test(test_depth_of_engines),
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_direct_wants_whole_blocks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
