/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run_live: what is printed and logged while the jobs of run are running. */
#include "cmd/run_live.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/log.h"
#include "base/strbuf.h"
#include "base/units.h"
#include "cmd/eta.h"
#include "cmd/interrupt.h"
#include "cmd/run_output.h"
#include "load/load.h"
#include "model/io.h"
#include "model/job.h"
#include "output/output.h"

#define ETA_MIN_INTERVAL_NS UINT64_C(250000000)
#define BANDWIDTH_INTERVAL_NS UINT64_C(500000000) /* as fio */

static void show_line(struct run_live *live, const struct load_progress *load)
{
	CLEANUP(strbuf) struct strbuf line = STRBUF_INIT;
	uint64_t now_ns = clock_now_ns();
	size_t len;

	if (load->laying_out)
		return;
	eta_print(load, &line);
	len = line.len;
	while (line.len < live->line_len) /* covers the rest of a longer one */
		strbuf_add_char(&line, ' ');
	live->line_len = len;
	if (live->eta_newline_ns && now_ns - live->newline_ns >= live->eta_newline_ns) {
		strbuf_add_char(&line, '\n');
		live->newline_ns = now_ns;
		live->line_len = 0;
	} else {
		strbuf_add_char(&line, '\r');
	}
	(void)fputs(strbuf_str(&line), live->line_to);
	(void)fflush(live->line_to);
}

/* "500, 4004, 0, 0, 0": KiB/s of all jobs together. */
static void log_bandwidth(struct run_live *live, const struct load_progress *load)
{
	if (load->laying_out)
		return;
	for (size_t dir = 0; dir < IO_NR_DATA_DIRS; dir++) {
		if (load->iops[dir] > 0)
			(void)fprintf(live->bandwidth[dir], "%" PRIu64 ", %" PRIu64 ", %zu, 0, 0\n",
				      load->elapsed_ns / NS_PER_MS,
				      (uint64_t)load->bytes_per_sec[dir] / 1024, dir);
	}
}

static void live_progress(void *arg, const struct load_progress *load)
{
	struct run_live *live = arg;

	if (live->bandwidth[0])
		log_bandwidth(live, load);
	if (live->has_eta)
		show_line(live, load);
	else
		live->hooks.otherwise(live->hooks.otherwise_arg, load);
}

/* Nothing stands in the way any more: the header comes before what may take long. */
static void live_begun(void *arg)
{
	struct run_live *live = arg;

	for (size_t dir = 0; live->bandwidth[0] && dir < IO_NR_DATA_DIRS; dir++)
		(void)file_empty_report(fileno(live->bandwidth[dir]), "", NULL);
	live->has_begun = true;
	if (live->jobs->nr) /* what cannot be written fails again with the result */
		(void)run_output_header(live->output, live->jobs, NULL);
}

static void live_status(void *arg, const struct result *partial)
{
	struct run_live *live = arg;
	struct err err = { .code = 0 };

	run_live_clear(live);
	if (run_output_result(live->output, partial, &err) < 0 && !live->status_error) {
		live->status_error = 1;
		log_warning("%s", err.msg);
	}
}

static int choose_eta(struct run_live *live, struct err *err)
{
	const char *when = live->options->eta;
	bool is_normal = false, is_other = false;

	for (size_t i = 0; i < live->output->nr; i++) {
		bool is_one = !strcmp(live->output->formats[i]->name, "normal");

		is_normal |= is_one;
		is_other |= !is_one;
	}
	live->line_to = is_other && !live->output->options->path ? stderr : stdout;
	if (!when || !strcmp(when, "never"))
		return 0;
	if (!strcmp(when, "always"))
		live->has_eta = true;
	else if (!strcmp(when, "auto") || live->options->is_lenient)
		live->has_eta = isatty(STDOUT_FILENO) == 1 && is_normal;
	else
		return err_set(err, ERR_USAGE, "--eta: '%s' is not auto, always or never", when);
	return 0;
}

static int open_bandwidth(struct run_live *live, struct err *err)
{
	const char *prefix = live->options->bandwidth_prefix;

	for (size_t dir = 0; prefix && dir < IO_NR_DATA_DIRS; dir++) {
		CLEANUP(free)
		char *path = xasprintf("%s-%s_bw.log", prefix, io_dir_name((enum io_dir)dir));

		int fd = file_open_report(path, 0666, &live->is_new[dir], err);

		if (fd < 0)
			return fd == -ERR_SYSTEM ? err_set_errno(err, "log file '%s'", path) : fd;
		live->bandwidth[dir] = fdopen(fd, "w");
		if (!live->bandwidth[dir])
			return err_set_errno(err, "log file '%s'", path);
	}
	return 0;
}

/* A plain number counts units of its own, as in fio. */
static int read_time(const char *option, const char *text, uint64_t unit_ns, uint64_t *ret_ns,
		     struct err *err)
{
	CLEANUP(free) char *with_unit = NULL;
	const char *bad;

	*ret_ns = 0;
	if (!text)
		return 0;
	if (text[strspn(text, "0123456789")] == '\0')
		with_unit = xasprintf("%s%s", text, unit_ns == NS_PER_MS ? "ms" : "s");
	if (units_parse_duration_ns(with_unit ? with_unit : text, ret_ns, &bad) < 0)
		return err_set(err, ERR_USAGE, "%s: '%s' is no time", option, text);
	return 0;
}

static int read_times(struct run_live *live, uint64_t *ret_status_ns, struct err *err)
{
	const struct run_live_options *options = live->options;
	int ret = read_time("--eta-newline", options->eta_newline, NS_PER_S, &live->eta_newline_ns,
			    err);

	if (ret == 0)
		ret = read_time("--eta-interval", options->eta_interval, NS_PER_MS,
				&live->eta_interval_ns, err);
	if (ret == 0)
		ret = read_time("--status-interval", options->status_interval, NS_PER_S,
				ret_status_ns, err);
	if (ret < 0 || !live->eta_interval_ns || live->eta_interval_ns >= ETA_MIN_INTERVAL_NS)
		return ret;
	live->eta_interval_ns = ETA_MIN_INTERVAL_NS;
	if (!options->is_lenient)
		return err_set(err, ERR_USAGE, "--eta-interval: '%s' is shorter than 250 ms",
			       options->eta_interval);
	return ret;
}

int run_live_check(const struct run_live_options *options, struct err *err)
{
	struct run_live live = { .options = options };
	uint64_t unused;

	return read_times(&live, &unused, err);
}

int run_live_open(struct run_live *live, const struct run_live_options *options,
		  struct run_output *output, struct err *err)
{
	uint64_t status_interval_ns = 0;
	int ret;

	*live = (struct run_live){ .options = options, .output = output };
	live->newline_ns = clock_now_ns();
	ret = read_times(live, &status_interval_ns, err);
	if (ret == 0)
		ret = choose_eta(live, err);
	if (ret == 0)
		ret = open_bandwidth(live, err);
	if (ret < 0)
		return ret;
	live->hooks = (struct session_live){
		.begun = live_begun,
		.progress = live_progress,
		.progress_interval_ns =
			live->bandwidth[0] ? BANDWIDTH_INTERVAL_NS : live->eta_interval_ns,
		.status = live_status,
		.status_interval_ns = status_interval_ns,
		.status_wanted = interrupt_status_wanted(),
		.arg = live,
		.is_quiet = options->eta != NULL,
	};
	output->is_stream |= status_interval_ns != 0;
	return 0;
}

void run_live_clear(struct run_live *live)
{
	if (!live->has_eta || !live->line_len)
		return;
	(void)fputc('\n', live->line_to);
	(void)fflush(live->line_to);
	live->line_len = 0;
}

/* A run that was refused leaves no empty logs. */
static void drop_bandwidth(const struct run_live *live, size_t dir)
{
	CLEANUP(free)
	char *path = xasprintf("%s-%s_bw.log", live->options->bandwidth_prefix,
			       io_dir_name((enum io_dir)dir));

	if (live->is_new[dir])
		(void)unlink(path);
}

int run_live_close(struct run_live *live, int ret, struct err *err)
{
	run_live_clear(live);
	for (size_t dir = 0; dir < IO_NR_DATA_DIRS; dir++) {
		FILE *file = live->bandwidth[dir];

		live->bandwidth[dir] = NULL;
		if (file && !live->has_begun)
			drop_bandwidth(live, dir);
		if (file && (ferror(file) | fclose(file)) != 0 && ret >= 0)
			ret = err_set_errno(err, "write '%s-%s_bw.log'",
					    live->options->bandwidth_prefix,
					    io_dir_name((enum io_dir)dir));
	}
	return ret;
}
