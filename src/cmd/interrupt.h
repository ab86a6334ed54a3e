/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_CMD_INTERRUPT_H
#define REGIO_CMD_INTERRUPT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * Turns SIGINT, SIGTERM and SIGHUP into a flag that trials look at, so that a stopped run
 * keeps its partial results and undoes its settings. A SIGHUP that is ignored, as nohup(1) does,
 * stays so. SIGPIPE and SIGXFSZ become write errors. A third signal ends the program at once: a
 * hung device must not make it immortal; the journal then still knows what to undo.
 */
const atomic_bool *interrupt_install(void);

/* Set by the second signal: I/O that hangs is not waited for. */
const atomic_bool *interrupt_urgent(void);

/* The flag is set by itself after that time. After interrupt_install. */
void interrupt_after(uint64_t ns);
/* Whether it was the time, and no signal. */
bool interrupt_is_timeout(void);
/* The flag that SIGUSR1 sets from now on; whoever acts on it clears it. */
atomic_bool *interrupt_status_wanted(void);

#endif
