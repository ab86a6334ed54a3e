/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_IMPORT_ATTACHMENT_H
#define REGIO_IMPORT_ATTACHMENT_H

/*
 * Mail archives put attachments one below the other and drop their names. The text above them
 * often names them, in their order, and may say what they are: "a.txt and b.txt show 3.10/mq and
 * 4.2/smq respectively".
 */

#include <stdbool.h>

#include "base/strbuf.h"

#define ATTACHMENT_MAX_PROSE 16384 /* bytes of the text above that are looked at */

struct attachments {
	struct strbuf prose; /* its words, single blanks between them */
};

/* A line of the text above the first attachment. */
void attachments_add(struct attachments *attachments, const char *line);

/*
 * Appends what the text calls the attachment of this number, from 1; false if it does not speak
 * of attachments or names fewer.
 */
bool attachments_name(const struct attachments *attachments, unsigned nr, struct strbuf *out);

void attachments_release(struct attachments *attachments);

#endif
