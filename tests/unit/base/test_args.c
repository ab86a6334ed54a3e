/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_args: every form of option, every type, operands, the two flags, every refusal. */
#include "base/args.h"

#include "base/err.h"
#include "test.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#define NR(array) (sizeof(array) / sizeof((array)[0]))
#define MAX_WORDS 16

struct config {
	bool quiet;
	bool json;
	const char *store;
	struct arg_list set;
	unsigned nr;
	uint64_t seed;
	uint64_t size_bytes;
	uint64_t time_ns;
	double factor;
	double effect_share;
};

#define FIELD(type_, field_) .type = (type_), .offset = offsetof(struct config, field_)

static const struct arg_row rows[] = {
	{ .name = "quiet", .short_name = 'q', FIELD(ARG_BOOL, quiet) },
	{ .name = "json", .short_name = 'j', FIELD(ARG_BOOL, json) },
	{ .name = "store", .short_name = 's', FIELD(ARG_STRING, store) },
	{ .name = "set", FIELD(ARG_STRING_LIST, set) },
	{ .name = "nr", .short_name = 'n', FIELD(ARG_UNSIGNED, nr) },
	{ .name = "seed", FIELD(ARG_U64, seed) },
	{ .name = "size", FIELD(ARG_SIZE, size_bytes) },
	{ .name = "time", FIELD(ARG_DURATION, time_ns) },
	{ .name = "factor", FIELD(ARG_DOUBLE, factor) },
	{ .name = "min-effect", FIELD(ARG_SHARE, effect_share) },
};

struct parsed {
	struct config config;
	struct arg_list operands;
	struct err err;
	int ret;
};

static struct args_spec make_spec(unsigned flags)
{
	return (struct args_spec){ .command = "regio x",
				   .operands = "FILE..",
				   .rows = rows,
				   .nr_rows = NR(rows),
				   .flags = flags };
}

/* Words are separated by one space; '_' stands for an empty word. */
static void parse(struct parsed *parsed, unsigned flags, char *line)
{
	struct args_spec spec = make_spec(flags);
	char *words[MAX_WORDS];
	int nr = 0;

	*parsed = (struct parsed){ .ret = 0 };
	for (char *word = line; word && *word;) {
		char *end = strchr(word, ' ');

		if (end)
			*end++ = '\0';
		assert_true(nr < MAX_WORDS);
		words[nr++] = strcmp(word, "_") == 0 ? word + 1 : word;
		word = end;
	}
	parsed->ret =
		args_parse(&spec, nr, words, &parsed->config, &parsed->operands, &parsed->err);
}

static void parsed_release(struct parsed *parsed)
{
	struct args_spec spec = make_spec(0);

	args_release(&spec, &parsed->config);
	arg_list_release(&parsed->operands);
}

static void assert_operands(const struct parsed *parsed, size_t nr, const char *const *expected)
{
	assert_int_equal(parsed->operands.nr, nr);
	for (size_t i = 0; i < nr; i++)
		assert_string_equal(parsed->operands.items[i], expected[i]);
}

static void test_types(void **state)
{
	char line[] = "--quiet --store=a.db --set a=1 --set=b=2 --nr 3 --seed=18446744073709551615 "
		      "--size=4k --time=1.5ms --factor=-2.5 --min-effect=5%";
	struct parsed parsed;

	(void)state;
	parse(&parsed, 0, line);
	assert_int_equal(parsed.ret, 0);
	assert_true(parsed.config.quiet);
	assert_false(parsed.config.json);
	assert_string_equal(parsed.config.store, "a.db");
	assert_int_equal(parsed.config.set.nr, 2);
	assert_string_equal(parsed.config.set.items[0], "a=1");
	assert_string_equal(parsed.config.set.items[1], "b=2");
	assert_int_equal(parsed.config.nr, 3);
	assert_true(parsed.config.seed == UINT64_MAX);
	assert_int_equal(parsed.config.size_bytes, 4096);
	assert_int_equal(parsed.config.time_ns, 1500000);
	assert_true(fabs(parsed.config.factor + 2.5) < 1e-12);
	assert_true(fabs(parsed.config.effect_share - 0.05) < 1e-12);
	parsed_release(&parsed);
	assert_null(parsed.config.set.items);
}

static void test_short_options(void **state)
{
	char line[] = "-qj -n 3 -sx.db";
	char joined[] = "-qn7 -s=x";
	struct parsed parsed;

	(void)state;
	parse(&parsed, 0, line);
	assert_int_equal(parsed.ret, 0);
	assert_true(parsed.config.quiet && parsed.config.json);
	assert_int_equal(parsed.config.nr, 3);
	assert_string_equal(parsed.config.store, "x.db");
	parse(&parsed, 0, joined);
	assert_int_equal(parsed.ret, 0);
	assert_int_equal(parsed.config.nr, 7);
	assert_string_equal(parsed.config.store, "=x");
}

static void test_later_wins_and_negation(void **state)
{
	char line[] = "--quiet --no-quiet --json --nr=1 --nr=2 --store= --no-json --json";
	struct parsed parsed;

	(void)state;
	parse(&parsed, 0, line);
	assert_int_equal(parsed.ret, 0);
	assert_false(parsed.config.quiet);
	assert_true(parsed.config.json);
	assert_int_equal(parsed.config.nr, 2);
	assert_string_equal(parsed.config.store, "");
}

static void test_operands(void **state)
{
	static const char *const expected[] = { "a", "-", "b", "", "--quiet", "-x" };
	char line[] = "a - --quiet b _ -- --quiet -x";
	struct parsed parsed;

	(void)state;
	parse(&parsed, 0, line);
	assert_int_equal(parsed.ret, 0);
	assert_true(parsed.config.quiet);
	assert_operands(&parsed, NR(expected), expected);
	parsed_release(&parsed);
}

static void test_stop_at_operand(void **state)
{
	static const char *const expected[] = { "run", "--json", "--what" };
	char line[] = "--quiet run --json --what";
	struct parsed parsed;

	(void)state;
	parse(&parsed, ARGS_STOP_AT_OPERAND, line);
	assert_int_equal(parsed.ret, 0);
	assert_true(parsed.config.quiet);
	assert_false(parsed.config.json);
	assert_operands(&parsed, NR(expected), expected);
	parsed_release(&parsed);
}

static void test_keep_unknown(void **state)
{
	static const char *const expected[] = { "--name=a", "--rw",    "randread", "job.fio",
						"--bs=4k",  "--no-nr", "-rw=x" };
	char line[] = "--name=a --rw randread -quiet job.fio -nr=4 --bs=4k --no-nr -rw=x";
	struct parsed parsed;

	(void)state;
	parse(&parsed, ARGS_KEEP_UNKNOWN, line);
	assert_int_equal(parsed.ret, 0);
	assert_true(parsed.config.quiet);
	assert_int_equal(parsed.config.nr, 4);
	assert_operands(&parsed, NR(expected), expected);
	parsed_release(&parsed);
}

static void test_refusals(void **state)
{
	static const struct {
		const char *line;
		const char *msg;
	} cases[] = {
		{ "--quite", "unknown option '--quite'; did you mean '--quiet'?" },
		{ "--stor=x", "unknown option '--stor=x'; did you mean '--store'?" },
		{ "--min_effect=5%",
		  "unknown option '--min_effect=5%'; did you mean '--min-effect'?" },
		{ "--colour", "unknown option '--colour'" },
		{ "-x", "unknown option '-x'" },
		{ "-qx", "unknown option '-qx'" },
		{ "--no-store", "unknown option '--no-store'" },
		{ "--quiet=yes", "option '--quiet' takes no value" },
		{ "--store", "option '--store' needs a value" },
		{ "--store --json", "option '--store' needs a value" },
		{ "-s", "option '-s' needs a value" },
		{ "--nr=x", "option '--nr': 'x' is not a whole number" },
		{ "--nr=-1", "option '--nr': '-1' is not a whole number" },
		{ "--nr=4294967296",
		  "option '--nr': '4294967296' is out of range for a whole number" },
		{ "-n 1k", "option '-n': '1k' is not a whole number" },
		{ "--size=4x", "option '--size': '4x' is not a size such as 4k or 1.5GiB" },
		{ "--time=5", "option '--time': '5' is not a time such as 10us or 30s" },
		{ "--factor=a", "option '--factor': 'a' is not a number" },
		{ "--min-effect=5",
		  "option '--min-effect': '5' is out of range for a share such as 5% or 0.05" },
		{ "---", "unknown option '---'" },
		{ "--=", "unknown option '--='" },
	};

	(void)state;
	for (size_t i = 0; i < NR(cases); i++) {
		char line[64];
		struct parsed parsed;

		(void)snprintf(line, sizeof(line), "%s", cases[i].line);
		parse(&parsed, 0, line);
		assert_int_equal(parsed.ret, -ERR_USAGE);
		assert_string_equal(parsed.err.msg, cases[i].msg);
		parsed_release(&parsed);
	}
}

static void test_no_operands_accepted(void **state)
{
	struct args_spec spec = make_spec(0);
	char *words[] = { "x" };
	struct arg_list operands = { .items = NULL };
	struct config config = { .nr = 0 };
	struct err err = { .code = 0 };

	(void)state;
	spec.operands = NULL;
	assert_int_equal(args_parse(&spec, 1, words, &config, &operands, &err), -ERR_USAGE);
	assert_string_equal(err.msg, "unexpected argument 'x'");
	assert_int_equal(args_parse(&spec, 0, words, &config, &operands, &err), 0);
}

static void test_find(void **state)
{
	struct args_spec spec = make_spec(0);

	(void)state;
	assert_ptr_equal(args_find(&spec, "nr=3", 2), &rows[4]);
	assert_null(args_find(&spec, "nr=3", 1));
	assert_null(args_find(&spec, "nrx", 3));
	assert_null(args_find(&spec, "", 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_types),
		cmocka_unit_test(test_short_options),
		cmocka_unit_test(test_later_wins_and_negation),
		cmocka_unit_test(test_operands),
		cmocka_unit_test(test_stop_at_operand),
		cmocka_unit_test(test_keep_unknown),
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_no_operands_accepted),
		cmocka_unit_test(test_find),
	};

	return cmocka_run_group_tests_name("args", tests, NULL, NULL);
}
