/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_text: the file that is written means what was read. */
#include "job/job_text.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/strbuf.h"
#include "job_test.h"
#include "test.h"

/* What is told apart by address is compared by content, then taken out of the way. */
static void assert_same_text(const char **a, const char **b)
{
	if (*a && *b)
		assert_string_equal(*a, *b);
	else
		assert_true(*a == *b);
	*a = *b = NULL;
}

static void assert_same_job(const struct job *left, const struct job *right)
{
	struct job a = *left;
	struct job b = *right;

	assert_same_text(&a.name, &b.name);
	assert_same_text(&a.section, &b.section);
	assert_same_text(&a.filename, &b.filename);
	assert_same_text(&a.directory, &b.directory);
	assert_same_text(&a.ioengine, &b.ioengine);
	assert_int_equal(a.rw, b.rw);
	assert_int_equal(a.size.bytes, b.size.bytes);
	assert_int_equal(a.size.percent, b.size.percent);
	assert_memory_equal(a.bs_min_bytes, b.bs_min_bytes, sizeof(a.bs_min_bytes));
	assert_memory_equal(a.bs_max_bytes, b.bs_max_bytes, sizeof(a.bs_max_bytes));
	assert_memory_equal(a.rate_iops, b.rate_iops, sizeof(a.rate_iops));
	assert_int_equal(a.iodepth, b.iodepth);
	assert_int_equal(a.direct, b.direct);
	assert_int_equal(a.runtime_ns, b.runtime_ns);
	assert_int_equal(a.nr_clones, b.nr_clones);
	assert_int_equal(a.first_clone, b.first_clone);
	assert_int_equal(a.phase, b.phase);
	assert_int_equal(a.group_id, b.group_id);
}

static void assert_round_trip(const struct job_set *set)
{
	char *text = job_text(set);
	struct job_set again = parse_good(text);
	char *second = job_text(&again);

	assert_string_equal(text, second);
	assert_int_equal(set->nr, again.nr);
	for (size_t i = 0; i < set->nr; i++)
		assert_same_job(&set->jobs[i], &again.jobs[i]);
	free(second);
	free(text);
	job_set_release(&again);
}

static void means_the_same(void **state)
{
	static const char *const texts[] = {
		("[global]\nrw=randread\nbs=8k\n[a]\nsize=1m\n[a]\nsize=2m\nstonewall\n"
		 "[global]\nbs=4k\niodepth=3\n[b]\nname=other\nnumjobs=2\nsize=10%\n"),
		"[j]\nbs=4k\nbsrange=1k-8k\nbs=2k\nsize=1m\ndirect=1\nbuffered=1\n",
		"[j]\nkb_base=1000\nsize=1m\nrate_iops=10,20\nruntime=90s\ntime_based\n",
		"[j]\nfilename=/tmp/a\\:b:/tmp/c\ndescription=two words = one\nsize=64k\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct job_set set = parse_good(texts[i]);

		assert_round_trip(&set);
		job_set_release(&set);
	}
}

static void holds_what_won(void **state)
{
	static const char *const words[] = { "--bs=16k", "--filename=/dev/null" };
	static const struct job_parse_override override = { "iodepth", "7", NULL };
	static const char file[] = "[global]\nbs=8k\n[a]\nbs=4k\ndirectory=/tmp\nsize=1m\n";
	static const char other[] = "[b]\nsize=1m\n";
	const struct job_parse_text parts[] = {
		{ .name = "one.fio", .data = file, .len = strlen(file) },
		{ .name = "two.fio", .data = other, .len = strlen(other) },
	};
	const struct job_parse_config config = {
		.words = words,
		.nr_words = 2,
		.texts = parts,
		.nr_texts = 2,
		.overrides = &override,
		.nr_overrides = 1,
		.command_line_wins = true,
	};
	struct job_set set = { .nr = 0 };
	char *text;

	(void)state;
	assert_int_equal(job_parse(&config, &set, NULL), 0);
	assert_int_equal(set.jobs[1].phase, 1);
	text = job_text(&set);
	assert_non_null(strstr(text, "bs=16k\n"));
	assert_null(strstr(text, "bs=4k\n"));
	assert_null(strstr(text, "directory"));
	assert_non_null(strstr(text, "iodepth=7\n"));
	assert_non_null(strstr(text, "stonewall\n"));
	assert_round_trip(&(struct job_set){ .jobs = set.jobs, .nr = 1 });
	free(text);
	job_set_release(&set);
}

/* Elsewhere values must mean what they meant here. */
static void keeps_fio_strict(void **state)
{
	static const char file[] = "[a]\nbs = 8k\nsize=1MiB\nruntime=1min\n";
	const struct job_parse_text part = { .name = "t.fio", .data = file, .len = strlen(file) };
	const struct job_parse_config config = { .texts = &part,
						 .nr_texts = 1,
						 .fio_strict = true };
	struct job_set set = { .nr = 0 };

	(void)state;
	assert_int_equal(job_parse(&config, &set, NULL), 0);
	assert_int_equal(set.jobs[0].bs_min_bytes[IO_READ], 8);
	assert_int_equal(set.jobs[0].size.bytes, 1000000);
	assert_int_equal(set.jobs[0].runtime_ns, 1000);
	assert_int_equal(set.jobs[0].options.nr, 3); /* nobody gave it to the job */
	assert_round_trip(&set);
	job_set_release(&set);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(means_the_same),
		cmocka_unit_test(holds_what_won),
		cmocka_unit_test(keeps_fio_strict),
	};

	return cmocka_run_group_tests_name("job_text", tests, NULL, NULL);
}
