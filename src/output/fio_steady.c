/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fio_steady: the line of the normal text and the object of the JSON about steadystate. */
#include "output/fio_steady.h"

#include "model/result.h"
#include "model/steady.h"
#include "output/fio_number.h"
#include "output/json_emit.h"

#define TEXT_LEN 64

/* fio's line has the same number of KiB/s with both units. */
void fio_steady_text(const struct job_result *job, FILE *to)
{
	const struct steady_result *steady = job->steady;
	unsigned digits = job->significant_figures ? job->significant_figures : FIO_DIGITS;
	char iec[FIO_NUMBER_LEN], si[FIO_NUMBER_LEN], iops[FIO_NUMBER_LEN];
	uint64_t kib_per_sec;

	if (!steady)
		return;
	kib_per_sec = (uint64_t)steady_mean(steady, STEADY_BW) / 1024;
	(void)fprintf(to, "  steadystate  : attained=%s, bw=%s (%s), iops=%s, %s %s=%.3f%s\n",
		      steady->is_attained ? "yes" : "no",
		      fio_number_text(kib_per_sec * 1024, digits, FIO_PREFIX_IEC,
				      FIO_UNIT_BYTE_PER_SEC, iec),
		      fio_number_text(kib_per_sec * 1000, digits, FIO_PREFIX_SI,
				      FIO_UNIT_BYTE_PER_SEC, si),
		      fio_number_text((uint64_t)steady_mean(steady, STEADY_IOPS), digits,
				      FIO_PREFIX_SI, FIO_UNIT_NONE, iops),
		      steady_metric_name(steady->rule.metric),
		      steady->rule.is_slope ? "slope" : "mean dev", steady->criterion,
		      steady->rule.is_percent ? "%" : "");
}

static void write_samples(struct json_emit *emit, const struct steady_result *steady,
			  unsigned metric)
{
	json_emit_open(emit, steady_metric_name(metric), '[');
	for (size_t i = 0; i < steady->nr; i++)
		json_emit_u64(emit, NULL, steady_value(&steady->samples[i], metric));
	json_emit_close(emit, ']');
}

void fio_steady_json(struct json_emit *emit, const struct job_result *job)
{
	const struct steady_result *steady = job->steady;
	char text[TEXT_LEN];

	if (!steady)
		return;
	json_emit_open(emit, "steadystate", '{');
	(void)snprintf(text, sizeof(text), "%s%s:%f%s", steady_metric_name(steady->rule.metric),
		       steady->rule.is_slope ? "_slope" : "", steady->rule.limit,
		       steady->rule.is_percent ? "%" : "");
	json_emit_text(emit, "ss", text);
	json_emit_u64(emit, "duration", steady->duration_s);
	json_emit_u64(emit, "attained", steady->is_attained);
	(void)snprintf(text, sizeof(text), "%f%s", steady->criterion,
		       steady->rule.is_percent ? "%" : "");
	json_emit_text(emit, "criterion", text);
	json_emit_real(emit, "max_deviation", steady->rule.is_slope ? 0 : steady->spread);
	json_emit_real(emit, "slope", steady->rule.is_slope ? steady->spread : 0);
	json_emit_open(emit, "data", '{');
	json_emit_u64(emit, "bw_mean", (uint64_t)steady_mean(steady, STEADY_BW));
	json_emit_u64(emit, "iops_mean", (uint64_t)steady_mean(steady, STEADY_IOPS));
	if (steady->rule.metric == STEADY_LAT)
		json_emit_u64(emit, "lat_mean", (uint64_t)steady_mean(steady, STEADY_LAT));
	write_samples(emit, steady, STEADY_IOPS);
	write_samples(emit, steady, STEADY_BW);
	if (steady->rule.metric == STEADY_LAT)
		write_samples(emit, steady, STEADY_LAT);
	json_emit_close(emit, '}');
	json_emit_close(emit, '}');
}
