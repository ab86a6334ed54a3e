/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_log: levels, prefixes, control characters, whole lines from several threads. */
#include "base/log.h"

#include "test.h"

#include <pthread.h>
#include <string.h>
#include <unistd.h>

#define NR_THREADS 4
#define NR_LINES 100

/* What log functions called by `function` write to stderr. */
static void capture_stderr(void (*function)(void), char *text, size_t len)
{
	FILE *file = tmpfile();
	int saved = dup(STDERR_FILENO);
	size_t got;

	assert_non_null(file);
	assert_true(saved >= 0);
	(void)dup2(fileno(file), STDERR_FILENO);
	function();
	(void)dup2(saved, STDERR_FILENO);
	(void)close(saved);
	rewind(file);
	got = fread(text, 1, len - 1, file);
	text[got] = '\0';
	(void)fclose(file);
}

static void log_all(void)
{
	log_error("e %d", 1);
	log_warning("w %s", "2");
	log_info("i");
	log_debug("d");
}

static void test_levels(void **state)
{
	static const struct {
		enum log_level level;
		const char *text;
	} rows[] = {
		{ LOG_LEVEL_ERROR, "regio: error: e 1\n" },
		{ LOG_LEVEL_WARNING, "regio: error: e 1\nregio: warning: w 2\n" },
		{ LOG_LEVEL_INFO, "regio: error: e 1\nregio: warning: w 2\nregio: i\n" },
		{ LOG_LEVEL_DEBUG,
		  "regio: error: e 1\nregio: warning: w 2\nregio: i\nregio: debug: d\n" },
	};
	char text[300];

	(void)state;
	capture_stderr(log_all, text, sizeof(text));
	assert_string_equal(text, rows[1].text); /* the default is warnings */
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		log_set_level(rows[i].level);
		capture_stderr(log_all, text, sizeof(text));
		assert_string_equal(text, rows[i].text);
	}
	log_set_level(LOG_LEVEL_INFO);
	assert_true(log_is_enabled(LOG_LEVEL_INFO));
	assert_false(log_is_enabled(LOG_LEVEL_DEBUG));
}

static void log_control(void)
{
	log_error("a\x1b[31m\nb\tc \xc3\xa9 \xff\xc3(\xe2\x82");
}

static void test_control_characters(void **state)
{
	char text[100];

	(void)state;
	capture_stderr(log_control, text, sizeof(text));
	assert_string_equal(text, "regio: error: a?[31m?b\tc \xc3\xa9 \\xff\\xc3(\\xe2\\x82\n");
}

static void *log_many(void *argument)
{
	(void)argument;
	for (int i = 0; i < NR_LINES; i++)
		log_error("%0200d", 7);
	return NULL;
}

static void log_from_threads(void)
{
	pthread_t threads[NR_THREADS];

	for (int i = 0; i < NR_THREADS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, log_many, NULL), 0);
	for (int i = 0; i < NR_THREADS; i++)
		assert_int_equal(pthread_join(threads[i], NULL), 0);
}

static void test_threads_write_whole_lines(void **state)
{
	static char text[NR_THREADS * NR_LINES * 256];
	char expected[256];
	size_t nr_lines = 0;
	size_t len = (size_t)snprintf(expected, sizeof(expected), "regio: error: %0200d\n", 7);

	(void)state;
	capture_stderr(log_from_threads, text, sizeof(text));
	for (const char *line = text; *line; line += len) {
		assert_memory_equal(line, expected, len);
		nr_lines++;
	}
	assert_int_equal(nr_lines, NR_THREADS * NR_LINES);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_levels),
		cmocka_unit_test(test_control_characters),
		cmocka_unit_test(test_threads_write_whole_lines),
	};

	return cmocka_run_group_tests_name("log", tests, NULL, NULL);
}
