/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_args_usage: the usage text and the name list, as a whole. */
#include "base/args.h"

#include "base/cleanup.h"
#include "test.h"

#include <stdlib.h>

static const struct arg_row rows[] = {
	{ .name = "store",
	  .short_name = 's',
	  .type = ARG_STRING,
	  .value_name = "PATH",
	  .help = "keep results there" },
	{ .name = "nr", .type = ARG_UNSIGNED, .help = "how many" },
	{ .name = "hidden", .type = ARG_BOOL },
	{ .name = "help", .short_name = 'h', .type = ARG_BOOL, .help = "show this text" },
	{ .name = "allow-destructive-writes",
	  .type = ARG_STRING_LIST,
	  .value_name = "DEVICE",
	  .help = "really" },
};

static const struct args_spec spec = { .command = "regio x",
				       .operands = "FILE..",
				       .summary = "Does x.",
				       .rows = rows,
				       .nr_rows = sizeof(rows) / sizeof(rows[0]) };

static char *capture(void (*print)(const struct args_spec *, FILE *), const struct args_spec *from)
{
	char *text = NULL;
	size_t len = 0;
	FILE *file = open_memstream(&text, &len);

	assert_non_null(file);
	print(from, file);
	assert_int_equal(fclose(file), 0);
	return text;
}

static void test_usage(void **state)
{
	CLEANUP(free) char *text = capture(args_print_usage, &spec);

	(void)state;
	assert_string_equal(text, "usage: regio x [options] FILE..\n"
				  "\n"
				  "Does x.\n"
				  "\n"
				  "options:\n"
				  "  -s, --store PATH  keep results there\n"
				  "      --nr N        how many\n"
				  "  -h, --help        show this text\n"
				  "      --allow-destructive-writes DEVICE\n"
				  "                    really\n");
}

static void test_usage_without_options(void **state)
{
	const struct args_spec bare = { .command = "regio x", .summary = "Does x." };
	CLEANUP(free) char *text = capture(args_print_usage, &bare);

	(void)state;
	assert_string_equal(text, "usage: regio x\n\nDoes x.\n");
}

static void test_names(void **state)
{
	CLEANUP(free) char *text = capture(args_print_names, &spec);

	(void)state;
	assert_string_equal(text, "--store\n--nr\n--help\n--allow-destructive-writes\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_usage),
		cmocka_unit_test(test_usage_without_options),
		cmocka_unit_test(test_names),
	};

	return cmocka_run_group_tests_name("args_usage", tests, NULL, NULL);
}
