/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_MODEL_RESULT_JSON_H
#define REGIO_MODEL_RESULT_JSON_H

/*
 * The archive form of a result: JSON with "schema": "regio.result" and "version", complete
 * and lossless (integers stay integers, 128-bit sums are decimal strings, doubles round-trip).
 * Every version ever written must still be read.
 */

#include <stddef.h>

struct err;
struct result;

/* 2: monitors ("monitored"), imported results ("source_file", "source_line", "given"; a histogram without moments). */
#define RESULT_JSON_VERSION 2

/* A new string (caller frees). pretty: indented. */
char *result_to_json(const struct result *result, int pretty);
/* *ret_result is written only on success. ERR_INPUT says what is wrong and where. */
int result_from_json(const char *text, size_t len, struct result *ret_result, struct err *err);

#endif
