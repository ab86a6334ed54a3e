/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fio's JSON gives the same numbers whatever mailers, terminals and pages did to it, and a part of
 * them, never others, wherever it is cut. */
#include "collect.h"
#include "damage.h"

static const char *const fixtures[] = {
	"fio-text/randread.json", "fio-text/four-jobs.json", "fio-text/percentiles.json",
	"fio-text/randtrim.json", "fio-text/described.json", "fio-text/go-on.json",
	"fio-json/bins.json",	  "fio-json/stonewall.json", "fio-json/mixed-bins.json",
	"fio-json/no-space.json", "fio-json/client.json",    "fio-json/old-2.2.json",
	"fio-json/terse-v5.json",
};

#define NR_FIXTURES (sizeof(fixtures) / sizeof(fixtures[0]))

static char *fixture_text(size_t index)
{
	CLEANUP(free) char *path = xasprintf("tests/data/import/%s", fixtures[index]);

	return source_text(path);
}

static void assert_same_given(const struct given_list *got, const struct given_list *want,
			      const char *what)
{
	for (size_t i = 0; i < want->nr; i++) {
		const struct given_metric *metric = given_find(got, want->items[i].name);

		if (!metric)
			fail_msg("%s: %s is missing", what, want->items[i].name);
		if (metric->value != want->items[i].value)
			fail_msg("%s: %s is %.12g instead of %.12g", what, metric->name,
				 metric->value, want->items[i].value);
	}
	if (got->nr != want->nr)
		fail_msg("%s: %zu metrics instead of %zu", what, got->nr, want->nr);
}

static void assert_same_hist(const struct hist *got, const struct hist *want, const char *what)
{
	if (!got != !want || (got && memcmp(got, want, sizeof(*got)) != 0))
		fail_msg("%s: another histogram", what);
}

static void assert_same_job(const struct job_result *got, const struct job_result *want,
			    const char *what)
{
	if (strcmp(got->name, want->name) != 0)
		fail_msg("%s: job '%s' instead of '%s'", what, got->name, want->name);
	assert_int_equal(got->error, want->error);
	assert_int_equal(got->phase, want->phase);
	assert_int_equal(got->nr_errors, want->nr_errors);
	assert_int_equal(got->nr_options, want->nr_options);
	for (size_t i = 0; i < want->nr_options; i++) {
		if (strcmp(got->options[i].value, want->options[i].value) != 0)
			fail_msg("%s: %s=%s instead of %s", what, want->options[i].key,
				 got->options[i].value, want->options[i].value);
	}
	for (size_t dir = 0; dir < IO_NR_DATA_DIRS; dir++) {
		for (size_t kind = 0; kind < LATENCY_NR_KINDS; kind++)
			assert_same_hist(got->dir[dir].latency[kind].hist,
					 want->dir[dir].latency[kind].hist, what);
	}
	assert_same_hist(got->sync.hist, want->sync.hist, what);
	assert_same_given(&got->given, &want->given, what);
}

static void assert_same(const struct collect *got, const struct collect *want, const char *what)
{
	if (got->ret != want->ret)
		fail_msg("%s: %s", what, got->err.msg);
	if (got->results.nr != want->results.nr)
		fail_msg("%s: %zu results instead of %zu", what, got->results.nr, want->results.nr);
	for (size_t i = 0; i < want->results.nr; i++) {
		const struct result *left = &got->results.items[i];
		const struct result *right = &want->results.items[i];

		assert_string_equal(left->tool_version, right->tool_version);
		assert_int_equal(left->nr_env, right->nr_env);
		assert_int_equal(left->notes.nr, right->notes.nr);
		assert_int_equal(left->nr_jobs, right->nr_jobs);
		for (size_t j = 0; j < right->nr_jobs; j++)
			assert_same_job(&left->jobs[j], &right->jobs[j], what);
		assert_same_given(&left->given, &right->given, what);
	}
}

typedef char *(*damage_fn)(const char *text);

static char *quoted_once(const char *text)
{
	return damage_quote(text, 1, "> ");
}

static char *quoted_tight(const char *text)
{
	return damage_quote(text, 3, ">");
}

static char *quoted_deep(const char *text)
{
	return damage_quote(text, 8, "> ");
}

static char *wrapped(const char *text)
{
	return damage_wrap(text, 72);
}

static char *wrapped_narrow(const char *text)
{
	return damage_wrap(text, 30);
}

static char *wrapped_quoted(const char *text)
{
	CLEANUP(free) char *quoted = damage_quote(text, 2, "> ");
	CLEANUP(free) char *narrow = damage_wrap(text, 60);

	(void)quoted;
	return damage_quote(narrow, 2, "> ");
}

static char *filled(const char *text)
{
	return damage_fill(text, 72);
}

static char *quoted_printable(const char *text)
{
	return damage_quoted_printable(text, 76);
}

static char *quoted_printable_narrow(const char *text)
{
	return damage_quoted_printable(text, 17);
}

static char *surrounded(const char *text)
{
	return damage_surround("Hi,\n\nthis is what I get:\n\n", text,
			       "\nAnything else that I can try?\n-- \nA tester\n");
}

static void check_damage(damage_fn damage, const char *name)
{
	for (size_t i = 0; i < NR_FIXTURES; i++) {
		CLEANUP(free) char *text = fixture_text(i);
		CLEANUP(free) char *damaged = damage(text);
		CLEANUP(free) char *what = xasprintf("%s, %s", fixtures[i], name);
		CLEANUP(collect) struct collect want = collect_good(text);
		CLEANUP(collect)
		struct collect got = collect_text("mail.txt", damaged, strlen(damaged));

		assert_same(&got, &want, what);
	}
}

#define TEST_DAMAGE(damage)                                                                        \
	static void test_##damage(void **state)                                                    \
	{                                                                                          \
		(void)state;                                                                       \
		check_damage(damage, #damage);                                                     \
	}

TEST_DAMAGE(quoted_once)
TEST_DAMAGE(quoted_tight)
TEST_DAMAGE(quoted_deep)
TEST_DAMAGE(wrapped)
TEST_DAMAGE(wrapped_narrow)
TEST_DAMAGE(wrapped_quoted)
TEST_DAMAGE(filled)
TEST_DAMAGE(quoted_printable)
TEST_DAMAGE(quoted_printable_narrow)
TEST_DAMAGE(damage_html)
TEST_DAMAGE(damage_crlf)
TEST_DAMAGE(damage_bom)
TEST_DAMAGE(damage_ansi)
TEST_DAMAGE(damage_tabs)
TEST_DAMAGE(damage_nbsp)
TEST_DAMAGE(surrounded)

static void test_utf16(void **state)
{
	(void)state;
	for (size_t i = 0; i < NR_FIXTURES; i++) {
		CLEANUP(free) char *text = fixture_text(i);
		unsigned long len;
		CLEANUP(free) char *damaged = damage_utf16(text, &len);
		CLEANUP(collect) struct collect want = collect_good(text);
		CLEANUP(collect) struct collect got = collect_text("mail.txt", damaged, len);

		assert_same(&got, &want, fixtures[i]);
	}
}

/* ---- cut ---- */

/* Half a histogram is none. */
static void assert_part_hist(const struct job_result *part, const struct job_result *whole,
			     size_t len)
{
	for (size_t dir = 0; dir < IO_NR_DATA_DIRS; dir++) {
		for (size_t kind = 0; kind < LATENCY_NR_KINDS; kind++) {
			const struct hist *got = part->dir[dir].latency[kind].hist;
			const struct hist *want = whole->dir[dir].latency[kind].hist;

			if (got && (!want || memcmp(got, want, sizeof(*got)) != 0))
				fail_msg("cut at %zu: another histogram", len);
		}
	}
}

static void assert_part(const struct collect *got, const struct collect *want, size_t len)
{
	const struct result *part = got->results.nr ? &got->results.items[0] : NULL;
	const struct result *whole = &want->results.items[0];

	if (got->ret < 0) {
		if (strncmp(got->err.msg, "mail.txt:", 9) != 0 || strchr(got->err.msg, '\n'))
			fail_msg("cut at %zu: '%s'", len, got->err.msg);
		return;
	}
	assert_int_equal(got->results.nr, 1);
	if (part->nr_jobs > whole->nr_jobs + 1)
		fail_msg("cut at %zu: %zu jobs", len, part->nr_jobs);
	for (size_t i = 0; i < part->nr_jobs && i < whole->nr_jobs; i++) {
		const struct given_list *given = &part->jobs[i].given;

		assert_part_hist(&part->jobs[i], &whole->jobs[i], len);
		for (size_t j = 0; j < given->nr; j++) {
			double value = given_value(&whole->jobs[i].given, given->items[j].name);

			if (given->items[j].value != value)
				fail_msg("cut at %zu: %s is %.12g instead of %.12g", len,
					 given->items[j].name, given->items[j].value, value);
		}
	}
	if (!has_note(part, NOTE_INPUT_INCOMPLETE, ""))
		fail_msg("cut at %zu: no note", len);
}

/* At each byte; `step` saves time with the long ones. */
static void check_cuts(const char *name, size_t step)
{
	CLEANUP(free) char *path = xasprintf("tests/data/import/%s", name);
	CLEANUP(free) char *text = source_text(path);
	CLEANUP(collect) struct collect want = collect_good(text);
	size_t end = strlen(text);

	while (end && text[end - 1] != '}')
		end--;
	for (size_t len = 1; len < end; len += step) {
		CLEANUP(free) char *copy = xstrndup(text, len);
		CLEANUP(collect) struct collect got = collect_text("mail.txt", copy, len);

		assert_part(&got, &want, len);
	}
}

static void test_cut_one_job(void **state)
{
	(void)state;
	check_cuts("fio-text/randread.json", 1);
}

static void test_cut_bins(void **state)
{
	(void)state;
	check_cuts("fio-json/mixed-bins.json", 1);
}

static void test_cut_plus(void **state)
{
	(void)state;
	check_cuts("fio-json/bins.json", 29);
}

static void test_cut_jobs(void **state)
{
	(void)state;
	check_cuts("fio-json/stonewall.json", 7);
}

static void test_cut_client(void **state)
{
	(void)state;
	check_cuts("fio-json/client.json", 11);
}

/* A line is missing somewhere: what is read is still a part. */
static void test_missing_line(void **state)
{
	CLEANUP(free) char *text = source_text("tests/data/import/fio-json/terse-v3.json");
	CLEANUP(collect) struct collect want = collect_good(text);
	unsigned nr_lines = damage_nr_lines(text);

	(void)state;
	for (unsigned i = 0; i < nr_lines; i++) {
		CLEANUP(free) char *before = damage_cut(text, i);
		CLEANUP(free) char *after = damage_behead(text, i + 1);
		CLEANUP(free) char *joined = xasprintf("%s%s", before, after);
		CLEANUP(collect)
		struct collect got = collect_text("mail.txt", joined, strlen(joined));
		const struct given_list *given;

		if (got.ret < 0 || !got.results.nr || !got.results.items[0].nr_jobs)
			continue;
		given = &got.results.items[0].jobs[0].given;
		for (size_t j = 0; j < given->nr; j++) {
			double value = given_value(&want.results.items[0].jobs[0].given,
						   given->items[j].name);

			/* a missing head of an object may give its numbers to the one around it */
			if (isnan(value))
				fail_msg("without line %u: %s is new", i + 1, given->items[j].name);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_quoted_once),
		cmocka_unit_test(test_quoted_tight),
		cmocka_unit_test(test_quoted_deep),
		cmocka_unit_test(test_wrapped),
		cmocka_unit_test(test_wrapped_narrow),
		cmocka_unit_test(test_wrapped_quoted),
		cmocka_unit_test(test_filled),
		cmocka_unit_test(test_quoted_printable),
		cmocka_unit_test(test_quoted_printable_narrow),
		cmocka_unit_test(test_damage_html),
		cmocka_unit_test(test_damage_crlf),
		cmocka_unit_test(test_damage_bom),
		cmocka_unit_test(test_damage_ansi),
		cmocka_unit_test(test_damage_tabs),
		cmocka_unit_test(test_damage_nbsp),
		cmocka_unit_test(test_surrounded),
		cmocka_unit_test(test_utf16),
		cmocka_unit_test(test_cut_one_job),
		cmocka_unit_test(test_cut_bins),
		cmocka_unit_test(test_cut_plus),
		cmocka_unit_test(test_cut_jobs),
		cmocka_unit_test(test_cut_client),
		cmocka_unit_test(test_missing_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
