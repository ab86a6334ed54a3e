/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_ENGINE_FAULT_COPY_H
#define REGIO_ENGINE_FAULT_COPY_H

/*
 * memcpy on mapped files. A page that cannot be read, or written because the disk is full, is a
 * SIGBUS there; here it is a return value.
 */

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

struct err;

/* Lets the calling thread use fault_copy; *ret_mask is its signal mask before. The handler stays
 * installed and acts as the default elsewhere. */
int fault_copy_enable(sigset_t *ret_mask, struct err *err);
void fault_copy_disable(const sigset_t *mask);

/* False if a fault cut it short: then part of `to` may have been written. */
bool fault_copy(void *to, const void *from, size_t len);

#endif
