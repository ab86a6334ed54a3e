/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Data files, options and rw names of a job. Expected names were seen in runs of fio 3.33. */
#include "model/job.h"

#include <string.h>

#include "base/arena.h"
#include "test.h"

static struct job job_make(const char *filename, const char *directory, const char *format,
			   unsigned nr_files)
{
	return (struct job){
		.name = "reported",
		.section = "job",
		.filename = filename,
		.directory = directory,
		.filename_format = format,
		.nr_files = nr_files,
	};
}

static const char default_format[] = "$jobname.$jobnum.$filenum";

static const struct name_case {
	const char *filename, *directory, *format;
	unsigned nr_files, clone;
	const char *expected; /* joined by '|' */
} name_cases[] = {
	{ NULL, NULL, default_format, 1, 0, "job.0.0" },
	{ NULL, NULL, default_format, 3, 2, "job.2.0|job.2.1|job.2.2" },
	{ NULL, "/mnt/a", default_format, 1, 1, "/mnt/a/job.1.0" },
	{ NULL, "/mnt/a/", default_format, 1, 1, "/mnt/a//job.1.0" },
	{ NULL, "/mnt/a:/mnt/b", default_format, 1, 0, "/mnt/a/job.0.0" },
	{ NULL, "/mnt/a:/mnt/b", default_format, 1, 1, "/mnt/b/job.1.0" },
	{ NULL, "/mnt/a:/mnt/b", default_format, 1, 2, "/mnt/a/job.2.0" },
	{ NULL, NULL, "z/$JobName-$jobnum-$FILENUM-$clientuid-$foo", 2, 1,
	  "z/job-1-0--$foo|z/job-1-1--$foo" },
	{ NULL, NULL, "file$jobnum", 1, 12, "file12" },
	{ NULL, NULL, "plain", 2, 0, "plain|plain" },
	{ "xx", NULL, default_format, 1, 3, "xx" },
	{ "xx:yy::z\\:q:", "/d/a:/d/b", default_format, 3, 1, "/d/a/xx|/d/a/yy|/d/a/z:q" },
	{ "/dev/sda", "/mnt", default_format, 1, 0, "/mnt//dev/sda" },
	{ "a\\b", NULL, default_format, 1, 0, "a\\b" },
	{ "\\:", NULL, default_format, 1, 0, ":" },
	{ "$jobname", NULL, default_format, 1, 0, "$jobname" },
	{ "::", NULL, default_format, 1, 0, "" },
	{ NULL, ":", default_format, 1, 0, "job.0.0" },
};

static void test_file_names(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(name_cases) / sizeof(name_cases[0]); i++) {
		const struct name_case *row = &name_cases[i];
		const struct job job =
			job_make(row->filename, row->directory, row->format, row->nr_files);
		CLEANUP(arena) struct arena arena = ARENA_INIT;
		size_t nr;
		const char *const *names = job_file_names(&job, row->clone, &arena, &nr);
		const char *joined = "";

		for (size_t n = 0; n < nr; n++)
			joined = arena_printf(&arena, "%s%s%s", joined, n ? "|" : "", names[n]);
		assert_string_equal(joined, row->expected);
	}
}

static void test_many_files(void **state)
{
	const struct job job = job_make(NULL, "/d", default_format, 10000);
	CLEANUP(arena) struct arena arena = ARENA_INIT;
	size_t nr;
	const char *const *names = job_file_names(&job, 7, &arena, &nr);

	(void)state;
	assert_int_equal(nr, 10000);
	assert_string_equal(names[9999], "/d/job.7.9999");
}

static void test_rw_names(void **state)
{
	static const char *const names[] = { "read",	  "write",	  "trim", "randread",
					     "randwrite", "randtrim",	  "rw",	  "randrw",
					     "trimwrite", "randtrimwrite" };
	unsigned rw = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		assert_true(rw_from_name(names[i], strlen(names[i]), &rw));
		assert_string_equal(rw_name(rw), names[i]);
	}
	assert_true(rw_from_name("readwrite:8k", strlen("readwrite"), &rw));
	assert_int_equal(rw, RW_READ | RW_WRITE);
	assert_string_equal(rw_name(rw), "rw");
	assert_true(rw_from_name("randtrimwrite", strlen("randtrimwrite"), &rw));
	assert_int_equal(rw, RW_TRIM | RW_WRITE | RW_RANDOM | RW_TRIM_THEN_WRITE);
	assert_false(rw_from_name("READ", 4, &rw));
	assert_false(rw_from_name("rea", 3, &rw));
	assert_false(rw_from_name("", 0, &rw));
	assert_string_equal(rw_name(0), "none");
}

static void test_directions(void **state)
{
	const struct job job = { .rw = RW_TRIM | RW_WRITE | RW_RANDOM };

	(void)state;
	assert_false(job_does(&job, IO_READ));
	assert_true(job_does(&job, IO_WRITE));
	assert_true(job_does(&job, IO_TRIM));
}

static void test_option_find(void **state)
{
	struct job_option options[] = { { .key = "bs", .value = "4k" },
					{ .key = "rw", .value = "read" } };
	const struct job job = { .options = { .items = options, .nr = 2 } };

	(void)state;
	assert_ptr_equal(job_option_find(&job, "rw"), &options[1]);
	assert_null(job_option_find(&job, "size"));
	assert_null(job_option_find(&job, "r"));
}

static void test_release_of_an_empty_set(void **state)
{
	struct job_set set = { .nr = 0 };

	(void)state;
	job_set_release(&set);
	assert_null(set.arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_file_names),  cmocka_unit_test(test_many_files),
		cmocka_unit_test(test_rw_names),    cmocka_unit_test(test_directions),
		cmocka_unit_test(test_option_find), cmocka_unit_test(test_release_of_an_empty_set),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
