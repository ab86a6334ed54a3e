/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A bzImage: its boot header, and the kernel packed in it. What comes out is an ELF file. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "fuzz.h"
#include "vm/elf_file.h"
#include "vm/kernel_image.h"

#define MAX_LEN 8192 /* a few KiB may unpack to 100 MiB, which is enough to wait for */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	CLEANUP(free) char *copy = NULL;
	CLEANUP(strbuf) struct strbuf out = STRBUF_INIT;
	CLEANUP(strbuf) struct strbuf words = STRBUF_INIT;
	struct err err = { .code = 0 };
	int ret;

	if (len > MAX_LEN)
		return 0;
	copy = xmalloc(len + 1);
	if (len)
		memcpy(copy + 1, data, len);
	ret = kernel_image_unpack(copy + 1, len, "fuzz", &out, &err);
	if (ret == 0 && !elf_is_x86_64(out.buf, out.len))
		abort();
	if (ret < 0 && !err.msg[0])
		abort();
	(void)kernel_image_release(copy + 1, len, &words);
	(void)kernel_image_build_id(copy + 1, len, &words);
	return 0;
}
