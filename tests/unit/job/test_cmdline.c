/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmdline: fio's command-line form, alone and with job files, and who wins. */
#include "job/parser.h"

#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "job_test.h"
#include "test.h"

#define MAX_WORDS 16

/* Cuts at blanks. */
static size_t split_words(char *text, const char **words)
{
	size_t nr = 0;

	for (char *word; (word = strsep(&text, " "));) {
		assert_true(nr < MAX_WORDS);
		if (*word)
			words[nr++] = word;
	}
	return nr;
}

static int parse_words(const char *line, const char *job_file, bool command_line_wins,
		       struct job_set *ret_set, struct err *err)
{
	struct job_parse_text text = { .name = "t.fio", .data = job_file };
	struct job_parse_config config = { .command_line_wins = command_line_wins };
	const char *words[MAX_WORDS];
	char buf[512];

	(void)snprintf(buf, sizeof(buf), "%s", line);
	config.words = words;
	config.nr_words = split_words(buf, words);
	if (job_file) {
		text.len = strlen(job_file);
		config.texts = &text;
		config.nr_texts = 1;
	}
	*ret_set = (struct job_set){ .nr = 0 };
	return job_parse(&config, ret_set, err);
}

/* "name:bs:rw:size" of all jobs. */
static const char *describe(const struct job_set *set, struct arena *arena)
{
	const char *text = "";

	for (size_t i = 0; i < set->nr; i++) {
		const struct job *job = &set->jobs[i];

		text = arena_printf(arena, "%s%s%s:%llu:%s:%llu", text, i ? " " : "", job->name,
				    (unsigned long long)job->bs_min_bytes[IO_READ],
				    rw_name(job->rw), (unsigned long long)job->size.bytes);
	}
	return text;
}

static const struct words_case {
	const char *line, *expected;
} words_cases[] = {
	{ "--name=x", "x:4096:read:0" },
	{ "--name x --rw write", "x:4096:write:0" },
	{ "-name=x -rw=randread -bs 8k", "x:8192:randread:0" },
	{ "-name x -bs=8k --readwrite=write", "x:8192:write:0" },
	{ "--name=x --blocksize=8k --fileoffset=4k", "x:8192:read:0" },

	{ "--name=x --siz=4k", "x:4096:read:4096" },

	/* options before the first --name, and after --name=global, are defaults */
	{ "--bs=8k --name=a --name=b --bs=1k", "a:8192:read:0 b:1024:read:0" },
	{ "--name=a --bs=1k --name=global --bs=8k --name=b", "a:1024:read:0 b:8192:read:0" },
	{ "--name=a --rw=write --name=b", "a:4096:write:0 b:4096:read:0" },
	{ "--name=a --name=a", "a:4096:read:0 a:4096:read:0" },

	/* flags take no word, other options do; a value may look like a file */
	{ "--name=x --thread --group_reporting --bs 8k", "x:8192:read:0" },
	{ "--name=x --thread=0 --direct 1", "x:4096:read:0" },
	{ "--name=x -- --bs=8k", "x:8192:read:0" },

	/* kb_base holds for what comes after it and for what comes before it */
	{ "--name=x --kb_base=1000 --size=1m", "x:4096:read:1000000" },

	/* no variables, no comments: the shell has done that */
	{ "--name=x;y#z", "x;y#z:4096:read:0" },
	{ "--name=x=y", "x=y:4096:read:0" },
};

static void test_words(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(words_cases) / sizeof(words_cases[0]); i++) {
		const struct words_case *row = &words_cases[i];
		CLEANUP(arena) struct arena arena = ARENA_INIT;
		struct err err = { .code = 0 };
		struct job_set set;

		if (parse_words(row->line, NULL, true, &set, &err) < 0)
			fail_msg("%s: %s", row->line, err.msg);
		assert_string_equal(describe(&set, &arena), row->expected);
		assert_string_equal(set.jobs[0].source, "command line");
		assert_int_equal(set.jobs[0].line, 0);
		job_set_release(&set);
	}
}

static void test_prefixes(void **state)
{
	struct job_set set;

	(void)state;
	assert_int_equal(parse_words("--name=x --group_report --numj=4 --blocksiz=8k", NULL, true,
				     &set, NULL),
			 -ERR_USAGE); /* blocksize, blocksize_range, blocksize_unaligned */
	assert_int_equal(parse_words("--name=x --group_report --numj=4", NULL, true, &set, NULL),
			 0);
	assert_true(set.jobs[0].group_reporting);
	assert_int_equal(set.jobs[0].nr_clones, 4);
	assert_string_equal(set.jobs[0].options.items[0].key, "name");
	assert_string_equal(set.jobs[0].options.items[1].key, "group_reporting");
	job_set_release(&set);
}

static const struct refusal {
	const char *line;
	enum err_code code;
	const char *message;
} refusals[] = {
	{ "", ERR_USAGE, "no job: give a job file or --name=NAME with options" },
	{ "--bs=4k", ERR_USAGE, "no job: give a job file or --name=NAME with options" },
	{ "--name=global --bs=4k", ERR_USAGE,
	  "no job: give a job file or --name=NAME with options" },
	{ "--name", ERR_USAGE, "command line: '--name' needs a value" },
	{ "--name=", ERR_USAGE, "command line: name: the value is empty" },
	{ "--name=x --bs", ERR_USAGE, "command line: '--bs' needs a value" },
	{ "--name=x --bs --rw=read", ERR_USAGE, "command line: '--bs' needs a value" },
	{ "--name=x --filename -rw=read", ERR_USAGE, "command line: '--filename' needs a value" },
	{ "--name=x --foo=1", ERR_USAGE, "command line: unknown option 'foo'" },
	{ "--name=x --blocsize=1", ERR_USAGE,
	  "command line: unknown option 'blocsize'; did you mean 'blocksize'?" },
	{ "--name=x --rw=read --loo=4k --i=4k", ERR_USAGE,
	  "command line: '--i' is short for: ignore_error, ignore_zone_limits, inplace, interface, "
	  "invalidate, io_limit, io_size, io_submit_mode, .." },
	{ "--name=x -iodepth_b=4k", ERR_USAGE,
	  "command line: '-iodepth_b' is short for: iodepth_batch, iodepth_batch_complete, "
	  "iodepth_batch_complete_max, iodepth_batch_complete_min, iodepth_batch_submit" },
	{ "--name=x --bs=4kk", ERR_USAGE, "command line: bs: '4kk' is not a size" },
	{ "--name=x --verify_policy=data", ERR_UNSUPPORTED,
	  "command line: option 'verify_policy' is a fio option that regio does not support yet" },
	{ "--name=x --bs=(4x)", ERR_USAGE, "command line: bs: '(4x)' cannot be computed" },
	{ "--name=x --size=1k", ERR_USAGE,
	  "command line: size: 1024 is less than the block size of 4096" },
	{ "--name=x /nowhere/job.fio", ERR_SYSTEM,
	  "open /nowhere/job.fio: No such file or directory" },
	{ "name=x", ERR_SYSTEM,
	  "open name=x: No such file or directory (did you mean '--name=x'?)" },
	{ "foo=x", ERR_SYSTEM, "open foo=x: No such file or directory" },
};

static void test_refusals(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
		const struct refusal *row = &refusals[i];
		struct err err = { .code = 0 };
		struct job_set set;
		int ret = parse_words(row->line, NULL, true, &set, &err);

		if (ret == 0)
			fail_msg("accepted: %s", row->line);
		assert_string_equal(err.msg, row->message);
		assert_int_equal(ret, -(int)row->code);
	}
}

static const char file[] = "[global]\nbs=8k\n[a]\nrw=write\n[b]\nsize=1m\n";

static const struct precedence_case {
	const char *line;
	bool command_line_wins;
	const char *expected;
} precedence_cases[] = {
	{ "", true, "a:8192:write:0 b:8192:read:1048576" },
	{ "--size=64k", true, "a:8192:write:65536 b:8192:read:65536" },
	{ "--size=64k", false, "a:8192:write:65536 b:8192:read:1048576" },
	{ "--bs=1k --rw=trim", true, "a:1024:trim:0 b:1024:trim:1048576" },
	{ "--bs=1k --rw=trim", false, "a:8192:write:0 b:8192:trim:1048576" },

	/* --name jobs come first and have no file to win over */
	{ "--bs=1k --name=x --bs=2k", true, "x:2048:read:0 a:1024:write:0 b:1024:read:1048576" },
	{ "--bs=1k --name=x --bs=2k", false, "x:2048:read:0 a:8192:write:0 b:8192:read:1048576" },
	{ "--bs=1k --name=x", true, "x:1024:read:0 a:1024:write:0 b:1024:read:1048576" },

	/* sizes of the file are read by the kb_base that wins */
	{ "--kb_base=1000", true, "a:8000:write:0 b:8000:read:1000000" },
	{ "--kb_base=1000", false, "a:8000:write:0 b:8000:read:1000000" },
};

static void test_precedence(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(precedence_cases) / sizeof(precedence_cases[0]); i++) {
		const struct precedence_case *row = &precedence_cases[i];
		CLEANUP(arena) struct arena arena = ARENA_INIT;
		struct err err = { .code = 0 };
		struct job_set set;

		if (parse_words(row->line, file, row->command_line_wins, &set, &err) < 0)
			fail_msg("%s: %s", row->line, err.msg);
		assert_string_equal(describe(&set, &arena), row->expected);
		job_set_release(&set);
	}
}

/* Command-line defaults serve the first file only, as in fio; what wins serves all. */
static void test_several_files(void **state)
{
	const struct job_parse_text texts[] = { { "one.fio", "[a]", 3 }, { "two.fio", "[b]", 3 } };
	static const char *const words[] = { "--bs=1k" };
	struct job_parse_config config = {
		.texts = texts, .nr_texts = 2, .words = words, .nr_words = 1
	};
	CLEANUP(arena) struct arena arena = ARENA_INIT;
	struct job_set set;

	(void)state;
	assert_int_equal(job_parse(&config, &set, NULL), 0);
	assert_string_equal(describe(&set, &arena), "a:1024:read:0 b:4096:read:0");
	job_set_release(&set);
	config.command_line_wins = true;
	assert_int_equal(job_parse(&config, &set, NULL), 0);
	assert_string_equal(describe(&set, &arena), "a:1024:read:0 b:1024:read:0");
	job_set_release(&set);
}

static struct job_set parse_overrides(const char *text, const struct job_parse_override *overrides,
				      size_t nr)
{
	const struct job_parse_text job_file = { "t.fio", text, strlen(text) };
	static const char *const words[] = { "--bs=1k" };
	const struct job_parse_config config = {
		.texts = &job_file,
		.nr_texts = 1,
		.words = words,
		.nr_words = 1,
		.overrides = overrides,
		.nr_overrides = nr,
		.command_line_wins = true,
	};
	struct err err = { .code = 0 };
	struct job_set set;

	if (job_parse(&config, &set, &err) < 0)
		fail_msg("%s", err.msg);
	return set;
}

static void test_overrides_win_over_everything(void **state)
{
	static const struct job_parse_override overrides[] = {
		{ "blocksize", "2k", NULL },
		{ "size", "64MiB", NULL },
		{ "thread", "1", NULL },
	};
	CLEANUP(arena) struct arena arena = ARENA_INIT;
	struct job_set set =
		parse_overrides("[global]\nbs=8k\n[a]\nsize=1g\nbs=4k\n[b]\n", overrides, 3);

	(void)state;
	assert_string_equal(describe(&set, &arena), "a:2048:read:67108864 b:2048:read:67108864");
	assert_int_equal(set.jobs[0].options.nr, 3);
	assert_string_equal(set.jobs[0].options.items[0].key, "size");
	assert_string_equal(set.jobs[0].options.items[0].value, "64MiB");
	assert_string_equal(set.jobs[0].options.items[0].source, "setting");
	assert_int_equal(set.jobs[0].options.items[0].line, 0);
	assert_string_equal(job_option_find(&set.jobs[1], "bs")->value, "2k");
	assert_int_equal(set.nr_warnings, 2);
	assert_string_equal(set.warnings[0].text,
			    "the bs of the command line wins; fio takes that of the file");
	assert_string_equal(set.warnings[0].trap, "file-wins");
	assert_int_equal(set.warnings[0].line, 5);
	assert_int_equal(set.warnings[0].nr_more, 1);
	assert_string_equal(set.warnings[1].text,
			    "size: '64MiB' is 67108864 bytes here; fio takes it as 64000000");
	assert_string_equal(set.warnings[1].trap, "binary-unit");
	job_set_release(&set);
}

/* A device instead of the job's own files: the job's directory is none of its business. */
static void test_override_of_the_file(void **state)
{
	static const struct job_parse_override device[] = { { "filename", "/dev/loop0", NULL } };
	static const struct job_parse_override both[] = { { "filename", "/dev/loop0", NULL },
							  { "directory", "/x", NULL } };
	static const struct job_parse_override relative[] = { { "filename", "data", NULL } };
	static const char text[] = "[global]\ndirectory=/mnt/test\n[j]\nnrfiles=4\n";
	CLEANUP(arena) struct arena arena = ARENA_INIT;
	struct job_set set;
	size_t nr;

	(void)state;
	set = parse_overrides(text, device, 1);
	assert_string_equal(job_file_names(&set.jobs[0], 0, &arena, &nr)[0], "/dev/loop0");
	assert_int_equal(nr, 1);
	assert_int_equal(set.jobs[0].nr_files, 1);
	job_set_release(&set);
	set = parse_overrides(text, both, 2);
	assert_string_equal(job_file_names(&set.jobs[0], 0, &arena, &nr)[0], "/x//dev/loop0");
	job_set_release(&set);
	set = parse_overrides(text, relative, 1);
	assert_string_equal(job_file_names(&set.jobs[0], 0, &arena, &nr)[0], "/mnt/test/data");
	job_set_release(&set);
}

static void test_bad_overrides(void **state)
{
	static const struct override_refusal {
		struct job_parse_override override;
		int code;
		const char *message;
	} rows[] = {
		{ { "bs", "x", NULL }, ERR_USAGE, "setting: bs: 'x' is not a size" },
		{ { "bs", "", NULL }, ERR_USAGE, "setting: bs: the value is empty" },
		{ { "blocks", "1", NULL },
		  ERR_USAGE,
		  "setting: unknown option 'blocks'; did you mean 'blocksize'?" },
		{ { "verify_policy", "data", NULL },
		  ERR_UNSUPPORTED,
		  "setting: option 'verify_policy' is a fio option that regio does not support "
		  "yet" },
		{ { "size", "1k", NULL },
		  ERR_USAGE,
		  "setting: size: 1024 is less than the block size of 4096" },
		{ { "bs", "2m", NULL },
		  ERR_USAGE,
		  "setting: bs: 2097152 is more than the size of 1048576" },
		{ { "fixedbufs", "1", NULL },
		  ERR_USAGE,
		  "setting: fixedbufs: ioengine 'psync' has no such option (of: io_uring)" },
	};
	static const char text[] = "[a]\nsize=1m\n";
	const struct job_parse_text job_file = { "t.fio", text, strlen(text) };

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct job_parse_config config = {
			.texts = &job_file,
			.nr_texts = 1,
			.overrides = &rows[i].override,
			.nr_overrides = 1,
		};
		struct err err = { .code = 0 };
		struct job_set set;

		assert_int_equal(job_parse(&config, &set, &err), -rows[i].code);
		assert_string_equal(err.msg, rows[i].message);
	}
}

static void test_word_is_option(void **state)
{
	static const struct word_case {
		const char *word;
		int is_option, takes_next;
	} rows[] = {
		{ "--bs=4k", 1, 0 },
		{ "--bs", 1, 1 },
		{ "-bs", 1, 1 },
		{ "--blocksize", 1, 1 },
		{ "--numj", 1, 1 },
		{ "--thread", 1, 0 },
		{ "--thread=1", 1, 0 },
		{ "--direct", 1, 1 },
		{ "--group_report", 1, 0 },
		{ "--verify=md5", 1, 0 },
		{ "--verify", 1, 1 },
		{ "--name", 1, 1 },
		{ "--threads", 1, 1 },
		{ "--r", 0, 0 },
		{ "--foo", 0, 0 },
		{ "--output-format", 0, 0 },
		{ "--json", 0, 0 },
		{ "--set", 0, 0 },
		{ "job.fio", 0, 0 },
		{ "-", 0, 0 },
		{ "--", 0, 0 },
		{ "---bs", 0, 0 },
		{ "", 0, 0 },
		{ "bs=4k", 0, 0 },
		{ "--=4", 0, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		int takes_next = 0;

		if (job_word_is_option(rows[i].word, &takes_next) != rows[i].is_option)
			fail_msg("'%s'", rows[i].word);
		if (takes_next != rows[i].takes_next)
			fail_msg("'%s' takes the next word: %d", rows[i].word, takes_next);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_prefixes),
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_precedence),
		cmocka_unit_test(test_several_files),
		cmocka_unit_test(test_overrides_win_over_everything),
		cmocka_unit_test(test_override_of_the_file),
		cmocka_unit_test(test_bad_overrides),
		cmocka_unit_test(test_word_is_option),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
