/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "monitor/probe.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/err.h"
#include "monitor/monitor.h"
#include "plant.h"
#include "test.h"

struct fixture {
	struct plant plant;
	struct probe_pool pool;
};

static uint64_t clock_of_tests(void)
{
	return 42;
}

static int setup(void **state)
{
	struct fixture *fixture = xcalloc(1, sizeof(*fixture));

	plant_create(&fixture->plant);
	*state = fixture;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *fixture = *state;

	probe_pool_release(&fixture->pool);
	plant_remove(&fixture->plant);
	free(fixture);
	return 0;
}

static struct probe *open_one(struct fixture *fixture, const char *name)
{
	struct probe *probe = NULL;

	assert_int_equal(probe_open(&fixture->pool, fixture->plant.root, name, &probe, NULL), 0);
	return probe;
}

static void test_read_once_a_round(void **state)
{
	struct fixture *fixture = *state;
	struct monitor_tick tick = { .nr = 1, .clock = clock_of_tests };
	struct probe *probe;

	plant_file(&fixture->plant, "proc/stat", "first\n");
	probe = open_one(fixture, "proc/stat");
	assert_ptr_equal(open_one(fixture, "proc/stat"), probe); /* shared */
	assert_true(probe_read(probe, &tick));
	assert_string_equal(strbuf_str(&probe->text), "first\n");
	assert_int_equal(probe->taken_ns, 42);
	plant_file(&fixture->plant, "proc/stat", "2\n");
	assert_true(probe_read(probe, &tick));
	assert_string_equal(strbuf_str(&probe->text), "first\n");
	tick.nr = 2;
	assert_true(probe_read(probe, &tick));
	assert_string_equal(strbuf_str(&probe->text), "2\n");
}

static void test_large_file(void **state)
{
	struct fixture *fixture = *state;
	const struct monitor_tick tick = { .nr = 1, .clock = clock_of_tests };
	size_t len = 1000000;
	CLEANUP(free) char *text = xcalloc(len + 1, 1);
	struct probe *probe;

	memset(text, 'x', len);
	plant_file(&fixture->plant, "interrupts", text);
	probe = open_one(fixture, "interrupts");
	assert_true(probe_read(probe, &tick));
	assert_int_equal(probe->text.len, len);
}

static void test_missing_file(void **state)
{
	struct fixture *fixture = *state;
	struct err err = { .code = 0 };
	struct probe *probe;

	assert_true(probe_open(&fixture->pool, fixture->plant.root, "none", &probe, &err) < 0);
	assert_non_null(strstr(err.msg, "/none: No such file or directory"));
	plant_folder(&fixture->plant, "folder");
	assert_true(probe_open(&fixture->pool, fixture->plant.root, "folder", &probe, &err) < 0);
	assert_non_null(strstr(err.msg, "/folder: Is a directory"));
	assert_int_equal(fixture->pool.nr, 0);
}

/* A device that was removed answers ENODEV; here the descriptor fails in another way. */
static void test_file_that_stops_to_answer(void **state)
{
	struct fixture *fixture = *state;
	struct monitor_tick tick = { .nr = 1, .clock = clock_of_tests };
	struct probe *probe;

	plant_file(&fixture->plant, "stat", "1\n");
	probe = open_one(fixture, "stat");
	assert_true(probe_read(probe, &tick));
	assert_int_equal(close(probe->fd), 0);
	probe->fd = -1;
	assert_true(probe_read(probe, &tick)); /* this round has its text */
	tick.nr = 2;
	assert_false(probe_read(probe, &tick));
	assert_false(probe_read(probe, &tick));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_read_once_a_round, setup, teardown),
		cmocka_unit_test_setup_teardown(test_large_file, setup, teardown),
		cmocka_unit_test_setup_teardown(test_missing_file, setup, teardown),
		cmocka_unit_test_setup_teardown(test_file_that_stops_to_answer, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
