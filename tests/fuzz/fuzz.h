/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_TESTS_FUZZ_FUZZ_H
#define REGIO_TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* What each target defines and libFuzzer or replay.c calls. Returns 0; a finding is a crash, an
 * assert or a sanitizer report. data may be NULL when len is 0 and is not terminated. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

#endif
