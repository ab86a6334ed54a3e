/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compare_rate: stores two samples of imported results with many metrics each and times the
 * program comparing them, from opening the store to the printed table.
 * usage: compare_rate REGIO [RESULTS [METRICS]]
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/rng.h"
#include "base/units.h"
#include "model/result.h"
#include "store/store.h"

#define NR_ROUNDS 5

struct size {
	uint64_t nr_results; /* of each sample */
	uint64_t nr_metrics;
};

/* Half of the metrics are 10 % larger in the second sample. */
static void fill(struct result *result, const struct size *size, bool is_new, struct rng *rng)
{
	for (uint64_t i = 0; i < size->nr_metrics; i++) {
		double base = 1000.0 * (double)(i + 1) * (is_new && i % 2 ? 1.1 : 1.0);
		CLEANUP(free) char *name = NULL;

		name = i == 0 ? xstrdup("read.iops") : xasprintf("program.part%" PRIu64 "_ns", i);
		given_append(&result->given, name, base * (0.95 + 0.1 * rng_double(rng)), 1);
	}
}

static int store_sample(struct store *store, const struct size *size, bool is_new, struct err *err)
{
	struct store_place place = { .label = is_new ? "new" : "base", .used = 1 };
	struct rng rng;
	int ret = store_begin_experiment(store, "import", "compare_rate", NULL, &place.experiment,
					 err);

	rng_init(&rng, is_new);
	for (uint64_t i = 0; ret == 0 && i < size->nr_results; i++) {
		CLEANUP(result) struct result result = { .tool = xstrdup("program") };
		int64_t run;

		result.source_file = xstrdup("made-here");
		result.source_line = (unsigned)i + 1;
		place.sequence = (unsigned)i;
		fill(&result, size, is_new, &rng);
		ret = store_put_result(store, &place, &result, &run, err);
	}
	return ret;
}

static int make_store(const char *path, const struct size *size, struct err *err)
{
	CLEANUP(store) struct store *store = NULL;
	uint64_t start_ns = clock_now_ns();
	int ret = store_open(path, &store, err);

	if (ret == 0)
		ret = store_begin_batch(store, err);
	if (ret < 0)
		return ret;
	ret = store_sample(store, size, false, err);
	if (ret == 0)
		ret = store_sample(store, size, true, err);
	ret = store_end_batch(store, ret, err);
	if (ret == 0)
		printf("stored 2 x %" PRIu64 " results of %" PRIu64 " metrics: %.2f s\n",
		       size->nr_results, size->nr_metrics,
		       (double)(clock_now_ns() - start_ns) / 1e9);
	return ret;
}

/* Output goes to /dev/null. The exit status is a verdict: anything but an error will do. */
static int compare(const char *program, const char *path, struct err *err)
{
	uint64_t start_ns = clock_now_ns();
	struct rusage usage;
	int status;
	pid_t pid = fork();

	if (pid < 0)
		return err_set_errno(err, "fork");
	if (pid == 0) {
		int null = open("/dev/null", O_WRONLY);

		(void)dup2(null, STDOUT_FILENO);
		(void)execl(program, program, "compare", "--store", path, "base", "new",
			    (char *)NULL);
		_exit(127);
	}
	if (wait4(pid, &status, 0, &usage) < 0)
		return err_set_errno(err, "wait for %s", program);
	if (!WIFEXITED(status) || (WEXITSTATUS(status) > 1 && WEXITSTATUS(status) != 10))
		return err_set(err, ERR_SYSTEM, "%s compare ended with status %d", program,
			       WEXITSTATUS(status));
	printf("compared: %.2f s, %.2f s of CPU time, peak memory %.0f MB\n",
	       (double)(clock_now_ns() - start_ns) / 1e9,
	       (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
		       (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6,
	       (double)usage.ru_maxrss / 1000.0);
	return 0;
}

static int run(const char *program, const struct size *size, struct err *err)
{
	char directory[] = "/tmp/compare-rate-XXXXXX";
	CLEANUP(free) char *path = NULL;
	CLEANUP(free) char *remove = NULL;
	int ret;

	if (!mkdtemp(directory))
		return err_set_errno(err, "make a folder like %s", directory);
	path = xasprintf("%s/regio.db", directory);
	ret = make_store(path, size, err);
	for (int i = 0; ret == 0 && i < NR_ROUNDS; i++)
		ret = compare(program, path, err);
	remove = xasprintf("rm -r %s", directory);
	if (system(remove) != 0)
		fprintf(stderr, "compare_rate: %s is left\n", directory);
	return ret;
}

int main(int argc, char **argv)
{
	struct size size = { .nr_results = 1000, .nr_metrics = 500 };
	struct err err = { .code = 0 };
	int ret = 0;

	if (argc < 2 || (argc > 2 && units_parse_u64(argv[2], &size.nr_results, NULL) != 0) ||
	    (argc > 3 && units_parse_u64(argv[3], &size.nr_metrics, NULL) != 0))
		ret = err_set(&err, ERR_USAGE, "usage: compare_rate REGIO [RESULTS [METRICS]]");
	if (ret == 0)
		ret = run(argv[1], &size, &err);
	if (ret < 0)
		fprintf(stderr, "compare_rate: %s\n", err.msg);
	return -ret;
}
