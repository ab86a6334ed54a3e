/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_LOAD_FOLDERS_H
#define REGIO_LOAD_FOLDERS_H

/* Folders of data files: those of directory= must exist, those in filename= are made. */

struct err;
struct job;

/* ERR_INPUT names the item of directory= that is not a folder. */
int folders_check(const struct job *job, struct err *err);

/* Makes the missing folders above path with mode 0700, as fio does. */
int folders_make(const char *path, struct err *err);

#endif
