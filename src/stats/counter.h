/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_STATS_COUNTER_H
#define REGIO_STATS_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

/*
 * What a counter of the kernel advanced between two readings. Many are printed with 32 bits (times
 * in ms, everything on 32-bit kernels) and begin again at 0 after 2^32 - 1. False, and nothing
 * written, where it went backwards otherwise: it belongs to another object now (a device that was
 * removed and added), and nothing is known.
 */
bool counter_delta(uint64_t before, uint64_t after, uint64_t *ret_delta);

#endif
