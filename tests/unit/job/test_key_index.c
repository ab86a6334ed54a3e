/* SPDX-License-Identifier: GPL-2.0-or-later */
/* key_index: every name once, found exactly or by prefix; what is not known gets a suggestion. */
#include "job/key_index.h"

#include <string.h>

#include "base/arena.h"
#include "base/child.h"
#include "base/err.h"
#include "job/key.h"
#include "job/keys.h"
#include "job/known.h"
#include "test.h"

static void test_names_are_unique(void **state)
{
	CLEANUP(arena) struct arena arena = ARENA_INIT;
	struct key_index index;

	(void)state;
	key_index_init(&index, &arena);
	assert_true(index.nr > 300);
	for (size_t i = 1; i < index.nr; i++) {
		if (strcmp(index.names[i - 1].name, index.names[i].name) >= 0)
			fail_msg("'%s' is there twice", index.names[i].name);
	}
}

static void test_every_name_is_found(void **state)
{
	CLEANUP(arena) struct arena arena = ARENA_INIT;
	struct key_index index;
	size_t nr_rows;
	const struct key_row *rows = keys_table(&nr_rows);

	(void)state;
	key_index_init(&index, &arena);
	for (size_t i = 0; i < nr_rows; i++) {
		assert_ptr_equal(key_index_find(&index, rows[i].info.name)->row, &rows[i]);
		if (rows[i].info.alias)
			assert_ptr_equal(key_index_find(&index, rows[i].info.alias)->row, &rows[i]);
	}
	for (const char *const *name = known_unsupported(); *name; name++) {
		assert_non_null(key_index_find(&index, *name));
		assert_null(key_index_find(&index, *name)->row);
	}
	assert_non_null(key_index_find(&index, "threads")->without_effect);
	assert_null(key_index_find(&index, "iodept"));
	assert_null(key_index_find(&index, ""));
	assert_null(key_index_find(&index, "IODEPTH"));
}

static void test_prefixes(void **state)
{
	CLEANUP(arena) struct arena arena = ARENA_INIT;
	struct key_index index;
	size_t nr;

	(void)state;
	key_index_init(&index, &arena);
	assert_string_equal(key_index_find_prefix(&index, "group_report", &nr)->name,
			    "group_reporting");
	assert_int_equal(nr, 1);
	/* exact, though it starts others */
	assert_string_equal(key_index_find_prefix(&index, "iodepth", &nr)->name, "iodepth");
	assert_string_equal(key_index_find_prefix(&index, "blocksize", &nr)->name, "blocksize");
	/* two names of one option are one */
	assert_string_equal(key_index_find_prefix(&index, "time_b", &nr)->name, "time_based");
	assert_null(key_index_find_prefix(&index, "i", &nr));
	assert_true(nr > 10);
	assert_null(key_index_find_prefix(&index, "zzz", &nr));
	assert_int_equal(nr, 0);
	assert_null(key_index_find_prefix(&index, "", &nr));
	assert_int_equal(nr, 0);
}

static void test_suggestions(void **state)
{
	static const struct {
		const char *word, *message;
	} rows[] = {
		{ "iodeph", "unknown option 'iodeph'; did you mean 'iodepth'?" },
		{ "io_depth", "unknown option 'io_depth'; did you mean 'iodepth'?" },
		{ "file_name", "unknown option 'file_name'; did you mean 'filename'?" },
		{ "num_jobs", "unknown option 'num_jobs'; did you mean 'numjobs'?" },
		{ "verfy", "unknown option 'verfy'; did you mean 'verify'?" },
		{ "Size", "unknown option 'Size'; did you mean 'size'?" },
		{ "colour", "unknown option 'colour'" },
		{ "\x1b[2J", "unknown option '?[2J'" },
	};
	CLEANUP(arena) struct arena arena = ARENA_INIT;
	struct key_index index;

	(void)state;
	key_index_init(&index, &arena);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct err err = { .code = 0 };

		assert_int_equal(key_index_refuse(&index, rows[i].word, &err), -ERR_INPUT);
		assert_string_equal(err.msg, rows[i].message);
	}
}

/* The installed fio must have no option that regio takes for a spelling mistake. */
static void test_every_option_of_fio_is_known(void **state)
{
	CLEANUP(child_result) struct child_result result = CHILD_RESULT_INIT;
	CLEANUP(arena) struct arena arena = ARENA_INIT;
	static const char *const argv[] = { "fio", "--cmdhelp=all", NULL };
	const struct child_spec spec = { .argv = argv };
	struct key_index index;
	char *output;
	size_t nr = 0;

	(void)state;
	if (child_run(&spec, &result, NULL) < 0)
		test_skip("fio is not installed");
	key_index_init(&index, &arena);
	output = result.out.buf;
	for (char *line; (line = strsep(&output, "\n"));) {
		char *name = line + strspn(line, " ");

		if (!*name)
			continue;
		name[strcspn(name, " :")] = '\0';
		if (!key_index_find(&index, name))
			fail_msg("fio has the option '%s'", name);
		nr++;
	}
	assert_true(nr > 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names_are_unique),
		cmocka_unit_test(test_every_name_is_found),
		cmocka_unit_test(test_prefixes),
		cmocka_unit_test(test_suggestions),
		cmocka_unit_test(test_every_option_of_fio_is_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
