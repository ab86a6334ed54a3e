/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_MONITOR_DISPATCH_ORDER_H
#define REGIO_MONITOR_DISPATCH_ORDER_H

/*
 * Private to src/monitor: in which order the requests of one device came. A step leads from the end
 * of one request to the start of the next: sequential where both meet, backwards where the next
 * begins before that end. Zero is empty.
 */

#include <stdbool.h>
#include <stdint.h>

#include "stats/hist.h"

struct dispatch_order {
	uint64_t nr_requests;
	uint64_t nr_sequential;
	uint64_t nr_backwards;
	double sum_sectors; /* of the distances, whatever their direction */
	uint64_t end_sector;
	struct hist distances; /* sectors of 512 bytes */
};

void dispatch_order_add(struct dispatch_order *order, uint64_t sector, uint64_t nr_sectors);

/* Shares in %, distances in bytes. */
struct dispatch_numbers {
	double sequential_percent, backwards_percent;
	double mean_bytes, median_bytes;
};

/* False for fewer than two requests. */
bool dispatch_order_numbers(const struct dispatch_order *order,
			    struct dispatch_numbers *ret_numbers);

#endif
