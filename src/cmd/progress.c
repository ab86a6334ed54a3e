/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The live line on stderr: what runs, how far, how fast. */
#include "cmd/progress.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "base/units.h"
#include "cmd/terminal.h"
#include "load/load.h"
#include "model/io.h"

#define PLAIN_INTERVAL_NS (5 * NS_PER_S) /* a log file does not want a line a second */

int progress_init(struct progress *progress, const char *mode, struct err *err)
{
	bool is_terminal = isatty(STDERR_FILENO) == 1;

	*progress = (struct progress){ .is_live = false };
	if (!strcmp(mode, "auto"))
		progress->is_live = is_terminal;
	else if (!strcmp(mode, "always"))
		*(is_terminal ? &progress->is_live : &progress->is_plain) = true;
	else if (strcmp(mode, "never") != 0)
		return err_set(err, ERR_USAGE, "--progress: '%s' is not auto, always or never",
			       mode);
	return 0;
}

static void progress_show(struct progress *progress, struct strbuf *line)
{
	if (progress->is_live) {
		unsigned width = terminal_width(STDERR_FILENO, 80);

		if (line->len >= width)
			strbuf_truncate(line, width - 1);
		(void)fprintf(stderr, "\r\033[K%s", strbuf_str(line));
	} else {
		(void)fprintf(stderr, "%s\n", strbuf_str(line));
	}
	(void)fflush(stderr);
	progress->last_ns = clock_now_ns();
}

void progress_say(struct progress *progress, const char *format, ...)
{
	CLEANUP(strbuf) struct strbuf line = STRBUF_INIT;
	va_list args;

	if (!progress->is_live && !progress->is_plain)
		return;
	va_start(args, format);
	strbuf_vprintf(&line, format, args);
	va_end(args);
	progress_show(progress, &line);
}

static void add_time(struct strbuf *line, const struct load_progress *load)
{
	char elapsed[UNITS_TEXT_LEN];
	char expected[UNITS_TEXT_LEN];

	strbuf_add_str(line, units_print_duration_ns(load->elapsed_ns / NS_PER_S * NS_PER_S,
						     elapsed, sizeof(elapsed)));
	if (load->expected_ns)
		strbuf_printf(
			line, " of %s",
			units_print_duration_ns(load->expected_ns, expected, sizeof(expected)));
}

static void add_rates(struct strbuf *line, const struct load_progress *load)
{
	for (int dir = 0; dir < IO_NR_DATA_DIRS; dir++) {
		char iops[UNITS_TEXT_LEN];
		char rate[UNITS_TEXT_LEN];

		if (load->iops[dir] <= 0)
			continue;
		strbuf_printf(line, ", %s %s IOPS %s", io_dir_name((enum io_dir)dir),
			      units_print_count(load->iops[dir], iops, sizeof(iops)),
			      units_print_rate(load->bytes_per_sec[dir], rate, sizeof(rate)));
	}
}

void progress_load(void *arg, const struct load_progress *load)
{
	struct progress *progress = arg;
	CLEANUP(strbuf) struct strbuf line = STRBUF_INIT;

	if (!progress->is_live && !progress->is_plain)
		return;
	if (progress->is_plain && clock_now_ns() - progress->last_ns < PLAIN_INTERVAL_NS)
		return;
	strbuf_add_str(&line, progress->prefix);
	if (load->laying_out) {
		strbuf_add_str(&line, "laying out files");
	} else {
		add_time(&line, load);
		strbuf_printf(&line, ", %zu of %zu jobs", load->nr_running, load->nr_workers);
		add_rates(&line, load);
	}
	progress_show(progress, &line);
}

void progress_clear(struct progress *progress)
{
	if (!progress->is_live)
		return;
	(void)fputs("\r\033[K", stderr);
	(void)fflush(stderr);
}
