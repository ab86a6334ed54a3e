/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_CMD_ETA_H
#define REGIO_CMD_ETA_H

/* fio's line about a running job: "Jobs: 2 (f=2): [r(1),w(1)][50.0%][r=4004KiB/s]..". */

struct load_progress;
struct strbuf;

void eta_print(const struct load_progress *load, struct strbuf *line);

#endif
