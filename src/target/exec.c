/* SPDX-License-Identifier: GPL-2.0-or-later */
/* exec: runs an external command as the workload. Reading what it printed is left to callers. */
#include "target/exec.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include "base/arena.h"
#include "base/child.h"
#include "base/err.h"
#include "base/units.h"
#include "model/given.h"
#include "model/result.h"

#define US_PER_SEC 1e6
/* Of the last line of stderr in a message. */
#define EXEC_QUOTE_LEN 200

static double seconds_of(const struct timeval *time)
{
	return (double)time->tv_sec + (double)time->tv_usec / US_PER_SEC;
}

static void add(struct result *result, const char *name, double value)
{
	(void)given_set(&result->monitored, name, value, 0);
}

/* Unlike the monitor of that name, which sees regio itself, this is about the command. */
static void report_usage(struct result *result, const struct child_result *child)
{
	const struct rusage *usage = &child->usage;
	const double elapsed = (double)child->elapsed_ns / NS_PER_S;
	const double user = seconds_of(&usage->ru_utime);
	const double system = seconds_of(&usage->ru_stime);

	add(result, "time.elapsed_time", elapsed);
	add(result, "time.user_time", user);
	add(result, "time.system_time", system);
	if (elapsed > 0)
		add(result, "time.percent_of_cpu_this_job_got", 100 * (user + system) / elapsed);
	add(result, "time.maximum_resident_set_size", (double)usage->ru_maxrss);
	add(result, "time.major_page_faults", (double)usage->ru_majflt);
	add(result, "time.minor_page_faults", (double)usage->ru_minflt);
	add(result, "time.voluntary_context_switches", (double)usage->ru_nvcsw);
	add(result, "time.involuntary_context_switches", (double)usage->ru_nivcsw);
	add(result, "time.file_system_inputs", (double)usage->ru_inblock);
	add(result, "time.file_system_outputs", (double)usage->ru_oublock);
}

/* The last line of text that says something, without control characters. Caller frees. */
static char *last_words(const struct strbuf *text)
{
	const char *start = strbuf_str(text);
	const char *end = start + text->len;
	const char *line;
	char *words;

	while (end > start && (unsigned char)end[-1] <= ' ')
		end--;
	line = end;
	while (line > start && line[-1] != '\n' && end - line < EXEC_QUOTE_LEN)
		line--;
	words = xstrndup(line, (size_t)(end - line));
	for (char *c = words; *c; c++) {
		if ((unsigned char)*c < ' ')
			*c = ' ';
	}
	return words;
}

/* How it failed; NULL if it did not. Caller frees. */
static char *failure_text(const struct trial_exec *exec, const struct child_result *child,
			  int *ret_errno)
{
	CLEANUP(free) char *words = last_words(&child->err);
	const char *colon = *words ? ": " : "";
	char limit[UNITS_TEXT_LEN];

	*ret_errno = EIO;
	if (child->is_timeout) {
		*ret_errno = ETIMEDOUT;
		return xasprintf("not finished after %s",
				 units_print_duration_ns(exec->timeout_ns, limit, sizeof(limit)));
	}
	if (child->term_signal)
		return xasprintf("ended by signal %d (%s)%s%s", child->term_signal,
				 strsignal(child->term_signal), colon, words);
	if (child->exit_status != 0)
		return xasprintf("exit status %d%s%s", child->exit_status, colon, words);
	return NULL;
}

static void report_failure(struct result *result, const struct trial_exec *exec,
			   const struct child_result *child)
{
	int failure_errno;
	char *text = failure_text(exec, child, &failure_errno);
	struct job_result *job;

	if (!text)
		return;
	job = result_add_job(result);
	job->name = xstrdup(exec->name);
	job->error = failure_errno;
	job->error_where = text;
}

static void report_output(struct result *result, const struct trial_exec *exec,
			  const struct child_result *child)
{
	struct strbuf output = STRBUF_INIT;

	strbuf_add_str(&output, strbuf_str(&child->out)); /* up to a NUL, if it printed one */
	if (output.len && output.buf[output.len - 1] != '\n')
		strbuf_add_char(&output, '\n');
	strbuf_add_str(&output, strbuf_str(&child->err)); /* some print their numbers there */
	result->command = xstrdup(exec->name);
	result->output = strbuf_take(&output);
	if (child->is_cut)
		note_add(&result->notes, NOTE_INPUT_INCOMPLETE,
			 "the command printed more than is kept: the rest is lost");
}

int exec_run(const struct trial_exec *exec, const struct exec_hooks *hooks, struct result *result,
	     struct err *err)
{
	const struct child_spec spec = {
		.shell = exec->command,
		.env = exec->env,
		.timeout_ns = exec->timeout_ns,
		.dir = exec->dir,
		.ends_group = true, /* the next trial is to have the machine */
		.stop = hooks->stop,
	};
	CLEANUP(child_result) struct child_result child = CHILD_RESULT_INIT;
	int ret = hooks->prepared(hooks->arg, err);

	if (ret < 0)
		return ret;
	ret = child_run(&spec, &child, err);
	hooks->finished(hooks->arg);
	if (ret < 0)
		return ret;
	report_usage(result, &child);
	report_output(result, exec, &child);
	report_failure(result, exec, &child);
	return 0;
}
