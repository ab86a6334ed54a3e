/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Small job files that the installed fio and regio must both accept or both refuse. Where regio
 * differs on purpose the row says why; a row whose difference has gone fails, too.
 */
#include "job/job_parse.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/child.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "job_test.h"
#include "test.h"

struct verdict_case {
	const char *text;   /* of the file; an option alone is put into a job of the null engine */
	const char *reason; /* why the verdicts differ; NULL: they must agree */
};

static const char junk[] = "fio ignores what it cannot read of a value";
static const char scalar[] = "fio takes the last of several values of an option that has one";
static const char negative[] = "fio lets negative numbers wrap around";
static const char zero[] = "fio runs no or any number of jobs, files or I/Os when told 0";
static const char blanks[] = "fio takes the blank after '=' for a part of the value";
static const char later[] = "fio notices when it runs the job, not with --parse-only";
static const char unnamed[] = "fio accepts a job without a name";
static const char mark[] = "fio takes a byte order mark for text";
static const char included[] = "fio reports the failed include and runs the job without it";
static const char no_job[] = "fio has nothing to do and is content";

static const struct verdict_case cases[] = {
	/* values */
	{ "bs=4k", NULL },
	{ "bs=4k,8k,16k", NULL },
	{ "bs=4k,8k,", NULL },
	{ "bs=,8k", NULL },
	{ "bs=0", NULL },
	{ "bs=4k:8k", "fio also cuts lists of directions at ':'" },
	{ "bs=4k-8k", "fio also cuts lists of directions at '-'" },
	{ "bs=4k,8k,16k,32k", "fio drops the fourth of three directions" },
	{ "bs=x", NULL },
	{ "bs=(4k)", "only some builds of fio compute values" },
	{ "bs=1e3", junk },
	{ "bs=4 k", junk },
	{ "bs=4kk", junk },
	{ "bs=0x1000", NULL },
	{ "bs=0x1k", junk },
	{ "bsrange=4k-8k", NULL },
	{ "bsrange=8k:4k", NULL },
	{ "bsrange=4k-8k,16k-32k", NULL },
	{ "bsrange=4k", NULL },
	{ "iodepth=0", NULL },
	{ "iodepth=1k", NULL },
	{ "iodepth=2,3", scalar },
	{ "iodepth=-1", negative },
	{ "numjobs=1", NULL },
	{ "numjobs=0", zero },
	{ "loops=0", zero },
	{ "nrfiles=0", zero },
	{ "thinktime_blocks=0", zero },
	{ "rwmixread=100", NULL },
	{ "rwmixread=101", NULL },
	{ "rwmixread=-1", negative },
	{ "rw=randrw", NULL },
	{ "rw=readwrite", NULL },
	{ "rw=randtrimwrite", NULL },
	{ "rw=foo", NULL },
	{ "rw=READ", NULL },
	{ "rw=read:4k", NULL },
	{ "rw=read:-4k", NULL },
	{ "rw=randread:8", NULL },
	{ "rw=read:x", later },
	{ "rw=randread:x", junk },
	{ "rw=read,write", junk },
	{ "size=50%", NULL },
	{ "size=0", NULL },
	{ "size=1.5k", junk },
	{ "size=101%", "fio takes more than all of the file for all of it" },
	{ "size=", NULL },
	{ "size", NULL },
	{ "size=4k\nbs=8k", later },
	{ "io_size=512", NULL },
	{ "offset=50%", NULL },
	{ "offset=-1", negative },
	{ "offset_increment=1m", NULL },
	{ "runtime=10", NULL },
	{ "runtime=10s", NULL },
	{ "runtime=1sec", NULL },
	{ "runtime=1min", NULL },
	{ "runtime=abc", NULL },
	{ "runtime=", NULL },
	{ "runtime=1.5", junk },
	{ "runtime=-1", negative },
	{ "startdelay=5-10", NULL },
	{ "startdelay=5", NULL },
	{ "startdelay=5,10", "fio also cuts ranges of times at ','" },
	{ "thinktime=10ms", NULL },
	{ "thinktime=10xs", junk },
	{ "rate=1m,500k", NULL },
	{ "rate=,1m", NULL },
	{ "rate=1m,", NULL },
	{ "rate=1m\nrate_iops=100", later },
	{ "rate_iops=1k", NULL },
	{ "direct=1", NULL },
	{ "direct=0", NULL },
	{ "direct", NULL },
	{ "direct=", NULL },
	{ "direct=true", NULL },
	{ "direct=2", NULL },
	{ "direct=-1", negative },
	{ "buffered=0", NULL },
	{ "group_reporting", NULL },
	{ "group_reporting=0", NULL },
	{ "group_reporting=yes", NULL },
	{ "group_reporting=", NULL },
	{ "thread=2", "fio takes any number for 1" },
	{ "end_fsync", NULL },
	{ "exitall", NULL },
	{ "invalidate=0", NULL },
	{ "sync=dsync", NULL },
	{ "sync=2", NULL },
	{ "fallocate=none", NULL },
	{ "fallocate=0", NULL },
	{ "fallocate=bad", NULL },
	{ "kb_base=1000", NULL },
	{ "kb_base=512", NULL },
	{ "cpus_allowed=0", NULL },
	{ "cpus_allowed=a", junk },
	{ "cpus_allowed=0-", junk },
	{ "cpus_allowed=5000", later },
	{ "percentile_list=50:99.9", NULL },
	{ "percentile_list=99.9:50", NULL },
	{ "percentile_list=101", NULL },
	{ "percentile_list=a", NULL },
	{ "percentile_list=1:2:3:4:5:6:7:8:9:10:11:12:13:14:15:16:17:18:19:20:21",
	  "fio drops the percentiles after the twentieth" },
	{ "filename=a:b", NULL },
	{ "filename=a::b", NULL },
	{ "filename=", NULL },
	{ "filename=:", zero },
	{ "ioengine=", NULL },
	{ "name=other", NULL },
	{ "name=", NULL },
	{ "randseed=0x10", NULL },
	{ "randseed=-1", negative },
	{ "fixedbufs=1", NULL },
	{ "ioengine=io_uring\nfixedbufs=1", NULL },

	/* keys */
	{ "siz=1m", NULL },
	{ "=5", NULL },
	{ "BS=4k", NULL },
	{ "numjob=2", NULL },
	{ "threads=1", NULL },
	{ "dir=/x", NULL },
	{ "verifysort=1", NULL },
	{ "wait_for_previous", NULL },
	{ "nr_files=2", NULL },

	/* blanks, variables, keywords */
	{ "bs =4k", NULL },
	{ "bs = 4k", NULL },
	{ "rw = read", blanks },
	{ "numjobs = 2", NULL },
	{ "bs=${VERDICT_SET}", NULL },
	{ "bs=${VERDICT_UNSET}", NULL },
	{ "bs=$pagesize", NULL },
	{ "bs=2*$pagesize", NULL },
	{ "bs=2*$pagesizek", NULL },
	{ "$pagesize=3", NULL },

	/* files */
	{ "[a]\nioengine=null\nsize=1m\n[a]\nioengine=null\nsize=1m\n", NULL },
	{ "[global]\nioengine=null\nsize=1m\n[a]\n[global]\nbs=8k\n[b]\n", NULL },
	{ "; x\n# y\n[a]\nioengine=null # z\nsize=1m;\n", NULL },
	{ "[a]\r\nioengine=null\r\nsize=1m\r\n", NULL },
	{ "\xef\xbb\xbf[a]\nioengine=null\nsize=1m\n", mark },
	{ "[abc\nioengine=null\nsize=1m\n", NULL },
	{ "[abc] x\nioengine=null\nsize=1m\n", NULL },
	{ "[]\nioengine=null\nsize=1m\n", unnamed },
	{ "bs=4k\n[a]\nioengine=null\nsize=1m\n", NULL },
	{ "", no_job },
	{ "[global]\nbs=4k\n", no_job },
	{ "[a]\nioengine=null\nsize=1m\ninclude /nowhere/x.inc\n", included },
	{ "[a]\nioengine=null\nsize=1m\n[b]\nfoo=1\n", NULL },
};

#define NR_CASES (sizeof(cases) / sizeof(cases[0]))

static void write_case(const struct verdict_case *row, struct strbuf *text)
{
	const bool is_option = row->text[0] != '[' && !strchr(row->text, '[');

	if (is_option && *row->text)
		strbuf_printf(text, "[j]\nioengine=null\nsize=1m\n%s\n", row->text);
	else
		strbuf_add_str(text, row->text);
}

/* paths ends with NULL. */
static bool fio_accepts(const char *const *paths, struct arena *arena)
{
	CLEANUP(child_result) struct child_result result = CHILD_RESULT_INIT;
	const char **argv = arena_alloc_array(arena, NR_CASES + 3, sizeof(*argv));
	const struct child_spec spec = { .argv = argv };
	struct err err = { .code = 0 };
	size_t nr = 0;

	argv[nr++] = "fio";
	argv[nr++] = "--parse-only";
	for (; *paths; paths++)
		argv[nr++] = *paths;
	if (child_run(&spec, &result, &err) < 0)
		fail_msg("%s", err.msg);
	return result.exit_status == 0;
}

static bool regio_accepts(const char *path)
{
	const struct job_parse_config config = { .words = &path, .nr_words = 1 };
	struct job_set set;
	int ret = job_parse(&config, &set, NULL);

	if (ret == 0)
		job_set_release(&set);
	return ret == 0;
}

static void check_fio(const struct verdict_case *row, const char *path, bool is_accepted,
		      struct arena *arena)
{
	const char *const paths[] = { path, NULL };

	if (fio_accepts(paths, arena) == is_accepted)
		return;
	if (row->reason)
		fail_msg("'%s': no difference any more (%s)", row->text, row->reason);
	fail_msg("'%s': fio %s it, regio %s it", row->text, is_accepted ? "refuses" : "accepts",
		 is_accepted ? "accepts" : "refuses");
}

/* fio takes a while to accept a file, so those it should accept are given to it together. */
static void check_all(const char *folder, struct arena *arena)
{
	const char **accepted = arena_alloc_array(arena, NR_CASES + 1, sizeof(*accepted));
	const char *paths[NR_CASES];
	bool is_accepted[NR_CASES];
	bool is_all_right;
	size_t nr = 0;

	for (size_t i = 0; i < NR_CASES; i++) {
		CLEANUP(strbuf) struct strbuf text = STRBUF_INIT;

		paths[i] = arena_printf(arena, "%s/%zu.fio", folder, i);
		write_case(&cases[i], &text);
		assert_int_equal(
			file_write_atomic(paths[i], strbuf_str(&text), text.len, 0600, NULL), 0);
		is_accepted[i] = regio_accepts(paths[i]) != (cases[i].reason != NULL);
		if (is_accepted[i])
			accepted[nr++] = paths[i];
	}
	is_all_right = fio_accepts(accepted, arena);
	for (size_t i = 0; i < NR_CASES; i++) {
		if (!is_accepted[i] || !is_all_right)
			check_fio(&cases[i], paths[i], is_accepted[i], arena);
	}
	assert_true(is_all_right);
}

static bool is_fio_installed(void)
{
	CLEANUP(child_result) struct child_result result = CHILD_RESULT_INIT;
	static const char *const argv[] = { "fio", "--version", NULL };
	const struct child_spec spec = { .argv = argv };

	return child_run(&spec, &result, NULL) == 0;
}

static void test_verdicts(void **state)
{
	char folder[] = "/tmp/regio-test-verdict-XXXXXX";
	CLEANUP(arena) struct arena arena = ARENA_INIT;

	(void)state;
	if (!is_fio_installed())
		test_skip("fio is not installed");
	assert_non_null(mkdtemp(folder));
	assert_int_equal(setenv("VERDICT_SET", "8k", 1), 0);
	assert_int_equal(unsetenv("VERDICT_UNSET"), 0);
	check_all(folder, &arena);
	assert_int_equal(system(arena_printf(&arena, "rm -rf '%s'", folder)), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_verdicts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
