/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fio's normal output gives the same numbers whatever mailers, terminals and pages did to it. */
#include "collect.h"
#include "damage.h"

#define FOLDER "tests/data/import/fio-text/"

static const char *const fixtures[] = {
	"randread",	"fast",	       "randrw-fsync",	 "four-jobs", "two-groups",
	"two-sections", "percentiles", "randtrim",	 "mixed",     "both",
	"kb1000",	"fast-kb1000", "bits",		 "steady",    "no-space",
	"go-on",	"no-clock",    "no-percentiles", "described", "target",
	"verify",	"prio",	       "status",	 "client",    "interrupted",
};

#define NR_FIXTURES (sizeof(fixtures) / sizeof(fixtures[0]))

static char *fixture_text(size_t index)
{
	CLEANUP(free) char *path = xasprintf(FOLDER "%s.txt", fixtures[index]);

	return source_text(path);
}

static void assert_same_given(const struct given_list *got, const struct given_list *want,
			      const char *what)
{
	for (size_t i = 0; i < want->nr; i++) {
		const struct given_metric *metric = given_find(got, want->items[i].name);

		if (!metric) {
			fail_msg("%s: %s is missing", what, want->items[i].name);
			return;
		}
		if (metric->value != want->items[i].value)
			fail_msg("%s: %s is %.12g instead of %.12g", what, metric->name,
				 metric->value, want->items[i].value);
	}
	for (size_t i = 0; i < got->nr; i++) {
		if (!given_find(want, got->items[i].name))
			fail_msg("%s: %s is invented", what, got->items[i].name);
	}
}

static void assert_same_string(const char *got, const char *want, const char *what)
{
	if (!got != !want || (got && strcmp(got, want) != 0))
		fail_msg("%s: '%s' instead of '%s'", what, got ? got : "(none)",
			 want ? want : "(none)");
}

static void assert_same_job(const struct job_result *got, const struct job_result *want,
			    const char *what)
{
	if (strcmp(got->name, want->name) != 0)
		fail_msg("%s: job '%s' instead of '%s'", what, got->name, want->name);
	assert_int_equal(got->error, want->error);
	assert_int_equal(got->group_id, want->group_id);
	assert_int_equal(got->nr_clones, want->nr_clones);
	assert_int_equal(got->nr_errors, want->nr_errors);
	assert_int_equal(got->iodepth, want->iodepth);
	assert_memory_equal(got->bs_min_bytes, want->bs_min_bytes, sizeof(got->bs_min_bytes));
	assert_memory_equal(got->bs_max_bytes, want->bs_max_bytes, sizeof(got->bs_max_bytes));
	assert_same_string(got->rw, want->rw, what);
	assert_same_string(got->ioengine, want->ioengine, what);
	assert_same_given(&got->given, &want->given, what);
}

static void assert_same_result(const struct result *got, const struct result *want,
			       const char *what)
{
	assert_int_equal(got->interrupted, want->interrupted);
	assert_same_string(got->tool_version, want->tool_version, what);
	assert_int_equal(got->nr_jobs, want->nr_jobs);
	for (size_t i = 0; i < want->nr_jobs; i++)
		assert_same_job(&got->jobs[i], &want->jobs[i], what);
	assert_same_given(&got->given, &want->given, what);
	if (got->notes.nr != want->notes.nr)
		fail_msg("%s: %zu notes instead of %zu, last: %s", what, got->notes.nr,
			 want->notes.nr,
			 got->notes.nr ? got->notes.items[got->notes.nr - 1].text : "");
}

/* Takes the damaged text over. */
static void assert_harmless(const char *fixture, const char *text, char *damaged, const char *how)
{
	CLEANUP(free) char *owned = damaged;
	CLEANUP(free) char *what = xasprintf("%s.txt, %s", fixture, how);
	CLEANUP(collect) struct collect want = collect_good(text);
	CLEANUP(collect) struct collect got = collect_text("mail.txt", owned, strlen(owned));

	if (got.ret < 0)
		fail_msg("%s: %s", what, got.err.msg);
	assert_int_equal(want.results.nr, 1);
	if (got.results.nr != 1)
		fail_msg("%s: %zu results", what, got.results.nr);
	assert_same_result(&got.results.items[0], &want.results.items[0], what);
}

/* One test case for each way: `damaged` is an expression of `text`. */
#define DAMAGE_TEST(name, damaged)                                                                 \
	static void test_##name(void **state)                                                      \
	{                                                                                          \
		(void)state;                                                                       \
		for (size_t i = 0; i < NR_FIXTURES; i++) {                                         \
			CLEANUP(free) char *text = fixture_text(i);                                \
                                                                                                   \
			assert_harmless(fixtures[i], text, (damaged), #name);                      \
		}                                                                                  \
	}

DAMAGE_TEST(crlf, damage_crlf(text))
DAMAGE_TEST(bom, damage_bom(text))
DAMAGE_TEST(ansi, damage_ansi(text))
DAMAGE_TEST(tabs, damage_tabs(text))
DAMAGE_TEST(nbsp, damage_nbsp(text))
DAMAGE_TEST(html, damage_html(text))
DAMAGE_TEST(wrap_72, damage_wrap(text, 72))
DAMAGE_TEST(wrap_60, damage_wrap(text, 60))
DAMAGE_TEST(wrap_40, damage_wrap(text, 40))
DAMAGE_TEST(wrap_flowed, damage_wrap_flowed(text, 72))
DAMAGE_TEST(no_indent, damage_replace(text, "\n    ", "\n"))
DAMAGE_TEST(latin1_nbsp, damage_replace(text, ", ", ",\xa0"))
DAMAGE_TEST(carriage_returns, damage_replace(text, "\n", "\r\r\n"))
DAMAGE_TEST(prose_around, damage_surround("Hello,\n\nthis is what I see here:\n\n", text,
					  "\nSo it is slower than before by 5 %.\n-- \nme\n"))
DAMAGE_TEST(prose_close, damage_surround("The numbers of the machine:\n", text,
					 "and this is all of it, thanks.\n"))
DAMAGE_TEST(ellipsis, damage_replace(text, "...", "\xe2\x80\xa6"))
DAMAGE_TEST(host_prefix, damage_replace(text, "\nRun status", "\n<host> Run status"))

static void test_quoting(void **state)
{
	static const char *const marks[] = { "> ", ">", " > ", "\t> " };

	(void)state;
	for (size_t i = 0; i < NR_FIXTURES; i++) {
		CLEANUP(free) char *text = fixture_text(i);

		for (unsigned depth = 1; depth <= 8; depth++) {
			for (size_t mark = 0; mark < 4; mark++)
				assert_harmless(fixtures[i], text,
						damage_quote(text, depth, marks[mark]), "quoted");
		}
	}
}

static void test_quoted_and_wrapped(void **state)
{
	(void)state;
	for (size_t i = 0; i < NR_FIXTURES; i++) {
		CLEANUP(free) char *text = fixture_text(i);
		CLEANUP(free) char *wrapped = damage_wrap(text, 70);
		CLEANUP(free) char *quoted = damage_quote(text, 3, "> ");

		assert_harmless(fixtures[i], text, damage_quote(wrapped, 2, "> "), "wrapped");
		assert_harmless(fixtures[i], text, damage_crlf(quoted), "quoted, crlf");
		assert_harmless(fixtures[i], text, damage_html(quoted), "quoted, html");
		assert_harmless(fixtures[i], text, damage_html(wrapped), "wrapped, html");
	}
}

/* Soft breaks fall on every place of a line. */
static void test_quoted_printable(void **state)
{
	(void)state;
	for (size_t i = 0; i < NR_FIXTURES; i++) {
		CLEANUP(free) char *text = fixture_text(i);

		for (unsigned width = 20; width <= 76; width += 7) {
			CLEANUP(free) char *encoded = damage_quoted_printable(text, width);

			assert_harmless(fixtures[i], text, damage_crlf(encoded), "encoded, crlf");
			assert_harmless(fixtures[i], text, ptr_take(encoded), "encoded");
		}
	}
}

static void test_filled_paragraphs(void **state)
{
	(void)state;
	for (size_t i = 0; i < NR_FIXTURES; i++) {
		CLEANUP(free) char *text = fixture_text(i);

		/* A description in free words, and hosts, end with their line. */
		if (!strcmp(fixtures[i], "described") || !strcmp(fixtures[i], "client"))
			continue;
		assert_harmless(fixtures[i], text, damage_fill(text, 72), "filled");
	}
}

static void test_progress_output(void **state)
{
	static const char *const glued[] = {
		"Jobs: 1 (f=1): [r(1)][50.0%][r=11.7MiB/s][r=3003 IOPS][eta 00m:03s]\r",
		"Jobs: 1 (f=1): [r(1)][50.0%][r=11.7MiB/s][r=3003 IOPS][eta 00m:03s]",
		"Jobs: 3 (f=3), 0-6000 IOPS: [m(3)][-.-%][eta 01h:02m:03s]\r   \r",
		("Jobs: 1 (f=1): [w(1)] [100.0% done] [0KB/7460KB/0KB /s] [0/116/0 iops] "
		 "[eta 00m:00s]  "),
		"Jobs: 1 (f=1)\n",
		"^Cbs: 1 (f=1): [r(1)][16.9%][r=274MiB/s][r=70.1k IOPS][eta 02m:37s]\n",
	};

	(void)state;
	for (size_t i = 0; i < NR_FIXTURES; i++) {
		CLEANUP(free) char *text = fixture_text(i);
		char *entry = strstr(text, ": (groupid");

		while (entry > text && entry[-1] != '\n')
			entry--;
		for (size_t j = 0; j < sizeof(glued) / sizeof(glued[0]); j++) {
			CLEANUP(free) char *head = xstrndup(text, (size_t)(entry - text));
			CLEANUP(free) char *with = xasprintf("%s%s%s", head, glued[j], glued[j]);

			assert_harmless(fixtures[i], text, damage_surround(with, entry, ""),
					glued[j]);
		}
	}
}

static void test_utf16(void **state)
{
	(void)state;
	for (size_t i = 0; i < NR_FIXTURES; i++) {
		CLEANUP(free) char *text = fixture_text(i);
		CLEANUP(collect) struct collect want = collect_good(text);
		unsigned long len;
		CLEANUP(free) char *wide = damage_utf16(text, &len);
		CLEANUP(collect) struct collect got = collect_text("mail.txt", wide, len);

		assert_int_equal(got.ret, 0);
		assert_same_result(&got.results.items[0], &want.results.items[0], fixtures[i]);
	}
}

/* ---- cuts ---- */

/* What is left is as it was: nothing is invented or changed. */
static void assert_part_of_job(const struct job_result *part, const struct job_result *whole)
{
	for (size_t i = 0; i < part->given.nr; i++)
		assert_given(&whole->given, part->given.items[i].name, part->given.items[i].value);
}

static void assert_part(const struct collect *part, const struct result *whole, const char *what)
{
	for (size_t i = 0; i < part->results.nr; i++) {
		const struct result *result = &part->results.items[i];

		if (result->nr_jobs > whole->nr_jobs)
			fail_msg("%s: %zu jobs", what, result->nr_jobs);
		for (size_t j = 0; j < result->nr_jobs; j++)
			assert_part_of_job(&result->jobs[j], &whole->jobs[j]);
	}
}

static int has_gap_note(const struct collect *part)
{
	for (size_t i = 0; i < part->results.nr; i++) {
		if (has_note(&part->results.items[i], NOTE_INPUT_INCOMPLETE, ""))
			return 1;
	}
	return 0;
}

/* Lines up to which something is missing: the last one of the group status. */
static unsigned nr_needed_lines(const char *text)
{
	unsigned nr = 0, needed = 0;

	while (*text) {
		const char *line = text;
		const char *newline = strchr(text, '\n');
		size_t len = newline ? (size_t)(newline - text) : strlen(text);

		nr++;
		if (memmem(line, len, "bw=", 3) && memmem(line, len, "run=", 4))
			needed = nr;
		text += len + (newline ? 1 : 0);
	}
	return needed;
}

static void test_cut_at_any_line(void **state)
{
	static const char *const names[] = { "randread",     "randrw-fsync", "four-jobs",
					     "two-groups",   "mixed",	     "percentiles",
					     "two-sections", "prio" };

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		CLEANUP(free) char *path = xasprintf(FOLDER "%s.txt", names[i]);
		CLEANUP(free) char *text = source_text(path);
		CLEANUP(collect) struct collect whole = collect_good(text);
		unsigned needed = nr_needed_lines(text);

		for (unsigned nr = 0; nr < damage_nr_lines(text); nr++) {
			CLEANUP(free) char *what = xasprintf("%s cut at line %u", names[i], nr);
			CLEANUP(free) char *cut = damage_cut(text, nr);
			CLEANUP(collect)
			struct collect part = collect_text("cut.txt", cut, strlen(cut));

			assert_part(&part, &whole.results.items[0], what);
			if (part.ret == 0 && nr < needed && !has_gap_note(&part))
				fail_msg("%s: no note", what);
			if (part.ret < 0)
				assert_non_null(strstr(part.err.msg, "cut.txt:1"));
			else
				assert_int_equal(part.results.nr, 1);
		}
	}
}

/* Also where the cut is inside a line: a number that lost digits is not taken. */
static void test_cut_at_any_byte(void **state)
{
	static const char *const names[] = { "randread", "randrw-fsync" };

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		CLEANUP(free) char *path = xasprintf(FOLDER "%s.txt", names[i]);
		CLEANUP(free) char *text = source_text(path);
		CLEANUP(collect) struct collect whole = collect_good(text);

		for (size_t len = 0; len < strlen(text); len++) {
			CLEANUP(free) char *what = xasprintf("%s cut at byte %zu", names[i], len);
			CLEANUP(collect) struct collect part = collect_text("cut.txt", text, len);

			assert_part(&part, &whole.results.items[0], what);
		}
	}
}

static void test_beheaded_at_any_line(void **state)
{
	static const char *const names[] = { "randread", "randrw-fsync", "percentiles" };

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		CLEANUP(free) char *path = xasprintf(FOLDER "%s.txt", names[i]);
		CLEANUP(free) char *text = source_text(path);
		CLEANUP(collect) struct collect whole = collect_good(text);

		for (unsigned nr = 1; nr < damage_nr_lines(text); nr++) {
			CLEANUP(free) char *what = xasprintf("%s without %u lines", names[i], nr);
			CLEANUP(free) char *rest = damage_behead(text, nr);
			CLEANUP(collect)
			struct collect part = collect_text("cut.txt", rest, strlen(rest));

			assert_part(&part, &whole.results.items[0], what);
			if (part.ret == 0 && strstr(text, "\nfio-") > rest && !has_gap_note(&part))
				fail_msg("%s: no note", what);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_crlf),
		cmocka_unit_test(test_bom),
		cmocka_unit_test(test_ansi),
		cmocka_unit_test(test_tabs),
		cmocka_unit_test(test_nbsp),
		cmocka_unit_test(test_html),
		cmocka_unit_test(test_wrap_72),
		cmocka_unit_test(test_wrap_60),
		cmocka_unit_test(test_wrap_40),
		cmocka_unit_test(test_wrap_flowed),
		cmocka_unit_test(test_no_indent),
		cmocka_unit_test(test_latin1_nbsp),
		cmocka_unit_test(test_carriage_returns),
		cmocka_unit_test(test_prose_around),
		cmocka_unit_test(test_prose_close),
		cmocka_unit_test(test_ellipsis),
		cmocka_unit_test(test_host_prefix),
		cmocka_unit_test(test_quoting),
		cmocka_unit_test(test_quoted_and_wrapped),
		cmocka_unit_test(test_quoted_printable),
		cmocka_unit_test(test_filled_paragraphs),
		cmocka_unit_test(test_progress_output),
		cmocka_unit_test(test_utf16),
		cmocka_unit_test(test_cut_at_any_line),
		cmocka_unit_test(test_cut_at_any_byte),
		cmocka_unit_test(test_beheaded_at_any_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
