/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_ENV_KERNEL_CONFIG_H
#define REGIO_ENV_KERNEL_CONFIG_H

/* Private to src/env: the configuration that the running kernel was built with. */

struct facts;
struct strbuf;

/*
 * Appends it to text, from /proc/config.gz or else /boot or the module folder. Returns the path it
 * came from, without the root (caller frees); NULL where it is not readable.
 */
char *kernel_config_read(const struct facts *facts, struct strbuf *text);

#endif
