/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_monitor: vmstat, mpstat and iostat beside the monitors, over ten seconds of a job on a loop
 * and on a zram device. Both read the same counters of a busy machine, but not at the same instant.
 * So the test also keeps reading them itself: what the machine did between a reading of the other
 * program and ours is known, and the two may differ by that and by what the program rounds away.
 */
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/child.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "loopdev.h"
#include "model/given.h"
#include "model/result.h"
#include "monitor/monitor.h"
#include "monitor/monitor_set.h"
#include "test.h"

#define NR_INTERVALS 10
#define POLL_MS 10
/* A reading of the other program is at most so many of our polls old when its line arrives. */
#define NR_KEPT 8
#define MAX_COLUMNS 24

/* What is compared, read by the test itself. */
enum raw_value {
	RAW_INTERRUPTS,
	RAW_SWITCHES,
	RAW_TICKS,
	RAW_IN,
	RAW_OUT,
	RAW_READS, /* of the device */
	RAW_READ_SECTORS,
	RAW_WRITES,
	RAW_WRITE_SECTORS,
	NR_RAW
};

enum program { PROGRAM_VMSTAT, PROGRAM_MPSTAT, PROGRAM_IOSTAT, NR_PROGRAMS };

struct raw {
	double values[NR_RAW];
};

/* Another program and the monitors that do the same. */
struct stream {
	const char *command;
	const char *monitors;
	const char *mark; /* lines with numbers have this word; NULL = begin with a number */
	const char *head; /* the line of titles begins so; NULL = not needed */
	unsigned skip;	  /* words before the columns */
	FILE *file;
	struct strbuf pending;
	struct monitor_set *set;
	struct result result;
	unsigned nr_lines; /* with numbers; the first one begins the comparison */
	struct raw slack;  /* what happened between the readings at both ends */
	char titles[MAX_COLUMNS][16];
	size_t nr_titles;
	double lines[NR_INTERVALS][MAX_COLUMNS];
	size_t nr_columns;
};

struct bench {
	struct raw kept[NR_KEPT]; /* a ring */
	size_t nr_kept;
	const char *disk;
	struct stream streams[NR_PROGRAMS];
};

static double number_after(const char *text, const char *name)
{
	const char *found = strstr(text, name);

	return found ? strtod(found + strlen(name), NULL) : 0;
}

static void disk_read(const char *disk, struct raw *raw)
{
	CLEANUP(free) char *path = xasprintf("/sys/block/%s/stat", disk);
	CLEANUP(strbuf) struct strbuf stat = STRBUF_INIT;
	double fields[8] = { 0 };
	char *at;

	assert_int_equal(file_read(path, 1 << 16, &stat, NULL), 0);
	at = stat.buf;
	for (unsigned i = 0; i < 8; i++)
		fields[i] = strtod(at, &at);
	raw->values[RAW_READS] = fields[0];
	raw->values[RAW_READ_SECTORS] = fields[2];
	raw->values[RAW_WRITES] = fields[4];
	raw->values[RAW_WRITE_SECTORS] = fields[6];
}

static void raw_read(const struct bench *bench, struct raw *raw)
{
	CLEANUP(strbuf) struct strbuf stat = STRBUF_INIT;
	CLEANUP(strbuf) struct strbuf vmstat = STRBUF_INIT;
	char *at;

	assert_int_equal(file_read("/proc/stat", 1 << 20, &stat, NULL), 0);
	assert_int_equal(file_read("/proc/vmstat", 1 << 20, &vmstat, NULL), 0);
	raw->values[RAW_INTERRUPTS] = number_after(strbuf_str(&stat), "\nintr ");
	raw->values[RAW_SWITCHES] = number_after(strbuf_str(&stat), "\nctxt ");
	raw->values[RAW_IN] = number_after(strbuf_str(&vmstat), "\npgpgin ");
	raw->values[RAW_OUT] = number_after(strbuf_str(&vmstat), "\npgpgout ");
	raw->values[RAW_TICKS] = 0;
	at = stat.buf + strlen("cpu");
	for (unsigned i = 0; i < 8; i++)
		raw->values[RAW_TICKS] += strtod(at, &at);
	disk_read(bench->disk, raw);
}

static void keep(struct bench *bench)
{
	raw_read(bench, &bench->kept[bench->nr_kept++ % NR_KEPT]);
}

/* What the machine may have done since the other program read what it has just printed. */
static void add_slack(const struct bench *bench, struct stream *stream)
{
	size_t oldest = bench->nr_kept < NR_KEPT ? 0 : bench->nr_kept % NR_KEPT;
	struct raw now;

	raw_read(bench, &now);
	for (unsigned i = 0; i < NR_RAW; i++)
		stream->slack.values[i] += now.values[i] - bench->kept[oldest].values[i];
}

static bool has_numbers(const struct stream *stream, const char *line)
{
	if (stream->mark)
		return strstr(line, stream->mark) && !strstr(line, "Average") &&
		       !strstr(line, "Linux");
	line += strspn(line, " ");
	return *line >= '0' && *line <= '9';
}

static void take_titles(struct stream *stream, const char *line)
{
	stream->nr_titles = 0;
	line += strcspn(line, " ");
	while (stream->nr_titles < MAX_COLUMNS) {
		int len;

		line += strspn(line, " ");
		len = (int)strcspn(line, " ");
		if (len == 0)
			break;
		(void)snprintf(stream->titles[stream->nr_titles++], sizeof(stream->titles[0]),
			       "%.*s", len, line);
		line += len;
	}
}

static void take_columns(struct stream *stream, const char *line)
{
	double *columns = stream->lines[stream->nr_lines - 1];
	size_t nr = 0;

	for (unsigned i = 0; i < stream->skip; i++) {
		line += strspn(line, " ");
		line += strcspn(line, " ");
	}
	for (;;) {
		char *end;
		double value = strtod(line, &end);

		if (end == line || nr == MAX_COLUMNS)
			break;
		columns[nr++] = value;
		line = end;
	}
	stream->nr_columns = nr;
}

static void take_line(const struct bench *bench, struct stream *stream, const char *line)
{
	if (stream->head && strncmp(line, stream->head, strlen(stream->head)) == 0)
		take_titles(stream, line);
	if (!has_numbers(stream, line) || stream->nr_lines > NR_INTERVALS)
		return;
	if (stream->nr_lines == 0)
		monitor_set_sample(stream->set, MONITOR_FIRST);
	else if (stream->nr_lines < NR_INTERVALS)
		monitor_set_sample(stream->set, MONITOR_BETWEEN);
	else
		monitor_set_sample(stream->set, MONITOR_LAST);
	if (stream->nr_lines == 0 || stream->nr_lines == NR_INTERVALS)
		add_slack(bench, stream);
	if (stream->nr_lines > 0)
		take_columns(stream, line);
	stream->nr_lines++;
}

/* False at the end of the program. */
static bool stream_read(const struct bench *bench, struct stream *stream)
{
	char buf[4096];
	ssize_t got = read(fileno(stream->file), buf, sizeof(buf));
	char *newline;

	if (got <= 0)
		return false;
	strbuf_add(&stream->pending, buf, (size_t)got);
	while ((newline = strchr(stream->pending.buf, '\n')) != NULL) {
		CLEANUP(free) char *rest = xstrdup(newline + 1);

		*newline = '\0';
		take_line(bench, stream, stream->pending.buf);
		strbuf_reset(&stream->pending);
		strbuf_add_str(&stream->pending, rest);
	}
	return true;
}

static void streams_open(struct bench *bench)
{
	keep(bench);
	for (unsigned i = 0; i < NR_PROGRAMS; i++) {
		struct stream *stream = &bench->streams[i];
		struct monitor_choice choice;
		const struct monitor_set_config config = {
			.choice = &choice,
			.disks = &bench->disk,
			.nr_disks = 1,
		};

		assert_int_equal(monitor_choose(stream->monitors, &choice, NULL), 0);
		stream->set = monitor_set_open(&config);
		stream->file = popen(stream->command, "re");
		assert_non_null(stream->file);
	}
}

static void streams_follow(struct bench *bench)
{
	bool is_open[NR_PROGRAMS] = { true, true, true };

	while (is_open[PROGRAM_VMSTAT] || is_open[PROGRAM_MPSTAT] || is_open[PROGRAM_IOSTAT]) {
		struct pollfd fds[NR_PROGRAMS];

		for (unsigned i = 0; i < NR_PROGRAMS; i++)
			fds[i] = (struct pollfd){ .fd = is_open[i] ? fileno(bench->streams[i].file)
								   : -1,
						  .events = POLLIN };
		(void)poll(fds, NR_PROGRAMS, POLL_MS);
		for (unsigned i = 0; i < NR_PROGRAMS; i++) {
			if (fds[i].revents)
				is_open[i] = stream_read(bench, &bench->streams[i]);
		}
		keep(bench);
	}
}

static void streams_close(struct bench *bench)
{
	for (unsigned i = 0; i < NR_PROGRAMS; i++) {
		struct stream *stream = &bench->streams[i];

		(void)pclose(stream->file);
		assert_int_equal(stream->nr_lines, NR_INTERVALS + 1);
		monitor_set_report(stream->set, &stream->result);
		monitor_set_close(stream->set);
		strbuf_release(&stream->pending);
	}
}

static double sum_of(const struct stream *stream, size_t column)
{
	double sum = 0;

	for (unsigned i = 0; i < NR_INTERVALS; i++)
		sum += stream->lines[i][column];
	return sum;
}

static double value_of(const struct stream *stream, const char *name)
{
	const struct given_metric *metric = given_find(&stream->result.monitored, name);

	if (!metric)
		fail_msg("no metric '%s'", name);
	return metric ? metric->value : 0;
}

static void assert_near(const char *name, double ours, double theirs, double tolerance)
{
	printf("# %-26s %14.3f %14.3f  +- %.3f\n", name, ours, theirs, tolerance);
	if (fabs(ours - theirs) > tolerance)
		fail_msg("%s: %g here, %g there, at most %g apart", name, ours, theirs, tolerance);
}

/* A column of whole numbers per second, of a counter that the test has read as well. */
static void check_rate(const struct stream *stream, const char *name, size_t column,
		       enum raw_value raw)
{
	double window = value_of(stream, "monitor.window_ms") / 1000;
	double ours = value_of(stream, name) * window;

	assert_near(name, ours, sum_of(stream, column),
		    stream->slack.values[raw] + 0.5 * NR_INTERVALS + 0.005 * ours);
}

/* A share of CPU time in percent, rounded in each line. */
static void check_share(const struct stream *stream, const char *name, size_t column,
			double rounding)
{
	double ticks = (double)sysconf(_SC_NPROCESSORS_ONLN) * (double)sysconf(_SC_CLK_TCK) *
		       value_of(stream, "monitor.window_ms") / 1000;

	assert_near(name, value_of(stream, name), sum_of(stream, column) / NR_INTERVALS,
		    rounding + 100 * stream->slack.values[RAW_TICKS] / ticks + 0.5);
}

/* procs r b, memory swpd free buff cache, swap si so, io bi bo, system in cs,
 * cpu us sy id wa st */
static void check_vmstat(const struct stream *stream)
{
	double total_kib = value_of(stream, "meminfo.MemTotal");

	assert_true(stream->nr_columns >= 17);
	check_rate(stream, "vmstat.io.bi", 8, RAW_IN);
	check_rate(stream, "vmstat.io.bo", 9, RAW_OUT);
	check_rate(stream, "vmstat.system.in", 10, RAW_INTERRUPTS);
	check_rate(stream, "vmstat.system.cs", 11, RAW_SWITCHES);
	check_share(stream, "vmstat.cpu.us", 12, 1);
	check_share(stream, "vmstat.cpu.sy", 13, 1);
	check_share(stream, "vmstat.cpu.id", 14, 1);
	check_share(stream, "vmstat.cpu.wa", 15, 1);
	check_share(stream, "vmstat.cpu.st", 16, 1);
	/* other programs take and give back memory between the two readings */
	assert_near("vmstat.memory.free", value_of(stream, "vmstat.memory.free"),
		    sum_of(stream, 3) / NR_INTERVALS, 0.03 * total_kib);
	assert_near("vmstat.memory.cache", value_of(stream, "vmstat.memory.cache"),
		    sum_of(stream, 5) / NR_INTERVALS, 0.03 * total_kib);
}

static void check_mpstat(const struct stream *stream)
{
	static const char *const names[] = { "usr",  "nice",  "sys",   "iowait", "irq",
					     "soft", "steal", "guest", "gnice",	 "idle" };

	assert_int_equal(stream->nr_columns, 10);
	for (size_t i = 0; i < 10; i++) {
		CLEANUP(free) char *name = xasprintf("mpstat.cpu.all.%s%%", names[i]);

		check_share(stream, name, i, 0.01);
	}
}

static const double *column_of(const struct stream *stream, const char *title)
{
	for (size_t i = 0; i < stream->nr_titles; i++) {
		if (strcmp(stream->titles[i], title) == 0)
			return &stream->lines[0][i];
	}
	return NULL;
}

/*
 * The mean of a column over the I/Os that it is a mean of: those of its direction, for shares of
 * merged requests also these. iostat takes intervals in 1/100 s and prints two digits.
 */
static void check_mean(const struct stream *stream, const char *title, const char *name,
		       double share)
{
	const double *values = column_of(stream, title);
	char letter = title[0] == '%' ? title[1] : title[0];
	char rate[] = { letter, '/', 's', '\0' };
	char merged[] = { letter, 'r', 'q', 'm', '/', 's', '\0' };
	const double *ios = column_of(stream, rate);
	const double *merges = column_of(stream, merged);
	double sum = 0;
	double weights = 0;

	assert_non_null(ios);
	for (size_t i = 0; i < NR_INTERVALS; i++) {
		size_t at = i * MAX_COLUMNS;
		double weight = ios[at] + (title[0] == '%' && merges ? merges[at] : 0);

		sum += weight * values[at];
		weights += weight;
	}
	if (weights > 0)
		assert_near(name, value_of(stream, name), sum / weights,
			    0.006 + 3 * share * sum / weights);
	else /* a mean of nothing: 0.00 there, absent here */
		assert_null(given_find(&stream->result.monitored, name));
}

static void check_column(const struct stream *stream, const char *disk, size_t column, double share)
{
	const char *title = stream->titles[column];
	bool is_util = strcmp(title, "%util") == 0;
	CLEANUP(free) char *name = xasprintf("iostat.%s.%s", disk, is_util ? "util" : title);
	double ours;

	if (!is_util && !strstr(title, "/s") && strcmp(title, "aqu-sz") != 0) {
		check_mean(stream, title, name, share);
		return;
	}
	ours = value_of(stream, name);
	/* busy time is rounded up to ticks of the kernel, anew in each interval */
	assert_near(name, ours, sum_of(stream, column) / NR_INTERVALS,
		    0.006 + share * ours + (is_util ? 4 : 0));
}

/* What may be missing at the ends, of all that the device did of it. */
static double slack_share(const struct stream *stream, const char *disk, const char *column,
			  enum raw_value raw, double factor)
{
	CLEANUP(free) char *name = xasprintf("iostat.%s.%s", disk, column);
	double all = value_of(stream, name) * NR_INTERVALS * factor;

	assert_true(all > 0);
	return stream->slack.values[raw] / all;
}

static void check_iostat(const struct stream *stream, const char *disk)
{
	double share = 0.01 + slack_share(stream, disk, "r/s", RAW_READS, 1) +
		       slack_share(stream, disk, "w/s", RAW_WRITES, 1) +
		       slack_share(stream, disk, "rkB/s", RAW_READ_SECTORS, 2) +
		       slack_share(stream, disk, "wkB/s", RAW_WRITE_SECTORS, 2);

	assert_true(stream->nr_titles >= 16);
	assert_int_equal(stream->nr_columns, stream->nr_titles);
	for (size_t i = 0; i < stream->nr_titles; i++)
		check_column(stream, disk, i, share);
}

/* Reads and writes in both directions with flushes, for as long as the comparison may take. */
static void load_start(const char *device, struct child *load)
{
	CLEANUP(free)
	char *command = xasprintf("exec \"$REGIO\" run --no-save --progress=never --monitors=none "
				  "--name=load --filename=%s --rw=randrw --bs=4k --direct=1 "
				  "--ioengine=libaio --iodepth=4 --rate_iops=500,500 --fsync=50 "
				  "--time_based --runtime=60 >/dev/null 2>&1",
				  device);
	const struct child_spec spec = { .shell = command };

	assert_non_null(getenv("REGIO"));
	assert_int_equal(child_start(&spec, load, NULL), 0);
}

/* The job runs, and whoever looks at new devices has done so. */
static void load_await(const char *disk)
{
	struct raw raw = { .values = { 0 } };

	for (unsigned i = 0; i < 300 && raw.values[RAW_WRITES] < 500; i++) {
		(void)poll(NULL, 0, 100);
		disk_read(disk, &raw);
	}
	assert_true(raw.values[RAW_WRITES] >= 500);
}

static void compare_on(const char *device)
{
	const char *disk = strrchr(device, '/') + 1;
	CLEANUP(free) char *iostat = xasprintf("LC_ALL=C iostat -d -x -k 1 12 %s", disk);
	struct bench bench = {
		.disk = disk,
		.streams = {
			/* the first report of vmstat and iostat is since boot */
			[PROGRAM_VMSTAT] = { .command = "LC_ALL=C vmstat -n 1 12",
					     .monitors = "vmstat,meminfo" },
			[PROGRAM_MPSTAT] = { .command = "LC_ALL=C S_TIME_FORMAT=ISO mpstat 1 11",
					     .monitors = "cpu",
					     .mark = " all ",
					     .skip = 2 },
			[PROGRAM_IOSTAT] = { .command = iostat,
					     .monitors = "disk",
					     .mark = disk,
					     .head = "Device",
					     .skip = 1 },
		},
	};
	struct child load = { .pid = 0 };

	load_start(device, &load);
	load_await(disk);
	streams_open(&bench);
	streams_follow(&bench);
	(void)child_stop(&load, UINT64_C(10000000000));
	streams_close(&bench);
	check_vmstat(&bench.streams[PROGRAM_VMSTAT]);
	check_mpstat(&bench.streams[PROGRAM_MPSTAT]);
	check_iostat(&bench.streams[PROGRAM_IOSTAT], disk);
	for (unsigned i = 0; i < NR_PROGRAMS; i++)
		result_release(&bench.streams[i].result);
}

static bool is_installed(void)
{
	return system("command -v vmstat mpstat iostat >/dev/null 2>&1") == 0;
}

#define NOT_INSTALLED "vmstat (procps), mpstat and iostat (sysstat) are not installed"

static void test_loop(void **state)
{
	struct loopdev loop = { .fd = -1 };

	(void)state;
	if (!is_installed())
		test_skip(NOT_INSTALLED);
	loopdev_create(&loop, 64 * MIB, 0);
	compare_on(loop.path);
	loopdev_remove(&loop);
}

/* Number of a zram device, empty if there is none. */
static int zram_setup(void **state)
{
	struct strbuf *number = xcalloc(1, sizeof(*number));

	*state = number;
	(void)file_read_line("/sys/class/zram-control/hot_add", number, NULL);
	return 0;
}

static int zram_teardown(void **state)
{
	struct strbuf *number = *state;

	/* whoever looks at new devices may have it open for a moment */
	if (number->len)
		must_run("for i in $(seq 100); do "
			 "{ echo %s >/sys/class/zram-control/hot_remove; } 2>/dev/null && exit 0; "
			 "sleep 0.1; done; exit 1",
			 strbuf_str(number));
	strbuf_release(number);
	free(number);
	return 0;
}

static void test_zram(void **state)
{
	const struct strbuf *number = *state;
	CLEANUP(free) char *device = xasprintf("/dev/zram%s", strbuf_str(number));
	CLEANUP(free)
	char *size_path = xasprintf("/sys/block/zram%s/disksize", strbuf_str(number));

	if (!is_installed())
		test_skip(NOT_INSTALLED);
	if (!number->len)
		test_skip("no zram");
	assert_int_equal(file_write_line(size_path, "64M", NULL), 0);
	compare_on(device);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_loop),
		cmocka_unit_test_setup_teardown(test_zram, zram_setup, zram_teardown),
	};

	if (!loopdev_available())
		return 0;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
