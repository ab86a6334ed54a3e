/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf-record: a profile of the whole machine by perf(1), as the share of samples in which each
 * function ran (self) or was called from (children). Costs enough to be asked for by name. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/child.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "model/given.h"
#include "model/note.h"
#include "model/result.h"
#include "monitor/monitor.h"
#include "monitor/monitor_table.h"
#include "monitor/report.h"
#include "monitor/scan.h"

#define STOP_GRACE_NS UINT64_C(20000000000) /* perf writes what it has, with build ids */
#define REPORT_LIMIT_NS UINT64_C(120000000000)
#define FREQUENCY_HZ "199" /* beats with no tick */
#define MIN_PERCENT 0.05

struct perf_record_monitor {
	char *data_path;
	struct child perf;
	struct err failure; /* it could not be started */
};

static void perf_record_close(void *state)
{
	struct perf_record_monitor *monitor = state;

	(void)child_stop(&monitor->perf, STOP_GRACE_NS);
	(void)unlink(monitor->data_path); /* it may be gone */
	free(monitor->data_path);
	free(monitor);
}

static int check_perf(struct err *err)
{
	static const char *const argv[] = { "perf", "--version", NULL };
	const struct child_spec spec = { .argv = argv, .timeout_ns = STOP_GRACE_NS };

	return child_run_checked(&spec, "perf", NULL, err);
}

static int perf_record_open(const struct monitor_context *context, void **ret_state,
			    struct err *err)
{
	const char *folder = getenv("TMPDIR");
	struct perf_record_monitor *monitor;
	int ret = check_perf(err);
	int fd;

	(void)context;
	if (ret < 0)
		return ret;
	monitor = xcalloc(1, sizeof(*monitor));
	monitor->data_path = xasprintf("%s/regio-perf.XXXXXX", folder && *folder ? folder : "/tmp");
	fd = mkstemp(monitor->data_path);
	if (fd < 0) {
		ret = err_set_errno(err, "create %s", monitor->data_path);
		free(monitor->data_path);
		free(monitor);
		return ret;
	}
	(void)close(fd);
	*ret_state = monitor;
	return 0;
}

/* perf ends with the program that it is given, and that one with us: nothing is left behind. */
static void perf_start(struct perf_record_monitor *monitor)
{
	CLEANUP(free) char *until = xasprintf("--pid=%ld", (long)getpid());
	const char *const argv[] = { "perf",   "record",     "--quiet",	 "--all-cpus",	     "-g",
				     "--freq", FREQUENCY_HZ, "--output", monitor->data_path, "--",
				     "tail",   until,	     "-f",	 "/dev/null",	     NULL };
	const struct child_spec spec = { .argv = argv };

	(void)child_start(&spec, &monitor->perf, &monitor->failure);
}

static void perf_record_sample(void *state, const struct monitor_tick *tick)
{
	struct perf_record_monitor *monitor = state;

	if (tick->nr == 1)
		perf_start(monitor);
	else if (tick->is_end)
		(void)child_stop(&monitor->perf, STOP_GRACE_NS);
}

/* "# Samples: 401  of event 'cpu-clock:ppp'" -> "cpu-clock-ppp", as LKP writes it. */
static bool event_parse(struct scan line, struct strbuf *event)
{
	struct scan_word word;

	if (!scan_skip(&line, "# Samples: ") || !scan_until(&line, '\'', &word) ||
	    !scan_until(&line, '\'', &word))
		return false;
	strbuf_reset(event);
	strbuf_add(event, word.text, word.len);
	for (size_t i = 0; i < event->len; i++) {
		if (event->buf[i] == ':')
			event->buf[i] = '-';
	}
	return true;
}

/* " 20.95% " */
static bool percent_parse(struct scan *line, double *ret_percent)
{
	struct scan_word word;
	char text[16];
	char *end;

	if (!scan_until(line, '|', &word) || word.len >= sizeof(text))
		return false;
	memcpy(text, word.text, word.len);
	text[word.len] = '\0';
	*ret_percent = strtod(text, &end);
	return end != text && *end == '%';
}

/* Without what compilers add to copies of a function, as LKP does. */
static size_t function_len(const struct scan_word *function)
{
	static const char *const suffixes[] = { ".isra.", ".constprop.", ".part." };
	size_t len = function->len;

	for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
		const char *found = memmem(function->text, len, suffixes[i], strlen(suffixes[i]));

		if (found)
			len = (size_t)(found - function->text);
	}
	return len;
}

/* An address without a name. */
static bool is_address(const struct scan_word *function)
{
	size_t nr = 0;

	while (nr < function->len && strchr("0123456789abcdefx", function->text[nr]))
		nr++;
	return nr == function->len && function->text[0] == '0';
}

/* The copies of one function are one. */
static void report_percent(struct result *result, const char *kind, const struct strbuf *event,
			   const struct scan_word *function, double percent)
{
	CLEANUP(free)
	char *name = xasprintf("perf-profile.%s.%s.%.*s", kind, strbuf_str(event),
			       (int)function_len(function), function->text);
	const struct given_metric *known = given_find(&result->monitored, name);

	if (percent < MIN_PERCENT)
		return;
	if (known)
		percent += known->value;
	(void)given_remove(&result->monitored, name);
	monitor_report(result, percent, "%s", name);
}

/* " 16.71% | 1.75%  |[k] exc_page_fault"; addresses without a name say nothing. */
static void function_parse(struct scan line, const struct strbuf *event, struct result *result)
{
	struct scan_word function;
	struct scan_word level;
	double children;
	double self;

	if (!percent_parse(&line, &children) || !percent_parse(&line, &self) ||
	    !scan_word(&line, &level) || !scan_word(&line, &function) || is_address(&function))
		return;
	report_percent(result, "children", event, &function, children);
	report_percent(result, "self", event, &function, self);
}

static void profile_parse(struct scan text, struct result *result)
{
	CLEANUP(strbuf) struct strbuf event = STRBUF_INIT;
	struct scan line;

	while (scan_line(&text, &line)) {
		if (!event_parse(line, &event) && event.len)
			function_parse(line, &event, result);
	}
}

static int profile_report(const struct perf_record_monitor *monitor, struct result *result,
			  struct err *err)
{
	CLEANUP(child_result) struct child_result output = CHILD_RESULT_INIT;
	const char *const argv[] = { "perf",
				     "report",
				     "--stdio",
				     "--input",
				     monitor->data_path,
				     "--children",
				     "-g",
				     "none",
				     "--fields",
				     "overhead_children,overhead,sym",
				     "--field-separator",
				     "|",
				     NULL };
	const struct child_spec spec = { .argv = argv, .timeout_ns = REPORT_LIMIT_NS };
	int ret = monitor->failure.code
			  ? err_set(err, monitor->failure.code, "%s", monitor->failure.msg)
			  : 0;

	if (ret == 0)
		ret = child_run_checked(&spec, "perf report", &output, err);
	if (ret == 0)
		profile_parse(scan_text(strbuf_str(&output.out), output.out.len), result);
	return ret;
}

static void perf_record_report(void *state, struct result *result)
{
	struct err err = { .code = 0 };

	if (profile_report(state, result, &err) < 0)
		note_add(&result->notes, NOTE_MONITOR_ABSENT, "perf-record: no profile: %s",
			 err.msg);
}

const struct monitor_ops monitor_perf_record = {
	.name = "perf-record",
	.summary = "perf-profile.*: share of each function, by perf record (only by name)",
	.flags = MONITOR_BY_NAME,
	.every = 0,
	.open = perf_record_open,
	.sample = perf_record_sample,
	.report = perf_record_report,
	.close = perf_record_close,
};
