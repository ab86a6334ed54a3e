/* SPDX-License-Identifier: GPL-2.0-or-later */
/* metric_resolve: from the short names that users type to the full names of a result. */
#include "model/metric.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "base/suggest.h"
#include "base/units.h"
#include "base/words.h"
#include "model/result.h"

/* Mean size of an I/O from which bandwidth says more than IOPS. */
#define LARGE_IO_BYTES 65536.0

#define MAX_NAMES_LEN 360 /* a message has one line, and err.h a limit */

/* Short and full form of what follows the direction; latencies are handled apart. */
static const struct short_name {
	const char *text, *full;
} short_names[] = {
	{ "bw", "bw_bytes_per_sec" }, { "bandwidth", "bw_bytes_per_sec" }, { "ios", "total_ios" },
	{ "bytes", "io_bytes" },      { "runtime", "runtime_ms" },
};

#define NR_SHORT_NAMES (sizeof(short_names) / sizeof(short_names[0]))

static const char *const dir_names[] = { "read", "write", "trim", "sync", "total" };

#define NR_DIR_NAMES (sizeof(dir_names) / sizeof(dir_names[0]))

struct resolver {
	const char *text;
	struct metric_list metrics;
	struct arena arena;
	const char *dir;  /* "write": given or implied */
	const char *rest; /* what followed it: "clat_p99" */
	const char *full; /* rest in full: "clat_ns.p99" */
};

static bool has(const struct resolver *resolver, const char *name, double *ret_value)
{
	return metric_find(&resolver->metrics, name, ret_value) == 0;
}

static bool has_dir(const struct resolver *resolver, const char *dir)
{
	size_t len = strlen(dir);

	for (size_t i = 0; i < resolver->metrics.nr; i++) {
		const char *name = resolver->metrics.items[i].name;

		if (!strncmp(name, dir, len) && name[len] == '.')
			return true;
	}
	return false;
}

/* The only direction that did I/O, else "total". */
static const char *implied_dir(const struct resolver *resolver)
{
	const char *only = NULL;

	for (size_t dir = 0; dir < IO_NR_DATA_DIRS; dir++) {
		const char *name = io_dir_name((enum io_dir)dir);

		if (!has_dir(resolver, name))
			continue;
		if (only)
			return "total";
		only = name;
	}
	return only ? only : "total";
}

/* "p99.90" -> "p99.9", as metrics are named; anything else as it is. */
static const char *plain_statistic(struct resolver *resolver, const char *text)
{
	double percent;

	if (text[0] != 'p' || units_parse_double(text + 1, &percent, NULL) != 0)
		return text;
	return arena_printf(&resolver->arena, "p%.9g", percent);
}

/* "clat_p99" or "clat_ns.p99" -> "clat_ns.p99"; NULL if it is no latency. */
static const char *expand_latency(struct resolver *resolver, const char *rest)
{
	for (size_t kind = 0; kind < LATENCY_NR_KINDS; kind++) {
		const char *name = latency_kind_name((enum latency_kind)kind);
		size_t len = strlen(name);
		const char *statistic = rest + len;

		if (strncmp(rest, name, len) != 0)
			continue;
		if (!strncmp(statistic, "_ns.", 4))
			statistic += 4;
		else if (*statistic == '_' || *statistic == '.')
			statistic++;
		else
			continue;
		return arena_printf(&resolver->arena, "%s_ns.%s", name,
				    plain_statistic(resolver, statistic));
	}
	return NULL;
}

static const char *expand(struct resolver *resolver, const char *rest)
{
	const char *latency = expand_latency(resolver, rest);

	if (latency)
		return latency;
	for (size_t i = 0; i < NR_SHORT_NAMES; i++) {
		if (!strcmp(rest, short_names[i].text))
			return short_names[i].full;
	}
	return rest;
}

/* "pN", or a name of the moments. */
static bool is_statistic(const char *text)
{
	static const char *const names[] = { "mean", "stddev", "min", "max", "sum" };
	double percent;

	if (text[0] == 'p' && units_parse_double(text + 1, &percent, NULL) == 0)
		return percent >= 0 && percent <= 100;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (!strcmp(text, names[i]))
			return true;
	}
	return false;
}

static bool is_of_jobs(const char *full)
{
	static const char *const names[] = { "iops",	 "bw_bytes_per_sec", "total_ios",
					     "io_bytes", "runtime_ms",	     "short_ios",
					     "drop_ios" };
	const char *latency = strstr(full, "_ns.");

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (!strcmp(full, names[i]))
			return true;
	}
	return latency && is_statistic(latency + strlen("_ns."));
}

bool metric_is_of_jobs(const char *text)
{
	struct resolver resolver = { .text = text, .arena = ARENA_INIT };
	const char *rest = text;
	bool has_dir_name = false;
	bool ret;

	for (size_t i = 0; i < NR_DIR_NAMES && !has_dir_name; i++) {
		size_t len = strlen(dir_names[i]);

		has_dir_name = !strncmp(text, dir_names[i], len) && text[len] == '.';
		rest = has_dir_name ? text + len + 1 : text;
	}
	ret = is_of_jobs(expand(&resolver, rest)) || (!has_dir_name && strchr(text, '.'));
	arena_release(&resolver.arena);
	return ret;
}

static void split(struct resolver *resolver)
{
	resolver->dir = NULL;
	resolver->rest = resolver->text;
	for (size_t i = 0; i < NR_DIR_NAMES && !resolver->dir; i++) {
		size_t len = strlen(dir_names[i]);

		if (!strncmp(resolver->text, dir_names[i], len) && resolver->text[len] == '.') {
			resolver->dir = dir_names[i];
			resolver->rest = resolver->text + len + 1;
		}
	}
	if (!resolver->dir)
		resolver->dir = implied_dir(resolver);
	resolver->full = expand(resolver, resolver->rest);
}

/* How a user may type a metric of the direction: "clat_p99"; NULL for other metrics. */
static const char *shorten(struct resolver *resolver, const char *name)
{
	size_t dir_len = strlen(resolver->dir);
	const char *rest = name + dir_len + 1;
	const char *ns;

	if (strncmp(name, resolver->dir, dir_len) != 0 || name[dir_len] != '.')
		return NULL;
	ns = strstr(rest, "_ns.");
	if (ns)
		return arena_printf(&resolver->arena, "%.*s_%s", (int)(ns - rest), rest, ns + 4);
	for (size_t i = 0; i < NR_SHORT_NAMES; i++) {
		if (!strcmp(rest, short_names[i].full))
			return short_names[i].text;
	}
	return rest;
}

/* A percentile that exists in principle but not in this result: says why. 0 if it is none. */
static int refuse_percentile(struct resolver *resolver, struct err *err)
{
	const char *statistic = strstr(resolver->full, "_ns.p");
	const char *mean;
	double percent, value;

	if (!statistic || units_parse_double(statistic + 5, &percent, NULL) != 0 || percent <= 0 ||
	    percent >= 100)
		return 0;
	mean = arena_printf(&resolver->arena, "%s.%.*s_ns.mean", resolver->dir,
			    (int)(statistic - resolver->full), resolver->full);
	if (!has(resolver, mean, &value))
		return 0;
	return err_set(err, ERR_USAGE,
		       "metric '%s': p%.9g is not in this result: either it is not in "
		       "percentile_list, or there were fewer than %.0f I/Os",
		       resolver->text, percent, 3000.0 / (100.0 - percent));
}

static bool is_other_percentile(const char *name)
{
	const char *statistic = strstr(name, "_ns.p");

	return statistic && strcmp(statistic, "_ns.p50") != 0;
}

static int refuse(struct resolver *resolver, struct err *err)
{
	CLEANUP(strbuf) struct strbuf known = STRBUF_INIT;
	CLEANUP(strbuf) struct strbuf others = STRBUF_INIT;
	struct suggest suggest = suggest_for(resolver->text);
	struct suggest suggest_rest = suggest_for(resolver->rest);
	const char *meant;
	int ret = refuse_percentile(resolver, err);

	if (ret < 0)
		return ret;
	for (size_t i = 0; i < resolver->metrics.nr; i++) {
		const char *name = resolver->metrics.items[i].name;
		const char *text = shorten(resolver, name);

		suggest_offer(&suggest, name);
		if (text)
			suggest_offer(&suggest_rest, text);
		/* clat_p50 stands for all percentiles: a message has one line */
		if (!is_other_percentile(name))
			strbuf_printf(text ? &known : &others, ", %s", text ? text : name);
	}
	strbuf_add_str(&known, strbuf_str(&others));
	words_shorten(&known, MAX_NAMES_LEN);
	meant = suggest_best(&suggest_rest) ? suggest_best(&suggest_rest) : suggest_best(&suggest);
	return err_set(err, ERR_USAGE, "unknown metric '%s'%s%s%s; there are: %s", resolver->text,
		       meant ? ", did you mean '" : "", meant ? meant : "", meant ? "'" : "",
		       known.len ? strbuf_str(&known) + 2 : "none, no I/O was measured");
}

/* IOPS for small I/Os, bandwidth for large ones and where an imported result has nothing else. */
static const char *default_text(const struct resolver *resolver)
{
	double iops, bytes_per_sec;

	if (has(resolver, "total.bw_bytes_per_sec", &bytes_per_sec) &&
	    (!has(resolver, "total.iops", &iops) || bytes_per_sec >= iops * LARGE_IO_BYTES))
		return "bw";
	return "iops";
}

/* Length of a name without what stands behind it for the unit. Not without "_percent": these are
 * compared in points, which has to be known from the text alone. */
static size_t stem_len(const char *name)
{
	static const char *const endings[] = {
		"_bytes_per_sec", "_per_sec", "_bytes", "_ns", "_us", "_ms", "_s"
	};
	size_t len = strlen(name);

	for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
		size_t ending_len = strlen(endings[i]);

		if (len > ending_len && !strcmp(name + len - ending_len, endings[i]))
			return len - ending_len;
	}
	return len;
}

/* The only metric that is called so but for the unit: a command prints "lat 3 ms", which becomes
 * lat_ns, and tables show its value with a unit of their own. NULL: none, or several. */
static const char *find_but_for_unit(const struct resolver *resolver)
{
	const size_t len = stem_len(resolver->text);
	const char *found = NULL;

	for (size_t i = 0; i < resolver->metrics.nr; i++) {
		const char *name = resolver->metrics.items[i].name;

		if (stem_len(name) != len || strncmp(name, resolver->text, len) != 0)
			continue;
		if (found)
			return NULL;
		found = name;
	}
	return found;
}

static int resolve(struct resolver *resolver, char **ret_name, struct err *err)
{
	const char *name;
	double value;

	if (!resolver->text)
		resolver->text = default_text(resolver);
	if (has(resolver, resolver->text, &value)) {
		*ret_name = xstrdup(resolver->text);
		return 0;
	}
	split(resolver);
	name = arena_printf(&resolver->arena, "%s.%s", resolver->dir, resolver->full);
	if (!has(resolver, name, &value))
		name = find_but_for_unit(resolver);
	if (!name)
		return refuse(resolver, err);
	*ret_name = xstrdup(name);
	return 0;
}

int metric_list_resolve(const struct metric_list *list, const char *text, char **ret_name,
			struct err *err)
{
	struct resolver resolver = { .text = text, .metrics = *list };
	int ret = resolve(&resolver, ret_name, err);

	arena_release(&resolver.arena);
	return ret;
}
