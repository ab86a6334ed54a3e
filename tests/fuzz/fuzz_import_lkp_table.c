/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz_import_lkp_table: any text as the format lkp-table; what is delivered must be sound. */
#include "fuzz.h"

#include "fuzz_import.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	return fuzz_import("lkp-table", data, len);
}
