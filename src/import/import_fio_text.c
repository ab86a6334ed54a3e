/* SPDX-License-Identifier: GPL-2.0-or-later */
/* import_fio_text: fio's normal output. */
#include "import/import_table.h"
#include "import/importer.h"

static int fio_text_probe(struct import_reader *in)
{
	(void)in;
	return 0;
}

static int fio_text_read(struct import_reader *in, struct err *err)
{
	(void)in;
	(void)err;
	return 0;
}

const struct importer_ops importer_fio_text = {
	.name = "fio-text",
	.summary = "fio's normal output, versions 2.0 and later",
	.probe = fio_text_probe,
	.read = fio_text_read,
};
