/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_CANDIDATE_DEB_VERSION_H
#define REGIO_CANDIDATE_DEB_VERSION_H

/*
 * The order of Debian's package versions, [EPOCH:]UPSTREAM[-REVISION], as Debian Policy 5.6.12
 * defines it: negative, 0 or positive as left is older, equal or newer. Any text has a place in it.
 */
int deb_version_compare(const char *left, const char *right);

#endif
