/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hdd: seek, rotation and transfer of a disk with one head. Serving it is left to hdd_server.c. */
#include "stack/hdd.h"

#include <math.h>

#include "base/err.h"
#include "base/units.h"

static int check_shape(const struct hdd_shape *shape, struct err *err)
{
	const uint64_t track = shape->track_seek_us;
	const uint64_t average = shape->average_seek_us;
	const uint64_t full = shape->full_seek_us;

	if (shape->rpm == 0 || shape->rpm > 100000)
		return err_set(err, ERR_USAGE, "rpm '%u' is not 1 to 100000", shape->rpm);
	if (shape->rate_bytes_per_sec == 0 || shape->size_bytes == 0)
		return err_set(err, ERR_USAGE, "a disk of no size or no rate");
	/* where a or b of the curve would be negative */
	if (15 * average < 10 * track + 5 * full || 15 * average > 7 * track + 8 * full)
		return err_set(err, ERR_USAGE,
			       "average_seek_us '%u' is not %llu to %llu, where the curve from "
			       "track_seek_us=%u to full_seek_us=%u rises everywhere",
			       shape->average_seek_us,
			       (unsigned long long)((10 * track + 5 * full + 14) / 15),
			       (unsigned long long)((7 * track + 8 * full) / 15),
			       shape->track_seek_us, shape->full_seek_us);
	return 0;
}

int hdd_init(const struct hdd_shape *shape, struct hdd *ret_hdd, struct err *err)
{
	const double track_ns = shape->track_seek_us * NS_PER_US;
	const double average_ns = shape->average_seek_us * NS_PER_US;
	const double full_ns = shape->full_seek_us * NS_PER_US;
	double nr_tracks;
	int ret = check_shape(shape, err);

	if (ret < 0)
		return ret;
	*ret_hdd = (struct hdd){
		.size_bytes = shape->size_bytes,
		.revolution_ns = NS_PER_MIN / shape->rpm,
		.track_bytes = (double)shape->rate_bytes_per_sec * 60.0 / shape->rpm,
		.ns_per_byte = NS_PER_S / (double)shape->rate_bytes_per_sec,
		.base_ns = track_ns,
	};
	nr_tracks = fmax(1.0, (double)shape->size_bytes / ret_hdd->track_bytes);
	ret_hdd->root_ns = (15 * average_ns - 10 * track_ns - 5 * full_ns) / (3 * sqrt(nr_tracks));
	ret_hdd->linear_ns = (7 * track_ns - 15 * average_ns + 8 * full_ns) / (3 * nr_tracks);
	return 0;
}

uint64_t hdd_seek_ns(const struct hdd *hdd, uint64_t distance_bytes)
{
	double tracks = floor((double)distance_bytes / hdd->track_bytes);

	if (tracks < 1)
		return 0;
	return (uint64_t)(hdd->root_ns * sqrt(tracks - 1) + hdd->linear_ns * (tracks - 1) +
			  hdd->base_ns);
}

/* When within a revolution a byte is under the head. */
static uint64_t angle_ns(const struct hdd *hdd, uint64_t at_bytes)
{
	double turn = fmod((double)at_bytes, hdd->track_bytes) / hdd->track_bytes;

	return (uint64_t)(turn * (double)hdd->revolution_ns);
}

uint64_t hdd_reach_ns(const struct hdd *hdd, uint64_t now_ns, uint64_t from_bytes)
{
	bool is_ahead = from_bytes >= hdd->head_bytes;
	uint64_t distance = is_ahead ? from_bytes - hdd->head_bytes : hdd->head_bytes - from_bytes;
	uint64_t seek_ns;
	uint64_t there_ns;

	if (is_ahead && (double)distance < hdd->track_bytes)
		return (uint64_t)((double)distance * hdd->ns_per_byte);
	seek_ns = hdd_seek_ns(hdd, distance);
	there_ns = (now_ns + seek_ns) % hdd->revolution_ns;
	return seek_ns +
	       (angle_ns(hdd, from_bytes) + hdd->revolution_ns - there_ns) % hdd->revolution_ns;
}

uint64_t hdd_serve_ns(struct hdd *hdd, uint64_t now_ns, uint64_t from_bytes, uint64_t len_bytes)
{
	uint64_t reach_ns = hdd_reach_ns(hdd, now_ns, from_bytes);

	hdd->head_bytes = from_bytes + len_bytes;
	return reach_ns + (uint64_t)((double)len_bytes * hdd->ns_per_byte);
}

size_t hdd_choose(const struct hdd *hdd, uint64_t now_ns, const struct hdd_wait *waits, size_t nr,
		  bool is_nearest)
{
	uint64_t best_ns = UINT64_MAX;
	size_t best = 0;

	if (!is_nearest || waits[0].nr_passed >= HDD_PATIENCE)
		return 0;
	for (size_t i = 0; i < nr; i++) {
		uint64_t reach_ns = hdd_reach_ns(hdd, now_ns, waits[i].from_bytes);

		if (reach_ns < best_ns) {
			best_ns = reach_ns;
			best = i;
		}
	}
	return best;
}
