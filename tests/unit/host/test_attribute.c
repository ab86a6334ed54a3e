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

static void test_report(void **state)
{
	const struct plant *plant = *state;
	CLEANUP(free) char *path = plant_path(plant, "attribute");
	CLEANUP(free) char *absent = plant_path(plant, "absent");
	struct result result = { .nr_settings = 0 };

	plant_file(plant, "attribute", "[a] b\n");
	attribute_report(path, "x of y", "q.x", "a", &result);
	assert_int_equal(result.notes.nr, 0);
	attribute_report(path, "x of y", "q.x", "b", &result);
	attribute_report(absent, "x of y", "q.z", "7", &result);
	assert_int_equal(result.nr_settings, 3);
	assert_string_equal(result.settings[1].key, "q.x");
	assert_string_equal(result.settings[1].value, "a");
	assert_string_equal(result.settings[2].value, "7");
	assert_int_equal(result.notes.nr, 1);
	assert_int_equal(result.notes.items[0].id, NOTE_SETTING_NOT_EXACT);
	assert_string_equal(result.notes.items[0].text, "x of y is 'a' and not 'b' as asked for");
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
		cmocka_unit_test_setup_teardown(test_report, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
