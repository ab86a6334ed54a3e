/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_STACK_LAYER_SCSI_DEBUG_H
#define REGIO_STACK_LAYER_SCSI_DEBUG_H

struct layer;
struct strbuf;

/* The parameters that the module is loaded with. */
void scsi_debug_params(const struct layer *layer, struct strbuf *out);

#endif
