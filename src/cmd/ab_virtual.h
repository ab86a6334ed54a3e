/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_CMD_AB_VIRTUAL_H
#define REGIO_CMD_AB_VIRTUAL_H

/* `ab` in virtual time: guests with the same seeds on both sides, and the rule for them. */

struct ab;
struct ab_config;
struct err;

/* Sets is_virtual, and the clock that "auto" means. */
int ab_virtual_choose(struct ab_config *config, struct err *err);

/* Refuses bad options, before anything runs. */
int ab_virtual_check(const struct ab_config *config, struct err *err);

/*
 * Self-test (the first guest twice must give the same result), then the guests of both sides in
 * turn; all runs are in ab->sides after it. -ERR_SYSTEM where a guest does not repeat itself.
 */
int ab_virtual_measure(struct ab *ab, struct err *err);

/* Prints what was found, stores it, and returns the exit status or a negative code. */
int ab_virtual_finish(struct ab *ab, struct err *err);

#endif
