/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_ANALYSIS_CONFIG_DIFF_H
#define REGIO_ANALYSIS_CONFIG_DIFF_H

/* Private to src/analysis: the options of a kernel's configuration as facts. */

struct fact_index;

/* "CONFIG_X=y" -> kernel.config.CONFIG_X "y"; "# CONFIG_X is not set" -> "n". Other lines say
 * nothing. */
void config_add_facts(const char *text, struct fact_index *index);

#endif
