/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_VM_GUEST_PROGRAM_H
#define REGIO_VM_GUEST_PROGRAM_H

struct err;
struct strbuf;

/* Reads regio-guest: $REGIO_GUEST, or the one built or installed with the running program. */
int guest_program_read(struct strbuf *out, struct err *err);

#endif
