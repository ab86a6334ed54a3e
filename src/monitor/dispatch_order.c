/* SPDX-License-Identifier: GPL-2.0-or-later */
/* dispatch_order: counts the steps between requests. */
#include "monitor/dispatch_order.h"

#define SECTOR_BYTES 512.0

void dispatch_order_add(struct dispatch_order *order, uint64_t sector, uint64_t nr_sectors)
{
	if (order->nr_requests++) {
		bool is_backwards = sector < order->end_sector;
		uint64_t distance =
			is_backwards ? order->end_sector - sector : sector - order->end_sector;

		order->nr_backwards += is_backwards;
		order->nr_sequential += distance == 0;
		order->sum_sectors += (double)distance;
		hist_record(&order->distances, distance);
	}
	order->end_sector = sector + nr_sectors;
}

bool dispatch_order_numbers(const struct dispatch_order *order,
			    struct dispatch_numbers *ret_numbers)
{
	double nr_steps;

	if (order->nr_requests < 2)
		return false;
	nr_steps = (double)(order->nr_requests - 1);
	*ret_numbers = (struct dispatch_numbers){
		.sequential_percent = 100.0 * (double)order->nr_sequential / nr_steps,
		.backwards_percent = 100.0 * (double)order->nr_backwards / nr_steps,
		.mean_bytes = order->sum_sectors / nr_steps * SECTOR_BYTES,
		.median_bytes = (double)hist_quantile(&order->distances, 0.5) * SECTOR_BYTES,
	};
	return true;
}
