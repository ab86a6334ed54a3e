/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_IMPORT_OUTPUT_H
#define REGIO_IMPORT_OUTPUT_H

/* What an external workload printed, into the result that keeps its output. */

struct result;

/*
 * Reads result->output: what an importer knows (fio, stress-ng ..) as jobs and given metrics, else
 * lines NAME VALUE UNIT as given metrics. An output without numbers is no failure: time and CPU
 * were measured; a note tells what was not understood. Several results in one output, or one
 * that is damaged, make a job with an error: such a trial must not count.
 */
void import_output(struct result *result);

#endif
