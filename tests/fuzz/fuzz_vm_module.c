/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A kernel module: sections of an ELF file and what .modinfo says. Nothing points outside. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "fuzz.h"
#include "vm/elf_file.h"
#include "vm/kernel_image.h"
#include "vm/module_info.h"

/* Reads all of it, so that a sanitizer sees what is not there. */
static void check_section(const char *data, size_t len, const char *name)
{
	const void *content;
	size_t content_len;
	unsigned sum = 0;

	if (!elf_find_section(data, len, name, &content, &content_len))
		return;
	if ((const char *)content < data || content_len > len ||
	    (size_t)((const char *)content - data) > len - content_len)
		abort();
	for (size_t i = 0; i < content_len; i++)
		sum += ((const unsigned char *)content)[i];
	if (sum > 255 * content_len)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	CLEANUP(free) char *copy = xmalloc(len + 1); /* exactly as long as the file */
	CLEANUP(module_info) struct module_info info = { .depends = STRBUF_INIT };
	CLEANUP(strbuf) struct strbuf words = STRBUF_INIT;
	char *file = copy + 1; /* and not aligned */

	if (len)
		memcpy(file, data, len);
	check_section(file, len, ".modinfo");
	check_section(file, len, ".notes");
	check_section(file, len, "");
	(void)module_info_read(file, len, &info);
	if (strchr(strbuf_str(&info.depends), '-') || strchr(strbuf_str(&info.depends), ','))
		abort();
	(void)kernel_image_release(file, len, &words);
	(void)kernel_image_build_id(file, len, &words);
	return 0;
}
