/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_OUTPUT_OUTPUT_FORMATS_H
#define REGIO_OUTPUT_OUTPUT_FORMATS_H

/* The records of the table in output.c. */
struct output_ops;

extern const struct output_ops output_archive;
extern const struct output_ops output_csv;
extern const struct output_ops output_fio_json_plus;
extern const struct output_ops output_fio_normal;
extern const struct output_ops output_fio_terse;
extern const struct output_ops output_fio_terse_2;
extern const struct output_ops output_fio_terse_4;
extern const struct output_ops output_fio_terse_5;
extern const struct output_ops output_json;
extern const struct output_ops output_lkp;
extern const struct output_ops output_markdown;
extern const struct output_ops output_text;

#endif
