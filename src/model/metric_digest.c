/* SPDX-License-Identifier: GPL-2.0-or-later */
/* metric_digest: recognises a measurement that was seen before. */
#include "model/metric_digest.h"

#include <string.h>

#include "base/name_index.h"
#include "model/metric.h"

/* Finaliser of SplitMix64 (Steele, Lea & Flood 2014). */
static uint64_t mix(uint64_t x)
{
	x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
	return x ^ (x >> 31);
}

uint64_t metric_digest(const char *name, double value)
{
	uint64_t bits;

	if (value == 0.0)
		value = 0.0; /* of either sign */
	memcpy(&bits, &value, sizeof(bits));
	return mix(name_hash(name) ^ mix(bits));
}

uint64_t metric_list_digest(const struct metric_list *list)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < list->nr; i++)
		sum += metric_digest(list->items[i].name, list->items[i].value);
	return sum;
}
