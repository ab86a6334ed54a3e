/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_ENV_FACTS_H
#define REGIO_ENV_FACTS_H

/*
 * Private to src/env: where facts go, and how most of them are read. A table of rows says which
 * file becomes which fact.
 */

#include <stddef.h>
#include <stdint.h>

#include "env/env.h"

struct facts {
	const struct env_context *context;
	struct result *result;
};

enum fact_form {
	FACT_LINE,     /* the first line, blanks at its ends cut off */
	FACT_CHOICE,   /* "none [bfq] kyber" -> "bfq"; without brackets the line */
	FACT_ON_OFF,   /* "1" -> "on", "0" -> "off" */
	FACT_OFF_ON,   /* the opposite: of files named no_x */
	FACT_SECTORS,  /* number of 512 bytes, whatever the block size */
	FACT_NOT_ZERO, /* a line, unless it is "0": a limit that is not set */
	FACT_NOT_NONE, /* a line, unless it is "none" */
	FACT_NAME,     /* a line, unless it is a number of PCI: "0x1af4" */
};

struct fact_row {
	const char *key;  /* "cpu.smt" */
	const char *path; /* from the root, or from the folder that goes with the rows */
	enum fact_form form;
};

/* Longest value that is a fact; longer ones are tables or texts. */
#define FACT_MAX_LEN 256

/* The path under the root of the context. Caller frees. */
__attribute__((format(printf, 2, 3))) char *facts_path(const struct facts *facts,
						       const char *format, ...);

/* Empty or NULL: nothing is added. */
__attribute__((format(printf, 3, 4))) void facts_add(struct facts *facts, const char *value,
						     const char *key_format, ...);
void facts_add_u64(struct facts *facts, const char *key, uint64_t value);
/*
 * All rows whose files can be read; of neighbours with one key only the first. prefix stands before
 * the keys: "disk.sda."; folder before the paths, or NULL: the root.
 */
void facts_add_rows(struct facts *facts, const struct fact_row *rows, size_t nr_rows,
		    const char *prefix, const char *folder);
/* Every file of a folder as PREFIX.NAME; what cannot be read, or is no fact, is passed over. */
void facts_add_folder(struct facts *facts, const char *prefix, const char *folder);

/* The value that the row would give to the file at path; NULL if there is none. Caller frees. */
char *fact_read(const char *path, enum fact_form form);

/* The text after "KEY<blanks>:" on the first line that begins so; NULL if there is none. */
char *fact_value_of(const char *text, const char *key);
/* The first bytes of a file, enough for what stands at its front; NULL if there are none. */
char *fact_read_head(const char *path);

#endif
