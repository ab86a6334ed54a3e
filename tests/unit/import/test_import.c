/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The frame of import: failures, labels, sources, results without numbers. */
#include "collect.h"
#include "damage.h"

/* A whole run, small. */
#define RUN(name, iops)                                                                            \
	name ": (g=0): rw=read, bs=(R) 4096B-4096B, (W) 4096B-4096B, (T) 4096B-4096B, "            \
	     "ioengine=psync, iodepth=1\n"                                                         \
	     "fio-3.33\n"                                                                          \
	     "Starting 1 process\n"                                                                \
	     "\n" name ": (groupid=0, jobs=1): err= 0: pid=100: Mon Nov 30 13:44:37 2026\n"        \
	     "  read: IOPS=" iops ", BW=12.5MiB/s (13.1MB/s)(12.5MiB/1000msec)\n"                  \
	     "     issued rwts: total=3200,0,0,0 short=0,0,0,0 dropped=0,0,0,0\n"                  \
	     "\n"                                                                                  \
	     "Run status group 0 (all jobs):\n"                                                    \
	     "   READ: bw=12.5MiB/s (13.1MB/s), 12.5MiB/s-12.5MiB/s (13.1MB/s-13.1MB/s), "         \
	     "io=12.5MiB (13.1MB), run=1000-1000msec\n"

#define HEAD_ONLY                                                                                  \
	"cut: (g=0): rw=read, bs=(R) 4096B-4096B, (W) 4096B-4096B, (T) 4096B-4096B, "              \
	"ioengine=psync, iodepth=1\n"                                                              \
	"fio-3.33\n"                                                                               \
	"Starting 1 process\n"

static void assert_refused(const char *text, size_t len, const char *message)
{
	CLEANUP(collect) struct collect got = collect_text("mail.txt", text, len);

	assert_int_equal(got.ret, -ERR_INPUT);
	assert_string_equal(got.err.msg, message);
	assert_null(strchr(got.err.msg, '\n'));
	assert_int_equal(got.results.nr, 0);
}

static void test_nothing_to_import(void **state)
{
	CLEANUP(free) char *long_line = xmalloc(10U << 20);
	static const char binary[] = "\x7f"
				     "ELF\x02\x01\x01\0\0\0\0";

	(void)state;
	memset(long_line, 'x', 10U << 20);
	assert_refused("", 0, "mail.txt:1: nothing in it");
	assert_refused("hello\n", 6,
		       "mail.txt:1: no result of a known program in 1 line; "
		       "plain numbers are read as columns 'base,new' with a line for each run "
		       "(regio import --from=help)");
	assert_refused("a\n\nb", 4,
		       "mail.txt:1: no result of a known program in 3 lines; "
		       "plain numbers are read as columns 'base,new' with a line for each run "
		       "(regio import --from=help)");
	assert_refused(binary, sizeof(binary), "mail.txt:1: binary data where text is expected");
	assert_refused("text\nmore\0\n", 11, "mail.txt:2: binary data where text is expected");
	assert_refused(long_line, 10U << 20,
		       "mail.txt:1: no result of a known program in 1 line; "
		       "plain numbers are read as columns 'base,new' with a line for each run "
		       "(regio import --from=help)");
	assert_refused("\n\n" HEAD_ONLY, strlen(HEAD_ONLY) + 2,
		       "mail.txt:3: output of fio without a result: the lines of the jobs are "
		       "missing");
}

static void test_binary_noise(void **state)
{
	CLEANUP(free) char *noise = xmalloc(1U << 20);
	unsigned seed = 1;

	(void)state;
	for (size_t i = 0; i < 1U << 20; i++) {
		seed = seed * 1664525U + 1013904223U;
		noise[i] = (char)(1 + (seed >> 16) % 255);
	}
	CLEANUP(collect) struct collect got = collect_text("noise", noise, 1U << 20);

	assert_int_equal(got.ret, -ERR_INPUT);
	assert_non_null(strstr(got.err.msg, "noise:1: "));
}

static void test_file_that_is_not_there(void **state)
{
	CLEANUP(collect) struct collect missing = collect_file("/nonexistent/mail.txt");
	CLEANUP(collect) struct collect folder = collect_file("/");

	(void)state;
	assert_int_equal(missing.ret, -ERR_SYSTEM);
	assert_string_equal(missing.err.msg,
			    "open /nonexistent/mail.txt: No such file or directory");
	assert_int_equal(folder.ret, -ERR_INPUT);
	assert_string_equal(folder.err.msg, "/: is a directory");
}

static void test_format_by_name(void **state)
{
	struct collect collect = { .ret = 0 };
	const struct import_sink sink = { .deliver = collect_deliver, .context = &collect };
	struct import_options options = { .format = "fio-txt" };
	struct err err = { .code = (enum err_code)0 };

	(void)state;
	assert_int_equal(
		import_text("a", RUN("a", "1"), strlen(RUN("a", "1")), &options, &sink, &err),
		-ERR_USAGE);
	assert_string_equal(err.msg, "unknown format 'fio-txt', did you mean 'fio-text'?");
	options.format = "fio-text";
	options.label = "mine";
	assert_int_equal(
		import_text("a", RUN("a", "1"), strlen(RUN("a", "1")), &options, &sink, &err), 0);
	assert_string_equal(collect.results.items[0].label, "mine");
	assert_non_null(import_format_name(0));
	assert_non_null(import_format_summary(0));
	assert_null(import_format_name(1000));
	collect_release(&collect);
}

static int refuse_second(void *context, struct result *result, struct err *err)
{
	unsigned *nr = context;

	(void)result;
	return ++*nr == 2 ? err_set(err, ERR_UNSAFE, "enough") : 0;
}

static void test_sink_ends_the_import(void **state)
{
	static const char text[] = RUN("a", "1") RUN("b", "2") RUN("c", "3");
	unsigned nr = 0;
	const struct import_sink sink = { .deliver = refuse_second, .context = &nr };
	struct err err = { .code = (enum err_code)0 };

	(void)state;
	assert_int_equal(import_text("a", text, strlen(text), NULL, &sink, &err), -ERR_UNSAFE);
	assert_string_equal(err.msg, "enough");
	assert_int_equal(nr, 2);
}

static void test_source(void **state)
{
	CLEANUP(collect)
	struct collect got = collect_good("prose\n\n" RUN("a", "10") "\n\nmore\n\n" RUN("b", "20"));
	const struct result *results = got.results.items;

	(void)state;
	assert_int_equal(got.results.nr, 2);
	assert_string_equal(results[0].source_file, "mail.txt");
	assert_int_equal(results[0].source_line, 3);
	assert_int_equal(results[1].source_line, 17);
	assert_int_equal(given_find(&results[0].given, "read.iops")->line, 8);
	assert_int_equal(given_find(&results[1].given, "read.iops")->line, 22);
	assert_given(&results[1].given, "read.iops", 20);
	assert_given(&results[1].given, "total.iops", 20);
}

/* ---- labels ---- */

static void assert_labels(const char *text, const char *first, const char *second)
{
	CLEANUP(collect) struct collect got = collect_good(text);

	assert_int_equal(got.results.nr, second ? 2 : 1);
	assert_string_equal(got.results.items[0].label, first);
	if (second)
		assert_string_equal(got.results.items[1].label, second);
}

static void test_labels(void **state)
{
	(void)state;
	assert_labels(RUN("a", "1"), "mail.txt", NULL);
	assert_labels("without the patch:\n" RUN("a", "1") "\nwith the patch:\n" RUN("a", "2"),
		      "without the patch", "with the patch");
	assert_labels("Hi, old kernel:\n" RUN("a", "1") "\nHello all, new one:\n" RUN("a", "2"),
		      "old kernel", "new one");
	assert_labels("> 6.8-rc7: two paths\n> ------\n>\n" RUN("a", "1"), "6.8-rc7: two paths",
		      NULL);
	assert_labels("### Kernel 6.1 ###\n```\n" RUN("a", "1") "```\n", "Kernel 6.1", NULL);
	assert_labels("Testing sda\n# fio --name=a --rw=read \\\n  --size=1g\n" RUN("a", "1"),
		      "Testing sda", NULL);
	assert_labels("== old ==\n" RUN("a", "1") "== new ==\n" RUN("a", "2"), "old", "new");
}

/* Repeats below one heading are one sample. */
static void test_label_of_repeats(void **state)
{
	(void)state;
	assert_labels("base:\n" RUN("a", "1") RUN("a", "2"), "base", "base");
	assert_labels(RUN("a", "1") RUN("a", "2"), "mail.txt", "mail.txt");
}

/* Attachments are not repeats. */
/* Somebody else's output, with nothing above it; a heading is of one of them. */
static void test_label_of_quoted(void **state)
{
	(void)state;
	assert_labels("> " RUN("a", "1") "\n" RUN("a", "2"), "mail.txt", "mail.txt (unquoted)");
	assert_labels("with the patch:\n" RUN("a", "1") "\n> > " RUN("a", "2"), "with the patch",
		      "mail.txt (quoted)");
}

static void test_label_of_parts(void **state)
{
	(void)state;
	assert_labels("-------------- next part --------------\n" RUN(
			      "a", "1") "-------------- next part --------------\n" RUN("a", "2"),
		      "mail.txt part 2", "mail.txt part 3");
	assert_labels(
		"base:\n" RUN("a", "1") "-------------- next part --------------\n" RUN("a", "2"),
		"base", "mail.txt part 2");
}

static void test_prose_is_no_label(void **state)
{
	(void)state;
	assert_labels(
		"Hello all,\n\nwe have seen that this kernel is slower than the one before,\n"
		"by a good deal, and would like to know why that may be the case here.\n\n"
		"Here is what the benchmark says on our machine, which has two disks.\n\n" RUN("a",
											       "1"),
		"mail.txt", NULL);
}

/* ---- results without numbers ---- */

static void test_empty_result_beside_others(void **state)
{
	CLEANUP(collect)
	struct collect got =
		collect_good(HEAD_ONLY "\nsecond try:\n" RUN("a", "10") "\nthird try:\n" HEAD_ONLY);

	(void)state;
	assert_int_equal(got.results.nr, 3);
	assert_int_equal(got.results.items[0].given.nr, 0);
	assert_true(has_note(&got.results.items[0], NOTE_INPUT_INCOMPLETE, "job 'cut'"));
	assert_string_equal(got.results.items[1].label, "second try");
	assert_string_equal(got.results.items[2].label, "third try");
	assert_int_equal(got.results.items[2].given.nr, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nothing_to_import),
		cmocka_unit_test(test_binary_noise),
		cmocka_unit_test(test_file_that_is_not_there),
		cmocka_unit_test(test_format_by_name),
		cmocka_unit_test(test_sink_ends_the_import),
		cmocka_unit_test(test_source),
		cmocka_unit_test(test_labels),
		cmocka_unit_test(test_label_of_repeats),
		cmocka_unit_test(test_label_of_quoted),
		cmocka_unit_test(test_label_of_parts),
		cmocka_unit_test(test_prose_is_no_label),
		cmocka_unit_test(test_empty_result_beside_others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
