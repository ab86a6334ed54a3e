/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_IMPORT_IMPORT_TABLE_H
#define REGIO_IMPORT_IMPORT_TABLE_H

/* The records that import.c lists. */

struct importer_ops;

extern const struct importer_ops importer_fio_json;
extern const struct importer_ops importer_fio_text;

#endif
