/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_OUTPUT_FIO_VERSION_H
#define REGIO_OUTPUT_FIO_VERSION_H

/*
 * The version of fio whose output forms are written, and which they name: programs that read them
 * decide by it which units and fields to expect.
 */
#define FIO_FORM_VERSION "fio-3.33"

#endif
