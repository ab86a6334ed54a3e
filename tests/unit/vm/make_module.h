/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_TESTS_UNIT_VM_MAKE_MODULE_H
#define REGIO_TESTS_UNIT_VM_MAKE_MODULE_H

#include <stddef.h>

#include "base/strbuf.h"

/* Appends an x86-64 ELF file with a .modinfo section of these len bytes. */
void make_module(struct strbuf *out, const char *modinfo, size_t len);

#endif
