/* SPDX-License-Identifier: GPL-2.0-or-later */
/* aiol: starts the processes of an aiol run, ends them and adds up what they counted. */
#include "load/aiol.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/args.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/units.h"
#include "load/aiol_report.h"
#include "load/load.h"
#include "model/note.h"
#include "model/result.h"

#define WAIT_POLL_NS 20000000
#define PROGRESS_NS 1000000000
#define STOP_PATIENCE_NS UINT64_C(30000000000) /* then it is killed: a device may have hung */
#define AIO_MAX_NR 65536 /* of all instances together, whatever fs.aio-max-nr says */

static const struct aiol_config defaults = {
	.requests = 64,
	.instances_text = "1",
	.timeout_ns = UINT64_C(10000000000),
};

static const struct arg_row rows[] = {
	{ .name = "requests",
	  .type = ARG_UNSIGNED,
	  .offset = offsetof(struct aiol_config, requests),
	  .value_name = "N",
	  .help = "blocks of 4 KiB per batch, 1 to 4096 (default 64)" },
	{ .name = "instances",
	  .type = ARG_STRING,
	  .offset = offsetof(struct aiol_config, instances_text),
	  .value_name = "N",
	  .help = "processes; 0 or 100% = one for each CPU (default 1)" },
	{ .name = "timeout",
	  .type = ARG_DURATION,
	  .offset = offsetof(struct aiol_config, timeout_ns),
	  .value_name = "TIME",
	  .help = "how long each of them runs (default 10s)" },
	{ .name = "ops",
	  .type = ARG_U64,
	  .offset = offsetof(struct aiol_config, max_ops),
	  .value_name = "N",
	  .help = "stop after so many operations of all together" },
	{ .name = "directory",
	  .type = ARG_STRING,
	  .offset = offsetof(struct aiol_config, directory),
	  .value_name = "DIR",
	  .help = "where the files are made (default: the stack's filesystem, or here)" },
	{ .name = "like-stress-ng",
	  .type = ARG_BOOL,
	  .offset = offsetof(struct aiol_config, like_stress_ng),
	  .help = "the same offsets in all instances and all its calls, for posted numbers" },
};

static const struct args_spec spec = {
	.command = "regio run aiol",
	.summary = "batches of adjacent asynchronous 4 KiB writes and reads, as stress-ng --aiol",
	.rows = rows,
	.nr_rows = sizeof(rows) / sizeof(*rows),
};

static int parse_instances(struct aiol_config *config, struct err *err)
{
	const char *text = config->instances_text;
	size_t len = strlen(text);
	uint64_t nr_cpus = (uint64_t)sysconf(_SC_NPROCESSORS_ONLN);
	CLEANUP(free) char *number = xstrndup(text, len && text[len - 1] == '%' ? len - 1 : len);
	bool is_percent = strlen(number) < len;
	uint64_t nr = 0;

	if (units_parse_u64(number, &nr, NULL) < 0 || nr > 100 * AIOL_MAX_INSTANCES)
		return err_set(err, ERR_USAGE, "--instances: '%s' is neither a number nor N%%",
			       text);
	if (is_percent)
		nr = nr * nr_cpus / 100;
	else if (nr == 0)
		nr = nr_cpus;
	if (nr == 0 || nr > AIOL_MAX_INSTANCES)
		return err_set(err, ERR_USAGE, "--instances: '%s' is not 1 to %d processes", text,
			       AIOL_MAX_INSTANCES);
	config->nr_instances = (unsigned)nr;
	return 0;
}

static int aiol_check(void *data, struct err *err)
{
	struct aiol_config *config = data;
	int ret = parse_instances(config, err);

	if (ret < 0)
		return ret;
	if (config->requests < 1 || config->requests > AIOL_MAX_REQUESTS)
		return err_set(err, ERR_USAGE, "--requests: %u is not 1 to %d", config->requests,
			       AIOL_MAX_REQUESTS);
	if (config->timeout_ns == 0)
		return err_set(err, ERR_USAGE, "--timeout: 0 measures nothing");
	return 0;
}

/* All processes of a run. */
struct aiol_run {
	struct aiol_config config; /* with the requests that are really made */
	const struct load_config *load;
	struct aiol_shared *shared;
	size_t shared_bytes;
	pid_t *pids; /* 0 = ended */
	unsigned nr_running;
	struct rusage usage; /* sum of the ended ones; maxrss the largest */
	uint64_t begun_ns;
	uint64_t reported_ns;
};

static int share_memory(struct aiol_run *run, struct err *err)
{
	run->shared_bytes =
		sizeof(struct aiol_shared) + run->config.nr_instances * sizeof(struct aiol_counts);
	run->shared = mmap(NULL, run->shared_bytes, PROT_READ | PROT_WRITE,
			   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (run->shared != MAP_FAILED)
		return 0;
	run->shared = NULL;
	return err_set_errno(err, "map %zu bytes", run->shared_bytes);
}

static uint64_t share_of_ops(const struct aiol_config *config, unsigned number)
{
	uint64_t nr = config->nr_instances;
	uint64_t share = config->max_ops / nr + (number < config->max_ops % nr);

	return config->max_ops && !share ? 1 : share;
}

/* The child: dies with its parent, leaves the signals of the terminal to it, and frees nothing,
 * because all it has is a copy. */
static void run_child(const struct aiol_run *run, unsigned number, pid_t parent)
{
	const struct aiol_instance instance = {
		.config = &run->config,
		.shared = run->shared,
		.counts = &run->shared->counts[number],
		.number = number,
		.seed = run->load->seed,
		.max_ops = share_of_ops(&run->config, number),
	};

	(void)prctl(PR_SET_PDEATHSIG, SIGKILL); /* cannot fail with a valid signal */
	(void)signal(SIGINT, SIG_IGN);
	(void)signal(SIGTERM, SIG_IGN);
	(void)signal(SIGHUP, SIG_IGN);
	if (getppid() == parent)
		aiol_instance_run(&instance);
	_exit(0);
}

static int start_children(struct aiol_run *run, struct err *err)
{
	pid_t parent = getpid();
	sigset_t alarm;

	run->pids = xcalloc(run->config.nr_instances, sizeof(*run->pids));
	sigemptyset(&alarm);
	sigaddset(&alarm, SIGALRM);
	for (unsigned i = 0; i < run->config.nr_instances; i++) {
		pid_t pid = fork();

		if (pid < 0)
			return err_set_errno(err, "start process %u of %u", i + 1,
					     run->config.nr_instances);
		if (pid == 0) {
			(void)sigprocmask(SIG_UNBLOCK, &alarm, NULL);
			run_child(run, i, parent);
		}
		run->pids[i] = pid;
		run->nr_running++;
	}
	return 0;
}

static void add_time(struct timeval *to, const struct timeval *time)
{
	suseconds_t sum_us = to->tv_usec + time->tv_usec;

	to->tv_sec += time->tv_sec + sum_us / 1000000;
	to->tv_usec = sum_us % 1000000;
}

static void add_usage(struct rusage *to, const struct rusage *usage)
{
	add_time(&to->ru_utime, &usage->ru_utime);
	add_time(&to->ru_stime, &usage->ru_stime);
	to->ru_minflt += usage->ru_minflt;
	to->ru_majflt += usage->ru_majflt;
	to->ru_nvcsw += usage->ru_nvcsw;
	to->ru_nivcsw += usage->ru_nivcsw;
	if (usage->ru_maxrss > to->ru_maxrss)
		to->ru_maxrss = usage->ru_maxrss;
}

static void note_death(struct aiol_run *run, unsigned number, int status)
{
	struct aiol_counts *counts = &run->shared->counts[number];

	if (counts->error || !WIFSIGNALED(status))
		return;
	counts->error = EIO;
	(void)snprintf(counts->error_where, sizeof(counts->error_where),
		       "its process was ended by signal %d", WTERMSIG(status));
}

static void reap(struct aiol_run *run)
{
	for (unsigned i = 0; i < run->config.nr_instances; i++) {
		struct rusage usage;
		int status;

		if (run->pids[i] == 0 || wait4(run->pids[i], &status, WNOHANG, &usage) <= 0)
			continue;
		run->pids[i] = 0;
		run->nr_running--;
		add_usage(&run->usage, &usage);
		note_death(run, i, status);
	}
}

static void signal_all(const struct aiol_run *run, int signal)
{
	for (unsigned i = 0; run->pids && i < run->config.nr_instances; i++) {
		if (run->pids[i])
			(void)kill(run->pids[i], signal);
	}
}

static bool is_stopped(const struct aiol_run *run)
{
	const atomic_bool *stop = run->load->stop;

	return stop && atomic_load_explicit(stop, memory_order_relaxed);
}

static void report_progress(struct aiol_run *run)
{
	uint64_t now_ns = clock_now_ns();
	struct load_progress progress = {
		.elapsed_ns = now_ns - run->begun_ns,
		.expected_ns = run->config.timeout_ns,
		.nr_running = run->nr_running,
		.nr_workers = run->config.nr_instances,
	};

	if (!run->load->progress || now_ns - run->reported_ns < PROGRESS_NS)
		return;
	run->reported_ns = now_ns;
	run->load->progress(run->load->arg, &progress);
}

/* One that does not end although its time is over and it was told to waits for a device. */
static void wait_all(struct aiol_run *run)
{
	uint64_t end_ns = run->begun_ns + run->config.timeout_ns;
	bool is_told = false;

	while (run->nr_running) {
		reap(run);
		if (!is_told && is_stopped(run)) {
			is_told = true;
			end_ns = clock_now_ns();
			atomic_store(&run->shared->stop, true);
		}
		if (is_told)
			signal_all(run, SIGALRM);
		if (clock_now_ns() > end_ns + STOP_PATIENCE_NS)
			signal_all(run, SIGKILL);
		report_progress(run);
		if (run->nr_running)
			(void)clock_sleep_until_ns(clock_now_ns() + WAIT_POLL_NS);
	}
}

static int measure(struct aiol_run *run, struct err *err)
{
	const struct load_config *load = run->load;
	int ret = start_children(run, err);

	if (ret == 0 && load->prepared)
		ret = load->prepared(load->arg, err);
	if (ret < 0) {
		signal_all(run, SIGKILL);
		while (run->nr_running)
			reap(run);
		return ret;
	}
	if (load->started)
		load->started(load->arg);
	run->begun_ns = clock_now_ns();
	atomic_store(&run->shared->is_started, true);
	wait_all(run);
	if (load->finished)
		load->finished(load->arg);
	return 0;
}

/* As stress-ng does, by a constant in place of the limit of the kernel. */
static void limit_requests(struct aiol_run *run, struct result *result)
{
	unsigned most = AIO_MAX_NR / run->config.nr_instances;

	if (run->config.requests <= most)
		return;
	note_add(&result->notes, NOTE_OPTION_WARNING,
		 "%u requests in each of %u instances are reduced to %u, as stress-ng does",
		 run->config.requests, run->config.nr_instances, most);
	run->config.requests = most;
}

static int aiol_run(const void *data, const struct load_config *load, struct result *result,
		    struct err *err)
{
	struct aiol_run run = { .config = *(const struct aiol_config *)data, .load = load };
	int ret;

	if (!run.config.directory)
		run.config.directory = ".";
	if (load->readonly)
		return err_set(err, ERR_UNSAFE, "aiol writes, but read-only is asked for");
	limit_requests(&run, result);
	ret = share_memory(&run, err);
	if (ret == 0)
		ret = measure(&run, err);
	if (ret == 0) {
		const struct aiol_report report = {
			.config = &run.config,
			.counts = run.shared->counts,
			.usage = &run.usage,
		};

		aiol_report(&report, result);
		if (is_stopped(&run)) {
			result->interrupted = true;
			note_add(&result->notes, NOTE_INTERRUPTED,
				 "aiol was stopped before its time was over");
		}
	}
	free(run.pids);
	if (run.shared)
		(void)munmap(run.shared, run.shared_bytes);
	return ret;
}

const struct own_workload_ops workload_aiol = {
	.name = "aiol",
	.summary = "batches of adjacent asynchronous writes and reads, as stress-ng --aiol",
	.spec = &spec,
	.config_bytes = sizeof(struct aiol_config),
	.defaults = &defaults,
	.directory_offset = offsetof(struct aiol_config, directory),
	.check = aiol_check,
	.run = aiol_run,
};
