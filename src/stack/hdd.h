/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_STACK_HDD_H
#define REGIO_STACK_HDD_H

/*
 * A disk with moving parts, as arithmetic: how long a request takes from where the head is now.
 *
 *	service = reach + transfer
 *	transfer = bytes / rate
 *	reach = gap / rate                      up to a track ahead of the head
 *	      = seek(tracks) + rotation         anywhere else, one byte backwards included
 *	seek(0) = 0, else for x tracks of n (Lee and Katz, "An analytic performance model of disk
 *	arrays", SIGMETRICS 1993), which meets the three times that data sheets print: a step of one
 *	track, the mean over all pairs of places, and the full stroke:
 *	seek(x) = a sqrt(x - 1) + b (x - 1) + track
 *	a = (15 average - 10 track - 5 full) / (3 sqrt(n))
 *	b = (7 track - 15 average + 8 full) / (3 n)
 *	rotation = until the first sector comes round; the medium turns with CLOCK_MONOTONIC
 *
 * One head, one surface, one rate: a track holds rate / (rpm / 60) bytes. What is ahead within a
 * track costs its way under the head, also after a pause: that stands for the buffer of a drive,
 * which reads ahead and gathers writes. There is no other cache: what is answered is done.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;

struct hdd_shape {
	uint64_t size_bytes;
	uint64_t rate_bytes_per_sec;
	unsigned rpm;
	unsigned track_seek_us, average_seek_us, full_seek_us;
};

struct hdd {
	uint64_t size_bytes;
	uint64_t head_bytes; /* behind the last byte transferred */
	uint64_t revolution_ns;
	double track_bytes;
	double ns_per_byte;
	double root_ns, linear_ns, base_ns; /* a, b, track */
};

#define HDD_SHAPE_DEFAULT                                                                          \
	((struct hdd_shape){ .rate_bytes_per_sec = UINT64_C(150) << 20,                            \
			     .rpm = 7200,                                                          \
			     .track_seek_us = 1000,                                                \
			     .average_seek_us = 8500,                                              \
			     .full_seek_us = 17000 })

/* -ERR_USAGE for what is no disk: a value of 0, or three seek times that no curve meets which
 * rises everywhere. */
int hdd_init(const struct hdd_shape *shape, struct hdd *ret_hdd, struct err *err);

uint64_t hdd_seek_ns(const struct hdd *hdd, uint64_t distance_bytes);
/* From now until the head can begin at that byte. */
uint64_t hdd_reach_ns(const struct hdd *hdd, uint64_t now_ns, uint64_t from_bytes);
/* The same with the transfer; the head is behind it then. */
uint64_t hdd_serve_ns(struct hdd *hdd, uint64_t now_ns, uint64_t from_bytes, uint64_t len_bytes);

/* What waits for the disk. */
struct hdd_wait {
	uint64_t from_bytes;
	unsigned nr_passed; /* times that others were taken */
};

/* Passed over so often, the oldest is next whatever it costs. */
#define HDD_PATIENCE 64

/* Index of the one to take, of nr >= 1 in the order of arrival: the first, or the one that is
 * reached soonest. */
size_t hdd_choose(const struct hdd *hdd, uint64_t now_ns, const struct hdd_wait *waits, size_t nr,
		  bool is_nearest);

#endif
