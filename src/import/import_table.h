/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_IMPORT_IMPORT_TABLE_H
#define REGIO_IMPORT_IMPORT_TABLE_H

/* The records that import.c lists. */

struct importer_ops;

extern const struct importer_ops importer_archive;
extern const struct importer_ops importer_btt;
extern const struct importer_ops importer_csv;
extern const struct importer_ops importer_fio_json;
extern const struct importer_ops importer_fio_terse;
extern const struct importer_ops importer_fio_text;
extern const struct importer_ops importer_iostat;
extern const struct importer_ops importer_lkp_matrix;
extern const struct importer_ops importer_lkp_table;
extern const struct importer_ops importer_pipes;
extern const struct importer_ops importer_stress_ng;

#endif
