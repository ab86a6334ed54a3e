/* SPDX-License-Identifier: GPL-2.0-or-later */
/* block_stat: reads the counters of a disk. Their differences are left to those who ask twice. */
#include "model/block_stat.h"

#include <stdbool.h>

/* The number at *text, which is moved behind it. False if there is none that fits. */
static bool take_number(const char **text, uint64_t *ret_value)
{
	const char *at = *text;
	uint64_t value = 0;

	while (*at == ' ' || *at == '\t')
		at++;
	if (*at < '0' || *at > '9')
		return false;
	for (; *at >= '0' && *at <= '9'; at++) {
		if (__builtin_mul_overflow(value, 10, &value) ||
		    __builtin_add_overflow(value, (uint64_t)(*at - '0'), &value))
			return false;
	}
	*text = at;
	*ret_value = value;
	return true;
}

size_t block_stat_parse(const char *text, uint64_t fields[BLOCK_STAT_NR_FIELDS])
{
	size_t nr = 0;

	while (nr < BLOCK_STAT_NR_FIELDS && take_number(&text, &fields[nr]))
		nr++;
	return nr < BLOCK_STAT_NR_BASIC ? 0 : nr;
}
