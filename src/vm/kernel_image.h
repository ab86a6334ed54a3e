/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_VM_KERNEL_IMAGE_H
#define REGIO_VM_KERNEL_IMAGE_H

/*
 * From what people call a kernel to what an emulated CPU boots fast: the ELF file inside of a
 * bzImage (boot protocol 2.08 and later: Documentation/arch/x86/boot.rst), unpacked on the host.
 */

#include <stdbool.h>
#include <stddef.h>

struct err;
struct strbuf;

/* 0 for a bzImage or an x86-64 ELF file, else why it is none. what names it in messages. */
int kernel_image_check(const void *data, size_t len, const char *what, struct err *err);

/* Appends the ELF kernel of a bzImage or an ELF file. what names it in messages. */
int kernel_image_unpack(const void *data, size_t len, const char *what, struct strbuf *out,
			struct err *err);

/* "6.1.0-47-amd64" out of the version text of either; false if it has none. */
bool kernel_image_release(const void *data, size_t len, struct strbuf *out);

/* The GNU build id in hex; false if it has none. */
bool kernel_image_build_id(const void *data, size_t len, struct strbuf *out);

#endif
