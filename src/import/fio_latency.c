/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fio_latency: latencies and percentiles in fio's normal output, each line in its own unit. */
#include "import/fio_run.h"

#include <stdio.h>
#include <string.h>

static void take_moments(struct fio_run *run, const struct fio_piece *piece, const char *prefix)
{
	static const struct {
		const char *key, *rest;
	} keys[] = { { "min", "min" }, { "max", "max" }, { "avg", "mean" }, { "stdev", "stddev" } };
	double unit_ns = fio_unit_ns(piece->text);

	if (unit_ns == 0)
		return;
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		const char *value = fio_key(piece->text, keys[i].key);
		double number;

		if (!value)
			continue;
		if (!fio_count(&value, &number) || number < 0)
			fio_run_refuse(run, piece->line, "%s %s is no time: '%.20s'", prefix,
				       keys[i].key, fio_key(piece->text, keys[i].key));
		else
			fio_run_set(run, prefix, keys[i].rest, number * unit_ns, piece->line);
	}
}

/* "lat (usec) : 250=0.46%, 500=28.74%, >=2000=1.2%": bucket and share. */
static void take_distribution(struct fio_run *run, const struct fio_piece *piece)
{
	const char *unit = strchr(piece->text, '(');
	const char *at = strchr(piece->text, ':');
	char rest[FIO_NAME_LEN];

	while (at && *(at += strspn(at, ":, "))) {
		const char *bound = at + strspn(at, ">=");
		const char *value = strchr(bound, '=');
		double share;

		if (!value || (size_t)(value - bound) > 6)
			return;
		(void)snprintf(rest, sizeof(rest), "%s%.*s%cs_percent", bound > at ? "ge" : "",
			       (int)(value - bound), bound, unit[1]);
		value++;
		if (!fio_number(&value, &share) || share < 0)
			return;
		fio_run_set(run, "latency", rest, share, piece->line);
		at = strchr(value, ',');
	}
}

static size_t kind_len(const char *text)
{
	return strcspn(text, " ");
}

void fio_take_latency(struct fio_run *run, const struct fio_piece *piece)
{
	char prefix[FIO_NAME_LEN];

	if (!fio_key(piece->text, "min")) {
		take_distribution(run, piece);
		return;
	}
	if (!run->dir)
		return;
	(void)snprintf(prefix, sizeof(prefix), "%s.%.*s_ns", run->dir, (int)kind_len(piece->text),
		       piece->text);
	take_moments(run, piece, prefix);
}

/* "clat prio 1/0" and "high prio_clat" -> "clat_prio_1_0" and "clat_prio_high". */
static bool prio_prefix(const struct fio_run *run, const char *text, char ret_prefix[FIO_NAME_LEN])
{
	const char *old = strstr(text, " prio_");
	unsigned class, level;
	char kind[8];

	if (!run->dir)
		return false;
	if (sscanf(text, "%7s prio %3u/%3u", kind, &class, &level) == 3) {
		(void)snprintf(ret_prefix, FIO_NAME_LEN, "%s.%s_prio_%u_%u_ns", run->dir, kind,
			       class, level);
		return true;
	}
	if (!old)
		return false;
	(void)snprintf(ret_prefix, FIO_NAME_LEN, "%s.%.*s_prio_%.*s_ns", run->dir,
		       (int)strcspn(old + strlen(" prio_"), " ("), old + strlen(" prio_"),
		       (int)kind_len(text), text);
	return true;
}

void fio_take_prio_latency(struct fio_run *run, const struct fio_piece *piece)
{
	char prefix[FIO_NAME_LEN];

	run->percentiles[0] = '\0';
	if (!prio_prefix(run, piece->text, prefix))
		return;
	if (fio_key(piece->text, "min")) {
		take_moments(run, piece, prefix);
		return;
	}
	memcpy(run->percentiles, prefix, sizeof(prefix));
	run->percentile_unit_ns = fio_unit_ns(piece->text);
}

void fio_take_sync(struct fio_run *run, const struct fio_piece *piece)
{
	take_moments(run, piece, "sync.lat_ns");
}

void fio_take_percentiles(struct fio_run *run, const struct fio_piece *piece)
{
	run->percentile_unit_ns = fio_unit_ns(piece->text);
	run->percentiles[0] = '\0';
	if (!strncmp(piece->text, "sync", 4))
		(void)snprintf(run->percentiles, sizeof(run->percentiles), "sync.lat_ns");
	else if (run->dir)
		(void)snprintf(run->percentiles, sizeof(run->percentiles), "%s.%.*s_ns", run->dir,
			       (int)kind_len(piece->text), piece->text);
}

/* "| 99.00th=[ 2869], 99.50th=[ 3239]". */
void fio_take_percentile_row(struct fio_run *run, const struct fio_piece *piece)
{
	char rest[FIO_NAME_LEN];

	if (!run->percentiles[0] || run->percentile_unit_ns == 0)
		return;
	for (const char *at = piece->text; (at = strstr(at, "th=")); at++) {
		const char *number = at;
		const char *value = at + strlen("th=");
		double percent, latency;

		while (number > piece->text && strchr("0123456789.", number[-1]))
			number--;
		value += strspn(value, "[ ");
		if (!fio_number(&number, &percent) || percent > 100 || percent <= 0 ||
		    !fio_count(&value, &latency) || latency < 0)
			continue;
		/* The bracket says that all digits are there. */
		if (*(value + strspn(value, " ")) != ']')
			continue;
		(void)snprintf(rest, sizeof(rest), "p%.9g", percent);
		fio_run_set(run, run->percentiles, rest, latency * run->percentile_unit_ns,
			    piece->line);
	}
}
