/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Job files of many projects, read in place ($REGIO_CORPUS, or ../shared/corpus beside the
 * source): each is accepted with the jobs it has, or refused with one message that says where
 * and why. The expected outcomes were derived by reading the files: the first line with an
 * option that has no row in keys_*.inc, or with a value that is none.
 */
#include "job/job_parse.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/err.h"
#include "model/job.h"
#include "test.h"

struct outcome {
	const char *file;
	size_t nr_jobs, nr_clones; /* 0: refused */
	enum err_code code;
	const char *message;
};

#define ACCEPTED(name, jobs, clones)                                                               \
	{                                                                                          \
		name, jobs, clones, (enum err_code)0, NULL                                         \
	}
#define UNSUPPORTED(name, line, option)                                                            \
	{                                                                                          \
		name, 0, 0, ERR_UNSUPPORTED,                                                       \
			name ":" line ": option '" option                                          \
			     "' is a fio option that regio does not support yet"                   \
	}
#define REFUSED(name, text)                                                                        \
	{                                                                                          \
		name, 0, 0, ERR_INPUT, text                                                        \
	}
#define UNSET(name, line, option, variable)                                                        \
	REFUSED(name,                                                                              \
		name ":" line ": " option ": the value is empty (environment variable '" variable  \
		     "' is not set)")

static const struct outcome outcomes[] = {
	REFUSED("cmdline-shell-arith.txt",
		"cmdline-shell-arith.txt:3: unknown option 'D:\\>c:\\fio\\fio\\fio --name'"),
	REFUSED("cmdline-singledash-reflow.txt",
		"cmdline-singledash-reflow.txt:1: 'passthru command line:' stands before the first "
		"[section]"),
	REFUSED("cmdline-win-caret.txt", "cmdline-win-caret.txt:1: 'fio.exe --name=randread ^' "
					 "stands before the first [section]"),
	ACCEPTED("commented-sections-mmap.fio", 1, 1),
	ACCEPTED("e1.fio", 2, 16),
	UNSUPPORTED("ex-cmdprio-bssplit.fio", "19", "cmdprio_bssplit"),
	ACCEPTED("ex-e4defrag2.fio", 7, 16),
	ACCEPTED("ex-exec.fio", 5, 27),
	ACCEPTED("ex-jesd219.fio", 1, 4),
	UNSUPPORTED("ex-libblkio-io_uring.fio", "14", "libblkio_driver"),
	ACCEPTED("ex-rand-zones.fio", 1, 1),
	ACCEPTED("ex-surface-scan.fio", 2, 2),
	ACCEPTED("ex-waitfor.fio", 4, 16),
	{ "ex-xnvme-zoned.fio", 0, 0, ERR_UNSUPPORTED,
	  "ex-xnvme-zoned.fio:59: zonemode: 'zbd' is a value of fio that regio does not support "
	  "yet" },
	ACCEPTED("frag-mixed-lifetimes.fio", 4, 35),
	UNSUPPORTED("ftl-verify-depth128.fio", "3", "spdk_json_conf"),
	ACCEPTED("g-global-after-jobs.fio", 5, 6),
	ACCEPTED("g-two-globals.fio", 4, 4),
	ACCEPTED("gcsfuse-multi.fio", 16, 640),
	REFUSED("incl-bench/global.fio",
		"incl-bench/global.fio:1: 'ioengine=libaio' stands before the first [section]"),
	ACCEPTED("incl-bench/mixed.fio", 1, 128),
	REFUSED("incl-mp/global_incl.fio",
		"incl-mp/global_incl.fio:1: 'bs=${BLOCK_SIZE}' stands before the first [section]"),
	REFUSED("incl-mp/sequential_write.fio", "incl-mp/global_incl.fio:1: bs: the value is empty "
						"(environment variable 'BLOCK_SIZE' is not set)"),
	REFUSED("iops-under-sla.fio",
		"iops-under-sla.fio:6: ramp_time: '{{ramptime}}' is not a time"),
	REFUSED("jinja-template.fio", "jinja-template.fio:4: direct: '{{direct}}' is not 0 or 1"),
	ACCEPTED("ketor.job", 4, 4),
	ACCEPTED("names-with-parens-poisson.fio", 8, 8),
	ACCEPTED("rampsize256-32jobs.fio", 4, 128),
	ACCEPTED("readme-name-in-global.fio", 1, 1),
	UNSUPPORTED("s3-http.fio", "12", "http_verbose"),
	UNSET("synth-dramwtrim.fio", "7", "runtime", "TIME"),
	UNSET("synth-stacking.fio", "10", "ramp_time", "RAMPTIME"),
	UNSET("synth-typeviii-messenger-movement-wtrim.fio", "7", "runtime", "TIME"),
	UNSET("synth-wildcard.fio", "11", "runtime", "TIME"),
	ACCEPTED("t-t0004-8a99fdf6.fio", 2, 2),
	ACCEPTED("t-t0012.fio", 3, 3),
	ACCEPTED("tabs-inline-comments.fio", 12, 48),
	ACCEPTED("wait-for-previous-many.fio", 38, 59),
	ACCEPTED("windows-unescaped-colon.fio", 2, 2),
	ACCEPTED("wpt-thinktime.fio", 2, 9),
	UNSET("zfs-mkfiles.fio", "26", "directory", "DIRECTORY"),
};

#define NR_OUTCOMES (sizeof(outcomes) / sizeof(outcomes[0]))

/* Enters the folder of the job files, so that messages name them as the table does. */
static int corpus_enter(void **state)
{
	CLEANUP(arena) struct arena arena = ARENA_INIT;
	const char *corpus = getenv("REGIO_CORPUS");
	const char *root = getenv("REGIO_SOURCE_ROOT");

	(void)state;
	if (!corpus)
		corpus = arena_printf(&arena, "%s/../shared/corpus", root ? root : ".");
	corpus = arena_printf(&arena, "%s/jobs", corpus);
	if (chdir(corpus) < 0)
		(void)printf("# no job files in %s\n", corpus);
	return 0;
}

static bool is_corpus_here(void)
{
	return access(outcomes[0].file, R_OK) == 0;
}

static void variables_clear(void)
{
	static const char *const names[] = { "TIME", "RAMPTIME", "BLOCK_SIZE", "DIRECTORY" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		assert_int_equal(unsetenv(names[i]), 0);
}

static void check_outcome(const struct outcome *expected)
{
	const struct job_parse_config config = { .words = &expected->file, .nr_words = 1 };
	struct job_set set = { .nr = 0 };
	struct err err = { .code = 0 };
	int ret = job_parse(&config, &set, &err);

	if (ret < 0 && !expected->message)
		fail_msg("%s is refused: %s", expected->file, err.msg);
	if (ret == 0 && expected->message)
		fail_msg("%s is accepted", expected->file);
	if (ret < 0) {
		assert_string_equal(err.msg, expected->message);
		assert_int_equal(ret, -(int)expected->code);
		assert_null(strchr(err.msg, '\n'));
		return;
	}
	assert_int_equal(set.nr, expected->nr_jobs);
	assert_int_equal(set.nr_clones, expected->nr_clones);
	job_set_release(&set);
}

static void test_job_files(void **state)
{
	(void)state;
	if (!is_corpus_here())
		test_skip("no corpus: set REGIO_CORPUS");
	variables_clear();
	for (size_t i = 0; i < NR_OUTCOMES; i++)
		check_outcome(&outcomes[i]);
}

static bool is_expected(const char *path)
{
	for (size_t i = 0; i < NR_OUTCOMES; i++) {
		if (!strcmp(outcomes[i].file, path))
			return true;
	}
	return false;
}

static void check_folder(const char *folder, struct arena *arena)
{
	DIR *dir = opendir(folder);
	const struct dirent *entry;

	assert_non_null(dir);
	while ((entry = readdir(dir))) {
		const char *path = entry->d_name;
		struct stat status;

		if (path[0] == '.')
			continue;
		if (strcmp(folder, ".") != 0)
			path = arena_printf(arena, "%s/%s", folder, path);
		assert_int_equal(stat(path, &status), 0);
		if (S_ISDIR(status.st_mode))
			check_folder(path, arena);
		else if (!is_expected(path))
			fail_msg("%s has no row in this test", path);
	}
	(void)closedir(dir);
}

static void test_every_file_has_a_row(void **state)
{
	CLEANUP(arena) struct arena arena = ARENA_INIT;

	(void)state;
	if (!is_corpus_here())
		test_skip("no corpus: set REGIO_CORPUS");
	check_folder(".", &arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_job_files),
		cmocka_unit_test(test_every_file_has_a_row),
	};

	return cmocka_run_group_tests(tests, corpus_enter, NULL);
}
