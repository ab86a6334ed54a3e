/* SPDX-License-Identifier: GPL-2.0-or-later */
/* eta: the text of fio's progress line. Where it goes is run_live's. */
#include "cmd/eta.h"

#include <inttypes.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "base/units.h"
#include "load/load.h"
#include "model/io.h"
#include "output/fio_number.h"

static const char dir_letters[IO_NR_DATA_DIRS] = { 'r', 'w', 't' };

static void add_limits(const struct load_progress *load, struct strbuf *line)
{
	char text[FIO_NUMBER_LEN];

	if (load->rate_bytes_per_sec)
		strbuf_printf(line, ", 0B/s-%s",
			      fio_number_text(load->rate_bytes_per_sec, FIO_DIGITS, FIO_PREFIX_IEC,
					      FIO_UNIT_BYTE_PER_SEC, text));
	else if (load->rate_iops)
		strbuf_printf(line, ", 0-%" PRIu64 " IOPS", load->rate_iops);
}

/* "[r(2),_(1)]": neighbours in one state are one item. */
static void add_states(const char *states, struct strbuf *line)
{
	strbuf_add_str(line, ": [");
	for (const char *at = states; *at;) {
		size_t nr = 1;

		while (at[nr] == at[0])
			nr++;
		strbuf_printf(line, "%s%c(%zu)", at == states ? "" : ",", *at, nr);
		at += nr;
	}
	strbuf_add_char(line, ']');
}

static void add_share(double share, struct strbuf *line)
{
	if (share < 0)
		strbuf_add_str(line, "[-.-%]");
	else
		strbuf_printf(line, "[%.1f%%]", share * 100);
}

/* Only directions in which something moved. */
static void add_rates(const struct load_progress *load, struct strbuf *line)
{
	char text[FIO_NUMBER_LEN];
	size_t nr = 0;

	for (size_t dir = 0; dir < IO_NR_DATA_DIRS; dir++) {
		if (load->iops[dir] > 0)
			strbuf_printf(line, "%s%c=%s", nr++ ? "," : "[", dir_letters[dir],
				      fio_number_text((uint64_t)load->bytes_per_sec[dir],
						      FIO_DIGITS, FIO_PREFIX_IEC,
						      FIO_UNIT_BYTE_PER_SEC, text));
	}
	if (nr == 0)
		return;
	strbuf_add_char(line, ']');
	nr = 0;
	for (size_t dir = 0; dir < IO_NR_DATA_DIRS; dir++) {
		if (load->iops[dir] > 0)
			strbuf_printf(line, "%s%c=%s", nr++ ? "," : "[", dir_letters[dir],
				      fio_number_text((uint64_t)load->iops[dir], FIO_DIGITS,
						      FIO_PREFIX_SI, FIO_UNIT_NONE, text));
	}
	strbuf_add_str(line, " IOPS]");
}

static void add_rest(const struct load_progress *load, struct strbuf *line)
{
	double elapsed_s = (double)load->elapsed_ns / (double)NS_PER_S;
	uint64_t left_s;

	if (load->share <= 0)
		return;
	left_s = (uint64_t)(elapsed_s / load->share * (1 - load->share) + 0.5);
	strbuf_add_str(line, "[eta ");
	if (left_s >= 86400)
		strbuf_printf(line, "%02" PRIu64 "d:", left_s / 86400);
	if (left_s >= 3600)
		strbuf_printf(line, "%02" PRIu64 "h:", left_s / 3600 % 24);
	strbuf_printf(line, "%02" PRIu64 "m:%02" PRIu64 "s]", left_s / 60 % 60, left_s % 60);
}

void eta_print(const struct load_progress *load, struct strbuf *line)
{
	strbuf_printf(line, "Jobs: %zu (f=%zu)", load->nr_running, load->nr_files);
	add_limits(load, line);
	add_states(load->states ? load->states : "", line);
	add_share(load->share, line);
	add_rates(load, line);
	add_rest(load, line);
}
