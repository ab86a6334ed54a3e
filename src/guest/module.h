/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_GUEST_MODULE_H
#define REGIO_GUEST_MODULE_H

struct err;

/* Loads the kernel module in that file; one that is loaded or built in already is success. */
int module_load(const char *path, const char *params, struct err *err);

#endif
