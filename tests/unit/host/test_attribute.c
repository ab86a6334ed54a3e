/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "host/attribute.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "model/result.h"
#include "plant.h"
#include "test.h"

static int setup(void **state)
{
	struct plant *plant = xcalloc(1, sizeof(*plant));

	plant_create(plant);
	*state = plant;
	return 0;
}

static int teardown(void **state)
{
	plant_remove(*state);
	free(*state);
	return 0;
}

static void test_read(void **state)
{
	static const struct {
		const char *content;
		const char *value;
	} rows[] = {
		{ "128\n", "128" },
		{ "128", "128" },
		{ "", "" },
		{ "\n", "" },
		{ "[none] mq-deadline kyber bfq \n", "none" },
		{ "none mq-deadline [kyber] bfq \n", "kyber" },
		{ "none\n", "none" },
		{ "write through\n", "write through" },
		{ "4096\t131072\t6291456\n", "4096 131072 6291456" },
		{ "first\nsecond\n", "first" },
		{ "[] x\n", "[] x" },
		{ "a[b]\n", "a[b]" },
	};
	const struct plant *plant = *state;
	CLEANUP(free) char *path = plant_path(plant, "attribute");
	CLEANUP(strbuf) struct strbuf value = STRBUF_INIT;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		plant_file(plant, "attribute", rows[i].content);
		assert_int_equal(attribute_read(path, &value, NULL), 0);
		assert_string_equal(strbuf_str(&value), rows[i].value);
	}
}

static void test_equal(void **state)
{
	(void)state;
	assert_true(attribute_equal("8", "08"));
	assert_true(attribute_equal("+8", "8"));
	assert_true(attribute_equal("0", "000"));
	assert_true(attribute_equal("18446744073709551616", "018446744073709551616"));
	assert_true(attribute_equal("4096\t1 2", " 4096 1  2\n"));
	assert_true(attribute_equal("", "\n"));
	assert_false(attribute_equal("8", "80"));
	assert_false(attribute_equal("-8", "8"));
	assert_false(attribute_equal("a", "A"));
	assert_false(attribute_equal("1 2", "12"));
	assert_false(attribute_equal("1 2", "1"));
	assert_true(attribute_is_number("-1"));
	assert_false(attribute_is_number(""));
	assert_false(attribute_is_number("-"));
	assert_false(attribute_is_number("0x10"));
}

static void assert_refused(const struct plant *plant, const char *name, const char *words)
{
	CLEANUP(free) char *path = plant_path(plant, name);
	struct err err = { .code = 0 };

	assert_int_equal(attribute_check(path, &err), -ERR_USAGE);
	if (!strstr(err.msg, words))
		fail_msg("'%s' is not in '%s'", words, err.msg);
}

static void test_check(void **state)
{
	const struct plant *plant = *state;
	CLEANUP(free) char *path = plant_path(plant, "queue/hw_sector_size");
	CLEANUP(free) char *writable = plant_path(plant, "queue/nr_requests");

	plant_file(plant, "queue/nr_requests", "1\n");
	plant_file(plant, "queue/hw_sector_size", "512\n");
	plant_folder(plant, "queue/iosched");
	assert_int_equal(chmod(path, 0444), 0);
	assert_int_equal(attribute_check(writable, NULL), 0);
	assert_refused(plant, "queue/nr_request", "/queue; did you mean 'nr_requests'");
	assert_refused(plant, "queue/zzzzzzzzz", "there is no 'zzzzzzzzz' in ");
	assert_refused(plant, "absent/nr_requests", "there is no 'nr_requests' in ");
	assert_refused(plant, "queue/hw_sector_size", "/queue/hw_sector_size is read-only");
	assert_refused(plant, "queue/iosched", "is a folder, not an attribute");
}

static void test_write_of_nothing_reaches_the_file(void **state)
{
	const struct plant *plant = *state;
	CLEANUP(free) char *path = plant_path(plant, "attribute");
	struct stat st;

	plant_file(plant, "attribute", "");
	assert_int_equal(attribute_write(path, "", NULL), 0);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_size, 1);
}

/* A file of the kernel that keeps 15 characters of what is written. */
#define CUTS "/proc/self/comm"

static void test_set(void **state)
{
	const struct plant *plant = *state;
	CLEANUP(free) char *path = plant_path(plant, "attribute");
	CLEANUP(strbuf) struct strbuf before = STRBUF_INIT;
	struct err err = { .code = 0 };

	plant_file(plant, "attribute", "1\n");
	assert_int_equal(attribute_set(path, "007", &err), 0);
	assert_int_equal(attribute_read(CUTS, &before, NULL), 0);
	assert_int_equal(attribute_set(CUTS, "12345678901234567", &err), -ERR_USAGE);
	assert_string_equal(err.msg, "'12345678901234567' was written to " CUTS
				     ", but it reads '123456789012345'");
	assert_int_equal(attribute_set(CUTS, "-1234567890123456", NULL), 0); /* as it likes */
	assert_int_equal(attribute_set(CUTS, strbuf_str(&before), NULL), 0);
	assert_int_equal(attribute_set("/proc/self/coredump_filter", "lots", &err), -ERR_USAGE);
	assert_non_null(strstr(err.msg, "Invalid argument"));
	assert_int_equal(attribute_set("/nothing/here", "1", &err), -ERR_SYSTEM);
}

static void test_confirm(void **state)
{
	const struct plant *plant = *state;
	CLEANUP(free) char *path = plant_path(plant, "attribute");
	CLEANUP(free) char *absent = plant_path(plant, "absent");
	struct attribute_wanted wanted = {
		.path = path,
		.what = "x of y",
		.key = "q.x",
		.wanted = "a",
	};
	struct result result = { .nr_settings = 0 };
	struct err err = { .code = 0 };

	plant_file(plant, "attribute", "[a] b\n");
	assert_int_equal(attribute_confirm(&wanted, &result, &err), 0);
	assert_int_equal(attribute_confirm(&wanted, NULL, &err), 0);
	wanted.wanted = "-1";
	assert_int_equal(attribute_confirm(&wanted, &result, &err), 0);
	assert_int_equal(result.notes.nr, 1);
	assert_int_equal(result.notes.items[0].id, NOTE_SETTING_NOT_EXACT);
	assert_string_equal(result.notes.items[0].text, "x of y became 'a' by '-1'");
	wanted.wanted = "b";
	assert_int_equal(attribute_confirm(&wanted, &result, &err), -ERR_USAGE);
	assert_string_equal(err.msg,
			    "x of y reads 'a' in the end: a setting after it has changed it");
	wanted.path = plant->root; /* cannot be read, as some that are write-only */
	assert_int_equal(attribute_confirm(&wanted, &result, &err), 0);
	assert_int_equal(result.nr_settings, 4);
	assert_string_equal(result.settings[1].key, "q.x");
	assert_string_equal(result.settings[1].value, "a");
	assert_string_equal(result.settings[3].value, "b");
	assert_int_equal(result.notes.nr, 1);
	wanted.path = absent;
	assert_int_equal(attribute_confirm(&wanted, &result, &err), -ERR_USAGE);
	assert_string_equal(err.msg,
			    "there is no x of y in the end: a setting after it has changed "
			    "that");
	result_release(&result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_read, setup, teardown),
		cmocka_unit_test(test_equal),
		cmocka_unit_test_setup_teardown(test_check, setup, teardown),
		cmocka_unit_test_setup_teardown(test_write_of_nothing_reaches_the_file, setup,
						teardown),
		cmocka_unit_test_setup_teardown(test_set, setup, teardown),
		cmocka_unit_test_setup_teardown(test_confirm, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
