/* SPDX-License-Identifier: GPL-2.0-or-later */
/* metric: the table of names with unit and polarity, and lists. Values come from result_metrics. */
#include "model/metric.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

struct metric_kind {
	const char *pattern; /* fnmatch(3); the first row that matches counts */
	const char *unit;
	enum polarity polarity;
};

#define HIGHER POLARITY_HIGHER_IS_BETTER
#define LOWER POLARITY_LOWER_IS_BETTER
#define NONE POLARITY_NONE

static const struct metric_kind kinds[] = {
	{ "*.iops", "1/s", HIGHER },
	{ "*.bw_bytes_per_sec", "B/s", HIGHER },
	{ "*.total_ios", "", NONE },
	{ "*.io_bytes", "B", NONE },
	{ "*.runtime_ms", "ms", LOWER }, /* of a fixed amount of work */
	{ "*.slat_ns.*", "ns", LOWER },
	{ "*.intended_ns.*", "ns", LOWER },
	{ "*.clat_ns.*", "ns", LOWER },
	{ "*.lat_ns.*", "ns", LOWER },
	{ "latency.*_percent", "%", NONE }, /* share of a range */
	/* Of the intervals of an imported job. */
	{ "*_samples.nr", "", NONE },
	{ "*.bw_samples.stddev", "B/s", LOWER },
	{ "*.bw_samples.*", "B/s", HIGHER },
	{ "*.iops_samples.stddev", "1/s", LOWER },
	{ "*.iops_samples.*", "1/s", HIGHER },
	{ "*.short_ios", "", LOWER },
	{ "*.drop_ios", "", LOWER },
	{ "latency_target.depth", "", HIGHER },
	{ "steadystate.attained", "", NONE },
	/* More CPU or disk time is good or bad only beside the work that was done. */
	{ "cpu.*_percent", "%", NONE },
	{ "cpu.ctx", "", NONE },
	{ "disk.*_percent", "%", NONE },
	{ "disk.*_ms", "ms", NONE },
	{ "disk.*_bytes", "B", NONE },
	{ "disk.*", "", NONE },

	/* fio by LKP. It knows no direction of latencies; a share of I/Os in a bucket has none. */
	{ "fio.*_iops", "1/s", HIGHER },
	{ "fio.*_bw_MBps", "MiB/s", HIGHER }, /* whatever the name says */
	{ "fio.latency_*%", "%", NONE },
	{ "fio.*_[cs]lat_*", "ns", LOWER }, /* whatever the name says */
	{ "fio.workload", "", NONE },

	/* What else LKP watches, with its directions. Block devices and filesystems: */
	{ "iostat.*.[rw]kB/s", "KiB/s", HIGHER },
	{ "iostat.*.[rw]/s", "1/s", HIGHER },
	{ "iostat.*await*", "ms", LOWER },
	{ "iostat.*.svctm*", "ms", LOWER },
	{ "iostat.*.avgqu-sz.max", "", LOWER },
	{ "btt.Q2Q_ns.*", "ns", NONE }, /* how fast requests come */
	{ "btt.*_ns.*", "ns", LOWER },
	{ "vmstat.io.b[io]", "KiB/s", HIGHER },
	{ "dbench.throughput*", "MB/s", HIGHER },
	{ "dd.*_time_ms", "ms", LOWER },
	{ "dd.*_time", "", LOWER },
	{ "filebench.*operations/s", "1/s", HIGHER },
	{ "fsmark.app_overhead", "", LOWER },
	{ "fsmark.files_per_sec", "1/s", HIGHER },
	{ "fxmark.*works/sec", "1/s", HIGHER },
	{ "iozone.*_KBps", "KiB/s", HIGHER },
	{ "postmark.transactions", "", HIGHER },
	{ "sysbench-fileio.*operations/s", "1/s", HIGHER },
	/* and other programs: */
	{ "aim7.jobs-per-min", "1/min", HIGHER },
	{ "autonuma-benchmark.*.seconds", "s", LOWER },
	{ "blogbench.*_score", "", HIGHER },
	{ "cassandra.Op*rate", "", HIGHER },
	{ "ebizzy.throughput.per_thread.stddev_percent", "%", LOWER },
	{ "exit-free.duration", "", LOWER },
	{ "ftq.*.noise", "", LOWER },
	{ "fwq.*.noise", "", LOWER },
	{ "hpcc.HPL_Tflops", "", HIGHER },
	{ "hpcc.PTRANS_GBs", "", HIGHER },
	{ "iperf.*.bps", "bit/s", HIGHER },
	{ "kbuild.*_per_iteration", "", LOWER },
	{ "kernbench.elapsed_time", "s", LOWER },
	{ "linpack.GFlops", "", HIGHER },
	{ "lmbench3.Pagefaults.ms", "ms", LOWER },
	{ "netperf.Throughput_*", "", HIGHER },
	{ "nuttcp.throughput_Mbps", "", HIGHER },
	{ "pgbench.tps", "1/s", HIGHER },
	{ "pft.faults_per_sec_per_cpu", "1/s", HIGHER },
	{ "qperf.*bw", "", HIGHER },
	{ "reaim.jobs_per_min", "1/min", HIGHER },
	{ "redis.*_throughput_rps", "1/s", HIGHER },
	{ "schbench.*_us", "us", LOWER },
	{ "sockperf.*.BandWidth_MBps", "", HIGHER },
	{ "sockperf.*.avg-lat", "us", LOWER },
	{ "sockperf.*.std-dev", "us", LOWER },
	{ "specjbb2015.*-jOPS", "", HIGHER },
	{ "stream.*_bandwidth_MBps", "MB/s", HIGHER },
	{ "stress-ng.*_per_item", "", HIGHER },
	{ "stress-ng.*_per_seek", "", HIGHER },
	{ "thrulay.RTT", "ms", LOWER },
	{ "thrulay.jitter", "ms", LOWER },
	{ "unixbench.score", "", HIGHER },
	{ "vm-scalability.median", "", HIGHER },
	{ "vm-scalability.stddev*", "", LOWER },
	{ "will-it-scale.*_ops", "1/s", HIGHER },
	{ "will-it-scale.scalability", "", HIGHER },
	/* What a disk that seeks would have to do. */
	{ "order.*.sequential%", "%", HIGHER },
	{ "order.*.backwards%", "%", LOWER },
	{ "order.*.seek_bytes.*", "B", LOWER },
	{ "order.*", "", NONE },
	{ "*%", "%", NONE },
	{ "aiol.*.batch_ns.*", "ns", LOWER },
	{ "aiol.completions_per_sec.*", "1/s", HIGHER },
	/* The monitors measure the machine, not the work. */
	{ "cpufreq.*", "MHz", NONE },
	{ "cpuidle.*.time_per_sec", "us/s", NONE },
	{ "cpuidle.*_per_sec", "1/s", NONE },
	{ "cpuidle.*.time", "us", NONE },
	{ "interrupts.*_per_sec", "1/s", NONE },
	{ "interrupts.*", "", NONE },
	{ "iostat.*kB/s", "KiB/s", NONE },
	{ "iostat.*/s", "1/s", NONE },
	{ "iostat.*areq-sz", "KiB", NONE },
	{ "iostat.*.%*", "%", NONE },
	{ "iostat.*.util", "%", NONE },
	{ "iostat.cpu.*", "%", NONE },
	{ "*meminfo.*HugePages_*", "", NONE },
	{ "*meminfo.*", "KiB", NONE },
	{ "filesystem.used%", "%", NONE },
	{ "filesystem.available_bytes", "B", NONE },
	{ "monitor.*_ms", "ms", NONE },
	{ "numa-*_per_sec", "1/s", NONE },
	{ "numa-*", "", NONE },
	{ "perf-profile.*", "%", NONE },
	{ "perf-sched.*.ms.*", "ms", NONE },
	{ "perf-stat.*", "", NONE },
	{ "pressure.*_us", "us", NONE },
	{ "proc-vmstat.*_per_sec", "1/s", NONE },
	{ "proc-vmstat.*", "", NONE },
	{ "sched_debug.*", "", NONE },
	{ "schedstat.*_ns_per_sec", "ns/s", NONE },
	{ "schedstat.*_per_sec", "1/s", NONE },
	{ "schedstat.*_ns", "ns", NONE },
	{ "slabinfo.*", "", NONE },
	{ "softirqs.*_per_sec", "1/s", NONE },
	{ "softirqs.*", "", NONE },
	{ "thermal.*_count_per_sec", "1/s", NONE },
	{ "thermal.*_count", "", NONE },
	{ "thermal.*", "degC", NONE },
	{ "time.*_per_sec", "1/s", NONE },
	{ "turbostat.*", "", NONE },
	{ "vmstat.cpu.*", "%", NONE },
	{ "vmstat.memory.*", "KiB", NONE },
	{ "vmstat.swap.s[io]", "KiB/s", NONE },
	{ "vmstat.system.*", "1/s", NONE },
	{ "vmstat.*", "", NONE },
	{ "*time.elapsed_time*", "s", LOWER }, /* of a fixed amount of work */
	{ "*time.user_time", "s", NONE },
	{ "*time.system_time", "s", NONE },
	{ "*time.maximum_resident_set_size", "KiB", NONE },

	/* Of any program: what the name says of itself. */
	{ "*_bytes_per_sec", "B/s", HIGHER },
	{ "*nanosecs_per_*", "ns", LOWER },
	{ "*_per_sec", "1/s", HIGHER },
	{ "*_per_second", "1/s", HIGHER },
	{ "*requests/s", "1/s", HIGHER },
	{ "*ops/s", "1/s", HIGHER },
	{ "*ops/sec", "1/s", HIGHER },
	{ "*MB/s", "MB/s", HIGHER },
	{ "*MB/sec", "MB/s", HIGHER },
	{ "*latency*_ns", "ns", LOWER },
	{ "*latency*_us", "us", LOWER },
	{ "*latency*_ms", "ms", LOWER },
	{ "*latency*", "", LOWER },
	{ "*.throughput", "", HIGHER },
	{ "*_percent", "%", NONE },
	{ "*_bytes", "B", NONE },
	{ "*.usr_ms", "ms", NONE },
	{ "*.sys_ms", "ms", NONE },
	{ "*_ns", "ns", LOWER },
	{ "*_ms", "ms", LOWER },
	{ "*", "", NONE },
};

static const struct metric_kind *kind_of(const char *name)
{
	const struct metric_kind *kind = kinds;

	while (fnmatch(kind->pattern, name, 0) != 0)
		kind++; /* ends at the last row, which matches everything */
	return kind;
}

const char *metric_unit(const char *name)
{
	return kind_of(name)->unit;
}

bool metric_is_percent(const char *name)
{
	return name && !strcmp(metric_unit(name), "%");
}

enum polarity metric_polarity(const char *name)
{
	return kind_of(name)->polarity;
}

int polarity_parse(const char *word, enum polarity *ret_polarity)
{
	if (!strcmp(word, "higher"))
		*ret_polarity = POLARITY_HIGHER_IS_BETTER;
	else if (!strcmp(word, "lower"))
		*ret_polarity = POLARITY_LOWER_IS_BETTER;
	else
		return -1;
	return 0;
}

void metric_list_release(struct metric_list *list)
{
	for (size_t i = 0; i < list->nr; i++)
		free(list->items[i].name);
	free(list->items);
	*list = (struct metric_list){ .items = NULL };
}

int metric_find(const struct metric_list *list, const char *name, double *ret_value)
{
	for (size_t i = 0; i < list->nr; i++) {
		if (strcmp(list->items[i].name, name) != 0)
			continue;
		*ret_value = list->items[i].value;
		return 0;
	}
	return -1;
}
