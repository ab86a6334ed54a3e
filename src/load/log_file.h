/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_LOAD_LOG_FILE_H
#define REGIO_LOAD_LOG_FILE_H

/* A log file: lines of numbers, collected and written in large pieces. */

#include <stddef.h>
#include <stdint.h>

struct err;

#define LOG_FILE_BUF_LEN (256U << 10)
#define LOG_LINE_MAX_LEN (48U << 10) /* a histogram: 1856 counts of up to 22 characters */

struct log_file {
	char *path; /* owned */
	int fd;
	char *buf; /* owned */
	size_t len;
	int error; /* errno of the first failed write: the file ends there */
};

/* Creates or empties the file. */
int log_file_open(struct log_file *file, const char *path, struct err *err);
/* Writes what is left. */
void log_file_close(struct log_file *file);

/* Begins a line: there is room for it behind. */
void log_file_begin(struct log_file *file);
void log_file_number(struct log_file *file, uint64_t value);
void log_file_text(struct log_file *file, const char *text);

#endif
