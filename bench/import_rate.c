/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * import_rate: writes documents of fio's JSON into a file, one after the other as a script that
 * appends its runs does, imports the file and prints the rate and the memory it took.
 * usage: import_rate [MB [DIRECTORY]]
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/rng.h"
#include "base/units.h"
#include "import/import.h"
#include "model/result.h"

#define DEFAULT_MB 256
#define RUN_S 60

struct writer {
	FILE *file;
	struct rng rng;
	uint64_t nr_docs;
};

static uint64_t around(struct writer *writer, uint64_t value)
{
	return value / 2 + rng_below(&writer->rng, value);
}

static void write_latency(struct writer *writer, const char *name, uint64_t mean_ns,
			  bool has_percentiles)
{
	static const char *const percents[] = { "1.000000",  "5.000000",  "10.000000", "20.000000",
						"30.000000", "40.000000", "50.000000", "60.000000",
						"70.000000", "80.000000", "90.000000", "95.000000",
						"99.000000", "99.500000", "99.900000", "99.950000",
						"99.990000" };
	size_t nr = sizeof(percents) / sizeof(percents[0]);

	fprintf(writer->file,
		"        \"%s\" : {\n          \"min\" : %" PRIu64 ",\n          \"max\" : %" PRIu64
		",\n          \"mean\" : %" PRIu64 ".%06u,\n          \"stddev\" : %" PRIu64
		".%06u,\n          \"N\" : %u",
		name, mean_ns / 8, mean_ns * 20, mean_ns,
		(unsigned)rng_below(&writer->rng, 1000000), mean_ns / 2,
		(unsigned)rng_below(&writer->rng, 1000000), mean_ns ? 180000 : 0);
	if (has_percentiles)
		fprintf(writer->file, ",\n          \"percentile\" : {");
	for (size_t i = 0; has_percentiles && i < nr; i++)
		fprintf(writer->file, "%s\n            \"%s\" : %" PRIu64, i ? "," : "",
			percents[i], mean_ns / 4 + i * mean_ns / 4);
	fprintf(writer->file, "%s\n        },\n", has_percentiles ? "\n          }" : "");
}

static void write_dir(struct writer *writer, const char *name, uint64_t iops)
{
	uint64_t ios = iops * RUN_S;

	fprintf(writer->file,
		"      \"%s\" : {\n        \"io_bytes\" : %" PRIu64
		",\n        \"io_kbytes\" : %" PRIu64 ",\n        \"bw_bytes\" : %" PRIu64
		",\n        \"bw\" : %" PRIu64 ",\n        \"iops\" : %" PRIu64
		".%06u,\n        \"runtime\" : %u,\n        \"total_ios\" : %" PRIu64
		",\n        \"short_ios\" : 0,\n        \"drop_ios\" : 0,\n",
		name, ios * 4096, ios * 4, iops * 4096, iops * 4, iops,
		iops ? (unsigned)rng_below(&writer->rng, 1000000) : 0, iops ? RUN_S * 1000 : 0,
		ios);
	write_latency(writer, "slat_ns", iops ? around(writer, 2000) : 0, false);
	write_latency(writer, "clat_ns", iops ? around(writer, 300000) : 0, iops != 0);
	write_latency(writer, "lat_ns", iops ? around(writer, 400000) : 0, false);
	fprintf(writer->file,
		"        \"bw_min\" : %" PRIu64 ",\n        \"bw_max\" : %" PRIu64
		",\n        \"bw_agg\" : 100.000000,\n        \"bw_mean\" : %" PRIu64
		".168067,\n        \"bw_dev\" : %" PRIu64
		".217041,\n        \"bw_samples\" : 119,\n        \"iops_min\" : %" PRIu64
		",\n        \"iops_max\" : %" PRIu64 ",\n        \"iops_mean\" : %" PRIu64
		".806723,\n        \"iops_stddev\" : %" PRIu64
		".801928,\n        \"iops_samples\" : 119\n      },\n",
		iops * 3, iops * 5, iops * 4, iops / 10, iops / 2, iops * 2, iops, iops / 10);
}

static void write_shares(struct writer *writer, const char *name, const char *const *keys)
{
	fprintf(writer->file, "      \"%s\" : {", name);
	for (size_t i = 0; keys[i]; i++)
		fprintf(writer->file, "%s\n        \"%s\" : %u.%06u", i ? "," : "", keys[i],
			(unsigned)rng_below(&writer->rng, 20),
			(unsigned)rng_below(&writer->rng, 1000000));
	fprintf(writer->file, "\n      },\n");
}

static void write_tail(struct writer *writer)
{
	static const char *const depths[] = { "1", "2", "4", "8", "16", "32", ">=64", NULL };
	static const char *const calls[] = { "0", "4", "8", "16", "32", "64", ">=64", NULL };
	static const char *const small[] = { "2",   "4",   "10",  "20",	  "50", "100",
					     "250", "500", "750", "1000", NULL };
	static const char *const large[] = { "2",   "4",   "10",   "20",   "50",     "100", "250",
					     "500", "750", "1000", "2000", ">=2000", NULL };

	fprintf(writer->file,
		"      \"sync\" : {\n        \"total_ios\" : 0,\n        \"lat_ns\" : {\n          "
		"\"min\" : 0,\n          \"max\" : 0,\n          \"mean\" : 0.000000,\n          "
		"\"stddev\" : 0.000000,\n          \"N\" : 0\n        }\n      },\n"
		"      \"job_runtime\" : %u,\n      \"usr_cpu\" : 3.216072,\n      \"sys_cpu\" : "
		"14.573718,\n      \"ctx\" : %" PRIu64
		",\n      \"majf\" : 0,\n      \"minf\" : 31,\n",
		RUN_S * 1000, around(writer, 180000));
	write_shares(writer, "iodepth_level", depths);
	write_shares(writer, "iodepth_submit", calls);
	write_shares(writer, "iodepth_complete", calls);
	write_shares(writer, "latency_ns", small);
	write_shares(writer, "latency_us", small);
	write_shares(writer, "latency_ms", large);
	fprintf(writer->file, "      \"latency_depth\" : 16,\n      \"latency_target\" : 0,\n"
			      "      \"latency_percentile\" : 100.000000,\n"
			      "      \"latency_window\" : 0\n    }\n  ],\n");
}

static void write_doc(struct writer *writer)
{
	uint64_t time_s = 1700000000 + writer->nr_docs++ * (RUN_S + 2);

	fprintf(writer->file,
		"{\n  \"fio version\" : \"fio-3.33\",\n  \"timestamp\" : %" PRIu64
		",\n  \"timestamp_ms\" : %" PRIu64
		"123,\n  \"time\" : \"Tue Nov 14 22:13:20 2023\",\n  \"jobs\" : [\n    {\n"
		"      \"jobname\" : \"randrw\",\n      \"groupid\" : 0,\n      \"error\" : 0,\n"
		"      \"eta\" : 0,\n      \"elapsed\" : %u,\n      \"job options\" : {\n"
		"        \"name\" : \"randrw\",\n        \"rw\" : \"randrw\",\n        \"bs\" : "
		"\"4k\",\n        \"iodepth\" : \"16\",\n        \"ioengine\" : \"libaio\",\n"
		"        \"direct\" : \"1\",\n        \"filename\" : \"/dev/nvme0n1\",\n"
		"        \"runtime\" : \"60\"\n      },\n",
		time_s, time_s, RUN_S + 1);
	write_dir(writer, "read", around(writer, 3000));
	write_dir(writer, "write", around(writer, 3000));
	write_dir(writer, "trim", 0);
	write_tail(writer);
	fprintf(writer->file,
		"  \"disk_util\" : [\n    {\n      \"name\" : \"nvme0n1\",\n      \"read_ios\" : "
		"%" PRIu64 ",\n      \"write_ios\" : %" PRIu64
		",\n      \"read_merges\" : 0,\n      \"write_merges\" : 12,\n      "
		"\"read_ticks\" : 4432,\n      \"write_ticks\" : 9932,\n      \"in_queue\" : "
		"14364,\n      \"util\" : 99.874210\n    }\n  ]\n}\n",
		around(writer, 180000), around(writer, 180000));
}

static int count(void *context, struct result *result, struct err *err)
{
	(void)err;
	*(uint64_t *)context += result->given.nr > 0;
	return 0;
}

static double cpu_s(void)
{
	struct rusage usage;

	(void)getrusage(RUSAGE_SELF, &usage);
	return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
	       (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

static int measure(const char *path, uint64_t nr_docs, double nr_bytes, struct err *err)
{
	uint64_t nr_results = 0;
	const struct import_sink sink = { .deliver = count, .context = &nr_results };
	uint64_t start_ns = clock_now_ns();
	double start_cpu_s = cpu_s();
	int ret = import_file(path, NULL, &sink, err);
	double seconds = (double)(clock_now_ns() - start_ns) / 1e9;
	double cpu_seconds = cpu_s() - start_cpu_s;
	struct rusage usage;

	if (ret < 0)
		return ret;
	if (nr_results != nr_docs)
		return err_set(err, ERR_INPUT, "%" PRIu64 " documents became %" PRIu64 " results",
			       nr_docs, nr_results);
	(void)getrusage(RUSAGE_SELF, &usage);
	printf("%.0f MB, %" PRIu64 " results: %.1f MB/s, %.1f MB in a second of CPU time, "
	       "peak memory %.1f MB\n",
	       nr_bytes / 1e6, nr_results, nr_bytes / 1e6 / seconds, nr_bytes / 1e6 / cpu_seconds,
	       (double)usage.ru_maxrss / 1000.0);
	return 0;
}

static int run(double nr_mb, const char *directory, struct err *err)
{
	CLEANUP(free) char *path = xasprintf("%s/import-rate-%d.json", directory, (int)getpid());
	struct writer writer = { .file = fopen(path, "w") };
	double nr_bytes;
	int ret;

	if (!writer.file)
		return err_set_errno(err, "open %s", path);
	rng_init(&writer.rng, 1);
	do {
		write_doc(&writer);
		nr_bytes = (double)ftell(writer.file);
	} while (nr_bytes < nr_mb * 1e6);
	ret = fclose(writer.file) ? err_set_errno(err, "write %s", path) : 0;
	if (ret == 0)
		ret = measure(path, writer.nr_docs, nr_bytes, err);
	(void)unlink(path);
	return ret;
}

int main(int argc, char **argv)
{
	struct err err = { .code = 0 };
	double nr_mb = DEFAULT_MB;
	int ret = 0;

	if (argc > 1 && (units_parse_double(argv[1], &nr_mb, NULL) != 0 || nr_mb <= 0))
		ret = err_set(&err, ERR_USAGE, "'%s' is no number of megabytes", argv[1]);
	if (ret == 0)
		ret = run(nr_mb, argc > 2 ? argv[2] : "/tmp", &err);
	if (ret < 0)
		fprintf(stderr, "import_rate: %s\n", err.msg);
	return -ret;
}
