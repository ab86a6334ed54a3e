/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_SETTING_SETTING_TABLE_H
#define REGIO_SETTING_SETTING_TABLE_H

/* The rows of the table in setting.c, each from the file of its name. */

#include "setting/setting.h"

extern const struct setting_ops setting_job;
extern const struct setting_ops setting_queue;
extern const struct setting_ops setting_iosched;
extern const struct setting_ops setting_sysctl;
extern const struct setting_ops setting_stack;
extern const struct setting_ops setting_cmd;
extern const struct setting_ops setting_kernel;

#endif
