/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_log_lines: what stands in the logs of I/Os whose times are known. */
#include "load/log_lines.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "load/log_file.h"
#include "load/log_ring.h"
#include "model/job.h"
#include "test.h"

#define MS UINT64_C(1000000)
#define EPOCH (5000 * MS)

static const struct clock clock_of_ns = CLOCK_INIT;

/* One clone that logs everything, to files of its own. */
struct logs {
	char dir[64];
	struct log_file files[LOG_NR_KINDS];
	struct log_lines lines;
};

static char *path_of(const struct logs *logs, size_t kind)
{
	return xasprintf("%s/%zu", logs->dir, kind);
}

static void logs_open(struct logs *logs, const struct job_log *log)
{
	*logs = (struct logs){ .dir = "/tmp/regio-log-XXXXXX" };
	assert_non_null(mkdtemp(logs->dir));
	log_lines_init(&logs->lines, log, &clock_of_ns, true);
	for (size_t kind = 0; kind < LOG_NR_KINDS; kind++) {
		CLEANUP(free) char *path = path_of(logs, kind);

		assert_int_equal(log_file_open(&logs->files[kind], path, NULL), 0);
		if (log_kind_prefix(log, (enum log_kind)kind))
			logs->lines.files[kind] = &logs->files[kind];
	}
}

static void logs_close(struct logs *logs)
{
	for (size_t kind = 0; kind < LOG_NR_KINDS; kind++) {
		log_file_close(&logs->files[kind]);
		assert_int_equal(logs->files[kind].error, 0);
	}
	log_lines_release(&logs->lines);
}

static void assert_log(const struct logs *logs, enum log_kind kind, const char *expected)
{
	CLEANUP(free) char *path = path_of(logs, kind);
	CLEANUP(strbuf) struct strbuf text = STRBUF_INIT;

	assert_int_equal(file_read(path, 1U << 20, &text, NULL), 0);
	assert_string_equal(strbuf_str(&text), expected);
}

static void logs_remove(struct logs *logs)
{
	for (size_t kind = 0; kind < LOG_NR_KINDS; kind++) {
		CLEANUP(free) char *path = path_of(logs, kind);

		(void)unlink(path);
	}
	(void)rmdir(logs->dir);
}

static void add(struct logs *logs, uint64_t at_us, enum io_dir dir, uint32_t len_bytes,
		uint64_t clat_ns)
{
	const struct log_entry entry = {
		.done_ticks = EPOCH + at_us * 1000,
		.slat_ns = 500,
		.clat_ns = clat_ns,
		.offset_bytes = 8192,
		.len_bytes = len_bytes,
		.dir = dir,
	};

	log_lines_add(&logs->lines, &entry, EPOCH);
}

static const struct job_log all = {
	.bw_prefix = "",
	.iops_prefix = "",
	.lat_prefix = "",
};

static void test_each(void **state)
{
	struct logs logs;

	(void)state;
	logs_open(&logs, &all);
	add(&logs, 1500, IO_READ, 4096, 10000);
	add(&logs, 2999, IO_TRIM, 512, 3);
	log_lines_finish(&logs.lines, EPOCH, EPOCH + 4 * MS);
	logs_close(&logs);
	assert_log(&logs, LOG_BW, "1, 409600, 0, 4096, 0\n2, 170666666, 2, 512, 0\n");
	assert_log(&logs, LOG_IOPS, "1, 1, 0, 4096, 0\n2, 1, 2, 512, 0\n");
	assert_log(&logs, LOG_SLAT, "1, 500, 0, 4096, 0\n2, 500, 2, 512, 0\n");
	assert_log(&logs, LOG_CLAT, "1, 10000, 0, 4096, 0\n2, 3, 2, 512, 0\n");
	assert_log(&logs, LOG_LAT, "1, 10500, 0, 4096, 0\n2, 503, 2, 512, 0\n");
	assert_log(&logs, LOG_HIST, "");
	logs_remove(&logs);
}

static void test_columns(void **state)
{
	struct job_log log = all;
	struct logs logs;

	(void)state;
	log.offset = log.prio = log.issue_time = true;
	log.value = LOG_VALUE_BOTH;
	logs_open(&logs, &log);
	logs.lines.base_ms = 1700000000000;
	add(&logs, 1500, IO_WRITE, 4096, 10000);
	logs_close(&logs);
	assert_log(&logs, LOG_CLAT,
		   "1700000000001, 10000, 10000, 1, 4096, 8192, 0x0000, 1490000\n");
	logs_remove(&logs);
}

/* Every I/O is in exactly one window; the last one ends with the measurement. */
static void test_windows(void **state)
{
	struct job_log log = all;
	struct logs logs;

	(void)state;
	log.window_ms = 100;
	logs_open(&logs, &log);
	add(&logs, 10000, IO_READ, 102400, 1000);
	add(&logs, 99999, IO_READ, 102400, 4000);
	add(&logs, 99999, IO_WRITE, 10240, 7);
	add(&logs, 100000, IO_WRITE, 10240, 9);
	add(&logs, 350000, IO_READ, 51200, 2001); /* two windows without I/O have no line */
	log_lines_finish(&logs.lines, EPOCH, EPOCH + 350 * MS);
	logs_close(&logs);
	assert_log(&logs, LOG_BW,
		   "100, 2000, 0, 0, 0\n100, 100, 1, 0, 0\n200, 100, 1, 0, 0\n"
		   "350, 1000, 0, 0, 0\n");
	assert_log(&logs, LOG_IOPS,
		   "100, 20, 0, 0, 0\n100, 10, 1, 0, 0\n200, 10, 1, 0, 0\n350, 20, 0, 0, 0\n");
	assert_log(&logs, LOG_CLAT,
		   "100, 2500, 0, 0, 0\n100, 7, 1, 0, 0\n200, 9, 1, 0, 0\n350, 2001, 0, 0, 0\n");
	logs_remove(&logs);
}

static void test_maximum(void **state)
{
	struct job_log log = all;
	struct logs logs;

	(void)state;
	log.window_ms = 100;
	log.value = LOG_VALUE_MAX;
	logs_open(&logs, &log);
	add(&logs, 1, IO_READ, 4096, 1000);
	add(&logs, 2, IO_READ, 4096, 4000);
	log_lines_finish(&logs.lines, EPOCH, EPOCH + 50 * MS);
	logs_close(&logs);
	assert_log(&logs, LOG_CLAT, "50, 4000, 0, 0, 0\n");
	assert_log(&logs, LOG_IOPS, "50, 40, 0, 0, 0\n");
	logs_remove(&logs);
}

/* Counts of a line of the histogram log behind its first three columns. */
static uint64_t sum_of_line(const char *line, size_t *ret_nr)
{
	uint64_t sum = 0;
	size_t nr = 0;

	for (; *line && *line != '\n'; line += strcspn(line, ",\n") + (*line == ',')) {
		line += strspn(line, ", ");
		if (*line == '\n')
			break;
		if (nr++ >= 3)
			sum += strtoull(line, NULL, 10);
		line += strcspn(line, ",\n");
		if (*line == '\n')
			break;
	}
	*ret_nr = nr;
	return sum;
}

static void test_histograms(void **state)
{
	struct job_log log = { .hist_prefix = "", .hist_window_ms = 100, .hist_coarseness = 6 };
	struct logs logs;
	CLEANUP(free) char *path = NULL;
	CLEANUP(strbuf) struct strbuf text = STRBUF_INIT;
	const char *second;
	size_t nr;

	(void)state;
	logs_open(&logs, &log);
	for (unsigned i = 0; i < 300; i++)
		add(&logs, i * 1000, IO_READ, 4096, i * 1000);
	log_lines_finish(&logs.lines, EPOCH, EPOCH + 300 * MS);
	logs_close(&logs);
	path = path_of(&logs, LOG_HIST);
	assert_int_equal(file_read(path, 1U << 20, &text, NULL), 0);
	assert_int_equal(strncmp(strbuf_str(&text), "100, 0, 4096, 1, ", 17), 0);
	assert_int_equal(sum_of_line(strbuf_str(&text), &nr), 100);
	assert_int_equal(nr, 3 + 29);
	second = strchr(strbuf_str(&text), '\n') + 1;
	assert_int_equal(strncmp(second, "200, 0, 4096, 0, ", 17), 0);
	assert_int_equal(sum_of_line(second, &nr), 100);
	assert_int_equal(sum_of_line(strchr(second, '\n') + 1, &nr), 100);
	logs_remove(&logs);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each),	   cmocka_unit_test(test_columns),
		cmocka_unit_test(test_windows),	   cmocka_unit_test(test_maximum),
		cmocka_unit_test(test_histograms),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
