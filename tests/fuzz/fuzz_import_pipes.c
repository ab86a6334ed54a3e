/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz_import_pipes: any text as the format table; what is delivered must be sound. */
#include "fuzz.h"

#include "fuzz_import.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	return fuzz_import("table", data, len);
}
