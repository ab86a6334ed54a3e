/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fio_tail: samples, CPU, depths, issued I/Os and the other last lines of a job's entry. */
#include "import/fio_run.h"

#include <stdio.h>
#include <string.h>

/* The values are KiB/s in every version, also below a label of kB; below MiB and MB they are
 * divided by the kb_base once more. */
static double bw_unit_bytes(const char *text, bool has_si_base)
{
	const char *unit = strchr(text, '(');

	if (!unit)
		return 0;
	unit += 1 + strspn(unit + 1, " ");
	if (*unit == 'M')
		return has_si_base ? 1000.0 * 1024.0 : 1024.0 * 1024.0;
	return *unit == 'K' || *unit == 'k' ? 1024.0 : 0;
}

static const struct {
	const char *key, *rest;
} sample_keys[] = { { "min", "min" }, { "max", "max" }, { "avg", "mean" }, { "stdev", "stddev" } };

void fio_take_bw(struct fio_run *run, const struct fio_piece *piece)
{
	const char *share = fio_key(piece->text, "per");
	double unit_bytes = bw_unit_bytes(piece->text, run->has_si_base);
	double value;
	char prefix[FIO_NAME_LEN];

	if (!run->dir || unit_bytes == 0)
		return;
	(void)snprintf(prefix, sizeof(prefix), "%s.bw_samples", run->dir);
	for (size_t i = 0; i < sizeof(sample_keys) / sizeof(sample_keys[0]); i++) {
		const char *at = fio_key(piece->text, sample_keys[i].key);

		if (at && fio_count(&at, &value) && value >= 0)
			fio_run_set(run, prefix, sample_keys[i].rest, value * unit_bytes,
				    piece->line);
	}
	(void)fio_run_set_key(run, piece, "samples", prefix, "nr");
	if (share && *share == '-')
		fio_run_refuse(run, piece->line, "per=%.*s is no share", (int)strcspn(share, ","),
			       share);
}

void fio_take_iops(struct fio_run *run, const struct fio_piece *piece)
{
	char prefix[FIO_NAME_LEN];

	if (!run->dir)
		return;
	(void)snprintf(prefix, sizeof(prefix), "%s.iops_samples", run->dir);
	for (size_t i = 0; i < sizeof(sample_keys) / sizeof(sample_keys[0]); i++)
		(void)fio_run_set_key(run, piece, sample_keys[i].key, prefix, sample_keys[i].rest);
	(void)fio_run_set_key(run, piece, "samples", prefix, "nr");
}

void fio_take_cpu(struct fio_run *run, const struct fio_piece *piece)
{
	(void)fio_run_set_key(run, piece, "usr", "cpu", "usr_percent");
	(void)fio_run_set_key(run, piece, "sys", "cpu", "sys_percent");
	(void)fio_run_set_key(run, piece, "ctx", "cpu", "ctx");
	(void)fio_run_set_key(run, piece, "majf", "cpu", "major_faults");
	(void)fio_run_set_key(run, piece, "minf", "cpu", "minor_faults");
}

void fio_take_shares(struct fio_run *run, const struct fio_piece *piece)
{
	static const char *const levels[] = { "0", "1", "2", "4", "8", "16", "32", "64" };
	const char *prefix = piece->kind == FIO_DEPTHS	 ? "depth"
			     : piece->kind == FIO_SUBMIT ? "submit"
							 : "complete";
	const char *most = strstr(piece->text, ">=64=");
	char rest[FIO_NAME_LEN];
	double share;

	for (size_t i = 0; i < sizeof(levels) / sizeof(levels[0]); i++) {
		(void)snprintf(rest, sizeof(rest), "%s_percent", levels[i]);
		(void)fio_run_set_key(run, piece, levels[i], prefix, rest);
	}
	if (!most)
		return;
	most += strlen(">=64=");
	if (fio_number(&most, &share) && share >= 0)
		fio_run_set(run, prefix, "ge64_percent", share, piece->line);
}

/* ---- issued ---- */

#define NR_ISSUED 4 /* read, write, trim, sync */

struct issued {
	double values[NR_ISSUED];
	size_t nr;
};

/* "total=20884,20992,0,1315" or, until 2.16, "total=r=196608/w=157447/d=0". */
static void read_issued(const char *text, const char *key, struct issued *ret_issued)
{
	const char *at = fio_key(text, key);

	*ret_issued = (struct issued){ .nr = 0 };
	while (at && ret_issued->nr < NR_ISSUED) {
		if (strchr("rwd", *at) && *at && at[1] == '=')
			at += 2;
		if (!fio_number(&at, &ret_issued->values[ret_issued->nr]) ||
		    ret_issued->values[ret_issued->nr] < 0)
			return;
		ret_issued->nr++;
		if (*at != ',' && *at != '/')
			return;
		at++;
		at += strspn(at, " ");
		if (!strchr("rwd0123456789", *at) || (strchr("rwd", *at) && at[1] != '='))
			return;
	}
}

static bool has_dir(struct fio_run *run, const char *dir)
{
	const struct given_list *given = fio_run_given(run);
	size_t len = strlen(dir);

	for (size_t i = 0; i < given->nr; i++) {
		if (!strncmp(given->items[i].name, dir, len) && given->items[i].name[len] == '.')
			return true;
	}
	return false;
}

/* Zero is a value only for a direction that was printed. */
static void set_issued(struct fio_run *run, const struct issued *issued, const char *rest,
		       unsigned line)
{
	static const char *const dirs[NR_ISSUED] = { "read", "write", "trim", "sync" };

	for (size_t i = 0; i < issued->nr; i++) {
		if (issued->values[i] > 0 || has_dir(run, dirs[i]))
			fio_run_set(run, dirs[i], rest, issued->values[i], line);
	}
}

void fio_take_issued(struct fio_run *run, const struct fio_piece *piece)
{
	static const struct {
		const char *key, *rest;
	} rows[] = { { "total", "total_ios" },
		     { "short", "short_ios" },
		     { "dropped", "drop_ios" },
		     { "drop", "drop_ios" } };
	bool is_mixed = has_dir(run, "mixed") && !has_dir(run, "read") && !has_dir(run, "write");

	run->has_tail = true;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct issued issued;
		double sum = 0;

		read_issued(piece->text, rows[i].key, &issued);
		if (i > 0 && issued.nr == NR_ISSUED)
			issued.nr--; /* short syncs do not exist */
		if (!is_mixed) {
			set_issued(run, &issued, rows[i].rest, piece->line);
			continue;
		}
		/* Mixed I/Os are all counted in one place, and not always in the same one. */
		for (size_t dir = 0; dir < issued.nr && dir < 3; dir++)
			sum += issued.values[dir];
		if (issued.nr)
			fio_run_set(run, "mixed", rows[i].rest, sum, piece->line);
	}
}

void fio_take_errors(struct fio_run *run, const struct fio_piece *piece)
{
	const char *value = fio_key(piece->text, "total");
	double nr;

	if (value && run->has_job && fio_number(&value, &nr) && nr >= 0 && nr < 1e18)
		run->result.jobs[run->job].nr_errors = (uint64_t)nr;
}

/* Only a run that looked for a latency has something to say here. */
void fio_take_target(struct fio_run *run, const struct fio_piece *piece)
{
	const char *value = fio_key(piece->text, "target");
	double target;

	run->has_tail = true;
	if (value && fio_number(&value, &target) && target > 0)
		(void)fio_run_set_key(run, piece, "depth", "latency_target", "depth");
}

void fio_take_steady(struct fio_run *run, const struct fio_piece *piece)
{
	const char *attained = fio_key(piece->text, "attained");

	if (!attained)
		return;
	fio_run_set(run, "steadystate", "attained", strncmp(attained, "yes", 3) == 0, piece->line);
	(void)fio_run_set_key(run, piece, "iops", "steadystate", "iops");
}
