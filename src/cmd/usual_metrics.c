/* SPDX-License-Identifier: GPL-2.0-or-later */
/* usual_metrics: what tables for people show first. */
#include "cmd/usual_metrics.h"

#include "base/pattern.h"

static const char *const usual_patterns[] = {
	"*.iops",	   "*.bw_bytes_per_sec", "*.clat_ns.mean",   "*.clat_ns.p50",
	"*.clat_ns.p99",   "*.slat_ns.mean",	 "sync.lat_ns.mean", "sync.lat_ns.p99",
	"cpu.usr_percent", "cpu.sys_percent",	 "order.*%",	     "order.*.seek_bytes.mean",
};

static const char *const detail_patterns[] = {
	"*.min",       "*.max",	     "*.stddev", "*_samples.*",	 "*_ns.p*",
	"latency.*",   "depth.*",    "submit.*", "complete.*",	 "disk.*.aggr_*",
	"*.short_ios", "*.drop_ios", "mixed.*",	 "*.runtime_ms", "*.time.elapsed_time*",
};

bool metric_is_usual(const char *metric)
{
	return PATTERN_ANY(metric, usual_patterns);
}

bool metric_is_detail(const char *metric)
{
	return PATTERN_ANY(metric, detail_patterns);
}
