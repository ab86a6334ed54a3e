/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_HOST_SIGNATURE_H
#define REGIO_HOST_SIGNATURE_H

struct strbuf;

/*
 * Appends what libblkid recognises in the content of a device: "an ext4 signature labelled
 * 'data'", several joined by " and ". Nothing for a blank device. A device that cannot be read
 * gives "content that cannot be read": what is there is not known, so it counts as something.
 */
void signature_describe(int fd, struct strbuf *out);

#endif
