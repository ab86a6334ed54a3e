/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz_import_archive: any text as regio's archive form of results. */
#include "fuzz.h"

#include "fuzz_import.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	return fuzz_import("archive", data, len);
}
