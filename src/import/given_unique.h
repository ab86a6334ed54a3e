/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_IMPORT_GIVEN_UNIQUE_H
#define REGIO_IMPORT_GIVEN_UNIQUE_H

struct given_list;

/* Of entries with one name the first is kept: damaged text may repeat one. */
void given_drop_repeated(struct given_list *given);

#endif
