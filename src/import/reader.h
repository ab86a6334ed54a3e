/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_IMPORT_READER_H
#define REGIO_IMPORT_READER_H

/*
 * The text under import as a window of cleaned lines. Reads in chunks, so it needs the same
 * memory for every size of file. Importers see only what importer.h declares.
 */

#include "base/strbuf.h"
#include "base/vec.h"
#include "import/heading.h"
#include "import/importer.h"
#include "import/mail.h"
#include "model/result.h"

struct import_options;
struct import_sink;

struct reader_slot {
	struct import_line line;
	struct strbuf text;
	struct strbuf raw; /* only of lines that cleaning may change */
};

struct reader_memory {
	const struct import_memory_kind *kind;
	void *memory;
};

struct import_reader {
	const char *name; /* of the file, for results and messages */
	const struct import_options *options;
	const struct import_sink *sink;

	/* where bytes come from */
	int fd; /* -1: all of it is in memory */
	int read_errno;
	bool is_ended;	/* no more bytes will come */
	bool is_utf16;	/* little endian, converted on the way in */
	bool is_binary; /* a NUL byte was seen, in line binary_line */
	unsigned binary_line;
	unsigned char odd_byte; /* half a UTF-16 unit */
	bool has_odd_byte;

	/* raw bytes: a buffer, or the text in memory */
	struct strbuf buffer;
	const char *memory;
	size_t memory_len;
	size_t pos;	      /* of the next raw line in it */
	unsigned line_nr;     /* of the next raw line */
	bool is_in_long_line; /* the rest of a line that came in pieces */

	/* cleaned lines */
	struct mail mail;
	struct strbuf cleaned; /* of one raw line; may hold several lines */
	size_t cleaned_pos;
	bool has_cleaned; /* some of it is not consumed */
	bool cleaned_is_cut;
	unsigned cleaned_nr;
	struct reader_slot slots[IMPORT_LOOKAHEAD]; /* a ring */
	size_t first, nr;
	unsigned nr_consumed; /* lines, to see that an importer makes progress */
	unsigned last_line;   /* number of the last line consumed */

	/* what importers need to know and to tell */
	struct heading heading;
	unsigned block_line;		     /* first line of the block that is being read */
	unsigned error_line;		     /* of import_refuse(), 0 = none */
	const struct importer_ops *importer; /* that reads the block */
	bool has_prose;			     /* between the last result and the current line */
	size_t nr_delivered;
	struct result held; /* the last one with numbers */
	bool has_held;
	const struct importer_ops *held_importer, *withheld_importer;
	VEC(struct result) withheld; /* without any number: delivered only beside others */
	bool sink_failed;	     /* the message is the sink's own */
	VEC(struct reader_memory) memories;
};

/* Bytes at hand from in->pos on; more are read first if they are few. */
size_t reader_at_hand(struct import_reader *in, const char **ret_text);

/* Owns fd. */
void reader_init_fd(struct import_reader *in, const char *name, int fd);
/* The text must outlive the reader. */
void reader_init_memory(struct import_reader *in, const char *name, const char *text, size_t len);
void reader_release(struct import_reader *in);
CLEANUP_DEFINE(reader, struct import_reader, reader_release)

#endif
