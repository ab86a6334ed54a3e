/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_VM_ELF_FILE_H
#define REGIO_VM_ELF_FILE_H

/* Sections and segments of 64-bit little-endian x86-64 ELF files in memory: kernels, modules. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* True for what the above can read; enough bytes of the header must be there. */
bool elf_is_x86_64(const void *data, size_t len);

/* The content of the first section of that name, inside data. False if there is none or the
 * tables point outside of the file. */
bool elf_find_section(const void *data, size_t len, const char *name, const void **ret_content,
		      size_t *ret_len);

/* The physical address behind all that is loaded of a file that begins so; 0: it does not say. */
uint64_t elf_load_end(const void *data, size_t len);

#endif
