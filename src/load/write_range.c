/* SPDX-License-Identifier: GPL-2.0-or-later */
/* write_range: the smallest range that holds all writes since it was taken. */
#include "load/write_range.h"

#include "engine/engine.h"

void write_range_add(struct write_range *range, const struct io_req *req)
{
	uint64_t end_bytes = req->offset_bytes + req->len_bytes;

	if (range->end_bytes == 0 || req->offset_bytes < range->first_bytes)
		range->first_bytes = req->offset_bytes;
	if (end_bytes > range->end_bytes)
		range->end_bytes = end_bytes;
}

void write_range_take(struct write_range *range, unsigned flags, struct io_req *req)
{
	/* whole pages, as the kernel does it anyway */
	uint64_t from_bytes = range->first_bytes - range->first_bytes % ENGINE_PAGE_BYTES;
	uint64_t nr_pages =
		(range->end_bytes - from_bytes + ENGINE_PAGE_BYTES - 1) / ENGINE_PAGE_BYTES;

	req->range_flags = (uint8_t)flags;
	req->offset_bytes = from_bytes;
	req->range_pages = nr_pages > UINT32_MAX ? 0 : (uint32_t)nr_pages;
	*range = (struct write_range){ .end_bytes = 0 };
}
