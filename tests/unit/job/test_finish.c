/* SPDX-License-Identifier: GPL-2.0-or-later */
/* finish, check, share: groups and phases, values that depend on others, contradictions, and
 * files used by several. */
#include "job/parser.h"

#include <string.h>

#include "base/arena.h"
#include "base/strbuf.h"
#include "job/keys.h"
#include "job_test.h"
#include "test.h"

/* "group.phase@first_clone" of all jobs. */
static const char *describe(const struct job_set *set, struct arena *arena)
{
	const char *text = "";

	for (size_t i = 0; i < set->nr; i++)
		text = arena_printf(arena, "%s%s%u.%u@%u", text, i ? " " : "",
				    set->jobs[i].group_id, set->jobs[i].phase,
				    set->jobs[i].first_clone);
	return text;
}

static const struct group_case {
	const char *text, *expected;
} group_cases[] = {
	{ "[a]\n[b]\n[c]\n", "0.0@0 0.0@1 0.0@2" },
	{ "[a]\n[b]\nnew_group\n[c]\n", "0.0@0 1.0@1 1.0@2" },
	{ "[a]\n[b]\nstonewall\n[c]\n", "0.0@0 1.1@1 1.1@2" },
	/* the first job starts nothing: the group is still empty */
	{ "[a]\nstonewall\n[b]\n", "0.0@0 0.0@1" },
	{ "[a]\nnew_group\n[b]\nnew_group\n", "0.0@0 1.0@1" },
	{ "[global]\nstonewall\n[a]\n[b]\n[c]\nstonewall=0\n", "0.0@0 1.1@1 1.1@2" },
	{ "[a]\n[b]\nstonewall\nnew_group\n[c]\nnew_group\n[d]\nstonewall\n",
	  "0.0@0 1.1@1 2.1@2 3.2@3" },
	/* clones stay in the group and phase of their job */
	{ "[a]\nnumjobs=3\nstonewall\n[b]\nnumjobs=2\nstonewall\n[c]\n", "0.0@0 1.1@3 1.1@5" },
	/* fio 3.33 prints these groups for the corpus file with two [global] */
	{ "[global]\niodepth=8\n[first]\n[second]\n[global]\nstonewall\n[third]\n[fourth]\n",
	  "0.0@0 0.0@1 1.1@2 2.2@3" },
};

static void test_groups(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(group_cases) / sizeof(group_cases[0]); i++) {
		CLEANUP(arena) struct arena arena = ARENA_INIT;
		struct job_set set = parse_good(group_cases[i].text);

		assert_string_equal(describe(&set, &arena), group_cases[i].expected);
		job_set_release(&set);
	}
}

static void test_number_of_clones(void **state)
{
	struct job_set set = parse_good("[a]\nnumjobs=60000\n[b]\nnumjobs=5536\n");

	(void)state;
	assert_int_equal(set.nr_clones, JOB_MAX_CLONES);
	assert_int_equal(set.jobs[1].first_clone, 60000);
	job_set_release(&set);
	assert_refused(
		"[a]\nnumjobs=60000\n[b]\nnumjobs=5537\n", ERR_INPUT,
		"t.fio:4: numjobs: the jobs up to 'b' make 65537 clones; 65536 are possible");
	assert_refused(
		"[a]\nnumjobs=65536\n[b]\n", ERR_INPUT,
		"t.fio:3: numjobs: the jobs up to 'b' make 65537 clones; 65536 are possible");
}

static const struct depth_case {
	const char *options;
	unsigned batch, min, max, low;
} depth_cases[] = {
	{ "", 1, 1, 1, 1 },
	{ "iodepth=32", 1, 1, 1, 32 },
	{ "iodepth=32\niodepth_batch=0", 32, 1, 1, 32 },
	{ "iodepth=32\niodepth_batch=64", 32, 1, 1, 32 },
	{ "iodepth=32\niodepth_batch_submit=16", 16, 1, 1, 32 },
	{ "iodepth=32\niodepth_batch_complete=8", 1, 8, 8, 32 },
	{ "iodepth=32\niodepth_batch_complete_min=8\niodepth_batch_complete_max=4", 1, 8, 8, 32 },
	{ "iodepth=32\niodepth_batch_complete_max=16", 1, 1, 16, 32 },
	{ "iodepth=32\niodepth_batch_complete_min=64\niodepth_batch_complete_max=99", 1, 32, 32,
	  32 },
	{ "iodepth=32\niodepth_batch_complete_min=0", 1, 0, 1, 32 },
	{ "iodepth=32\niodepth_low=8", 1, 1, 1, 8 },
	{ "iodepth=32\niodepth_low=99", 1, 1, 1, 32 },
};

static void test_depths(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(depth_cases) / sizeof(depth_cases[0]); i++) {
		const struct depth_case *row = &depth_cases[i];
		struct job_set set = parse_options(row->options);
		const struct job *job = &set.jobs[0];

		assert_int_equal(job->iodepth_batch, row->batch);
		assert_int_equal(job->iodepth_batch_complete_min, row->min);
		assert_int_equal(job->iodepth_batch_complete_max, row->max);
		assert_int_equal(job->iodepth_low, row->low);
		job_set_release(&set);
	}
}

static void test_names(void **state)
{
	struct job_set set = parse_good("[global]\nname=all of them\n[a]\n[b]\nname=other\n");

	(void)state;
	assert_string_equal(set.jobs[0].name, "all of them");
	assert_string_equal(set.jobs[0].section, "a");
	assert_string_equal(set.jobs[1].name, "other");
	job_set_release(&set);
}

/* A section that is named like a device is a job on that device. */
static void test_section_named_like_a_device(void **state)
{
	struct job_set set = parse_good("[/dev/null]\n[/tmp]\n[null]\n[/dev/zero]\nnrfiles=2\n"
					"[/dev/full]\nfilename=x\n");

	(void)state;
	assert_string_equal(set.jobs[0].filename, "/dev/null");
	assert_null(set.jobs[1].filename);
	assert_null(set.jobs[2].filename);
	assert_null(set.jobs[3].filename);
	assert_string_equal(set.jobs[4].filename, "x");
	job_set_release(&set);
}

static void test_contradictions(void **state)
{
	(void)state;
	assert_refused("[j]\nrate=1m\nrate_iops=100\n", ERR_INPUT,
		       "t.fio:3: rate_iops: rate and rate_iops exclude each other");
	assert_refused("[global]\nrate_iops=,100\n[j]\nrate=1m,\n", ERR_INPUT,
		       "t.fio:4: rate: rate and rate_iops exclude each other");
	assert_refused("[j]\nsize=4k\nbs=8k\n", ERR_INPUT,
		       "t.fio:3: bs: 8192 is more than the size of 4096");
	assert_refused("[global]\nblocksize_range=8k-16k\n[j]\nsize=4k\n", ERR_INPUT,
		       "t.fio:4: size: 4096 is less than the block size of 8192");
	assert_refused("[j]\nsize=4k\nbs=8k,4k\nrw=read\n", ERR_INPUT,
		       "t.fio:3: bs: 8192 is more than the size of 4096");
	assert_refused("[j]\nioengine=libaio\nfixedbufs\n", ERR_INPUT,
		       "t.fio:3: fixedbufs: ioengine 'libaio' has no such option (of: io_uring)");
	assert_refused("[j]\nioengine=io_uring2\nfixedbufs\n", ERR_INPUT,
		       "t.fio:3: fixedbufs: ioengine 'io_uring2' has no such option (of: "
		       "io_uring)");
}

static const char *const no_contradictions[] = {
	"[j]\nrate=0\nrate_iops=100\n",
	"[j]\nsize=4k\nbs=8k,4k\nrw=write\n",
	"[j]\nsize=4k\nbsrange=4k-64k\n",
	"[j]\nsize=0\nbs=1m\n",
	"[j]\nsize=1%\nbs=1m\n",
	/* inherited, and without meaning for this engine */
	"[global]\nioengine=io_uring\nfixedbufs\n[j]\nioengine=libaio\n",
	"[j]\nfixedbufs\nioengine=io_uring\n",
};

static void test_no_contradictions(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(no_contradictions) / sizeof(no_contradictions[0]); i++) {
		struct job_set set = parse_good(no_contradictions[i]);

		job_set_release(&set);
	}
}

static const struct share_case {
	const char *text;
	unsigned line; /* 0 = no warning */
	const char *warning;
} share_cases[] = {
	/* sections of one name */
	{ "[job]\n[job]\n", 2,
	  "2 jobs use the same file 'job.0.0': without a filename it is named after the section, "
	  "as at line 1" },
	{ "[job]\n[x]\n[job]\nstonewall\n[job]\n", 3,
	  "3 jobs use the same file 'job.0.0': without a filename it is named after the section, "
	  "as at line 1" },
	{ "[global]\ndirectory=/d\n[a]\n[a]\nrw=write\n", 4,
	  "2 jobs use the same file '/d/a.0.0': without a filename it is named after the section, "
	  "as at line 3" },
	{ "[job]\nfilename=/dev/a\n[job]\nfilename=/dev/b\n", 0, NULL },
	{ "[job]\ndirectory=/a\n[job]\ndirectory=/b\n", 0, NULL },
	{ "[job]\n[job]\nfilename=job.0.0\n", 0, NULL },
	{ "[a]\nrw=write\n[b]\nrw=write\n", 0, NULL },

	/* several writers */
	{ "[j]\nfilename=x\nrw=write\nnumjobs=24\n", 1, "24 clones write to 'x' at the same time" },
	{ "[j]\nfilename=x\nrw=randrw\n[k]\nfilename=y:x\nrw=trim\n", 4,
	  "2 clones write to 'x' at the same time" },
	{ "[j]\nfilename=x\nrw=read\nnumjobs=24\n", 0, NULL },
	{ "[j]\nfilename=x\nrw=write\n[k]\nfilename=x\n", 0, NULL },
	{ "[j]\nfilename=x\nrw=write\n[k]\nstonewall\nfilename=x\nrw=write\n", 0, NULL },
	{ "[j]\nfilename=x\nrw=write\nnumjobs=4\noffset_increment=1m\n", 0, NULL },
	{ "[j]\nrw=write\nnumjobs=24\n", 0, NULL },
	{ "[j]\nrw=write\nnumjobs=2\nfilename_format=$jobname\n", 1,
	  "2 clones write to 'j' at the same time" },
	{ "[a]\nfilename_format=f$jobnum\n[b]\nfilename_format=f$jobnum\nrw=write\n", 3,
	  "2 jobs use the same file 'f0': without a filename it is named after the section, as at "
	  "line 1" },
};

static void test_shared_files(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(share_cases) / sizeof(share_cases[0]); i++) {
		const struct share_case *row = &share_cases[i];
		struct job_set set = parse_good(row->text);

		if (row->line)
			assert_one_warning(&set, row->line, row->warning);
		else if (set.nr_warnings > 0)
			fail_msg("%s: %s", row->text, set.warnings[0].text);
		job_set_release(&set);
	}
}

/* A file that a program wrote: no step may take time by the square of the sections. */
static void test_many_sections(void **state)
{
	CLEANUP(strbuf) struct strbuf text = STRBUF_INIT;
	struct job_set set;

	(void)state;
	strbuf_add_str(&text, "[global]\nioengine=null\nsize=1MiB\nruntime=1min\n");
	for (int i = 0; i < 10000; i++)
		strbuf_printf(&text, "[job%d]\nrw=randwrite\nfilename=/dev/same\nbs=%dk\n", i,
			      i % 64 + 1);
	set = parse_good(text.buf);
	assert_int_equal(set.nr, 10000);
	assert_int_equal(set.nr_clones, 10000);
	assert_int_equal(set.jobs[9999].first_clone, 9999);
	assert_int_equal(set.jobs[9999].bs_min_bytes[IO_READ], (9999 % 64 + 1) * 1024);
	assert_int_equal(set.nr_warnings, 3);
	job_set_release(&set);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_groups),
		cmocka_unit_test(test_number_of_clones),
		cmocka_unit_test(test_depths),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_section_named_like_a_device),
		cmocka_unit_test(test_contradictions),
		cmocka_unit_test(test_no_contradictions),
		cmocka_unit_test(test_shared_files),
		cmocka_unit_test(test_many_sections),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
