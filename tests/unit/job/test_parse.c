/* SPDX-License-Identifier: GPL-2.0-or-later */
/* parse: sections, defaults, comments, blanks, variables and unknown options of job files. */
#include "job/parser.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "job_test.h"
#include "test.h"

/* "name(bs_of_reads,rw) .." of all jobs, for comparing. */
static const char *describe(const struct job_set *set, struct arena *arena)
{
	const char *text = "";

	for (size_t i = 0; i < set->nr; i++) {
		const struct job *job = &set->jobs[i];

		text = arena_printf(arena, "%s%s%s(%llu,%s)", text, i ? " " : "", job->section,
				    (unsigned long long)job->bs_min_bytes[IO_READ],
				    rw_name(job->rw));
	}
	return text;
}

static const struct good_case {
	const char *text, *expected;
} good_cases[] = {
	{ "[j]", "j(4096,read)" },
	{ "[j]\n", "j(4096,read)" },
	{ "[j]\nbs=8k", "j(8192,read)" },
	{ "[a]\n[b]\nbs=8k\n[c]", "a(4096,read) b(8192,read) c(4096,read)" },

	/* defaults: several [global], each for the sections after it */
	{ "[global]\nbs=8k\n[a]\n[b]\nrw=write", "a(8192,read) b(8192,write)" },
	{ "[a]\n[global]\nbs=8k\n[b]\n[global]\nrw=write\n[c]\n[global]\nbs=1k\n[d]",
	  "a(4096,read) b(8192,read) c(8192,write) d(1024,write)" },
	{ "[globalish]\nbs=8k\n[a]", "a(8192,read)" },
	{ "[Global]\nbs=8k\n[a]", "Global(8192,read) a(4096,read)" },
	{ "[global]\nbs=8k\n[a]\nbs=1k\n[b]", "a(1024,read) b(8192,read)" },

	/* names */
	{ "[ x y ]\n[a[1]]\n[randrw]", " x y (4096,read) a[1](4096,read) randrw(4096,read)" },
	{ "[job]\nbs=1k\n[job]\nbs=2k", "job(1024,read) job(2048,read)" },
	{ "[a=b]\n", "a=b(4096,read)" },
	{ "[job(r=1,w=0).1]", "job(r=1,w=0).1(4096,read)" },

	/* comments: ; and # anywhere */
	{ "; a\n# b\n   ; c\n[j]\n#bs=8k\n;[k]\n\t# x\n", "j(4096,read)" },
	{ "[j] ; a job\nbs=8k;size\nrw=write # not read\n", "j(8192,write)" },
	{ "[j]\nbs=8k\t\t; eight\n#stonewall", "j(8192,read)" },
	{ "[j]\nbs=8k#;16k", "j(8192,read)" },

	/* blanks, line ends, byte order mark */
	{ "\n\n  [j]  \n\n\tbs=8k  \n", "j(8192,read)" },
	{ "[j]\r\nbs=8k\r\nrw=write\r\n", "j(8192,write)" },
	{ "\xef\xbb\xbf[j]\nbs=8k", "j(8192,read)" },
	{ "\xef\xbb\xbf; x\r\n[j]\r\n", "j(4096,read)" },
	{ "[j]\nbs = 8k\nrw\t=\trandwrite", "j(8192,randwrite)" },
	{ "[j]\nbs =8k\nrw= write", "j(8192,write)" },

	/* the last assignment wins, also across names of one option */
	{ "[j]\nrw=read\nrw=write", "j(4096,write)" },
	{ "[j]\nbs=1k\nblocksize=2k", "j(2048,read)" },
	{ "[j]\nblocksize=2k\nbs=1k", "j(1024,read)" },
};

static void test_grammar(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(good_cases) / sizeof(good_cases[0]); i++) {
		CLEANUP(arena) struct arena arena = ARENA_INIT;
		struct job_set set = parse_good(good_cases[i].text);

		assert_string_equal(describe(&set, &arena), good_cases[i].expected);
		job_set_release(&set);
	}
}

static const struct bad_case {
	const char *text;
	enum err_code code;
	const char *message;
} bad_cases[] = {
	{ "", ERR_INPUT, "t.fio: no job section" },
	{ "\n; nothing\n", ERR_INPUT, "t.fio: no job section" },
	{ "[global]\nbs=4k\n", ERR_INPUT, "t.fio: no job section" },
	{ "bs=4k\n[j]\n", ERR_INPUT, "t.fio:1: 'bs=4k' stands before the first [section]" },
	{ "; x\n\nhello world\n", ERR_INPUT,
	  "t.fio:3: 'hello world' stands before the first [section]" },
	{ "include x.fio\n[j]\n", ERR_INPUT,
	  "t.fio:1: 'include x.fio' stands before the first [section]" },
	{ "[]\n", ERR_INPUT, "t.fio:1: the section has no name" },
	{ "[\n", ERR_INPUT, "t.fio:1: the section has no name" },
	{ "\xef\xbb\xbf\xef\xbb\xbf[j]\n", ERR_INPUT,
	  "t.fio:1: '\xef\xbb\xbf[j]' stands before the first [section]" },

	{ "[j]\nsiz=1m\n", ERR_INPUT, "t.fio:2: unknown option 'siz'; did you mean 'size'?" },
	{ "[j]\nqqqqqq=1\n", ERR_INPUT, "t.fio:2: unknown option 'qqqqqq'" },
	{ "[j]\n=5\n", ERR_INPUT, "t.fio:2: unknown option ''" },
	{ "[j]\nBS=4k\n", ERR_INPUT, "t.fio:2: unknown option 'BS'; did you mean 'bs'?" },
	{ "[j]\nio-depth=4\n", ERR_INPUT,
	  "t.fio:2: unknown option 'io-depth'; did you mean 'iodepth'?" },
	{ "[j]\nnumjob=4\n", ERR_INPUT, /* no abbreviations in files */
	  "t.fio:2: unknown option 'numjob'; did you mean 'numjobs'?" },
	{ "[global]\n\n[j]\n\n\ncgroup=a\n", ERR_UNSUPPORTED,
	  "t.fio:6: option 'cgroup' is a fio option that regio does not support yet" },
	{ "[global]\nread_iolog=x\n", ERR_UNSUPPORTED,
	  "t.fio:2: option 'read_iolog' is a fio option that regio does not support yet" },
	{ "[j]\ngtod_cpu=1\n", ERR_UNSUPPORTED,
	  "t.fio:2: option 'gtod_cpu' is a fio option that regio does not support yet" },
	/* the first line that is wrong counts */
	{ "[j]\nbs=x\nfoo=1\n", ERR_INPUT, "t.fio:2: bs: 'x' is not a size" },
	{ "[j]\nqqqqqq=1\nbs=x\n", ERR_INPUT, "t.fio:2: unknown option 'qqqqqq'" },
	{ "[j]\nbs=4k\n[k]\nbs=x\n", ERR_INPUT, "t.fio:4: bs: 'x' is not a size" },
};

static void test_refusals(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(bad_cases) / sizeof(bad_cases[0]); i++)
		assert_refused(bad_cases[i].text, bad_cases[i].code, bad_cases[i].message);
}

static const struct warning_case {
	const char *text;
	unsigned line;
	const char *warning;
} warning_cases[] = {
	{ "[j\nbs=8k\n", 1, "section '[j' has no ']' at the end" },
	{ "[j] x\nbs=8k\n", 1, "' x' after the name of the section is ignored" },
	{ "[j]\nthreads=1\n", 2,
	  "option 'threads' has no effect in a job; did you mean 'thread'?" },
	{ "[j]\ndir=/x\n", 2, "option 'dir' has no effect in a job; did you mean 'directory'?" },
	{ "[j]\nload=4\n", 2, "option 'load' has no effect in a job" },
	{ "[j]\nverifysort=1\n", 2, "option 'verifysort' has no effect in a job" },
	{ "[j]\nsize=1MiB\n", 2, "size: '1MiB' is 1048576 bytes here; fio takes it as 1000000" },
	{ "[j]\nbs=4k,1MiB\n", 2, "bs: '1MiB' is 1048576 bytes here; fio takes it as 1000000" },
	{ "[j]\nruntime=1min\n", 2, "runtime: '1min' is taken as written; fio reads it as 1 us" },
	{ "[j]\ntime_based\n", 2, "time_based is ignored without a runtime" },
	/* of [global] once, not for every job */
	{ "[global]\nruntime=1min\nthreads=1\n[a]\n[b]\n[c]\n", 0, NULL },
	{ "[global]\ntime_based\n[a]\n[b]\n[c]\n", 2, "time_based is ignored without a runtime" },
};

static void test_warnings(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(warning_cases) / sizeof(warning_cases[0]); i++) {
		const struct warning_case *row = &warning_cases[i];
		struct job_set set = parse_good(row->text);

		if (row->warning) {
			assert_one_warning(&set, row->line, row->warning);
			assert_string_equal(set.warnings[0].source, "t.fio");
		} else {
			assert_int_equal(set.nr_warnings, 2);
		}
		job_set_release(&set);
	}
}

static void test_a_header_without_bracket_names_the_job(void **state)
{
	struct job_set set = parse_good("[job\nsize=1m\n[k] x\n");

	(void)state;
	assert_string_equal(set.jobs[0].name, "job");
	assert_string_equal(set.jobs[1].name, "k");
	job_set_release(&set);
}

static void test_variables(void **state)
{
	struct job_set set;

	(void)state;
	assert_int_equal(setenv("PARSE_BS", "8k", 1), 0);
	assert_int_equal(setenv("PARSE_KEY", "iodepth", 1), 0);
	assert_int_equal(setenv("PARSE_BLANKS", "  16k ", 1), 0);
	assert_int_equal(unsetenv("PARSE_MISSING"), 0);
	set = parse_good("[${PARSE_BS}]\nbs=${PARSE_BS}\n${PARSE_KEY}=4\nsize=${PARSE_BLANKS}\n"
			 "filename=/dev/${PARSE_MISSING}sda\nbsrange=1k-$pagesize\n");
	assert_string_equal(set.jobs[0].section, "${PARSE_BS}");
	assert_int_equal(set.jobs[0].iodepth, 4);
	assert_int_equal(set.jobs[0].size.bytes, 16384);
	assert_string_equal(set.jobs[0].filename, "/dev/sda");
	assert_string_equal(job_option_find(&set.jobs[0], "bs")->value, "8k");
	job_set_release(&set);

	assert_refused("[j]\nbs=${PARSE_MISSING}\n", ERR_INPUT,
		       "t.fio:2: bs: the value is empty (environment variable 'PARSE_MISSING' is "
		       "not set)");
	assert_refused("[j]\nrate=${PARSE_MISSING}m\n", ERR_INPUT,
		       "t.fio:2: rate: 'm' is not a size (environment variable 'PARSE_MISSING' is "
		       "not set)");
}

/* Options are kept as given, under their canonical names, without the defaults. */
static void test_options_of_a_job(void **state)
{
	struct job_set set = parse_good("[global]\nbs=8k\nblocksize=16k\nrw=write\n"
					"[j]\nreadwrite = randread\nthread\nsize=1m\nrw=read\n"
					"threads=1\n[k]\n");
	const struct job_options *options = &set.jobs[0].options;

	(void)state;
	assert_int_equal(options->nr, 3);
	assert_string_equal(options->items[0].key, "rw");
	assert_string_equal(options->items[0].value, "read");
	assert_string_equal(options->items[0].source, "t.fio");
	assert_int_equal(options->items[0].line, 9);
	assert_string_equal(options->items[1].key, "thread");
	assert_string_equal(options->items[1].value, "");
	assert_int_equal(options->items[1].line, 7);
	assert_string_equal(options->items[2].key, "size");
	assert_int_equal(set.jobs[1].options.nr, 0);
	assert_int_equal(set.global_options.nr, 2);
	assert_string_equal(set.global_options.items[0].key, "bs");
	assert_string_equal(set.global_options.items[0].value, "16k");
	assert_int_equal(set.global_options.items[0].line, 3);
	assert_string_equal(set.jobs[0].source, "t.fio");
	assert_int_equal(set.jobs[0].line, 5);
	assert_int_equal(set.jobs[1].line, 11);
	job_set_release(&set);
}

static void test_kb_base_of_global_holds_in_sections(void **state)
{
	struct job_set set = parse_good("[a]\nbs=1k\n[global]\nkb_base=1000\n[b]\nbs=1k\n");

	(void)state;
	assert_int_equal(set.jobs[0].bs_min_bytes[IO_READ], 1024);
	assert_int_equal(set.jobs[1].bs_min_bytes[IO_READ], 1000);
	job_set_release(&set);
}

static int parse_sections(const char *text, const char *const *sections, size_t nr,
			  struct job_set *ret_set, struct err *err)
{
	const struct job_parse_text file = { .name = "t.fio", .data = text, .len = strlen(text) };
	const struct job_parse_config config = {
		.texts = &file, .nr_texts = 1, .sections = sections, .nr_sections = nr
	};

	return job_parse(&config, ret_set, err);
}

static void test_chosen_sections(void **state)
{
	static const char text[] = "[global]\nbs=8k\n[a]\n[b]\nno_such_option=1\ninclude nowhere\n"
				   "[a]\nrw=write\n[ab]\n";
	static const char *const chosen[] = { "a", "zz" };
	static const char *const missing[] = { "A", "b " };
	CLEANUP(arena) struct arena arena = ARENA_INIT;
	struct err err = { .code = 0 };
	struct job_set set;

	(void)state;
	assert_int_equal(parse_sections(text, chosen, 2, &set, &err), 0);
	assert_string_equal(describe(&set, &arena), "a(8192,read) a(8192,write)");
	job_set_release(&set);
	assert_int_equal(parse_sections(text, missing, 2, &set, &err), -ERR_USAGE);
	assert_string_equal(err.msg, "t.fio: no section is named 'A'");
}

/* Arguments point into nothing of the caller's once job_parse() has returned. */
static void test_the_set_owns_its_strings(void **state)
{
	char data[] = "[first]\nfilename=/dev/first\ndescription=one\n";
	char name[] = "t.fio";
	char key[] = "ioengine";
	char value[] = "null";
	const struct job_parse_text file = { .name = name, .data = data, .len = strlen(data) };
	const struct job_parse_override override = { .key = key, .value = value };
	const struct job_parse_config config = {
		.texts = &file, .nr_texts = 1, .overrides = &override, .nr_overrides = 1
	};
	struct job_set set;

	(void)state;
	assert_int_equal(job_parse(&config, &set, NULL), 0);
	memset(data, 'x', sizeof(data) - 1);
	memset(name, 'x', sizeof(name) - 1);
	memset(key, 'x', sizeof(key) - 1);
	memset(value, 'x', sizeof(value) - 1);
	assert_string_equal(set.jobs[0].name, "first");
	assert_string_equal(set.jobs[0].filename, "/dev/first");
	assert_string_equal(set.jobs[0].source, "t.fio");
	assert_string_equal(set.jobs[0].ioengine, "null");
	assert_string_equal(job_option_find(&set.jobs[0], "ioengine")->value, "null");
	job_set_release(&set);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_grammar),
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_warnings),
		cmocka_unit_test(test_a_header_without_bracket_names_the_job),
		cmocka_unit_test(test_variables),
		cmocka_unit_test(test_options_of_a_job),
		cmocka_unit_test(test_kb_base_of_global_holds_in_sections),
		cmocka_unit_test(test_chosen_sections),
		cmocka_unit_test(test_the_set_owns_its_strings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
