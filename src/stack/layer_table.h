/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_STACK_LAYER_TABLE_H
#define REGIO_STACK_LAYER_TABLE_H

/* The kinds of layers, for the table in layer.c only. */

#include "stack/layer.h"

extern const struct layer_ops layer_brd;
extern const struct layer_ops layer_btrfs;
extern const struct layer_ops layer_cache;
extern const struct layer_ops layer_delay;
extern const struct layer_ops layer_device;
extern const struct layer_ops layer_error;
extern const struct layer_ops layer_ext4;
extern const struct layer_ops layer_file;
extern const struct layer_ops layer_flakey;
extern const struct layer_ops layer_hdd;
extern const struct layer_ops layer_linear;
extern const struct layer_ops layer_loop;
extern const struct layer_ops layer_multipath;
extern const struct layer_ops layer_null_blk;
extern const struct layer_ops layer_raid0;
extern const struct layer_ops layer_scsi_debug;
extern const struct layer_ops layer_striped;
extern const struct layer_ops layer_xfs;
extern const struct layer_ops layer_zram;

#endif
